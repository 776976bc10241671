/**
 * Archive of the content of releases: summary and detail of every property, and the documents. A large release has its
 * properties in pieces shared with other releases, and separately those changed since, so that a publish reads and
 * writes only changes.
 *
 * All files are compressed lines of JSON. Lines of a release's index: `["manifest", text]`, the first one;
 * `["piece", from, digest]`, the properties from an id on; `["property", id, summary, detail]`, which overrides the
 * pieces; `["text", key, text]`; `["document", key]` for a separate object, and `["document", key, base64]`. A piece
 * consists of property lines.
 */

import { isUtf8 } from 'node:buffer';
import { DATA_PACKAGE_KEY, INDEX_KEY } from '../../contract/document-keys.ts';
import { propertyKey } from '../../contract/object-keys.ts';
import { divide } from '../../packed/format/divide.ts';
import { textHashes } from '../../packed/format/text-hash.ts';
import type { Comparable } from '../../release/comparison.ts';
import { digestOf } from '../../release/digest.ts';
import {
  differingEntries,
  documentKeys,
  documentKind,
  entryOf,
  type Release,
} from '../../release/release.ts';
import { sortedIds } from '../../release/sorted-ids.ts';
import { type Body, wholeOf, writeBody } from '../../storage/body.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { forEach } from '../../storage/for-each.ts';
import {
  ARCHIVE_HEADERS,
  archivedDocumentKey,
  pieceKey,
  releaseObjectsKey,
} from '../../storage/reserved-keys.ts';
import type { Source } from '../source.ts';
import { compressed, linesOf } from './compressed-lines.ts';

/** Largest number of properties outside pieces; a release with no more has no pieces. */
export const MAX_APART = 1000;
/**
 * Largest document in an index, in bytes, of those that a release may share with the one before; larger ones are objects,
 * so that a release does not store them again.
 */
const MAX_DOCUMENT = 8_000;
/** Documents that differ between any two releases. */
const OWN_DOCUMENTS: readonly string[] = [INDEX_KEY, DATA_PACKAGE_KEY];
/** Pieces and documents in flight: with 8, their writes took 2.6 s where an answer takes 100 ms. Each piece holds 0.5 MB. */
const CONCURRENCY = 24;
const HELD_PIECES = 16;

/** Sizes of a piece of the archive, in properties: 256 on average. */
const ARCHIVED = { every: 2048, most: 384 };

export type ArchivedProperty = { readonly summary: string; readonly detail: string };

type Piece = { readonly from: string; readonly digest: string };

export type ArchiveIndex = {
  /** Ascending by `from`, the lowest id of each piece. */
  readonly pieces: readonly Piece[];
  readonly apart: ReadonlyMap<string, ArchivedProperty>;
  /** Bytes of documents by key; undefined for those stored as separate objects. */
  readonly documents: ReadonlyMap<string, Buffer | undefined>;
};

/** Reads the index of a release, without its manifest; undefined when it is absent. @throws Error when it is damaged. */
export async function readIndex(bucket: Bucket, name: string): Promise<ArchiveIndex | undefined> {
  const object = await bucket.read(releaseObjectsKey(name));
  if (!object) return undefined;
  const pieces: Piece[] = [];
  const apart = new Map<string, ArchivedProperty>();
  const documents = new Map<string, Buffer | undefined>();
  for await (const [kind, key = '', first, detail = ''] of linesOf(object.body)) {
    if (kind === 'manifest') continue;
    if (kind === 'piece') pieces.push({ from: key, digest: first ?? '' });
    else if (kind === 'property') apart.set(key, { summary: first ?? '', detail });
    else if (kind === 'text') documents.set(key, Buffer.from(first ?? ''));
    else documents.set(key, first === undefined ? undefined : Buffer.from(first, 'base64'));
  }
  return { pieces, apart, documents };
}

export async function readArchivedManifest(bucket: Bucket, name: string): Promise<Buffer | undefined> {
  const object = await bucket.read(releaseObjectsKey(name));
  try {
    for await (const [kind, text = ''] of object ? linesOf(object.body) : [])
      return kind === 'manifest' ? Buffer.from(text) : undefined;
  } catch {
    // As one that is absent.
  }
  return undefined;
}

function isObject({ documents }: ArchiveIndex, key: string): boolean {
  return documents.has(key) && documents.get(key) === undefined;
}

export function keysOf(index: ArchiveIndex, { manifest }: Pick<Release, 'manifest'>): string[] {
  const { pieces, documents } = index;
  const apart = [...documents.keys()].filter((key) => isObject(index, key));
  return [
    ...pieces.map(({ digest }) => pieceKey(digest)),
    ...apart.map((key) => archivedDocumentKey(manifest.documents[key] ?? '')),
  ];
}

/**
 * Makes a lookup of archived properties. Pieces are read on demand, and the last ones cached.
 *
 * @returns a lookup by id; its result is undefined when the archive does not match the manifest.
 */
export function openProperties(
  bucket: Bucket,
  release: Release,
  { pieces, apart }: Pick<ArchiveIndex, 'pieces' | 'apart'>,
): (id: string) => Promise<ArchivedProperty | undefined> {
  const held = new Map<string, Promise<ReadonlyMap<string, ArchivedProperty>>>();
  const readPiece = async (digest: string) => {
    const found = new Map<string, ArchivedProperty>();
    const object = await bucket.read(pieceKey(digest));
    try {
      for await (const [, id = '', summary = '', detail = ''] of object ? linesOf(object.body) : [])
        found.set(id, { summary, detail });
    } catch {
      // The lookup below reports the missing property.
    }
    return found;
  };
  return async (id) => {
    const entry = entryOf(release, id);
    let property = apart.get(id);
    const digest = property ? undefined : pieceOf(pieces, id)?.digest;
    if (digest !== undefined) {
      const piece = held.get(digest) ?? readPiece(digest);
      held.delete(digest);
      held.set(digest, piece);
      if (held.size > HELD_PIECES) held.delete(held.keys().next().value!);
      property = (await piece).get(id);
    }
    const isSound =
      entry &&
      property &&
      digestOf(property.summary) === entry.summaryDigest &&
      digestOf(property.detail) === entry.detailDigest;
    return isSound ? property : undefined;
  };
}

