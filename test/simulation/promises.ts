/** Promise 7: no release is removed before the promised time. */
import type { KeptReleases } from '../../src/contract/document-schemas.ts';
import { KEPT_RELEASES_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { json } from './reading.ts';
import { ROOT } from './rest.ts';
import type { Effect, Store, Stored } from './store.ts';

export function createPromises(store: () => Store, complain: (text: string) => void) {
  /** Promises that are still in force. */
  const promised = (list: Stored | undefined) =>
    (list ? json<KeptReleases>(list).releases : []).filter(
      // Around a step of the store's clock, its times are not comparable.
      ({ keptUntil }) => keptUntil && store().behind() === 0 && Date.parse(keptUntil) > store().time(),
    );
  return {
    /** Returns whether the effect changed the list. `isForced`: by a prune that may break promises. */
    observe({ key, before, after, process }: Effect, isForced: boolean): boolean {
      if (key !== KEPT_RELEASES_KEY) {
        const [, name] = ROOT.exec(key) ?? [];
        const list = store().objects.get(KEPT_RELEASES_KEY);
        const early = !after && !isForced && promised(list).find(({ release }) => release === name);
        if (early) complain(`${process.name} prunes ${name}, which is promised until ${early.keptUntil}`);
        return false;
      }
      const now = new Map(
        (after ? json<KeptReleases>(after).releases : []).map((one) => [one.release, one.keptUntil ?? '']),
      );
      for (const { release, keptUntil } of isForced ? [] : promised(before))
        if ((now.get(release) ?? '') < keptUntil!)
          complain(`${process.name} promises ${release} for less than ${keptUntil}`);
      for (const [release] of now)
        if (!store().objects.has(rootKey(release)))
          complain(`${process.name} promises ${release}, whose root is gone`);
      return true;
    },
  };
}
