import type { Bucket } from '../storage/bucket.ts';
import type { HeldLock } from '../storage/lock.ts';
import { type PublishOptions, type PublishResult, publishRelease } from './publish.ts';
import { chooseRollbackRelease } from './releases.ts';
import { openKept } from './stored-release.ts';
import { findTimeline } from './timeline.ts';

/**
 * Publishes a kept release with the steps of a normal publish.
 * @param wanted the release's name or its first digits, at least six. @default the previous live release
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name`, `release-pruned`; EnvironmentError
 * `release-damaged`; also the errors of {@link publishRelease}
 */
export async function rollBack(
  bucket: Bucket,
  wanted: string | undefined,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const choose = async ({ bucket: locked, remains }: HeldLock) => {
    const { goal } = remains;
    const { timeline } = findTimeline(remains);
    // Running the same command again resumes an interrupted rollback, even if its release is live already.
    const name = (wanted === undefined && goal) || (await chooseRollbackRelease(locked, wanted, timeline));
    return { source: await openKept(locked, name, timeline), goal: wanted === undefined ? name : null };
  };
  return publishRelease(bucket, choose, { ...options, allowOlder: true });
}
