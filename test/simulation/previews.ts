/** Promise of previews: they change nothing that is live, and a preview is complete for readers until it expires. */

import { isSharedKey } from '../../src/contract/object-kinds.ts';
import { parsePreviewPointer } from '../../src/contract/preview-keys.ts';
import { sharedKeys } from '../../src/release/release.ts';
import { json, once } from './reading.ts';
import type { SimulatedSource } from './releases.ts';
import type { Effect, Store, Stored } from './store.ts';

export const PREVIEWS = '_previews/';

export type PreviewTask = { readonly name: string; readonly days: number };

const pointerIn = once((body: Buffer) => parsePreviewPointer(body)!);
/** A preview has its own root and documents. */
const isNoneOfIt = (key: string) => /^_catalogue\/(?:roots|documents)\//.test(key);

export function createPreviews(
  store: () => Store,
  sources: ReadonlyMap<string, SimulatedSource>,
  complain: (text: string) => void,
) {
  let isUsed = false;
  const check = (what: string) => {
    const { objects, time } = store();
    for (const [key, pointer] of objects) {
      const [, name] = /^_previews\/([^/]+)\/_catalogue\/current\.json$/.exec(key) ?? [];
      if (name === undefined) continue;
      const { release, expires, own } = pointerIn(pointer.body);
      if (Date.parse(expires) <= time()) continue;
      const folder = `${PREVIEWS}${name}/${release}/`;
      const kept = sharedKeys(sources.get(release)!.release).filter((one) => !isNoneOfIt(one));
      for (const one of [...own.map((one) => folder + one), ...kept])
        if (!objects.has(one)) complain(`${one} of the preview ${name} is missing (${what})`);
    }
  };
  return {
    atRest() {
      const { objects } = store();
      for (const key of objects.keys()) {
        const [, name, release] = /^_previews\/([^/]+)\/([0-9a-f]{32})\//.exec(key) ?? [];
        if (name === undefined) continue;
        const pointer = objects.get(`${PREVIEWS}${name}/_catalogue/current.json`);
        if (!pointer || pointerIn(pointer.body).release !== release)
          complain(`${key} of the preview ${name} is left`);
      }
    },
    /** Previews that still have a list of used objects. */
    names: () =>
      [...store().objects.keys()].flatMap(
        (key) => /^_previews\/([^/]+)\/[^/]+\/used\.json$/.exec(key)?.[1] ?? [],
      ),
    /**
     * Returns whether the effect concerns only previews.
     * @param isPublisher whether the process publishes a preview
     */
    observe({ process, key, before, after }: Effect, isPublisher: boolean): boolean {
      const isOfPreview = key.startsWith(PREVIEWS);
      isUsed ||= isOfPreview;
      if (isPublisher && !isOfPreview && (before || !after || !isSharedKey(key)))
        complain(`${process.name} ${after ? 'replaced' : 'removed'} ${key}, which a preview may not`);
      const isPointer = isOfPreview && key.endsWith('/current.json');
      if (isUsed && (!after || isPointer)) check(`${process.name} ${after ? 'wrote' : 'removed'} ${key}`);
      return isOfPreview || isPublisher;
    },
  };
}

/** Immutable objects that previews use or used. */
export function usedByPreviews(objects: ReadonlyMap<string, Stored>): ReadonlySet<string> {
  const lists = [...objects].filter(([key]) => key.startsWith(PREVIEWS) && key.endsWith('/used.json'));
  return new Set(lists.flatMap(([, list]) => json<string[]>(list)));
}
