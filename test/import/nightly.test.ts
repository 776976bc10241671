/** What an owner meets who imports the tables of a channel manager night after night. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import type { SourceOptions } from '../../src/import/import-options.ts';
import type { Proposal } from '../../src/import/mapping/mapping.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { imported } from './imported.ts';
import { printed } from './printed.ts';
import { type Answer, asked } from './terminal.ts';

const table = (header: string, ...rows: string[]) => `${[header, ...rows].join('\n')}\n`;

const read = ({ content }: Workspace, name: string) =>
  readFileSync(join(content, `properties/it/${name}.yaml`), 'utf8');

/** A catalogue in Italian, which declares some fields. */
function catalogue(fields: string): Workspace {
  const workspace = createWorkspace();
  writeFileSync(join(workspace.content, 'catalogue.yaml'), `language: it\nfields: ${fields}\n`);
  return workspace;
}

describe('numbers such as 1.250', () => {
  const HEADER = 'ref;name;city;country;lat;lon;Prezzo;Distance;Fee';
  const row = (n: number, lat: string, distance: string, fee: string) =>
    `h-${n};Casa ${n};Roma;IT;${lat};12${lat.slice(2)};${['1.250', '950', '2.100'][n % 3]};${distance};${fee}`;
  const FIELDS =
    '{ price_from: { synonyms: [Prezzo] }, distance: { type: decimal }, fee: { type: integer } }';
  const imports = async (fields: string, ...rows: string[]) => {
    const workspace = catalogue(fields);
    const done = await imported(workspace, 'a.csv', table(HEADER, ...rows));
    const valuesOf = (name: string) =>
      /^(?:price_from|distance|fee): .*$/gm[Symbol.match](read(workspace, name));
    return { workspace, done, values: [0, 1].map((n) => valuesOf(`casa-${n}`)) };
  };

  it('have groups where any column has a decimal comma', async () => {
    const { values, done } = await imports(
      FIELDS,
      row(0, '41,8947', '12.500', '1.000'),
      row(1, '41,8', '350', '80'),
    );
    expect(values).toEqual([
      ['price_from: 1250', 'distance: 12500', 'fee: 1000'],
      ['price_from: 950', 'distance: 350', 'fee: 80'],
    ]);
    expect(done.notes.map(({ code }) => code)).not.toContain('ambiguous-number');
  });

  it('have decimals where the others have a point, and whole numbers have none', async () => {
    const { values } = await imports(
      FIELDS,
      row(0, '41.8947', '12.500', '1.200'),
      row(1, '41.8', '350', '80'),
    );
    expect(values[0]).toEqual(['price_from: 1250', 'distance: 12.500', 'fee: 1200']);
  });

  it('are told where no other column says what they are', async () => {
    const { values, done } = await imports(FIELDS, row(0, '', '12.500', ''), row(1, '', '350', ''));
    expect(values[0]).toEqual(['price_from: 1250', 'distance: 12.500']);
    expect(done.notes.find(({ code }) => code === 'ambiguous-number')).toMatchObject({
      field: 'distance',
      message: '"12.500" of Distance may be 12500 or 12.500. The second is taken.',
      help: 'If the first is meant, write in the mapping: distance: { from: Distance, decimal: "," }',
    });
  });

  it('are shown as they are read', async () => {
    const { screen } = await asked(catalogue(FIELDS), 'a.csv', table(HEADER, row(0, '41,8947', '1', '1')), [
      ['Is this right?', 'Yes, import'],
    ]);
    expect(screen).toContain('"1.250" → 1250');
  });

  it('in a map are written as in property files', async () => {
    const workspace = catalogue('{ price_from: {} }');
    const ask = async (proposal: Proposal) => ({
      ...proposal,
      price_from: { from: 'Prezzo', decimal: ',' as const, map: { ask: '260.50' } },
    });
    const rows = ['h-1;Casa 1;Roma;IT;41,8;12,4;ask', 'h-2;Casa 2;Roma;IT;41,9;12,4;1.250,50'];
    await imported(workspace, 'a.csv', table('ref;name;city;country;lat;lon;Prezzo', ...rows), { ask });
    expect(read(workspace, 'casa-1')).toContain('price_from: 260.50\n');
    expect(read(workspace, 'casa-2')).toContain('price_from: 1250.50\n');
  });

  it.each([
    ['decimal points', '1250.50', '64.5', '1,250,000'],
    ['groups of commas', '1,250.50', '64.5', '1,250,000'],
    ['the marks of the first', '1.250,50', '64,5', '1.250.000'],
  ])('of the next export may have %s', async (_name, ...changed) => {
    const workspace = catalogue(FIELDS);
    const imports = (...numbers: string[]) => {
      const rows = [`h-1;Uno;Roma;IT;41,8947;12,4;${numbers.join(';')}`, 'h-2;Due;Roma;IT;41,9;12,5;85;2;12'];
      return imported(workspace, 'a.csv', table(HEADER, ...rows));
    };
    await imports('1.250,50', '64,5', '1.250.000');
    await imports(...changed);
    const lines = read(workspace, 'uno').match(/^(?:price_from|distance|fee): .*$/gm);
    expect(lines).toEqual(['price_from: 1250.50', 'distance: 64.5', 'fee: 1250000']);
  });

  it('of the next export may have decimal points, three of them where the others show the mark', async () => {
    const workspace = catalogue(FIELDS);
    const first = [
      'h-1;Uno;Roma;IT;41,894;12,483;89,50;80,5;1',
      'h-2;Due;Roma;IT;41,902;12,457;99,50;75,25;2',
    ];
    await imported(workspace, 'a.csv', table(HEADER, ...first));
    const next = [
      'h-1;Uno;Roma;IT;41.894;12.483;128.333;80.125;1',
      'h-2;Due;Roma;IT;41.902;12.457;99.5;75.25;2',
    ];
    const { result } = await imported(workspace, 'a.csv', table(HEADER, ...next));
    const lines = read(workspace, 'uno').match(/^(?:price_from|distance|latitude|longitude): .*$/gm);
    expect(lines!.sort()).toEqual([
      'distance: 80.125',
      'latitude: 41.894',
      'longitude: 12.483',
      'price_from: 128.333',
    ]);
    expect(result!.causes.map(({ code }) => code)).not.toContain('invalid-coordinate');
  });

  it('of the next export may lack their last zeros, which changes nothing, nor ends what a hand wrote', async () => {
    const workspace = catalogue(FIELDS);
    const first = [
      'h-1;Uno;Roma;IT;41,8940;12,483;89,00;80,50;1',
      'h-2;Due;Roma;IT;41,902;12,457;64,90;75,25;2',
    ];
    await imported(workspace, 'a.csv', table(HEADER, ...first));
    const due = join(workspace.content, 'properties/it/due.yaml');
    writeFileSync(due, readFileSync(due, 'utf8').replace('price_from: 64.90', 'price_from: 95.00 # by hand'));
    const before = ['uno', 'due'].map((name) => read(workspace, name));
    const next = ['h-1;Uno;Roma;IT;41.894;12.483;89;80.5;1', 'h-2;Due;Roma;IT;41.902;12.457;64.9;75.25;2'];
    for (let night = 0; night < 2; night++) {
      const { result } = await imported(workspace, 'a.csv', table(HEADER, ...next));
      expect(result).toMatchObject({ replaced: 0, conflict: 0, changed: [] });
    }
    expect(['uno', 'due'].map((name) => read(workspace, name))).toEqual(before);
  });

  it('that can be no coordinates leave a draft where it is', async () => {
    const workspace = createWorkspace();
    const rows = (latitude: string, longitude: string) =>
      table('ref;name;city;country;lat;lon;draft', `h-1;Uno;Roma;IT;${latitude};${longitude};true`);
    await imported(workspace, 'a.csv', rows('41.9', '12.5'));
    const { result } = await imported(workspace, 'a.csv', rows('54178', 'near the port'));
    expect(read(workspace, 'uno')).toMatch(/^latitude: 41.9\nlongitude: 12.5$/m);
    expect(result).toMatchObject({ replaced: 0, changed: [] });
    const said = result!.outcomes.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(said).toEqual(
      expect.arrayContaining([
        '"54178" is not a latitude. The file keeps "41.9".',
        '"near the port" is not a longitude. The file keeps "12.5".',
      ]),
    );
  });

  it('of the next export may lack the first zero of a postal code, which the file keeps', async () => {
    const workspace = createWorkspace();
    const rows = (zip: string) =>
      table('ref;name;city;country;lat;lon;zip', `h-1;Uno;Dresden;DE;51,05;13,73;${zip}`);
    await imported(workspace, 'a.csv', rows('01067'));
    const file = join(workspace.content, 'properties/de/uno.yaml');
    const before = readFileSync(file, 'utf8');
    expect(before).toContain('zip_code: "01067"');
    await imported(workspace, 'a.csv', rows('1067'));
    expect(readFileSync(file, 'utf8')).toBe(before);
    await imported(workspace, 'a.csv', rows('1099'));
    expect(readFileSync(file, 'utf8')).toContain('zip_code: "1099"');
  });

  it('a hundred times apart in the prices of one currency are told once', async () => {
    const workspace = catalogue('{ price_from: {} }');
    const prices = table(
      'ref,name,city,country,lat,lon,price_from',
      'h-1,Uno,Roma,IT,41.8,12.4,1.25',
      'h-2,Due,Roma,IT,41.9,12.4,950',
    );
    const first = await imported(workspace, 'a.csv', prices);
    expect(first.result!.causes.find(({ code }) => code === 'price-spread')).toMatchObject({
      examples: [
        {
          at: 'line 2',
          name: 'Uno',
          message: 'The lowest price is 1.25 EUR; the highest is 950, of Due, line 3.',
        },
      ],
    });
    const again = await imported(workspace, 'a.csv', prices);
    expect(again.result!.causes.find(({ code }) => code === 'price-spread')).toMatchObject({ fresh: 0 });
  });
});

