/** Where a city is typed or chosen (WAI-ARIA Authoring Practices, "Combobox with list autocomplete"). */
import { useId, useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import { type CitySuggestion, suggestCities } from './city-search.ts';

/** Most cities that are suggested at once. */
const MOST = 12;

/** What the field needs. */
export type CityFieldProps = {
  readonly countries: Countries | undefined;
  /** Code of the country that is chosen; empty for none. */
  readonly country: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly choose: (suggestion: CitySuggestion) => void;
};

/** The field, with suggestions that have their numbers. */
export function CityField({ countries, country, text, setText, choose }: CityFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = isOpen && countries ? suggestCities(countries, country, text, MOST) : [];
  const take = (suggestion: CitySuggestion) => {
    setOpen(false);
    setActive(-1);
    choose(suggestion);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) {
      event.preventDefault();
      setOpen(true);
      const count = Math.max(suggestions.length, 1);
      setActive(active < 0 && move < 0 ? count - 1 : (active + move + count) % count);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      setOpen(false);
      setActive(-1);
    } else if (event.key === 'Enter' && suggestions[active]) {
      event.preventDefault();
      take(suggestions[active]);
    }
  };
  const isShown = suggestions.length > 0;
  return (
    <div class="field city-field">
      <label for={id}>City</label>
      <input
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder="All cities"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Cities" class="suggestions" hidden={!isShown}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the field's
          <div
            key={`${suggestion.country} ${suggestion.city}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus, and with it the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(suggestion)}
          >
            <span>
              {suggestion.city} <span class="quiet">{suggestion.place}</span>
            </span>
            <span class="count">{suggestion.properties.toLocaleString('en')}</span>
          </div>
        ))}
      </div>
      <span class="unseen" role="status">
        {isOpen && countries && text !== '' && `${suggestions.length} suggestions`}
      </span>
    </div>
  );
}
