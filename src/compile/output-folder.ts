import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { isInside } from '../source/content-path.ts';

export type OutputFolder = {
  readonly root: string;
  /** Published files, uploaded unchanged. */
  readonly public: string;
  /** State for the next build; never uploaded. */
  readonly state: string;
  readonly journal: string;
  readonly lock: string;
  /** Temporary files; each build removes the folder at its end. */
  readonly staging: string;
  /** Finished photos and thumbnails. Can be copied to other machines. */
  readonly mediaCache: string;
  /** Target configurations, in one folder per target. */
  readonly edge: string;
};

export function outputFolder(out: string): OutputFolder {
  const root = resolve(out);
  return {
    root,
    public: join(root, 'public'),
    state: join(root, 'state'),
    journal: join(root, 'journal'),
    lock: join(root, 'lock'),
    staging: join(root, 'staging'),
    mediaCache: join(root, 'cache', 'media'),
    edge: join(root, 'edge'),
  };
}

export function devFolder(out: string): OutputFolder {
  return { ...outputFolder(join(out, 'dev')), mediaCache: outputFolder(out).mediaCache };
}

/**
 * Resolves links first.
 * @throws UsageError `overlapping-folders` if the folders are the same or one is inside the other: a build would read
 * its own output
 */
export function refuseOverlap(content: string, out: string): void {
  const [source, target] = [realPath(content), realPath(out)];
  if (isInside(source, target))
    throw overlapping(`The output folder ${out} is inside the content folder ${content}`);
  if (isInside(target, source))
    throw overlapping(`The content folder ${content} is inside the output folder ${out}`);
}

function overlapping(what: string): UsageError {
  return new UsageError(
    'overlapping-folders',
    `${what}: a build would read what another one wrote. Choose an output folder beside it with --out.`,
  );
}

/** If the path does not exist, resolves its nearest existing parent. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
