/** Tables of other people: without a mapping, with doubtful values, and again. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../src/import/import-options.ts';
import { importSource } from '../../src/import/import-source.ts';
import { createWorkspace, readTree, type Workspace } from '../compile/workspace.ts';
import { imported } from './imported.ts';
import { printed } from './printed.ts';

const FIXTURE = fileURLToPath(new URL('fixtures/channel-manager.csv', import.meta.url));

const IRISH = 'ref,name,town,country,lat,lon';
const row = (n: number, more = '') => `h-${n},House ${n},Cork,Ireland,51.9${n % 10},-8.4${more}`;
const table = (...rows: string[]) => `${rows.join('\n')}\n`;
const text = ({ content }: Workspace, name: string) =>
  readFileSync(join(content, `properties/ie/${name}.yaml`), 'utf8');

describe('a table without a mapping', () => {
  it('is imported where there is no content folder yet, also with fields to declare', async () => {
    const workspace = createWorkspace();
    const content = join(workspace.root, 'none');
    const sleeps = table(`${IRISH},sleeps`, row(1, ',4'), row(2, ',6'));
    const done = await imported(workspace, 'a.csv', sleeps, { content, declare: true });
    expect(done.result).toMatchObject({ written: 2 });
    expect(text({ ...workspace, content }, 'house-1')).toContain('max_guests: 4\n');
  });

  it('with ids that are no UUIDs has the whole line that makes them, in the mapping and in the report', async () => {
    const workspace = createWorkspace();
    const houses = ['A,Cork,Ireland,51.9,-8.4,h-1', 'B,Cork,Ireland,51.8,-8.4,h-2'];
    const own = table('name,town,country,lat,lon,Dossier', ...houses);
    const { notes } = await imported(workspace, 'a.csv', own);
    const path = join(workspace.root, 'a.mapping.yaml');
    const before = readFileSync(path, 'utf8');
    const [, line = ''] =
      /write in the mapping: (id: \{ from: <column>, uuid: [-\da-f]{36} \})$/m.exec(before) ?? [];
    expect(notes.at(-1)?.help).toContain(line);
    writeFileSync(path, before.replace(/^id: .*/m, 'id: Dossier'));
    const meant = line.replace('<column>', 'Dossier');
    expect(printed(await imported(workspace, 'a.csv', own))).toMatch(
      new RegExp(`say so in the mapping, .*:\\n${meant.replace(/[{}]/g, '.')}\\n`),
    );
    writeFileSync(path, before.replace(/^id: .*/m, meant));
    expect((await imported(workspace, 'a.csv', own)).result).toMatchObject({ written: 2, refused: 0 });
  });

  it('with a column of postal codes, or of one number for all, takes neither for ids', async () => {
    const rows = [1, 2, 3, 4].map((n) => `${n},Dom ${n},Mielno,PL,54.2${n},16.0${n},76-15${n % 2}`);
    const { notes, proposed } = await imported(
      createWorkspace(),
      'a.csv',
      table('Lp.,Nazwa,Miejscowość,Kraj,lat,lon,Kod', ...rows),
      { ask: undefined as never },
    );
    expect(notes).toEqual([]);
    expect(Object.fromEntries(proposed!.columns)).toMatchObject({ id: 'Lp.', zip_code: 'Kod' });
    const same = rows.map((one) => one.replace(/76-15.$/, 'X9').replace(/^\d,/, ''));
    const other = await imported(
      createWorkspace(),
      'a.csv',
      table('Nazwa,Miejscowość,Kraj,lat,lon,Kod', ...same),
    );
    expect(other.notes.map(({ code }) => code)).toEqual(['id-from-title']);
  });

  it.each(['Codice alloggio', 'Nr oferty', 'Référence du gîte', 'Objekt-Nr.', 'Código'])(
    'with the number of a row twice in "%s" says so',
    async (name) => {
      const rows = ['A,Cork,IE,51.9,-8.4,IT-1', 'B,Cork,IE,51.8,-8.4,IT-2', 'C,Cork,IE,51.7,-8.4,IT-2'];
      const { notes } = await imported(
        createWorkspace(),
        'a.csv',
        table(`name,town,country,lat,lon,${name}`, ...rows),
      );
      expect(notes).toMatchObject([
        { code: 'repeated-id', message: expect.stringContaining('"IT-2" (lines 3, 4)') },
        { code: 'id-from-title', help: expect.stringContaining(`: id: { from: ${name}, uuid: `) },
      ]);
    },
  );

  it('with one title for all rows says so, and offers no object', async () => {
    const one = { name: 'Rose', city: 'Cork', country: 'IE', lat: 51.9, lon: -8.4, stay: { mood: 'calm' } };
    const rows = [1, 2, 3].map((n) => JSON.stringify({ ref: `h-${n}`, ...one })).join('\n');
    const workspace = createWorkspace();
    const mapping = `id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ntitle: name\ncity: city\ncountry: country\ncurrency: { value: EUR }\nlatitude: lat\nlongitude: lon\n`;
    writeFileSync(join(workspace.root, 'a.mapping.yaml'), mapping);
    const { notes, unused } = await imported(workspace, 'a.jsonl', rows);
    expect(notes.map(({ code }) => code)).toEqual(['same-title']);
    expect(unused.map(({ name }) => name)).toEqual(['stay.mood']);
  });

  it('without a column of ids says what ids follow from', async () => {
    const named = table('name,town,country,lat,lon', 'A,Cork,Ireland,51.9,-8.4', 'B,Cork,Ireland,51.8,-8.4');
    const { notes } = await imported(createWorkspace(), 'a.csv', named);
    expect(notes.map(({ code }) => code)).toContain('id-from-title');
    const numbered = await imported(createWorkspace(), 'a.csv', table(IRISH, row(1), row(2)));
    expect(numbered.notes).toEqual([]);
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, row(1)));
    const path = join(workspace.root, 'a.mapping.yaml');
    const composed = readFileSync(path, 'utf8').replace('from: ref,', 'from: [ref, town],');
    writeFileSync(path, composed);
    expect((await imported(workspace, 'a.csv', table(IRISH, row(1)))).notes).toEqual([]);
    expect(composed).toContain('[ref, town]');
  });

  it('of 28 columns becomes 40 properties; private columns are named and not read', async () => {
    const workspace = createWorkspace();
    copyFileSync(FIXTURE, join(workspace.root, 'houses.csv'));
    const done = await imported(workspace, 'houses.csv', readFileSync(FIXTURE, 'utf8'));
    expect(done.result).toMatchObject({ written: 40, refused: 0 });
    expect(done.unused.filter(({ secret }) => secret !== undefined)).toMatchObject([
      { name: 'WiFi Password', filled: 40, secret: 'a password or an access code', looks: '' },
      { name: 'Owner IBAN', filled: 20, secret: 'a bank account', looks: '' },
    ]);
    // Without values, as of "Owner Name", there is nothing to tell.
    expect(done.unused.map(({ name }) => name)).not.toContain('Owner Name');
    expect(done.unused.filter(({ secret }) => secret === undefined).map(({ name }) => name)).toEqual([
      'Internal Name',
      'Listing ID',
    ]);
    const written = text(workspace, 'lime-house');
    expect(written).toContain('phone: +353 21 427 0000\n');
    expect(written).toContain('address: 2 Main Street\n');
    expect(written).toContain('facilities:\n  - wifi\n  - kitchen\n  - garden\n  - pets_allowed\n');
    expect(written).toContain('description: The front\n');
    const mapping = readFileSync(join(workspace.root, 'houses.mapping.yaml'), 'utf8');
    expect(mapping).not.toMatch(/rose1234|IE29/);
    expect(done.result!.repairs.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['phone', 'country']),
    );
    expect((await workspace.build()).outcome).toBe('published');
  });

  it('has ids twice, which the proposal says', async () => {
    const rows = [1, 2, 3, 4, 5].flatMap((n) => [row(n), row(n).replace('House', 'Villa'), row(n + 10)]);
    const options = { ask: undefined as never };
    const twice = await imported(createWorkspace(), 'a.csv', table(IRISH, ...rows), options);
    expect(twice.proposed?.columns[0]).toEqual(['id', 'name, town']);
    expect(twice.notes).toMatchObject([
      {
        code: 'repeated-id',
        message:
          '5 values of "ref" are in more than one row: "h-1" (lines 2, 3), "h-2" (lines 5, 6), "h-3" (lines 8, 9), ....',
        help: expect.stringContaining('before the first import'),
      },
      { code: 'id-from-title' },
    ]);
    const once = await imported(createWorkspace(), 'a.csv', table(IRISH, row(1), row(2)), options);
    expect(once.notes).toEqual([]);
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, row(1)));
    const later = await imported(workspace, 'a.csv', table(IRISH, row(1), row(1).replace('House', 'Villa')));
    expect(later.notes).toEqual([]);
    expect(later.result!.causes[0]).toMatchObject({
      code: 'duplicate-id',
      help: expect.stringContaining('Only the first row of each'),
    });
    expect(later.result!.causes.find(({ code }) => code === 'duplicate-id')!.examples).toMatchObject([
      { at: 'line 3', message: 'The id h-1 is also used by line 2.' },
    ]);
  });

  it('has rows twice, which share no id', async () => {
    const workspace = createWorkspace();
    const rows = [row(1), row(2), row(1), row(3), row(2)];
    const done = await imported(workspace, 'a.csv', table(IRISH, ...rows), { ask: undefined as never });
    expect(done.proposed?.columns[0]).toEqual(['id', 'ref']);
    expect(done.notes).toEqual([]);
    const { result } = await imported(workspace, 'a.csv', table(IRISH, ...rows));
    expect(result).toMatchObject({ written: 3, refused: 0 });
    expect(result!.causes.find(({ code }) => code === 'repeated-row')).toMatchObject({ count: 2 });
  });

  it('has numbers of a spreadsheet for ids, which the report shows as the cells have them', async () => {
    const workspace = createWorkspace();
    const plain = table(IRISH, row(1).replace('h-1', '10200'), row(2));
    await imported(workspace, 'a.csv', plain);
    const damaged = [1, 2, 3, 4, 5].map((n) => row(n).replace(`h-${n}`, '1.02E+04'));
    const { notes, result } = await imported(workspace, 'a.csv', table(IRISH, ...damaged));
    expect(notes).toEqual([]);
    expect(result!.causes.find(({ code }) => code === 'duplicate-id')?.help).toMatch(
      /^"ref" has ids such as 1.02E\+04. A spreadsheet wrote long numbers with an exponent, .+ as text before you save\.$/,
    );
  });

  it('with a later column of ids says that the mapping makes them, and asks to fill an empty one', async () => {
    const workspace = createWorkspace();
    const houses = ['A,Cork,Ireland,51.9,-8.4', 'B,Cork,Ireland,51.8,-8.4'];
    await imported(workspace, 'a.csv', table('name,town,country,lat,lon', ...houses));
    const named = table('name,town,country,lat,lon,ref', ...houses.map((house, at) => `${house},h-${at}`));
    const { notes, mapping } = await imported(workspace, 'a.csv', named);
    const note = notes.find(({ code }) => code === 'id-from-title');
    expect(note?.message).toMatch(/^The ids follow from name, town: a row whose title or place changes /);
    expect(note?.help).toMatch(
      `write in ${mapping}, which changes all ids once: id: { from: <column>, uuid: `,
    );
    const keyed = createWorkspace();
    await imported(keyed, 'a.csv', table(IRISH, row(1)));
    const { result } = await imported(keyed, 'a.csv', table(IRISH, row(1), row(2).replace('h-2', '')));
    expect(result!.causes[0]).toMatchObject({ code: 'missing-key', field: 'id', help: 'Fill the column.' });
  });

  it('of photos with more than a link says which of it is not used, and where no field is like it', async () => {
    const photo = { url: 'https://a.example/1.jpg', title: 'Front', position: 2, description: 'Old' };
    const photos = [{ ...photo, small: 'https://a.example/2.jpg' }];
    const house = { ref: 'a', name: 'Rose', city: 'Cork', country: 'IE', lat: 51.9, lon: -8.4, photos };
    const { unused } = await imported(createWorkspace(), 'a.json', JSON.stringify([house]));
    expect(unused.map(({ name, field, line }) => [name, field ?? line])).toEqual([
      ['photos.position', undefined],
      ['photos.description', undefined],
      ['photos.small', undefined],
      ['ref', 'reference'],
    ]);
  });

  it('with a word for no country refuses the row for all that it needs, and a draft for nothing', async () => {
    const rows = [
      row(1).replace('Ireland', 'Atlantis').replace('51.91', 'north'),
      row(2).replace('Ireland', 'Atlantis'),
      row(3),
    ];
    const more = [',EUR,no,021 x', ',Doubloon,no,021 427 0000', ',EUR,no,021 427 0000'];
    const whole = table(`${IRISH},currency,draft,phone`, ...rows.map((one, n) => one + more[n]));
    const { result } = await imported(createWorkspace(), 'a.csv', whole);
    expect(result).toMatchObject({ written: 1, refused: 2 });
    expect(result!.outcomes.slice(0, 2).map(({ findings }) => findings.map(({ field }) => field))).toEqual([
      expect.arrayContaining(['country', 'latitude']),
      expect.arrayContaining(['country', 'currency']),
    ]);
    // What was repaired counts where it is published.
    expect(result!.repairs.find(({ field }) => field === 'phone')).toMatchObject({ count: 1 });
    const drafts = await imported(createWorkspace(), 'a.csv', whole.replaceAll(',no,', ',yes,'));
    expect(drafts.result).toMatchObject({ written: 3, refused: 0 });
  });

  it('of JSON does not take an object for a text', async () => {
    const address = { street: 'Quay Street', number: '5' };
    const house = { ref: 'a', name: 'Rose', city: 'Cork', country: 'IE', lat: 51.9, lon: -8.4, address };
    const workspace = createWorkspace();
    const { result } = await imported(workspace, 'a.json', JSON.stringify([house]));
    expect(result!.causes.map(({ code }) => code)).not.toContain('wrong-type');
    expect(text(workspace, 'rose')).toContain('address: Quay Street');
  });

  it('with a quote that encloses no cell names the line', async () => {
    const stray = table(IRISH, row(1).replace('House', '"Elm" House'), row(2));
    const { notes, result } = await imported(createWorkspace(), 'a.csv', stray);
    expect(notes).toMatchObject([{ code: 'stray-quote', message: expect.stringContaining('(line 2)') }]);
    expect(result).toMatchObject({ written: 2 });
    const sound = table(IRISH, row(1).replace('House', 'Elm "House"'), row(2).replace('House 2', '"House"'));
    expect((await imported(createWorkspace(), 'a.csv', sound)).notes).toEqual([]);
  });

  it('gets the same mapping every time, and an existing one is used as it is', async () => {
    const [one, other] = [createWorkspace(), createWorkspace()];
    for (const workspace of [one, other]) await imported(workspace, 'a.csv', table(IRISH, row(1), row(2)));
    const path = (workspace: Workspace) => join(workspace.root, 'a.mapping.yaml');
    expect(readFileSync(path(one))).toEqual(readFileSync(path(other)));
    const edited = readFileSync(path(one), 'utf8').replace('city: town', 'city: { value: Dublin }');
    writeFileSync(path(one), edited);
    const again = await imported(one, 'a.csv', table(IRISH, row(1)));
    expect(again.result).toMatchObject({ replaced: 1 });
    expect(readFileSync(path(one), 'utf8')).toBe(edited);
    expect(text(one, 'house-1')).toContain('city: Dublin\n');
  });

  it('is only proposed where nobody can be asked, without a property written', async () => {
    const workspace = createWorkspace();
    const options = { ask: undefined as never };
    const done = await imported(
      workspace,
      'a.csv',
      table('ref,name,lat,lon', 'h-1,House,51.9,-8.4'),
      options,
    );
    expect(done).toMatchObject({ proposed: { missing: ['city'] } });
    expect(done.result).toBeUndefined();
    expect(readTree(workspace.content).size).toBe(0);
    expect(readFileSync(done.proposed!.path, 'utf8')).toContain('country: { value: IE }');
    // The unfinished mapping says what it lacks.
    const again = await imported(
      workspace,
      'a.csv',
      table('ref,name,lat,lon', 'h-1,House,51.9,-8.4'),
      options,
    );
    expect(again.diagnostics.map(({ code }) => code)).toEqual(['missing-key']);
  });

  it('that nobody accepts leaves nothing behind', async () => {
    const workspace = createWorkspace();
    const done = await imported(workspace, 'a.csv', table(IRISH, row(1)), { ask: async () => undefined });
    expect(done.result).toBeUndefined();
    expect(existsSync(join(workspace.root, 'a.mapping.yaml'))).toBe(false);
  });

  it('does not put its mapping among the properties', async () => {
    const workspace = createWorkspace();
    workspace.write('a.csv', table(IRISH, row(1)));
    await importSource(join(workspace.content, 'a.csv'), {
      ...{ content: workspace.content, force: false, photos: false },
      ask: async (proposal) => proposal,
    });
    expect(existsSync(join(workspace.root, 'a.mapping.yaml'))).toBe(true);
    expect((await workspace.build()).outcome).toBe('published');
  });
});

