/** Releases of a few properties, made without a build: small enough for a million schedules. */

import { NDJSON_KEY } from '../../src/contract/document-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { CACHING, idOf, type MadeSource, makeSource, textsOf } from '../publish/made.ts';

/** Seconds for which caches may serve the lists of each release: max-age and stale-while-revalidate together. */
const LIST_LIVES = [90, 20, 40, 40, 40];
/** The same for the object that names the root. */
const ROOT_LIFE = 10;

export type Layout = 'pages' | 'packed';

/** Properties of a release. */
type Content = readonly (readonly [number: number, title: string, photo: string])[];

/** Consecutive releases add, remove, restore and change properties, and swap photos. */
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

/** `time`: of its commit. */
export type SimulatedSource = MadeSource & {
  readonly time: number;
  /** Milliseconds for which caches may serve its lists. */
  readonly life: number;
};

/**
 * Oldest commit first. The last two have the same content and different commits.
 * @param hasHistory they offer downloads, so their changes are recorded
 * @param inChunks they have several chunks, some of them shared
 */
export function createReleases(layout: Layout, hasHistory: boolean, inChunks = false): SimulatedSource[] {
  const contents = [...CONTENTS, CONTENTS.at(-1)!];
  return contents.map((content, index) => createSource(content, index, { layout, hasHistory, inChunks }));
}

type Kind = { readonly layout: Layout; readonly hasHistory: boolean; readonly inChunks: boolean };

function createSource(
  content: Content,
  index: number,
  { layout, hasHistory, inChunks }: Kind,
): SimulatedSource {
  const properties = content.map(([number, title, photo]) => ({ id: idOf(number), title, photo }));
  const texts = properties.map(textsOf);
  const of = digestOf(JSON.stringify([layout, content]));
  const documents: Record<string, string | Buffer> = { 'openapi.json': `{"of":"${of}"}` };
  if (hasHistory) documents[NDJSON_KEY] = texts.map(({ detail }) => `${detail}\n`).join('');
  const time = Date.UTC(2026, index, 1);
  const life = LIST_LIVES[index]!;
  const cache_control = {
    ...CACHING,
    api: `public, max-age=${life - 15}, stale-while-revalidate=15`,
    release: `max-age=${ROOT_LIFE}`,
  };
  const source = makeSource({
    ...{ time: new Date(time).toISOString(), api: { layout, cache_control }, documents, properties },
    ends: inChunks ? chunkEnds(content) : undefined,
  });
  return { ...source, time, life: 1000 * (life + (layout === 'packed' ? ROOT_LIFE : 0)) };
}

/** At most two properties per chunk; releases share chunks. */
function chunkEnds(content: Content): number[] {
  const groupOf = (index: number) => Math.floor((content[index]?.[0] ?? -1) / 2);
  return content.map((_, index) => index + 1).filter((end) => groupOf(end) !== groupOf(end - 1));
}
