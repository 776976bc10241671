import { EnvironmentError } from '../errors/errors.ts';
import { quietAfter } from './assumptions.ts';
import { type Bucket, ConditionFailed } from './bucket.ts';
import { noConditionalWrites } from './conditional-writes.ts';
import type { Holder } from './holder.ts';
import {
  type FoundLease,
  LEASE_DURATION,
  type LeaseRecord,
  REQUEST_LIFE,
  readLease,
} from './lease-record.ts';
import { elapsedAtLeast, type Machine } from './machine.ts';

export type ChallengeOptions = {
  /** Breaks even the lease of a live holder. @default false */
  readonly force?: boolean | undefined;
  /** False for a store without conditional writes: the record is written but excludes nobody. @default true */
  readonly isExclusive?: boolean | undefined;
  /** The lease as read just before. @default it is read */
  readonly seen?: { readonly lease: FoundLease | undefined } | undefined;
  readonly note?: ((text: string) => void) | undefined;
};

const ATTEMPTS = 20;
/** Milliseconds; a longer time in a record is not waited for. */
const LONGEST_DURATION = 10 * LEASE_DURATION;
const LONGEST_LIFE = 4 * REQUEST_LIFE;
/** Milliseconds between reads. */
const POLL_INTERVAL = 2000;

/** Returns the record before, if any. @throws EnvironmentError `bucket-locked`; UsageError `no-conditional-writes` */
export async function challenge(
  bucket: Bucket,
  host: Machine,
  holder: Holder,
  options: ChallengeOptions,
): Promise<FoundLease | undefined> {
  const { force = false, isExclusive = true, seen } = options;
  let found = seen ? seen.lease : await readLease(bucket);
  const broken = found?.record.token;
  for (let attempt = 1; ; attempt++) {
    if (found?.record.held && isExclusive) {
      // `force` breaks only the lease found first, even if it was just renewed, and not the lease of another holder.
      const isDead = found.record.process && host.hasEnded?.(found.record.process);
      if (!force && !isDead) found = await silent(bucket, host, found, options);
      else if (force && found.record.token !== broken) throw lockedError(bucket, found.record);
    }
    try {
      await holder.take(found, !seen || found?.tag === seen.lease?.tag);
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

function refused(bucket: Bucket, found: FoundLease | undefined) {
  const what = found ? 'a write with If-Match of the tag' : 'a write of a new object with If-None-Match: *';
  return noConditionalWrites(bucket, `${what} was refused`);
}

/** Two of the store's times show at once whether a lease has expired. Without them, it is watched for its duration. */
async function silent(
  bucket: Bucket,
  host: Machine,
  found: FoundLease,
  { note = () => {} }: ChallengeOptions,
): Promise<FoundLease | undefined> {
  const { owner } = found.record;
  const duration = Math.min(found.record.duration, LONGEST_DURATION);
  if (found.age !== undefined && found.age >= duration) return found;
  if (found.age !== undefined) throw lockedError(bucket, found.record, found.age);
  note(
    `${owner} holds the lock of ${bucket.name}: watching for up to ${duration / 1000} s whether it lives.`,
  );
  const since = host.instant();
  for (;;) {
    const age = elapsedAtLeast(host, since);
    if (age >= duration) return { ...found, age };
    await host.sleep(Math.min(POLL_INTERVAL, duration - age));
    const present = await readLease(bucket);
    if (present && !present.record.held) return present;
    if (present?.tag !== found.tag) throw lockedError(bucket, present?.record);
  }
}

/** Milliseconds from reading the record until no request of its writer can take effect. */
export function quietTime(found: FoundLease | undefined, isUsed: boolean): number {
  // The lease object was deleted: its last holder may still be at work.
  if (!found) return isUsed ? quietAfter(REQUEST_LIFE, 0) : 0;
  const { held, settled } = found.record;
  // Publishers write half a minute, but a stranger may have written an hour.
  const life = Math.min(found.record.life, LONGEST_LIFE);
  // A clock that was set back by hours lengthens the wait by a minute at most: late requests arrive before (`assumptions.ts`).
  return !held && settled ? 0 : quietAfter(life, Math.max(found.age ?? 0, -LEASE_DURATION));
}

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
