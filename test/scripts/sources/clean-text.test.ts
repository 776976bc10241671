import { expect, test } from 'vitest';
import { cleanText } from '../../../scripts/sources/clean-text.ts';

test.each([
  ['  Canopy by Hilton \t', 'Canopy by Hilton'],
  ['Hostal Mar&iacute;a &amp; Jos&eacute; &ntilde;', 'Hostal María & José ñ'],
  ['&#8364;5 &#x41;&#XE9;', '€5 Aé'],
  ['room&bath;west', 'room&bath;west'],
  ['Cafe\u0301', 'Café'],
  ['one\u00a0\u2006two\nthree', 'one two three'],
  ['\u200eleft\u202e\u2066\u200b\ufeff\u00ad', 'left'],
  ['bell\u0007 and \u009d', 'bell and'],
  ['👩\u200d🍳', '👩\u200d🍳'],
  ['\ud800lone', 'lone'],
  ['&#0;&#x110000;', ''],
])('%j becomes %j', (raw, clean) => {
  expect(cleanText(raw)).toBe(clean);
});

test('an absent text stays absent', () => {
  expect(cleanText(undefined)).toBe('');
});
