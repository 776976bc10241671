import { describe, expect, it } from 'vitest';
import type { CityList } from '../../src/contract/downloads.ts';
import { createNameSearch, needOf, placesOf } from '../../src/explorer/places.ts';

const table = (country: string, cities: Record<string, string[]>) => ({
  country,
  points: Object.entries(cities).flatMap(([city, titles]) =>
    titles.map((title) => ({ id: title, title, city, latitude: 50, longitude: 0 })),
  ),
});
const ie = table('IE', { Cork: ['Óstán na Coille', 'The Old Mill'], Galway: ['Millhouse', 'Old Mill Inn'] });
const fr = table('FR', { Cork: ['Hôtel du Moulin'] });

describe('places', () => {
  it('combine the tables and the city, in the order of the list', () => {
    expect(placesOf([fr, ie], 'Cork').map(({ title, country, city }) => [title, country, city])).toEqual([
      ['Hôtel du Moulin', 'FR', 'Cork'],
      ['Óstán na Coille', 'IE', 'Cork'],
      ['The Old Mill', 'IE', 'Cork'],
    ]);
    expect(placesOf([ie], '')).toHaveLength(4);
  });

  it('need only the files of the countries that have the city', () => {
    const list = (country: string, ...names: string[]) => ({
      country,
      href: '',
      cities: names.map((name) => ({ name, properties: 1 })),
    });
    const lists = [list('FR', 'Cork', 'Paris'), list('IE', 'Cork')];
    const countries = {
      properties: 6,
      countries: [
        { code: 'FR', name: 'France', properties: 2, cities: 2, href: '' },
        { code: 'IE', name: 'Ireland', properties: 4, cities: 1, href: '' },
      ],
    };
    const need = (country: string, city: string, known?: CityList[]) => {
      const { countries: codes, entries } = needOf({ country, city }, countries, known);
      return [codes.join(' '), entries];
    };
    for (const known of [lists, undefined]) {
      expect(need('', '', known)).toEqual(['FR IE', 6]);
      expect(need('IE', 'Cork', known)).toEqual(['IE', 4]);
      expect(need('ES', '', known)).toEqual(['', 0]);
    }
    expect(need('', 'Paris', lists)).toEqual(['FR', 2]);
    expect(need('', 'Oslo', lists)).toEqual(['', 0]);
    // Without the lists of cities, each country may have it.
    expect(need('', 'Paris')).toEqual(['FR IE', 6]);
  });
});

describe('the search by name', () => {
  const found = (text: string) => createNameSearch(placesOf([fr, ie], ''))(text).map(({ title }) => title);

  it('folds letters, matches parts of words, and puts names that begin with the text first (F)', () => {
    expect(found('ostan')).toEqual(['Óstán na Coille']);
    expect(found('MILL')).toEqual(['Millhouse', 'The Old Mill', 'Old Mill Inn']);
    expect(found('old m')).toEqual(['Old Mill Inn', 'The Old Mill']);
    expect(found('oul')).toEqual(['Hôtel du Moulin']);
    expect(found('inn old')).toEqual(['Old Mill Inn']);
  });

  it('finds nothing in an empty list, and everything for an empty text', () => {
    expect(found('xyz')).toEqual([]);
    expect(found('  ')).toHaveLength(5);
  });
});
