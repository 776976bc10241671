import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { cutText } from '../text/shorten.ts';
import { EDIT_API_PATH } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import type { UnfinishedMerge, WholeFileChoice } from './changes.ts';
import { errorMessage } from './client.ts';
import { ConflictChoice, MAX_SHOWN_CHARACTERS } from './conflict-panel.tsx';
import { displayValue } from './display-values.ts';
import { useEditor } from './editing-context.ts';
import type { ConflictSide } from './git-remote.ts';
import { usePersistedState } from './kept-state.ts';
import { versionLabelsFor } from './unfinished-merge.tsx';

/** Keys are `WholeFileChoice.version`: if a file changes, its version changes too, so the user has to choose again. */
type Chosen = Readonly<Record<string, ConflictSide>>;

export function WholeFileChoices({ merge: { kind, whole } }: { readonly merge: UnfinishedMerge }) {
  const { client, remote, refresh, announce } = useEditor();
  const { state: chosen, keep } = usePersistedState<Chosen>('whole files', {});
  const [problem, setProblem] = useState('');
  const [yours, theirs] = versionLabelsFor({ kind: kind === 'unmerged' ? 'stash' : kind, names: ['', ''] });
  const isReady = whole.every(({ version }) => chosen[version]) && remote.busy === '';
  const save = async () => {
    setProblem('');
    try {
      for (const { path, version } of whole) await client.keepSide({ path, version, side: chosen[version]! });
      keep({});
      announce('Saved.');
    } catch (error) {
      setProblem(errorMessage(error));
    }
    remote.reread();
    refresh();
  };
  return (
    <section class="conflict stack" aria-label="Versions to choose from">
      {whole.map((file) => (
        <ConflictChoice
          key={file.path}
          name={file.path}
          label={file.title}
          shown={(side) => <ShownSide file={file} side={side} />}
          words={{ yours: yours.name, theirs: theirs.name }}
          chosen={chosen[file.version]}
          choose={(side) => keep({ ...chosen, [file.version]: side })}
        />
      ))}
      <p class="dialog-actions flow">
        <Button look="primary" aria-disabled={!isReady} onClick={() => isReady && void save()}>
          Save these
        </Button>
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

const PHOTO = /\.(?:jpe?g|png|webp|avif|gif|tiff?|hei[cf])$/i;

function ShownSide({ file, side }: { readonly file: WholeFileChoice; readonly side: ConflictSide }) {
  const { catalogue } = useEditor();
  const { path, version } = file;
  const isPhoto = PHOTO.test(path);
  const what = isPhoto ? 'photo' : /\.ya?ml$/.test(path) ? 'property' : 'file';
  const fields = file[side];
  if (fields === null) return <>Remove this {what}</>;
  const lines = Object.entries(fields).map(([name, value]) => {
    const info: Partial<FieldInfo> = catalogue.fields.find((field) => field.name === name) ?? {};
    return `${info.label ?? name}: ${cutText(displayValue(value, info, catalogue), MAX_SHOWN_CHARACTERS)}`;
  });
  const isOnly = file.yours === null || file.theirs === null;
  return (
    <>
      {[...(isOnly ? [`Keep this ${what}`] : []), ...lines].join('\n')}
      {isPhoto && (
        <img
          class="version-photo"
          src={`${EDIT_API_PATH}photo?${new URLSearchParams({ path, side, version })}`}
          alt={file.title}
        />
      )}
    </>
  );
}
