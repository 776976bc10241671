import type { Bucket } from '../../storage/bucket.ts';
import type { Lease } from '../../storage/lease.ts';
import { type PublishOptions, type PublishResult, publishRelease } from '../publish.ts';
import { openArchive } from './archive.ts';
import { chooseRelease } from './list.ts';

/**
 * Restores an archived release, by the same steps as a publish.
 *
 * @param wanted its name, or a prefix of it of six digits or more. @default the previously live release
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name` or `release-pruned`, and as {@link
 *   publishRelease}.
 */
export async function rollBack(
  bucket: Bucket,
  wanted: string | undefined,
  options: PublishOptions = {},
): Promise<PublishResult> {
  const choose = async ({ bucket: leased, remains: { goal } }: Lease) => {
    // The same command resumes the interrupted rollback, even if another release has become live since.
    const name = (wanted === undefined && goal) || (await chooseRelease(leased, wanted));
    return { source: await openArchive(leased, name), goal: wanted === undefined ? name : null };
  };
  return publishRelease(bucket, choose, { ...options, allowOlder: true });
}
