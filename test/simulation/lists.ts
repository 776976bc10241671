/** Promise 2: no object that a reader can reach is missing. */
import { CURRENT_KEY, propertyKey } from '../../src/contract/object-keys.ts';
import { currentOf, detailsOfRoot, idsOfRoot, json, keysNamed, keysOfRoot, releaseOf } from './reading.ts';
import type { Layout } from './releases.ts';
import type { Effect, Stored } from './store.ts';

const PAGES = '_catalogue/pages/';
const PROPERTIES = '_catalogue/properties/';

/** Ids in the lists of a bucket, updated with each change. */
export type Lists = {
  /** Ids that lists name now. */
  readonly named: () => Iterable<string>;
  readonly has: (id: string) => boolean;
  /** Processes a change. Returns whether the named ids may have changed. */
  readonly observe: (effect: Effect) => boolean;
  /** Ids that the replaced object named, and for how many milliseconds caches may still serve it. */
  readonly replaced: (effect: Effect) => { readonly ids: readonly { id: string }[]; readonly life: number };
  /** Reads all lists from scratch. */
  readonly recount: () => void;
  /** Whether reading from scratch gives the same result. */
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

  /** How many lists name each id. */
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

/** Name of the release whose root is live. */
function rootOf(current: Stored): string {
  return currentOf(current)!.release;
}

/** Milliseconds for which caches may serve the page. */
function lifeOfPage({ headers }: Stored): number {
  const found = [...(headers?.cacheControl ?? '').matchAll(/(?:max-age|revalidate)=(\d+)/g)];
  return 1000 * found.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

/** Reports missing objects that readers are led to. */
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
  const live = isForeign ? undefined : releaseOf(currentOf(present.get(CURRENT_KEY))?.release ?? '', present);
  for (const key of live ? keysNamed(live) : []) need(key, 'the live release');
}
