/** `catalogue.schema.json` accepts what the check accepts, as far as an editor can say. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configurationJsonSchema } from '../../src/documents/configuration-schema.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';

const ajv = new Ajv({ strict: false });
const schema = configurationJsonSchema() as { properties: Record<string, Record<string, unknown>> };
const validate = ajv.compile(schema);
const inEditor = (yaml: string) => validate(parse(yaml) ?? {});
const inCheck = (yaml: string) => checkConfiguration(Buffer.from(yaml)).diagnostics.length === 0;

const VALID = [
  ...[
    'title: Stays',
    'title: 1984',
    'page_sizes: all',
    'page_sizes: [10, 25]',
    'page_sizes:',
    'thumbnail: { width: 400 }',
  ],
  ...[
    'bulk: false',
    'bulk: "false"',
    'bulk: whole',
    'languages: [en, fr]',
    'fields: { bedrooms: {}, summary: }',
    'max_files: 100',
  ],
  'fields: { lake: { type: integer, label: Lake, unit: m, minimum: 0, required: true } }',
  'fields: { sauna: { type: choice, choices: [wood, electric], list: true, filter: true } }',
  'fields: { sauna: { type: choice, choices: { wood: Wood-fired, electric: { label: Electric, synonyms: [e] } } } }',
  'vocabulary: { facilities: { extend: [boat_hire] }, policy_types: [check_in] }',
  'explorer: { tiles: openstreetmap, sources: [{ text: A source }] }',
  'license: { name: CC BY 4.0, url: "https://creativecommons.org/licenses/by/4.0/" }',
];
const INVALID = [
  ...[
    'titel: Stays',
    'page_sizes: 25',
    'thumbnail: { width: wide }',
    'thumbnail: 400',
    'bulk: maybe',
    'layout: both',
  ],
  ...[
    'fields: { Lake: { type: text } }',
    'fields: { lake: { type: number } }',
    'fields: { lake: { kind: text } }',
    'fields: { lake: { type: integer, filter: maybe } }',
  ],
  ...['fields: [bedrooms]', 'languages: en', 'max_files: 0', 'fields: { lake: { type: text, default: 1 } }'],
];

describe('an editor', () => {
  it.each(VALID)('accepts %s, as the check does', (yaml) =>
    expect([inEditor(yaml), inCheck(yaml), validate.errors]).toEqual([true, true, null]),
  );
  it.each(INVALID)('refuses %s, as the check does', (yaml) =>
    expect([inEditor(yaml), inCheck(yaml)]).toEqual([false, false]),
  );

  it('accepts the settings of the shipped catalogue and of the starter', () => {
    for (const path of ['content', 'starter/content']) {
      const text = readFileSync(new URL(`../../${path}/catalogue.yaml`, import.meta.url), 'utf8');
      expect([
        inEditor(
          text
            .replaceAll(/@@\w+@@/g, '"x"')
            .replace(/^"x"$/m, '')
            .replace('base_url: "x"', 'base_url: https://a.example'),
        ),
        validate.errors,
      ]).toEqual([true, null]);
    }
  });
});

it('explains every setting and offers each known field', () => {
  const unexplained = Object.entries(schema.properties).filter(([, { description }]) => !description);
  expect(unexplained).toEqual([]);
  expect(Object.keys(schema.properties.fields!.properties as object)).toHaveLength(19);
});