function pieceOf(pieces: readonly Piece[], id: string): Piece | undefined {
  let [low, high] = [-1, pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pieces[middle]!.from <= id) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

export type ArchivedContent = { readonly release: Release; readonly index: ArchiveIndex };

/**
 * Archives the content of a release, its index last.
 *
 * @param last the previous release, whose pieces and documents exist.
 * @param isFresh makes pieces that have only this release's properties.
 */
export async function writeContent(
  bucket: Bucket,
  source: Source,
  last: ArchivedContent | undefined,
  { isFresh = false }: { isFresh?: boolean } = {},
): Promise<void> {
  const { release, body } = source;
  const put = (key: string, bytes: Body) => writeBody(bucket, key, bytes, ARCHIVE_HEADERS);
  const property = async (id: string) => {
    const detail = await wholeOf(await body({ kind: 'detail', key: propertyKey(id), id }));
    return ['property', id, await source.summary(id), detail.toString('utf8')];
  };
  const { pieces, apart, made } = placeProperties(release, isFresh ? undefined : last);
  const present = new Set(last?.index.pieces.map(({ digest }) => digest));
  const missing = made.filter(({ digest }) => !present.has(digest));
  await forEach(missing, CONCURRENCY, async ({ digest, ids }) => {
    await put(pieceKey(digest), await compressed(ids(), property));
  });
  const documents = new Map<string, readonly string[]>();
  await forEach(documentKeys(release, { kept: false }), CONCURRENCY, async (key) => {
    const digest = release.manifest.documents[key]!;
    if (last && isObject(last.index, key) && last.release.manifest.documents[key] === digest) return;
    const bytes = await body({ kind: documentKind(key), key });
    const place = archivedDocumentKey(digest);
    if (Buffer.isBuffer(bytes) && (bytes.length <= MAX_DOCUMENT || OWN_DOCUMENTS.includes(key)))
      documents.set(
        key,
        isUtf8(bytes) ? ['text', key, `${bytes}`] : ['document', key, bytes.toString('base64')],
      );
    else if (!(await bucket.inspect(place))) await put(place, bytes);
  });
  const lines = async function* () {
    yield ['manifest', release.bytes.toString('utf8')];
    for (const { from, digest } of pieces) yield ['piece', from, digest];
    for (const id of apart) yield await property(id);
    for (const key of documentKeys(release, { kept: false })) yield documents.get(key) ?? ['document', key];
  };
  await put(releaseObjectsKey(release.name), await compressed(lines(), async (line) => line));
}

export function isStale({ release, index }: ArchivedContent): boolean {
  const fresh = new Set(placeProperties(release, undefined).pieces.map(({ digest }) => digest));
  return index.pieces.some(({ digest }) => !fresh.has(digest));
}

/** A piece to make. `ids` is a function, so that only the piece being made has its ids in memory. */
type MadePiece = Piece & { readonly ids: () => readonly string[] };

/**
 * Divides the properties of a release into pieces and separate ones; `made` lists the pieces that may have to be
 * written.
 */
function placeProperties(
  release: Release,
  last: ArchivedContent | undefined,
): { pieces: readonly Piece[]; made: readonly MadePiece[]; apart: readonly string[] } {
  const { sequence } = release;
  // Parts and chunks have them.
  if (!release.hasDetails) return { pieces: [], made: [], apart: [] };
  if (sequence.length <= MAX_APART)
    return { pieces: [], made: [], apart: Array.from(sequence, ({ id }) => id) };
  const apart = last && last.index.pieces.length > 0 ? apartFrom(release, last) : undefined;
  if (apart) return { pieces: last!.index.pieces, made: [], apart };
  // Sorted by id, as a listing of the bucket is, so that a property keeps its place when its title changes.
  const sorted = sortedIds(sequence);
  let start = 0;
  const hashes = textHashes(sorted.length, (place) => sorted.at(place)!);
  const made = divide(hashes, ARCHIVED).map((end) => {
    const [from, count] = [start, end - start];
    start = end;
    const ids = () => Array.from({ length: count }, (_, index) => sorted.at(from + index)!);
    const lines = ids().map((id) => {
      const { summaryDigest, detailDigest } = entryOf(release, id)!;
      return `${id} ${summaryDigest} ${detailDigest}\n`;
    });
    return { from: sorted.at(from)!, digest: digestOf(lines.join('')), ids };
  });
  return { pieces: made, made, apart: [] };
}

/** Ids of the properties that differ from the pieces of another release; undefined for more than {@link MAX_APART}. */
function apartFrom(release: Release, last: ArchivedContent): string[] | undefined {
  const { before, after } = differingEntries(last.release, release);
  const old = new Map<string, Comparable>();
  for (const entry of before) old.set(entry.id, entry);
  const apart = new Set([...last.index.apart.keys()].filter((id) => release.places.has(id)));
  for (const { id, summaryDigest, detailDigest } of after) {
    const was = old.get(id);
    if (was?.summaryDigest !== summaryDigest || was.detailDigest !== detailDigest) apart.add(id);
    if (apart.size > MAX_APART) return undefined;
  }
  return [...apart].sort((a, b) => release.places.get(a)! - release.places.get(b)!);
}
