/** Parsed objects of a store. Equal bytes are parsed once: schedules share most of theirs. */
import { sequenceKey } from '../../src/contract/keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import type { Manifest } from '../../src/release/manifest.ts';
import { parsePiece } from '../../src/release/pieces.ts';
import { assembleRelease, parseManifest, parseRelease } from '../../src/release/read.ts';
import { objectsOf, type Release } from '../../src/release/release.ts';
import type { SimulatedSource } from './releases.ts';
import type { Stored } from './store.ts';

/** Calls a pure function once for each argument. */
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
const inlineRelease = once(parseRelease);
const pieceIn = once((body: Buffer) => parsePiece(body, digestOf(body)));
/** Complete releases, by the bytes of their manifests. */
const whole = new WeakMap<Buffer, Release>();

/** The value of an object that holds JSON. */
export function json<T>({ body }: Stored): T {
  return parseJson(body) as T;
}

/** A manifest; undefined when it is absent, or damaged. */
export function manifestOf(object: Stored | undefined): Manifest | undefined {
  return object && manifestIn(object.body);
}

/**
 * The release of a manifest; undefined when it is absent, or a damaged one.
 *
 * @param objects have the pieces of its sequence; without one of them, the release is without its properties.
 */
export function releaseOf(
  object: Stored | undefined,
  objects: ReadonlyMap<string, Stored>,
): Release | undefined {
  const manifest = manifestOf(object);
  if (!object || !manifest) return undefined;
  const { sequence } = manifest;
  if (!('pieces' in sequence)) return inlineRelease(object.body);
  const present = sequence.pieces.flatMap((digest) => objects.get(sequenceKey(digest)) ?? []);
  const isWhole = present.length === sequence.pieces.length;
  const known = isWhole ? whole.get(object.body) : undefined;
  if (known) return known;
  const found = new Map(
    present.flatMap(({ body }) => pieceIn(body) ?? []).map((piece) => [piece.digest, piece]),
  );
  const release = assembleRelease(manifest, object.body, found, true);
  if (isWhole && release) whole.set(object.body, release);
  return release;
}

const KINDS = ['media', 'detail', 'page', 'total', 'document', 'packed', 'root'] as const;

/** Keys of what a manifest names. What names the root is written last: until then nothing packed is live. */
export const keysNamed: (release: Release) => readonly string[] = once((release) =>
  KINDS.flatMap((kind) => [...objectsOf(release, kind)].map(({ key }) => key)),
);

/** Every object of a release but the manifest, by key. */
export const bodiesOf: (source: SimulatedSource) => ReadonlyMap<string, Buffer> = once((source) => {
  const objects = [...KINDS, 'current' as const].flatMap((kind) => [...objectsOf(source.release, kind)]);
  return new Map(
    objects.map((object) => [object.key, source.lists(object) ?? source.bodies.get(object.key)!]),
  );
});
