/** Where a build writes: the folders of `dist` (architecture, "What is on disk"). */
import { join, resolve } from 'node:path';

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
