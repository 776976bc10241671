/** Puts a timeline into a bucket, as publishing records it. */
import { type Timeline, timelineForLog } from '../../src/publish/timeline.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { type LogEntry, logKey, readLog, serializeEntry, UNUSED_BUCKET } from '../../src/storage/lock-log.ts';

const NO_TIMELINE: Timeline = { live: [], before: [], coveredUntil: null, from: null };
/** The end of a publish with nothing left to do. */
const END: LogEntry = {
  ...{ version: 1, kind: 'end', owner: 'setup', token: 'setup', since: '2026-01-01T00:00:00.000Z' },
  ...{ ended: 1, quiet: null, ...UNUSED_BUCKET },
};

/** Appends an entry like the last, with these differences. */
export async function putEntry(bucket: Bucket, part: Partial<LogEntry> = {}): Promise<void> {
  const { lastNumber, lastEntry = END } = await readLog(bucket);
  const ended = part.kind !== 'begin' ? lastNumber + 1 : lastNumber === 0 ? 0 : lastEntry.ended;
  await bucket.write(
    logKey(lastNumber + 1),
    serializeEntry({ ...lastEntry, ended, ...part }),
    CONTROL_OBJECT_HEADERS,
  );
}

/** Records a timeline in the log. @param part @default nothing happened yet */
export async function putTimeline(bucket: Bucket, part: Partial<Timeline> = {}): Promise<void> {
  const timeline = { ...NO_TIMELINE, ...part };
  await putEntry(bucket, timelineForLog(timeline));
}
