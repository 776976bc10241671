/** Promise 2: no object that a reader can reach is missing. */
import { CURRENT_KEY, MANIFEST_KEY, propertyKey } from '../../src/contract/object-keys.ts';
import { currentIn, detailsOfRoot, idsOfRoot, json, keysNamed, keysOfRoot, releaseOf } from './reading.ts';
import type { Layout } from './releases.ts';
import type { Effect, Stored } from './store.ts';

const PAGES = '_catalogue/pages/';
const PROPERTIES = '_catalogue/properties/';

/** The ids in the lists of a bucket. */
export type Lists = {
  /** The ids that they name now. */
  readonly named: () => Iterable<string>;
  readonly has: (id: string) => boolean;
  /** Takes in a change of the bucket. Returns whether it may change the named ids. */
  readonly observe: (effect: Effect) => boolean;
  /** Ids that the replaced object named, and the milliseconds for which caches may go on doing so. */
  readonly replaced: (effect: Effect) => { readonly ids: readonly { id: string }[]; readonly life: number };
  /** Reads all of them. */
  readonly recount: () => void;
  /** Returns whether reading all of them gives the result of the single changes. */
  readonly isRight: () => boolean;
};

export function createLists(
  objects: () => ReadonlyMap<string, Stored>,
  layout: Layout,
  lifeOf: (release: string) => number,
): Lists {
  const isPage = (key: string) => key.startsWith(PAGES) && key.endsWith('.json');
  const idsOfPage = (page: Stored) => json<{ data: { id: string }[] }>(page).data;
  const all = (): { id: string }[] => {
    if (layout === 'packed') return idsOfRoot(objects().get(CURRENT_KEY), objects());
    const ids: { id: string }[] = [];
    for (const [key, object] of objects())
      if (isPage(key)) for (const one of idsOfPage(object)) ids.push(one);
    return ids;
  };

  /** The number of lists that name each id. */
  let counts = new Map<string, number>();
  const count = (ids: readonly { id: string }[], by: 1 | -1) => {
    for (const { id } of ids) {
      const number = (counts.get(id) ?? 0) + by;
      if (number === 0) counts.delete(id);
      else counts.set(id, number);
    }
  };
  const recount = () => {
    counts = new Map();
    count(all(), 1);
  };
  return {
    named: () => counts.keys(),
    has: (id) => counts.has(id),
    observe({ key, before, after }) {
      if (layout === 'packed') {
        if (key !== CURRENT_KEY) return false;
        recount();
        return true;
      }
      if (!key.startsWith(PAGES)) return false;
      if (!isPage(key)) return true;
      if (after) count(idsOfPage(after), 1);
      if (before) count(idsOfPage(before), -1);
      return true;
    },
    replaced({ key, before }) {
      const nothing = { ids: [], life: 0 };
      if (!before) return nothing;
      if (key === CURRENT_KEY && layout === 'packed')
        return { ids: idsOfRoot(before, objects()), life: lifeOf(rootOf(before)) };
      return isPage(key) ? { ids: idsOfPage(before), life: lifeOfPage(before) } : nothing;
    },
    recount,
    isRight() {
      const right = new Set<string>();
      for (const { id } of all()) right.add(id);
      for (const id of right) if (!counts.has(id)) return false;
      return right.size === counts.size;
    },
  };
}

/** The release whose root the object at `CURRENT_KEY` names. */
export function rootOf(current: Stored): string {
  return currentIn(current.body);
}

/** Milliseconds for which caches may serve a page. */
function lifeOfPage({ headers }: Stored): number {
  const found = [...(headers?.cacheControl ?? '').matchAll(/(?:max-age|revalidate)=(\d+)/g)];
  return 1000 * found.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

/** Reports every object that a reader is led to and that is missing. */
export function checkReaders(
  present: ReadonlyMap<string, Stored>,
  named: Iterable<string>,
  isForeign: boolean,
  complain: (text: string) => void,
): void {
  const need = (key: string, by: string) => {
    if (!present.has(key)) complain(`${by} leads to ${key}, which is missing`);
  };
  const details = detailsOfRoot(present);
  const inParts = new Set(details.map(({ id }) => id));
  for (const id of named) if (!inParts.has(id)) need(propertyKey(id), 'a list');
  for (const { id, photo } of details) for (const { url } of photo) need(url.slice(1), id);
  for (const [key, detail] of present) {
    if (!key.startsWith(PROPERTIES) || !key.endsWith('.json')) continue;
    for (const { url } of json<{ photo: { url: string }[] }>(detail).photo) need(url.slice(1), key);
  }
  for (const key of keysOfRoot(present)) need(key, 'current.json');
  const live = isForeign ? undefined : releaseOf(present.get(MANIFEST_KEY), present);
  for (const key of live ? keysNamed(live) : []) need(key, 'the manifest');
}