describe('values of a table', () => {
  it('that name one facility in a list and in a column are one, without a word', async () => {
    const rows = ['h-1,Rose,Cork,Ireland,51.9,-8.4,"WLAN, Dishwasher, Wifi",Yes'];
    const workspace = createWorkspace();
    const done = await imported(workspace, 'a.csv', table(`${IRISH},Amenities,Dishwasher`, ...rows));
    expect(text(workspace, 'rose')).toContain('facilities:\n  - wifi\n  - dishwasher\n');
    expect(done.result!.causes.map(({ field }) => field)).not.toContain('facilities');
  });

  it('that deny an entry of a list count as used (case 20)', async () => {
    const amenities = [
      { name: 'WiFi', value: true },
      { name: 'Pool', value: false },
    ];
    const house = { ref: 'a', name: 'Rose', city: 'Cork', country: 'IE', lat: 51.9, lon: -8.4, amenities };
    const workspace = createWorkspace();
    const mapping = join(workspace.root, 'm.yaml');
    writeFileSync(
      mapping,
      'id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ntitle: name\ncurrency: { value: EUR }\ncity: city\ncountry: country\nlatitude: lat\nlongitude: lon\nfacilities: amenities.name\n',
    );
    const done = await imported(workspace, 'a.json', JSON.stringify([house]), { mapping });
    expect(text(workspace, 'rose')).toContain('facilities:\n  - wifi\n');
    expect(done.unused).toEqual([]);
  });

  it('are repaired where they have one meaning (case 16)', async () => {
    const workspace = createWorkspace();
    const header = 'ref,name,town,lat,lon,country,money,tel,mail,from';
    const one =
      '{5F3C1C1E-8D0A-4C56-9A59-3F6F0A8F3C11},Rose,Cork,51.9,−8.4,Irland,€,00353214270000,mailto:a@b.example,2027-4-1';
    const two =
      'urn:uuid:5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c12,Lime,Leeds,-1.54,53.8,Royaume-Uni,£,0113 496 0000,<c@d.example>,"1 April 2027"';
    const mapping = join(workspace.root, 'm.yaml');
    writeFileSync(
      mapping,
      'id: ref\ntitle: name\ncurrency: money\nemail: mail\nphone: tel\ncity: town\ncountry: country\nlatitude: lat\nlongitude: lon\nlive_from: from\n',
    );
    const { result } = await imported(workspace, 't.csv', table(header, one, two), { mapping });
    expect(result).toMatchObject({ written: 2, refused: 0 });
    expect(text(workspace, 'rose')).toBe(`id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11
title: Rose

live_from: 2027-04-01

currency: EUR
email: a@b.example
phone: +353 21 427 0000

city: Cork
country: IE
latitude: 51.9
longitude: -8.4
`);
    const lime = readFileSync(join(workspace.content, 'properties/gb/lime.yaml'), 'utf8');
    for (const line of ['currency: GBP', 'latitude: 53.8', 'longitude: -1.54', 'phone: +44 113 496 0000']) {
      expect(lime).toContain(`${line}\n`);
    }
    expect(result!.repairs.find(({ field }) => field === 'country')).toMatchObject({ count: 2 });
  });

  const OPTIONAL = `${IRISH},phone,email,photo,hidden`;

  it('that are optional and unreadable are left out with a warning, and refuse the row with --strict', async () => {
    const lines = table(OPTIONAL, row(1, ',call us,nobody,http://p.example/a.jpg,no'));
    const workspace = createWorkspace();
    const ask: SourceOptions['ask'] = async (proposal) => ({ ...proposal, email: 'email' });
    const { result } = await imported(workspace, 'a.csv', lines, { ask });
    expect(result).toMatchObject({ written: 1, refused: 0 });
    const left = result!.causes.filter(({ examples }) => examples[0]!.message.endsWith('It is left out.'));
    expect(left.map(({ code, severity }) => [code, severity])).toEqual([
      ['invalid-email', 'warning'],
      ['invalid-phone', 'warning'],
      ['invalid-url', 'warning'],
    ]);
    const strict = await imported(createWorkspace(), 'a.csv', lines, { strict: true });
    expect(strict.result).toMatchObject({ written: 0, refused: 1 });
  });

  it('that are long texts are named with their length; signs that were read as controls are restored', async () => {
    const settings = 'base_url: http://localhost:8080\nfields: { description: {} }\n';
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', settings);
    const long = `A \u0093quiet\u0094 house. ${'Sea. '.repeat(40)}`;
    const lines = table(`${IRISH},description`, row(1, `,${long}`), row(2, `,${long}\u000e`));
    const { result } = await imported(workspace, 'a.csv', lines);
    expect(text(workspace, 'house-1')).toContain('description: A “quiet” house. Sea.');
    expect(result!.causes.find(({ code }) => code === 'control-character')!.examples).toMatchObject([
      {
        message: expect.stringMatching(
          / The whole text is left out \(Description of "House 2", 2\d\d characters\)\.$/,
        ),
      },
    ]);
  });

  it.each([
    ['spaces', 'name', `a${' '.repeat(400_000)}b`],
    ['hard spaces', 'name', `a${'\u00a0'.repeat(400_000)}b`],
    ['breaks and spaces', 'name', `"a${'\n '.repeat(450)}${' '.repeat(400_000)}b"`],
    ['zeros', 'lat', `${'0'.repeat(900_000)}x`],
    ['zeros of a declared number', 'rooms', `${'0'.repeat(900_000)}x`],
    ['spaces of an address', 'mail', `a${' '.repeat(400_000)}b`],
    ['points', 'mail', `${'.'.repeat(900_000)}!`],
  ])('of a million %s in a cell take no longer than others', async (_what, column, cell) => {
    const workspace = createWorkspace();
    writeFileSync(join(workspace.content, 'catalogue.yaml'), 'fields:\n  bedrooms: {}\n');
    const columns = [...IRISH.split(','), 'mail', 'rooms'];
    const cells = [...row(1).split(','), '', ''].map((plain, place) =>
      columns[place] === column ? cell : plain,
    );
    const mapping = join(workspace.root, 'm.yaml');
    writeFileSync(
      mapping,
      'id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ntitle: name\ncurrency: { value: EUR }\nemail: mail\ncity: town\ncountry: country\nlatitude: lat\nlongitude: lon\nbedrooms: rooms\n',
    );
    const lines = table(columns.join(','), cells.join(','));
    const { result } = await imported(workspace, 't.csv', lines, { mapping });
    expect(result!.written + result!.refused).toBe(1);
  });

  it('that hold a property back are not left out', async () => {
    const { result } = await imported(
      createWorkspace(),
      'a.csv',
      table(`${IRISH},live_until`, row(1, ',soon')),
      {
        ask: async (proposal) => ({ ...proposal, live_until: 'live_until' }),
      },
    );
    expect(result).toMatchObject({ written: 0, refused: 1 });
    expect(result!.causes[0]).toMatchObject({ code: 'invalid-time', severity: 'error', count: 1 });
  });

  it.each(['yes', 'ja', 'oui', 'WAHR', '1', 'sí'])(
    'of a draft may be unfinished (draft: %s)',
    async (mark) => {
      const workspace = createWorkspace();
      const lines = table(`${IRISH},draft`, row(1, ',no'), `h-2,,,,,${','}${mark}`.replace(',,,,,', ',,,,,'));
      const { result } = await imported(workspace, 'a.csv', lines);
      expect(result).toMatchObject({ written: 2, refused: 0 });
      expect((await workspace.build()).outcome).toBe('published');
    },
  );

  it('yes and no are no facilities, and joined columns stay words of their own', async () => {
    const workspace = createWorkspace();
    const mapping = join(workspace.root, 'm.yaml');
    const base =
      'title: name\ncurrency: { value: EUR }\ncity: town\ncountry: country\nlatitude: lat\nlongitude: lon\n';
    writeFileSync(
      mapping,
      `id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\n${base}facilities: { from: [a, b], split: "," }\n`,
    );
    await imported(workspace, 'a.csv', table(`${IRISH},a,b`, row(1, ',"Wifi,Washer",No')), { mapping });
    expect(text(workspace, 'house-1')).toContain('facilities:\n  - wifi\n  - washing_machine\n');
    expect(text(workspace, 'house-1')).not.toMatch(/No\b/);
  });
});

