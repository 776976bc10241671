import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { authoredSchema } from '../../src/contract/authored.ts';
import { COUNTRIES } from '../../src/contract/country-and-currency-tables.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { authoredJsonSchema } from '../../src/documents/property-schema.ts';
import { readConfiguration } from '../../src/source/configuration-file.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { FIELDS } from '../source/property-text.ts';
import { termsFrom } from '../support/terms.ts';

type Schema = {
  description?: string;
  markdownDescription?: string;
  examples?: unknown[];
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: object[];
  defaultSnippets?: { label: string; description: string; body: string }[];
};

const schema = authoredJsonSchema(termsFrom({ facilities: ['wifi'], policy_types: ['check_in'] })) as Schema;
const ajv = new Ajv({ strict: false });
const validate = ajv.compile(schema);

/** Returns whether an editor accepts a file: it guesses the types of plain scalars. */
const inEditor = (yaml: string) => validate(parse(yaml));
/** The codes of the errors that the check finds. */
const inCheck = (yaml: string) =>
  checkPropertyFile(Buffer.from(yaml), 'a.yaml', termsFrom())
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code }) => code);

/** Rules that JSON Schema cannot express: numbering plans, bytes, addresses for URL parsers, relations of entries. */
const UNSAYABLE = new Set([
  ...['invalid-phone', 'city-too-long', 'invalid-url', 'duplicate-position', 'duplicate-photo'],
]);

const CATALOGUE = fileURLToPath(new URL('../../content/', import.meta.url));
const CONTENT = `${CATALOGUE}properties/`;

