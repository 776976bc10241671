/** The vocabulary of the product, and the changes that a configuration makes to it (E7). */
import { describe, expect, it } from 'vitest';
import { FACILITIES, POLICY_TYPES } from '../../scripts/sample-data/facilities.ts';
import { DEFAULT_FACILITIES, DEFAULT_POLICY_TYPES } from '../../src/contract/default-vocabulary.ts';
import { foldToLetters } from '../../src/contract/unicode.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';
import { nearestWord } from '../../src/source/did-you-mean.ts';
import { correctedWord, unknownWordArgs } from '../../src/source/vocabulary-word.ts';

describe('the vocabulary of the product (E7)', () => {
  const { facilities, policy_types } = vocabularyFrom();

  it('has every word of the shipped catalogue', () => {
    expect(facilities.words).toEqual(expect.arrayContaining([...FACILITIES]));
    expect(policy_types.words).toEqual(expect.arrayContaining([...POLICY_TYPES]));
  });

  it.each([
    ['facilities', DEFAULT_FACILITIES],
    ['policy types', DEFAULT_POLICY_TYPES],
  ])('has unique words of one form: %s', (_name, terms) => {
    const seen = new Map<string, string>();
    for (const [word, [label, ...synonyms]] of Object.entries(terms)) {
      expect(word).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/);
      expect(label).toMatch(/^[A-Z].*[a-z]$/);
      for (const text of new Set([word, label, ...synonyms].map(foldToLetters))) {
        expect(seen.get(text), `${text}, of ${word}`).toBeUndefined();
        seen.set(text, word);
      }
      // A synonym that differs only in signs adds nothing.
      for (const synonym of synonyms)
        expect([foldToLetters(word), foldToLetters(label)]).not.toContain(foldToLetters(synonym));
    }
  });

  it.each([
    ['wi-fi', 'wifi'],
    ['Wi Fi', 'wifi'],
    ['WLAN', 'wifi'],
    ['Air conditioning', 'air_conditioning'],
    ['a/c', 'air_conditioning'],
    ['elevator', 'lift'],
    ['swiming_pool', 'swimming_pool'],
  ])('proposes for %s the word %s', (value, word) => {
    expect(unknownWordArgs(value, facilities)?.suggestion).toBe(word);
    expect(correctedWord(value, facilities)).toBe(word);
  });

  it.each(['wifi', 'library', 'wine_cellar', 'river_view', 'gas', 'spa', 'bird_watching', 'x'.repeat(200)])(
    'proposes nothing for %s',
    (value) => expect(unknownWordArgs(value, facilities)).toBeUndefined(),
  );

  it('proposes the word for a typo in each long word, and warns about none of its own words', () => {
    for (const { words, ...rest } of [facilities, policy_types]) {
      const terms = { words, ...rest };
      for (const word of words) {
        expect(unknownWordArgs(word, terms)).toBeUndefined();
        if (word.length < 9) continue;
        const slip = word.slice(0, 4) + word.slice(5);
        expect([word, unknownWordArgs(slip, terms)?.suggestion]).toEqual([word, word]);
        expect(nearestWord(slip, words)).toBe(word);
      }
    }
  });
});

describe('a configuration (E7)', () => {
  it('replaces the words by a list, and keeps labels and synonyms of the listed words', () => {
    const { facilities, policy_types } = vocabularyFrom({ facilities: ['wifi', 'wine_cellar', 'wifi'] });
    expect(facilities).toMatchObject({
      words: ['wifi', 'wine_cellar'],
      labels: { wifi: 'Wi-Fi', wine_cellar: 'Wine cellar' },
      isOpen: false,
    });
    expect(unknownWordArgs('wlan', facilities)).toEqual({ value: 'wlan', suggestion: 'wifi', name: 'Wi-Fi' });
    expect(unknownWordArgs('library', facilities)).toEqual({ value: 'library' });
    expect(policy_types.isOpen).toBe(true);
  });

  it('extends them, with labels and synonyms', () => {
    const { facilities } = vocabularyFrom({
      facilities: {
        extend: { wine_cellar: { label: 'Wine', synonyms: ['bodega'] }, lift: 'Elevator', pool: {} },
      },
    });
    expect(facilities.isOpen).toBe(true);
    expect(facilities.words).toEqual([...Object.keys(DEFAULT_FACILITIES), 'wine_cellar', 'pool']);
    expect(facilities.labels).toMatchObject({ wine_cellar: 'Wine', lift: 'Elevator', pool: 'Pool' });
    expect(unknownWordArgs('Bodega', facilities)?.suggestion).toBe('wine_cellar');
    // A word of the list is no longer a synonym of another one.
    expect(unknownWordArgs('pool', facilities)).toBeUndefined();
    const { facilities: listed } = vocabularyFrom({ facilities: { extend: ['wine_cellar'] } });
    expect(listed.words.at(-1)).toBe('wine_cellar');
  });

  it('replaces and extends at once, and gets one list', () => {
    const { policy_types } = vocabularyFrom({
      policy_types: { replace: ['check_in'], extend: { pets: 'Animals' } },
    });
    expect(policy_types).toMatchObject({
      words: ['check_in', 'pets'],
      labels: { check_in: 'Check-in', pets: 'Animals' },
      isOpen: false,
    });
  });
});
