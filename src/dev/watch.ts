/** Watches a content folder. */
import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { EnvironmentError } from '../errors.ts';
import { isHidden } from '../source/content-path.ts';

export type Watch = { readonly close: () => Promise<void> };

/**
 * Starts a watch; it is complete when the promise resolves.
 *
 * @param content absolute path of the content folder.
 * @param onChange called with each path that changed, came or went, relative to the content folder, with `/`.
 * @throws EnvironmentError `too-many-watches` when the system does not let us watch so many files.
 */
export async function watchContent(content: string, onChange: (path: string) => void): Promise<Watch> {
  const inside = (path: string) => relative(content, path).split(sep).join('/');
  const watcher = watch(content, {
    ignoreInitial: true,
    // A link may lead to a folder that contains the content; changes behind a link are found by the next build.
    followSymlinks: false,
    // Swap files and version-control folders change all the time.
    ignored: (path) => isHidden(inside(path)),
  });
  watcher.on('all', (_event, path) => onChange(inside(path)));
  await new Promise<void>((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.on('error', (error) => reject(explained(error, content)));
  });
  return { close: () => watcher.close() };
}

function explained(error: unknown, content: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EMFILE') return error;
  return new EnvironmentError(
    'too-many-watches',
    `The system does not let this process watch all files of ${content}. Raise the limit: sysctl fs.inotify.max_user_watches=1000000.`,
    { cause: error },
  );
}
