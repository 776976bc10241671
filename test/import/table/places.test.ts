import { expect, it } from 'vitest';
import { addPlace, addPlaces, createPlaces, placesText } from '../../../src/import/table/places.ts';

it('of many rows are a count and the first few, also when several threads add theirs', () => {
  const [all, one] = [createPlaces(), createPlaces()];
  for (let line = 1; line <= 100_000; line++) addPlace(one, line);
  addPlace(all, 'line 0');
  addPlaces(all, one);
  addPlaces(all, one);
  expect(all.count).toBe(200_001);
  expect(all.first.length).toBeLessThan(10);
  expect(placesText(all)).toBe('line 0, 1, 2, ...');
});