const HEADER = 'ref,name,city,country,lat,lon,max_guests,price_from,phone,description,photos,Status';
type Home = { readonly [Key in 'guests' | 'price' | 'phone' | 'text' | 'photos' | 'lat' | 'name']?: string };
const home = (
  n: number,
  {
    guests = '4',
    price = '100',
    phone = '+39 041 522 1234',
    text = '',
    photos = '',
    lat = '41.8',
    name = `Casa ${n}`,
  }: Home = {},
) => `h-${n},${name},Roma,IT,${lat},12.4,${guests},${price},${phone},"${text}",${photos},active`;
const FIELDS = '{ max_guests: {}, price_from: {}, description: {} }';
const importHomes = (workspace: Workspace, homes: readonly string[], options: Partial<SourceOptions> = {}) =>
  imported(workspace, 'a.csv', table(HEADER, ...homes), options);

describe('a home that its owner edited', () => {
  const edit = (workspace: Workspace, from: string, to: string) => {
    const path = join(workspace.content, 'properties/it/casa-1.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  };

  it('gets what the source changed in other fields, while one field is in conflict', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1)]);
    edit(workspace, 'max_guests: 4', 'max_guests: 3 # beds');
    const changed = [home(1, { guests: '5', price: '120', phone: '+39 041 522 1299' })];
    const { result } = await importHomes(workspace, changed);
    expect(result).toMatchObject({ conflict: 1, replaced: 0 });
    expect(result!.causes[0]!.examples[0]!.message).toBe(
      'properties/it/casa-1.yaml was changed since it was imported, and the source changed the same field: max_guests is 3 # beds in the file, 5 in the source. As in the source, it has the new phone, price_from.',
    );
    expect(result!.changed).toMatchObject([
      { name: 'Casa 1', fields: [{ field: 'phone' }, { field: 'price_from' }] },
    ]);
    const merged = read(workspace, 'casa-1');
    expect(merged).toContain('max_guests: 3 # beds\nprice_from: 120\n');
    expect(merged).toContain('phone: +39 041 522 1299\n');
    // The conflict stays until somebody settles it, and later changes arrive.
    const again = await importHomes(workspace, changed);
    expect(again.result).toMatchObject({ conflict: 1, changed: [] });
    const later = await importHomes(workspace, [home(1, { guests: '5', price: '130' })]);
    expect(later.result).toMatchObject({ conflict: 1 });
    expect(read(workspace, 'casa-1')).toContain('max_guests: 3 # beds\nprice_from: 130\n');
    const back = await importHomes(workspace, [home(1, { price: '130' })]);
    expect(back.result).toMatchObject({ conflict: 0 });
    expect(read(workspace, 'casa-1')).toContain('max_guests: 3 # beds\n');
  });

  it('is told which fields the source has no more', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1, { price: '120' })]);
    edit(workspace, 'max_guests: 4', 'max_guests: 3');
    const { result } = await importHomes(workspace, [home(1, { price: '', phone: '+39 041 522 1299' })]);
    expect(result!.causes.map(({ examples }) => examples[0]!.message)).toContain(
      'properties/it/casa-1.yaml was changed since it was imported. Those changes stay. As in the source, it has the new phone, and it has no longer price_from.',
    );
  });

  it('whose column was renamed ends the import before a question, with the line and the new column', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1)]);
    const renamed = table(HEADER.replace('price_from', 'Tariffa'), home(1));
    const pick = () => Promise.reject(new Error('asked'));
    await expect(imported(workspace, 'a.csv', renamed, { pick })).rejects.toThrow(
      /a\.mapping\.yaml names what no row has: "price_from" \(line \d+\)\. New in the source: Tariffa\./,
    );
  });

  it('is settled by hand, or by --force', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1)]);
    edit(workspace, 'max_guests: 4', 'max_guests: 3');
    const changed = [home(1, { guests: '5', price: '120' })];
    await importHomes(workspace, changed);
    edit(workspace, 'max_guests: 3', 'max_guests: 5');
    expect((await importHomes(workspace, changed)).result).toMatchObject({ conflict: 0, present: 1 });
    edit(workspace, 'max_guests: 5', 'max_guests: 6');
    const next = [home(1, { guests: '7' })];
    expect((await importHomes(workspace, next)).result).toMatchObject({ conflict: 1 });
    expect((await importHomes(workspace, next, { force: true })).result).toMatchObject({ replaced: 1 });
    expect(read(workspace, 'casa-1')).toContain('max_guests: 7\n');
  });
});

