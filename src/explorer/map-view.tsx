import { useEffect, useRef, useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import type { CatalogueMap, MapOptions, NumberedResults } from './map.ts';
import type { MapPoint } from './map-places.ts';

type MapViewProps = Omit<MapOptions, 'settings'> & {
  readonly places: readonly MapPoint[];
  readonly numbers: NumberedResults;
  /** Id of the highlighted place. */
  readonly active?: string | undefined;
  readonly onReady?: (map: CatalogueMap) => void;
};

/** Loads the map code on first use. */
export function MapView({ places, numbers, active, onReady, ...options }: MapViewProps) {
  const { settings } = useCatalogue();
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<CatalogueMap | 'failed'>();
  useEffect(() => {
    let made: CatalogueMap | undefined;
    let isGone = false;
    import('./map.ts').then(
      ({ createMap }) => {
        if (isGone || !element.current) return;
        made = createMap(element.current, { settings, ...options });
        setMap(made);
        onReady?.(made);
      },
      () => setMap('failed'),
    );
    return () => {
      isGone = true;
      made?.remove();
    };
  }, []);
  const ready = map === 'failed' ? undefined : map;
  useEffect(() => ready?.show(places, numbers), [ready, places, numbers]);
  useEffect(() => ready?.highlight(active), [ready, active, places, numbers]);
  if (map === 'failed') return <p class="notice">The map could not be loaded.</p>;
  return <div ref={element} class="map" />;
}
