/** Declared fields and languages of `catalogue.yaml`: what is accepted, and the errors at their lines. */
import { describe, expect, it } from 'vitest';
import { KNOWN_FIELDS } from '../../src/contract/known-fields.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';

const check = (text: string) => checkConfiguration(Buffer.from(text));

/** Line, underlined text and reason of each error. */
function errors(text: string): string[] {
  return check(text).diagnostics.map(({ span, message, code }) => {
    const start = (span?.column ?? 1) - 1;
    const place = `${span?.line} ${span?.text.slice(start, start + span.length)}`;
    return `${place}: ${code === 'invalid-setting' ? message.replace(/^.*? is not valid: |\.$/g, '') : message}`;
  });
}

describe('a declaration', () => {
  it('resolves each known field, declared without options, to its entry', () => {
    const text = Object.keys(KNOWN_FIELDS).map((name, index) => `  ${name}:${index % 2 ? ' {}' : ''}\n`);
    const { fields } = declaredTerms(check(`fields:\n${text.join('')}`).configuration!);
    expect(fields.attributes.size).toBe(19);
    for (const [name, known] of Object.entries(KNOWN_FIELDS)) {
      const { label, declared, examples } = fields.attributes.get(name)!;
      expect([name, label, declared?.type]).toEqual([name, known.label, known.type]);
      expect(examples).toEqual(known.examples);
    }
  });

  it('takes all options of a field of its own, and the short form of choices', () => {
    const text =
      'fields: { lake: { type: integer, label: Distance, help: To the lake., unit: m, minimum: 0, maximum: 9 }, sauna: { type: choice, list: true, choices: [wood, electric_one], required: true, synonyms: [steam] } }';
    const { attributes } = declaredTerms(check(text).configuration!).fields;
    expect(attributes.get('lake')).toEqual({
      ...{ kind: 'integer', label: 'Distance', description: 'To the lake.', published: 'To the lake.' },
      ...{ examples: ['2'], synonyms: [], group: 'details' },
      declared: { type: 'integer', unit: 'm', minimum: '0', maximum: '9' },
    });
    expect(attributes.get('sauna')).toMatchObject({
      ...{ kind: 'words', required: true, synonyms: ['steam'], label: 'Sauna' },
      declared: { terms: { labels: { wood: 'Wood', electric_one: 'Electric one' } } },
    });
  });

  it('may be a filter of a search; the type of a property is one unless it says no', () => {
    const text =
      'fields: { bedrooms: { filter: true }, beds: {}, property_type: {}, pets: { type: choice, list: true, choices: [cat, dog], filter: true } }';
    const filters = (of: string) =>
      [...declaredTerms(check(of).configuration!).fields.attributes]
        .filter(([, { declared }]) => declared?.filter)
        .map(([name]) => name);
    expect(filters(text)).toEqual(['bedrooms', 'property_type', 'pets']);
    expect(filters('fields: { property_type: { filter: false } }')).toEqual([]);
  });

  it.each(['text', 'lines', 'time', 'link'])('is no filter if it is of the type %s', (type) => {
    expect(errors(`fields:\n  a: { type: ${type}, filter: true }`)).toEqual([
      '2 true: expected none: only integer, decimal, boolean, date, choice have it',
    ]);
  });

  it('may narrow a known field and give it other words', () => {
    const text =
      'fields: { bedrooms: { maximum: 9, label: Rooms, required: true }, summary: { max_length: 80 }, property_type: { choices: { cottage: Small house, hut: Hut } } }';
    const { attributes } = declaredTerms(check(text).configuration!).fields;
    expect(attributes.get('bedrooms')).toMatchObject({
      label: 'Rooms',
      declared: { minimum: '0', maximum: '9' },
    });
    expect(attributes.get('summary')?.declared?.maxLength).toBe(80);
    const { terms } = attributes.get('property_type')!.declared!;
    expect(terms?.labels).toEqual({ cottage: 'Small house', hut: 'Hut' });
    expect(terms?.meanings.entirecottage).toBe('cottage');
  });

  it.each([
    [
      'fields:\n  sauna: {}',
      [
        '2 {}: expected a type, such as { type: text }; the types are text, lines, integer, decimal, boolean, date, time, link, choice',
      ],
    ],
    ['fields:\n  title: { type: text }', ['2 type: expected another name: the interface has this one']],
    ['fields:\n  attributes: { type: text }', ['2 type: expected another name: the interface has this one']],
    ['fields:\n  constructor: { type: text }', ['2 type: expected another name: the interface has this one']],
    [
      'fields:\n  Sauna: { type: text }',
      ['2 type: expected a name of up to 40 lower-case letters, digits and "_", the first a letter'],
    ],
    [
      'fields:\n  bedrooms: { type: text }',
      ['2 text: expected none: bedrooms is a known field, whose type is integer'],
    ],
    [
      'fields:\n  bedrooms: { maximum: 5000 }',
      ['2 5000: expected no more than 1000, the limit of this known field'],
    ],
    ['fields:\n  stars: { minimum: 0 }', ['2 0: expected no less than 1, the limit of this known field']],
    [
      'fields:\n  summary: { max_length: 900 }',
      ['2 900: expected at most 300, the limit of this known field'],
    ],
    [
      'fields:\n  a: { type: integer, minimum: 3, maximum: 2 }',
      ['2 2: expected a minimum that is no more than the maximum'],
    ],
    ['fields:\n  a: { type: date, minimum: yesterday }', ['2 yesterday: expected a value of the type date']],
    [
      'fields:\n  a: { type: text, minimum: 3 }',
      ['2 3: expected none: only integer, decimal, date, time have it'],
    ],
    ['fields:\n  a: { type: text, default: x }', ['2 x: a field has none: what is absent is unknown']],
    [
      'fields:\n  a: { type: text, list: true, translate: true }',
      ['2 true: expected none: a list is not translated'],
    ],
    ['fields:\n  a: { type: choice }', ['2 type: expected choices, such as [wood, electric]']],
    [
      'fields:\n  a: { type: choice, choices: [Wood, b, b] }',
      [
        '2 Wood: expected a value of up to 40 lower-case letters, digits and "_", the first a letter',
        '2 b: expected each value once',
      ],
    ],
    ['fields:\n  a: { type: text, index: true }', ['2 index: There is no field "index" in fields.a.']],
    ['fields: [bedrooms]', ['1 [bedrooms]: Expected a mapping here, and found a list.']],
    ['languages: [en, pt_br]', ['1 pt_br: expected a language tag such as pt-BR']],
    ['languages: [en, FR]', ['1 FR: expected a language tag such as fr']],
    ['languages: [en, fr, en]', ['1 [en, fr, en]: expected each language once']],
    ['languages: []', ['1 []: expected at least one language']],
    [
      'language: en\nlanguages: [en, fr]',
      ['1 en: expected only one of language and languages, whose first is the default'],
    ],
  ])('with an error: %j', (text, expected) => expect(errors(text)).toEqual(expected));

  it('has at most 60 fields', () => {
    const many = Array.from({ length: 61 }, (_, index) => `  a${index}: { type: text }\n`).join('');
    expect(errors(`fields:\n${many}`)).toEqual(['62 type: expected at most 60 fields']);
  });

  it('with one language means that language', () =>
    expect(declaredTerms(check('languages: [fr]').configuration!).fields.languages).toEqual([]));
});
