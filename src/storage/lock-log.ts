/**
 * The log of a bucket: numbered entries, each created only if absent, and never replaced. It is the lock, and the
 * record of what was live. A `begin` entry takes the lock, which is held until the same holder's `end` or another
 * holder's `begin`. Beats are signs of life of a holder, and the only objects here that are replaced.
 */
import { LOG_FOLDER, RELEASE_NAME } from '../contract/object-keys.ts';
import { isRfc3339Time } from '../contract/rfc3339-time.ts';
import { UsageError } from '../errors/errors.ts';
import { type ProcessIdentity, parseProcessIdentity } from '../process/process-identity.ts';
import { type Bucket, BucketError, type WriteResult } from './bucket.ts';
import { CONTROL_OBJECT_HEADERS } from './control-headers.ts';

const VERSION = 1;

/** Milliseconds without a beat after which others may take the lock. */
export const DEAD_AFTER = 120_000;

export type BucketState = {
  /** Names of releases that may be incomplete in the bucket. During a publish, this includes the live release. */
  readonly releases: readonly string[];
  /** True if the bucket may differ from its live release. The next holder then lists the bucket and compares. */
  readonly suspect: boolean;
  /** Digest of `current.json` as the last holder left it; null if there is none, or it is unknown. */
  readonly current: string | null;
  /** The store's time (RFC 3339) after which objects kept for readers may be removed; null for none. */
  readonly due: string | null;
  /** Release that an unfinished rollback chose to restore, because the user named no release; otherwise null. */
  readonly goal: string | null;
  /** Milliseconds for which caches may serve lists of `releases`; 0 for none. */
  readonly readerLife: number;
  /** When releases were live (`publish/timeline.ts`); null if unknown. */
  readonly timeline: unknown;
  /** Number of the last release that a publish began to sign; absent if there is none. */
  readonly number?: number;
};

export const UNUSED_BUCKET: BucketState = {
  releases: [],
  suspect: false,
  current: null,
  due: null,
  goal: null,
  readerLife: 0,
  timeline: null,
};

export type LogEntry = BucketState & {
  readonly version: typeof VERSION;
  readonly kind: 'begin' | 'end';
  /** Only shown to people. */
  readonly owner: string;
  readonly token: string;
  /** When the holder started, by its own clock (RFC 3339). Only shown to people. */
  readonly since: string;
  /**
   * Number of the last `end` entry, which may be this entry; 0 for none. Holders with later entries may have requests
   * in flight.
   */
  readonly ended: number;
  /** The store's time (RFC 3339) until which a request of an earlier holder may take effect; null for none. */
  readonly quiet: string | null;
  readonly process?: ProcessIdentity | undefined;
};

export type BucketLog = {
  /** Greatest number of an entry or beat; 0 for none. */
  readonly lastNumber: number;
  /** The last readable entry; undefined for none. */
  readonly lastEntry: LogEntry | undefined;
  /** As far as the log shows, the last holder has not given the lock back. */
  readonly isHeld: boolean;
  /** The last entry is missing, damaged, or in the place of one that somebody removed: what went before is unknown. */
  readonly isDamaged: boolean;
  /** The last sign of life of holders that may still be at work, by the store's clock; undefined for none. */
  readonly signOfLife: Date | undefined;
  /** When the store responded, by its clock; undefined if it reports no time. */
  readonly time: Date | undefined;
  readonly keys: readonly string[];
};

/** Bounds for an entry, which anybody with write access may have written. */
const MAX_BYTES = 4_000_000;
const MAX_TEXT = 300;
const MAX_RELEASES = 200;
const MAX_NUMBER = 99_999_999;
/** Greatest `readerLife` in milliseconds: 300 years. Four durations in `cache_control` can add up to 272 years. */
const MAX_READER_LIFE = 300 * 365 * 24 * 60 * 60 * 1000;
/** Maximum number of entries and beats to read, newest first, in search of a readable entry. */
const MAX_TRIES = 10;

const NAME = new RegExp(`^${LOG_FOLDER}/(\\d{8})\\.(?:json|beat)$`);

/** `end`: `json` for an entry, `beat` for the signs of life of its holder. @throws BucketError when the log is full */
export function logKey(number: number, end: 'json' | 'beat' = 'json'): string {
  if (number <= MAX_NUMBER) return `${LOG_FOLDER}/${String(number).padStart(8, '0')}.${end}`;
  const message = `${LOG_FOLDER}/ has the greatest number there is. If catalogue did not write that entry, remove it.`;
  throw new BucketError('key-refused', message, false);
}

