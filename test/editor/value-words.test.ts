/** Values of fields in words of people. */
import { describe, expect, it } from 'vitest';
import { textInWords, valueInWords } from '../../src/editor/value-words.ts';

const SAUNA = {
  name: 'sauna',
  kind: 'choice',
  choices: [
    { word: 'wood', label: 'Wood-fired', synonyms: [] },
    { word: 'electric', label: 'Electric', synonyms: [] },
  ],
} as const;

describe('a value in words', () => {
  it('of a choice is its label, in a list too; an unknown one stays as it is', () => {
    expect(textInWords('wood', SAUNA)).toBe('Wood-fired');
    expect(textInWords('steam', SAUNA)).toBe('steam');
    expect(valueInWords('electric', SAUNA)).toBe('Electric');
    expect(valueInWords(['wood', 'electric'], { ...SAUNA, kind: 'words' })).toBe('Wood-fired\nElectric');
  });

  it('of a boolean is Yes or No, of a code its name', () => {
    expect(['true', 'false'].map((text) => textInWords(text, { name: 'quiet', kind: 'boolean' }))).toEqual([
      'Yes',
      'No',
    ]);
    expect(textInWords('true', { name: 'title', kind: 'text' })).toBe('true');
    expect(textInWords('IE', { name: 'country', kind: 'text' })).toBe('Ireland');
    expect(valueInWords(null, SAUNA)).toBe('(nothing)');
  });
});
