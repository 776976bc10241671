import { describe, expect, it } from 'vitest';
import type { ShownField } from '../../src/contract/explorer.ts';
import {
  activeFilters,
  filterableFields,
  formatRangeFilter,
  hasFilters,
  parseRangeFilter,
  searchQueryOf,
  withFilterValues,
} from '../../src/explorer/filters.ts';
import { parseView, START_VIEW } from '../../src/explorer/view.ts';

const FIELDS: Record<string, ShownField> = {
  bedrooms: { label: 'Bedrooms', type: 'integer', filter: true },
  beds: { label: 'Beds', type: 'integer' },
  price_from: { label: 'Price from', type: 'decimal', filter: true },
  property_type: { label: 'Type', type: 'choice', choices: { cottage: 'Cottage' }, filter: true },
  pets: { label: 'Pets welcome', type: 'boolean', filter: true },
  opened: { label: 'Opened', type: 'date', filter: true },
  lake: { label: 'To the lake', type: 'integer', unit: 'm', filter: true },
};
const VIEW = parseView(
  '?country=IE&name=rose&page=3&facilities=wifi&filter.bedrooms=2..&filter.property_type=cottage&filter.property_type=hut&filter.pets=true&filter.opened=..2020-01-31&filter.price_from=x..9.5&filter.beds=1..&filter.gone=1&filter.lake=1..5',
);

describe('filters of a view', () => {
  it('ask a search for what the catalogue has, and for limits that are values', () => {
    expect(searchQueryOf(VIEW, FIELDS)).toEqual({
      ...{ country: 'IE', city: '', text: 'rose', facilities: ['wifi'] },
      filter: {
        bedrooms: { minimum: 2, maximum: undefined },
        price_from: { minimum: undefined, maximum: 9.5 },
        property_type: ['cottage', 'hut'],
        pets: [true],
        opened: { minimum: undefined, maximum: '2020-01-31' },
        lake: { minimum: 1, maximum: 5 },
      },
    });
    expect(searchQueryOf(START_VIEW, undefined).filter).toEqual({});
    expect(filterableFields(undefined)).toEqual([]);
  });

  it('are words, each with the first page of the view without it', () => {
    const active = activeFilters(VIEW, FIELDS, true);
    expect(active.map(({ label }) => label)).toEqual([
      ...['the name “rose”', 'Bedrooms: 2 or more', 'Price from: x to 9.5', 'Cottage', 'hut', 'Pets welcome'],
      ...['Opened: until 2020-01-31', 'To the lake: 1 to 5 m', 'Wi-Fi'],
    ]);
    const without = (label: string) => active.find((one) => one.label === label)!.without;
    expect(without('hut').filter).toEqual({ ...VIEW.filter, property_type: ['cottage'] });
    expect(without('Bedrooms: 2 or more').filter).not.toHaveProperty('bedrooms');
    expect(without('Wi-Fi')).toEqual({ ...VIEW, facilities: [], page: 1 });
    expect(activeFilters(VIEW, FIELDS)).toHaveLength(8);
    expect(activeFilters({ ...START_VIEW, filter: { pets: ['false'] } }, FIELDS)[0]!.label).toBe(
      'Pets welcome: no',
    );
  });

  it('are none when they are empty', () => {
    expect([START_VIEW, { ...START_VIEW, facilities: ['a'] }, VIEW].map(hasFilters)).toEqual([
      false,
      true,
      true,
    ]);
    expect(withFilterValues(VIEW, 'bedrooms', []).filter).not.toHaveProperty('bedrooms');
    expect([formatRangeFilter('', ''), formatRangeFilter('2', ''), formatRangeFilter('', '5')]).toEqual([
      [],
      ['2..'],
      ['..5'],
    ]);
    expect([parseRangeFilter([]), parseRangeFilter(['2..']), parseRangeFilter(['7'])]).toEqual([
      ['', ''],
      ['2', ''],
      ['7', ''],
    ]);
  });
});
