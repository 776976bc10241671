/**
 * On Linux, watches directories one by one, because Node's recursive watch opens a watch for each file: 7 s of
 * processor time and 200 MB for 100,000 properties.
 */
import { type FSWatcher, lstatSync, readdirSync, readlinkSync, watch } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { EnvironmentError } from '../../errors/errors.ts';
import { isHidden } from '../../source/content-path.ts';

export type Watch = { readonly close: () => void };

/** `path`: a changed, new or removed file; a folder if any of its files may have changed; empty for all content. */
type Report = (path: string) => void;

/** Milliseconds until the next attempt to watch a missing folder. */
const MISSING_RETRY = 500;

/**
 * Follows links on the way to the content folder, but none inside of it: they may form a cycle.
 * @param content absolute path
 * @throws EnvironmentError `too-many-watches`
 */
export function watchContent(content: string, onChange: Report): Watch {
  // Hidden files, such as swap files and version-control folders, change all the time.
  const report: Report = (path) => !isHidden(path) && onChange(path);
  const watchAll = process.platform === 'linux' ? watchDirectories : watchTree;
  const open: Watch[] = [];
  let retry: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(retry);
    for (const one of open.splice(0)) one.close();
  };
  const start = () => {
    for (const way of waysTo(content)) open.push(watchEntry(way, restart));
    open.push(watchAll(content, report));
  };
  /** Watches again after the folder, or a link on the way to it, was replaced. */
  const restart = () => {
    close();
    try {
      start();
    } catch (error) {
      // If the system allows no more watches, later builds find the changes.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') retry = setTimeout(restart, MISSING_RETRY);
    }
    report('');
  };
  try {
    start();
  } catch (error) {
    close();
    throw explained(error, content);
  }
  return { close };
}

function watchEntry(path: string, onChange: () => void): Watch {
  const above = watch(dirname(path), (event, name) => {
    if (event === 'rename' && name === basename(path)) onChange();
  });
  above.on('error', () => {});
  return above;
}

/** Yields a path and the symbolic links on the way to it: replacing one changes where the path leads. */
function* waysTo(path: string, seen = new Set<string>()): Generator<string> {
  yield path;
  for (let way = path; dirname(way) !== way; way = dirname(way)) {
    if (seen.has(way)) continue;
    seen.add(way);
    if (!lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    if (way !== path) yield way;
    yield* waysTo(resolve(dirname(way), readlinkSync(way)), seen);
  }
}

function watchTree(content: string, report: Report): Watch {
  const tree = watch(content, { recursive: true }, (_event, name) => report(pathOf('', name ?? '')));
  tree.on('error', () => {});
  return { close: () => tree.close() };
}

function watchDirectories(content: string, report: Report): Watch {
  const watches = new Map<string, FSWatcher>();
  const open = (path: string): void => {
    const own = watch(join(content, path), (event, name) => {
      const changed = pathOf(path, name ?? '');
      report(changed);
      if (event === 'rename') follow(changed);
    });
    // When a directory is deleted, its watch ends. The watch of its parent reports the deletion.
    own.on('error', () => own.close());
    watches.set(path, own);
    // Read after the watch started, so that nothing is missed in between.
    for (const entry of readdirSync(join(content, path), { withFileTypes: true }))
      if (entry.isDirectory() && !isHidden(entry.name)) open(pathOf(path, entry.name));
  };
  const close = (path: string) => {
    for (const [known, own] of watches) {
      if (path !== '' && known !== path && !known.startsWith(`${path}/`)) continue;
      own.close();
      watches.delete(known);
    }
  };
  /** Watches a new directory, which may have replaced another one of the same name. */
  const follow = (path: string) => {
    const isDirectory = lstatSync(join(content, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isHidden(path) || !(isDirectory || watches.has(path))) return;
    close(path);
    try {
      if (isDirectory) open(path);
    } catch {
      // The directory is deleted again, or the system allows no more watches. Later builds find the changes.
    }
  };
  try {
    open('');
  } catch (error) {
    close('');
    throw error;
  }
  return { close: () => close('') };
}

function pathOf(folder: string, name: string): string {
  const inner = name.split(sep).join('/');
  return folder === '' ? inner : `${folder}/${inner}`;
}

function explained(error: unknown, content: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EMFILE') return error;
  return new EnvironmentError(
    'too-many-watches',
    `The system does not let this process watch all directories of ${content}. Raise the limit: sysctl fs.inotify.max_user_watches=1000000.`,
    { cause: error },
  );
}
