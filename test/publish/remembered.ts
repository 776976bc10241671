/** Puts a timeline into a bucket, as publishing records it. */
import { recordOf, type Timeline } from '../../src/publish/timeline.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { readLease, recordBytes, UNUSED } from '../../src/storage/lease-record.ts';
import { CONTROL_HEADERS, LOCK_KEY, TIMELINE_KEY } from '../../src/storage/reserved-keys.ts';

const NO_TIMELINE: Timeline = { live: [], retired: [], pruned: [], cached: null, from: null };
/** Record of a lease that was given back. */
const FREE = {
  ...{ held: false, owner: 'setup', token: 'setup', epoch: 1, renewal: 1, since: '2026-01-01T00:00:00.000Z' },
  ...{ duration: 60_000, life: 30_000, settled: true, ...UNUSED },
};

/** Records a timeline in the lease, and its retired details. @param part @default nothing happened yet */
export async function putTimeline(bucket: Bucket, part: Partial<Timeline> = {}): Promise<void> {
  const timeline = { ...NO_TIMELINE, ...part };
  const record = (await readLease(bucket))?.record ?? FREE;
  const retired = Buffer.from(JSON.stringify({ retired: timeline.retired }));
  await bucket.write(TIMELINE_KEY, retired, CONTROL_HEADERS);
  await bucket.write(LOCK_KEY, recordBytes({ ...record, ...recordOf(timeline) }), CONTROL_HEADERS);
}
