/** Values of fields in words of people. */
import { describe, expect, it } from 'vitest';
import type { FieldInfo } from '../../src/editor/catalogue-info.ts';
import { displayText, displayValue } from '../../src/editor/display-values.ts';

const NONE = { vocabulary: { facilities: [], policy_types: [] } };

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
    expect(displayText('wood', SAUNA, NONE)).toBe('Wood-fired');
    expect(displayText('steam', SAUNA, NONE)).toBe('steam');
    expect(displayValue('electric', SAUNA, NONE)).toBe('Electric');
    expect(displayValue(['wood', 'electric'], { ...SAUNA, kind: 'words' }, NONE)).toBe(
      'Wood-fired\nElectric',
    );
  });

  it('of a boolean is Yes or No, of a code its name', () => {
    expect(
      ['true', 'false'].map((text) => displayText(text, { name: 'quiet', kind: 'boolean' }, NONE)),
    ).toEqual(['Yes', 'No']);
    expect(displayText('true', { name: 'title', kind: 'text' }, NONE)).toBe('true');
    expect(displayText('IE', { name: 'country', kind: 'text' }, NONE)).toBe('Ireland');
    expect(displayValue(null, SAUNA, NONE)).toBe('(nothing)');
  });

  it('of an entry is as the form shows it: names of photos, labels of the vocabulary, no keys (C13)', () => {
    const field = (name: string, kind: 'text' | 'boolean' | 'choice', label: string, more = {}) =>
      ({ name, kind, label, choices: null, vocabulary: null, fields: [], ...more }) as unknown as FieldInfo;
    const words = {
      vocabulary: {
        facilities: [{ word: 'wifi', label: 'Wi-Fi', synonyms: [] }],
        policy_types: [{ word: 'quiet', label: 'Quiet hours', synonyms: [] }],
      },
    };
    expect(displayValue(['wifi', 'sea_view'], { vocabulary: 'facilities' }, words)).toBe('Wi-Fi\nSea view');
    const photo = { fields: [field('file', 'text', 'file'), field('description', 'text', 'description')] };
    const photos = [
      { id: '0-1', file: '../../photos/ie/rose/front.jpg', description: 'In May', position: '1' },
      { file: 'waiting:17/IMG_1.HEIC' },
    ];
    expect(displayValue(photos, photo, words)).toBe('front.jpg: In May\nIMG_1.HEIC');
    const policy = {
      fields: [
        field('policy_type', 'choice', 'type', { vocabulary: 'policy_types' }),
        field('detail', 'text', 'text'),
      ],
    };
    expect(displayValue([{ policy_type: 'quiet', detail: 'From 22:00' }], policy, words)).toBe(
      'Quiet hours: From 22:00',
    );
    const method = {
      fields: [field('method_type', 'choice', 'type'), field('is_enabled', 'boolean', 'accepted')],
    };
    const methods = [
      { method_type: 'at_property', is_enabled: 'true' },
      { method_type: 'direct', is_enabled: 'false' },
    ];
    expect(displayValue(methods, method, words)).toMatch(/^\S.*: accepted\n\S.*: not accepted$/);
  });
});
