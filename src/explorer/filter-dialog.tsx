import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SearchCount } from '../client/search.ts';
import { identifierToWords } from '../contract/display-text.ts';
import type { ShownField } from '../contract/explorer.ts';
import { countText } from '../text/amounts.ts';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { Dialog } from './dialog.tsx';
import {
  activeFilters,
  filterableFields,
  formatRangeFilter,
  isRangeField,
  parseRangeFilter,
  withFilterValues,
} from './filters.ts';
import { FilterIcon } from './icons.tsx';
import { useNavigation } from './navigation.ts';
import { useSearch } from './use-search.ts';
import type { View } from './view.ts';

export function FilterButton({ view }: { view: View }) {
  const { fields } = useCatalogue().settings;
  const [isOpen, setOpen] = useState(false);
  const count = activeFilters(view, fields).length;
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <FilterIcon />
        Filters
        {count > 0 && <span class="badge digits">{count}</span>}
      </Button>
      {isOpen && <FilterSheet view={view} close={() => setOpen(false)} />}
    </>
  );
}

function FilterSheet({ view, close }: { view: View; close: () => void }) {
  const navigation = useNavigation();
  const { fields } = useCatalogue().settings;
  const [draft, setDraft] = useState(view);
  // A search without filters gives the options, so that none disappears while the reader chooses.
  const offered = useSearch({ ...view, facilities: [], filter: {} }, true);
  const { result } = useSearch(draft, true);
  const { tooMany, error } = offered;
  const isReady = offered.result && result;
  const show = () => {
    navigation.go({ ...draft, page: 1 }, 'stay');
    close();
  };
  return (
    <Dialog label="Filters" className="dialog sheet" close={close}>
      <h2>Filters</h2>
      {tooMany && (
        <div class="stack">
          <p>
            Filters load all {tooMany.properties.toLocaleString('en')} properties, about{' '}
            {Math.ceil(tooMany.bytes / 1e6)} MB. Choose a country or a city first, or load them all.
          </p>
          <Button onClick={offered.load}>Load all</Button>
        </div>
      )}
      {error !== undefined && (
        <div class="stack">
          <p>The filters could not be loaded.</p>
          <Button onClick={offered.retry}>Try again</Button>
        </div>
      )}
      {!isReady && !tooMany && error === undefined && <p>Loading the filters…</p>}
      {isReady && (
        <div class="sheet-fields">
          {filterableFields(fields).map(([name, field]) => (
            <FieldFilter
              key={name}
              name={name}
              field={field}
              chosen={draft.filter[name] ?? []}
              offered={offered.result?.facets[name] ?? []}
              counts={result.facets[name] ?? []}
              choose={(values) => setDraft(withFilterValues(draft, name, values))}
            />
          ))}
          <CheckboxGroup
            label="Facilities"
            wordOf={identifierToWords}
            chosen={draft.facilities}
            offered={offered.result!.facets.facilities!}
            counts={result.facets.facilities!}
            choose={(facilities) => setDraft({ ...draft, facilities })}
          />
        </div>
      )}
      <div class="sheet-end">
        <Button
          look="plain"
          aria-disabled={activeFilters(draft, fields).length === 0}
          onClick={() => setDraft({ ...draft, facilities: [], filter: {} })}
        >
          Clear all
        </Button>
        <Button look="primary" onClick={show}>
          {result ? `Show ${countText(result.total, 'property')}` : 'Show'}
        </Button>
      </div>
      <p class="unseen" role="status">
        {result && countText(result.total, 'property')}
      </p>
    </Dialog>
  );
}

type FieldFilterProps = {
  readonly name: string;
  readonly field: ShownField;
  readonly chosen: readonly string[];
  readonly offered: readonly SearchCount[];
  readonly counts: readonly SearchCount[];
  readonly choose: (values: readonly string[]) => void;
};

function FieldFilter(props: FieldFilterProps) {
  const { field, chosen, offered, counts, choose } = props;
  if (offered.length === 0 && chosen.length === 0) return null;
  const { type, label, unit } = field;
  if (type === 'boolean')
    return (
      <Group label={label} isUnseen>
        <Check
          label={label}
          count={countOf(counts, 'true')}
          isChosen={chosen.includes('true')}
          toggle={() => choose(toggled(chosen, 'true'))}
        />
      </Group>
    );
  if (isRangeField(field)) {
    const values = offered.map(({ value }) => Number(value));
    const isSmall = type !== 'date' && Math.max(...values) <= AT_LEAST_MOST;
    return (
      <Group label={unit ? `${label} (${unit})` : label}>
        {isSmall ? <AtLeast {...props} /> : <Limits {...props} />}
      </Group>
    );
  }
  return (
    <CheckboxGroup
      {...{ label, chosen, offered, counts, choose }}
      wordOf={(word) => field.choices?.[word] ?? word}
    />
  );
}

