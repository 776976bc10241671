import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Summary } from '../contract/property.ts';
import { CatalogueContext, type Position, useCatalogue } from './catalogue.ts';
import { MapView } from './map-view.tsx';
import { linkTo, useNavigation } from './navigation.ts';
import { Picture } from './picture.tsx';
import type { View } from './view.ts';

/** What the map needs. */
export type ResultsMapProps = {
  readonly view: View;
  readonly summaries: readonly Summary[];
  readonly active: string | undefined;
  readonly setActive: (id: string | undefined) => void;
  readonly nameOf: (country: string) => string;
};

/** Details that are asked for at the same time. */
const AT_ONCE = 6;

/** The properties of a page of the list on a map. A list does not tell where they are, so their details are asked. */
export function ResultsMap({ view, summaries, active, setActive, nameOf }: ResultsMapProps) {
  const catalogue = useCatalogue();
  const navigation = useNavigation();
  const { positions, isDone, failed } = usePositions(summaries);
  const places = summaries.flatMap(({ id, title }, index) => {
    const position = positions.get(id);
    return position ? [{ id, position, name: `${index + 1}: ${title}`, mark: String(index + 1) }] : [];
  });
  // The map keeps this function, so it looks up what is current.
  const current = useRef({ view, summaries });
  current.current = { view, summaries };
  const contentOf = (id: string) => {
    const place = document.createElement('div');
    const summary = current.current.summaries.find((one) => one.id === id);
    if (summary) {
      const link = linkTo(navigation, { ...current.current.view, property: id });
      render(
        <CatalogueContext.Provider value={catalogue}>
          <a class="popup" {...link}>
            <Picture url={summary.thumbnail} description="" id={id} />
            <strong>{summary.title}</strong>
            <span>
              {summary.city}, {nameOf(summary.country)}
            </span>
          </a>
        </CatalogueContext.Provider>,
        place,
      );
    }
    return place;
  };
  return (
    <div class="results-map">
      <MapView
        label="Map of the results"
        places={useStable(places)}
        active={active}
        isWhole={isDone}
        onActive={setActive}
        contentOf={contentOf}
      />
      {!isDone && (
        <p class="map-note" role="status">
          Placing {places.length} of {summaries.length}…
        </p>
      )}
      {failed > 0 && (
        <p class="map-note" role="status">
          {failed} could not be placed.
        </p>
      )}
    </div>
  );
}

/** The same list as before, as long as it holds the same places. */
function useStable<Item extends { id: string }>(items: readonly Item[]): readonly Item[] {
  const kept = useRef(items);
  const isSame =
    items.length === kept.current.length && items.every(({ id }, index) => id === kept.current[index]!.id);
  if (!isSame) kept.current = items;
  return kept.current;
}

/** Asks where properties are, a few at a time. */
function usePositions(summaries: readonly Summary[]) {
  const catalogue = useCatalogue();
  const ids = summaries.map(({ id }) => id).join(' ');
  const [found, setFound] = useState({
    ids: '',
    positions: new Map<string, Position>(),
    failed: 0,
    isDone: false,
  });
  useEffect(() => {
    const leaving = new AbortController();
    const positions = new Map<string, Position>();
    let failed = 0;
    const waiting = ids.split(' ');
    const tell = (isDone: boolean) => {
      if (!leaving.signal.aborted) setFound({ ids, positions: new Map(positions), failed, isDone });
    };
    const work = async () => {
      for (let id = waiting.shift(); id && !leaving.signal.aborted; id = waiting.shift()) {
        try {
          positions.set(id, await catalogue.position(id, leaving.signal));
        } catch {
          failed++;
        }
        if (positions.size % AT_ONCE === 0) tell(false);
      }
    };
    Promise.all(Array.from({ length: AT_ONCE }, work)).then(() => tell(true));
    return () => leaving.abort();
  }, [ids]);
  return found.ids === ids ? found : { positions: NONE, failed: 0, isDone: false };
}

const NONE: ReadonlyMap<string, Position> = new Map();
