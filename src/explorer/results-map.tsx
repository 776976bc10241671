import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Summary } from '../contract/property.ts';
import { countText } from '../text/amounts.ts';
import { Button, IconButton } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { CloseIcon } from './icons.tsx';
import type { CatalogueMap, NumberedResults } from './map.ts';
import type { MapPoint } from './map-places.ts';
import { MapView } from './map-view.tsx';
import { useNavigation, viewLinkProps } from './navigation.ts';
import { Picture } from './picture.tsx';
import type { SearchState } from './use-search.ts';
import type { View } from './view.ts';

type ResultsMapProps = {
  readonly view: View;
  readonly found: SearchState;
  readonly places: readonly MapPoint[];
  readonly summaries: readonly Summary[];
  readonly active: string | undefined;
  readonly setActive: (id: string | undefined) => void;
  readonly nameOf: (country: string) => string;
};

const MAX_LISTED = 100;

/** A map of all results; those of the current page are numbered. Lists the properties of the chosen mark. */
export function ResultsMap({ view, found, places, summaries, active, setActive, nameOf }: ResultsMapProps) {
  const map = useRef<CatalogueMap>(null);
  const [inView, setInView] = useState<number>();
  const [chosen, setChosen] = useState<{ places: readonly MapPoint[]; count: number }>();
  useEffect(() => setChosen(undefined), [places]);
  const ids = summaries.map(({ id }) => id).join(' ');
  const numbers: NumberedResults = useMemo(
    () => new Map(summaries.map(({ id, title }, index) => [id, { number: index + 1, title }])),
    [ids],
  );
  const close = useCallback(() => {
    setChosen(undefined);
    map.current?.refocus();
  }, []);
  return (
    <div class="results-map">
      <MapView
        label="Map of the results"
        places={places}
        numbers={numbers}
        active={active}
        onActive={(place) => setActive(place?.id)}
        onChoose={(list, count) => setChosen({ places: list, count })}
        onCountInView={setInView}
        onReady={(made) => {
          map.current = made;
        }}
      />
      <MapNote
        found={found}
        total={places.length}
        inView={inView ?? places.length}
        showAll={() => map.current?.showAll()}
      />
      {chosen && <Chosen {...chosen} view={view} summaries={summaries} nameOf={nameOf} close={close} />}
    </div>
  );
}

type MapNoteProps = {
  readonly found: SearchState;
  readonly total: number;
  readonly inView: number;
  readonly showAll: () => void;
};

function MapNote({
  found: { isLoading, error, tooMany, load, retry },
  total,
  inView,
  showAll,
}: MapNoteProps) {
  return (
    <div class="map-note flow" role="status">
      {tooMany !== undefined && (
        <>
          <p>
            {tooMany.properties.toLocaleString('en')} properties are many to load at once. Choose a country to
            see them on the map.
          </p>
          <Button look="small" onClick={load}>
            Load all, about {Math.ceil(tooMany.bytes / 1e6)} MB
          </Button>
        </>
      )}
      {error !== undefined && (
        <>
          <p>The places could not be loaded.</p>
          <Button look="small" onClick={retry}>
            Try again
          </Button>
        </>
      )}
      {isLoading && <p>Loading the places…</p>}
      {!isLoading && error === undefined && tooMany === undefined && (
        <p>
          {inView < total
            ? `${inView.toLocaleString('en')} of ${total.toLocaleString('en')} in view`
            : `${countText(total, 'property')} on the map`}
        </p>
      )}
      {inView < total && (
        <Button look="small" onClick={showAll}>
          Show all
        </Button>
      )}
    </div>
  );
}

type ChosenProps = Pick<ResultsMapProps, 'view' | 'summaries' | 'nameOf'> & {
  readonly places: readonly MapPoint[];
  readonly count: number;
  readonly close: () => void;
};

function Chosen({ places, count, view, summaries, nameOf, close }: ChosenProps) {
  const navigation = useNavigation();
  const { language } = useCatalogue().settings;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('a')?.focus({ preventScroll: true }), [places]);
  const only = count === 1 ? summaries.find(({ id }) => id === places[0]!.id) : undefined;
  return (
    <section
      class="chosen panel"
      aria-label="Chosen on the map"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      {only?.thumbnail && <Picture url={only.thumbnail} description="" id={only.id} />}
      <ul ref={list}>
        {places.slice(0, MAX_LISTED).map((place) => (
          <li key={place.id}>
            <a {...viewLinkProps(navigation, { ...view, property: place.id })}>
              <strong lang={language}>{place.title}</strong>
              <span class="quiet">
                {place.city}, {nameOf(place.country)}
              </span>
            </a>
          </li>
        ))}
        {count > MAX_LISTED && <li class="quiet">and {(count - MAX_LISTED).toLocaleString('en')} more</li>}
      </ul>
      <IconButton icon={CloseIcon} label="Close" look="round-button close" act={close} />
    </section>
  );
}
