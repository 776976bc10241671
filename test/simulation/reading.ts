/** What objects of a store say. The same bytes are read once: schedules share most of theirs. */
import { objectsOf, parseRelease, type Release } from '../../src/release/release.ts';
import type { SimulatedSource } from './releases.ts';
import type { Stored } from './store.ts';

/** Calls a pure function once for each argument. */
function once<Key extends object, Value>(work: (key: Key) => Value): (key: Key) => Value {
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
const parseManifest = once(parseRelease);

/** The value of an object that holds JSON. */
export function json<T>({ body }: Stored): T {
  return parseJson(body) as T;
}

/** The release of a manifest; undefined when it is absent, or a damaged one. */
export function releaseOf(object: Stored | undefined): Release | undefined {
  return object && parseManifest(object.body);
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
