import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outputFolder } from '../compile/output-folder.ts';
import type { Changes } from '../contract/document-schemas.ts';
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { makePublicFolder } from '../files/files-and-folders.ts';
import { FILE_MODE, rememberUmask } from '../files/published-modes.ts';
import { openRelease } from '../release/open-release.ts';
import { offersDownloads } from '../release/release.ts';
import { recordRelease } from './record-release.ts';

export type WriteChangesOptions = {
  readonly out: string;
  /** Folder or base URL of the previous release; undefined for the first release. */
  readonly previous?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Time of the release (RFC 3339), for content outside of a Git repository. */
  readonly time?: string | undefined;
};

/**
 * Compares the release in an output folder with the previous one, and writes the files below `changes/`.
 * @throws UsageError if the folder has no release, the release has no downloads, or `previous` is not a release; and
 * what {@link openRelease} and {@link recordRelease} throw
 */
export async function writeChanges({ out, previous, apiKey, time }: WriteChangesOptions): Promise<Changes> {
  rememberUmask();
  const { public: root } = outputFolder(out);
  const after = await openRelease(root);
  if (!after) {
    throw new UsageError('nothing-built', `There is no catalogue in ${root}. Run "catalogue build" first.`);
  }
  if (!offersDownloads(after.release)) {
    throw new UsageError(
      'no-downloads',
      'This catalogue offers no downloads, by "bulk" or "api_keys" in catalogue.yaml, and so no changes, which name every property. Leave this step out.',
    );
  }
  const before = previous === undefined ? undefined : await openRelease(previous, { apiKey });
  if (previous !== undefined && !before) {
    throw new UsageError(
      'no-previous-release',
      `There is no catalogue at ${previous}. Name a folder such as dist/public or a base URL; leave --previous out for the first release.`,
    );
  }
  const { changes, files } = await recordRelease(before, after, async (key) => before?.read(key), time);
  for (const [key, text] of files) {
    const path = join(root, key);
    if (text === '') rmSync(path, { force: true });
    else {
      makePublicFolder(dirname(path));
      writeAtomically(path, text, { mode: FILE_MODE });
    }
  }
  return changes;
}
