/** Releases made in memory, without a build. */

import { headerGroup } from '../../src/contract/headers.ts';
import type { ReleaseKind } from '../../src/contract/kinds.ts';
import { mediaKey, propertyKey, rootKey, sequenceKey } from '../../src/contract/object-keys.ts';
import { createLists, type Source } from '../../src/publish/source.ts';
import { columnsOf } from '../../src/release/columns.ts';
import type { Comparable } from '../../src/release/comparison.ts';
import { digestOf } from '../../src/release/digest.ts';
import { isRooted, MANIFEST_VERSION, type Manifest, namedIn, withNamed } from '../../src/release/manifest.ts';
import { encodePiece, parsePiece, type SequencePiece } from '../../src/release/pieces.ts';
import { assembleRelease, parseManifest, parseRelease } from '../../src/release/read.ts';
import { headersOf, objectsOf, type PublishedObject, type Release } from '../../src/release/release.ts';
import { joinSummaries } from '../../src/release/sequence.ts';
import { wholeOf } from '../../src/storage/body.ts';
import type { Summary } from '../conformance/fixture.ts';
import { packSummaries } from '../conformance/packed.ts';

/** A property of such a release. */
export type MadeProperty = {
  readonly id: string;
  readonly title: string;
  /** @default IE */
  readonly country?: string | undefined;
  /** @default Cork */
  readonly city?: string | undefined;
  /** Name of its photo, without the extension. @default none */
  readonly photo?: string | undefined;
  /** What only its detail shows. @default none */
  readonly email?: string | undefined;
};

/** What to make. */
export type Making = {
  /** @default a digest of all other options */
  readonly name?: string | undefined;
  /** Time of its commit. @default null: it has no commit */
  readonly time?: string | null | undefined;
  /** What differs from the settings of most releases. */
  readonly api?: Partial<Manifest['api']> | undefined;
  /** Documents by key, without the tree. */
  readonly documents?: Readonly<Record<string, Buffer | string>> | undefined;
  /** In the order of the sequence. */
  readonly properties: readonly MadeProperty[];
  /** Number of properties in a part. @default 2 */
  readonly inPart?: number | undefined;
  /** The ends of the pieces that the manifest names. @default none: the manifest holds the sequence */
  readonly ends?: readonly number[] | undefined;
};

/** A source that provides the content of each of its objects. */
export type MadeSource = Source & {
  /** Every object but pages and totals, by key. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  /** The bytes of a page or total, made once; undefined for another object. */
  readonly lists: (object: PublishedObject) => Buffer | undefined;
};

export const CACHING = {
  api: 'public, max-age=20, stale-while-revalidate=20',
  media: 'public, max-age=31536000, immutable',
  problem: 'max-age=10',
  release: 'max-age=10',
} as const;

