/** Parses objects of a store. Equal bytes are parsed once: schedules share most of theirs. */
import { CURRENT_KEY, chunkKey, citiesKey, rootKey } from '../../src/contract/object-keys.ts';
import { parseChunk } from '../../src/packed/format/chunk.ts';
import { parseCityShard } from '../../src/packed/format/city-table.ts';
import { parseCurrentJson, parseRoot, type Root } from '../../src/packed/format/root.ts';
import { digestOf } from '../../src/release/digest.ts';
import { openLeaves } from '../../src/release/leaves.ts';
import { type Manifest, withTreeDocuments } from '../../src/release/manifest.ts';
import { assembleRelease, parseManifest } from '../../src/release/read.ts';
import { objectsOf, type Release, sharedKeys } from '../../src/release/release.ts';
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
const manifestIn = once(parseManifest);
const tableIn = once((body: Buffer) => parseCityShard(body)!);
/** Complete releases by the bytes of their manifest. */
const whole = new WeakMap<Buffer, Release>();

export function json<T>({ body }: Stored): T {
  return parseJson(body) as T;
}

/** Undefined if missing or damaged. */
export function manifestOf(object: Stored | undefined): Manifest | undefined {
  return object && manifestIn(object.body);
}

/** The manifest is the first line of an archive. */
const archivedBody = once((body: Buffer) => {
  const [, text = ''] = JSON.parse(body.subarray(0, body.indexOf(10)).toString('utf8')) as string[];
  return Buffer.from(text);
});

export function archivedManifest(archive: Stored): Stored {
  return { ...archive, body: archivedBody(archive.body) };
}

const NO_ROOT: Omit<Root, 'release'> = {
  rest: '',
  total: 0,
  countries: [],
  chunks: [],
  shards: [],
  details: [],
  facets: '',
};

/**
 * Undefined if the manifest is missing or damaged.
 * @param objects contain its tree; if chunks or tables are missing, the release has no properties
 */
export function releaseOf(
  object: Stored | undefined,
  objects: ReadonlyMap<string, Stored>,
): Release | undefined {
  const manifest = manifestOf(object);
  if (!object || !manifest) return undefined;
  const body = objects.get(rootKey(manifest.release))?.body;
  const root = body ? rootIn(body) : { ...NO_ROOT, release: manifest.release };
  const tables = root.shards.flatMap(({ digest }) => objects.get(citiesKey(digest)) ?? []);
  const chunks = root.chunks.flatMap(({ digest }) => objects.get(chunkKey(digest)) ?? []);
  const isWhole = body && tables.length === root.shards.length && chunks.length === root.chunks.length;
  const known = isWhole ? whole.get(object.body) : undefined;
  if (known) return known;
  const release = assembleRelease(
    { manifest: wholeManifest(manifest, objects), root },
    object.body,
    openLeaves({ read: async (key) => objects.get(key)?.body, isPartial: true }),
    isWhole ? tables.map((table) => tableIn(table.body)) : undefined,
  );
  IDS.set(release, isWhole ? chunks.flatMap((chunk) => idsIn(chunk.body).map(({ id }) => id)).sort() : []);
  if (isWhole) whole.set(object.body, release);
  return release;
}

const IDS = new WeakMap<Release, readonly string[]>();

/** Sorted. Empty if the tree is incomplete. */
const idsOfRelease = (release: Release): readonly string[] => IDS.get(release) ?? [];

const keysKept = once((manifest: Manifest) => sharedKeys(manifest));

/** Objects of a release that stay until it is pruned. Without a root, only those that the manifest names. */
export function keptKeysIn(manifest: Manifest, objects: ReadonlyMap<string, Stored>): readonly string[] {
  return keysKept(wholeManifest(manifest, objects));
}

const NOTHING = Buffer.of();
/** Manifests with what their roots name, by the bytes of these. */
const wholeManifests = once((_: Manifest) => new WeakMap<Buffer, Manifest>());

/** Adds the documents that only the root names, if the root is present. */
function wholeManifest(manifest: Manifest, objects: ReadonlyMap<string, Stored>): Manifest {
  const body = objects.get(rootKey(manifest.release))?.body;
  const known = wholeManifests(manifest);
  const root = body ? rootIn(body) : { ...NO_ROOT, release: manifest.release };
  const whole = known.get(body ?? NOTHING) ?? withTreeDocuments(manifest, root);
  known.set(body ?? NOTHING, whole);
  return whole;
}

export const currentIn = once((body: Buffer) => parseCurrentJson(body)!);
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
  const root = current && objects.get(rootKey(currentIn(current.body)));
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
    rootKey(currentIn(current.body)),
    ...chunks.map(({ digest }) => chunkKey(digest)),
    ...details.map(({ digest }) => partOf(digest)),
  ];
}

/** Details inside the parts of the live packed release. */
export function detailsOfRoot(objects: Objects) {
  const details = rootNamed(objects.get(CURRENT_KEY), objects)?.details ?? [];
  return details.flatMap(({ digest }) => {
    const part = objects.get(partOf(digest));
    return part ? linesIn(part.body) : [];
  });
}

const partOf = (digest: string) => `_catalogue/parts/${digest}.ndjson`;

const KINDS = ['media', 'detail', 'page', 'total', 'document', 'part', 'packed', 'root'] as const;

/** All keys that a manifest names. What names the root is written last, so that nothing packed is live before. */
export const keysNamed: (release: Release) => readonly string[] = once((release) =>
  KINDS.flatMap((kind) =>
    [...objectsOf(release, kind, release.hasPages ? idsOfRelease(release) : [])].map(({ key }) => key),
  ),
);

/** All objects of a release except the manifest, by key. */
export const bodiesOf: (source: SimulatedSource) => ReadonlyMap<string, Buffer> = once((source) => {
  const objects = allObjects(source.release);
  return new Map(
    objects.map((object) => [object.key, source.lists(object) ?? source.bodies.get(object.key)!]),
  );
});
