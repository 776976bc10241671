/** How a lease is taken from what was found in its place. */

import { EnvironmentError } from '../errors.ts';
import { quietAfter } from './assumptions.ts';
import { type Bucket, ConditionFailed } from './bucket.ts';
import { noConditionalWrites } from './conditional-writes.ts';
import type { Holder } from './holder.ts';
import { type Host, leastSince } from './host.ts';
import { type FoundLease, type LeaseRecord, REQUEST_LIFE, readLease } from './lease-record.ts';

/** How to take a lease from what is found in its place. */
export type ChallengeOptions = {
  /** Breaks a lease that is held. @default false */
  readonly force?: boolean | undefined;
  /** False for a store without conditional writes: the object is written, but keeps nothing out. @default true */
  readonly isExclusive?: boolean | undefined;
  /** The lease as it was read a moment ago. @default it is read */
  readonly seen?: { readonly lease: FoundLease | undefined } | undefined;
  /** Hears why it takes long. */
  readonly note?: ((text: string) => void) | undefined;
};

/** Attempts to take a lease that is given back, or taken, in between. */
const ATTEMPTS = 20;
/** Milliseconds between two looks at a lease that is watched. */
const LOOK = 2000;

/**
 * Takes the lease. Returns what was found in its place; undefined where there never was one.
 *
 * @throws EnvironmentError `bucket-locked`; UsageError `no-conditional-writes`.
 */
export async function challenge(
  bucket: Bucket,
  host: Host,
  holder: Holder,
  options: ChallengeOptions,
): Promise<FoundLease | undefined> {
  const { force = false, isExclusive = true, seen } = options;
  let found = seen ? seen.lease : await readLease(bucket);
  const broken = found?.record.token;
  for (let attempt = 1; ; attempt++) {
    if (found?.record.held && isExclusive) {
      // Renewed just now, it is still the lease that is to be broken; another one is not.
      if (!force) found = await silent(bucket, host, found, options);
      else if (found.record.token !== broken) throw lockedError(bucket, found.record);
    }
    try {
      await holder.take(found);
      return found;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const present = await readLease(bucket);
      if (holder.hasWritten(present)) return found;
      if (attempt === ATTEMPTS && present?.tag !== found?.tag) throw lockedError(bucket, present?.record);
      if (attempt === ATTEMPTS) throw refused(bucket, found);
      found = present;
    }
  }
}

/** The store did not do what it had to do. */
function refused(bucket: Bucket, found: FoundLease | undefined) {
  const what = found ? 'a write with If-Match of the tag' : 'a write of a new object with If-None-Match: *';
  return noConditionalWrites(bucket, `${what} was refused`);
}

/**
 * Makes sure that no one has renewed a lease for as long as it lasts. Two times of the store show that at once; without
 * them it is watched, by a clock that is never compared with another.
 *
 * @throws EnvironmentError `bucket-locked` when its holder lives.
 */
async function silent(
  bucket: Bucket,
  host: Host,
  found: FoundLease,
  { note = () => {} }: ChallengeOptions,
): Promise<FoundLease | undefined> {
  const { duration, owner } = found.record;
  if (found.age !== undefined && found.age >= duration) return found;
  if (found.age !== undefined) throw lockedError(bucket, found.record, found.age);
  note(
    `${owner} holds the lock of ${bucket.name}: watching for up to ${duration / 1000} s whether it lives.`,
  );
  const since = host.instant();
  for (;;) {
    const age = leastSince(host, since);
    if (age >= duration) return { ...found, age };
    await host.sleep(Math.min(LOOK, duration - age));
    const present = await readLease(bucket);
    if (present && !present.record.held) return present;
    if (present?.tag !== found.tag) throw lockedError(bucket, present?.record);
  }
}

/** Milliseconds until no request of the one who wrote this record can take effect, counted from when it was read. */
export function quietTime(found: FoundLease | undefined, isUsed: boolean): number {
  // The lease was removed: its last holder may still be at work.
  if (!found) return isUsed ? quietAfter(REQUEST_LIFE, 0) : 0;
  const { held, settled, life } = found.record;
  return !held && settled ? 0 : quietAfter(life, found.age ?? 0);
}

/** The error that says who holds the lease. */
function lockedError(
  bucket: Bucket,
  record: LeaseRecord | undefined,
  age?: number | undefined,
): EnvironmentError {
  const { owner = 'another publisher', since, duration = 0 } = record ?? {};
  const started = since ? ` since ${since}` : '';
  const rest = age === undefined ? duration : duration - age;
  const wait = rest > 0 ? ` Should it have ended, that is noticed in ${Math.ceil(rest / 1000)} s.` : '';
  return new EnvironmentError(
    'bucket-locked',
    `${owner} is publishing to ${bucket.name}${started}. Wait for it to end, then run the command again.${wait} --force-unlock takes the lock away from it.`,
  );
}
