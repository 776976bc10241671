import { useMemo, useState } from 'preact/hooks';
import { Button } from '../explorer/button.tsx';
import { Dialog } from '../explorer/dialog.tsx';
import { readPlace } from '../source/pasted-place.ts';
import { errorMessage } from './client.ts';
import { useEditor } from './editing-context.ts';
import { FindingList } from './field.tsx';
import { useFindings, useForm, useUnfinishedInput } from './form-context.ts';
import { textAt } from './form-values.ts';
import { LocationPickerView } from './location-picker-view.tsx';
import { findTowns, largestTowns, loadTowns, similarTowns, type Town, useTowns } from './towns.ts';

const LATITUDE = ['latitude'] as const;
const LONGITUDE = ['longitude'] as const;

const MAX_TOWNS = 8;

function usePlace(id: string) {
  const { values, leave, latestState } = useForm();
  const { countries } = useEditor().catalogue;
  /** Towns with the typed or a similar name. A single exact match is chosen at once. */
  const [towns, setTowns] = useState<readonly Town[]>([]);
  const [latitude, longitude] = [textAt(values, LATITUDE), textAt(values, LONGITUDE)];
  const written = latitude || longitude ? `${latitude}, ${longitude}` : '';
  const chosen = () => {
    leave('latitude');
    leave('longitude');
    setTowns([]);
  };
  const choose = (north: string | null, east: string | null) => {
    type(undefined, { path: LATITUDE, value: north }, { path: LONGITUDE, value: east });
    chosen();
  };
  const chooseTown = (town: Town) => {
    choose(town.latitude, town.longitude);
    setTowns([town]);
  };
  const search = async (name: string): Promise<string | undefined> => {
    const country = textAt(values, ['country']);
    if (country === '') return 'Choose the country first: towns are found by country.';
    const known = await loadTowns(country);
    if (latestState().texts[id] !== name) return undefined;
    const found = known ? findTowns(known, name, MAX_TOWNS) : [];
    const similar = known && found.length === 0 ? similarTowns(known, name, MAX_TOWNS) : [];
    setTowns([...found, ...similar]);
    if (similar.length > 0) return `No town is called ${name}. Did you mean one of those below?`;
    if (found.length > 1) return 'There is more than one such town: choose below.';
    if (found[0]) return void chooseTown(found[0]);
    const where = countries.find(({ code }) => code === country)?.name ?? country;
    return `This page knows no town of this name in ${where}. Write the name of a larger town nearby, and move the mark.`;
  };
  const { text, type, finishInput } = useUnfinishedInput(LATITUDE, (typed) => {
    if (typed === written) type(undefined);
    else if (typed.trim() === '') choose(null, null);
    else {
      const place = readPlace(typed);
      if ('name' in place) return search(typed);
      if ('problem' in place) return place.problem;
      choose(place.latitude, place.longitude);
    }
    return undefined;
  });
  const write = (name: string) => {
    setTowns([]);
    type(name);
  };
  const find = (name: string) => {
    write(name);
    finishInput();
  };
  const take = () => {
    type(undefined);
    chosen();
  };
  return { latitude, longitude, written, text, towns, chooseTown, write, find, finishInput, take };
}

