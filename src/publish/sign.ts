/**
 * Signs the release that becomes live. Each signed release has a number that was reserved in the log, so that no two
 * releases get the same number, even after a publisher was killed. The statement is written before its release is live,
 * so that readers always find it.
 */

import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { RELEASE_STATEMENTS_FOLDER, releaseStatementKey } from '../contract/object-keys.ts';
import { DAY } from '../contract/rfc3339-time.ts';
import { UsageError } from '../errors/errors.ts';
import { type Release, storedHeadersOf } from '../release/release.ts';
import {
  isSignedBy,
  MAX_STATEMENT_BYTES,
  parseStatement,
  type SignedStatement,
  sha256Hex,
  signStatement,
} from '../release/signed-statement.ts';
import type { Bucket, ListedObject } from '../storage/bucket.ts';
import { forEachConcurrently } from '../storage/for-each.ts';
import type { HeldLock } from '../storage/lock.ts';

export type SigningOptions = {
  readonly keys: readonly KeyObject[];
  /** Days until a statement expires. */
  readonly days: number;
};

export type PreparedSignature = {
  /** Number of the release. `applyPlan` reserves it in the log before writing anything else. */
  readonly number: number;
  readonly write: () => Promise<string>;
};

/**
 * Maximum by which the number in the log may exceed the highest signed number. Each interrupted publish uses up a
 * number, so a small excess is normal. A larger one may be forged, since the log is not signed.
 */
const MAX_UNPROVED = 100;
/** Maximum number of statements to read, newest first. Each release has one until it is pruned. */
const MAX_STATEMENTS = 1000;
const STATEMENTS_IN_FLIGHT = 16;

/**
 * @returns undefined if nothing has to be signed: no key is given and the bucket's releases are unsigned, or the
 * release already has a statement with the last number, signatures of all keys and at least half of its time left
 * @throws UsageError `signing-key-needed` when the bucket's releases are signed but no key is given; `numbers-used-up`
 */
export async function prepareSignature(
  { bucket, remains, time }: HeldLock,
  release: Release,
  signing: SigningOptions | undefined,
  note: (text: string) => void,
): Promise<PreparedSignature | undefined> {
  if (!signing && remains.number === undefined) return undefined;
  if (!signing) {
    throw new UsageError(
      'signing-key-needed',
      `Releases of ${bucket.name} are signed: readers that check signatures would refuse this one. Put the key into CATALOGUE_SIGNING_KEY, or name its file with --signing-key.`,
    );
  }
  const last = lastNumber(remains.number, await provedNumber(bucket, release, signing));
  if (remains.number && remains.number !== last) note(ignoredText(bucket, remains.number, last));
  const present = await readStatement(bucket, release);
  const isLast = present?.statement.number === last;
  const isRecorded = (remains.number ?? last) === last;
  if (isLast && isRecorded && isFresh(present, signing, time().getTime())) return undefined;
  const number = isLast && remains.number !== undefined ? last : last + 1;
  if (!Number.isSafeInteger(number)) throw noNumberLeft(bucket);
  return { number, write: () => writeStatement(bucket, release, signing, number, time()) };
}

/**
 * Called before the lock is taken. Returns false if the bucket's releases are signed but no key is given:
 * {@link prepareSignature}, which is called later, reports the missing key.
 * @param number last number in the log; undefined if no release of the bucket is signed
 */
export async function needsNoSignature(
  bucket: Bucket,
  release: Release,
  signing: SigningOptions | undefined,
  number: number | undefined,
  now: Date,
): Promise<boolean> {
  if (!signing) return number === undefined;
  const present = await readStatement(bucket, release);
  return present?.statement.number === number && isFresh(present, signing, now.getTime());
}

function noNumberLeft({ name }: Bucket): UsageError {
  return new UsageError(
    'numbers-used-up',
    `A statement in ${name} has the greatest number there is: no later release can be signed with this key. Use another key, and give its public key to consumers.`,
  );
}

async function writeStatement(
  bucket: Bucket,
  release: Release,
  { keys, days }: SigningOptions,
  number: number,
  time: Date,
): Promise<string> {
  const root = sha256Hex(release.rootBytes);
  const key = releaseStatementKey(root);
  const body = signStatement(
    {
      version: 1,
      catalogue: release.settings.url,
      release: release.name,
      number,
      root,
      published: time.toISOString(),
      expires: new Date(time.getTime() + days * DAY).toISOString(),
    },
    keys,
  );
  await bucket.write(key, body, storedHeadersOf(release, key));
  return key;
}

async function readStatement(bucket: Bucket, { rootBytes }: Release): Promise<SignedStatement | undefined> {
  const object = await bucket.read(releaseStatementKey(sha256Hex(rootBytes)));
  return object && parseStatement(object.body);
}

function isFresh(signed: SignedStatement | undefined, { keys, days }: SigningOptions, now: number): boolean {
  if (!signed || Date.parse(signed.statement.expires) < now + (days * DAY) / 2) return false;
  return keys.every((key) => isSignedBy(signed, createPublicKey(key)));
}

/**
 * Highest number that one of `keys` signed; 0 for none. Other statements do not count: anybody with write access can
 * add them.
 */
async function provedNumber(
  bucket: Bucket,
  { settings }: Release,
  { keys }: SigningOptions,
): Promise<number> {
  const found: ListedObject[] = [];
  for await (const object of bucket.list(`${RELEASE_STATEMENTS_FOLDER}/`))
    if (object.size <= MAX_STATEMENT_BYTES) found.push(object);
  const newest = found.sort((one, other) => other.modified.getTime() - one.modified.getTime());
  const publicKeys = keys.map((key) => createPublicKey(key));
  let greatest = 0;
  await forEachConcurrently(newest.slice(0, MAX_STATEMENTS), STATEMENTS_IN_FLIGHT, async ({ key }) => {
    const object = await bucket.read(key);
    const signed = object && parseStatement(object.body);
    const isOurs =
      signed?.statement.catalogue === settings.url &&
      releaseStatementKey(signed.statement.root) === key &&
      publicKeys.some((one) => isSignedBy(signed, one));
    if (isOurs) greatest = Math.max(greatest, signed.statement.number);
  });
  return greatest;
}

/** The log is not signed, so its number counts only if it exceeds the proved number by at most {@link MAX_UNPROVED}. */
function lastNumber(recorded: number | undefined, proved: number): number {
  return recorded !== undefined && recorded > proved && recorded <= proved + MAX_UNPROVED ? recorded : proved;
}

function ignoredText({ name }: Bucket, recorded: number, last: number): string {
  return `The log of ${name} says that number ${recorded} was signed last; the statements there prove ${last}, by which this release is numbered.`;
}
