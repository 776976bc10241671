import fc from 'fast-check';
import leven from 'leven';
import { describe, expect, it } from 'vitest';
import { foldToLetters } from '../../src/contract/unicode.ts';
import { certainMatch, hasSameLetters, nearestWord } from '../../src/source/did-you-mean.ts';

const FIELDS = [
  ...['id', 'title', 'currency', 'email', 'phone', 'zip_code', 'city', 'state', 'photo', 'facilities'],
];

describe('nearest', () => {
  it.each([
    ['titel', 'title'],
    ['tilte', 'title'],
    ['Title', 'title'],
    ['TITLE', 'title'],
    [' title ', 'title'],
    ['tittle', 'title'],
    ['emial', 'email'],
    ['mail', 'email'],
    ['fone', undefined],
    ['phones', 'phone'],
    ['photos', 'photo'],
    ['facility', undefined],
    ['facilites', 'facilities'],
    ['zipcode', 'zip_code'],
    ['zip-code', 'zip_code'],
    ['ID', 'id'],
    ['x', undefined],
    ['', undefined],
    ['  ', undefined],
    ['description', undefined],
    ['x'.repeat(10_000), undefined],
    ['__proto__', undefined],
  ])('for %j is %s', (word, known) => expect(nearestWord(word, FIELDS)).toBe(known));

  it('is the first of several equally near words', () => {
    expect(nearestWord('cat', ['bat', 'rat'])).toBe('bat');
    expect(nearestWord('cat', ['rat', 'bat'])).toBe('rat');
  });

  it('is never the word itself', () => {
    expect(nearestWord('wifi', ['wifi'])).toBeUndefined();
    expect(nearestWord('wifi', [])).toBeUndefined();
  });
});

describe('certainMatch', () => {
  const known = ['wifi', 'parking', 'free_parking', 'balcony', 'balkon', 'sauna', 'garden', 'garten', 'pool'];

  /** By all distances, without a choice of those that are worth a comparison. */
  function slowMatch(word: string): string | undefined {
    const same = known.filter((one) => foldToLetters(one) === foldToLetters(word));
    if (same.length > 0 || word.length < 5) return same.length === 1 ? same[0] : undefined;
    const distances = known.map((one) => ({ one, distance: leven(word.toLowerCase(), one) }));
    const near = distances.filter(({ distance }) => distance <= Math.floor(word.length / 3));
    return near.length === 1 && near[0]!.distance === 1 ? near[0]!.one : undefined;
  }

  it('is the only near word, one letter away', () => {
    const slip = fc.record({
      word: fc.constantFrom(...known),
      at: fc.nat({ max: 11 }),
      cut: fc.nat({ max: 2 }),
      more: fc.stringMatching(/^[a-zA-Z _-]{0,2}$/),
    });
    const typed = slip.map(({ word, at, cut, more }) => word.slice(0, at) + more + word.slice(at + cut));
    fc.assert(
      fc.property(typed, (word) => {
        fc.pre(!known.includes(word));
        expect(certainMatch(word, known)).toBe(slowMatch(word));
      }),
      { numRuns: 2000 },
    );
    expect(certainMatch('balcon', known)).toBeUndefined();
    expect(certainMatch('gardem', known)).toBeUndefined();
    expect(certainMatch('sauma', known)).toBe('sauna');
  });
});

describe('isScrambled', () => {
  it.each([
    ['ERU', 'EUR', true],
    ['EUR', 'EUR', true],
    ['EURO', 'EUR', false],
    ['EEU', 'EUU', false],
    ['', '', true],
  ])('is right for %s and %s: %s', (a, b, scrambled) => expect(hasSameLetters(a, b)).toBe(scrambled));
});
