import { CURRENT_KEY, releaseStatementKey, rootKey } from '../contract/object-keys.ts';
import type { ReleaseStatement } from '../contract/release-statement.ts';
import { type ProblemError, parseJsonObject, type SignatureCode, SignatureError } from './errors.ts';
import type { ClientOptions } from './options.ts';
import { openReleaseTree, type ReleaseRoot, type ReleaseTree } from './release-tree.ts';

type SignedRoot = ReleaseRoot & { readonly documents: Readonly<Record<string, string>> };

type Read = (file: string) => Promise<ArrayBuffer>;

export type SignedRelease = {
  readonly statement: ReleaseStatement;
  readonly release: string;
  readonly root: SignedRoot;
  readonly bytes: ArrayBuffer;
  readonly tree: ReleaseTree;
};

/** Each method throws a `SignatureError` for a release that no given key signed. */
export type SignedReleases = {
  readonly live: () => Promise<SignedRelease>;
  readonly reload: () => Promise<SignedRelease>;
  /** Checks that the statement of a release read earlier has not expired, and is not dated in the future. */
  readonly ensureValid: (release: SignedRelease) => void;
};

/** Milliseconds by which this machine's clock may be wrong. */
const TOLERANCE = 3_600_000;

export function openSignedReleases(
  { key = [], seen = 0, catalogue }: ClientOptions,
  read: Read,
): SignedReleases {
  let known: SignedRelease | undefined;
  const load = async (): Promise<SignedRelease> => {
    const keys = await Promise.all([key].flat().map(importKey));
    const release = parseJsonObject(textOf(await read(CURRENT_KEY)))?.release;
    ensure(isDigest(release), 'root-damaged', CURRENT_KEY);
    const bytes = await read(rootKey(release));
    const digest = await sha256(bytes);
    const root = parseJsonObject(textOf(bytes)) as SignedRoot | undefined;
    // A release's name is the beginning of the digest of its root.
    ensure(root && digest.startsWith(release), 'root-damaged', rootKey(release));
    const file = releaseStatementKey(digest);
    const answer = await read(file).catch((error: ProblemError) => {
      ensure(error.status !== 404, 'statement-missing', file);
      throw error;
    });
    const [line, ...signatures] = textOf(answer).split('\n');
    const statement = parseJsonObject(line) as ReleaseStatement | undefined;
    ensure(statement && (await isSigned(`${line}\n`, signatures, keys)), 'wrong-key', file);
    ensure(statement.catalogue === catalogue, 'wrong-catalogue', file);
    ensure(statement.root === digest, 'root-differs', file);
    ensure(statement.number >= seen, 'release-rolled-back', file);
    seen = statement.number;
    return { statement, release, root, bytes, tree: openTree(root, read) };
  };
  const ensureValid = ({ statement }: SignedRelease) => {
    const file = releaseStatementKey(statement.root);
    ensure(Date.now() < Date.parse(statement.expires) + TOLERANCE, 'statement-expired', file);
    ensure(Date.now() > Date.parse(statement.published) - TOLERANCE, 'statement-early', file);
  };
  const live = async (): Promise<SignedRelease> => {
    known ??= await load();
    ensureValid(known);
    return known;
  };
  return {
    live,
    reload: () => {
      known = undefined;
      return live();
    },
    ensureValid,
  };
}

const MAX_OBJECTS_IN_MEMORY = 32;

/** @throws SignatureError if the file has another digest */
export async function readVerified(read: Read, file: string, digest: string): Promise<ArrayBuffer> {
  const bytes = await read(file);
  ensure((await sha256(bytes)).startsWith(digest), 'object-differs', file);
  return bytes;
}

function openTree(root: ReleaseRoot, read: Read): ReleaseTree {
  const held = new Map<string, Promise<ArrayBuffer>>();
  return openReleaseTree(root, (file, digest) => {
    const bytes = held.get(file) ?? readVerified(read, file, digest);
    bytes.catch(() => held.delete(file));
    held.delete(file);
    held.set(file, bytes);
    if (held.size > MAX_OBJECTS_IN_MEMORY) held.delete(held.keys().next().value!);
    return bytes;
  });
}

const isDigest = (value: unknown): value is string => /^[0-9a-f]{32}$/.test(`${value}`);

function ensure(condition: unknown, code: SignatureCode, file: string): asserts condition {
  if (!condition) throw new SignatureError(code, file);
}

export const digestOfText = async (text: string) => (await sha256(utf8(text))).slice(0, 32);
const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
const bytesOf = (text = '') =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (digit) => digit.charCodeAt(0));
const hexadecimal = (bytes: ArrayBuffer | Uint8Array) =>
  Array.from(new Uint8Array(bytes), (byte) => (byte + 256).toString(16).slice(1)).join('');
const sha256 = async (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer) =>
  hexadecimal(await crypto.subtle.digest('SHA-256', bytes));

// Platforms declare this type under different names.
type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** SubjectPublicKeyInfo of Ed25519 (RFC 8410, 4) in base64 or base64url. */
const KEY = /^MCowBQYDK2VwAyEA[\w+/-]{43}=?$/;

async function importKey(key: string): Promise<PublicKey> {
  const text = `${key}`.trim();
  if (!KEY.test(text)) throw new SignatureError('invalid-key', CURRENT_KEY);
  try {
    return await crypto.subtle.importKey('spki', bytesOf(text), 'Ed25519', false, ['verify']);
  } catch (error) {
    throw new SignatureError('key-unsupported', CURRENT_KEY, { cause: error });
  }
}

async function isSigned(
  text: string,
  lines: readonly string[],
  keys: readonly PublicKey[],
): Promise<boolean> {
  for (const line of lines) {
    const signature = parseJsonObject(line)?.signature;
    if (typeof signature !== 'string' || !/^[\w+/-]+={0,2}$/.test(signature) || signature.length % 4 === 1)
      continue;
    for (const key of keys)
      if (await crypto.subtle.verify('Ed25519', key, bytesOf(signature), utf8(text))) return true;
  }
  return false;
}
