import { describe, expect, it } from 'vitest';
import { encodeFacets, type FacetedEntry, parseFacetColumns } from '../../../src/tree/format/facets.ts';

const ENTRIES: FacetedEntry[] = [
  { id: 'a', latitude: 53.2719449, longitude: -9.04889, facilities: ['wifi', 'böat'], values: [3, null] },
  { id: 'b', latitude: -0.00000049, longitude: 180, facilities: ['böat'], values: [0.5, ['sea', 'lake']] },
];
const bytes = encodeFacets(ENTRIES, ['bedrooms', 'views']);

describe('facets', () => {
  it('have four entries in a digit, the first in its lowest bit', () => {
    const entries = Array.from({ length: 6 }, (_, n) => ({
      ...ENTRIES[0]!,
      facilities: n === 1 || n === 4 ? ['sauna'] : [],
    }));
    const { facilities } = parseFacetColumns(encodeFacets(entries, []), 6)!;
    expect(facilities).toEqual({ sauna: '21' });
  });

  it('are columns, with bits for each facility', () => {
    expect(parseFacetColumns(bytes, 2)).toEqual({
      first: 'a',
      facilities: { wifi: '1', böat: '3' },
      latitude: [53.2719449, -4.9e-7],
      longitude: [-9.04889, 180],
      fields: { bedrooms: [3, 0.5], views: [null, ['sea', 'lake']] },
    });
  });

  it.each([
    ['another number of entries', bytes, 3],
    ['a torn text', bytes.subarray(0, 60), 2],
    ['another object', Buffer.from('{"facilities":{}}'), 0],
    [
      'a short column',
      Buffer.from('{"first":"a","facilities":{},"latitude":[1],"longitude":[],"fields":{}}'),
      0,
    ],
    ['null', Buffer.from('null'), 1],
  ])('are not read from %s', (_, damaged, count) => {
    expect(parseFacetColumns(damaged, count)).toBeUndefined();
  });

  it.each([
    ['a number that is a text', { latitude: ['1]}},"x":[', 2] }],
    ['a latitude outside of the earth', { latitude: [91, 2] }],
    ['a facility of an entry that is not there', { facilities: { wifi: '4' } }],
    ['too many digits', { facilities: { wifi: '10' } }],
    ['another digit', { facilities: { wifi: 'G' } }],
    ['facilities that are no texts', { facilities: { wifi: [1] } }],
    ['no facilities', { facilities: null }],
    ['a first id that is no text', { first: 1 }],
    ['no fields', { fields: null }],
    ['a value that is an object', { fields: { bedrooms: [{}, 1], views: [null, null] } }],
  ])('are not read with %s, which others wrote', (_, change) => {
    const others = JSON.parse(Buffer.from(bytes).toString()) as object;
    expect(parseFacetColumns(Buffer.from(JSON.stringify({ ...others, ...change })), 2)).toBeUndefined();
  });
});
