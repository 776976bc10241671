import { describe, expect, it } from 'vitest';
import { encodeFacets, type Faceted, parseFacetColumns } from '../../../src/packed/format/facets.ts';

const ENTRIES: Faceted[] = [
  { id: 'a', latitude: 53.2719449, longitude: -9.04889, facilities: ['wifi', 'böat'], values: [3, null] },
  { id: 'b', latitude: -0.00000049, longitude: 180, facilities: ['böat'], values: [0.5, ['sea', 'lake']] },
];
const bytes = encodeFacets(ENTRIES, ['bedrooms', 'views']);

describe('facets', () => {
  it('are columns with words of their own', () => {
    expect(parseFacetColumns(bytes, 2)).toEqual({
      first: 'a',
      words: ['wifi', 'böat'],
      facilities: [[0, 1], [1]],
      latitude: [53.2719449, -4.9e-7],
      longitude: [-9.04889, 180],
      fields: { bedrooms: [3, 0.5], views: [null, ['sea', 'lake']] },
    });
  });

  it.each([
    ['another number of entries', bytes, 3],
    ['a torn text', bytes.subarray(0, 60), 2],
    ['another object', Buffer.from('{"words":[]}'), 0],
    [
      'a short column',
      Buffer.from('{"words":[],"facilities":[],"latitude":[1],"longitude":[],"fields":{}}'),
      0,
    ],
    ['null', Buffer.from('null'), 1],
  ])('are not read from %s', (_, damaged, count) => {
    expect(parseFacetColumns(damaged, count)).toBeUndefined();
  });

  it.each([
    ['a number that is a text', { latitude: ['1]}},"x":[', 2] }],
    ['a latitude outside of the earth', { latitude: [91, 2] }],
    ['a facility without a word', { facilities: [[0], [2]] }],
    ['facilities that are no list', { facilities: [0, [1]] }],
    ['a word that is no text', { words: ['wifi', null] }],
    ['a first id that is no text', { first: 1 }],
    ['no fields', { fields: null }],
    ['a value that is an object', { fields: { bedrooms: [{}, 1], views: [null, null] } }],
  ])('are not read with %s, which others wrote', (_, change) => {
    const others = JSON.parse(Buffer.from(bytes).toString()) as object;
    expect(parseFacetColumns(Buffer.from(JSON.stringify({ ...others, ...change })), 2)).toBeUndefined();
  });
});
