import { watch } from 'node:fs';
import type { Watch } from '../session/watch.ts';
import { git } from './git.ts';

/** Files that Git writes during a commit, merge, checkout or rebase, and their locks. */
const STATE = /^(?!FETCH)(?:[A-Z_]*HEAD|index|rebase-\w+)(?:\.lock)?$/;
/** Milliseconds without a change until Git counts as finished. */
const PAUSE = 150;

/** Reports operations of Git, even if they change no content file. Without a repository, it reports nothing. */
export async function watchRepository(content: string, onChange: () => void): Promise<Watch> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const folder = (await git(content, ['rev-parse', '--absolute-git-dir'])).trim();
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && !STATE.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, PAUSE);
    });
    watcher.on('error', () => watcher.close());
    return {
      close() {
        clearTimeout(timer);
        watcher.close();
      },
    };
  } catch {
    return { close: () => {} };
  }
}
