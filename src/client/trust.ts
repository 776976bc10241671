/** Checks what a client reads against the signed statement of its release (docs/publishing.md, "Signed releases"). */
import { LIST_PATH, MANIFEST_KEY, PARTS_FOLDER, sequenceKey, statementKey } from '../contract/keys.ts';
import type { Statement } from '../contract/statement.ts';
import { objectOf, type ProblemError, type SignatureCode, SignatureError } from './errors.ts';
import type { ClientOptions, ListQuery } from './options.ts';
import type { Page, Property } from './types.ts';

/** What the client needs of a manifest. */
type Manifest = {
  readonly documents: Readonly<Record<string, string>>;
  /** Digests of the files that they name, joined, as base64url, by name with an asterisk in their place. */
  readonly names?: Readonly<Record<string, string>>;
  readonly sequence: readonly Entry[] | { readonly pieces?: readonly string[] };
};

type Entry = readonly [id: string, country: string, city: string, summary: string, detail: string];

type Read = (file: string) => Promise<ArrayBuffer>;

type Signed = {
  readonly statement: Statement;
  readonly manifest: Manifest;
  /** The sequence, once it is asked for; undefined again after a failure. */
  entries?: Promise<readonly Entry[]> | undefined;
};

/** Checks answers. Each method throws a `SignatureError` for an answer that the key did not sign. */
export type Trust = {
  readonly signed: () => Promise<Signed>;
  readonly file: (file: string, text: string) => Promise<void>;
  readonly page: (query: ListQuery, page: Page) => Promise<void>;
  readonly property: (id: string, property: Property) => Promise<void>;
};

/** Milliseconds by which the clock may be wrong. */
const TOLERANCE = 3_600_000;

/** @returns undefined without a key. */
export function createTrust({ key, seen = 0, catalogue }: ClientOptions, read: Read): Trust | undefined {
  if (key === undefined) return undefined;
  let known: Signed | undefined;
  const load = async (): Promise<Signed> => {
    const bytes = await read(MANIFEST_KEY);
    const manifest = objectOf(textOf(bytes)) as Manifest | undefined;
    ensure(manifest, 'manifest-damaged', MANIFEST_KEY);
    const digest = await sha256(bytes);
    const file = statementKey(digest);
    const answer = await read(file).catch((error: ProblemError) => {
      ensure(error.status !== 404, 'statement-missing', file);
      throw error;
    });
    const [line, ...signatures] = textOf(answer).split('\n');
    const statement = objectOf(line) as Statement | undefined;
    ensure(statement && (await isSigned(`${line}\n`, signatures, [key].flat())), 'wrong-key', file);
    ensure(statement.catalogue === catalogue, 'wrong-catalogue', file);
    ensure(statement.manifest === digest, 'manifest-differs', file);
    ensure(statement.number >= seen, 'release-rolled-back', file);
    seen = statement.number;
    return { statement, manifest };
  };
  const signed = async (): Promise<Signed> => {
    known ??= await load();
    const { statement } = known;
    const file = statementKey(statement.manifest);
    ensure(Date.now() < Date.parse(statement.expires) + TOLERANCE, 'statement-expired', file);
    ensure(Date.now() > Date.parse(statement.published) - TOLERANCE, 'statement-early', file);
    return known;
  };
  /** Reads the manifest once more where an answer differs: another release may be live. */
  const check = async (file: string, isSame: (signed: Signed) => Promise<boolean>) => {
    if (await isSame(await signed())) return;
    known = undefined;
    ensure(await isSame(await signed()), 'object-differs', file);
  };
  const entriesOf = (of: Signed): Promise<readonly Entry[]> =>
    (of.entries ??= readSequence(of.manifest, read).catch((error) => {
      of.entries = undefined;
      throw error;
    }));
  return {
    signed,
    file: (file, text) =>
      check(file, async ({ manifest: { documents } }) => {
        const digest = (await sha256(utf8(text))).slice(0, 32);
        // A file that was checked before named this one.
        return documents[file] === digest || file.startsWith(`${PARTS_FOLDER}/${digest}.`);
      }),
    page: ({ country, city, page = 1, size }, { data, meta }) =>
      check(LIST_PATH, async (release) => {
        const all = (await entriesOf(release)).filter(
          ([, at, town]) => at === (country ?? at) && town === (city ?? town),
        );
        const { current_page, per_page, total_entries } = meta.pagination;
        const digests = all.slice((page - 1) * per_page, page * per_page).map(([, , , summary]) => summary);
        const stated = [current_page, per_page, total_entries, ...(await Promise.all(data.map(digestOf)))];
        return `${stated}` === `${[page, size ?? per_page, all.length, ...digests]}`;
      }),
    property: (id, property) =>
      check(id, async (release) => {
        const digest = await digestOf(property);
        return (await entriesOf(release)).some((entry) => entry[0] === id && entry[4] === digest);
      }),
  };
}

/** Returns the entries of a sequence. Reads its pieces (`release/pieces.ts`) where the manifest lacks the entries. */
async function readSequence({ names, sequence }: Manifest, read: Read): Promise<readonly Entry[]> {
  if (Array.isArray(sequence)) return sequence as Entry[];
  const { pieces } = sequence as { readonly pieces?: readonly string[] };
  const entries: Entry[] = [];
  for (const digest of pieces ?? digestsIn(hexadecimal(bytesOf(names?.[sequenceKey('*')])))) {
    const file = sequenceKey(digest);
    const bytes = await read(file);
    ensure((await sha256(bytes)).startsWith(digest), 'object-differs', file);
    const view = new DataView(bytes);
    const [count, start] = [view.getUint32(4, true), 12 + view.getUint32(8, true)];
    const cities = JSON.parse(textOf(bytes.slice(12, start))) as [string, string, number][];
    const digits = digestsIn(hexadecimal(bytes.slice(start)));
    let place = 0;
    for (const [country, city, size] of cities) {
      for (const end = place + size; place < end; place++) {
        const [id, summary, detail] = [digits[place]!, digits[count + place]!, digits[2 * count + place]!];
        entries.push([
          id.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
          country,
          city,
          summary,
          detail,
        ]);
      }
    }
  }
  return entries;
}

/** @throws SignatureError unless a condition holds. */
function ensure(condition: unknown, code: SignatureCode, file: string): asserts condition {
  if (!condition) throw new SignatureError(code, file);
}

const digestsIn = (text: string) => text.match(/.{32}/g) ?? [];
const digestOf = async (value: unknown) => (await sha256(utf8(JSON.stringify(value)))).slice(0, 32);
const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: ArrayBuffer) => new TextDecoder().decode(bytes);
/** Decodes base64 or base64url. */
const bytesOf = (text = '') =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (digit) => digit.charCodeAt(0));
const hexadecimal = (bytes: ArrayBuffer | Uint8Array) =>
  Array.from(new Uint8Array(bytes), (byte) => (byte + 256).toString(16).slice(1)).join('');
const sha256 = async (bytes: Uint8Array<ArrayBuffer> | ArrayBuffer) =>
  hexadecimal(await crypto.subtle.digest('SHA-256', bytes));

/** Tells whether one of the keys made one of the signatures (Ed25519, RFC 8032). */
async function isSigned(text: string, lines: readonly string[], keys: readonly string[]): Promise<boolean> {
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('spki', bytesOf(key), 'Ed25519', false, ['verify']);
    for (const line of lines) {
      const signature = bytesOf(`${objectOf(line)?.signature ?? ''}`);
      if (await crypto.subtle.verify('Ed25519', imported, signature, utf8(text))) return true;
    }
  }
  return false;
}
