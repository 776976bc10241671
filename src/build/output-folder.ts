/** Where a build writes: the folders of `dist`. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isInside } from '../source/content-path.ts';

/** Absolute paths below an output folder. */
export type OutputFolder = {
  readonly root: string;
  /** Uploaded as it is. */
  readonly public: string;
  /** What the next build needs to know; never uploaded. */
  readonly state: string;
  /** Held while a build runs. */
  readonly lock: string;
  /** Details on their way; empty between builds. */
  readonly staging: string;
  /** Finished photos and thumbnails; may be kept between machines. */
  readonly mediaCache: string;
  /** JSON Schema of the property files, for editors; never uploaded. */
  readonly schema: string;
  /** One folder per serving target. */
  readonly edge: string;
};

/** The folders of an output folder. */
export function outputFolder(out: string): OutputFolder {
  const root = resolve(out);
  return {
    root,
    public: join(root, 'public'),
    state: join(root, 'state'),
    lock: join(root, 'lock'),
    staging: join(root, 'staging'),
    mediaCache: join(root, 'cache', 'media'),
    schema: join(root, 'property.schema.json'),
    edge: join(root, 'edge'),
  };
}

/**
 * The folders of a preview, below the output folder: nothing publishes them. Images are cached together with those of the
 * output folder.
 */
export function previewFolder(out: string): OutputFolder {
  return { ...outputFolder(join(out, 'dev')), mediaCache: outputFolder(out).mediaCache };
}

/**
 * Refuses an output folder inside the content folder, whose files the next build would read, and a content folder inside
 * the output, whatever links lead there.
 *
 * @throws UsageError `overlapping-folders`.
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

/** The path without links; of a folder that is not there, that of the nearest one above it which is. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
