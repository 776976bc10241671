/** Columns become declared fields and translations; `--declare` declares known ones. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { SourceOptions } from '../../../src/import/import-options.ts';
import { importSource } from '../../../src/import/import-source.ts';
import { planFieldDeclarations } from '../../../src/import/mapping/declare.ts';
import type { Proposal } from '../../../src/import/mapping/mapping.ts';
import type { ColumnOption } from '../../../src/import/questions/pick-unused-columns.ts';
import { reportImport } from '../../../src/report/import.ts';
import { createWorkspace } from '../../compile/workspace.ts';
import { declared } from '../../support/terms.ts';
import { imported } from '../imported.ts';
import { proposed } from '../proposed.ts';

const fields = declared({
  languages: ['en', 'fr', 'pt-BR'],
  fields: {
    description: {},
    property_type: {},
    max_guests: {},
    bedrooms: {},
    stars: {},
    website: {},
    check_in_from: {},
    registration_number: {},
    lake_distance: { type: 'integer', synonyms: ['distance to lake'] },
  },
}).fields;

/** Takes what is ticked. */
const tickedOf =
  (offered: ColumnOption[][]): NonNullable<SourceOptions['pick']> =>
  async (_question, choices) => {
    offered.push([...choices]);
    return choices.filter(({ isTicked }) => isTicked).map(({ value }) => value);
  };

describe('a column of a declared field', () => {
  it.each([
    ['accommodates', 'max_guests', '4'],
    ['Anzahl Schlafzimmer', 'bedrooms', '2'],
    ['Lake-Distance', 'lake_distance', '400'],
    ['Distance to lake', 'lake_distance', '400'],
    ['Sito web', 'website', 'https://a.example/'],
    ['web', 'website', 'www.a.example'],
    ['check-in', 'check_in_from', '3 pm'],
    ['Descripción', 'description', 'Casa'],
    ['Objekttyp', 'property_type', 'Ferienhaus'],
    ['Type', 'property_type', 'Gîte'],
    ['Tipologia', 'property_type', 'T2'],
    ['Tipologia', 'property_type', 'Quinta'],
    ['Lotação', 'max_guests', 'até 8'],
    ['Lotação', 'max_guests', '2-4'],
    ['Capacité (pers.)', 'max_guests', '4'],
    ['Chambres', 'bedrooms', '2'],
    ['title_fr', 'title@fr', 'Le cottage'],
    ['Titre (fr)', 'title@fr', 'Le cottage'],
    ['title.pt-BR', 'title@pt-BR', 'A casa'],
    ['Name French', 'title@fr', 'Le cottage'],
    ['fr_description', 'description@fr', 'Une maison'],
    ['Beschreibung (français)', 'description@fr', 'Une maison'],
    ['Beschreibung (franz.)', 'description@fr', 'Une maison'],
    ['description en', 'description', 'A house'],
    ['title_en', 'title', 'A house'],
  ])('%s is %s', async (name, field, value) => {
    expect(await proposed(`${name};x\n${value};1\n`, fields)).toMatchObject({ [field]: name });
  });

  it.each([
    ['accommodates', 'max_guests', 'many'],
    ['check-in', 'check_in_from', 'from 3 pm, ring the bell'],
    ['category', 'property_type', 'Gold'],
    ['url', 'website', 'none'],
    ['title_de', 'title@de', 'Das Haus'],
  ])('%s is not %s with other values', async (name, field, value) => {
    expect(await proposed(`${name};x\n${value};1\n`, fields)).not.toHaveProperty(field);
  });

  it('takes no number of weeks for nights, and asterisks for stars', async () => {
    const rows = ['1 Woche;****', '3 Nächte;***', '1 Monat;****'].map((row, n) => `h-${n};${row}\n`);
    const all = declared({ fields: { minimum_nights: {}, stars: {} } }).fields;
    expect(await proposed(`ref;Mindestaufenthalt;Sterne (DTV)\n${rows.join('')}`, all)).toMatchObject({
      minimum_nights: 'Mindestaufenthalt',
      stars: { from: 'Sterne (DTV)', map: { '****': '4', '***': '3' } },
    });
  });

  it('has its numbers taken from words, and its lists split', async () => {
    const table = 'category;classification;sleeps;licence\nHoteles;4 estrellas;6 people;A-1|B-2\n';
    expect(await proposed(table, fields)).toMatchObject({
      property_type: 'category',
      stars: { from: 'classification', map: { '4 estrellas': '4' } },
      max_guests: 'sleeps',
      registration_number: { from: 'licence', split: '|' },
    });
  });
});

