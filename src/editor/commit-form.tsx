import { useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { CheckIcon } from '../explorer/icons.tsx';
import { countText } from '../text/amounts.ts';
import { type ChangedFile, type ChangesResponse, type CommitResponse, commitMessageFor } from './changes.ts';
import { errorMessage } from './client.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { BranchIcon } from './icons.tsx';
import { usePersistedState } from './kept-state.ts';

/** `message`: undefined if the user did not change the suggested one. */
type TypedRecord = { readonly message?: string; readonly branch?: string };

type CommitFormProps = {
  readonly changes: ChangesResponse;
  readonly files: readonly ChangedFile[];
  readonly count: number;
  readonly setDone: (done: CommitResponse) => void;
  readonly setProblem: (problem: string) => void;
};

export function CommitForm({ changes, files, count, setDone, setProblem }: CommitFormProps) {
  const { git } = changes;
  const suggested = git.merge ? changes.message : commitMessageFor(files);
  const { state: typed, isKept, keep } = usePersistedState<TypedRecord>('record', {});
  const type = (next: TypedRecord) =>
    keep({
      ...(next.message !== undefined && next.message !== suggested && { message: next.message }),
      ...(next.branch && { branch: next.branch }),
    });
  const { message = suggested, branch = '' } = typed;
  const { isBusy, commit } = useCommit((done) => {
    type({});
    setDone(done);
  }, setProblem);
  const isHeld = git.merge?.isReady === false;
  const faulty = files.filter(({ newErrors }) => newErrors > 0);
  const isReady =
    git.obstacle === null &&
    (files.length > 0 || git.merge?.kind === 'merge') &&
    faulty.length === 0 &&
    message.trim() !== '' &&
    !isBusy;
  return (
    <form
      class="commit panel stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void commit(message, git.merge ? '' : branch, files);
      }}
    >
      <h2>Record {countText(count, 'change')}</h2>
      <p class="quiet">A record is a step of the work. Your colleagues get it when you send it.</p>
      <div class="field">
        <label for="commit-message">What was changed, and why</label>
        <textarea
          id="commit-message"
          rows={4}
          value={message}
          onInput={({ currentTarget: { value } }) => type({ ...typed, message: value })}
        />
        {isKept && typed.message !== undefined && <KeptNote startAgain={() => type({ branch })} />}
      </div>
      {!git.merge && (
        <div class="field">
          <label for="commit-branch">Keep apart, under a name (optional)</label>
          <input
            id="commit-branch"
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder="Such as spring-prices"
            value={branch}
            aria-describedby="commit-branch-help"
            onInput={({ currentTarget: { value } }) => type({ ...typed, branch: value })}
          />
          {isKept && branch !== '' && <KeptNote startAgain={() => type({ ...typed, branch: '' })} />}
          <p class="quiet help" id="commit-branch-help">
            With a name, a colleague can look at the changes before they join the others.
          </p>
        </div>
      )}
      <p class="quiet beside">
        <BranchIcon />
        {[(!git.merge && branch.trim()) || git.branch, git.author].filter(Boolean).join(', by ')}
      </p>
      {git.obstacle && (
        <p class="problem">{isHeld ? 'What is not finished comes first: see above.' : git.obstacle}</p>
      )}
      {git.branch === null && !git.merge && branch.trim() === '' && (
        <p class="problem">
          An earlier state of the catalogue is open, so this record would be left behind. Write a name above.
        </p>
      )}
      {!isHeld && <FaultyFiles files={faulty} isMerging={git.merge !== null} />}
      <Button type="submit" look="primary" aria-disabled={!isReady}>
        <CheckIcon />
        {isBusy ? 'Recording …' : 'Record'}
      </Button>
    </form>
  );
}

function KeptNote({ startAgain }: { readonly startAgain: () => void }) {
  return (
    <p class="quiet help flow">
      You wrote this earlier, and did not record it.
      <Button look="small" onClick={startAgain}>
        Start again
      </Button>
    </p>
  );
}

type FaultyFilesProps = { readonly files: readonly ChangedFile[]; readonly isMerging: boolean };

function FaultyFiles({ files, isMerging }: FaultyFilesProps) {
  const editor = useEditor();
  if (files.length === 0) return null;
  return (
    <div class="problem">
      <p>
        Recorded like this, nothing new of the whole catalogue could be published. Fix these
        {isMerging ? '' : ', take them back, or leave them out'}:
      </p>
      <ul class="stack tight">
        {files.map(({ path, title, newErrors }) => (
          <li key={path}>
            <a {...editorLinkProps(editor, { kind: 'property', path })}>{title}</a>:{' '}
            {countText(newErrors, 'error')}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useCommit(setDone: CommitFormProps['setDone'], setProblem: CommitFormProps['setProblem']) {
  const { client, announce, withdrawRestore } = useEditor();
  const [isBusy, setBusy] = useState(false);
  const commit = async (message: string, branch: string, files: readonly ChangedFile[]) => {
    setBusy(true);
    setProblem('');
    try {
      const list = files.map(({ path, version }) => ({ path, version }));
      const name = branch.trim();
      const done = await client.commit({
        message: message.trim(),
        files: list,
        ...(name && { branch: name }),
      });
      for (const { path } of files) withdrawRestore(path);
      announce(`Recorded as ${done.commit}.`);
      setDone(done);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, commit };
}
