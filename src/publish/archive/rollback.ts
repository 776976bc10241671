/** Makes an earlier release live again. */

import type { Bucket } from '../../storage/bucket.ts';
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
  const source = await openArchive(bucket, await chooseRelease(bucket, wanted));
  return publishRelease(bucket, source, { ...options, allowOlder: true });
}
