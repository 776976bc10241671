import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { Dialog } from '../explorer/dialog.tsx';
import { CopyIcon } from '../explorer/icons.tsx';
import { countText } from '../text/amounts.ts';
import type { RemoveResponse } from './api.ts';
import { errorMessage } from './client.ts';
import { useEditor } from './editing-context.ts';
import { toRequestFailure } from './editing-state.ts';
import { useForm } from './form-context.ts';
import { BinIcon, EditIcon } from './icons.tsx';
import type { PropertyState } from './property-state.ts';
import type { EditorView } from './url-state.ts';

type PropertyActionsProps = {
  readonly path: string;
  readonly title: string;
  readonly state: Pick<PropertyState, 'write' | 'reread'>;
  readonly save: () => Promise<boolean>;
};

type Asked =
  | { readonly kind: 'copy' | 'rename' }
  /** `version`: version of the file that the user agrees to remove. */
  | { readonly kind: 'remove'; readonly photos: RemoveResponse; readonly version: string };

export function PropertyActions(props: PropertyActionsProps) {
  const { title } = props;
  const actions = useActions(props);
  const { asked, ask, close, problem, copy, rename, remove } = actions;
  return (
    <>
      <Button onClick={() => ask({ kind: 'copy' })}>
        <CopyIcon />
        Copy
      </Button>
      <Button onClick={() => ask({ kind: 'rename' })}>
        <EditIcon />
        Rename the file
      </Button>
      <Button look="danger" onClick={actions.rehearse}>
        <BinIcon />
        Remove
      </Button>
      {problem && !asked && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
      {asked && (
        <Dialog label={`${TITLES[asked.kind]} ${title}`} className="dialog" close={close}>
          {asked.kind === 'copy' && <CopyForm title={title} copy={copy} close={close} />}
          {asked.kind === 'rename' && <RenameQuestion rename={rename} close={close} />}
          {asked.kind === 'remove' && (
            <RemoveQuestion
              title={title}
              photos={asked.photos}
              remove={() => remove(asked.version)}
              close={close}
            />
          )}
          {problem && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
        </Dialog>
      )}
    </>
  );
}

function useActions({ path, title, state, save }: PropertyActionsProps) {
  const { client, go, announce, guard, offerRestore } = useEditor();
  const { latestState } = useForm();
  const [asked, ask] = useState<Asked>();
  const [problem, setProblem] = useState('');
  const close = () => {
    ask(undefined);
    setProblem('');
  };
  /** Acts on the version in the form, so that newer changes are never overwritten unseen. */
  const attempt = async (act: (version: string) => Promise<void>): Promise<void> => {
    setProblem('');
    await act(latestState().saved?.version ?? '').catch((error: unknown) => {
      if (toRequestFailure(error).code !== 'changed-meanwhile') return setProblem(errorMessage(error));
      ask(undefined);
      setProblem(CHANGED);
      return state.reread();
    });
  };
  const attemptSaved = async (act: (version: string) => Promise<void>) => {
    if (await save()) await attempt(act);
    else setProblem('Something here is not saved yet. Save it first.');
  };
  const done = (words: string, view?: EditorView) => {
    close();
    announce(words);
    if (view) go(view);
  };
  return {
    asked,
    ask,
    close,
    problem,
    rehearse: () =>
      attempt(async (version) => {
        const photos = await client.remove({ path, version, isRehearsal: true });
        ask({ kind: 'remove', photos, version });
      }),
    copy: (name: string) =>
      attemptSaved(async (version) => {
        const made = await client.copy({ path, version, title: name });
        done(`${name} is there.`, { kind: 'property', path: made.path });
      }),
    rename: () =>
      attemptSaved(async () => {
        const isRenamed = await state.write(({ path, version }) => client.rename({ path, version }));
        if (isRenamed) done('The file has its new name.');
        else close();
      }),
    remove: (version: string) =>
      attempt(async () => {
        await client.remove({ path, version });
        guard.current = undefined;
        offerRestore({ path, title });
        done(`${title} is removed.`, { kind: 'list' });
      }),
  };
}

const CHANGED =
  'This property was saved meanwhile, by another tab, a colleague or a program. Nothing was done: look at the new version first.';

const TITLES = { copy: 'Copy', rename: 'Rename the file of', remove: 'Remove' } as const;

type CopyFormProps = {
  readonly title: string;
  readonly copy: (title: string) => void;
  readonly close: () => void;
};

function CopyForm({ title, copy, close }: CopyFormProps) {
  const [name, setName] = useState(`${title} (copy)`);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) copy(name.trim());
      }}
    >
      <h2>Copy this property</h2>
      <p>Everything in the copy is as in the original: change what differs.</p>
      <div class="field">
        <label for="copy-title">Title of the copy</label>
        <input
          id="copy-title"
          type="text"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <p class="dialog-actions flow">
        <Button type="submit" look="primary">
          Make a copy
        </Button>
        <Button onClick={close}>Cancel</Button>
      </p>
    </form>
  );
}

function RenameQuestion({ rename, close }: { rename: () => void; close: () => void }) {
  return (
    <>
      <h2>Rename the file?</h2>
      <p>
        The file is named after the title, city and country as they are now. The property's page keeps its
        address.
      </p>
      <p class="dialog-actions flow">
        <Button look="primary" onClick={rename}>
          Rename
        </Button>
        <Button onClick={close}>Cancel</Button>
      </p>
    </>
  );
}

type RemoveQuestionProps = {
  readonly title: string;
  readonly photos: RemoveResponse;
  readonly remove: () => void;
  readonly close: () => void;
};

function RemoveQuestion({ title, photos: { photos, kept }, remove, close }: RemoveQuestionProps) {
  return (
    <>
      <h2>Remove {title}?</h2>
      <p>
        Guests do not find it after the next publication. “Undo” in the list brings it back, and in “Changes”
        until it is recorded.
      </p>
      <p>
        {photos.length > 0
          ? `${countText(photos.length, 'photo')} ${photos.length === 1 ? 'goes' : 'go'} with it, since nothing else uses ${photos.length === 1 ? 'it' : 'them'}.`
          : 'No photo goes with it.'}
        {kept.length > 0 &&
          ` ${countText(kept.length, 'photo')} ${kept.length === 1 ? 'stays' : 'stay'}: other properties use them.`}
      </p>
      <p class="dialog-actions flow">
        <Button look="danger filled" onClick={remove}>
          {photos.length > 0 ? `Remove it and ${countText(photos.length, 'photo')}` : 'Remove it'}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </p>
    </>
  );
}