export async function hasObjectsBesideLog(bucket: Bucket, prefix: string): Promise<boolean> {
  for await (const { key } of bucket.list(prefix)) if (!isLogKey(key)) return true;
  return false;
}

/** Also true for the log of a preview. */
export function isLogKey(key: string): boolean {
  return key.includes(`${LOG_FOLDER}/`);
}

export function entryNumber(key: string): number | undefined {
  const [, number] = NAME.exec(key) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** @throws UsageError `newer-version` */
export async function readLog(bucket: Bucket): Promise<BucketLog> {
  const files: { readonly key: string; readonly number: number; readonly modified: Date }[] = [];
  for await (const { key, modified } of bucket.list(`${LOG_FOLDER}/`)) {
    const number = entryNumber(key);
    if (number !== undefined) files.push({ key, number, modified });
  }
  files.sort((one, other) => one.number - other.number || one.key.localeCompare(other.key));
  const { number: lastNumber = 0 } = files.at(-1) ?? {};
  let lastEntry: LogEntry | undefined;
  let number = 0;
  let time: Date | undefined;
  for (const file of files.slice(-MAX_TRIES).reverse()) {
    const object = await bucket.read(file.key);
    time = object?.time;
    number = file.number;
    lastEntry = object && file.key.endsWith('.json') ? parseEntry(object.body, bucket.name) : undefined;
    if (lastEntry) break;
  }
  const { ended = 0, token } = lastEntry ?? {};
  const isHeld = lastNumber > 0 && (lastEntry?.kind !== 'end' || number < lastNumber);
  const beat = isHeld ? files.findLast(({ key }) => key.endsWith('.beat')) : undefined;
  const sent = beat && token ? (await bucket.read(beat.key))?.body : undefined;
  const announced = token ? announcedIn(sent, token) : 0;
  // Somebody removed the entry of the beat's holder by hand, and another holder's late request created it anew.
  const isReplaced = beat?.number === number && ![undefined, token].includes(readToken(sent) as string);
  const signs = files.filter((file) => file.number > ended).map(({ modified }) => modified.getTime());
  const log: BucketLog = {
    lastNumber,
    lastEntry,
    isHeld,
    isDamaged: isReplaced || number < Math.max(lastNumber, announced),
    signOfLife: signs.length > 0 ? new Date(Math.max(...signs)) : undefined,
    time,
    keys: files.map(({ key }) => key),
  };
  if (!isHeld || timeSinceSignOfLife(log) < DEAD_AFTER) return log;
  // The sign was listed before `time` was read. If this machine was paused in between, the holder may be alive.
  return { ...log, signOfLife: new Date(await lastSignOfLife(bucket, ended)) };
}

/**
 * Time of the last entry or beat whose number is above `after` and below `before`: milliseconds since 1970 by the
 * store's clock; 0 for none.
 */
export async function lastSignOfLife(
  bucket: Bucket,
  after: number,
  before = Number.POSITIVE_INFINITY,
): Promise<number> {
  let last = 0;
  for await (const { key, modified } of bucket.list(`${LOG_FOLDER}/`, logKey(after)))
    if ((entryNumber(key) ?? before) < before) last = Math.max(last, modified.getTime());
  return last;
}

/** @param last number of the holder's last entry, or of the one that it creates next */
export function serializeBeat(token: string, count: number, last: number): Buffer {
  return Buffer.from(`${JSON.stringify({ token, count, last })}\n`);
}

export function serializeEntry(entry: Omit<LogEntry, 'version'>): Buffer {
  return Buffer.from(`${JSON.stringify({ version: VERSION, ...entry })}\n`);
}

/** The lock was given back, and no work was left unfinished. */
export function isAtRest({ isHeld, lastEntry }: BucketLog): boolean {
  return !isHeld && !lastEntry?.suspect && lastEntry?.releases.length === 0;
}

/** Milliseconds since the last sign of life, estimated low: stores may truncate times to seconds. 0 if unknown. */
export function timeSinceSignOfLife({ time, signOfLife }: BucketLog): number {
  return time && signOfLife ? time.getTime() - signOfLife.getTime() - 1000 : 0;
}

/**
 * True if the last holder gave the lock back when all its requests had been answered. If a request had no answer, the
 * result stays false even after that request has expired.
 */
export function endedWithAllAnswered({ lastNumber, isHeld, lastEntry }: BucketLog): boolean {
  return lastNumber > 0 && !isHeld && !lastEntry?.quiet;
}

/** Whether a request of a holder that gave the lock back may still take effect. */
export function mayStillHaveRequests({ lastEntry, time }: BucketLog): boolean {
  return Boolean(lastEntry?.quiet) && !(time && Date.parse(lastEntry!.quiet!) <= time.getTime());
}

export function bucketStateOf(log: BucketLog): BucketState {
  const { releases, due, goal, readerLife, timeline, number, ...entry } = log.lastEntry ?? UNUSED_BUCKET;
  const current = log.isDamaged ? null : entry.current;
  const suspect = !isAtRest(log);
  return { releases, suspect, current, due, goal, readerLife, timeline, ...(number && { number }) };
}

export function withAddedReleases(
  remains: BucketState,
  { releases, readerLife }: Pick<BucketState, 'releases' | 'readerLife'>,
): BucketState {
  // `parseEntry` refuses an entry with more releases. Dropping names is safe: after unfinished work, the next publish
  // lists the bucket.
  const names = [...new Set([...remains.releases, ...releases])].slice(-MAX_RELEASES);
  return { ...remains, releases: names, readerLife: Math.max(readerLife, remains.readerLife) };
}

/** Undefined when damaged. @throws UsageError `newer-version` */
export function parseEntry(bytes: Buffer, where: string): LogEntry | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  let entry: LogEntry;
  try {
    entry = JSON.parse(bytes.toString('utf8'));
    if (!isEntry(entry) && !(entry.version > VERSION)) return undefined;
  } catch {
    return undefined;
  }
  if (entry.version === VERSION) return { ...entry, process: parseProcessIdentity(entry.process) };
  throw new UsageError(
    'newer-version',
    `A later version of catalogue published to ${where}. Use that version.`,
  );
}

