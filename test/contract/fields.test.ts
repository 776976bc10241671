/** Each field with its example, through everything derived from its entry: a failure names the part that lost it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { authoredSchema } from '../../src/contract/authored.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerSettings } from '../../src/contract/explorer.ts';
import {
  ENTRY_LIST_FIELDS,
  type EntryField,
  entryFields,
  FIELD_NAMES,
  type Field,
  type FieldName,
  fieldLabel,
  fieldOf,
  NEW_COMMAND_FIELDS,
  PUBLISHED_FIELDS,
  SCALAR_FIELDS,
  VISIBILITY_FIELDS,
} from '../../src/contract/fields.ts';
import { type Property, publishedPropertySchema } from '../../src/contract/property.ts';
import { fieldChanges } from '../../src/diff/field-change.ts';
import { formatText } from '../../src/editing/format.ts';
import type { PropertyAnswers } from '../../src/editing/new-property-answers.ts';
import { newPropertyText, propertyYaml } from '../../src/editing/property-text.ts';
import { detailRows } from '../../src/explorer/detail-rows.ts';
import { toPropertyFile, validateProperty } from '../../src/import/candidate/candidate.ts';
import { rowMapper } from '../../src/import/candidate/row-property.ts';
import { readMapping } from '../../src/import/mapping/mapping.ts';
import { openRows } from '../../src/import/table/row-source.ts';
import { toProperty } from '../../src/release/to-published.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { termsFrom } from '../support/terms.ts';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** Values without an example in the schema, or excluded by its other examples. */
const OTHER_EXAMPLES: Readonly<Record<string, string>> = {
  id: ID,
  'photo.id': '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  // A position that follows from the order of the list is left out.
  'photo.position': '2',
};

const exampleOf = (path: string, { examples }: EntryField | Field): string => {
  const example = OTHER_EXAMPLES[path] ?? examples?.[0];
  if (example === undefined) throw new Error(`${path} has no example in src/contract/fields.ts`);
  return String(example);
};

type Entry = Readonly<Record<string, string>>;

/** An entry of a list with every field; two entries for photos, since a link excludes a file. */
function entriesOf(list: (typeof ENTRY_LIST_FIELDS)[number]): Entry[] {
  const all = Object.fromEntries(
    [...entryFields(list)].map(([key, field]) => [key, exampleOf(`${list}.${key}`, field)]),
  );
  if (list !== 'photo') return [all];
  const { file, url, thumbnail, id, position, description } = all as Record<string, string>;
  return [
    { url, thumbnail, description, id, position },
    { file, position: '1' },
  ] as Entry[];
}

const TEXTS = Object.fromEntries(SCALAR_FIELDS.map((field) => [field, exampleOf(field, fieldOf(field))]));
const LISTS = Object.fromEntries(ENTRY_LIST_FIELDS.map((list) => [list, entriesOf(list)]));
const FACILITIES = ['wifi', 'parking'];
/** A property file with every field. */
const FULL: Readonly<Record<string, unknown>> = { ...TEXTS, facilities: FACILITIES, ...LISTS };
const AUTHORED = authoredSchema.parse(FULL);
const WRITTEN = propertyYaml(toPropertyFile(AUTHORED));
const PUBLISHED = toProperty(AUTHORED, {
  photos: ['https://a.example/1', 'https://a.example/2'],
  thumbnail: null,
});

const read = (yaml: string) => parse(yaml, { schema: 'failsafe' }) as Record<string, unknown>;

/** The fields that a result lacks, or has with other values. */
function lost(
  found: Readonly<Record<string, unknown>>,
  fields: readonly FieldName[] = FIELD_NAMES,
): string[] {
  return fields.flatMap((field) => {
    const wanted = FULL[field];
    if (!Array.isArray(wanted) || field === 'facilities')
      return JSON.stringify(found[field]) === JSON.stringify(wanted) ? [] : [field];
    const entries = (found[field] ?? []) as Entry[];
    return wanted.flatMap((entry: Entry, index) =>
      Object.keys(entry)
        .filter((key) => String(entries[index]?.[key]) !== entry[key])
        .map((key) => `${field}.${key}`),
    );
  });
}

