import type { Bucket } from '../../storage/bucket.ts';
import type { HeldLock } from '../../storage/lock.ts';
import { type PublishOptions, type PublishResult, publishRelease } from '../publish.ts';
import { openArchive } from './archive.ts';
import { chooseRollbackRelease } from './list.ts';

/**
 * Publishes an archived release with the steps of a normal publish.
 * @param wanted its name, or at least the first six digits. @default the previous live release
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name`, `release-pruned`, and as {@link
 * publishRelease}
 */
export async function rollBack(
  bucket: Bucket,
  wanted: string | undefined,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const choose = async ({ bucket: locked, remains: { goal } }: HeldLock) => {
    // Running the same command again resumes an interrupted rollback, even if another release became live since.
    const name = (wanted === undefined && goal) || (await chooseRollbackRelease(locked, wanted));
    return { source: await openArchive(locked, name), goal: wanted === undefined ? name : null };
  };
  return publishRelease(bucket, choose, { ...options, allowOlder: true });
}
