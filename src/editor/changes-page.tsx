/** What changed since the last commit, and the commit. */
import { useEffect, useState } from 'preact/hooks';
import { CheckIcon } from '../explorer/icons.tsx';
import { counted } from '../explorer/words.ts';
import type { ChangedFile, ChangesAnswer, CommitAnswer } from './changes.ts';
import { messageOf } from './client.ts';
import { linkTo, useEditor } from './editing-context.ts';
import { BranchIcon } from './icons.tsx';
import { LineChanges } from './line-changes.tsx';
import { editorQuery } from './view.ts';

/** The changes. */
export function ChangesPage() {
  const { client, pulse, catalogue } = useEditor();
  const [changes, setChanges] = useState<ChangesAnswer>();
  const [problem, setProblem] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<CommitAnswer>();
  useEffect(() => {
    document.title = `Changes · ${catalogue.title}`;
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    client.changes(leaving.signal).then(setChanges, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(messageOf(error));
    });
    return () => leaving.abort();
  }, [pulse, done]);
  const chosen = (changes?.files ?? []).filter(({ path }) => !left.has(path));
  const toggle = (path: string) =>
    setLeft(left.has(path) ? new Set([...left].filter((one) => one !== path)) : new Set([...left, path]));
  return (
    <div class="changes">
      <h1 tabIndex={-1}>Changes</h1>
      {problem && (
        <div class="notice failure" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {done && (
        <div class="notice" role="status">
          <h2>Committed</h2>
          <p>
            The changes are commit <code>{done.commit}</code>
            {done.branch && (
              <>
                {' '}
                on the branch <code>{done.branch}</code>
              </>
            )}
            . They are on this computer: push the branch with the git that you use, or ask the one who does.
          </p>
        </div>
      )}
      {changes && changes.files.length === 0 && !done && (
        <div class="notice">
          <h2>Nothing changed since the last commit</h2>
          <p>What you save in a property is listed here.</p>
        </div>
      )}
      {changes && changes.files.length > 0 && (
        <div class="changes-body">
          <ul class="changed-files" aria-label="Changed files">
            {changes.files.map((file) => (
              <FileRow
                key={file.path}
                file={file}
                isChosen={!left.has(file.path)}
                toggle={() => toggle(file.path)}
              />
            ))}
          </ul>
          <CommitForm
            key={changes.message}
            changes={changes}
            files={chosen}
            setDone={setDone}
            setProblem={setProblem}
          />
        </div>
      )}
    </div>
  );
}

const KINDS = { added: 'New', changed: 'Changed', removed: 'Removed' } as const;

type FileRowProps = { readonly file: ChangedFile; readonly isChosen: boolean; readonly toggle: () => void };

function FileRow({ file, isChosen, toggle }: FileRowProps) {
  const editor = useEditor();
  const { path, kind, title, errors, fields, lines } = file;
  const isProperty = /\.ya?ml$/.test(path) && kind !== 'removed' && !path.endsWith('catalogue.yaml');
  const view = { kind: 'property', path } as const;
  return (
    <li class="changed-file">
      <div class="changed-head">
        <label class="check">
          <input type="checkbox" checked={isChosen} onChange={toggle} aria-label={`Commit ${title}`} />
        </label>
        <h2>{isProperty ? <a {...linkTo(editor, view, editorQuery(view))}>{title}</a> : title}</h2>
        <span class={`badge ${kind}`}>{KINDS[kind]}</span>
        {errors > 0 && <span class="badge error">{counted(errors, 'error', 'errors')}</span>}
      </div>
      {title !== path && (
        <p class="quiet">
          <code>{path}</code>
        </p>
      )}
      {fields.length > 0 && (
        <dl class="field-changes">
          {fields.map(({ label, before, after }, index) => (
            <div key={index}>
              <dt>{label}</dt>
              <dd>
                {before !== undefined && <del>{before}</del>}
                {before !== undefined && after !== undefined && <span class="unseen"> became </span>}
                {after !== undefined && <ins>{after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {lines && lines.length > 0 && (
        <details class="raw-json">
          <summary>Lines</summary>
          <LineChanges lines={lines} />
        </details>
      )}
    </li>
  );
}

type CommitFormProps = {
  readonly changes: ChangesAnswer;
  readonly files: readonly ChangedFile[];
  readonly setDone: (done: CommitAnswer) => void;
  readonly setProblem: (problem: string) => void;
};

function CommitForm({ changes: { git, message: proposed }, files, setDone, setProblem }: CommitFormProps) {
  const { client, announce } = useEditor();
  const [message, setMessage] = useState(proposed);
  const [branch, setBranch] = useState('');
  const [isBusy, setBusy] = useState(false);
  const obstacle =
    git.obstacle ??
    (git.author === null
      ? 'Git does not know who you are. Run: git config --global user.name "Your name", and the same with user.email.'
      : null);
  const errors = files.reduce((sum, file) => sum + file.errors, 0);
  const isReady = obstacle === null && files.length > 0 && message.trim() !== '' && !isBusy;
  const commit = async () => {
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
      announce(`Committed as ${done.commit}.`);
      setDone(done);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="commit"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void commit();
      }}
    >
      <h2>Commit {counted(files.length, 'file', 'files')}</h2>
      <div class="field">
        <label for="commit-message">What was changed, and why</label>
        <textarea
          id="commit-message"
          rows={4}
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="commit-branch">New branch (optional)</label>
        <input
          id="commit-branch"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={git.branch ?? ''}
          value={branch}
          onInput={(event) => setBranch(event.currentTarget.value)}
        />
      </div>
      <p class="quiet commit-where">
        <BranchIcon />
        {branch.trim() || git.branch || 'No branch'}
        {git.author && `, as ${git.author}`}
      </p>
      {obstacle && <p class="problem">{obstacle}</p>}
      {errors > 0 && (
        <p class="problem">
          {counted(errors, 'error keeps', 'errors keep')} these properties from being published.
        </p>
      )}
      <button type="submit" class="button primary" aria-disabled={!isReady}>
        <CheckIcon />
        {isBusy ? 'Committing …' : 'Commit'}
      </button>
    </form>
  );
}