/** If a field has larger values, the reader types a range instead of choosing "3 or more". */
const AT_LEAST_MOST = 20;
const STEPS = 8;

function AtLeast({ name, field, chosen, offered, counts, choose }: FieldFilterProps) {
  const [from] = parseRangeFilter(chosen);
  const most = Math.min(STEPS, Math.max(...offered.map(({ value }) => Number(value))));
  const least = Math.max(1, Math.min(...offered.map(({ value }) => Number(value))));
  const numbers = Array.from({ length: most }, (_, index) => index + 1).filter(
    (number) => number > least - 1,
  );
  const atLeast = (number: number) =>
    counts.reduce((sum, { value, count }) => sum + (Number(value) >= number ? count : 0), 0);
  const all = ['', ...numbers.map(String), ...(from && !numbers.includes(Number(from)) ? [from] : [])];
  return (
    <div class="steps">
      {all.map((text) => (
        <label key={text}>
          <input
            type="radio"
            name={`at-least-${name}`}
            class="unseen"
            checked={text === from}
            onChange={() => choose(formatRangeFilter(text, ''))}
          />
          <span class="step">
            {text === '' ? 'Any' : `${text}+`}
            <span class="unseen">
              {' '}
              {field.label}
              {text !== '' && `, ${countText(atLeast(Number(text)), 'property')}`}
            </span>
          </span>
        </label>
      ))}
    </div>
  );
}

function Limits({ name, field: { type, label }, chosen, offered, choose }: FieldFilterProps) {
  const [from, to] = parseRangeFilter(chosen);
  const values = offered.map(({ value }) => value).sort((a, b) => (a < b ? -1 : 1));
  const input = type === 'date' ? ({ type: 'date' } as const) : ({ type: 'number', step: 'any' } as const);
  const limit = (end: string, value: string, usual: unknown, set: (text: string) => void) => (
    <div class="field">
      <label for={`${end}-${name}`}>
        {end} <span class="unseen">{label}</span>
      </label>
      <input
        {...input}
        id={`${end}-${name}`}
        inputMode={type === 'date' ? undefined : 'decimal'}
        placeholder={usual === undefined ? '' : String(usual)}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
    </div>
  );
  return (
    <div class="beside">
      {limit('From', from, values[0], (text) => choose(formatRangeFilter(text, to)))}
      {limit('To', to, values.at(-1), (text) => choose(formatRangeFilter(from, text)))}
    </div>
  );
}

type ChecksProps = Omit<FieldFilterProps, 'name' | 'field'> & {
  readonly label: string;
  readonly wordOf: (value: string) => string;
};

const MAX_SHOWN = 8;

function CheckboxGroup({ label, wordOf, chosen, offered, counts, choose }: ChecksProps) {
  const [isOpen, setOpen] = useState(false);
  const words = [...new Set([...offered.map(({ value }) => String(value)), ...chosen])];
  if (words.length === 0) return null;
  const isLong = words.length > MAX_SHOWN + 2;
  return (
    <Group label={label}>
      <ul class="checks">
        {words.map((word, index) => (
          <li key={word} hidden={isLong && !isOpen && index >= MAX_SHOWN && !chosen.includes(word)}>
            <Check
              label={wordOf(word)}
              count={countOf(counts, word)}
              isChosen={chosen.includes(word)}
              toggle={() => choose(toggled(chosen, word))}
            />
          </li>
        ))}
      </ul>
      {isLong && (
        <Button look="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show fewer' : `Show all ${words.length}`}
          <span class="unseen"> of {label}</span>
        </Button>
      )}
    </Group>
  );
}

function countOf(counts: readonly SearchCount[], value: string): number {
  return counts.find((one) => String(one.value) === value)?.count ?? 0;
}

function toggled(chosen: readonly string[], word: string): readonly string[] {
  return chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word];
}

type GroupProps = {
  readonly label: string;
  readonly isUnseen?: boolean;
  readonly children: ComponentChildren;
};

function Group({ label, isUnseen = false, children }: GroupProps) {
  return (
    <fieldset class="sheet-group">
      <legend class={isUnseen ? 'unseen' : ''}>{label}</legend>
      {children}
    </fieldset>
  );
}

type CheckProps = {
  readonly label: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly toggle: () => void;
};

function Check({ label, count, isChosen, toggle }: CheckProps) {
  return (
    <label class={`check${count === 0 && !isChosen ? ' none' : ''}`}>
      <input type="checkbox" checked={isChosen} onChange={toggle} />
      <span>{label}</span>
      <span class="quiet digits">{count.toLocaleString('en')}</span>
    </label>
  );
}
