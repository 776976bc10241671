import { Button } from '../explorer/button.tsx';
import { countText } from '../text/amounts.ts';
import type { FailureResponse, Finding, ReadOnlyReason } from './api.ts';
import { useEditor } from './editing-context.ts';
import { FindingList } from './field.tsx';
import { withoutPendingUploads } from './form-photos.ts';
import { textAt } from './form-values.ts';
import type { PropertyState } from './property-state.ts';
import { RevertButton } from './revert-button.tsx';
import { UnfinishedMergePanel } from './unfinished-merge.tsx';

type NoticesProps = {
  readonly state: PropertyState;
  readonly elsewhere: readonly Finding[];
  readonly save: () => unknown;
  readonly canSaveAnyway: boolean;
};

export function Notices({ state, elsewhere, save, canSaveAnyway }: NoticesProps) {
  const { failure, conflict, conflictedFile } = state;
  const saved = conflictedFile ?? state.saved;
  const obstacle = saved?.obstacle ?? (failure as Partial<FailureResponse> | undefined)?.obstacle;
  return (
    <div class="notices stack">
      <ErrorNotice state={state} save={save} canSaveAnyway={canSaveAnyway} />
      {obstacle && !conflict && <ObstacleNotice obstacle={obstacle} state={state} />}
      {elsewhere.length > 0 && !obstacle?.versions && (
        <FindingList className="notice small" findings={elsewhere} />
      )}
      {saved?.obstacle && (
        <details class="raw-json">
          <summary>The file</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          <section class="source" tabIndex={0} aria-label="The file">
            <pre>{saved.text}</pre>
          </section>
        </details>
      )}
    </div>
  );
}

function ErrorNotice({ state, save, canSaveAnyway }: Omit<NoticesProps, 'elsewhere'>) {
  const { values, edit, conflictedFile } = state;
  const saved = conflictedFile ?? state.saved;
  // Counts errors of the file that are not corrected in the form yet.
  const [inFile, now] = [saved, conflictedFile ? undefined : state.checked].map(
    (of) => of?.findings.filter(({ severity }) => severity === 'error').length ?? 0,
  ) as [number, number];
  const errors = state.checked && !conflictedFile ? Math.min(inFile, now) : inFile;
  if (errors === 0 && !canSaveAnyway) return null;
  const saveAsDraft = () => {
    edit({ path: ['draft'], value: 'true' });
    save();
  };
  return (
    <div class="notice small">
      <p>
        {saved
          ? `${countText(errors, 'error')} in this property: until ${errors === 1 ? 'it is' : 'they are'} fixed, nothing new of the whole catalogue can be published. “View catalogue” shows all other properties meanwhile.`
          : 'Some fields need a look. Fix them now, or press Create again to save the property as it is. While it has errors, nothing new of the whole catalogue can be published.'}
      </p>
      {textAt(values, ['draft']) !== 'true' && !saved?.obstacle && (
        <p class="flow">
          <Button look="small" onClick={saveAsDraft}>
            Save as draft
          </Button>
          <span class="quiet">A draft may be unfinished, and stops nothing. Guests do not see it.</span>
        </p>
      )}
    </div>
  );
}

type ObstacleNoticeProps = { readonly obstacle: ReadOnlyReason; readonly state: PropertyState };

function ObstacleNotice({ obstacle, state }: ObstacleNoticeProps) {
  const { client } = useEditor();
  const { fields, write, reread } = state;
  const saved = state.conflictedFile ?? state.saved;
  const { reason, line, link, isShared, isMerging, versions } = obstacle;
  const waysOut = (
    <>
      {saved?.obstacle && !isMerging && (
        <RevertButton
          file={{ ...saved, kind: 'changed', title: textAt(saved.values, ['title']) || saved.path }}
          reload={() => {}}
        />
      )}
      <a class="button" href={link}>
        Open {line ? `line ${line}` : 'the file'} in Visual Studio Code
      </a>
    </>
  );
  if (saved && versions)
    return (
      <UnfinishedMergePanel file={saved} versions={versions} reread={reread} isTyped={state.isDirty}>
        {waysOut}
      </UnfinishedMergePanel>
    );
  return (
    <div class="notice" role="alert">
      <h2>{saved?.obstacle ? 'This file has to be changed as text' : 'The form cannot change this yet'}</h2>
      <p>
        {reason}
        {!saved?.obstacle && ' Undo takes your change back.'}
      </p>
      <p class="flow">
        {saved && isShared && (
          <Button
            look="primary"
            onClick={() =>
              write(({ path, version }) =>
                client.save({ path, version, fields: withoutPendingUploads(fields), isSeparating: true }),
              )
            }
          >
            Separate the places, and save
          </Button>
        )}
        {waysOut}
      </p>
    </div>
  );
}