describe('the fields', () => {
  it('are required in a file exactly where their entries require them', () => {
    const isOptional = (schema: { safeParse(value: unknown): { success: boolean } }) =>
      schema.safeParse(undefined).success;
    for (const field of FIELD_NAMES)
      expect([field, isOptional(authoredSchema.shape[field])]).toEqual([field, !fieldOf(field).required]);
    expect(Object.keys(publishedPropertySchema.shape)).toEqual(PUBLISHED_FIELDS);
  });

  it('have synonyms that each stand for one field and are no field names themselves', () => {
    for (const table of [
      FIELD_NAMES.map((name) => [name, fieldOf(name)] as const),
      ...ENTRY_LIST_FIELDS.map((list) => [...entryFields(list)]),
    ]) {
      const names = table.flatMap(([name, { synonyms }]) => [name, ...synonyms]);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

describe('a property with every field (I)', () => {
  it('is written and formatted completely', () => {
    expect(lost(read(WRITTEN))).toEqual([]);
    expect(formatText(WRITTEN)).toBe(WRITTEN);
    const reversed = FIELD_NAMES.toReversed().map((field) => `${field}: ${JSON.stringify(FULL[field])}\n`);
    expect(lost(read(formatText(reversed.join(''))!))).toEqual([]);
  });

  it('can be made from answers to `catalogue new`', () => {
    const answers = {
      ...Object.fromEntries(
        [...NEW_COMMAND_FIELDS, ...VISIBILITY_FIELDS].map((field) => [field, TEXTS[field]]),
      ),
      facilities: FACILITIES,
      photos: [],
      hotel_policy: LISTS.hotel_policy,
      payment_method: LISTS.payment_method,
    } as unknown as PropertyAnswers;
    const made = read(newPropertyText({ ...answers, id: ID }, '# schema', termsFrom()));
    expect(
      lost(
        made,
        FIELD_NAMES.filter((field) => field !== 'photo'),
      ),
    ).toEqual([]);
    const notAsked = SCALAR_FIELDS.filter(
      (field) => fieldOf(field).required && !fieldOf(field).newCommandOption,
    );
    expect(notAsked).toEqual(['id']);
  });

  it('shows each unanswered field as a comment', () => {
    const required = Object.fromEntries(
      SCALAR_FIELDS.filter((field) => fieldOf(field).required).map((field) => [field, TEXTS[field]]),
    );
    const text = newPropertyText(
      required as unknown as Parameters<typeof newPropertyText>[0],
      '# schema',
      termsFrom(),
    );
    const shown = FIELD_NAMES.filter((field) => new RegExp(`^(?:# )?${field}:`, 'm').test(text));
    expect(shown).toEqual(FIELD_NAMES);
  });

  const columns = [
    ...SCALAR_FIELDS.map((field) => [field, TEXTS[field]!] as const),
    ['facilities', FACILITIES.join('|')] as const,
    ...ENTRY_LIST_FIELDS.flatMap((list) =>
      LISTS[list]!.flatMap((entry, index) =>
        Object.entries(entry).map(([key, value]) => [`${list}.${index}.${key}`, value] as const),
      ),
    ),
  ];

  async function imported(name: string, text: string, mapping: object) {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    const checked = readMapping(JSON.stringify(mapping), 'mapping.yaml');
    if (!checked.mapping) throw new Error(JSON.stringify(checked.diagnostics));
    const rows = [];
    for await (const row of (await openRows(path, checked.mapping)).rows()) rows.push(row);
    const { property, findings } = validateProperty(
      rowMapper(checked.mapping, termsFrom())(rows[0]!.value!),
      termsFrom(),
    );
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    return read(propertyYaml(toPropertyFile(property!)));
  }

  it('is imported from a table', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const csv = [0, 1].map((part) => columns.map((column) => quoted(column[part]!)).join(',')).join('\n');
    const mapping = {
      ...Object.fromEntries(SCALAR_FIELDS.map((field) => [field, field])),
      facilities: { from: 'facilities', split: '|' },
      ...Object.fromEntries(
        ENTRY_LIST_FIELDS.map((list) => [
          list,
          LISTS[list]!.map((entry, index) =>
            Object.fromEntries(Object.keys(entry).map((key) => [key, `${list}.${index}.${key}`])),
          ),
        ]),
      ),
    };
    expect(lost(await imported('rows.csv', csv, mapping))).toEqual([]);
  });

  it('is imported from JSON', async () => {
    const mapping = {
      ...Object.fromEntries([...SCALAR_FIELDS, 'facilities'].map((field) => [field, field])),
      ...Object.fromEntries(
        ENTRY_LIST_FIELDS.map((list) => [
          list,
          [{ each: list, ...Object.fromEntries([...entryFields(list).keys()].map((key) => [key, key])) }],
        ]),
      ),
    };
    expect(lost(await imported('rows.ndjson', JSON.stringify(FULL), mapping))).toEqual([]);
  });

  it('is compared field by field, with the label and both values', () => {
    for (const field of Object.keys(PUBLISHED) as (keyof Property)[]) {
      const value = PUBLISHED[field];
      const other = Array.isArray(value) ? value.slice(1) : `${value}x`;
      const changes = fieldChanges(PUBLISHED, { ...PUBLISHED, [field]: other }, [field]);
      expect(changes.map(({ label }) => label)).toContain(fieldOf(field).label);
      const shown = changes.map(({ before, after }) => `${before} ${after}`).join();
      expect(shown).toContain(typeof value === 'string' ? value : '');
    }
    for (const list of ENTRY_LIST_FIELDS) {
      const [entry] = PUBLISHED[list] as readonly Record<string, unknown>[];
      for (const [key, value] of Object.entries(entry!)) {
        if (list === 'photo' && key === 'id') continue;
        const other = { ...entry, [key]: typeof value === 'boolean' ? !value : `${value}1` };
        const changes = fieldChanges({ ...PUBLISHED, [list]: [entry] }, { ...PUBLISHED, [list]: [other] }, [
          list,
        ]);
        expect(
          changes.map(({ before, after }) => before !== after),
          `${list}.${key}`,
        ).toEqual([true]);
      }
    }
  });

  it('is compared with a release that lacked one of its fields, without "undefined" (I)', () => {
    for (const field of Object.keys(PUBLISHED) as (keyof Property)[]) {
      const { [field]: _gone, ...older } = PUBLISHED;
      const changes = [
        ...fieldChanges(older as Property, PUBLISHED, [field]),
        ...fieldChanges(PUBLISHED, older as Property, [field]),
      ];
      expect(changes.length, field).toBeGreaterThan(1);
      expect(JSON.stringify(changes), field).not.toMatch(/undefined|\[object/);
      expect(changes.some(({ before }) => before === undefined)).toBe(true);
      expect(changes.some(({ after }) => after === undefined)).toBe(true);
    }
  });

  it('is shown in the explorer, each field in a place of its own or as a row', () => {
    const page = ['property-page', 'property-main', 'property-texts', 'gallery']
      .map((name) => readFileSync(new URL(`../../src/explorer/${name}.tsx`, import.meta.url), 'utf8'))
      .join();
    const { labels = {} } = explorerSettings(configurationSchema.parse({ base_url: 'https://a.example' }));
    const missing = PUBLISHED_FIELDS.filter(
      (field) => labels[field] === undefined && !new RegExp(`\\b${field}\\b`).test(page),
    );
    expect(missing).toEqual([]);
  });
});

it('a field without a place of its own on the page of the explorer is a row there, whatever its kind', () => {
  const others = {
    website: 'https://rose.example',
    stars: 4,
    languages: ['en', 'el'],
    fees: [{ fee_type: 'cleaning', amount: '20' }, { fee_type: 'towels' }],
    ...{ fax: '', rooms: [], note: null },
  };
  const labels = { website: 'Website' };
  expect(detailRows({ ...PUBLISHED, ...others }, labels)).toEqual([
    { label: 'Website', value: 'https://rose.example' },
    { label: 'stars', value: '4' },
    { label: 'languages', value: 'en, el' },
    { label: 'fees', value: 'cleaning, 20, towels' },
  ]);
});

it.each([
  ['title', '', 'Title'],
  ['zip_code', '', 'Postal code'],
  ['thumbnail', '', 'Thumbnail'],
  ['thumbnail', 'photo', `${fieldLabel('photo')}: thumbnail`],
  ['detail', 'hotel_policy', 'Policy: text'],
  ['other', '', 'other'],
  ['other', 'others', 'others: other'],
])('the label of %s, in the list %j, is %s', (name, list, label) => {
  expect(fieldLabel(name, list)).toBe(label);
});
