/** Towns are found by name, in an address, and by their other names; the largest first. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  correctedTownName,
  findTowns,
  largestTowns,
  similarTowns,
  type Towns,
} from '../../src/editor/towns.ts';

const townsOf = (country: string) =>
  JSON.parse(
    gunzipSync(
      readFileSync(new URL(`../../lib/editor/towns-${country}.json.gz`, import.meta.url)),
    ).toString(),
  ) as Towns;
const named = (towns: Towns, text: string) => findTowns(towns, text, 8).map(({ name }) => name);

describe('a town', () => {
  it.each<[country: string, text: string, latitude: number, longitude: number]>([
    ['IE', 'Galway', 53.272, -9.049],
    ['IE', '12 High Street, Galway H91 TX0Y', 53.272, -9.049],
    ['IE', 'gaillimh', 53.272, -9.049],
    ['DE', 'Munich', 48.137, 11.575],
    ['DE', 'Marienplatz 1, 80331 München', 48.137, 11.575],
    ['FR', 'St-Étienne', 45.434, 4.39],
    ['JP', 'Tokyo', 35.69, 139.69],
  ])('of %s: %s', (country, text, latitude, longitude) => {
    const [town] = findTowns(townsOf(country), text, 8);
    expect(Number(town!.latitude)).toBeCloseTo(latitude, 1);
    expect(Number(town!.longitude)).toBeCloseTo(longitude, 1);
  });

  it.each([
    ['IE', 'Galwey', 'Galway'],
    ['DE', 'Münschen', 'Munich'],
    ['ES', 'Madird', 'Madrid'],
  ])('of %s: %s is not one, but near to one', (country, text, meant) => {
    const towns = townsOf(country);
    expect(findTowns(towns, text, 8)).toEqual([]);
    const [first] = similarTowns(towns, text, 8);
    const [known] = findTowns(towns, meant, 8);
    expect([first?.latitude, first?.longitude]).toEqual([known!.latitude, known!.longitude]);
    expect(similarTowns(towns, 'qqqqqqqq', 8)).toEqual([]);
  });

  it.each([
    ['Burtnport', ['Burtonport', 'Galway'], 'Burtonport'],
    ['Glaway', [], 'Galway'],
    ['Galway', ['Galwey'], undefined],
    ['Burtonport', ['Burtonport', 'Galway'], undefined],
    ['Cork', ['Corks'], undefined],
  ])('that is not on the map may be another one: %s', (typed, own, meant) =>
    expect(correctedTownName(typed, own, townsOf('IE'))).toBe(meant),
  );

  it('is named on the map, the largest first', () => {
    const [first, second] = largestTowns(townsOf('IE'));
    expect(first).toMatchObject({ name: 'Dublin' });
    expect(second).toMatchObject({ name: 'Cork' });
  });

  it('that shares its name comes after the larger one, with a larger town that it is near', () => {
    const towns: Towns = {
      names: ['Newtown', 'Newtown', 'Capital|Hauptstadt'],
      latitudes: [52_000, 53_000, 52_100],
      longitudes: [-8000, -6000, -8100],
      sizes: [4, 5, 6],
    };
    expect(findTowns(towns, 'Newtown', 8)).toEqual([
      { name: 'Newtown', near: 'Capital', latitude: '53.000', longitude: '-6.000' },
      { name: 'Newtown', near: 'Capital', latitude: '52.000', longitude: '-8.000' },
    ]);
    expect(findTowns(towns, 'hauptstadt', 8)).toEqual([
      { name: 'Hauptstadt', near: '', latitude: '52.100', longitude: '-8.100' },
    ]);
    expect([named(towns, 'New'), named(towns, 'Ne'), named(towns, 'by the church')]).toEqual([
      ['Newtown', 'Newtown'],
      [],
      [],
    ]);
  });
});
