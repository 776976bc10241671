/** A catalogue with every known field, every type and three languages, compared with what a reader of the design expects. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../src/compile/build.ts';
import { check } from '../../src/compile/check.ts';
import { changesBetween } from '../../src/history/changes.ts';
import { recordRelease } from '../../src/history/record-release.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { DECLARATION, FULL, SETTINGS } from './declared-catalogue.ts';
import { createWorkspace, idOf, sound, type Workspace, yaml } from './workspace.ts';

let workspace: Workspace;
const json = (key: string) => JSON.parse(workspace.read(key));
const detail = (n: number) => workspace.read(`_catalogue/properties/${idOf(n)}.json`);

beforeAll(async () => {
  workspace = createWorkspace();
  workspace.configure(SETTINGS + DECLARATION);
  workspace.write('full.yaml', yaml(sound(1)) + FULL);
  workspace.add(2, { max_guests: '1', bedrooms: null });
  expect((await workspace.build()).diagnostics).toEqual([]);
});

const EXPECTED = new URL('golden/declared-fields/', import.meta.url);

describe('what is published', () => {
  it.each(readdirSync(EXPECTED))('%s is as written by hand', (name) => {
    expect(workspace.read(name)).toBe(readFileSync(new URL(name, EXPECTED), 'utf8'));
  });

  it.each([1, 2])('detail %i is the line of the download, without the id', (n) => {
    const line = workspace.read('properties.ndjson').split('\n')[n - 1]!;
    expect(detail(n)).toBe(line.replace(`"id":"${idOf(n)}",`, ''));
  });

  it('in lists is what the interface has', () => {
    const data = [1, 2].map(
      (n) => `{"id":"${idOf(n)}","title":"House ${n}","city":"Galway","country":"IE","thumbnail":null}`,
    );
    const meta = '{"pagination":{"current_page":1,"per_page":25,"total_entries":2}}';
    expect(workspace.read('_catalogue/pages/IE/-/25-1.json')).toBe(`{"data":[${data}],"meta":${meta}}`);
  });
});

describe('the table', () => {
  it('has a column for each field and translated text, the latter last', () => {
    const [head, ...rows] = parse(workspace.read('properties.csv')) as string[][];
    expect(head!.slice(16).join(' ')).toBe(
      'description summary property_type website booking_url max_guests bedrooms beds bathrooms floor_area stars check_in_from check_in_until check_out_until minimum_nights price_from registration_number spoken_languages reference lake_distance slogan rules sauna views links quiet opened title@fr title@pt-BR description@fr description@pt-BR summary@fr summary@pt-BR slogan@fr slogan@pt-BR',
    );
    const row = Object.fromEntries(
      head!.map((name, index) => [name, rows.find((one) => one[0] === idOf(1))![index]]),
    );
    expect(row).toMatchObject({
      ...{
        summary: "'- 5 min to the beach",
        bathrooms: '1.50',
        bedrooms: '0',
        quiet: 'false',
        opened: '2020-04-01',
      },
      ...{
        registration_number: 'ES-1,"a, ""b"""',
        slogan: '',
        'slogan@fr': 'Le calme',
        'title@fr': 'Le cottage',
      },
      ...{ check_in_until: '24:00', views: 'sea,lake', 'title@pt-BR': '' },
    });
  });

  it('is described by the data package', () => {
    const { languages, resources } = json('datapackage.json');
    expect(languages).toEqual(['en', 'fr', 'pt-BR']);
    const columns = Object.fromEntries(
      resources
        .find((one: { schema?: object }) => one.schema)
        .schema.fields.map(({ name, ...column }: { name: string }) => [name, column]),
    );
    expect(columns).toMatchObject({
      max_guests: {
        type: 'integer',
        title: 'Guests',
        constraints: { required: true, minimum: 1, maximum: 1000 },
      },
      floor_area: { type: 'number', constraints: { exclusiveMinimum: 0 } },
      check_in_from: { type: 'time', format: '%H:%M' },
      website: { type: 'string', format: 'uri' },
      sauna: {
        categories: [
          { value: 'wood', label: 'Wood-fired' },
          { value: 'electric', label: 'Electric' },
        ],
        constraints: { enum: ['wood', 'electric'] },
      },
      quiet: { type: 'boolean' },
      opened: { type: 'date' },
      'title@fr': { type: 'string', title: 'Title (fr)' },
    });
    expect(columns['title@fr'].constraints).toBeUndefined();
  });
});

it('the OpenAPI document has a component with all names, of which required ones are not null', () => {
  const { Attributes, Translations, Property, PropertyRecord, Summary, Index } =
    json('openapi.json').components.schemas;
  expect(Attributes.required).toEqual(Object.keys(JSON.parse(detail(1)).attributes));
  expect(Attributes.properties).toMatchObject({
    max_guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 1000 },
    bedrooms: { type: ['integer', 'null'] },
    bathrooms: { type: ['string', 'null'], pattern: expect.any(String) },
    check_in_from: { type: ['string', 'null'], pattern: expect.stringContaining('24:00') },
    sauna: { type: ['string', 'null'], enum: ['wood', 'electric', null] },
    views: { type: 'array', items: { type: 'string', enum: ['sea', 'lake'] } },
    opened: { type: ['string', 'null'], format: 'date' },
    lake_distance: { description: 'Distance to the lake Unit: m.' },
  });
  expect(Object.keys(Translations.properties)).toEqual(['fr', 'pt-BR']);
  for (const { required } of [Property, PropertyRecord])
    expect(required.slice(-2)).toEqual(['attributes', 'translations']);
  expect(Object.keys(Summary.properties)).toEqual(['id', 'title', 'city', 'country', 'thumbnail']);
  expect(Index.required).toContain('languages');
  expect(json('index.json').languages).toEqual(['en', 'fr', 'pt-BR']);
});

describe('a change', () => {
  it('of an attribute names it, and changes no page', async () => {
    const own = createWorkspace();
    own.configure(`${SETTINGS}fields: { bedrooms: {}, summary: {} }\nlanguages: [en, fr]\n`);
    own.add(1, { bedrooms: '2' });
    own.add(2);
    await own.build();
    const copy = join(temporaryFolder(), 'first');
    cpSync(own.public, copy, { recursive: true });
    const then = (await openRelease(copy))!;
    const pages = [...own.tree().keys()].filter((key) => key.includes('/pages/') || key.includes('total'));
    const before = pages.map((key) => own.read(key));
    own.add(1, { bedrooms: '3', 'title@fr': 'Maison' });
    expect((await own.build()).outcome).toBe('published');
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.map((key) => own.read(key))).toEqual(before);
    const changes = await changesBetween(then, (await openRelease(own.public))!, '2027-01-01T00:00:00Z');
    expect(changes.changed).toEqual([{ id: idOf(1), fields: ['attributes.bedrooms', 'translations.fr'] }]);
    expect(changes.declaration).toBeUndefined();
  });

  it('of the declaration is one line of the feed, and names no property', async () => {
    const own = createWorkspace();
    own.configure(`${SETTINGS}fields: { bedrooms: {} }\n`);
    own.add(1, { bedrooms: '2' });
    own.add(2);
    await own.build();
    const first = (await openRelease(own.public))!;
    const recorded = await recordRelease(undefined, first, async () => undefined, '2027-01-01T00:00:00Z');
    const details = new Map([1, 2].map((n) => [idOf(n), own.read(`_catalogue/properties/${idOf(n)}.json`)]));
    own.configure(`${SETTINGS}fields: { bedrooms: {}, beds: {} }\n`);
    await own.build();
    const then = { ...first, detail: async (id: string) => details.get(id)! };
    const { changes, files } = await recordRelease(
      then,
      (await openRelease(own.public))!,
      async (key) => recorded.files.get(key),
      '2027-01-02T00:00:00Z',
    );
    expect(changes).toMatchObject({ added: [], changed: [], removed: [], declaration: true });
    expect(files.get('changes/feed.xml')).toContain('all others changed');
  });
});

describe('a build after another declaration', () => {
  it.each([
    ['added', 'fields: { bedrooms: {} }', 'fields: { bedrooms: {}, beds: {} }'],
    ['renamed', 'fields: { bedrooms: {} }', 'fields: { rooms: { type: integer, synonyms: [bedrooms] } }'],
    ['narrowed', 'fields: { bedrooms: {} }', 'fields: { bedrooms: { maximum: 5 } }'],
    ['reordered', 'fields: { bedrooms: {}, beds: {} }', 'fields: { beds: {}, bedrooms: {} }'],
    ['removed', 'fields: { bedrooms: {}, beds: {} }', 'fields: { bedrooms: {} }'],
    ['gone', 'fields: { bedrooms: {} }', ''],
    ['with languages', 'fields: { bedrooms: {} }', 'fields: { bedrooms: {} }\nlanguages: [en, fr]'],
  ])('%s is that of a clean one', async (_kind, before, after) => {
    const own = createWorkspace();
    const name = after.includes('rooms:') ? (after.includes('bedrooms:') ? 'bedrooms' : 'rooms') : undefined;
    own.configure(`${SETTINGS}${before}\n`);
    own.add(1, { bedrooms: '2' });
    own.add(2);
    await own.build();
    own.configure(`${SETTINGS}${after}\n`);
    own.add(1, name ? { [name]: '2' } : {});
    expect((await own.build()).diagnostics).toEqual([]);
    const incremental = own.tree();
    await build({ content: own.content, out: `${own.root}/clean`, jobs: 1 });
    expect(incremental).toEqual(own.tree(`${own.root}/clean/public`));
  });
});

describe('a narrower declaration that a value does not fit', () => {
  it.each([
    [
      'an option removed',
      'fields: { sauna: { type: choice, choices: [wood, electric] } }',
      'fields: { sauna: { type: choice, choices: [electric] } }',
      { sauna: 'wood' },
      'unknown-choice',
    ],
    [
      'a maximum lowered',
      'fields: { bedrooms: {} }',
      'fields: { bedrooms: { maximum: 5 } }',
      { bedrooms: '6' },
      'out-of-range',
    ],
    [
      'a length shortened',
      'fields: { summary: {} }',
      'fields: { summary: { max_length: 5 } }',
      { summary: 'By the sea' },
      'text-too-long',
    ],
    ['required', 'fields: { summary: {} }', 'fields: { summary: { required: true } }', {}, 'missing-key'],
    [
      'a language removed',
      'languages: [en, fr, de]',
      'languages: [en, de]',
      { 'title@fr': 'Maison' },
      'unknown-key',
    ],
  ])(
    '(%s) is refused at its place, and leaves what is published',
    async (_kind, before, after, values, code) => {
      const own = createWorkspace();
      own.configure(`${SETTINGS}${before}\n`);
      own.add(1, values);
      own.add(2, { bedrooms: undefined });
      expect((await own.build()).outcome).toBe('published');
      const published = own.tree();
      own.configure(`${SETTINGS}${after}\n`);
      const { outcome, diagnostics } = await own.build();
      expect(outcome).toBe('refused');
      expect(diagnostics.map((one) => one.code)).toContain(code);
      expect(diagnostics.find((one) => one.code === code)).toMatchObject({
        severity: 'error',
        file: expect.stringMatching(/^house-/),
      });
      expect(own.tree()).toEqual(published);
      // With the values gone, or others, the build is that of a clean one.
      own.add(1, code === 'missing-key' ? { summary: 'Sea' } : {});
      if (code === 'missing-key') own.add(2, { summary: 'Sea' });
      expect((await own.build()).diagnostics).toEqual([]);
      const incremental = own.tree();
      await build({ content: own.content, out: `${own.root}/clean`, jobs: 1 });
      expect(incremental).toEqual(own.tree(`${own.root}/clean/public`));
    },
  );
});

it('a detail of more than 256 KB is an error of check and build, which names the longest texts', async () => {
  const own = createWorkspace();
  const tags = ['de', 'fr', 'es', 'it', 'nl', 'pt'];
  own.configure(`${SETTINGS}languages: [en, ${tags.join(', ')}]\nfields: { description: {} }\n`);
  const text = 'ж'.repeat(19_000);
  own.add(1, { description: text, ...Object.fromEntries(tags.map((tag) => [`description@${tag}`, text])) });
  for (const found of [await check({ content: own.content, jobs: 1 }), await own.build()]) {
    const error = found.diagnostics.find(({ severity }) => severity === 'error')!;
    expect(error).toMatchObject({ code: 'detail-too-large', fieldPath: ['description'], span: { line: 10 } });
    expect(error.help).toContain('description (19002 characters)');
  }
});

it('a field that many files have and nothing declares is one finding', async () => {
  const own = createWorkspace();
  own.configure(SETTINGS);
  for (let n = 1; n <= 30; n++) own.add(n, { sauna: 'wood' });
  const { diagnostics } = await check({ content: own.content, jobs: 1 });
  expect(diagnostics.map(({ file, message, help }) => [file, message, help])).toEqual([
    [
      'catalogue.yaml',
      'The field "sauna" of 30 files is declared nowhere; the first is house-1.yaml.',
      'Correct it, or declare it: below "fields" in catalogue.yaml, add "sauna: { type: text }".',
    ],
  ]);
  expect((await own.build()).diagnostics.map(({ code }) => code)).toEqual(['undeclared-field']);
});
