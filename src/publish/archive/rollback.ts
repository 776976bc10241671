/** Makes an earlier release live again. */

import type { Bucket } from '../../storage/bucket.ts';
import type { Lease } from '../../storage/lease.ts';
import { type PublishOptions, type PublishResult, publishRelease } from '../publish.ts';
import { openArchive } from './archive.ts';
import { chooseRelease } from './list.ts';

/**
 * Restores a release that the bucket keeps, by the same steps as a publish.
 *
 * @param wanted its name, or at least six digits that it starts with; when absent, the one that was live before the present one.
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name` or `release-pruned`, and as {@link publishRelease}.
 */
export async function rollBack(
  bucket: Bucket,
  wanted: string | undefined,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const choose = async ({ bucket: leased, remains: { goal } }: Lease) => {
    // The same command run again goes on, whatever has become live since.
    const name = (wanted === undefined && goal) || (await chooseRelease(leased, wanted));
    return { source: await openArchive(leased, name), goal: wanted === undefined ? name : null };
  };
  return publishRelease(bucket, choose, { ...options, allowOlder: true });
}
