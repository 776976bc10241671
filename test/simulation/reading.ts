/** Parses objects of a store. Equal bytes are parsed once: schedules share most of theirs. */
import {
  CURRENT_KEY,
  chunkKey,
  citiesKey,
  imageListKey,
  prunedRootKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { openLeaves } from '../../src/release/leaves.ts';
import { assembleRelease, parseWholeRoot } from '../../src/release/read-release.ts';
import { objectsOf, type Release, sharedKeys } from '../../src/release/release.ts';
import {
  type Current,
  parseCurrent,
  parseImageList,
  UNKNOWN_BUILD,
} from '../../src/release/root-contents.ts';
import { parseChunk } from '../../src/tree/format/chunk.ts';
import { parseCityShard } from '../../src/tree/format/city-table.ts';
import { parseRoot } from '../../src/tree/format/root.ts';
import { allObjects } from '../publish/made.ts';
import type { SimulatedSource } from './releases.ts';
import type { Stored } from './store.ts';

/** Caches results by argument. */
export function once<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const found = known.get(key);
    if (found) return found.value;
    const value = work(key);
    known.set(key, { value });
    return value;
  };
}

const parseJson = once((body: Buffer) => JSON.parse(body.toString('utf8')) as unknown);
const tableIn = once((body: Buffer) => parseCityShard(body)!);
/** Complete releases by the bytes of their root. */
const whole = new WeakMap<Buffer, Release>();

export function json<T>({ body }: Stored): T {
  return parseJson(body) as T;
}

const currentIn = once(parseCurrent);
const imagesIn = once((body: Buffer) => parseImageList(body)!);

/** Undefined if missing or damaged. */
export function currentOf(object: Stored | undefined): Current | undefined {
  return object && currentIn(object.body);
}

/**
 * Undefined if the root is missing.
 * @param objects contain its tree; a release lacks the properties of missing leaves
 */
export function releaseOf(
  name: string,
  objects: ReadonlyMap<string, Stored>,
  stored = objects.get(rootKey(name)),
): Release | undefined {
  const body = stored?.body;
  if (!body) return undefined;
  const parsed = parsedIn(body);
  const { root, contents } = parsed;
  const tables = root.cityShards.flatMap(({ digest }) => objects.get(citiesKey(digest)) ?? []);
  const chunks = root.chunks.flatMap(({ digest }) => objects.get(chunkKey(digest)) ?? []);
  const lists = contents.images.flatMap((digest) => objects.get(imageListKey(digest)) ?? []);
  const isWhole =
    tables.length === root.cityShards.length &&
    chunks.length === root.chunks.length &&
    lists.length === contents.images.length;
  const known = isWhole ? whole.get(body) : undefined;
  if (known) return known;
  const release = assembleRelease(
    parsed,
    UNKNOWN_BUILD,
    openLeaves({ read: async (key) => objects.get(key)?.body, isPartial: true }),
    lists.flatMap((list) => imagesIn(list.body)),
    isWhole ? tables.map((table) => tableIn(table.body)) : undefined,
  );
  IDS.set(release, chunks.flatMap((chunk) => idsIn(chunk.body).map(({ id }) => id)).sort());
  if (isWhole) whole.set(body, release);
  return release;
}

const IDS = new WeakMap<Release, readonly string[]>();

/** Sorted. */
export const idsOfRelease = (release: Release): readonly string[] => IDS.get(release) ?? [];

/** A root, even if a prune has moved it. */
export function movedRoot(name: string, objects: ReadonlyMap<string, Stored>): Stored | undefined {
  return objects.get(rootKey(name)) ?? objects.get(prunedRootKey(name));
}

/** Objects of a release that stay until it is pruned: none without its root, even if a prune has moved that. */
export function keptKeysIn(name: string, objects: ReadonlyMap<string, Stored>): readonly string[] {
  const release = releaseOf(name, objects, movedRoot(name, objects));
  return release ? sharedKeys(release) : [];
}

const parsedIn = once((body: Buffer) => parseWholeRoot(body, digestOf(body))!);
const rootIn = once((body: Buffer) => parseRoot(body, digestOf(body))!);

const idsIn = once(
  (body: Buffer) => JSON.parse(`[${Buffer.from(parseChunk(body)!.entries).toString()}]`) as { id: string }[],
);
const linesIn = once((body: Buffer) =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; photo: { url: string }[] }),
);

type Objects = ReadonlyMap<string, Stored>;

/** The live root; undefined if missing. */
function rootNamed(current: Stored | undefined, objects: Objects) {
  const root = current && objects.get(rootKey(currentIn(current.body)!.release));
  return root && rootIn(root.body);
}

/** Ids in the lists of the live packed release. */
export function idsOfRoot(current: Stored | undefined, objects: Objects): { id: string }[] {
  const chunks = rootNamed(current, objects)?.chunks ?? [];
  return chunks.flatMap(({ digest }) => {
    const chunk = objects.get(chunkKey(digest));
    return chunk ? idsIn(chunk.body) : [];
  });
}

/** Objects that readers of the live packed release need. */
export function keysOfRoot(objects: Objects): string[] {
  const current = objects.get(CURRENT_KEY);
  if (!current) return [];
  const { chunks = [], details = [] } = rootNamed(current, objects) ?? {};
  return [
    rootKey(currentIn(current.body)!.release),
    ...chunks.map(({ digest }) => chunkKey(digest)),
    ...details.map(({ digest }) => partOf(digest)),
  ];
}

/** Details inside the parts of the live packed release, and of those that `current.json` names besides it. */
export function detailsOfRoot(objects: Objects) {
  const { release, before = [] } = currentOf(objects.get(CURRENT_KEY)) ?? {};
  const names = release === undefined ? [] : [release, ...before];
  const roots = names.flatMap((name) => objects.get(rootKey(name)) ?? []);
  const details = new Map(
    roots.flatMap(({ body }) => rootIn(body).details.map((part) => [part.digest, part] as const)),
  );
  return [...details.values()].flatMap(({ digest }) => {
    const part = objects.get(partOf(digest));
    return part ? linesIn(part.body) : [];
  });
}

const partOf = (digest: string) => `_catalogue/parts/${digest}.ndjson`;

const KINDS = [
  'media',
  'detail',
  'page',
  'total',
  'document',
  'part',
  'list',
  'copy',
  'images',
  'root',
] as const;

/** All keys that follow from a root. What names the root is written last, so that nothing of the tree is live before. */
export const keysNamed: (release: Release) => readonly string[] = once((release) =>
  KINDS.flatMap((kind) =>
    [...objectsOf(release, kind, release.hasPages ? idsOfRelease(release) : [])].map(({ key }) => key),
  ),
);

/** All objects of a release by key. */
export const bodiesOf: (source: SimulatedSource) => ReadonlyMap<string, Buffer> = once((source) => {
  const objects = allObjects(source.release);
  return new Map(
    objects.map((object) => [object.key, source.lists(object) ?? source.bodies.get(object.key)!]),
  );
});