const SETTINGS = `# Mine
base_url: http://localhost:8080
fields: # what guests ask
  description: {} # a text

# The words
vocabulary:
  facilities: [wifi]
`;
const TABLE = `ref;name;town;country;lat;lng;accommodates;web;price;text;shoe size
R1;Rose;Galway;IE;53.27;-9.05;4;www.rose.example;"€ 1,095.00";<p>Quiet.</p><p>By the sea.</p>;43
R2;Lily;Galway;IE;53.28;-9.06;2;;$80;Sunny.;44
`;

function tableIn(settings?: string) {
  const { content, root } = createWorkspace();
  const catalogue = join(content, 'catalogue.yaml');
  if (settings !== undefined) writeFileSync(catalogue, settings);
  const table = join(root, 'houses.csv');
  writeFileSync(table, TABLE);
  const options = { content, force: false, photos: false };
  const propertyOf = (title: string) =>
    readdirSync(content, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml') && !file.endsWith('catalogue.yaml'))
      .map((file) => parse(readFileSync(join(content, file), 'utf8'), { schema: 'failsafe' }))
      .find((property) => property.title === title);
  return { catalogue, table, mapping: join(root, 'houses.mapping.yaml'), options, propertyOf, content };
}

it('rooms of a studio are a number, and rooms with more beside them are not', async () => {
  const table = 'bedrooms;sleeps\n2;4\nStudio;6-8\n1;2\n2 + mezzanine;4+2\n';
  expect(await proposed(table, fields)).toMatchObject({
    bedrooms: { from: 'bedrooms', map: { Studio: '0' } },
    max_guests: 'sleeps',
  });
});

describe('an unused column', () => {
  it('is named with the known field that it looks like', async () => {
    const { table, options, catalogue } = tableIn(SETTINGS);
    const { unused, declared: names } = await importSource(table, options);
    expect(Object.fromEntries(unused.map(({ name, field }) => [name, field]))).toEqual({
      accommodates: 'max_guests',
      web: 'website',
      price: 'price_from',
      'shoe size': undefined,
      // The ids follow from it, but it is in no field.
      ref: 'reference',
    });
    expect(names).toBeUndefined();
    expect(readFileSync(catalogue, 'utf8')).toBe(SETTINGS);
  });

  it('becomes a declared field with --declare, and the file keeps its comments', async () => {
    const { table, mapping, options, catalogue, propertyOf } = tableIn(SETTINGS);
    const first = await importSource(table, { ...options, declare: true });
    expect(first.declared).toEqual(['website', 'max_guests', 'price_from', 'reference']);
    expect(readFileSync(catalogue, 'utf8')).toBe(
      SETTINGS.replace(
        ' # a text\n',
        ' # a text\n  website: {}\n  max_guests: {}\n  price_from: {}\n  reference: {}\n',
      ),
    );
    const { result, unused } = await importSource(table, { ...options, mapping });
    expect(unused.map(({ name }) => name)).toEqual(['shoe size']);
    expect(result).toMatchObject({ written: 2, refused: 0 });
    expect(propertyOf('Rose')).toMatchObject({
      ...{ max_guests: '4', website: 'https://www.rose.example', price_from: '1095.00' },
      description: 'Quiet.\n\nBy the sea.',
    });
    expect(propertyOf('Rose')).toMatchObject({ reference: 'R1' });
    // Dollars are no price in the currency of the property.
    expect(propertyOf('Lily')).not.toHaveProperty('price_from');
  });

  it('is added to the mapping that there is, and imported at once', async () => {
    const { table, mapping, options, catalogue, propertyOf } = tableIn(SETTINGS);
    await importSource(table, options);
    const before = readFileSync(mapping, 'utf8');
    const { declared: names, result } = await importSource(table, { ...options, declare: true });
    expect(names).toContain('max_guests');
    const left = before.replace(/^# {3}(?:accommodates|web|price): .*\n/gm, '');
    expect(left).not.toBe(before);
    expect(readFileSync(mapping, 'utf8')).toBe(
      `${left}max_guests: accommodates\nwebsite: web\nprice_from: price\nreference: ref\n`,
    );
    expect(result).toMatchObject({ written: 2 });
    expect(propertyOf('Rose')).toMatchObject({ max_guests: '4' });
    const settings = readFileSync(catalogue, 'utf8');
    const again = await importSource(table, { ...options, declare: true });
    expect(again).toMatchObject({ result: { present: 2 } });
    expect(again).not.toHaveProperty('declared');
    expect(readFileSync(catalogue, 'utf8')).toBe(settings);
  });

  it('that is new, and whose field is declared, is named with its line, and taken where the owner wants it', async () => {
    const { table, mapping, options, propertyOf } = tableIn(
      `${SETTINGS}\n`.replace(' # a text', '\n  bedrooms: {}'),
    );
    const old: SourceOptions = { ...options, ask: async (proposal) => proposal };
    await importSource(table, old);
    const more = TABLE.split('\n').map((line, index) => line && `${line};${['bedrooms', '2', '3'][index]}`);
    writeFileSync(table, more.join('\n'));
    const said = await importSource(table, old);
    const { name, field, line, isNew } = said.unused.at(-1)!;
    expect([name, field, line, isNew]).toEqual(['bedrooms', 'bedrooms', 'bedrooms: bedrooms', true]);
    expect(said.unused.filter(({ isNew }) => isNew).map(({ name }) => name)).toEqual(['bedrooms']);
    const lines: string[] = [];
    reportImport(said, 'pretty', 'content', {
      out: () => {},
      err: (text) => void lines.push(text),
      color: false,
    });
    expect(lines.join('')).toContain('houses.mapping.yaml\nbedrooms: bedrooms  # bedrooms (new, 2 values)');
    const offered: ColumnOption[][] = [];
    await importSource(table, { ...old, pick: tickedOf(offered) });
    expect(offered).toEqual([
      [{ value: 'bedrooms', label: 'bedrooms', hint: 'as bedrooms  "2", "3"', isTicked: true }],
    ]);
    expect(readFileSync(mapping, 'utf8')).toMatch(/\nbedrooms: bedrooms\n$/);
    expect(propertyOf('Rose')).toMatchObject({ bedrooms: '2' });
  });

  it('that is new, and that the owner declined, is offered once, and the mapping says so', async () => {
    const workspace = createWorkspace();
    const table = (...more: string[]) =>
      ['ref,name,city,country,lat,lon', 'a,Rose,Cork,IE,51.9,-8.4', 'b,Lily,Cork,IE,51.8,-8.4']
        .map((line, n) => `${line}${more[n] ?? ''}\n`)
        .join('');
    const offered: string[] = [];
    const pick: SourceOptions['pick'] = async (_question, choices) => {
      offered.push(...choices.map(({ label }) => label));
      return offered.length > 2 ? ['view'] : [];
    };
    await imported(workspace, 'a.csv', table());
    const next = [',sleeps,Lake', ',4,yes', ',5,no'] as const;
    const { mapping } = await imported(workspace, 'a.csv', table(...next), { pick });
    expect(offered).toEqual(['sleeps', 'Lake']);
    expect(readFileSync(mapping!, 'utf8')).toMatch(
      /\n\n# Declined\. Delete a line to be asked again:\n# {3}sleeps: numbers in 2 rows\n# {3}Lake: yes or no in 2 rows\n$/,
    );
    const { unused } = await imported(workspace, 'a.csv', table(...next), { pick });
    expect(unused.map(({ name, isNew }) => [name, isNew])).toEqual([
      ['sleeps', false],
      ['Lake', false],
    ]);
    const more = [`${next[0]},View,Sea`, `${next[1]},Sea,x`, `${next[2]},Lake,y`];
    const third = await imported(workspace, 'a.csv', table(...more), { pick });
    expect(offered.slice(2)).toEqual(['View', 'Sea']);
    expect(third.declared).toEqual(['view']);
    expect(readFileSync(mapping!, 'utf8')).toMatch(
      /\nview: View\n\n# Declined\. Delete a line to be asked again:\n# {3}Sea: yes or no in 2 rows\n$/,
    );
    await imported(workspace, 'a.csv', table(...more), { pick });
    expect(offered).toHaveLength(4);
  });

  it('that the owner declined is not declared by --declare, also at a JSON path', async () => {
    const workspace = createWorkspace();
    const rows = [1, 2].map((n) => {
      const unit = { ref: `h-${n}`, name: `Rose ${n}`, bedrooms: n, beds: n };
      return JSON.stringify({ unit, city: 'Cork', country: 'IE', lat: 51.9, lon: -8.4 });
    });
    const text = rows.join('\n');
    const { mapping } = await imported(workspace, 'a.jsonl', text, { pick: async () => ['beds'] });
    expect(readFileSync(mapping!, 'utf8')).toMatch(
      /# Declined[^\n]*\n# {3}unit\.bedrooms: numbers in 2 rows\n# {3}unit\.ref: texts in 2 rows\n$/,
    );
    const { declared: names, notes } = await imported(workspace, 'a.jsonl', text, { declare: true });
    expect(names).toBeUndefined();
    expect(notes).toMatchObject([
      { code: 'declined-columns', message: expect.stringContaining('unit.bedrooms, unit.ref') },
    ]);
    expect(readFileSync(mapping!, 'utf8').match(/unit\.ref: /g)).toHaveLength(1);
  });

  it('that is new, or whose values are no sentence, is named with its line', async () => {
    const workspace = createWorkspace();
    const [header, rose, lily] = [
      'ref,name,city,country,lat,lon,smoking',
      'a,Rose,Cork,IE,51.9,-8.4,no',
      'b,Lily,Cork,IE,51.8,-8.4,yes',
    ];
    const table = (...more: string[]) =>
      [header, rose, lily].map((line, n) => `${line}${more[n] ?? ''}\n`).join('');
    const first = await imported(workspace, 'a.csv', table());
    expect(first.unused.filter(({ field }) => field === undefined).map(({ line }) => line)).toEqual([
      'hotel_policy:\n  - { policy_type: { value: smoking }, detail: smoking }',
    ]);
    const next = await imported(
      workspace,
      'a.csv',
      table(
        ',Pets allowed,Phone,Name,Cleaning',
        ',on request,021 123 4567,Cy,each day',
        ',yes,021 123 4568,Al,each week',
      ),
    );
    const lines: string[] = [];
    reportImport(next, 'pretty', 'content', {
      out: () => {},
      err: (text) => void lines.push(text),
      color: false,
    });
    expect(lines.join('')).toContain(
      `1 column not used, as last time\n\nColumns not used\n  Name (new, 2 values): "Cy", "Al"\n\n`,
    );
    expect(lines.join('')).toContain(
      `Columns not used, which fit a field. Add to ${next.mapping}\n` +
        'hotel_policy:\n  - { policy_type: { value: cleaning }, detail: Cleaning }\n' +
        '  - { policy_type: { value: pets }, detail: Pets allowed }\n' +
        'phone: Phone  # Phone (new, 2 values)',
    );
  });

  it('is the column that was offered, where another one has a similar name', async () => {
    const { root, content } = createWorkspace();
    const path = join(root, 'a.csv');
    writeFileSync(path, 'Listing ID,Name,City,Country,Lat,Lon,Ref\nL-1,Rose,Cork,IE,51.9,-8.4,R-9\n');
    const offered: ColumnOption[][] = [];
    const asked: Proposal[] = [];
    await importSource(path, {
      ...{ content, force: false, photos: false },
      ask: async (proposal) => void asked.push(proposal),
      pick: async (_question, choices) => {
        offered.push([...choices]);
        return choices.map(({ value }) => value);
      },
    });
    expect(offered).toEqual([
      [{ value: 'reference', label: 'Ref', hint: 'as reference  "R-9"', isTicked: false }],
    ]);
    expect(asked[0]?.reference).toBe('Ref');
  });

  it('is offered before the first import', async () => {
    const { table, options, propertyOf } = tableIn(SETTINGS);
    const offered: ColumnOption[][] = [];
    const asked: Partial<SourceOptions> = { ask: async (proposal) => proposal, pick: tickedOf(offered) };
    const { declared: names } = await importSource(table, { ...options, ...asked });
    expect(names).toEqual(['website', 'max_guests', 'price_from']);
    const labels = offered[0]!.map(({ label, hint, isTicked }) => `${isTicked ? 'x' : '-'} ${label} ${hint}`);
    expect(labels).toContain('x accommodates as max_guests  "4", "2"');
    expect(labels).toContain('- ref as reference  "R1", "R2"');
    expect(labels.join()).toContain('as price_from (lowest price for a night)  ');
    expect(propertyOf('Rose')).toMatchObject({ max_guests: '4' });
    expect(propertyOf('Rose')).not.toHaveProperty('reference');
  });

  it.each([
    ['a.csv', (n: number) => [n === 7 ? 'auf Anfrage' : `1.${n + 10}0,00 €`, `${n + 10}.03.2026`]],
    ['b.csv', (n: number) => [n === 7 ? 'auf Anfrage' : `1${n + 10}0.00 €`, `2026-03-${n + 10}`]],
    ['c.csv', (n: number) => [n === 7 ? 'sur demande' : `1 ${n + 10}0,00 €`, `2026-03-${n + 10}`]],
  ])('of prices or dates is a field of them, in %s; others are left out', async (name, cells) => {
    const { content, root } = createWorkspace();
    const path = join(root, name);
    const rows = Array.from({ length: 11 }, (_, n) =>
      [
        `h-${n}`,
        `House ${n}`,
        'Kiel',
        'DE',
        '54.3',
        `10.1${n}`,
        ...cells(n),
        `a${n}@b.example`,
        `0${n % 9}/05/2026`,
      ].join(';'),
    );
    const header = 'ref;name;city;country;lat;lon;Kurtaxe;Frei ab;Zweite Adresse;Start';
    writeFileSync(path, `${[`${header};email`, ...rows.map((row) => `${row};x@y.example`)].join('\n')}\n`);
    const done = await importSource(path, {
      ...{ content, force: false, photos: false, ask: async (proposal: Proposal) => proposal },
      pick: async (_question, choices) => choices.map(({ value }) => value),
    });
    const { fields } = parse(readFileSync(join(content, 'catalogue.yaml'), 'utf8'));
    expect(fields).toMatchObject({
      kurtaxe: { type: 'decimal', unit: '€' },
      frei_ab: { type: 'date' },
      start: {},
    });
    // It may be a person's.
    expect(fields).not.toHaveProperty('zweite_adresse');
    const [first] = readdirSync(join(content, 'properties/de'));
    const text = readFileSync(join(content, 'properties/de', first!), 'utf8');
    expect(text).toContain('kurtaxe: 1100.00\nfrei_ab: 2026-03-10\n');
    expect(done.result?.causes).toContainEqual(expect.objectContaining({ field: 'kurtaxe', count: 1 }));
  });

  it('of prices is a number if most cells are amounts; the others are left out with a warning', async () => {
    const workspace = createWorkspace();
    const prices = ['81,50 €', '1 100,00 €', '90,00 €', 'sur demande', 'sur demande'];
    const rows = prices.map((price, n) => `h-${n};Rose ${n};Nice;FR;43,7${n}11;7,2${n}11;${price};${price}`);
    const text = ['ref;name;city;country;lat;lon;Prix;Navette', ...rows].join('\n');
    const pick: SourceOptions['pick'] = async (_question, choices) => choices.map(({ value }) => value);
    const { result } = await imported(workspace, 'a.csv', text, { pick });
    expect(result?.causes.filter(({ code }) => code === 'invalid-value')).toMatchObject([
      { field: 'price_from', count: 2 },
      { field: 'navette', count: 2 },
    ]);
    const written = result!.outcomes.map(({ path }) => readFileSync(join(workspace.content, path!), 'utf8'));
    expect(written[1]).toMatch(/price_from: 1100\.00\n(?:.*\n)*navette: 1100\.00\n/);
    expect(written[3]).not.toContain('demande');
  });

  it('has texts, where a choice would refuse the next sentence or name; numbers, where nearly all are', async () => {
    const { content, root } = createWorkspace();
    const columns: Record<string, (n: number) => string> = {
      Vlakbij: (n) => `Op ${n % 3} min van zee`,
      Ligging: (n) => ['Vicino al mare e al bosco', 'Lago'][n % 2]!,
      Sleutel: (n) => ['Anna de Vries', 'Piet Bos'][n % 2]!,
      Uitzicht: (n) => ['Zee', 'Bos en wei'][n % 2]!,
      Verdieping: (n) => ['2e', 'Dak'][n % 2]!,
      Blok: (n) => ['Blok 1', 'Blok 2'][n % 2]!,
      Kamers: (n) => (n === 7 ? '4+2' : String(n % 4)),
      Afstand: (n) => (n === 7 ? '2.5' : String(n)),
      'Taras mq': (n) => `ca. ${n * 5 + 10} mq`,
      Kurabgabe: (n) => `€ ${n}50.00`,
      'Odległość od morza': (n) => `${n * 10} m`,
      Opowieść: (n) => `"Dom ${n}\nTaras"`,
      soort_dak: () => 'Riet',
      Dossier: (n) => (n === 7 ? '0815' : String(4711 + n)),
    };
    const rows = Array.from({ length: 12 }, (_, n) =>
      [`h-${n},House ${n},Kiel,DE,54.3,10.${n}`, ...Object.values(columns).map((of) => of(n))].join(','),
    );
    const path = join(root, 'a.csv');
    const header = ['ref,name,city,country,lat,lon', ...Object.keys(columns)].join(',');
    writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
    const done = await importSource(path, {
      ...{ content, force: false, photos: false, ask: async (proposal: Proposal) => proposal },
      pick: async (_question, choices) => choices.map(({ value }) => value),
    });
    const { fields } = parse(readFileSync(join(content, 'catalogue.yaml'), 'utf8'));
    expect(fields.soort_dak).not.toHaveProperty('label');
    const types = Object.entries(fields).map(([name, field]) => [name, Object(field).type]);
    expect(Object.fromEntries(types)).toMatchObject({
      ...{ vlakbij: 'text', ligging: 'text', sleutel: 'text', uitzicht: 'choice', verdieping: 'text' },
      ...{
        kamers: 'integer',
        afstand: 'decimal',
        dossier: 'text',
        odleglosc_od_morza: 'text',
        taras_mq: 'decimal',
        kurabgabe: 'decimal',
        opowiesc: 'lines',
      },
    });
    expect(fields.blok.choices).toEqual({ blok_1: 'Blok 1', blok_2: 'Blok 2' });
    expect(done.result?.causes).toContainEqual(expect.objectContaining({ field: 'kamers', count: 1 }));
  });

  it('is never declared as a field of one’s own, nor in a catalogue with errors', async () => {
    const broken = 'base_url: 7\nfields: { sauna: {} }\n';
    const { table, mapping, options, catalogue, content } = tableIn(broken);
    await expect(importSource(table, { ...options, declare: true })).rejects.toMatchObject({
      code: 'invalid-configuration',
    });
    expect(readFileSync(catalogue, 'utf8')).toBe(broken);
    expect(existsSync(mapping)).toBe(false);
    expect(readdirSync(content)).toEqual(['catalogue.yaml']);
  });

  it('is declared where there is no catalogue.yaml', async () => {
    const { table, options, catalogue } = tableIn();
    await importSource(table, { ...options, declare: true });
    expect(parse(readFileSync(catalogue, 'utf8')).fields).toHaveProperty('max_guests');
  });
});

it.each([
  ['fields:\n  bedrooms:\n', 'fields:\n  bedrooms:\n  beds: {}\n'],
  ['fields:\n# URL\nbulk: false\n', 'fields:\n  beds: {}\n# URL\nbulk: false\n'],
  ['fields: ~ # none\n', 'fields: # none\n  beds: {}\n'],
  ['fields: { bedrooms: {} } # all\n', 'fields: {bedrooms: {}, beds: {}} # all\n'],
  ['fields:\r\n  bedrooms: {}\r\n', 'fields:\r\n  bedrooms: {}\r\n  beds: {}\r\n'],
  ['\ufeffbulk: false\n', '\ufeffbulk: false\nfields:\n  beds: {}\n'],
  ['# nothing yet\n', '# nothing yet\nfields:\n  beds: {}\n'],
])('a declaration is added to %j', (before, after) => {
  const { content, catalogue } = tableIn(before);
  planFieldDeclarations(content, ['beds']).write();
  expect(readFileSync(catalogue, 'utf8')).toBe(after);
});

it.each([
  {
    name: 'Inside Airbnb',
    row: {
      ...{ source: 'antwerp-2024', id: '10004342', title: 'Cosy apartment close to the park' },
      ...{ street: 'Antwerpen, Belgium', city: 'Antwerpen', state: 'Vlaanderen', zip_code: '2600' },
      ...{ country_code: 'BE', country: 'Belgium', neighbourhood: 'Kwartier West' },
      ...{ latitude: '51.18098', longitude: '4.42446', property_type: 'Entire rental unit' },
      ...{ room_type: 'Entire home/apt', accommodates: '3', bedrooms: '1', beds: '2', minimum_nights: '3' },
      ...{ price: '$45.00', cleaning_fee: '$28.00', cancellation_policy: 'moderate', licence_no: 'EX-1' },
      ...{ facilities: ['TV', 'Wifi'] },
    },
    names: 'property_type max_guests bedrooms beds minimum_nights price_from registration_number',
    rest: 'source country neighbourhood room_type',
    values: { property_type: 'apartment', max_guests: '3', beds: '2', registration_number: ['EX-1'] },
  },
  {
    name: 'the register of Madrid',
    row: {
      ...{
        source: 'esmadrid/es',
        id: '98185',
        updated: '2021-11-15',
        language: 'es',
        title: 'Gran V&iacute;a',
      },
      ...{ email: 'casa@madrid.example', phone: '+34 914 36 13 82', web: 'http://www.esmadrid.example/casa' },
      ...{ address: 'Calle de las Descalzas, 3', zip_code: '28013', city: 'Madrid', country: 'Spain' },
      ...{ latitude: '40.418273900000', longitude: '-3.706468100000', category: 'Hoteles' },
      ...{ subcategory: '5 estrellas Gran Lujo', description_html: '<p><strong>El edificio.</strong></p>' },
    },
    names: 'description property_type website stars',
    rest: 'source updated language',
    values: { description: 'El edificio.', property_type: 'hotel', stars: '5' },
  },
])(
  'columns as those of $name become what a known field holds, and the report has the rest',
  async (source) => {
    const { content, root } = createWorkspace();
    const table = join(root, 'source.ndjson');
    writeFileSync(table, `${JSON.stringify(source.row)}\n`);
    const options = { content, force: false, photos: false, declare: true };
    const { declared: names = [], unused } = await importSource(table, options);
    expect(names.filter((name) => name !== 'reference').join(' ')).toBe(source.names);
    expect(unused.map(({ name }) => name).join(' ')).toBe(source.rest);
    await importSource(table, options);
    const [file] = readdirSync(content, { recursive: true, encoding: 'utf8' }).filter((one) =>
      /properties.*yaml$/.test(one),
    );
    expect(parse(readFileSync(join(content, file!), 'utf8'), { schema: 'failsafe' })).toMatchObject(
      source.values,
    );
  },
);
