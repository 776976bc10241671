import { describe, expect, it } from 'vitest';
import { isScrambled, nearest } from '../../src/source/did-you-mean.ts';

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
  ])('for %j is %s', (word, known) => expect(nearest(word, FIELDS)).toBe(known));

  it('is the first of several equally near words', () => {
    expect(nearest('cat', ['bat', 'rat'])).toBe('bat');
    expect(nearest('cat', ['rat', 'bat'])).toBe('rat');
  });

  it('is never the word itself', () => {
    expect(nearest('wifi', ['wifi'])).toBeUndefined();
    expect(nearest('wifi', [])).toBeUndefined();
  });
});

describe('isScrambled', () => {
  it.each([
    ['ERU', 'EUR', true],
    ['EUR', 'EUR', true],
    ['EURO', 'EUR', false],
    ['EEU', 'EUU', false],
    ['', '', true],
  ])('is right for %s and %s: %s', (a, b, scrambled) => expect(isScrambled(a, b)).toBe(scrambled));
});