describe('a value that becomes unreadable', () => {
  it('stays in the file as it was, each night, and is said', async () => {
    const workspace = catalogue(FIELDS);
    const good = { price: '260.00', photos: 'https://a.example/1.jpg|https://a.example/2.jpg' };
    await importHomes(workspace, [home(1, good), home(2)]);
    const before = read(workspace, 'casa-1');
    const bad = {
      price: 'da definire',
      phone: '041 52',
      lat: 'x',
      photos: 'https://a.example/1.jpg|htps:/a.example/2',
    };
    for (let night = 0; night < 2; night++) {
      const { result } = await importHomes(workspace, [home(1, bad), home(2)]);
      expect(result).toMatchObject({ present: 2, drafts: 0 });
      expect(read(workspace, 'casa-1')).toBe(before);
      const messages = result!.causes
        .filter(({ fresh }) => fresh > 0)
        .map(({ examples }) => examples[0]!.message);
      expect(messages.map((text) => text.replace(/^.*\. /, '')).sort()).toEqual([
        'The file keeps "+39 041 522 1234".',
        'The file keeps "260.00".',
        'The file keeps "41.8".',
        'The file keeps "https://a.example/2.jpg".',
      ]);
    }
  });

  it('is left out where the file has none, and an absent one is removed', async () => {
    const workspace = catalogue(FIELDS);
    const { result } = await importHomes(workspace, [home(1, { price: 'da definire' }), home(2)]);
    expect(result!.causes.find(({ field }) => field === 'price_from')!.examples[0]!.message).toContain(
      'It is left out.',
    );
    await importHomes(workspace, [home(1), home(2, { price: '' })]);
    expect(read(workspace, 'casa-2')).not.toContain('price_from');
  });
});

