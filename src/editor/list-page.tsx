import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countryName } from '../contract/display-text.ts';
import { Button } from '../explorer/button.tsx';
import { HouseIcon } from '../explorer/icons.tsx';
import { countText } from '../text/amounts.ts';
import { EDIT_API_PATH, type PropertyRow } from './api.ts';
import { editorLinkProps, useEditor } from './editing-context.ts';
import { PlusIcon } from './icons.tsx';
import {
  countByCondition,
  filterRows,
  type ListCondition,
  NO_LIST_FILTER,
  type PropertyListFilter,
  type SearchTexts,
} from './list-filter.ts';
import { StateBadge } from './state-badge.tsx';

const ROWS_AT_FIRST = 60;

const CONDITIONS: readonly (readonly [ListCondition, string])[] = [
  ['all', 'All'],
  ['errors', 'To fix'],
  ['changed', 'New or changed'],
  ['unpublished', 'Not shown'],
];

type ListPageProps = {
  readonly rows: readonly PropertyRow[];
  readonly filter: PropertyListFilter | undefined;
};

export function ListPage({ rows, filter = NO_LIST_FILTER }: ListPageProps) {
  const editor = useEditor();
  const [drawn, setDrawn] = useState(ROWS_AT_FIRST);
  const { countries, title } = editor.catalogue;
  const names = useMemo(
    () =>
      new Map(
        countries.map(({ code, name, synonyms }) => [code, [name, countryName(code), ...synonyms].join(' ')]),
      ),
    [countries],
  );
  const texts = useRef<SearchTexts>(new WeakMap());
  const found = useMemo(
    () => filterRows(rows, filter, (code) => names.get(code) ?? code, texts.current),
    [rows, filter, names],
  );
  const change = (part: Partial<PropertyListFilter>) => {
    editor.go({ kind: 'list', filter: { ...filter, ...part } }, 'replace');
    setDrawn(ROWS_AT_FIRST);
  };
  useEffect(() => {
    document.title = `${filter.text ? `${filter.text} · ` : ''}Properties · ${title}`;
  }, [filter.text, title]);
  return (
    <>
      <div class="list-head flow">
        <h1 tabIndex={-1}>Properties</h1>
        <a class="button primary" {...editorLinkProps(editor, { kind: 'new' })}>
          <PlusIcon />
          New property
        </a>
      </div>
      <FaultyNotice rows={rows} show={() => change({ ...NO_LIST_FILTER, condition: 'errors' })} />
      <ListSearch rows={rows} filter={filter} change={change} />
      <p class="quiet" role="status">
        {countText(found.length, 'property')}
      </p>
      {found.length === 0 ? (
        <NothingFound isEmpty={rows.length === 0} />
      ) : (
        <ul class="property-rows panel">
          {found.slice(0, drawn).map((row) => (
            <Row key={row.path} row={row} />
          ))}
        </ul>
      )}
      {found.length > drawn && (
        <Button look="more-rows" onClick={() => setDrawn(drawn + 4 * ROWS_AT_FIRST)}>
          Show more
        </Button>
      )}
    </>
  );
}

function FaultyNotice({ rows, show }: { readonly rows: readonly PropertyRow[]; readonly show: () => void }) {
  const faulty = useMemo(() => rows.filter(({ errors }) => errors > 0).length, [rows]);
  if (faulty === 0) return null;
  return (
    <div class="notice small">
      <p>
        {faulty === 1 ? '1 property has an error' : `${countText(faulty, 'property')} have errors`}: until
        that is fixed, nothing new of the whole catalogue can be published. “View catalogue” shows all other
        properties meanwhile.
      </p>
      <p>
        <Button look="small" onClick={show}>
          Show what to fix
        </Button>
      </p>
    </div>
  );
}

type ListSearchProps = {
  readonly rows: readonly PropertyRow[];
  readonly filter: PropertyListFilter;
  readonly change: (part: Partial<PropertyListFilter>) => void;
};

function ListSearch({ rows, filter, change }: ListSearchProps) {
  const counts = useMemo(() => countByCondition(rows), [rows]);
  const countries = useMemo(
    () =>
      [...new Set(rows.map(({ country }) => country).filter(Boolean))]
        .map((code) => ({ code, name: countryName(code) }))
        .sort((one, other) => (one.name < other.name ? -1 : 1)),
    [rows],
  );
  return (
    <search class="list-search flow">
      <div class="field">
        <label for="list-text">Search</label>
        <input
          id="list-text"
          type="search"
          placeholder="Part of a title, city, country or file name"
          value={filter.text}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for="list-country">Country</label>
        <select
          id="list-country"
          value={filter.country}
          onChange={(event) => change({ country: event.currentTarget.value })}
        >
          <option value="">All countries</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <fieldset class="tabs">
        <legend class="unseen">Show</legend>
        {CONDITIONS.map(([condition, words]) => (
          <button
            key={condition}
            type="button"
            aria-pressed={filter.condition === condition}
            onClick={() => change({ condition })}
          >
            {words} <span class="count digits">{counts[condition].toLocaleString('en')}</span>
          </button>
        ))}
      </fieldset>
    </search>
  );
}

function NothingFound({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div class="notice">
      <h2>{isEmpty ? 'There is no property yet' : 'No property is like that'}</h2>
      <p>{isEmpty ? 'Begin with “New property”.' : 'Search for another name, or choose another country.'}</p>
    </div>
  );
}

function Thumbnail({ path, thumbnailVersion }: Pick<PropertyRow, 'path' | 'thumbnailVersion'>) {
  const [isBroken, setBroken] = useState(false);
  if (thumbnailVersion === 0 || isBroken) {
    return (
      <span class="picture placeholder">
        <HouseIcon />
      </span>
    );
  }
  const url = `${EDIT_API_PATH}thumbnail?${new URLSearchParams({ path, of: String(thumbnailVersion) })}`;
  return (
    <img class="picture" src={url} alt="" loading="lazy" decoding="async" onError={() => setBroken(true)} />
  );
}

function Row({ row }: { row: PropertyRow }) {
  const editor = useEditor();
  const { path, title, city, country, state, errors, warnings, changed, thumbnailVersion } = row;
  return (
    <li class="property-row beside">
      <Thumbnail key={thumbnailVersion} path={path} thumbnailVersion={thumbnailVersion} />
      <div>
        <h2>
          <a
            class="whole-link"
            {...editorLinkProps(editor, { kind: 'property', path })}
            lang={editor.catalogue.settings.language}
          >
            {title || path}
          </a>
        </h2>
        <p class="quiet">{[city, country && countryName(country)].filter(Boolean).join(', ') || path}</p>
      </div>
      <p class="badges flow">
        <StateBadge state={state} />
        {changed && <span class="badge changed">{changed === 'added' ? 'New' : 'Changed'}</span>}
        {errors > 0 && <span class="badge error">{countText(errors, 'error')}</span>}
        {warnings > 0 && <span class="badge warning">{countText(warnings, 'warning')}</span>}
      </p>
    </li>
  );
}
