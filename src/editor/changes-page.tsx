import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { FileRow } from './changed-file-row.tsx';
import { type ChangedFile, type ChangesResponse, type CommitResponse, chosenFiles } from './changes.ts';
import { coalesceCalls, errorMessage } from './client.ts';
import { CommitForm } from './commit-form.tsx';
import { useEditor } from './editing-context.ts';
import { RemotePanel } from './remote-panel.tsx';

export function ChangesPage() {
  const { client, changeCount, catalogue, refresh, remote } = useEditor();
  const [changes, setChanges] = useState<ChangesResponse>();
  const [unread, setUnread] = useState('');
  const [problem, setProblem] = useState('');
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<CommitResponse>();
  useEffect(() => {
    document.title = `Changes · ${catalogue.title}`;
  }, []);
  const load = useMemo(
    () =>
      coalesceCalls(async () => {
        try {
          setChanges(await client.changes());
          setUnread('');
        } catch (error) {
          setUnread(errorMessage(error));
        }
      }),
    [client],
  );
  useEffect(() => {
    if (!done) return;
    refresh();
    remote.reread();
  }, [done]);
  // Also reloads when the remote state changes: a commit, merge or checkout ends after the last event about its files.
  useEffect(() => void load(), [changeCount, done, remote.state, problem]);
  const isLoaded = changes && remote.state !== undefined;
  const isSent = remote.state?.remote != null && remote.state.unsent === 0;
  const files = changes?.files ?? [];
  const locked = lockedPaths(changes);
  const left = new Set([...leftOut].filter((path) => !locked.has(path)));
  const chosen = chosenFiles(files, left);
  const goAlong = new Set(files.flatMap(({ photos }) => photos));
  const shown = files.filter(({ path }) => !goAlong.has(path));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const shared = sharedTitles(files);
  return (
    <div class="stack loose">
      <h1 tabIndex={-1}>Changes</h1>
      {(problem || unread) && (
        <p class="notice failure" role="alert">
          {problem || unread}
        </p>
      )}
      {done && !isSent && <Committed done={done} />}
      {!isLoaded && !unread && <p class="quiet">Loading …</p>}
      {isLoaded && <RemotePanel changed={shown.length} />}
      {isLoaded && changes.files.length === 0 && !done && !changes.git.merge && (
        <div class="notice">
          <h2>Nothing has changed since the last record</h2>
          <p>What you save in a property is listed here.</p>
        </div>
      )}
      {isLoaded && (changes.files.length > 0 || changes.git.merge) && (
        <div class="changes-body">
          <div class="stack loose">
            {LISTS.map(({ title, has }) => (
              <FileList key={title} title={title} files={shown.filter(has)}>
                {(file) => (
                  <FileRow
                    key={file.path}
                    file={file}
                    isChosen={!left.has(file.path)}
                    isLocked={locked.has(file.path)}
                    isTitleShared={shared.has(file.title)}
                    photos={file.photos.flatMap((path) => byPath.get(path) ?? [])}
                    toggle={() => setLeftOut(toggled(leftOut, file.path))}
                    reload={() => void load()}
                  />
                )}
              </FileList>
            ))}
          </div>
          <CommitForm
            changes={changes}
            files={chosen}
            count={chosen.filter(({ path }) => !goAlong.has(path)).length}
            setDone={setDone}
            setProblem={setProblem}
          />
        </div>
      )}
    </div>
  );
}

/** Paths of the files that an unfinished merge changed. The user must commit all of them together. */
function lockedPaths(changes: ChangesResponse | undefined): ReadonlySet<string> {
  const merging = changes?.git.merge ? changes.files.filter(({ isMerging }) => isMerging) : [];
  return new Set(merging.map(({ path }) => path));
}

function toggled(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  return paths.has(path) ? new Set([...paths].filter((one) => one !== path)) : new Set([...paths, path]);
}

function sharedTitles(files: readonly ChangedFile[]): ReadonlySet<string> {
  const [seen, shared] = [new Set<string>(), new Set<string>()];
  for (const { title } of files) (seen.has(title) ? shared : seen).add(title);
  return shared;
}

function Committed({ done: { commit, branch } }: { done: CommitResponse }) {
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
        , on this computer. The steps below lead them to your colleagues and guests.
      </p>
    </div>
  );
}

const LISTS: readonly { readonly title: string; readonly has: (file: ChangedFile) => boolean }[] = [
  { title: 'Changed', has: ({ kind }) => kind !== 'removed' },
  { title: 'Removed', has: ({ kind }) => kind === 'removed' },
];

type FileListProps = {
  readonly title: string;
  readonly files: readonly ChangedFile[];
  readonly children: (file: ChangedFile) => ComponentChildren;
};

function FileList({ title, files, children }: FileListProps) {
  if (files.length === 0) return null;
  return (
    <section class="stack" aria-label={title}>
      {title === 'Removed' && <h2>{title}, until it is recorded</h2>}
      <ul class="stack" aria-label={`${title} files`}>
        {files.map(children)}
      </ul>
    </section>
  );
}