describe('a text with an access code', () => {
  const others = [home(2, { text: 'Bella.' }), home(3, { text: 'Luminosa.' })];

  it('loses only the sentence', async () => {
    const workspace = catalogue(FIELDS);
    const text = '<p>Monolocale</p><p>Codice del portone: 4711#. Luminoso e silenzioso.</p>';
    const { result } = await importHomes(workspace, [home(1, { text }), ...others]);
    expect(read(workspace, 'casa-1')).toContain(
      'description: |-\n  Monolocale\n\n  Luminoso e silenzioso.\n',
    );
    expect(result!.causes.find(({ code }) => code === 'private-text')!.examples[0]!.message).toBe(
      'The text looks like it holds an access code. That sentence is left out ("Codice del portone: …"), since everybody can read a catalogue.',
    );
  });

  it('publishes nothing beside the sentence that may be the rest of the secret', async () => {
    const workspace = catalogue(FIELDS);
    const text = 'Bella casa. Il codice del portone è 4711#. Per il garage 9922.';
    await importHomes(workspace, [home(1, { text }), ...others]);
    expect(read(workspace, 'casa-1')).toContain('description: Bella casa.\n');
  });

  it('keeps the text of the file where no sentence is left', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1, { text: 'Bella casa.' }), ...others]);
    const { result } = await importHomes(workspace, [
      home(1, { text: 'Codice del portone: 4711#' }),
      ...others,
    ]);
    expect(read(workspace, 'casa-1')).toContain('description: Bella casa.\n');
    expect(result!.causes.find(({ code }) => code === 'private-text')!.examples[0]!.message).toContain(
      'The file keeps "Bella casa.".',
    );
  });
});

