import { describe, expect, it } from 'vitest';
import { openPoints, toCoordinates } from '../../src/contract/points.ts';

const FILE = {
  country: 'IE',
  cities: [
    { name: 'Cork', properties: 1 },
    { name: 'Galway', properties: 2 },
  ],
  latitudes: [5_189_000, 138_194, -1],
  longitudes: [-847_000, -57_889, 0],
  ids: Buffer.from('0123456789abcdef0123456789abcdef'.repeat(3), 'hex').toString('base64'),
  titles: ['A', 'B', 'C'],
};

describe('a points file', () => {
  it('is opened as columns, with the range of each city', () => {
    const table = openPoints(FILE);
    expect([...table.latitudes]).toEqual([51.89, 53.27194, 53.27193]);
    expect([...table.longitudes]).toEqual([-8.47, -9.04889, -9.04889]);
    expect(table.cities).toEqual([
      { name: 'Cork', start: 0, end: 1 },
      { name: 'Galway', start: 1, end: 3 },
    ]);
    expect(table.idAt(2)).toBe('01234567-89ab-cdef-0123-456789abcdef');
  });

  it('is refused when a column is too short', () => {
    for (const part of [
      { latitudes: [1] },
      { longitudes: [] },
      { titles: ['A'] },
      { cities: [] },
      { ids: '' },
    ])
      expect(() => openPoints({ ...FILE, ...part })).toThrow(RangeError);
  });

  it('has coordinates in units of 0.00001 degrees', () => {
    expect(toCoordinates('53.271945', '-9.048889999999999')).toEqual([5_327_195, -904_889]);
  });
});
