/** Checks what a client reads against the signed statement of its release (docs/publishing.md, "Signed releases"). */
import { LIST_PATH, MANIFEST_KEY, statementKey } from '../contract/keys.ts';
import type { Statement } from '../contract/statement.ts';
import { objectOf, type ProblemError, type SignatureCode, SignatureError } from './errors.ts';
import type { ClientOptions, ListQuery } from './options.ts';
import type { Page, Property } from './types.ts';

type Entry = readonly [id: string, country: string, city: string, summary: string, detail: string];

/** What the client needs of a manifest. */
type Manifest = {
  readonly documents: Readonly<Record<string, string>>;
  readonly names?: Readonly<Record<string, string>>;
  readonly sequence: readonly Entry[] | { readonly pieces: unknown };
};

type Signed = { readonly statement: Statement; readonly manifest: Manifest };

/** Checks answers. Each method throws a `SignatureError` for an answer that the key did not sign. */
export type Trust = {
  readonly signed: () => Promise<Signed>;
  readonly file: (file: string, text: string) => Promise<void>;
  readonly page: (query: ListQuery, page: Page) => Promise<void>;
  readonly property: (id: string, property: Property) => Promise<void>;
};

/** Milliseconds by which the clock may be wrong. */
const TOLERANCE = 3_600_000;

/**
 * @param read reads a file as text.
 * @returns undefined without a key.
 */
export function createTrust(
  { key, seen = 0, catalogue }: ClientOptions,
  read: (file: string) => Promise<string>,
): Trust | undefined {
  if (key === undefined) return undefined;
  let known: Signed | undefined;
  const load = async (): Promise<Signed> => {
    const text = await read(MANIFEST_KEY);
    const manifest = objectOf(text) as Manifest | undefined;
    ensure(manifest, 'manifest-damaged', MANIFEST_KEY);
    const digest = await sha256(text);
    const file = statementKey(digest);
    const lines = await read(file).catch((error: ProblemError) => {
      ensure(error.status !== 404, 'statement-missing', file);
      throw error;
    });
    const [line, ...signatures] = lines.split('\n');
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
  const check = async (file: string, isSame: (manifest: Manifest) => Promise<boolean>) => {
    if (await isSame((await signed()).manifest)) return;
    known = undefined;
    ensure(await isSame((await signed()).manifest), 'object-differs', file);
  };
  const entriesOf = ({ sequence }: Manifest): readonly Entry[] => {
    ensure(Array.isArray(sequence), 'too-large', MANIFEST_KEY);
    return sequence as readonly Entry[];
  };
  return {
    signed,
    file: (file, text) =>
      check(file, async ({ documents, names }) => {
        const digest = (await sha256(text)).slice(0, 32);
        return documents[file] === digest || !!names?.[file.replace(digest, '*')]?.includes(digest);
      }),
    page: ({ country, city, page = 1, size }, { data, meta }) =>
      check(LIST_PATH, async (manifest) => {
        const all = entriesOf(manifest).filter(
          ([, at, town]) => at === (country ?? at) && town === (city ?? town),
        );
        const { current_page, per_page, total_entries } = meta.pagination;
        const digests = all.slice((page - 1) * per_page, page * per_page).map(([, , , summary]) => summary);
        const stated = [current_page, per_page, total_entries, ...(await Promise.all(data.map(digestOf)))];
        return `${stated}` === `${[page, size ?? per_page, all.length, ...digests]}`;
      }),
    property: (id, property) =>
      check(id, async (manifest) => {
        const digest = await digestOf(property);
        return entriesOf(manifest).some((entry) => entry[0] === id && entry[4] === digest);
      }),
  };
}

/** @throws SignatureError unless a condition holds. */
function ensure(condition: unknown, code: SignatureCode, file: string): asserts condition {
  if (!condition) throw new SignatureError(code, file);
}

const digestOf = async (value: unknown) => (await sha256(JSON.stringify(value))).slice(0, 32);
const utf8 = (text: string) => new TextEncoder().encode(text);
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (digit) => digit.charCodeAt(0));

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)));
  return [...bytes].map((byte) => (byte + 256).toString(16).slice(1)).join('');
}

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