export function PlaceField() {
  const { values } = useForm();
  const { settings } = useEditor().catalogue;
  // Includes inner findings: the question about a distant move has a path below `latitude`.
  const north = useFindings(LATITUDE, true);
  const east = useFindings(LONGITUDE);
  const { latitude, longitude, written, text, towns, chooseTown, write, find, finishInput, take } = usePlace(
    north.id,
  );
  const findings = [...north.findings, ...east.findings];
  const known = useTowns(textAt(values, ['country']));
  const named = useMemo(() => (known && !settings.tiles ? largestTowns(known) : []), [known, settings.tiles]);
  const city = textAt(values, ['city']);
  const isEmpty = !written && text === undefined;
  const [around] = useMemo(() => (known && city ? findTowns(known, city, 1) : []), [known, city]);
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
          placeholder="Such as Galway, or 53.27194, -9.04889"
          value={text ?? written}
          onInput={(event) => write(event.currentTarget.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text/plain');
            if (!pasted) return;
            event.preventDefault();
            find(pasted);
          }}
          onBlur={finishInput}
          onKeyDown={(event) => event.key === 'Enter' && finishInput()}
        />
      </div>
      <p class="quiet help" id={`${north.id}-help`}>
        Click on the map, or drag the mark to the house; arrow keys move it too. Or write a town, or paste
        latitude and longitude, or the link of the place from OpenStreetMap or Google Maps.
      </p>
      <FindingList id={north.id} findings={findings} />
      {isEmpty && around && (
        <Button look="small" onClick={() => find(city)}>
          Put the mark in {around.name}
        </Button>
      )}
      {isEmpty && known && city && !around && (
        <p class="quiet">
          This map has no {city}. Click where it is, or write the name of a larger town nearby.
        </p>
      )}
      <TownsFound towns={towns} isTaken={text === undefined} choose={chooseTown} />
      <LocationPickerView
        latitude={latitude}
        longitude={longitude}
        towns={named}
        around={isEmpty ? around : undefined}
        chosen={take}
      />
      <StreetsOffer isOffered={!settings.tiles && (written !== '' || around !== undefined)} />
    </div>
  );
}

type TownsFoundProps = {
  readonly towns: readonly Town[];
  readonly isTaken: boolean;
  readonly choose: (town: Town) => void;
};

function TownsFound({ towns, isTaken, choose }: TownsFoundProps) {
  const [only] = towns;
  if (!only) return null;
  return (
    <div class="stack tight" role="status">
      {isTaken ? (
        <p>The mark is in the middle of {only.name}. Move it to the property.</p>
      ) : (
        <ul class="chips flow" aria-label="Towns">
          {towns.map((town) => (
            <li key={town.latitude + town.longitude}>
              <Button look="small" onClick={() => choose(town)}>
                {town.name}
                {town.near && `, near ${town.near}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        Towns: <a href="https://www.geonames.org">GeoNames</a>,{' '}
        <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>
      </p>
    </div>
  );
}

/** Asks before it turns on street maps, since they are a setting of the whole catalogue. Then offers Undo. */
function StreetsOffer({ isOffered }: { readonly isOffered: boolean }) {
  const { client } = useEditor();
  const [isAsked, setAsked] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [problem, setProblem] = useState('');
  const change = async (areShown: boolean) => {
    setAsked(false);
    try {
      await client.setStreetMap({ areShown });
      setChanged(areShown);
      setProblem('');
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  if (!isOffered && !isChanged) return null;
  return (
    <div class="notice small stack tight">
      <p class="flow">
        <span role="status">
          {isChanged
            ? 'All maps of this catalogue show streets now.'
            : 'This map shows coasts and towns only.'}
        </span>
        <Button look="small" onClick={() => (isChanged ? void change(false) : setAsked(true))}>
          {isChanged ? 'Undo' : 'Show streets of OpenStreetMap'}
        </Button>
      </p>
      {isAsked && (
        <Dialog label="Streets on all maps" className="dialog" close={() => setAsked(false)}>
          <h2>Show streets on all maps of this catalogue?</h2>
          <p>
            Guests see them too, once this is recorded and sent. The servers of OpenStreetMap then see the
            internet addresses of all who look at a map. They are for light use, without any promise:{' '}
            <a href="https://operations.osmfoundation.org/policies/tiles/">the terms</a>. With many guests,
            ask the colleague who publishes for another source.
          </p>
          <p class="dialog-actions flow">
            <Button look="primary" onClick={() => change(true)}>
              Show streets
            </Button>
            <Button onClick={() => setAsked(false)}>Cancel</Button>
          </p>
        </Dialog>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
