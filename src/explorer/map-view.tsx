import { useEffect, useRef, useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import type { CatalogueMap, MapOptions, Place } from './map.ts';

/** What a map needs. */
export type MapViewProps = Omit<MapOptions, 'settings'> & {
  readonly places: readonly Place[];
  /** What stands out. */
  readonly active?: string | undefined;
  /** Whether the map moves to show all places whenever they differ. */
  readonly isWhole: boolean;
};

/** A map in the page; its code comes with the first one. */
export function MapView({ places, active, isWhole, label, onActive, contentOf }: MapViewProps) {
  const { settings } = useCatalogue();
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<CatalogueMap | 'failed'>();
  useEffect(() => {
    let made: CatalogueMap | undefined;
    let isGone = false;
    import('./map.ts').then(
      ({ createMap }) => {
        if (isGone || !element.current) return;
        made = createMap(element.current, { settings, label, onActive, ...(contentOf ? { contentOf } : {}) });
        setMap(made);
      },
      () => setMap('failed'),
    );
    return () => {
      isGone = true;
      made?.remove();
    };
  }, []);
  const ready = map === 'failed' ? undefined : map;
  useEffect(() => ready?.show(places, isWhole), [ready, places, isWhole]);
  useEffect(() => ready?.highlight(active), [ready, active, places]);
  if (map === 'failed') return <p class="notice">The map could not be loaded.</p>;
  return <div ref={element} class="map" />;
}
