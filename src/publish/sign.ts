/**
 * Signs what becomes live. The lease record counts the releases, so that no two have a number, whatever became of the
 * publisher that took it. A statement is named by the manifest it signs and precedes it: no live manifest is without one.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { STATEMENTS_FOLDER, statementKey } from '../contract/keys.ts';
import { UsageError } from '../errors.ts';
import { headersOf, type Release } from '../release/release.ts';
import {
  isSignedBy,
  parseStatement,
  type SignedStatement,
  signStatement,
  statementDigest,
} from '../release/statement.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { Lease } from '../storage/lease.ts';

export type Signing = {
  readonly keys: readonly KeyObject[];
  /** Days until a statement expires. */
  readonly days: number;
};

/** Work of signing a release, under a lease. */
export type Signature = {
  /** Number to reserve in the lease record before anything is written. */
  readonly number: number;
  /** Writes the statement, and returns its key. */
  readonly write: () => Promise<string>;
};

const DAY = 24 * 60 * 60 * 1000;

/**
 * Prepares the signature of a release.
 *
 * @returns undefined when no key is given, or the release has a statement with at least half of its time left.
 * @throws UsageError `signing-key-needed` when releases of this bucket are signed, and no key is given.
 */
export async function prepareSignature(
  { bucket, remains, time }: Lease,
  release: Release,
  signing: Signing | undefined,
): Promise<Signature | undefined> {
  if (!signing && remains.number === undefined) return undefined;
  if (!signing) {
    throw new UsageError(
      'signing-key-needed',
      `Releases of ${bucket.name} are signed: readers that check signatures would refuse this one. Put the key into CATALOGUE_SIGNING_KEY, or name its file with --signing-key.`,
    );
  }
  const last = remains.number ?? (await greatestNumber(bucket));
  const present = await readStatement(bucket, release);
  const isLast = present?.statement.number === last;
  if (isLast && isFresh(present, signing, time().getTime())) return undefined;
  const number = isLast && remains.number !== undefined ? last : last + 1;
  return { number, write: () => writeStatement(bucket, release, signing, number, time()) };
}

/** Tells whether nothing is left to sign, before the lease is taken. `number`: the one in the lease record. */
export async function isSigned(
  bucket: Bucket,
  release: Release,
  signing: Signing | undefined,
  number: number | undefined,
  now: Date,
): Promise<boolean> {
  if (!signing) return true;
  const present = await readStatement(bucket, release);
  return present?.statement.number === number && isFresh(present, signing, now.getTime());
}

async function writeStatement(
  bucket: Bucket,
  release: Release,
  { keys, days }: Signing,
  number: number,
  time: Date,
): Promise<string> {
  const manifest = statementDigest(release.bytes);
  const key = statementKey(manifest);
  const body = signStatement(
    {
      version: 1,
      catalogue: release.manifest.api.url,
      release: release.name,
      number,
      manifest,
      published: time.toISOString(),
      expires: new Date(time.getTime() + days * DAY).toISOString(),
    },
    keys,
  );
  await bucket.write(key, body, headersOf(release, key));
  return key;
}

async function readStatement(bucket: Bucket, { bytes }: Release): Promise<SignedStatement | undefined> {
  const object = await bucket.read(statementKey(statementDigest(bytes)));
  return object && parseStatement(object.body);
}

function isFresh(signed: SignedStatement | undefined, { keys, days }: Signing, now: number): boolean {
  if (!signed || Date.parse(signed.statement.expires) < now + (days * DAY) / 2) return false;
  return keys.every((key) => isSignedBy(signed, createPublicKey(key)));
}

/** Finds the greatest number of any statement, where the lease record has lost it. */
async function greatestNumber(bucket: Bucket): Promise<number> {
  let greatest = 0;
  for await (const { key } of bucket.list(`${STATEMENTS_FOLDER}/`)) {
    const object = await bucket.read(key);
    greatest = Math.max(greatest, (object && parseStatement(object.body)?.statement.number) ?? 0);
  }
  return greatest;
}
