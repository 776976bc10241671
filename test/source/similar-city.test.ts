import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CrossFileInput } from '../../src/source/cross-file-finding.ts';
import { similarCities } from '../../src/source/similar-city.ts';

/** Properties in cities of one country, each so many times. */
function inCities(counts: Readonly<Record<string, number>>, country = 'IE'): CrossFileInput[] {
  return Object.entries(counts).flatMap(([city, count]) =>
    Array.from({ length: count }, (_, n) => ({
      path: `${city}-${n}.yaml`,
      id: `${city}-${n}`,
      country,
      city,
    })),
  );
}

/** The rare spelling and the common one of each finding. */
const found = (properties: readonly CrossFileInput[]) =>
  similarCities(properties).map(({ args }) => `${args.city} -> ${args.other}`);

describe('a city that is one letter from a commoner one (E6)', () => {
  it.each([
    ['a letter twice', 'Gallway', 5],
    ['a letter too few', 'Galwy', 10],
    ['another letter', 'Galwey', 10],
    ['two letters that changed places', 'Gawlay', 5],
    ['an accent and a letter', 'Gállway', 5],
    ['a space and a letter', 'Gal lway', 5],
  ])('is found: %s', (_what, city, times) => {
    expect(found(inCities({ Galway: times, [city]: 1 }))).toEqual([`${city} -> Galway`]);
    expect(found(inCities({ Galway: times - 1, [city]: 1 }))).toEqual([]);
    expect(found(inCities({ Galway: 10 * times, [city]: 10 }))).toHaveLength(10);
  });

  it.each([
    ['two letters', 'Gallwey'],
    ['a number', 'Galway1'],
    ['another country', 'Galwy', 'GB'],
  ])('is absent: %s', (_what, city, country = 'IE') => {
    expect(found([...inCities({ Galway: 100 }), ...inCities({ [city]: 1 }, country)])).toEqual([]);
  });

  it('is absent for names that are short or numbered', () => {
    expect(
      found(
        inCities({
          Cork: 100,
          Kork: 1,
          'Paris 11': 100,
          'Paris 12': 1,
          'Budapest XI. kerület': 99,
          'Budapest XXI. kerület': 1,
        }),
      ),
    ).toEqual([]);
  });

  it('gets the advice to write it in neither capitals nor small letters', () => {
    expect(found(inCities({ AJACCIO: 3, Ajaccio: 1, ajaccio: 2 }))).toEqual([
      ...Array(3).fill('AJACCIO -> Ajaccio'),
      ...Array(2).fill('ajaccio -> Ajaccio'),
    ]);
    expect(found(inCities({ AJACCIO: 1, ajaccio: 2 }))).toEqual(['AJACCIO -> ajaccio']);
  });

  it('is compared with the most frequent one', () => {
    expect(found(inCities({ Galway: 50, Galwax: 60, Galwaz: 1 }))).toEqual(['Galwaz -> Galwax']);
  });

  it('is reported as a warning on each file, with the numbers', () => {
    const [finding] = similarCities(inCities({ Galway: 12, Gallway: 1 }));
    expect(finding).toEqual({
      code: 'similar-city',
      path: 'Gallway-0.yaml',
      field: 'city',
      args: { city: 'Gallway', count: 1, country: 'IE', other: 'Galway', otherCount: 12 },
    });
  });

  it('is found exactly when a comparison of all pairs finds it', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 7 });
    const counts = fc.uniqueArray(fc.tuple(name, fc.constantFrom(1, 2, 5, 11, 30)), {
      selector: ([city]) => city,
      maxLength: 40,
    });
    fc.assert(
      fc.property(counts, (list) => {
        const cities = Object.fromEntries(list);
        const expected = list.flatMap(([city, count]) => {
          const near = list.filter(([other, many]) => many >= timesByDefinition(city, other) * count);
          near.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
          return near[0] ? Array<string>(count).fill(`${city} -> ${near[0][0]}`) : [];
        });
        expect(found(inCities(cities)).sort()).toEqual(expected.sort());
      }),
    );
  });

  it('is found in a time proportional to the number of cities', () => {
    const timeOf = (cities: number) => {
      const properties = Array.from({ length: cities }, (_, n) => ({
        path: `${n}`,
        id: `${n}`,
        country: 'IE',
        // Every tenth city is common.
        city: n % 2 === 0 ? `Town${word(n % 20)}` : `Place${word(n)}`,
      }));
      let least = Number.POSITIVE_INFINITY;
      for (let count = 0; count < 3; count++) {
        const before = process.cpuUsage();
        similarCities(properties);
        const { user, system } = process.cpuUsage(before);
        least = Math.min(least, user + system);
      }
      return least;
    };
    timeOf(1000);
    // Eight times as many; the square is 64.
    expect(timeOf(100_000)).toBeLessThan(32 * timeOf(12_500));
  });
});

/** Letters that stand for a number. */
function word(number: number): string {
  return [...number.toString(26)]
    .map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    .join('');
}

/** The factor by which the other name must be more frequent, computed by trying every edit. */
function timesByDefinition(rare: string, common: string): number {
  if (rare.length < 5 || common.length < 5 || rare === common) return Number.POSITIVE_INFINITY;
  for (let at = 0; at < rare.length; at++) {
    const swapped = rare.slice(0, at) + (rare[at + 1] ?? '') + rare[at] + rare.slice(at + 2);
    if (swapped === common) return 5;
  }
  const [long, short] = rare.length > common.length ? [rare, common] : [common, rare];
  for (let at = 0; at < long.length; at++) {
    const without = long.slice(0, at) + long.slice(at + 1);
    if (without === short) return [long[at - 1], long[at + 1]].includes(long[at]) ? 5 : 10;
  }
  const differing = [...rare].filter((letter, at) => letter !== common[at]);
  return rare.length === common.length && differing.length === 1 ? 10 : Number.POSITIVE_INFINITY;
}
