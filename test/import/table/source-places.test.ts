import { expect, it } from 'vitest';
import {
  addSourcePlace,
  addSourcePlaces,
  createSourcePlaces,
  sourcePlacesText,
} from '../../../src/import/table/source-places.ts';

it('of many rows are a count and the first few, also when several threads add theirs', () => {
  const [all, one] = [createSourcePlaces(), createSourcePlaces()];
  for (let line = 1; line <= 100_000; line++) addSourcePlace(one, line);
  addSourcePlace(all, 'line 0');
  addSourcePlaces(all, one);
  addSourcePlaces(all, one);
  expect(all.count).toBe(200_001);
  expect(all.first.length).toBeLessThan(10);
  expect(sourcePlacesText(all)).toBe('line 0, 1, 2, ...');
});