export const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Properties in an order that a sequence may have: those of a country, and of a city, one after the other. */
export function inOrder(properties: readonly MadeProperty[]): MadeProperty[] {
  const place = ({ country = 'IE', city = 'Cork', id }: MadeProperty) => `${country} ${city} ${id}`;
  return [...properties].sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** Name of a photo, in the order of the given ones; 32 digits, as of every image. */
const photoFile = (photo: string) => `${Buffer.from(photo).toString('hex').padEnd(32, '0')}.jpg`;
export const photoKey = (photo: string) => mediaKey(photoFile(photo));

/** Summary and detail of a property, as published. */
export function textsOf({ id, title, country = 'IE', city = 'Cork', photo, email }: MadeProperty) {
  const url = photo === undefined ? undefined : `/${photoKey(photo)}`;
  return {
    summary: JSON.stringify({ id, title, city, country, thumbnail: url ?? null }),
    detail: JSON.stringify({ title, city, country, email, photo: url === undefined ? [] : [{ url }] }),
  };
}

/** Makes a release. */
export function makeSource({
  name,
  time = null,
  api = {},
  documents = {},
  properties,
  inPart = 2,
  ends,
}: Making): MadeSource {
  const texts = new Map(properties.map((property) => [property.id, textsOf(property)]));
  const photos = [...new Set(properties.flatMap(({ photo }) => photo ?? []))];
  const bodies = new Map<string, Buffer>();
  const digests: Record<string, string> = {};
  const entries = properties.map(({ id, country = 'IE', city = 'Cork' }): Comparable => {
    const { summary, detail } = texts.get(id)!;
    return { id, country, city, summaryDigest: digestOf(summary), detailDigest: digestOf(detail) };
  });
  const pieces = ends?.map((end, index) =>
    encodePiece(entries, columnsOf(entries), ends[index - 1] ?? 0, end),
  );
  const inPieces = pieces?.map((piece) => [sequenceKey(digestOf(piece)), piece] as const) ?? [];
  const settings = {
    base: '',
    url: 'https://stays.example',
    media_url: 'https://stays.example',
    page_sizes: [2],
    layout: 'pages' as const,
    cache_control: CACHING,
    api_keys: false,
    ...api,
  };
  const given = Object.entries(documents).map(([key, body]) => [key, body.toString('latin1')]);
  const release = name ?? digestOf(JSON.stringify([settings, given, photos, entries]));
  const tree = packSummaries(
    [...texts.values()].map(({ summary }) => JSON.parse(summary) as Summary),
    new Map([...texts].map(([id, { detail }]) => [id, detail])),
    inPart,
    release,
  );
  for (const [key, given] of [...Object.entries(documents), ...inPieces, ...tree.files]) {
    const body = typeof given === 'string' ? Buffer.from(given) : given;
    bodies.set(key, body);
    digests[key] = digestOf(body);
  }
  for (const photo of photos) bodies.set(photoKey(photo), Buffer.from(`photo ${photo}`));
  for (const [id, { detail }] of settings.layout === 'packed' ? [] : texts)
    bodies.set(propertyKey(id), Buffer.from(detail));
  const content = {
    api: settings,
    documents: digests,
    media: photos.map(photoFile),
    sequence: pieces
      ? {
          total: entries.length,
          pieces: pieces.map((piece) => digestOf(piece)),
          counts: ends!.map((end, index) => end - (ends![index - 1] ?? 0)),
        }
      : entries.map((entry) => Object.values(entry)),
  };
  const manifest = {
    version: MANIFEST_VERSION,
    release,
    build: buildOf(time),
    headers: {},
    ...content,
  };
  const read = pieces?.map((piece) => parsePiece(piece, digestOf(piece))!);
  const parse = (value: object) => parsed(bytesOf(value as Manifest, bodies), bodies, read);
  const opened = parse({ ...manifest, headers: headerDigests(parse(manifest)) });
  const listOf = createLists(joinSummaries([...texts.values()].map(({ summary }) => summary)));
  const made = new Map<string, Buffer>();
  const lists = (object: PublishedObject) => {
    if (object.kind !== 'page' && object.kind !== 'total') return undefined;
    const body = made.get(object.key) ?? listOf(object);
    made.set(object.key, body);
    return body;
  };
  return {
    release: opened,
    bodies,
    isKept: false,
    check: async () => {},
    summary: async (id) => texts.get(id)!.summary,
    detail: async (id) => texts.get(id)!.detail,
    lists,
    body: async (object) => lists(object) ?? bodies.get(object.key)!,
  };
}

/** The commit that is made up for a time. */
function buildOf(time: string | null): Manifest['build'] {
  return { commit: time === null ? null : time.replace(/\D/g, '').padEnd(40, '0'), time };
}

/** A source as if it were built from a commit of this time. */
export function dated<Dated extends Source>(source: Dated, time: string | null): Dated {
  const { manifest, pieces } = source.release;
  const { bodies } = source as Partial<MadeSource>;
  const bytes = bytesOf({ ...manifest, build: buildOf(time) }, bodies);
  return { ...source, release: parsed(bytes, bodies, pieces) };
}

type Bodies = MadeSource['bodies'] | undefined;

/** Adds the documents that only the root names. */
function whole(manifest: Manifest, bodies: Bodies): Manifest {
  const root = isRooted(manifest) ? bodies?.get(rootKey(manifest.release)) : undefined;
  return root ? withNamed(manifest, namedIn(root)!) : manifest;
}

/** A manifest without the documents that its root names. */
function bytesOf({ named: _, ...manifest }: Manifest, bodies: Bodies): Buffer {
  const named = whole({ ...manifest, named: undefined, documents: {} }, bodies).documents;
  const own = Object.entries(manifest.documents).filter(([key]) => !Object.hasOwn(named, key));
  const joined = (digests: readonly string[]) => Buffer.from(digests.join(''), 'hex').toString('base64url');
  const { sequence } = manifest;
  const names = 'pieces' in sequence ? { [sequenceKey('*')]: joined(sequence.pieces) } : {};
  return Buffer.from(JSON.stringify({ ...manifest, documents: Object.fromEntries(own), names }));
}

/** The release of a manifest, and of the root and the pieces that it names. */
function parsed(bytes: Buffer, bodies: Bodies, pieces: readonly SequencePiece[] | undefined): Release {
  if (!pieces) return parseRelease(bytes)!;
  const found = new Map(pieces.map((piece) => [piece.digest, piece]));
  return assembleRelease(whole(parseManifest(bytes)!, bodies), bytes, found, false)!;
}

export const KINDS: readonly ReleaseKind[] = [
  ...(['root', 'media', 'asset', 'part', 'packed', 'detail', 'page', 'total'] as const),
  ...(['problem', 'country', 'document', 'index', 'current'] as const),
];

/** Every object of a release, the manifest apart. */
export const allObjects = (release: Release) => KINDS.flatMap((kind) => [...objectsOf(release, kind)]);

function headerDigests(release: Release): Record<string, string> {
  const keys = allObjects(release).map(({ key }) => key);
  return Object.fromEntries(
    keys.map((key) => {
      const { contentType, cacheControl } = headersOf(release, key);
      return [headerGroup(key), digestOf(JSON.stringify([contentType, cacheControl]))];
    }),
  );
}

/** Every object of a source with its bytes, by key, as text. */
export async function contentOf(source: Source): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const object of allObjects(source.release))
    found.set(object.key, (await wholeOf(await source.body(object))).toString('latin1'));
  return found;
}
