import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { authoredSchema } from '../../src/contract/authored.ts';
import { compileSchema, UNSURE } from '../../src/contract/compiled-schema.ts';
import { readQuickly } from '../../src/source/simple-yaml.ts';
import { mutatedDocument } from '../source/mutated-document.ts';

const judge = compileSchema(authoredSchema);

/** The result of the schema for a value, in the form of a compiled one. */
function judgedBy(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : UNSURE;
}

describe('a compiled schema', () => {
  const parts = z.strictObject({
    needed: z.string().trim().toLowerCase(),
    optional: z.string().optional(),
    filled: z.string().default('none'),
    number: z.string().transform(Number).optional(),
    list: z.array(z.strictObject({ a: z.string().check(z.minLength(2)).optional() })).default([]),
    other: z.union([z.literal('x'), z.number()]).optional(),
    loose: z.looseObject({ a: z.string() }).optional(),
    deep: z.string().default('d').optional(),
    any: z.any().optional(),
  });
  const judgeParts = compileSchema(parts);

  it.each([
    [{ needed: ' A ' }],
    [{ needed: 'a', optional: 'b', filled: 'c', number: '4', list: [{ a: 'bc' }, {}], any: 1 }],
    [{ needed: 'a', other: 'x', loose: { a: 'a', b: 1 }, deep: 'e' }],
    [{ needed: 'a', other: 4, any: null }],
  ])('turns %j into the same value as the schema', (value) => {
    expect(judgeParts(value)).toStrictEqual(parts.parse(value));
  });

  it.each([
    [{}],
    [{ needed: 4 }],
    [{ needed: 'a', unknown: 'b' }],
    [{ needed: 'a', list: [{ a: 'b' }] }],
    [{ needed: 'a', list: {} }],
    [{ needed: 'a', list: [[]] }],
    [{ needed: 'a', other: 'y' }],
    [{ needed: 'a', loose: [] }],
    [{ needed: null }],
    [[]],
    [null],
    ['needed'],
  ])('leaves the verdict on %j to the schema', (value) => {
    expect(judgeParts(value)).toBe(UNSURE);
    expect(parts.safeParse(value).success).toBe(false);
  });

  it('does not change its input', () => {
    const value = Object.freeze({ needed: ' A ', list: Object.freeze([Object.freeze({ a: 'bc' })]) });
    expect(judgeParts(value)).toMatchObject({ needed: 'a' });
    expect(value.needed).toBe(' A ');
  });

  it('gives each value a default of its own', () => {
    const [one, other] = [judgeParts({ needed: 'a' }), judgeParts({ needed: 'a' })] as z.output<
      typeof parts
    >[];
    expect(one!.list).not.toBe(other!.list);
  });
});

/** Texts for any field of a property: valid ones of each kind, invalid ones, and some that need tidying. */
const text = fc.oneof(
  fc.constantFrom(
    ...[
      '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
      'EUR',
      'IE',
      '53.27194',
      '-180.0',
      '91',
      '1e2',
      'true',
      'direct',
    ],
    ...[
      'stay@rose.example',
      '+353 1 605 7700',
      '+353 1',
      'https://a.example/b.jpg',
      'https://a.1/',
      '../a.jpg',
      '1',
    ],
    ...[
      '',
      ' ',
      'a ',
      '\ta',
      'e\u0301',
      'a\nb',
      'a\r\nb',
      '\u200e',
      '\ud800',
      'é',
      '東京',
      'null',
      '\u00a0a',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

/** A property as a reader returns it: mostly valid, sometimes with another type or field. */
function anyProperty(): fc.Arbitrary<unknown> {
  const sound = { photo: [{ url: 'https://a.example/b.jpg' }], payment_method: [] };
  const required = {
    id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
    title: 'Rose Cottage',
    currency: 'EUR',
    city: 'Galway',
    country: 'IE',
    latitude: '53.27194',
    longitude: '-9.04889',
  };
  const value = fc.oneof(
    { weight: 5, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, 4, [], {}, [null], ['a'], [['a']]) },
  );
  const entry = (names: readonly string[]) =>
    fc.array(fc.dictionary(fc.constantFrom(...names, 'other'), value, { maxKeys: 3 }), { maxLength: 3 });
  const fields = fc.record(
    {
      title: value,
      email: value,
      phone: value,
      zip_code: value,
      city: value,
      latitude: value,
      country: value,
      currency: value,
      facilities: fc.oneof(fc.array(value, { maxLength: 3 }), value),
      photo: entry(['file', 'url', 'thumbnail', 'description', 'id', 'position']),
      hotel_policy: entry(['policy_type', 'detail']),
      payment_method: entry(['is_enabled', 'method_type']),
      other: value,
    },
    { requiredKeys: [] },
  );
  const some = fc
    .tuple(fields, fc.integer({ min: 0, max: 4 }))
    .map(([all, count]) => Object.fromEntries(Object.entries(all).slice(0, count)));
  return some.map((own) => ({ ...required, ...sound, ...own }));
}

describe('the compiled schema of a property', () => {
  it('accepts nothing that the schema refuses, and returns the same values', () => {
    const counts = { sure: 0, sound: 0 };
    const agree = (value: unknown) => {
      const sure = judge(value);
      const exact = judgedBy(authoredSchema, value);
      if (exact !== UNSURE) counts.sound++;
      if (sure === UNSURE) return;
      counts.sure++;
      expect(sure).toStrictEqual(exact);
    };
    fc.assert(fc.property(anyProperty(), agree), { numRuns: 4000 });
    fc.assert(
      fc.property(mutatedDocument, (document) => agree(readQuickly(document))),
      { numRuns: 2000 },
    );
    expect(counts.sure).toBeGreaterThan(500);
    // An unsure result takes longer, but costs nothing else.
    expect(counts.sure / counts.sound).toBeGreaterThan(0.95);
  });

  it('decides nearly every file of the shipped catalogue itself', () => {
    const folder = join(import.meta.dirname, '../../content/properties');
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
      name.endsWith('.yaml'),
    );
    const sure = files.filter((name) => {
      const value = readQuickly(readFileSync(join(folder, name), 'utf8'));
      return value !== undefined && judge(withoutNulls(value)) !== UNSURE;
    });
    expect(files.length).toBeGreaterThan(300);
    expect(sure.length / files.length).toBeGreaterThan(0.95);
  });
});

/** An empty field is an absent one. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, entry) => entry ?? undefined);
}
