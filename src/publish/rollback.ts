import { UsageError } from '../errors/errors.ts';
import { resolveRelease } from '../release/resolve-release-name.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { HeldLock } from '../storage/lock.ts';
import { listReleases } from './list-releases.ts';
import { type PublishOptions, type PublishResult, publishRelease } from './publish.ts';
import { openKept } from './stored-release.ts';
import { findTimeline, type Timeline } from './timeline.ts';

/**
 * Publishes a kept release with the steps of a normal publish.
 * @param wanted the release's name or its first digits, at least six. @default the release of an interrupted rollback,
 * otherwise the latest earlier release that can be restored
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

/**
 * Returns the full name of the release that a rollback restores.
 * @param wanted the release's name or its first digits, at least six. @default the latest earlier release that can be
 * restored
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name`
 */
export async function chooseRollbackRelease(
  bucket: Bucket,
  wanted: string | undefined,
  timeline: Timeline,
): Promise<string> {
  const releases = await listReleases(bucket, timeline);
  if (wanted !== undefined) {
    return resolveRelease(
      wanted,
      releases.map(({ name }) => name),
      bucket.name,
    );
  }
  const earlier = releases.find(({ isRestorable, isLive }) => isRestorable && !isLive);
  if (earlier) return earlier.name;
  throw new UsageError(
    'unknown-release',
    `${bucket.name} keeps no earlier release to go back to. "catalogue releases" lists those that it keeps.`,
  );
}