describe('a report', () => {
  it('names the home and the row beside the line', async () => {
    const text = printed(
      await importHomes(catalogue(FIELDS), [home(1, { text: 'Uno\ndue' }), home(2, { price: 'x' })]),
    );
    expect(text).toContain('  line 4 (row 3), Casa 2: "x" is not a number.');
  });

  it('says which homes changed and how, which are new and gone, and shrinks what is as last time', async () => {
    const workspace = catalogue(FIELDS);
    const first = await importHomes(workspace, [home(1), home(2), home(3)]);
    expect(printed(first)).not.toContain('new propert');
    const done = await importHomes(workspace, [home(1, { price: '120' }), home(2), home(4)]);
    const text = printed(done);
    expect(text).toContain('1 changed property\n  Casa 1: price_from 100 → 120\n');
    expect(text).toContain('1 new property\n  Casa 4\n');
    expect(text).toContain('  Casa 3: content/properties/it/casa-3.yaml\n');
    expect(done.result!.changed).toEqual([
      {
        name: 'Casa 1',
        path: 'properties/it/casa-1.yaml',
        fields: [{ field: 'price_from', from: '100', to: '120' }],
      },
      { name: 'Casa 4', path: 'properties/it/casa-4.yaml' },
    ]);
  });

  it('shows a value that was not left out last time, though its file does not change', async () => {
    const workspace = catalogue('{ floor: { type: choice, choices: { ground: Ground, first: First } } }');
    const rows = (...floors: string[]) =>
      table(
        'ref,name,city,country,lat,lon,floor',
        ...floors.map((floor, n) => `h-${n},Casa ${n},Roma,IT,41.8,12.4,${floor}`),
      );
    await imported(workspace, 'a.csv', rows('', 'attic', 'ground'));
    const done = await imported(workspace, 'a.csv', rows('3e etage', 'attic', 'ground'));
    expect(done.result).toMatchObject({ present: 3 });
    expect(printed(done)).toContain(
      '  floor  2 rows, 1 of them new or changed\n  line 2, Casa 0: "3e etage"',
    );
    const again = await imported(workspace, 'a.csv', rows('3e etage', 'cellar', 'ground'));
    expect(printed(again)).toContain('  floor  2 rows, 1 of them new or changed\n  line 3, Casa 1: "cellar"');
    const last = await imported(workspace, 'a.csv', rows('3e etage', 'cellar', 'ground'));
    expect(printed(last)).toContain('  floor  2 rows as last time: line 2, line 3\n');
  });

  it('skips rows that say the same, and refuses other rows with one id', async () => {
    const workspace = catalogue(FIELDS);
    const done = await importHomes(workspace, [home(1), home(2), home(1), home(1)]);
    expect(done.result).toMatchObject({ written: 2, refused: 0 });
    expect(done.passedOver).toBe(2);
    expect(printed(done)).toContain(
      'warning repeated-row  id  2 rows\n  line 4, Casa 1: The row says the same as line 2, and is skipped.\n',
    );
    const other = await importHomes(workspace, [home(1), home(1, { price: '120' })]);
    expect(other.result).toMatchObject({ present: 1, refused: 1 });
    const left = await importHomes(workspace, [home(1, { guests: 'x' }), home(1, { guests: 'y' })]);
    expect(left.result).toMatchObject({ refused: 1 });
  });

  it('says that a file which comes back had been deleted', async () => {
    const workspace = catalogue(FIELDS);
    await importHomes(workspace, [home(1), home(2)]);
    rmSync(join(workspace.content, 'properties/it/casa-1.yaml'));
    const done = await importHomes(workspace, [home(1), home(2), home(3)]);
    const { causes } = done.result!;
    expect(causes.filter(({ code }) => code === 'deleted-file')).toMatchObject([{ count: 1 }]);
    expect(printed(done)).toContain(
      '  line 2, Casa 1: properties/it/casa-1.yaml was deleted since the last import, and is written again',
    );
    const hidden = read(workspace, 'casa-1').replace(/^title:/m, 'draft: true\ntitle:');
    writeFileSync(join(workspace.content, 'properties/it/casa-1.yaml'), hidden);
    await importHomes(workspace, [home(1, { price: '120' }), home(2), home(3)]);
    expect(read(workspace, 'casa-1')).toContain('draft: true\n');
  });

  it('counts cities in capitals that take the form of other rows as repairs', async () => {
    const workspace = createWorkspace();
    const cities = ['AJACCIO', 'Ajaccio', 'ajaccio', 'AJACCIO', 'BASTIA', 'Porto-Vecchio', 'Porto-vecchio'];
    const rows = [...cities, 'PORTO-VECCHIO'].map((city, n) => `h-${n},Casa ${n},${city},FR,41.9,8.7`);
    const done = await imported(workspace, 'a.csv', table('ref,name,city,country,lat,lon', ...rows));
    expect(printed(done)).toContain('  city: 3, such as "AJACCIO" → "Ajaccio" (2), "ajaccio" → "Ajaccio"\n');
    const { diagnostics } = await check({ content: workspace.content });
    const similar = diagnostics.filter(({ code }) => code === 'similar-city');
    expect(similar.map(({ message }) => message).join()).not.toContain('jaccio');
  });

  it('tells homes of one title apart', async () => {
    const workspace = catalogue(FIELDS);
    const homes = (price: string) => [home(1, { name: 'Casa', price }), home(2, { name: 'Casa', price })];
    await importHomes(workspace, homes('100'));
    const text = printed(await importHomes(workspace, homes('101')));
    expect(text).toContain(
      '  Casa (properties/it/casa.yaml): price_from 100 → 101\n  Casa (properties/it/casa-',
    );
  });

  it('lists the first 20 changes, and all as JSON', async () => {
    const workspace = catalogue(FIELDS);
    const homes = (price: string) => Array.from({ length: 23 }, (_, n) => home(n, { price }));
    await importHomes(workspace, homes('100'));
    const text = printed(await importHomes(workspace, homes('101'), { keepOutcomes: false }));
    expect(text).toContain('23 changed properties, the first 20\n');
    expect(text.match(/price_from 100 → 101/g)).toHaveLength(20);
    const all = await importHomes(workspace, homes('102'));
    expect(all.result!.changed).toHaveLength(23);
  });

  it('counts the repairs of earlier nights', async () => {
    const workspace = createWorkspace();
    const rows = (...prices: string[]) =>
      table(
        'ref,name,city,country,lat,lon',
        ...prices.map((city, n) => `h-${n},Casa ${n},${city},Italia,41.8,12.4`),
      );
    await imported(workspace, 'a.csv', rows('Roma', 'Bari'));
    expect(printed(await imported(workspace, 'a.csv', rows('Roma', 'Bari')))).toContain(
      '2 repairs, of unchanged values\n',
    );
    const grown = printed(await imported(workspace, 'a.csv', rows('Roma', 'Bari', 'Ostia')));
    expect(grown).toContain(
      '3 values repaired, 2 of them unchanged\n  country: 1, such as "Italia" → "IT"\n',
    );
  });

  it('has only examples of new repairs, although the mapping repairs the same field', async () => {
    const workspace = catalogue('{ property_type: {} }');
    const ask = async (proposal: object) =>
      ({ ...proposal, property_type: { from: 'type', map: { Trullo: 'house' } } }) as never;
    const rows = (...types: string[]) => {
      const lines = types.map((type, n) => `h-${n},Casa ${n},Roma,IT,41.8,12.4,${type}`);
      return table('ref,name,city,country,lat,lon,type', ...lines);
    };
    await imported(workspace, 'a.csv', rows('Trullo'), { ask });
    const grown = printed(await imported(workspace, 'a.csv', rows('Trullo', 'Agriturismo')));
    expect(grown).toContain('property_type: 1, such as "Agriturismo" → "farm_stay"\n');
  });

  it('suggests --declare where fields would be lost without it', async () => {
    const propose = async (more: string) =>
      printed(
        await imported(
          createWorkspace(),
          'a.csv',
          table(`ref,name,city,country,lat,lon${more}`, `h-1,Casa,Roma,IT,41.8,12.4${more && ',4'}`),
          {
            ask: undefined as never,
          },
        ),
      );
    expect(await propose(',sleeps')).toMatch(
      /a\.mapping\.yaml --declare --content|a\.mapping\.yaml --declare\n/,
    );
    expect(await propose('')).not.toContain('--declare\n');
  });

  it('has a line for the words that a choice does not know', async () => {
    const workspace = catalogue('{ property_type: {} }');
    const rows = ['h-1,Uno,Roma,IT,41.8,12.4,Trullo', 'h-2,Due,Roma,IT,41.9,12.4,Villa'];
    const text = printed(
      await imported(workspace, 'a.csv', table('ref,name,city,country,lat,lon,type', ...rows)),
    );
    expect(text).toContain(
      'what they mean, or add them to "choices" of property_type in content/catalogue.yaml:',
    );
    expect(text).toContain('\nproperty_type: { from: type, map: { Trullo: <value> } }');
  });
});