describe('a report', () => {
  it('names a row that broke off, and counts unreadable rows in no gap', async () => {
    const rows = [row(1), 'h-2,House 2', `${row(3)},more`, 'h-4,House 4,Cork,Ireland,51.9,-8.4'];
    const { result, gaps } = await imported(createWorkspace(), 'a.csv', table(`${IRISH},beds`, ...rows));
    const short = result!.causes.filter(({ code }) => code === 'short-row');
    expect(short).toMatchObject([
      { count: 1, examples: [{ at: 'line 3', message: 'The row has 2 cells, but the header has 7.' }] },
    ]);
    expect(gaps).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: 'city', none: 1, rows: 4 })]),
    );
  });

  it('names in JSON the column that could fill a gap, without its samples', async () => {
    const places = ['a,Rose,Cork,IE,51.9,-8.4,Cork', 'b,Lime,,IE,51.8,-8.4,Cobh', 'c,Elm,,IE,51.8,-8.3,Cork'];
    const done = await imported(
      createWorkspace(),
      'a.csv',
      table('ref,name,city,country,lat,lon,area', ...places),
    );
    expect(JSON.parse(printed(done, 'json')).gaps).toMatchObject([{ field: 'city', column: 'area' }]);
  });

  it('says that a country follows from coordinates, and counts values beside rows', async () => {
    const rows = [row(1), row(2).replace('Ireland', ''), 'f-1,Maison,Paris,France,48.86,2.35'];
    const { result } = await imported(createWorkspace(), 'a.csv', table(IRISH, ...rows));
    const country = result!.repairs.find(({ field }) => field === 'country');
    expect(country!.examples).toContainEqual(
      expect.objectContaining({ from: '', to: 'country of the coordinates', count: 1 }),
    );
    const photos = table(
      `${IRISH},photo 1,photo 2`,
      row(1, ',http://a.example/1.jpg,http://a.example/2.jpg'),
      row(2, ',http://a.example/3.jpg,'),
    );
    const linked = await imported(createWorkspace(), 'p.csv', photos);
    expect(linked.result!.causes).toContainEqual(
      expect.objectContaining({ code: 'invalid-url', field: 'photo', count: 2, values: 3 }),
    );
    const again = await imported(createWorkspace(), 'p.csv', photos);
    expect(again.result!.outcomes).toHaveLength(2);
  });

  it('counts causes with three examples, errors first, and unknown words once', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => row(n, ',"Moat, Wifi"').replace('Cork', n > 1 ? '' : 'Cork'));
    const { result } = await imported(createWorkspace(), 'a.csv', table(`${IRISH},amenities`, ...rows));
    expect(result!.causes[0]).toMatchObject({ code: 'missing-key', field: 'city', count: 4 });
    expect(result!.causes[0]!.examples.map(({ at }) => at)).toEqual(['line 3', 'line 4', 'line 5']);
    expect(result!.words).toEqual([{ word: 'Moat', count: 1 }]);
  });

  it.each([
    ['a column of a table', 'a.csv', table(IRISH, row(1)), 'post_code', 'town'],
    [
      'a path of JSON',
      'a.json',
      '[{"ref":1,"name":"Rose","town":"Cork","country":"IE","lat":51.9,"lon":-8.4}]',
      'adress.postcode',
      'town',
    ],
  ])('is not needed where %s is nowhere: nothing is written', async (_what, name, source, column) => {
    const workspace = createWorkspace();
    const mapping = join(workspace.root, 'm.yaml');
    writeFileSync(
      mapping,
      `id: { from: ref, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }\ntitle: name\ncurrency: { value: EUR }\ncity: town\ncountry: country\nlatitude: lat\nlongitude: lon\nzip_code: ${column}\n`,
    );
    await expect(imported(workspace, name, source, { mapping })).rejects.toMatchObject({
      code: 'unknown-column',
      message: expect.stringContaining(column),
    });
    expect(readTree(workspace.content).size).toBe(0);
  });

  it('warns of a mapping that publishes a private column', async () => {
    const workspace = createWorkspace();
    const { notes } = await imported(
      workspace,
      'a.csv',
      table(`${IRISH},Owner phone`, row(1, ',+353 21 427 0000')),
      {
        ask: async (proposal) => ({ ...proposal, phone: 'Owner phone' }),
      },
    );
    expect(notes).toMatchObject([{ code: 'private-column', severity: 'warning' }]);
  });
});

