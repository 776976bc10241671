import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import type { MapTown } from '../explorer/map-places.ts';
import { useEditor } from './editing-context.ts';
import { controlId } from './findings.ts';
import { useForm, useUnfinishedInput } from './form-context.ts';
import type { LocationPicker } from './location-picker.ts';

/**
 * Form path of a question: whether to move the property to a distant point. Until the user answers, the form has the
 * point as unfinished text at this path.
 */
const MOVE = ['latitude', 'move'] as const;

/** Metres from which a move must be confirmed: on the outline map, a stray click moves a property by kilometres. */
const MAX_UNCONFIRMED_METRES = 2000;

const UNANSWERED = 'Say at the map whether the property moves there.';

type LocationPickerProps = {
  readonly latitude: string;
  readonly longitude: string;
  readonly towns: readonly MapTown[];
  readonly around: { readonly latitude: string; readonly longitude: string } | undefined;
  readonly chosen: () => void;
};

export function LocationPickerView({ latitude, longitude, towns, around, chosen }: LocationPickerProps) {
  const { resume } = useForm();
  const { text: asked, type } = useUnfinishedInput(MOVE, () => UNANSWERED);
  const move = (at: string) => {
    const [north = '', east = ''] = at.split(', ');
    type(undefined, { path: ['latitude'], value: north }, { path: ['longitude'], value: east });
    chosen();
  };
  const { element, map } = useMap((at) => {
    const isFar = latitude !== '' && metresBetween(`${latitude}, ${longitude}`, at) > MAX_UNCONFIRMED_METRES;
    if (isFar) type(at);
    else move(at);
  });
  const shown = asked ?? `${latitude}, ${longitude}`;
  // A layout effect: a refused move must reset the marker before an arrow key moves it again.
  useLayoutEffect(() => {
    const [north = '', east = ''] = shown.split(', ');
    const point = { latitude: Number(north), longitude: Number(east) };
    const isPoint = north !== '' && east !== '' && Math.abs(point.latitude) <= 90;
    map?.show(isPoint && Math.abs(point.longitude) <= 180 ? point : undefined);
  }, [map, shown]);
  useEffect(() => map?.showTowns(towns), [map, towns]);
  useEffect(() => {
    if (around) map?.centerOn({ latitude: Number(around.latitude), longitude: Number(around.longitude) });
  }, [map, around]);
  const answer = (act: () => void) => {
    act();
    element.current?.querySelector<HTMLElement>('.pin')?.focus({ preventScroll: true });
    resume();
  };
  return (
    <div class="pick-map-frame">
      <div ref={element} class="map pick-map" />
      {asked !== undefined && (
        <MoveQuestion
          metres={metresBetween(`${latitude}, ${longitude}`, asked)}
          isAtBottom={map?.isMarkerInUpperHalf() ?? false}
          move={() => answer(() => move(asked))}
          leave={() => answer(() => type(undefined))}
        />
      )}
    </div>
  );
}

function useMap(take: (at: string) => void) {
  const { settings } = useEditor().catalogue;
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<LocationPicker>();
  const taken = useRef(take);
  taken.current = take;
  useEffect(() => {
    let made: LocationPicker | undefined;
    let isGone = false;
    import('./location-picker.ts').then(({ createLocationPicker }) => {
      if (isGone || !element.current) return;
      made = createLocationPicker(element.current, settings, (north, east) =>
        taken.current(`${north}, ${east}`),
      );
      setMap(made);
    });
    return () => {
      isGone = true;
      made?.remove();
    };
  }, [settings.tiles?.url]);
  return { element, map };
}

type MoveQuestionProps = {
  readonly metres: number;
  readonly isAtBottom: boolean;
  readonly move: () => void;
  readonly leave: () => void;
};

function MoveQuestion({ metres, isAtBottom, move, leave }: MoveQuestionProps) {
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => {
    question.current?.scrollIntoView({ block: 'nearest' });
    question.current?.querySelector('button')?.focus({ preventScroll: true });
  }, []);
  const id = controlId(MOVE);
  return (
    <div
      ref={question}
      class={`move-question panel flow${isAtBottom ? ' below' : ''}`}
      role="alertdialog"
      aria-labelledby={`${id}-question`}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    >
      <p id={`${id}-question`}>
        This moves the property by {Math.round(metres / 1000).toLocaleString('en')} km. Is it there?
      </p>
      <Button id={id} look="small primary" onClick={move}>
        Move it
      </Button>
      <Button look="small" onClick={leave}>
        Leave it where it was
      </Button>
    </div>
  );
}

const EARTH_RADIUS = 6_371_000;

function metresBetween(one: string, other: string): number {
  const [a, b] = [one, other].map((text) =>
    text.split(', ').map((degrees) => (Number(degrees) * Math.PI) / 180),
  );
  const [north = 0, east = 0] = a ?? [];
  const [otherNorth = 0, otherEast = 0] = b ?? [];
  const height = Math.sin((otherNorth - north) / 2) ** 2;
  const width = Math.cos(north) * Math.cos(otherNorth) * Math.sin((otherEast - east) / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, height + width)));
}
