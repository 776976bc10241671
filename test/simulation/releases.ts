/** Releases of a few properties, made without a build: small enough for a million schedules. */

import { NDJSON_KEY } from '../../src/contract/document-keys.ts';
import { CURRENT_KEY, chunkKey, mediaKey, propertyKey, rootKey } from '../../src/contract/keys.ts';
import { createLists, type Source } from '../../src/publish/source.ts';
import { digestOf } from '../../src/release/digest.ts';
import { type PublishedObject, parseRelease, type Release } from '../../src/release/release.ts';

/** Seconds for which caches may serve a list: max-age and stale-while-revalidate together. */
export const LIST_LIFE = 40;
/** The same of the object that names the root. */
export const ROOT_LIFE = 10;

export type Layout = 'pages' | 'packed';

/** What a release holds: titles of properties by number, and the photo of each. */
type Content = readonly (readonly [number: number, title: string, photo: string])[];

/** From one to the next, properties come, go, come back, change, and trade photos. */
const CONTENTS: readonly Content[] = [
  [
    [1, 'One', 'a'],
    [2, 'Two', 'b'],
    [3, 'Three', 'c'],
  ],
  [
    [1, 'One', 'd'],
    [2, 'Two, new', 'b'],
  ],
  [
    [2, 'Two', 'b'],
    [3, 'Three', 'a'],
    [4, 'Four', 'e'],
    [5, 'Five', 'e'],
  ],
  [
    [2, 'Two', 'b'],
    [3, 'Three', 'a'],
    [4, 'Four', 'f'],
  ],
];

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A source that says what each of its objects is. */
export type SimulatedSource = Source & {
  readonly bodies: ReadonlyMap<string, Buffer>;
  readonly time: number;
  /** The bytes of a page or total; undefined for another object. */
  readonly lists: (object: PublishedObject) => Buffer | undefined;
};

/**
 * The releases of a layout, from the oldest commit to the newest; the last has the content of the one before and
 * another commit.
 *
 * @param hasHistory whether they offer downloads, so that their changes are recorded.
 */
export function createReleases(layout: Layout, hasHistory: boolean): SimulatedSource[] {
  const made = CONTENTS.map((content, index) => createSource(content, index, layout, hasHistory));
  return [...made, createSource(CONTENTS.at(-1)!, CONTENTS.length, layout, hasHistory)];
}

function createSource(content: Content, index: number, layout: Layout, hasHistory: boolean): SimulatedSource {
  const properties = content.map(([number, title, photo]) => {
    const id = idOf(number);
    const url = `/media/${photo}.jpg`;
    const summary = JSON.stringify({ id, title, city: 'Cork', country: 'IE', thumbnail: url });
    return {
      id,
      title,
      summary,
      detail: JSON.stringify({ title, city: 'Cork', country: 'IE', photo: [{ url }] }),
      photo,
    };
  });
  const name = digestOf(JSON.stringify([layout, content])).slice(0, 32);
  const bodies = new Map<string, Buffer>();
  const documents: Record<string, string> = {};
  const add = (key: string, text: string) => {
    bodies.set(key, Buffer.from(text));
    documents[key] = digestOf(Buffer.from(text));
  };
  add('openapi.json', `{"of":"${name}"}`);
  if (hasHistory) add(NDJSON_KEY, properties.map(({ detail }) => `${detail}\n`).join(''));
  if (layout === 'packed') {
    const chunk = `[${properties.map(({ summary }) => summary).join(',')}]`;
    add(chunkKey(digestOf(chunk)), chunk);
    add(rootKey(name), JSON.stringify({ chunks: [chunkKey(digestOf(chunk))] }));
    add(CURRENT_KEY, JSON.stringify({ root: rootKey(name) }));
  }
  const photos = [...new Set(properties.map(({ photo }) => photo))];
  for (const photo of photos) bodies.set(mediaKey(`${photo}.jpg`), Buffer.from(`photo ${photo}`));
  for (const { id, detail } of properties) bodies.set(propertyKey(id), Buffer.from(detail));
  const time = Date.UTC(2026, 0, 1 + index);
  const manifest = {
    version: 1,
    release: name,
    build: { commit: String(index).repeat(40), time: new Date(time).toISOString() },
    api: {
      base: '',
      page_sizes: [2],
      layout,
      cache_control: {
        api: `public, max-age=${LIST_LIFE - 20}, stale-while-revalidate=20`,
        media: 'public, max-age=31536000, immutable',
        problem: 'max-age=10',
        release: `max-age=${ROOT_LIFE}`,
      },
      api_keys: false,
    },
    headers: {},
    documents,
    media: photos.map((photo) => `${photo}.jpg`),
    sequence: properties.map(({ id, summary, detail }) => [
      id,
      'IE',
      'Cork',
      digestOf(summary),
      digestOf(detail),
    ]),
  };
  const release: Release = parseRelease(Buffer.from(JSON.stringify(manifest)))!;
  const listOf = createLists(properties.map(({ summary }) => summary));
  const made = new Map<string, Buffer>();
  const lists = (object: PublishedObject) => {
    if (object.kind !== 'page' && object.kind !== 'total') return undefined;
    const body = made.get(object.key) ?? listOf(object);
    made.set(object.key, body);
    return body;
  };
  const byId = new Map(properties.map((property) => [property.id, property]));
  return {
    release,
    bodies,
    time,
    isKept: false,
    check: async () => {},
    summary: async (id) => byId.get(id)!.summary,
    detail: async (id) => byId.get(id)!.detail,
    lists,
    body: async (object) => lists(object) ?? bodies.get(object.key)!,
  };
}