describe('a table again', () => {
  const rows = (count: number, from = 1) => Array.from({ length: count }, (_, index) => row(index + from));

  it('changes only what changed, and keeps edits and comments', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, ...rows(3)));
    const file = join(workspace.content, 'properties/ie/house-2.yaml');
    writeFileSync(file, `# Ring first.\n${readFileSync(file, 'utf8')}`);
    const before = readTree(workspace.content);
    const again = await imported(workspace, 'a.csv', table(IRISH, ...rows(3)));
    expect(again.result).toMatchObject({ written: 0, replaced: 0, present: 3, conflict: 0 });
    expect(readTree(workspace.content)).toEqual(before);
    const other = createWorkspace();
    const doubtful = table(`${IRISH},zip`, row(1, ',n/a'));
    for (const kind of ['written', 'present']) {
      const { result } = await imported(other, 'z.csv', doubtful);
      const [outcome] = result!.outcomes;
      expect(outcome).toMatchObject({ kind, path: 'properties/ie/house-1.yaml' });
      expect(outcome!.findings.map(({ field }) => field)).toContain('zip_code');
    }
    const changed = table(IRISH, row(1).replace('House 1', 'House One'), ...rows(2, 2));
    expect((await imported(workspace, 'a.csv', changed)).result).toMatchObject({ replaced: 1, present: 2 });
  });

  it('lists files whose rows are gone, and removes those that nobody edited', async () => {
    const workspace = createWorkspace();
    workspace.add(99);
    await imported(workspace, 'b.csv', table(IRISH, row(77)));
    await imported(workspace, 'a.csv', table(IRISH, ...rows(8)));
    const file = join(workspace.content, 'properties/ie/house-8.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}state: Munster\n`);
    const less = table(IRISH, ...rows(6));
    const listed = await imported(workspace, 'a.csv', less);
    const files = ['properties/ie/house-7.yaml', 'properties/ie/house-8.yaml'];
    const titles = Object.fromEntries(files.map((file, n) => [file, `House ${n + 7}`]));
    expect(listed.result!.gone).toEqual({ files, titles, removed: [], edited: [files[1]] });
    const removed = await imported(workspace, 'a.csv', less, { gone: 'remove' });
    expect(removed.result!.gone).toEqual({ files, titles, removed: [files[0]], edited: [files[1]] });
    expect(existsSync(join(workspace.content, files[0]!))).toBe(false);
    for (const kept of [files[1]!, 'house-99.yaml', 'properties/ie/house-77.yaml']) {
      expect(existsSync(join(workspace.content, kept))).toBe(true);
    }
  });

  it('leaves what else has the place of a file whose row is gone', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, ...rows(8)));
    const file = join(workspace.content, 'properties/ie/house-8.yaml');
    rmSync(file);
    mkdirSync(file);
    const { result } = await imported(workspace, 'a.csv', table(IRISH, ...rows(7)), { gone: 'remove' });
    const files = ['properties/ie/house-8.yaml'];
    expect(result!.gone).toMatchObject({ files, removed: [], edited: files });
  });

  it.each(['https://', 'http://[', 'https://a.example:99999/t.csv'])('%s is refused', async (source) => {
    const options = { content: createWorkspace().content, force: false, photos: false };
    for (const mapping of [{}, { mapping: 'm.yaml' }])
      await expect(importSource(source, { ...options, ...mapping })).rejects.toMatchObject({
        code: 'invalid-source',
      });
  });

  it('has the files of refused rows whose ids are known, and names rows that may be any', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, ...rows(20)));
    const refused = [
      row(1).replace('House 1', 'House 1 (door code 4711#)'),
      row(2).replace('House 2', ''),
      row(3).replace('Cork', ''),
      row(4),
      row(4).replace('House', 'Villa'),
    ];
    const files = ['properties/ie/house-20.yaml'];
    const less = await imported(workspace, 'a.csv', table(IRISH, ...refused, ...rows(15, 5)), {
      gone: 'remove',
    });
    expect(less.result).toMatchObject({ refused: 4, gone: { files, removed: files } });
    const keyless = [30, 31, 32, 33].map((n) => row(n).replace(`h-${n}`, ''));
    const unknown = await imported(workspace, 'a.csv', table(IRISH, ...refused, ...rows(14, 5), ...keyless), {
      gone: 'remove',
    });
    expect(unknown.result!.gone.refusal?.message).toMatch(
      /^4 rows without a readable id \(line 21, line 22, line 23, \.\.\.\) may be any of the 1 file /,
    );
  });

  it('removes nothing for a refused row whose id follows from its title', async () => {
    const workspace = createWorkspace();
    const named = (...names: string[]) =>
      table('name,town,country,lat,lon', ...names.map((name) => `${name},Cork,Ireland,51.9,-8.4`));
    await imported(workspace, 'a.csv', named('Rose', 'Lime', 'Fern'));
    const coded = named('Rose (door code 4711#)', 'Lime', 'Fern');
    const { result } = await imported(workspace, 'a.csv', coded, { gone: 'remove' });
    expect(result!.gone).toMatchObject({ removed: [], refusal: { code: 'unknown-rows' } });
  });

  it('removes nothing where a row that cannot be read may be one of them, or where many would go', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, ...rows(20)));
    const unknown = table(IRISH, ...rows(18), ',No key,Cork,Ireland,51.9,-8.4');
    const first = await imported(workspace, 'a.csv', unknown, { gone: 'remove' });
    expect(first.result!.gone).toMatchObject({ removed: [], refusal: { code: 'unknown-rows' } });
    const second = await imported(workspace, 'a.csv', table(IRISH, ...rows(12)), { gone: 'remove' });
    expect(second.result!.gone).toMatchObject({ removed: [], refusal: { code: 'too-many-removed' } });
    const third = await imported(workspace, 'a.csv', table(IRISH, ...rows(12)), {
      gone: 'remove',
      allowShrink: true,
    });
    expect(third.result!.gone.removed).toHaveLength(8);
  });

  it('with under half of the rows stops before anything', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', table(IRISH, ...rows(5)));
    const before = readTree(workspace.content);
    const less = table(IRISH, row(1).replace('House 1', 'Another'), row(2));
    await expect(imported(workspace, 'a.csv', less)).rejects.toMatchObject({ code: 'source-shrunk' });
    expect(readTree(workspace.content)).toEqual(before);
    expect((await imported(workspace, 'a.csv', less, { allowShrink: true })).result).toMatchObject({
      replaced: 1,
    });
  });
});