describe('columns of an owner', () => {
  const HEADER = 'ref,name,city,country,lat,lon,sleeps,Hot tub (heated),Beach m,View,Note,Door code,iban';
  const rows = Array.from(
    { length: 6 },
    (_, n) =>
      `h-${n},Casa ${n},Roma,IT,41.8,12.4,4,${n % 2 ? 'si' : 'no'},${n + 1}50,${n % 2 ? 'Sea' : 'Lake'},Text ${n},471${n},`,
  );

  it('are ticked in a list after the private ones, and become fields', async () => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'language: it\n');
    const answers: Answer[] = [
      ['Which of these columns', '!down', '!down', '!space', '!down', '!space', '!down', '!space', '!enter'],
      ['Is this right?', 'Yes, import'],
    ];
    const { screen, done } = await asked(workspace, 'a.csv', table(HEADER, ...rows), answers, {
      asksToPick: true,
    });
    expect(screen.indexOf('Door code: a password')).toBeLessThan(screen.indexOf('Which of these columns'));
    expect(screen).toContain('◼ sleeps as max_guests  "4"');
    expect(screen).toContain('◻ ref as reference');
    expect(screen.match(/Fields, their columns/g)).toHaveLength(1);
    expect(done.declared).toEqual(['max_guests', 'hot_tub_heated', 'beach_m', 'view']);
    expect(readFileSync(join(workspace.content, 'catalogue.yaml'), 'utf8')).toContain(
      '  hot_tub_heated:\n    type: boolean\n    label: Hot tub (heated)\n  beach_m:\n    type: integer\n  view:\n    type: choice\n    choices:\n      lake: Lake\n      sea: Sea\n',
    );
    expect(read(workspace, 'casa-1')).toContain(
      'max_guests: 4\nhot_tub_heated: true\nbeach_m: 250\nview: sea\n',
    );
  });

  it('have ready lines for both files without a terminal', async () => {
    const text = printed(await imported(createWorkspace(), 'a.csv', table(HEADER, ...rows)));
    expect(text).toContain(
      'To publish them, add to "fields" in content/catalogue.yaml\n  hot_tub_heated: { type: boolean, label: Hot tub (heated) }\n  beach_m: { type: integer }\n  view: { type: choice, choices: { lake: Lake, sea: Sea } }\n',
    );
    expect(text).toMatch(
      /add to \S+a\.mapping\.yaml\nhot_tub_heated: Hot tub \(heated\)\nbeach_m: Beach m\n/,
    );
  });

  it('whose declaration has a fault are named with it', async () => {
    const workspace = catalogue('{ view: { type: text } }');
    await imported(workspace, 'a.csv', table(HEADER, ...rows));
    writeFileSync(
      join(workspace.content, 'catalogue.yaml'),
      'language: it\nfields: { view: { type: txt } }\n',
    );
    const { diagnostics, result } = await imported(workspace, 'a.csv', table(HEADER, ...rows));
    expect(result).toBeUndefined();
    expect(diagnostics).toMatchObject([
      {
        file: join(workspace.content, 'catalogue.yaml'),
        code: 'invalid-setting',
        fieldPath: ['fields', 'view', 'type'],
      },
    ]);
    const { findings } = await check({ content: workspace.content });
    const codes = [...findings].map(({ code }) => code);
    expect(codes).toContain('invalid-setting');
    expect(codes).not.toContain('unknown-key');
  });

  it('are not blamed for a catalogue.yaml that cannot be read', async () => {
    const workspace = catalogue('{ view: { type: text } }');
    await imported(workspace, 'a.csv', table(HEADER, ...rows));
    writeFileSync(
      join(workspace.content, 'catalogue.yaml'),
      'fields: { view: { type: text }\nlanguage: it\n',
    );
    const { diagnostics } = await imported(workspace, 'a.csv', table(HEADER, ...rows));
    expect(diagnostics).toMatchObject([{ code: 'yaml-syntax' }]);
    const { findings } = await check({ content: workspace.content });
    expect(findings.errors).toEqual({ 'yaml-syntax': 1 });
    expect([...findings].map(({ code }) => code)).not.toContain('unknown-key');
  });
});