function isEntry(value: LogEntry): boolean {
  const { version, kind, owner, token, since, ended, quiet, suspect } = value;
  const { releases, current, due, goal, readerLife, number = 0 } = value;
  return (
    version === VERSION &&
    (kind === 'begin' || kind === 'end') &&
    typeof suspect === 'boolean' &&
    [owner, token, since].every((text) => typeof text === 'string' && text.length <= MAX_TEXT) &&
    [ended, number].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    typeof readerLife === 'number' &&
    readerLife >= 0 &&
    readerLife <= MAX_READER_LIFE &&
    [current, goal].every((name) => name === null || (typeof name === 'string' && RELEASE_NAME.test(name))) &&
    [due, quiet].every((time) => time === null || isRfc3339Time(time)) &&
    Array.isArray(releases) &&
    releases.length <= MAX_RELEASES &&
    releases.every((name) => typeof name === 'string' && RELEASE_NAME.test(name))
  );
}

/** `bytes`: an entry or a beat. Undefined if it is damaged. */
export function readToken(bytes: Buffer | undefined): unknown {
  return fieldsIn(bytes)?.token;
}

/** Number of a holder's last entry, as its beat gives it; 0 if the beat is damaged or another holder's. */
function announcedIn(bytes: Buffer | undefined, token: string): number {
  const beat = fieldsIn(bytes);
  const last = Number(beat?.last);
  return beat?.token === token && Number.isSafeInteger(last) ? last : 0;
}

function fieldsIn(bytes: Buffer | undefined): Record<string, unknown> | null {
  if (!bytes || bytes.length > MAX_BYTES) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

export function noConditionalWritesError(bucket: Bucket, why: string): UsageError {
  return new UsageError(
    'no-conditional-writes',
    `${bucket.name} does not honour conditional writes, which keep two publishers apart (${why}). If nothing else can publish at the same time, use --no-lock.`,
  );
}

/** @throws ConditionFailed; UsageError `no-conditional-writes` when the store refuses conditions */
export async function writeIfAbsent(bucket: Bucket, key: string, body: Buffer): Promise<WriteResult> {
  try {
    return await bucket.write(key, body, CONTROL_OBJECT_HEADERS, { absent: true });
  } catch (error) {
    if (!(error instanceof BucketError) || error.code !== 'condition-unsupported') throw error;
    throw noConditionalWritesError(bucket, error.message);
  }
}
