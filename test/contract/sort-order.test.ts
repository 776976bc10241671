import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareByCodePoint, foldText, sortKey } from '../../src/contract/sort-order.ts';

/** Text without control characters and lone surrogates, with many characters of unusual order. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'A',
        'b',
        'á',
        'a\u0301',
        'ß',
        'ẞ',
        'İ',
        'ı',
        'Σ',
        'ς',
        'ﬁ',
        'Å',
        'é',
        ' ',
        '!',
        '~',
      ),
      fc.constantFrom('\ud7ff', '\ue000', '\uf8ff', '\uffee', '\ufffd', '😀', '𐀀', '\u{10ffff}', '東', '한'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join('').replace(/[\u0000-\u001f]/g, ''));

const summary = fc.record({
  country: fc.constantFrom('IE', 'FR', 'DE'),
  city: text,
  title: text,
  id: fc.constantFrom('1', '2', '3'),
});

/** The rule as the decisions state it: parts one after another, each as an array of code points. */
function compareNaively(a: Parameters<typeof sortKey>[0], b: Parameters<typeof sortKey>[0]): number {
  const parts = ({ country, city, title, id }: typeof a) =>
    [country, naiveFold(city), city, naiveFold(title), title, id].map((part) =>
      [...part].map((character) => character.codePointAt(0)!),
    );
  const [partsA, partsB] = [parts(a), parts(b)];
  for (const [index, pointsA] of partsA.entries()) {
    const pointsB = partsB[index]!;
    for (let place = 0; place < Math.min(pointsA.length, pointsB.length); place++) {
      if (pointsA[place] !== pointsB[place]) return Math.sign(pointsA[place]! - pointsB[place]!);
    }
    if (pointsA.length !== pointsB.length) return Math.sign(pointsA.length - pointsB.length);
  }
  return 0;
}

function naiveFold(value: string): string {
  return [...value.normalize('NFKD')]
    .filter((character) => !/^\p{M}$/u.test(character))
    .join('')
    .toLowerCase();
}

describe('fold', () => {
  it.each([
    ['Galway', 'galway'],
    ['Gálway', 'galway'],
    ['GA\u0301LWAY', 'galway'],
    ['Dún Laoghaire', 'dun laoghaire'],
    ['ﬁnn', 'finn'],
    ['Ⅷ', 'viii'],
    ['Ｇａｌｗａｙ', 'galway'],
    ['İstanbul', 'istanbul'],
    ['Øster', 'øster'],
    ['Straße', 'straße'],
    ['ΑΘΗΝΑ', 'αθηνα'],
    ['東京', '東京'],
    ['', ''],
  ])('%s is %s', (value, folded) => expect(foldText(value)).toBe(folded));

  it('gives what the decisions define, for any text', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(foldText(value)).toBe(naiveFold(value));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('sortKey', () => {
  it('gives keys whose order by < is the order of code points', () => {
    const sign = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    fc.assert(
      fc.property(summary, summary, (a, b) => {
        expect(sign(sortKey(a), sortKey(b))).toBe(compareNaively(a, b));
      }),
      { numRuns: 10_000 },
    );
  });

  it('sorts a list as a naive comparison does', () => {
    fc.assert(
      fc.property(fc.array(summary, { maxLength: 30 }), (list) => {
        const sorted = [...list].sort((a, b) =>
          sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0,
        );
        expect(sorted).toEqual([...list].sort(compareNaively));
      }),
    );
  });

  it('puts characters beyond the basic plane last', () => {
    const key = (city: string) => sortKey({ country: 'IE', city, title: '', id: '' });
    const cities = ['a', '\ud7ff', '\ue000', '\ufffd', '\u{10000}', '😀', '\u{10ffff}'];
    expect([...cities].reverse().sort((a, b) => (key(a) < key(b) ? -1 : 1))).toEqual(cities);
  });

  it('puts a city before all that begin with its name', () => {
    const key = (city: string, title: string) => sortKey({ country: 'IE', city, title, id: '' });
    expect(key('Galway', 'z') < key('Galway Bay', 'a')).toBe(true);
    expect(key('Galway', 'z') < key('Galway!', 'a')).toBe(true);
  });
});

it('texts are in the order of their code points, whatever their UTF-16 units', () => {
  const ordered = ['', 'a', 'ab', 'b', '\ud7ff', '\ue000', '\uffee', '𐀀', '😀'];
  expect([...ordered].reverse().sort(compareByCodePoint)).toEqual(ordered);
  expect(compareByCodePoint('😀', '😀')).toBe(0);
});
