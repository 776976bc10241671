/**
 * Signed statement of a release. A signature covers the whole release: the statement contains the digest of the root,
 * and the root names everything else by digest.
 * `docs/releases.md`, "Signed releases", explains the format and how to check it with OpenSSL.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { ReleaseStatement } from '../contract/release-statement.ts';
import { isRfc3339Time } from '../contract/rfc3339-time.ts';
import type { EnvironmentCode } from '../errors/codes.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';

export type SignedStatement = {
  readonly statement: ReleaseStatement;
  /** The signed bytes: the first line, with its line feed. */
  readonly bytes: Buffer;
  readonly signatures: readonly { readonly key: string; readonly signature: string }[];
};

/** Milliseconds by which a reader's clock may be wrong before statements are rejected. */
export const CLOCK_TOLERANCE = 60 * 60 * 1000;

/** A dozen signatures take about 2000. */
export const MAX_STATEMENT_BYTES = 16_384;

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function signStatement(statement: ReleaseStatement, keys: readonly KeyObject[]): Buffer {
  const bytes = Buffer.from(`${JSON.stringify(statement)}\n`);
  const lines = keys.map((key) => {
    const signature = sign(null, bytes, key).toString('base64');
    return `${JSON.stringify({ key: keyName(createPublicKey(key)), signature })}\n`;
  });
  return Buffer.concat([bytes, Buffer.from(lines.join(''))]);
}

/** Does not check signatures. Undefined if damaged. */
export function parseStatement(bytes: Buffer): SignedStatement | undefined {
  const end = bytes.indexOf('\n') + 1;
  const line = bytes.subarray(0, end);
  if (bytes.length > MAX_STATEMENT_BYTES) return undefined;
  try {
    const statement = JSON.parse(line.toString('utf8')) as ReleaseStatement;
    const rest = bytes.subarray(end).toString('utf8').split('\n').filter(Boolean);
    const signatures = rest.map((text) => JSON.parse(text) as SignedStatement['signatures'][number]);
    const isWhole = isStatement(statement) && signatures.every(isSignature);
    return isWhole ? { statement, bytes: line, signatures } : undefined;
  } catch {
    return undefined;
  }
}

/** What a reader already knows about a catalogue. */
export type StatementTrust = {
  readonly keys: readonly KeyObject[];
  readonly catalogue: string;
  /** Highest number seen so far. @default 0 */
  readonly seen?: number | undefined;
  /** Milliseconds since 1970, by the reader's clock. */
  readonly now: number;
};

/**
 * @param found undefined for an unsigned release
 * @throws EnvironmentError `statement-missing`, `statement-damaged`, `wrong-key`, `wrong-catalogue`,
 * `root-differs`, `release-rolled-back`, `statement-expired`, `statement-early`
 */
export function checkStatement(
  found: Buffer | undefined,
  root: Uint8Array,
  trust: StatementTrust,
): ReleaseStatement {
  const fail = (code: EnvironmentCode, message: string) => new EnvironmentError(code, message);
  if (!found) throw fail('statement-missing', 'The live release has no statement: it is not signed.');
  const signed = parseStatement(found);
  if (!signed) throw fail('statement-damaged', 'The statement of the live release is damaged.');
  const { statement } = signed;
  if (!trust.keys.some((key) => isSignedBy(signed, key)))
    throw fail('wrong-key', 'The statement is not signed by the key, or was changed after that.');
  if (statement.catalogue !== trust.catalogue)
    throw fail('wrong-catalogue', `The statement is that of ${statement.catalogue}, not ${trust.catalogue}.`);
  if (statement.root !== sha256Hex(root))
    throw fail('root-differs', `The statement is that of release ${statement.release}: the root differs.`);
  const { seen = 0, now } = trust;
  if (statement.number < seen)
    throw fail('release-rolled-back', `The release has number ${statement.number}; number ${seen} was seen.`);
  if (now > Date.parse(statement.expires) + CLOCK_TOLERANCE)
    throw fail(
      'statement-expired',
      `The statement expired at ${statement.expires}. Publish again to renew it.`,
    );
  if (now < Date.parse(statement.published) - CLOCK_TOLERANCE)
    throw fail('statement-early', `The statement is of ${statement.published}, later than the clock says.`);
  return statement;
}

export function isSignedBy({ bytes, signatures }: SignedStatement, key: KeyObject): boolean {
  return signatures.some(({ signature }) => verify(null, bytes, key, Buffer.from(signature, 'base64')));
}

function keyName(key: KeyObject): string {
  return sha256Hex(key.export({ type: 'spki', format: 'der' })).slice(0, 16);
}

/**
 * Accepts one or more Ed25519 keys: PKCS #8 in Base64, separated by spaces, commas or line breaks.
 * @throws UsageError `invalid-signing-key`, which does not quote the text
 */
export function parsePrivateKeys(text: string): KeyObject[] {
  const message = 'A signing key is not one that "catalogue keys new" wrote.';
  return parseKeys(text, new UsageError('invalid-signing-key', message), (key) =>
    createPrivateKey({ key, type: 'pkcs8', format: 'der' }),
  );
}

/**
 * Accepts one or more Ed25519 keys: SubjectPublicKeyInfo in Base64, separated by spaces, commas or line breaks.
 * @throws UsageError `invalid-key`
 */
export function parsePublicKeys(text: string): KeyObject[] {
  const message = 'A public key is not one that "catalogue keys" printed.';
  return parseKeys(text, new UsageError('invalid-key', message), (key) =>
    createPublicKey({ key, type: 'spki', format: 'der' }),
  );
}

function parseKeys(text: string, fault: UsageError, parse: (der: Buffer) => KeyObject): KeyObject[] {
  try {
    const keys = text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((one) => parse(Buffer.from(one, 'base64')));
    if (keys.length > 0 && keys.every(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519'))
      return keys;
  } catch {
    // OpenSSL's error is not passed on, since it may quote the key.
  }
  throw fault;
}

function isStatement({
  version,
  catalogue,
  release,
  number,
  root,
  published,
  expires,
}: ReleaseStatement): boolean {
  return (
    version === 1 &&
    [catalogue, release].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(number) &&
    number > 0 &&
    /^[0-9a-f]{64}$/.test(root) &&
    isRfc3339Time(published) &&
    isRfc3339Time(expires)
  );
}

function isSignature({ key, signature }: SignedStatement['signatures'][number]): boolean {
  return typeof key === 'string' && typeof signature === 'string';
}
