/** Releases made in memory, without a build. */

import { INDEX_KEY, partKey } from '../../src/contract/document-keys.ts';
import { headerGroup, storedHeaders } from '../../src/contract/headers.ts';
import {
  CURRENT_KEY,
  citiesKey,
  documentCopyKey,
  imageListKey,
  mediaKey,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  rootKey,
  totalKey,
} from '../../src/contract/object-keys.ts';
import type { ReleaseObjectKind } from '../../src/contract/object-kinds.ts';
import { createListMaker, type ReleaseSource } from '../../src/publish/release-source.ts';
import { digestOf } from '../../src/release/digest.ts';
import { openLeaves } from '../../src/release/leaves.ts';
import { assembleRelease, parseWholeRoot } from '../../src/release/read-release.ts';
import { objectsOf, type PublishedObject, type Release, readIds } from '../../src/release/release.ts';
import {
  type BuildIdentity,
  imageLists,
  type ReleaseSettings,
  serializeCurrent,
  toIndexTemplate,
} from '../../src/release/root-contents.ts';
import { joinSummaries } from '../../src/release/sequence.ts';
import { readWholeBody } from '../../src/storage/body.ts';
import { parseCityShard } from '../../src/tree/format/city-table.ts';
import type { Root } from '../../src/tree/format/root.ts';
import type { Summary } from '../conformance/fixture.ts';
import { makeTree } from '../conformance/tree.ts';

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
  /** First digit of its name. @default any */
  readonly initial?: string | undefined;
  /** Time of its commit. @default null: it has no commit */
  readonly time?: string | null | undefined;
  /** What differs from the settings of most releases. */
  readonly api?: Partial<ReleaseSettings> | undefined;
  /** Documents by key, without the tree. */
  readonly documents?: Readonly<Record<string, Buffer | string>> | undefined;
  /** In the order of the sequence. */
  readonly properties: readonly MadeProperty[];
  /** Number of properties in a part. @default 2 */
  readonly inPart?: number | undefined;
  /** The ends of the chunks. @default one chunk */
  readonly ends?: readonly number[] | undefined;
};

/** A source that provides the content of each of its objects. */
export type MadeSource = ReleaseSource & {
  /** Every object but pages and totals, by key. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  /** The bytes of a page or total, made once; undefined for another object. */
  readonly lists: (object: PublishedObject) => Buffer | undefined;
  readonly detail: (id: string) => Promise<string>;
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
  initial,
  time = null,
  api = {},
  documents = {},
  properties,
  inPart = 2,
  ends,
}: Making): MadeSource {
  const texts = new Map(properties.map((property) => [property.id, textsOf(property)]));
  const photos = [...new Set(properties.flatMap(({ photo }) => photo ?? []))];
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
  const bodies = new Map<string, Buffer>();
  const digests: Record<string, string> = {};
  for (const [key, given] of Object.entries(documents)) {
    const body = Buffer.from(given);
    // A made `index.json` does not name its release.
    const original = key === INDEX_KEY ? toIndexTemplate(body, 'none') : body;
    digests[key] = digestOf(original);
    bodies.set(key, body);
    bodies.set(documentCopyKey(digests[key]), original);
  }
  const images = [...imageLists(photos.map(photoFile).sort())];
  for (const { digest, bytes } of images) bodies.set(imageListKey(digest), bytes);
  const keys = [...Object.keys(digests), ...photos.map(photoKey)];
  const others = {
    settings,
    headers: headerDigests(settings, keys),
    documents: digests,
    images: images.map(({ digest }) => digest),
  };
  const { release, files } = makeTree(
    [...texts.values()].map(({ summary }) => JSON.parse(summary) as Summary),
    new Map([...texts].map(([id, { detail }]) => [id, detail])),
    inPart,
    others,
    ends,
    initial,
  );
  for (const [key, body] of files) bodies.set(key, body);
  for (const photo of photos) bodies.set(photoKey(photo), Buffer.from(`photo ${photo}`));
  for (const [id, { detail }] of settings.layout === 'packed' ? [] : texts)
    bodies.set(propertyKey(id), Buffer.from(detail));
  const build = buildOf(time);
  bodies.set(CURRENT_KEY, serializeCurrent({ release, build }));
  const parsed = parseWholeRoot(bodies.get(rootKey(release))!, release)!;
  const { root } = parsed;
  IDS.set(root, [...texts.keys()].sort());
  const tables = root.cityShards.map(({ digest }) => parseCityShard(bodies.get(citiesKey(digest))!)!);
  const leaves = openLeaves({ read: async (key) => bodies.get(key) });
  const listOf = createListMaker(joinSummaries([...texts.values()].map(({ summary }) => summary)));
  const made = new Map<string, Buffer>();
  const lists = (object: PublishedObject) => {
    if (object.kind !== 'page' && object.kind !== 'total') return undefined;
    const body = made.get(object.key) ?? listOf(object);
    made.set(object.key, body);
    return body;
  };
  return {
    release: assembleRelease(parsed, build, leaves, photos.map(photoFile), tables),
    bodies,
    isFromBucket: false,
    check: async () => {},
    detail: async (id) => texts.get(id)!.detail,
    lists,
    body: async (object) => lists(object) ?? bodies.get(object.key)!,
  };
}

/** The commit that is made up for a time. */
function buildOf(time: string | null): BuildIdentity {
  return { commit: time === null ? null : time.replace(/\D/g, '').padEnd(40, '0'), time };
}

/** A source as if it were built from a commit of this time. */
export function dated<Dated extends ReleaseSource>(source: Dated, time: string | null): Dated {
  const build = buildOf(time);
  const bodies = 'bodies' in source ? { bodies: datedBodies(source as unknown as MadeSource, build) } : {};
  return { ...source, ...bodies, release: { ...source.release, build } };
}

function datedBodies({ bodies, release }: MadeSource, build: BuildIdentity) {
  return new Map(bodies).set(CURRENT_KEY, serializeCurrent({ release: release.name, build }));
}

const IDS = new WeakMap<Root, readonly string[]>();

/** The ids of a made release, sorted. */
export const idsOfMade = ({ root }: Release): readonly string[] => IDS.get(root)!;

export const KINDS: readonly ReleaseObjectKind[] = [
  ...(['root', 'images', 'media', 'asset', 'part', 'list', 'copy', 'detail', 'page', 'total'] as const),
  ...(['problem', 'country', 'document', 'index'] as const),
];

/** Every object of a release. */
export const allObjects = (release: Release, ids = IDS.get(release.root)!) =>
  KINDS.flatMap((kind) => [...objectsOf(release, kind, release.hasPages ? ids : [])]);

function headerDigests({ cache_control, layout }: ReleaseSettings, keys: readonly string[]) {
  const files =
    layout === 'pages' ? [propertyKey(''), pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER)] : [];
  const all = [rootKey(''), documentCopyKey(''), partKey(''), CURRENT_KEY, ...files, ...keys];
  return Object.fromEntries(
    all.map((key) => {
      const { contentType, cacheControl } = storedHeaders(key, cache_control, false);
      return [headerGroup(key), digestOf(JSON.stringify([contentType, cacheControl]))];
    }),
  );
}

/** Every object of a source with its bytes, by key, as text. */
export async function contentOf(source: ReleaseSource): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const object of allObjects(source.release, await readIds(source.release)))
    found.set(object.key, (await readWholeBody(await source.body(object))).toString('latin1'));
  const { name: release, build } = source.release;
  found.set(CURRENT_KEY, serializeCurrent({ release, build }).toString('latin1'));
  return found;
}
