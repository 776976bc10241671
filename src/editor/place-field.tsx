/** The coordinates field: typed coordinates, a pasted link, or a marker on the map. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { useEditor } from './editing-context.ts';
import { FindingList } from './field.tsx';
import { useFindings, useForm, useUnfinished } from './form-context.ts';
import { readPlace } from './pasted-place.ts';
import type { PickMap } from './pick-map.ts';
import { textAt } from './values.ts';

const LATITUDE = ['latitude'] as const;
const LONGITUDE = ['longitude'] as const;

export function PlaceField() {
  const { values, leave } = useForm();
  const north = useFindings(LATITUDE);
  const east = useFindings(LONGITUDE);
  const [latitude, longitude] = [textAt(values, LATITUDE), textAt(values, LONGITUDE)];
  const written = latitude || longitude ? `${latitude}, ${longitude}` : '';
  const choose = (north: string | null, east: string | null) => {
    type(undefined, { path: LATITUDE, value: north }, { path: LONGITUDE, value: east });
    leave('latitude');
    leave('longitude');
  };
  const { text, type, settle } = useUnfinished(LATITUDE, (typed) => {
    if (typed === written) type(undefined);
    else if (typed.trim() === '') choose(null, null);
    else {
      const place = readPlace(typed);
      if ('problem' in place) return place.problem;
      choose(place.latitude, place.longitude);
    }
    return undefined;
  });
  const findings = [...north.findings, ...east.findings];
  return (
    <div class="control stack tight wide">
      <div class="field">
        <label for={north.id}>Place on the map</label>
        <input
          {...north.attributes}
          type="text"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={findings.some(({ severity }) => severity === 'error')}
          placeholder="Such as 53.27194, -9.04889, or a link from a map"
          value={text ?? written}
          onInput={(event) => type(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text/plain');
            if (!pasted) return;
            event.preventDefault();
            type(pasted);
            settle();
          }}
          onBlur={settle}
          onKeyDown={(event) => event.key === 'Enter' && settle()}
        />
      </div>
      <p class="quiet help" id={`${north.id}-help`}>
        Paste latitude and longitude, or the link of the place from OpenStreetMap or Google Maps. Or click on
        the map; the mark can be dragged, or moved with the arrow keys.
      </p>
      <FindingList id={north.id} findings={findings} />
      <PickMapView latitude={latitude} longitude={longitude} choose={choose} />
    </div>
  );
}

type PickMapViewProps = {
  readonly latitude: string;
  readonly longitude: string;
  readonly choose: (latitude: string, longitude: string) => void;
};

/** Metres from which a move asks: a stray click on the outline map moves a property by kilometres. */
const FAR = 2000;

type FarMove = { readonly point: readonly [latitude: string, longitude: string]; readonly metres: number };

function PickMapView({ latitude, longitude, choose }: PickMapViewProps) {
  const { settings } = useEditor().catalogue;
  const element = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<PickMap>();
  const [far, setFar] = useState<FarMove>();
  const take = (point: FarMove['point'], metres: number) => {
    setFar(metres > FAR ? { point, metres } : undefined);
    if (metres <= FAR) choose(...point);
  };
  const taken = useRef(take);
  taken.current = take;
  useEffect(() => {
    let made: PickMap | undefined;
    let isGone = false;
    import('./pick-map.ts').then(({ createPickMap }) => {
      if (isGone || !element.current) return;
      made = createPickMap(element.current, settings, (north, east, metres) =>
        taken.current([north, east], metres),
      );
      setMap(made);
    });
    return () => {
      isGone = true;
      made?.remove();
    };
  }, []);
  // A refused move puts the mark back.
  useEffect(() => {
    if (far) return;
    const [north, east] = [Number(latitude), Number(longitude)];
    const isPoint = latitude !== '' && longitude !== '' && Math.abs(north) <= 90 && Math.abs(east) <= 180;
    map?.show(isPoint ? { latitude: north, longitude: east } : undefined);
  }, [map, latitude, longitude, far]);
  return (
    <>
      <div ref={element} class="map pick-map" />
      {far && (
        <p class="notice small flow" role="alert">
          <span>This moves the property by {Math.round(far.metres / 1000).toLocaleString('en')} km.</span>
          <Button
            look="small"
            onClick={() => {
              choose(...far.point);
              setFar(undefined);
            }}
          >
            Move it
          </Button>
          <Button look="small" onClick={() => setFar(undefined)}>
            Leave it where it was
          </Button>
        </p>
      )}
    </>
  );
}
