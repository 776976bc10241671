import type { SearchFilter, SearchQuery } from '../client/search.ts';
import { identifierToWords } from '../contract/display-text.ts';
import type { ExplorerSettings, ShownField } from '../contract/explorer.ts';
import type { View } from './view.ts';

type Fields = NonNullable<ExplorerSettings['fields']>;

export function filterableFields(
  fields: Fields = {},
): readonly (readonly [name: string, field: ShownField])[] {
  return Object.entries(fields).filter(([, { filter }]) => filter);
}

export const hasFilters = ({ facilities, filter }: View): boolean =>
  facilities.length > 0 || Object.keys(filter).length > 0;

export const isRangeField = ({ type }: ShownField): boolean =>
  type === 'integer' || type === 'decimal' || type === 'date';

/** The limits as the reader typed them; an empty text means no limit. */
export function parseRangeFilter([text = '']: readonly string[] = []): readonly [from: string, to: string] {
  const [from = '', to = ''] = text.split('..');
  return [from, to];
}

export function formatRangeFilter(from: string, to: string): readonly string[] {
  return from || to ? [`${from}..${to}`] : [];
}

/** Ignores filters that the catalogue does not have, such as those in an old link. */
export function searchQueryOf(view: View, fields: Fields = {}): SearchQuery {
  const { country, city, name, facilities } = view;
  const chosen = filterableFields(fields).flatMap(([key, field]) => {
    const values = view.filter[key] ?? [];
    return values.length > 0 ? [[key, searchFilterOf(field, values)] as const] : [];
  });
  return { country, city, text: name, facilities, filter: Object.fromEntries(chosen) };
}

function searchFilterOf(field: ShownField, values: readonly string[]): SearchFilter {
  if (field.type === 'boolean') return values.map((value) => value === 'true');
  if (!isRangeField(field)) return values;
  const [minimum, maximum] = parseRangeFilter(values).map((limit) => limitOf(field, limit));
  return { minimum, maximum };
}

function limitOf({ type }: ShownField, text: string): number | string | undefined {
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

export type ActiveFilter = { readonly key: string; readonly label: string; readonly without: View };

/** @param includesName whether to include the name, which the search form shows already */
export function activeFilters(view: View, fields: Fields = {}, includesName = false): ActiveFilter[] {
  const start = { ...view, page: 1 };
  const named = { key: 'name', label: `the name “${view.name}”`, without: { ...start, name: '' } };
  const facilities = view.facilities.map((word) => ({
    key: `facilities ${word}`,
    label: identifierToWords(word),
    without: { ...start, facilities: view.facilities.filter((one) => one !== word) },
  }));
  const others = filterableFields(fields).flatMap(([name, field]) => {
    const values = view.filter[name] ?? [];
    return values.map((value) => ({
      key: `${name} ${value}`,
      label: labelOf(field, value),
      without: withFilterValues(
        start,
        name,
        values.filter((one) => one !== value),
      ),
    }));
  });
  return [...(includesName && view.name ? [named] : []), ...others, ...facilities];
}

export function withFilterValues(view: View, name: string, values: readonly string[]): View {
  const { [name]: _before, ...filter } = view.filter;
  return { ...view, filter: values.length > 0 ? { ...filter, [name]: values } : filter };
}

function labelOf(field: ShownField, value: string): string {
  const { type, label, choices, unit } = field;
  if (type === 'boolean') return value === 'true' ? label : `${label}: no`;
  if (!isRangeField(field)) return choices?.[value] ?? value;
  const [from, to] = parseRangeFilter([value]);
  const limits = from && to ? `${from} to ${to}` : from ? `${from} or more` : `up to ${to}`;
  const dates = from && to ? `${from} to ${to}` : from ? `from ${from}` : `until ${to}`;
  return `${label}: ${type === 'date' ? dates : limits}${unit && unit !== 'nights' ? ` ${unit}` : ''}`;
}