describe('a question', () => {
  const HEADER = 'ref,name,city,country,lat,lon,Tipo,Deposit,Garden swing,Photos';
  const rows = [
    'h-1,Uno,Roma,IT,41.8,12.4,Trullo,100 per stay,yes,https://a.example/1.jpg|https://b.example/2.jpg',
    'h-2,Due,Roma,IT,41.9,12.4,Villa,200 per stay,no,https://a.example/3.jpg',
  ];
  const FIELDS = '{ property_type: { synonyms: [Tipo] }, views: { type: text, list: true } }';

  it('is asked once for each word that a choice does not know', async () => {
    const workspace = catalogue(FIELDS);
    const { proposal, done } = await asked(workspace, 'a.csv', table(HEADER, ...rows), [
      ['"Trullo" (1 row) is not among the choices of property_type', 'House'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(proposal!.property_type).toEqual({ from: 'Tipo', map: { Trullo: 'house' } });
    expect(done.result!.causes.map(({ code }) => code)).not.toContain('unknown-choice');
    expect(read(workspace, 'uno')).toContain('property_type: house\n');
  });

  it('on a field begins with the column that fits, warns of yes and no, and removes one', async () => {
    const { proposal, screen } = await asked(catalogue(FIELDS), 'a.csv', table(HEADER, ...rows), [
      ['"Trullo"', 'Leave it out'],
      ['Is this right?', 'Change a field'],
      ['Which field?', 'hotel_policy: deposit'],
      ['Which column is the text of deposit?', 'None'],
      ['Is this right?', 'Change a field'],
      ['Which field?', 'hotel_policy: deposit'],
      ['Which column is the text of deposit?', '!enter'],
      ['Is this right?', 'Change a field'],
      ['Which field?', 'views'],
      ['Which column is the views?', 'Garden swing'],
      ['Is this right?', 'Change a field'],
      ['Which field?', 'views'],
      ['Which column is the views?', 'Without Garden swing'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(proposal!.hotel_policy).toEqual([{ policy_type: { value: 'deposit' }, detail: 'Deposit' }]);
    expect(screen).toContain('"Garden swing" says only yes or no');
    expect(proposal).not.toHaveProperty('views');
  });

  it('on photos says how many there are, and where', async () => {
    const questions: string[] = [];
    await imported(catalogue(FIELDS), 'a.csv', table(HEADER, ...rows), {
      confirm: async (question) => questions.push(question) < 0,
    });
    expect(questions.join()).toContain(
      '3 photos are links, to a.example, b.example. Download? At 1 MiB each that is 3.0 MiB.',
    );
  });
});

it('a workbook’s amounts have the currency of their format, as those of a text have', async () => {
  const sheet = XLSX.utils.aoa_to_sheet([
    ['ref', 'name', 'city', 'country', 'lat', 'lon', 'price_from', 'Deposit', 'Cleaning fee'],
    ['h-1', 'Uno', 'Roma', 'IT', 41.8, 12.4, 1250, 2000, 80.5],
  ]);
  sheet.G2.z = '#,##0.00\\ "€"';
  sheet.H2.z = '[$€-410]\\ #,##0';
  sheet.I2.z = '#,##0.00\\ [$CHF];[Red]-#,##0.00\\ [$CHF]';
  sheet.E2.z = '[$-410]0.00';
  const book = XLSX.utils.book_new(sheet, 'Homes');
  const workspace = catalogue('{ price_from: {} }');
  await imported(workspace, 'a.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }));
  const text = read(workspace, 'uno');
  expect(text).toContain('latitude: 41.8\n');
  expect(text).toContain('price_from: 1250.00\n');
  expect(text).toMatch(/policy_type: deposit\n\s+detail: 2000 €\n/);
  expect(text).toMatch(/policy_type: cleaning\n\s+detail: 80.50 CHF\n/);
});
