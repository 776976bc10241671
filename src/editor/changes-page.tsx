/** The view of the changes since the last commit, with the form that commits them. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { plural } from '../words.ts';
import { type ChangedFile, type ChangesAnswer, type CommitAnswer, chosenFiles } from './changes.ts';
import { messageOf, oneAtATime } from './client.ts';
import { CommitForm } from './commit-form.tsx';
import { useEditor, viewLink } from './editing-context.ts';
import { LineChanges } from './line-changes.tsx';
import { textInWords } from './value-words.ts';

export function ChangesPage() {
  const { client, changeCount, catalogue, refresh } = useEditor();
  const [changes, setChanges] = useState<ChangesAnswer>();
  const [problem, setProblem] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<CommitAnswer>();
  useEffect(() => {
    document.title = `Changes · ${catalogue.title}`;
  }, []);
  const load = useMemo(
    () => oneAtATime(() => client.changes().then(setChanges, (error) => setProblem(messageOf(error)))),
    [client],
  );
  useEffect(() => {
    if (done) refresh();
    void load();
  }, [changeCount, done]);
  const files = changes?.files ?? [];
  const chosen = chosenFiles(files, left);
  const goAlong = new Set(files.flatMap(({ photos }) => photos));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const toggle = (path: string) =>
    setLeft(left.has(path) ? new Set([...left].filter((one) => one !== path)) : new Set([...left, path]));
  return (
    <div class="stack loose">
      <h1 tabIndex={-1}>Changes</h1>
      {problem && (
        <div class="notice failure" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {done && <Committed done={done} />}
      {changes && changes.files.length === 0 && !done && (
        <div class="notice">
          <h2>Nothing has changed since the last record</h2>
          <p>What you save in a property is listed here.</p>
        </div>
      )}
      {changes && changes.files.length > 0 && (
        <div class="changes-body">
          <ul class="stack" aria-label="Changed files">
            {files
              .filter(({ path }) => !goAlong.has(path))
              .map((file) => (
                <FileRow
                  key={file.path}
                  file={file}
                  isChosen={!left.has(file.path)}
                  photos={file.photos.flatMap((path) => byPath.get(path) ?? [])}
                  toggle={() => toggle(file.path)}
                />
              ))}
          </ul>
          <CommitForm changes={changes} files={chosen} setDone={setDone} setProblem={setProblem} />
        </div>
      )}
    </div>
  );
}

/** Shows the record just made, and the next step. */
function Committed({ done: { commit, branch } }: { done: CommitAnswer }) {
  return (
    <div class="notice" role="status">
      <h2>Recorded</h2>
      <p>
        The changes are recorded as <code>{commit}</code>
        {branch && (
          <>
            {' '}
            in <code>{branch}</code>
          </>
        )}
        , on this computer. Ask the colleague who publishes to send them on.
      </p>
    </div>
  );
}

const KINDS = { added: 'New', changed: 'Changed', removed: 'Removed' } as const;

type FileRowProps = {
  readonly file: ChangedFile;
  /** Changed photos that go with it. */
  readonly photos: readonly ChangedFile[];
  readonly isChosen: boolean;
  readonly toggle: () => void;
};

function FileRow({ file, photos, isChosen, toggle }: FileRowProps) {
  const editor = useEditor();
  const { path, kind, title, errors, fields, lines } = file;
  const isProperty = /\.ya?ml$/.test(path) && kind !== 'removed' && !path.endsWith('catalogue.yaml');
  return (
    <li class="changed-file panel stack">
      <div class="flow">
        <label class="check beside">
          <input type="checkbox" checked={isChosen} onChange={toggle} aria-label={`Record ${title}`} />
        </label>
        <h2>{isProperty ? <a {...viewLink(editor, { kind: 'property', path })}>{title}</a> : title}</h2>
        <span class={`badge ${kind}`}>{KINDS[kind]}</span>
        {errors > 0 && <span class="badge error">{plural(errors, 'error')}</span>}
      </div>
      {title !== path && (
        <p class="quiet">
          <code>{path}</code>
        </p>
      )}
      {photos.length > 0 && (
        <details class="raw-json">
          <summary>With {plural(photos.length, 'photo')}</summary>
          <ul class="stack tight">
            {photos.map(({ path, kind }) => (
              <li key={path} class="flow">
                <code>{path}</code> <span class={`badge ${kind}`}>{KINDS[kind]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {fields.length > 0 && (
        <dl class="field-changes stack">
          {fields.map(({ label, field, before, after }, index) => (
            <div key={index}>
              <dt>{label}</dt>
              <dd>
                {before !== undefined && <del>{textInWords(field, before)}</del>}
                {before !== undefined && after !== undefined && <span class="unseen"> became </span>}
                {after !== undefined && <ins>{textInWords(field, after)}</ins>}
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
