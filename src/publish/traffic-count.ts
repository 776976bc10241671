import { OBJECT_KINDS, objectKindOf } from '../contract/object-kinds.ts';
import type { Bucket } from '../storage/bucket.ts';

export const COUNTED_KINDS = [
  'media',
  'details',
  'pages',
  'totals',
  'tree',
  'problems',
  'documents',
  'history',
] as const;

type Counts = Record<(typeof COUNTED_KINDS)[number], number>;

/** Counts writes and removals, except those of control objects, such as the log. */
export type TrafficCount = { readonly written: Counts; bytes: number; removed: number };

export function totalWritten({ written }: TrafficCount): number {
  return Object.values(written).reduce((total, count) => total + count, 0);
}

export function withTrafficCount(bucket: Bucket): { bucket: Bucket; traffic: TrafficCount } {
  const written = Object.fromEntries(COUNTED_KINDS.map((name) => [name, 0])) as Counts;
  const traffic: TrafficCount = { written, bytes: 0, removed: 0 };
  const count = (key: string, bytes: number) => {
    const kind = objectKindOf(key);
    if (kind === 'control') return;
    traffic.written[OBJECT_KINDS[kind].counted ?? 'documents']++;
    traffic.bytes += bytes;
  };
  const counted = (bucket: Bucket): Bucket => ({
    ...bucket,
    limited: (limit) => counted(bucket.limited(limit)),
    async write(key, body, headers, condition) {
      const answer = await bucket.write(key, body, headers, condition);
      if (!answer.wasPresent) count(key, body.length);
      return answer;
    },
    writeLarge:
      bucket.writeLarge &&
      (async (key, body, headers) => {
        const answer = await bucket.writeLarge!(key, body, headers);
        count(key, body.size);
        return answer;
      }),
    async remove(keys) {
      const answer = await bucket.remove(keys);
      traffic.removed += keys.filter((key) => objectKindOf(key) !== 'control').length;
      return answer;
    },
  });
  return { traffic, bucket: counted(bucket) };
}
