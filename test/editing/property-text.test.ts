import fc from 'fast-check';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatText } from '../../src/editing/format.ts';
import { type PropertyValues, propertyYaml } from '../../src/editing/property-text.ts';

const PROPERTY: PropertyValues = {
  id: '0b9b1a5e-7c1d-4b6e-9a53-6f0f5a1a2b3c',
  title: 'Rose Cottage',
  currency: 'EUR',
  email: 'stay@rosecottage.example',
  phone: '+35316057700',
  zip_code: '01234',
  city: 'Galway',
  country: 'NO',
  latitude: '53.27190',
  longitude: '-9.04889',
  facilities: ['wifi', 'parking'],
  photo: [{ file: '../photos/front.jpg', description: 'The front', position: 1 }],
  hotel_policy: [{ policy_type: 'check_in', detail: 'From 15:00.' }],
  payment_method: [{ is_enabled: true, method_type: 'direct' }],
};

describe('propertyYaml', () => {
  test('writes what an editor would write', () => {
    expect(
      propertyYaml({ ...PROPERTY, title: 'The "Old" Mill: #1' }, { head: '# Source: here\n' }),
    ).toBe(`# Source: here

id: 0b9b1a5e-7c1d-4b6e-9a53-6f0f5a1a2b3c
title: 'The "Old" Mill: #1'

currency: EUR
email: stay@rosecottage.example
phone: "+35316057700"

zip_code: "01234"
city: Galway
country: "NO"
latitude: 53.27190
longitude: -9.04889

facilities:
  - wifi
  - parking

photo:
  - file: ../photos/front.jpg
    description: The front
    position: 1

hotel_policy:
  - policy_type: check_in
    detail: From 15:00.

payment_method:
  - is_enabled: true
    method_type: direct
`);
  });

  test.each([
    ['1984', '"1984"'],
    ['No', '"No"'],
    ['~', '"~"'],
    ['- dash', '"- dash"'],
    ["'quoted'", `"'quoted'"`],
    ['C:\\new', 'C:\\new'],
    ['"C:\\new"', `'"C:\\new"'`],
    ['a: b', '"a: b"'],
    ['a:b#c', 'a:b#c'],
    ['Smith & Sons', 'Smith & Sons'],
    ['# 5', '"# 5"'],
    ['Ends: ', '"Ends: "'],
    ['two\nlines', '|-\n  two\n  lines'],
    ['non\u00a0breaking', 'non\u00a0breaking'],
    ['旺角 🏠', '旺角 🏠'],
  ])('quotes the title %j only where YAML would misread it: %s', (title, scalar) => {
    expect(propertyYaml({ ...PROPERTY, title })).toContain(`title: ${scalar}\n`);
  });

  test('gives texts that both parsers read back unchanged, whatever they hold', () => {
    const indicator = fc.constantFrom(
      ...'-?:,[]{}#&*!|>\'"%@`~ \t\n\r\\<='.split(''),
      ...['\u0085', '\u00a0', '\u2028', '\ufeff', '\u200b', '\ud7ff', '😀'],
    );
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc
        .array(fc.oneof(indicator, fc.constantFrom('a', '0', 'e', '.', 'null')), { minLength: 1 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        const yaml = propertyYaml({
          ...PROPERTY,
          title: one,
          zip_code: two,
          facilities: [three, one],
          photo: [{ url: two, description: three }],
          hotel_policy: [{ policy_type: three, detail: two }],
        });
        const expected = {
          title: one,
          zip_code: two,
          facilities: [three, one],
          photo: [{ url: two, description: three }],
          hotel_policy: [{ policy_type: three, detail: two }],
          payment_method: [{ is_enabled: 'true', method_type: 'direct' }],
        };
        expect(parse(yaml, { schema: 'failsafe' })).toMatchObject(expected);
        expect(load(yaml, { schema: FAILSAFE_SCHEMA })).toMatchObject(expected);
      }),
      { numRuns: 2000 },
    );
  });

  test('writes the lines of a policy and of a caption as lines (E3)', () => {
    const yaml = propertyYaml({
      ...PROPERTY,
      photo: [{ url: 'https://p.example/a', description: 'The garden\n\nin May' }],
      hotel_policy: [{ policy_type: 'check_in', detail: 'From 15:00.\n- bring: this\n  # and that' }],
    });
    expect(yaml).toContain('    description: |-\n      The garden\n\n      in May\n');
    expect(yaml).toContain('    detail: |-\n      From 15:00.\n      - bring: this\n        # and that\n');
    expect(parse(yaml)).toMatchObject({
      photo: [{ description: 'The garden\n\nin May' }],
      hotel_policy: [{ detail: 'From 15:00.\n- bring: this\n  # and that' }],
    });
    expect(formatText(yaml)).toBe(yaml);
  });

  test('leaves out what is absent', () => {
    const bare = propertyYaml({
      id: PROPERTY.id,
      title: 'Bare',
      currency: 'EUR',
      city: 'Galway',
      country: 'IE',
      latitude: '53.2',
      longitude: '-9',
      facilities: [],
      photo: [],
      hotel_policy: [],
      payment_method: [],
    });
    expect(Object.keys(parse(bare, { schema: 'failsafe' }))).toEqual([
      ...['id', 'title', 'currency', 'city', 'country', 'latitude', 'longitude'],
    ]);
  });
});
