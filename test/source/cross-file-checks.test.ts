import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAcrossFiles } from '../../src/source/cross-file-checks.ts';
import type { CrossFileInput } from '../../src/source/cross-file-finding.ts';
import { createDiagnostic } from '../../src/source/diagnostic.ts';
import { processorTime } from '../support/processor-time.ts';

let count = 0;
/** A property with an id and a file of its own. */
function place(city: string, country = 'IE', fields: Partial<CrossFileInput> = {}): CrossFileInput {
  count++;
  return { path: `${count}.yaml`, id: `id-${count}`, country, city, ...fields };
}

const found = (properties: CrossFileInput[]) =>
  checkAcrossFiles(properties).map(({ code, path, args }) => [
    path,
    createDiagnostic(code, path, null, args).message,
  ]);

describe('an id', () => {
  const same = (paths: string[]) => paths.map((path) => place('Cork', 'IE', { path, id: 'x' }));

  it('that is unique is accepted', () =>
    expect(checkAcrossFiles([place('Cork'), place('Cork')])).toEqual([]));

  it('that appears twice is reported in both files', () => {
    expect(found(same(['a.yaml', 'b.yaml']))).toEqual([
      ['a.yaml', 'The id x is also used by b.yaml.'],
      ['b.yaml', 'The id x is also used by a.yaml.'],
    ]);
    expect(checkAcrossFiles(same(['a.yaml', 'b.yaml']))).toMatchObject([{ field: 'id' }, { field: 'id' }]);
  });

  it('that appears often is reported with the first three other files', () => {
    expect(found(same(['a', 'b', 'c', 'd']))).toEqual([
      ['a', 'The id x is also used by b, c, d.'],
      ['b', 'The id x is also used by a, c, d.'],
      ['c', 'The id x is also used by a, b, d.'],
      ['d', 'The id x is also used by a, b, c.'],
    ]);
    expect(found(same(['a', 'b', 'c', 'd', 'e', 'f'])).map(([, message]) => message)).toEqual([
      ...['The id x is also used by b, c, d and 2 more.', 'The id x is also used by a, c, d and 2 more.'],
      ...['The id x is also used by a, b, d and 2 more.', 'The id x is also used by a, b, c and 2 more.'],
      ...['The id x is also used by a, b, c and 2 more.', 'The id x is also used by a, b, c and 2 more.'],
    ]);
  });

  it('that appears in twenty thousand files is reported quickly', () => {
    const files = same(Array.from({ length: 20_000 }, (_, index) => `${index}`));
    const time = processorTime(() => expect(checkAcrossFiles(files)).toHaveLength(20_000));
    expect(time).toBeLessThan(20_000);
  });
});

describe('a city', () => {
  it('that is spelled in two ways is reported for the rarer one', () => {
    const [a, b, c] = [place('Dún Laoghaire'), place('Dun Laoghaire'), place('Dún Laoghaire')];
    expect(found([a, b, c])).toEqual([
      [b.path, '"Dun Laoghaire" stands once in IE, "Dún Laoghaire" 2 times.'],
    ]);
    expect(checkAcrossFiles([a, b, c])).toMatchObject([{ code: 'similar-city', field: 'city' }]);
  });

  it.each([
    ['Galway', 'galway'],
    ['Galway', 'GALWAY'],
    ['Dún Laoghaire', 'DunLaoghaire'],
    ['Dún Laoghaire', 'Dún  Laoghaire'],
    ['Dún Laoghaire', 'Dún\u00a0Laoghaire'],
    ['São Paulo', 'Sao Paulo'],
    ['Ｔokyo', 'Tokyo'],
    ['İzmir', 'Izmir'],
  ])('%s is like %s', (a, b) => {
    expect(checkAcrossFiles([place(a), place(a), place(b)])).toHaveLength(1);
  });

  it.each([
    ['Cork', 'Cork City'],
    ['Saint-Denis', 'Saint Denis'],
    ['Köln', 'Koeln'],
    ['Cork', 'York'],
  ])('%s is not like %s', (a, b) => expect(checkAcrossFiles([place(a), place(b)])).toEqual([]));

  it('of another country is a different one', () => {
    expect(checkAcrossFiles([place('Newport', 'IE'), place('newport', 'GB')])).toEqual([]);
  });

  it('that is spelled in two ways equally often is reported for the later one by code unit, in any order', () => {
    const [upper, lower] = [place('Galway'), place('galway')];
    const expected = [[lower.path, '"galway" stands once in IE, "Galway" once.']];
    expect(found([upper, lower])).toEqual(expected);
    expect(found([lower, upper])).toEqual(expected);
  });

  it('that is spelled in many ways is reported for all but the best written', () => {
    const cities = ['GALWAY', 'galway', 'galway', 'galway', 'Galway', 'Galway'].map((city) => place(city));
    expect(found(cities).sort()).toEqual([
      [cities[0]!.path, '"GALWAY" stands once in IE, "Galway" 2 times.'],
      ...cities.slice(1, 4).map(({ path }) => [path, '"galway" stands 3 times in IE, "Galway" 2 times.']),
    ]);
  });

  it('is reported for the same files in any order', () => {
    const property = fc.record({
      city: fc.constantFrom('Galway', 'galway', 'Gálway', 'Cork', 'CORK', 'C ork', 'Ennis'),
      country: fc.constantFrom('IE', 'GB'),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    });
    fc.assert(
      fc.property(fc.array(property, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (list, random) => {
        const placed = list.map((fields, index) => ({ path: `${index}`, ...fields }));
        const keys = new Map(placed.map((each) => [each, random.next().value]));
        const shuffled = [...placed].sort((a, b) => keys.get(a)! - keys.get(b)!);
        const outcome = (properties: CrossFileInput[]) =>
          checkAcrossFiles(properties)
            .map(({ code, path, args }) =>
              [path, code, args.city ?? args.id, args.otherCount ?? ''].join(' '),
            )
            .sort();
        expect(outcome(shuffled)).toEqual(outcome(placed));
      }),
    );
  });
});
