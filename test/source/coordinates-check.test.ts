import { describe, expect, it } from 'vitest';
import { citiesByCountry } from '../../scripts/sample-data/cities.ts';
import { COUNTRIES } from '../../src/contract/country-and-currency-tables.ts';
import { countriesAt, placeDoubt } from '../../src/source/coordinates-check.ts';

const at = (latitude: number, longitude: number) => ({
  latitude: String(latitude),
  longitude: String(longitude),
});

describe('a point in its country (E5)', () => {
  const cities = [...citiesByCountry(Object.keys(COUNTRIES)).values()].flat();

  it('gets no warning, anywhere in the world', () => {
    expect(cities.length).toBeGreaterThan(100_000);
    const doubted = cities.filter((city) => placeDoubt(city.country, at(city.latitude, city.longitude)));
    // GeoNames has this town of Assam 2 degrees too far east.
    expect(doubted.map(({ name }) => name)).toEqual(['Sarupathar']);
  });

  it('costs far less to check than a property', () => {
    const before = process.cpuUsage();
    for (const { country, latitude, longitude } of cities) placeDoubt(country, at(latitude, longitude));
    const { user, system } = process.cpuUsage(before);
    // The limit of the issue is 0.02 ms.
    expect((user + system) / 1000 / cities.length).toBeLessThan(0.02);
  });

  it('gets a warning when its coordinates are swapped, unless both places are nearly the same', () => {
    const swappable = cities.filter(
      ({ latitude, longitude }) => Math.abs(longitude) <= 90 && Math.abs(latitude) > 1,
    );
    const found = swappable.filter(
      ({ country, latitude, longitude }) => placeDoubt(country, at(longitude, latitude))?.kind === 'swapped',
    );
    expect(found.length).toBeGreaterThan(0.9 * swappable.length);
  });
});

describe('a point of a country', () => {
  it.each([
    ['BL', 17.9, -62.85],
    ['XK', 42.66, 21.17],
    ['RS', 42.66, 21.17],
    ['UA', 44.95, 34.1],
    ['RU', 44.95, 34.1],
    ['FJ', -16.8, 179.99],
    ['FJ', -16.8, -179.99],
    ['RU', 66.0, 180],
    ['US', 18.4, -66.1],
    ['ES', 28.1, -15.4],
    ['PT', 37.7, -25.7],
    ['NL', 12.15, -68.27],
    ['VA', 41.9, 12.45],
  ])('%s: %d, %d is accepted', (country, latitude, longitude) => {
    expect(placeDoubt(country, at(latitude, longitude))).toBeUndefined();
  });

  it('without outlines is not judged, except 0, 0', () => {
    expect(placeDoubt('GP', at(50, 50))).toBeUndefined();
    expect(placeDoubt('FM', at(50, 50))).toBeUndefined();
    expect(placeDoubt('GP', at(0, 0))).toEqual({ kind: 'zero' });
    expect(placeDoubt('GP', { latitude: '-0.0', longitude: '0.00' })).toEqual({ kind: 'zero' });
  });
});

describe('the country of a point', () => {
  it.each([
    ['Ottawa, near a border', 45.42, -75.69, ['CA']],
    ['Vancouver', 49.28, -123.12, ['CA']],
    ['Kinshasa, whose code was ZR', -4.32, 22.5, ['CD']],
    ['Dili, whose code was TP', -8.56, 125.57, ['TL']],
    ['Geneva, at a border', 46.2, 6.14, ['CH', 'FR']],
    ['the Atlantic Ocean', 40, -40, []],
  ])('%s', (_, north, east, countries) => expect(countriesAt(north, east)).toEqual(countries));

  it('is never another one than its own, but for territories without an outline', () => {
    const cities = [...citiesByCountry(Object.keys(COUNTRIES)).values()].flat();
    const territories = new Set(['BQ', 'GF', 'GP', 'MQ', 'RE', 'SJ', 'TK', 'YT']);
    const wrong = cities.filter(({ country, latitude, longitude }) => {
      const found = countriesAt(latitude, longitude);
      return found.length === 1 && found[0] !== country && !territories.has(country);
    });
    // The point of Sumas is 13 m north of the border, and that of Sarupathar wrong.
    expect(wrong.map(({ name }) => name).sort()).toEqual(['Sarupathar', 'Sumas']);
  });
});
