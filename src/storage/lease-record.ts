/** The lease object: who may change a bucket, and the state the last holder left. It is never deleted. */
import { RELEASE_NAME } from '../contract/object-keys.ts';
import { isTime } from '../contract/time.ts';
import { type ProcessIdentity, parseIdentity } from '../process/process-identity.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import { LOCK_KEY } from './reserved-keys.ts';

const VERSION = 2;

export type Remains = {
  /** Names, also of the live one: the bucket may lack some of their objects, or have some left over. */
  readonly releases: readonly string[];
  /** The bucket may differ from its manifest, so the next holder lists and compares. */
  readonly suspect: boolean;
  /** Digest, as far as the last holder knew; null for a bucket without a manifest. */
  readonly manifest: string | null;
  /** The store's time (RFC 3339) after which objects kept for readers may be removed; null for none. */
  readonly due: string | null;
  /** Release to restore by an unfinished rollback that was given no name; null otherwise. */
  readonly goal: string | null;
  /** Milliseconds that caches may serve lists held in part; 0 for none. A later manifest of this name may say less. */
  readonly readerLife: number;
  /** When releases were live (`publish/timeline.ts`); null where that is not known. */
  readonly timeline: unknown;
  /** Number of the last release that was signed, or begun; absent for none. */
  readonly number?: number;
};

export const UNUSED: Remains = {
  releases: [],
  suspect: false,
  manifest: null,
  due: null,
  goal: null,
  readerLife: 0,
  timeline: null,
};

export type LeaseRecord = Remains & {
  readonly version: typeof VERSION;
  readonly held: boolean;
  /** The present or last holder, for people. */
  readonly owner: string;
  readonly token: string;
  /** Increases each time the lease is taken. */
  readonly epoch: number;
  /** Increases with each write, so that no two records, and no two tags, are equal. */
  readonly renewal: number;
  /** By the holder's clock (RFC 3339), for people. */
  readonly since: string;
  /** Milliseconds without renewal until others may take the lease. */
  readonly duration: number;
  /** Milliseconds after a renewal until which the holder's requests may take effect. */
  readonly life: number;
  /** False while a request of the last holder may be in flight. */
  readonly settled: boolean;
  readonly process?: ProcessIdentity | undefined;
};

export type FoundLease = {
  readonly record: LeaseRecord;
  readonly tag: string;
  /** Least milliseconds since it was written; negative if the store's clock was set back. Undefined without times. */
  readonly age: number | undefined;
  /** When the store responded, by its clock; undefined when it gives none. */
  readonly time?: Date | undefined;
};

/** Default of {@link LeaseRecord.duration}. */
export const LEASE_DURATION = 60_000;
/** Default of {@link LeaseRecord.life}. */
export const REQUEST_LIFE = 30_000;

/** Anybody who may write to the bucket may have written a record; these bound it. */
const MAX_BYTES = 4_000_000;
const MAX_TEXT = 300;
const MAX_RELEASES = 200;
/** Milliseconds: 200 years, more than the greatest `max-age`. */
const MAX_READER_LIFE = 200 * 365 * 24 * 60 * 60 * 1000;

/** For an unreadable record, or one of another version: assumed held, with the bucket in doubt. */
const UNKNOWN: LeaseRecord = {
  version: VERSION,
  held: true,
  owner: 'an unknown publisher',
  token: '',
  epoch: 0,
  renewal: 0,
  since: '',
  duration: LEASE_DURATION,
  life: LEASE_DURATION,
  settled: false,
  ...UNUSED,
  suspect: true,
};

export async function readLease(bucket: Bucket): Promise<FoundLease | undefined> {
  const object = await bucket.read(LOCK_KEY);
  if (!object) return undefined;
  const { body, tag, time } = object;
  return { record: parseRecord(body), tag, age: ageOf(object), time };
}

export function recordBytes(record: Omit<LeaseRecord, 'version'>): Buffer {
  return Buffer.from(`${JSON.stringify({ ...record, version: VERSION })}\n`);
}

/** Given back, with no work left unfinished. */
export function isAtRest({ held, suspect, releases }: LeaseRecord): boolean {
  return !held && !suspect && releases.length === 0;
}

function ageOf({ modified, time }: StoredObject): number | undefined {
  if (!modified || !time) return undefined;
  // Stores truncate both times to whole seconds.
  return time.getTime() - modified.getTime() - 1000;
}

export function remainsOf(record: LeaseRecord): Remains {
  const { releases, manifest, due, goal, readerLife, timeline, number } = record;
  const suspect = !isAtRest(record);
  return { releases, suspect, manifest, due, goal, readerLife, timeline, ...(number && { number }) };
}

export function withPartial(
  remains: Remains,
  { releases, readerLife }: Pick<Remains, 'releases' | 'readerLife'>,
): Remains {
  const names = [...new Set([...remains.releases, ...releases])];
  return { ...remains, releases: names, readerLife: Math.max(readerLife, remains.readerLife) };
}

/**
 * A damaged record, or one of another version, puts the whole bucket in doubt. So does a probe: it is there only if it
 * arrived after the lock was removed, so others may have held the lock since.
 */
export function parseRecord(bytes: Buffer): LeaseRecord {
  if (bytes.length > MAX_BYTES) return UNKNOWN;
  try {
    const record: LeaseRecord & { probe?: true } = JSON.parse(bytes.toString('utf8'));
    if (isRecord(record) && record.probe) {
      const { releases } = record;
      return { ...record, ...UNUSED, process: undefined, number: 0, releases, suspect: true, token: '' };
    }
    return isRecord(record)
      ? { ...record, process: parseIdentity(record.process) }
      : { ...UNKNOWN, ...namesIn(record) };
  } catch {
    return UNKNOWN;
  }
}

function isRecord(value: LeaseRecord): boolean {
  const { version, held, owner, token, since, epoch, renewal, duration, life, settled, suspect } = value;
  const { releases, manifest, due, goal, readerLife, number = 0 } = value;
  return (
    version === VERSION &&
    [held, settled, suspect].every((flag) => typeof flag === 'boolean') &&
    [owner, token, since].every((text) => typeof text === 'string' && text.length <= MAX_TEXT) &&
    [epoch, renewal, number].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    isWithin(readerLife, 0, MAX_READER_LIFE) &&
    [duration, life].every((time) => isWithin(time, 1, 3_600_000)) &&
    [manifest, goal].every(
      (name) => name === null || (typeof name === 'string' && RELEASE_NAME.test(name)),
    ) &&
    (due === null || isTime(due)) &&
    isNames(releases)
  );
}

function namesIn(value: { owner?: unknown; releases?: unknown }): Partial<LeaseRecord> {
  return {
    ...(typeof value.owner === 'string' ? { owner: value.owner.slice(0, MAX_TEXT) } : {}),
    ...(isNames(value.releases) ? { releases: value.releases } : {}),
  };
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_RELEASES &&
    value.every((name) => typeof name === 'string' && /^[0-9a-f]{6,64}$/.test(name))
  );
}
