/** The object that says who may change a bucket, and what the last holder left. It is never deleted. */
import type { Bucket, StoredObject } from './bucket.ts';
import { LOCK_KEY } from './reserved-keys.ts';

/** Version of the record's format. */
const VERSION = 2;

/** What a bucket is like when its lease is given back. */
export type Remains = {
  /** Names of the releases that the bucket may hold in part, besides the live one. */
  readonly releases: readonly string[];
  /** Whether anything may be other than the manifest says: the next holder lists and compares. */
  readonly suspect: boolean;
  /** Digest of the manifest that is in the bucket, as far as the last holder knew; null for a bucket without one. */
  readonly manifest: string | null;
  /** The store's time (RFC 3339) from which something that was kept for readers may be removed; null for nothing. */
  readonly due: string | null;
  /** Name of the release that an unfinished rollback without a name goes back to; null for none. */
  readonly goal: string | null;
};

/** What the object holds. */
export type LeaseRecord = Remains & {
  readonly version: typeof VERSION;
  readonly held: boolean;
  /** Who holds it, or held it last, for people. */
  readonly owner: string;
  /** Unlike that of any other holder. */
  readonly token: string;
  /** Grows with every taking. */
  readonly epoch: number;
  /** Grows with every write of a holder: no two records are ever the same, so neither are their tags. */
  readonly renewal: number;
  /** By the holder's clock (RFC 3339), for people. */
  readonly since: string;
  /** Milliseconds without a new record after which others may take it. */
  readonly duration: number;
  /** Milliseconds after a new record in which requests of its writer may take effect. */
  readonly life: number;
  /** False when a request of the last holder may still be on its way. */
  readonly settled: boolean;
};

/** A record as it was found. */
export type FoundLease = {
  readonly record: LeaseRecord;
  readonly tag: string;
  /**
   * Milliseconds since it was written, at least, by two times of the store; undefined when it says none. Less than nothing
   * when the store's clock was set back since.
   */
  readonly age: number | undefined;
  /** The store's time of the answer; undefined when it says none. */
  readonly time?: Date | undefined;
};

/** Milliseconds without a new record after which a lease may be taken. */
export const LEASE_DURATION = 60_000;
/** Milliseconds after a new record in which requests may take effect. */
export const REQUEST_LIFE = 30_000;

/** An unreadable record, or one of another version: it may be held, and anything may be wrong. */
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
  releases: [],
  suspect: true,
  manifest: null,
  due: null,
  goal: null,
};

/** Reads the lease of a bucket; undefined when it never had one. */
export async function readLease(bucket: Bucket): Promise<FoundLease | undefined> {
  const object = await bucket.read(LOCK_KEY);
  if (!object) return undefined;
  const { body, tag, time } = object;
  return { record: parseRecord(body), tag, age: ageOf(object), time };
}

/** The bytes of a record. */
export function recordBytes(record: Omit<LeaseRecord, 'version'>): Buffer {
  return Buffer.from(`${JSON.stringify({ ...record, version: VERSION })}\n`);
}

/** Whether the last holder gave it back, and left nothing to be looked for. */
export function isAtRest({ held, suspect, releases }: LeaseRecord): boolean {
  return !held && !suspect && releases.length === 0;
}

function ageOf({ modified, time }: StoredObject): number | undefined {
  if (!modified || !time) return undefined;
  // Stores cut both times off to whole seconds.
  return time.getTime() - modified.getTime() - 1000;
}

/** What is to be expected of a bucket with this record. */
export function remainsOf(record: LeaseRecord): Remains {
  const { releases, manifest, due, goal } = record;
  return { releases, suspect: !isAtRest(record), manifest, due, goal };
}

/** Reads a record; one that is damaged, or of another version, says that anything may be wrong. */
export function parseRecord(bytes: Buffer): LeaseRecord {
  try {
    const record = JSON.parse(bytes.toString('utf8')) as LeaseRecord;
    return isRecord(record) ? record : { ...UNKNOWN, ...namesIn(record) };
  } catch {
    return UNKNOWN;
  }
}

function isRecord(value: LeaseRecord): boolean {
  const { version, held, owner, token, since, epoch, renewal, duration, life, settled, suspect } = value;
  const { releases, manifest, due, goal } = value;
  return (
    version === VERSION &&
    [held, settled, suspect].every((flag) => typeof flag === 'boolean') &&
    [owner, token, since].every((text) => typeof text === 'string') &&
    [epoch, renewal].every((count) => Number.isSafeInteger(count) && count >= 0) &&
    [duration, life].every((time) => Number.isFinite(time) && time > 0 && time <= 3_600_000) &&
    [manifest, due, goal].every((text) => text === null || typeof text === 'string') &&
    (due === null || !Number.isNaN(Date.parse(due))) &&
    isNames(releases)
  );
}

/** The owner and the releases that a damaged record, or one of another version, still names. */
function namesIn(value: { owner?: unknown; releases?: unknown }): Partial<LeaseRecord> {
  return {
    ...(typeof value.owner === 'string' ? { owner: value.owner } : {}),
    ...(isNames(value.releases) ? { releases: value.releases } : {}),
  };
}

function isNames(value: unknown): value is string[] {
  return (
    Array.isArray(value) && value.every((name) => typeof name === 'string' && /^[0-9a-f]{6,64}$/.test(name))
  );
}