describe('the schema of property files', () => {
  it('accepts every shipped property', () => {
    const names = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.yaml'),
    );
    expect(names.length).toBeGreaterThan(300);
    const accepts = ajv.compile(authoredJsonSchema(declaredTerms(readConfiguration(CATALOGUE).usable)));
    for (const name of names) {
      expect([name, accepts(parse(readFileSync(CONTENT + name, 'utf8'))), accepts.errors]).toEqual([
        name,
        true,
        null,
      ]);
    }
  });

  it('accepts exactly what the check accepts, as far as a schema can express it', () => {
    const space = fc.constantFrom('', '', '', ' ', '\u00a0', '\n', '\ufeff');
    const pool = fc.oneof(
      fc.constantFrom(
        ...Object.values(FIELDS),
        ...['', 'x', '1', '0', '-1', '1.5', '91', '90.0', '-90', '180.00', '180.01', '01', '.5', 'true'],
        ...['True', 'yes'],
        ...['null', '~', 'a\nb', 'a\tb', 'IE', 'ie', 'XX', 'GBP', 'gbp', 'direct', 'cash'],
        ...['+353 1 605 7700', '353', '+', 'a@b.example'],
        ...['a@b', 'a b', 'https://p.example/a.jpg', 'HTTPS://p.example', 'http://p.example', 'https://'],
        '../a.jpg',
        ...['/a.jpg', 'C:/a', 'a\\b', 'a/', '~/a', 'a\tb', 'a\u200eb', 'a\ud800b', '旺角 🏠', '123456789'],
        '1234567890',
        ...['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', '00000000-0000-0000-0000-000000000000'],
        ...['5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11', '5f3c1c1e-8d0a-4c56-0a59-3f6f0a8f3c11', 'x'.repeat(121)],
        'é'.repeat(60),
        'u\u0308\u0304'.repeat(60),
      ),
      fc.string({ maxLength: 5 }),
    );
    const value = fc.tuple(space, pool, space).map((parts) => parts.join(''));
    const entry = (fields: string[]) =>
      fc.dictionary(fc.constantFrom(...fields), fc.oneof(value, fc.constant(null)), {
        noNullPrototype: true,
      });
    const property = fc.record({
      changed: fc.dictionary(
        fc.constantFrom(...Object.keys(authoredSchema.shape), 'titel'),
        fc.oneof(value, fc.constant(null)),
        {
          maxKeys: 2,
          noNullPrototype: true,
        },
      ),
      lists: fc.record(
        {
          facilities: fc.oneof(fc.array(value, { maxLength: 2 }), fc.constant(null)),
          photo: fc.array(entry(['file', 'url', 'description', 'id', 'position']), { maxLength: 2 }),
          hotel_policy: fc.array(entry(['policy_type', 'detail']), { maxLength: 1 }),
          payment_method: fc.array(entry(['is_enabled', 'method_type', 'x']), { maxLength: 1 }),
        },
        { requiredKeys: [] },
      ),
      fixed: fc.boolean(),
    });
    let accepted = 0;
    fc.assert(
      fc.property(property, ({ changed, lists, fixed }) => {
        // The check treats an unknown field without a value as absent.
        if (changed.titel === null) delete changed.titel;
        const fields: Record<string, unknown> = { ...FIELDS, ...(fixed ? {} : changed), ...lists };
        // JSON without null is YAML that every reader reads as texts; an empty value has no text.
        const yaml = Object.entries(fields)
          .map(([key, field]) => `${key}: ${JSON.stringify(field).replace(/\bnull\b(?=[,}\]]|$)/g, '')}\n`)
          .join('');
        const codes = inCheck(yaml);
        const isValid = inEditor(yaml);
        if (codes.length === 0) {
          accepted++;
          expect([isValid, validate.errors]).toEqual([true, null]);
        } else if (codes.some((code) => !UNSAYABLE.has(code)))
          expect([isValid, codes]).toEqual([false, codes]);
      }),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('accepts a title of 500 characters, however many units each has before normalisation', () => {
    const { pattern = '' } = schema.properties?.title ?? {};
    // What is longest in code points, and in UTF-16 units.
    for (const character of ['\u1f82', '\u{16126}']) {
      const title = character.normalize('NFD').repeat(500);
      expect(title.normalize('NFC')).toBe(character.repeat(500));
      for (const flags of ['', 'u']) expect(new RegExp(pattern, flags).test(title)).toBe(true);
    }
  });

  it('judges plain scalars as the check does, whatever they look like', () => {
    const plain = (fields: Record<string, string>) =>
      Object.entries({ ...FIELDS, ...fields })
        .map(([key, text]) => `${key}: ${text}\n`)
        .join('');
    for (const fields of [
      { title: '1984', zip_code: '01234', phone: '+35316057700', country: 'NO' },
      { city: 'true', state: '1.10', address: '2020-01-01', zip_code: '0x10', title: '.5' },
      { email: '', phone: '', zip_code: '', facilities: '', photo: '', latitude: '-0.50', longitude: '180' },
      { photo: '[{file: 1.jpg, position: 2}]', payment_method: '[{is_enabled: true, method_type: direct}]' },
      { facilities: '[1, true]' },
    ]) {
      const yaml = plain(fields as Record<string, string>);
      expect([yaml, inCheck(yaml)]).toEqual([yaml, []]);
      expect([yaml, inEditor(yaml), validate.errors]).toEqual([yaml, true, null]);
    }
    for (const fields of [
      { latitude: '91' },
      { longitude: '-180.5' },
      { title: '' },
      { country: 'true' },
      { photo: '[{file: a.jpg, position: 0}]' },
      { photo: '[{file: a.jpg, url: https://p.example/a.jpg}]' },
      { facilities: 'wifi' },
      { facilities: '[[a]]' },
    ]) {
      const yaml = plain(fields as Record<string, string>);
      expect([yaml, inCheck(yaml).length > 0, inEditor(yaml)]).toEqual([yaml, true, false]);
    }
  });

  it('describes every field, with an example', () => {
    const visit = (
      path: string,
      { description, markdownDescription, examples, properties, items, defaultSnippets }: Schema,
    ) => {
      expect([path, description]).toEqual([path, expect.stringMatching(/\S/)]);
      if (path && !path.endsWith('[]')) {
        // A field that is suggested word by word, or made by a tool, or a list of mappings needs no example.
        const needsNone =
          defaultSnippets !== undefined || path.endsWith('.id') || items?.properties !== undefined;
        const shown = (examples?.length ?? 0) > 0 || markdownDescription?.includes('Example: `');
        expect([path, shown || needsNone]).toEqual([path, true]);
      }
      for (const [key, field] of Object.entries(properties ?? {})) visit(`${path}.${key}`, field);
      if (items?.properties) visit(`${path}[]`, items);
    };
    visit('', schema);
    expect(Object.keys(schema.properties ?? {})).toEqual(Object.keys(authoredSchema.shape));
  });

  it('gives valid examples', () => {
    const { properties = {} } = schema;
    for (const [key, { examples = [] }] of Object.entries(properties)) {
      for (const example of examples)
        expect([key, ajv.validate(properties[key]!, example)]).toEqual([key, true]);
    }
  });

  it('names countries, currencies and the vocabulary', () => {
    const codes = schema.properties?.country?.defaultSnippets ?? [];
    expect(codes.slice(0, 250).map(({ label }) => label)).toEqual(Object.keys(COUNTRIES));
    expect(codes).toContainEqual({ label: 'IE', description: 'Ireland', body: 'IE' });
    expect(codes).toContainEqual({ label: 'Ireland', description: 'IE', body: 'IE' });
    expect(schema.properties?.facilities?.items?.defaultSnippets).toEqual([
      { label: 'wifi', description: 'Wi-Fi', body: 'wifi' },
    ]);
  });
});
