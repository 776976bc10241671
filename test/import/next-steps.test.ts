/** What an import leaves behind, and says about it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { importSource } from '../../src/import/import-source.ts';
import { reportImport } from '../../src/report/import.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { imported } from './imported.ts';
import { printed } from './printed.ts';

const HEADER = 'ref,name,city,country,lat,lon';
const table = (more: string, ...rows: string[]) => `${[`${HEADER}${more}`, ...rows].join('\n')}\n`;

/** The language, and two texts. */
const TEXTS: Readonly<Record<string, readonly [string, string, string]>> = {
  English: [
    'en',
    'A quiet house by the river, a short walk from the old town and the market.',
    'Breakfast is served on the terrace, and guests park for free in front of the house.',
  ],
  German: [
    'de',
    'Ein ruhiges Haus am Fluss, wenige Schritte von der Altstadt und dem Markt entfernt.',
    'Das Frühstück wird auf der Terrasse serviert, und die Gäste parken kostenlos vor dem Haus.',
  ],
  French: [
    'fr',
    'Une maison calme au bord de la rivière, à quelques pas du centre et du marché.',
    'Le petit déjeuner est servi sur la terrasse, et les hôtes se garent devant la maison.',
  ],
  Spanish: [
    'es',
    'En una situación inmejorable, muy cerca del río y del paseo, se encuentra este hotel.',
    'Dispone de 22 habitaciones con baño, terraza para los huéspedes y una cocina; no admite mascotas.',
  ],
  Italian: [
    'it',
    'Una casa tranquilla in riva al fiume, a pochi passi dal centro e dal mercato della città.',
    'La colazione è servita in terrazza, e gli ospiti parcheggiano davanti alla casa per tutto il giorno.',
  ],
  Dutch: [
    'nl',
    'Een rustig huis aan de rivier, op een paar stappen van het oude centrum en de markt.',
    'Het ontbijt is inbegrepen en gasten parkeren gratis voor het huis met een tuin.',
  ],
  Portuguese: [
    'pt',
    'Uma casa tranquila junto ao rio, a poucos passos do centro e do mercado, com jardim.',
    'O pequeno-almoço é servido no terraço, e os hóspedes estacionam em frente da casa.',
  ],
  Polish: [
    'pl',
    'Spokojny dom nad rzeką, kilka kroków od starego miasta i rynku, z widokiem na góry.',
    'Śniadanie jest podawane na tarasie, a goście parkują bezpłatnie przed domem.',
  ],
};

describe('a report', () => {
  it('says how to get photos, to complete drafts, and to see the rest of a list', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => `h-${n},House ${n},Cork,IE,,,https://p.example/${n}.jpg`);
    const text = printed(await imported(createWorkspace(), 'a.csv', table(',photo', ...rows)));
    expect(text).toContain('run the same command with --photos');
    expect(text).toContain('5 drafts among them (5 without coordinates)');
    expect(text).toContain(
      'Complete the drafts without coordinates, which the page does not show: catalogue dev --edit',
    );
    expect(text).toContain('... and 2 more; --format json lists them all\n');
    expect(text).toContain('Place it on the map: "catalogue dev --edit" lists the drafts.');
  });

  it('names the example of a new catalogue that is still there, and no drafts to complete where the table says so', async () => {
    const done = await imported(
      createWorkspace(),
      'a.csv',
      table(',draft', 'h-1,Rose,Cork,IE,51.9,-8.4,yes'),
    );
    const lines: string[] = [];
    const sink = { out: () => {}, err: (text: string) => void lines.push(text), color: false };
    reportImport({ ...done, example: 'properties/ie/rose-cottage.yaml' }, 'pretty', 'content', sink);
    expect(lines.join('')).toContain('The example (content/properties/ie/rose-cottage.yaml) is still there');
    expect(lines.join('')).toContain('1 draft among them (1 since draft is yes)');
    expect(lines.join('')).not.toContain('Complete the drafts');
  });

  it('tells what the mapping changes, each merge of types, and what to do about values that are left out', async () => {
    const workspace = createWorkspace();
    workspace.write(
      'catalogue.yaml',
      'base_url: http://localhost:8080\nfields:\n  stars: {}\n  property_type: {}\n',
    );
    const rows = [
      'Hoteles,5 estrellas Gran Lujo,WLAN,Madrid',
      'Hostales,3 estrellas,WLAN,',
      'Pensiones,3 estrellas,,',
      'Apartahoteles,3 estrellas,,Madrid',
      'Albergues,3 llaves,,',
    ].map((more, n) => `h-${n},House ${n},ES,40.4${n},-3.7,Madrid,${more}`);
    const text = printed(
      await imported(
        workspace,
        'a.csv',
        `ref,name,country,lat,lon,state,type,stars,amenities,city\n${rows.join('\n')}\n`,
        {
          ask: async (proposal) => ({ ...proposal, city: { from: 'city', else: 'state' } }),
        },
      ),
    );
    expect(text).toContain('stars: 4, such as "3 estrellas" → "3" (3), "5 estrellas Gran Lujo" → "5"\n');
    expect(text).toContain('city: 3, such as empty → value of state (3)\n');
    expect(text).toContain('facilities: 2, such as "WLAN" → "wifi" (2)\n');
    for (const type of ['Hoteles', 'Hostales', 'Pensiones', 'Apartahoteles', 'Albergues'])
      expect(text).toContain(`"${type}" → `);
    expect(text).toContain(
      'mapping.yaml what they mean:\nstars: { from: stars, map: { 3 estrellas: "3", 5 estrellas Gran Lujo: "5", 3 llaves: <value> } }\n',
    );
  });

  it('says why properties are drafts', async () => {
    const rows = ['paused', 'active', 'paused', 'active'].map(
      (status, n) => `h-${n},House ${n},Cork,IE,${n === 3 ? ',' : `51.9${n},-8.4`},${status}`,
    );
    const text = printed(await imported(createWorkspace(), 'a.csv', table(',Status', ...rows)));
    expect(text).toContain('3 drafts among them (2 since Status is paused, 1 without coordinates)');
    expect(text).toContain(
      'Complete the drafts without coordinates, which the page does not show: catalogue dev --edit',
    );
  });

  it('names no empty status as the reason for drafts if only rows without a property have none', async () => {
    const workspace = createWorkspace();
    const rows = ['paused', 'active', 'paused', 'active'].map(
      (status, n) => `h-${n},House ${n},Cork,IE,51.9${n},-8.4,${status}`,
    );
    await imported(workspace, 'a.csv', table(',Status', ...rows));
    const told = async (...last: string[]) =>
      printed(await imported(workspace, 'a.csv', table(',Status', ...rows.slice(0, 3), ...last)));
    const broken = [`${rows[3]},more`, 'h-0,House 9,Cobh,IE,51.94,-8.4,'];
    expect(await told(...broken)).toContain('(2 since Status is paused)');
    expect(await told('h-4,House 4,Cork,IE,51.94,-8.4,')).toContain('(3 since Status is paused or empty)');
  });

  it('names the columns that are empty in every row, at the first import', async () => {
    const workspace = createWorkspace();
    const text = table(
      ',photo 2,,Notes,',
      'h-1,House 1,Cork,IE,51.9,-8.4,,,,',
      'h-2,House 2,Cork,IE,51.8,-8.4,,,,',
    );
    const report = printed(await imported(workspace, 'a.csv', text));
    expect(report).toContain('Columns that are empty in every row\n  photo 2, Notes\n');
    expect(printed(await imported(workspace, 'a.csv', text))).not.toContain('empty');
  });

  it('counts each different repair once', async () => {
    const rows = ['Ireland', 'IRL', 'Ireland', 'Ireland'].map(
      (country, n) => `h-${n},House ${n},Cork,${country},51.9${n},-8.4`,
    );
    const text = printed(await imported(createWorkspace(), 'a.csv', table('', ...rows)));
    expect(text).toContain('country: 4, such as "Ireland" → "IE" (3), "IRL" → "IE"\n');
  });

  it('tells of texts in another language than the catalogue’s, which is changed where the owner wants it', async () => {
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', 'base_url: http://localhost:8080\nlanguage: en # mine\n');
    const rows = 'h-1,Casa,Madrid,ES,40.4,-3.7,es';
    const said = await imported(workspace, 'a.csv', table(',language', rows));
    expect(said.notes).toMatchObject([
      {
        code: 'other-language',
        message: 'The texts look Spanish, and catalogue.yaml says that they are English.',
      },
    ]);
    await imported(workspace, 'a.csv', table(',language', rows), { confirm: async () => true });
    expect(readFileSync(join(workspace.content, 'catalogue.yaml'), 'utf8')).toBe(
      'base_url: http://localhost:8080\nlanguage: es # mine\n',
    );
    const policy =
      'El desayuno se sirve en la terraza con vistas de la ciudad y el jardín para los huéspedes';
    const other = createWorkspace();
    other.write('catalogue.yaml', 'base_url: http://localhost:8080\nlanguages: [en, fr]\n');
    const guessed = await imported(
      other,
      'b.csv',
      table(',House rules', `h-1,Casa,Madrid,ES,40.4,-3.7,${policy}`),
    );
    expect(guessed.notes.map(({ code }) => code)).toEqual(['other-language']);
  });

  it('takes texts for the language that they look like, beside a translation into English', async () => {
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', 'base_url: http://localhost:8080\nfields:\n  description: {}\n');
    const text = 'Une belle maison avec vue sur la mer pour les vacances dans une ville';
    const rows = `h-1,Casa,Nice,FR,43.7,7.26,${text},A nice house`;
    const { notes } = await imported(workspace, 'a.csv', table(',Descriptif,Descriptif anglais', rows));
    const help = expect.stringContaining('"languages: [fr, en]"');
    expect(notes).toMatchObject([{ code: 'other-language', field: 'description', help }]);
  });

  it.each(['fields: {}', 'fields: { description: {} }'])(
    'names all translations of JSON with %s',
    async (more) => {
      const workspace = createWorkspace();
      workspace.write('catalogue.yaml', `base_url: http://localhost:8080\n${more}\n`);
      const photos = [{ url: 'https://a.example/1.jpg', title: { en: 'View', de: 'Blick' } }];
      const one = {
        id: 'a',
        name: { en: 'Flat', de: 'Wohnung' },
        description: { en: 'Quiet.', de: 'Ruhig.' },
      };
      const { notes } = await imported(workspace, 'a.json', JSON.stringify([{ ...one, photos }]));
      const message =
        '"name.de" may be title in German; "description.de" may be description in German, which catalogue.yaml does not declare.';
      const help = expect.stringContaining('"languages: [en, de]"');
      expect(notes).toContainEqual(expect.objectContaining({ code: 'other-language', message, help }));
    },
  );

  it('tells of translations even if the catalogue declares no description yet', async () => {
    const rows = 'h-1,Casa,Nice,FR,43.7,7.26,Calme,Quiet,Ruhig';
    const columns = table(',Descriptif,Descriptif anglais,Descriptif allemand', rows);
    const { notes } = await imported(createWorkspace(), 'a.csv', columns);
    const message =
      '"Descriptif anglais", "Descriptif allemand" may be description in English and German, which catalogue.yaml does not declare.';
    expect(notes).toMatchObject([{ code: 'other-language', field: 'description', message }]);
  });

  it.each(Object.entries(TEXTS))(
    'tells that texts look %s, in whatever form, declared or not',
    async (name, texts) => {
      const [tag, ...sentences] = texts;
      const rows = sentences.map((text, n) => ({
        ...{ ref: `h-${n}`, name: `House ${n}`, city: 'Cork', country: 'IE', lat: `51.${n}`, lon: '-8.4' },
        website: 'http://www.stays.example/com/o/os/da.html',
        description: `<p><strong>${text.slice(0, 20)}</strong>${text.slice(20)}&nbsp;</p>`,
      }));
      const header = Object.keys(rows[0]!).join('|');
      const table = [header, ...rows.map((row) => Object.values(row).join('|'))].join('\n');
      const lines = rows.map((row) => JSON.stringify(row)).join('\n');
      for (const [file, form] of [
        ['a.txt', table],
        ['a.ndjson', lines],
      ] as const) {
        const workspace = createWorkspace();
        workspace.write(
          'catalogue.yaml',
          `base_url: http://localhost:8080\nlanguage: ${tag === 'en' ? 'de' : 'en'}\n`,
        );
        const { notes } = await imported(workspace, file, form);
        expect(notes.map(({ message }) => message).join()).toContain(`The texts look ${name}, `);
      }
    },
  );

  it('names a row without a title by its place, and the fields that nobody declared', async () => {
    const text = `${HEADER},sleeps\nh-1,Rose,Cork,IE,51.9,-8.4,2\nh-2,,Cobh,IE,51.8,-8.3,4\n`;
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', text, { ask: undefined as never });
    const report = printed(await imported(workspace, 'a.csv', text));
    expect(report).toContain('line 3, Cobh: The row has no title');
    expect(report).toMatch(
      /Left out: max_guests, which catalogue.yaml does not declare. To have them: catalogue import \S*a.csv --declare\n/,
    );
    const again = printed(await imported(workspace, 'a.csv', text));
    expect(again).not.toContain('Left out');
  });

  it('says what to do about a region in place of a country, in a table whose mapping was proposed', async () => {
    const rows = ['h-1,Haus,Lindau,Deutschland,47.55,9.69', 'h-2,Hof,Bad Tölz,Bayern,47.76,11.56'];
    const text = printed(
      await imported(createWorkspace(), 'a.csv', `Nr,Objekt,Ort,Land,lat,lon\n${rows.join('\n')}\n`),
    );
    expect(text).toContain('line 3, Hof: "Bayern" is not');
    expect(text).toContain(
      'Say in the mapping which country it is:\ncountry: { from: Land, map: { Bayern: <value> } }\n',
    );
    const regions = await imported(
      createWorkspace(),
      'a.csv',
      'Nr,Objekt,Ort,Land,lat,lon\nh-1,Haus,München,Bayern,48.14,11.58\n',
    );
    expect(regions.result).toMatchObject({ written: 1, refused: 0 });
  });

  it('says how to remove files whose rows are gone', async () => {
    const workspace = createWorkspace();
    const rows = [1, 2, 3].map((n) => `h-${n},House ${n},Cork,IE,51.${n},-8.4`);
    await imported(workspace, 'a.csv', table('', ...rows));
    const text = printed(await imported(workspace, 'a.csv', table('', ...rows.slice(1))));
    expect(text).toContain('run the same command with --remove-gone');
    expect(text).not.toContain('delete them yourself');
    const file = join(workspace.content, 'properties/ie/house-1.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}state: Munster\n`);
    const edited = printed(await imported(workspace, 'a.csv', table('', ...rows.slice(1))));
    expect(edited).toContain('house-1.yaml (edited since)\n');
    expect(edited).toContain('No import removes edited files: delete them yourself.');
    expect(edited).not.toContain('--remove-gone');
  });

  it('names the rows that are skipped, and counts them', async () => {
    const rows = ['h-1,House 1,Cork,IE,51.1,-8.4', 'h-2,,Cork,IE,51.2,-8.4'];
    const ask = async (proposal: object) =>
      ({ ...proposal, title: { from: 'name', missing: 'skip' } }) as never;
    const text = printed(await imported(createWorkspace(), 'a.csv', table('', ...rows), { ask }));
    expect(text).toContain('1 row without a title skipped, as the mapping says: line 3 (h-2).');
    expect(text).toContain('Imported into content: 1 property written, 1 row skipped.');
  });

  it('has an unreadable cell as it was written', async () => {
    const rows = ['h-1,House 1,Cork,IE,"51,1234","-8,4123"', 'h-2,House 2,Cork,IE,"54,15N11,74","-8,4123"'];
    const text = printed(await imported(createWorkspace(), 'a.csv', table('', ...rows)));
    expect(text).toContain('line 3, House 2: "54,15N11,74" is not a latitude');
  });

  it('adds up the repairs of a field, and says where coordinates were swapped', async () => {
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', 'fields: { property_type: {} }\n');
    const rows = ['h-1,Rose,Bari,IT,41.1,16.8,Trullo', 'h-2,Lime,Bari,IT,16.9,41.2,Agriturismo'];
    const ask = async (proposal: object) =>
      ({ ...proposal, property_type: { from: 'type', map: { Trullo: 'house' } } }) as never;
    const text = printed(await imported(workspace, 'a.csv', `\ufeff${table(',type', ...rows)}`, { ask }));
    expect(text).toContain('4 values repaired\n');
    expect(text.match(/^ *property_type: .*/gm)).toEqual([
      expect.stringMatching(/property_type: 2, such as "Trullo" → "house", "Agriturismo" → "farm_stay"$/),
    ]);
    expect(text).toContain('  latitude, swapped with the longitude: 1, such as "16.9" → "41.2" (line 3)\n');
    expect(text).toContain('  longitude, swapped with the latitude: 1, such as "41.2" → "16.9" (line 3)\n');
  });

  it('says that coordinates with decimal commas were swapped', async () => {
    const rows = ['h-1;Rose;Nice;FR;43,7158;7,2661', 'h-2;Lime;Nice;FR;7,2660;43,7159'];
    const text = ['ref;name;city;country;lat;lon', ...rows].join('\n');
    expect(printed(await imported(createWorkspace(), 'a.csv', text))).toContain(
      '  latitude, swapped with the longitude: 1, such as "7,2660" → "43.7159" (line 3)\n',
    );
  });

  it('says first which coordinates of one column were swapped, apart from decimal commas', async () => {
    const points = ['44,87732 / 1,24371', '48,66265 / -2,05121', '43,7158 / 7,2661', '6.13, 45.9'];
    const rows = points.map((point, n) => `h-${n};Gîte ${n};Annecy;FR;${point}`);
    const done = await imported(
      createWorkspace(),
      'a.csv',
      ['ref;name;city;country;GPS', ...rows].join('\n'),
    );
    expect(printed(done)).toContain(
      'repaired\n  latitude, swapped with the longitude: 1, such as "6.13" → "45.9" (line 5)\n',
    );
    expect(done.result!.repairs).toContainEqual(
      expect.objectContaining({ field: 'longitude', swappedWith: 'latitude', count: 1 }),
    );
  });

  it('asks for the meaning of no amount, since the next table has others', async () => {
    const workspace = createWorkspace();
    workspace.write(
      'catalogue.yaml',
      'fields: { price_from: {}, tax: { type: choice, choices: { low: € 1 } }, level: { type: choice, choices: { low: L } } }\n',
    );
    const rows = [
      'h-1;Rose;Kiel;DE;54.3;10.1;EUR;£ 135,00;€ 2;H',
      'h-2;Lime;Kiel;DE;54.4;10.2;EUR;€ 80,50;low;low',
    ];
    const text = ['ref;name;city;country;lat;lon;currency;Preis ab;tax;level', ...rows].join('\n');
    const report = printed(await imported(workspace, 'a.csv', text));
    expect(report).toContain('level: { from: level, map: { H: <value> } }');
    expect(report).not.toMatch(/map: \{ (?:"?[£€]|<value>)/);
    expect(report).toContain('"£ 135,00" is not an amount in EUR.');
  });

  it('quotes the cells that were repaired, not what decimal commas make of them', async () => {
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', 'fields: { price_from: {} }\n');
    const rows = ['h-1;Rose;Kiel;DE;54.3;10.1;EUR;€ 1.666,00', 'h-2;Lime;Kiel;DE;54.4;10.2;EUR;80,50 €'];
    const ask = async (proposal: object) =>
      ({ ...proposal, price_from: { from: 'Preis', decimal: ',' } }) as never;
    const text = ['ref;name;city;country;lat;lon;currency;Preis', ...rows].join('\n');
    const report = printed(await imported(workspace, 'a.csv', text, { ask }));
    expect(report).toContain('"€ 1.666,00" → "1666.00", "80,50 €" → "80.50"');
  });

  it('counts an encoding, a byte order mark and a domain as repairs', async () => {
    const rows = 'h-1,Rose,Cork,IE,51.9,-8.4,stay@möwe.example';
    const marked = await imported(createWorkspace(), 'a.csv', `\ufeff${table(',email', rows)}`);
    expect(marked.result!.repairs).toMatchObject([
      { field: 'encoding', count: 1, examples: [{ from: 'utf-8 with a byte order mark', to: 'utf-8' }] },
      { field: 'email', count: 1, examples: [{ to: 'stay@xn--mwe-sna.example' }] },
    ]);
    const wide = Buffer.from(table('', 'h-1,Rosé,Cork,IE,51.9,-8.4'), 'utf16le');
    const other = await imported(createWorkspace(), 'a.csv', wide);
    expect(other.result!.repairs).toMatchObject([{ field: 'encoding', examples: [{ from: 'utf-16le' }] }]);
    const latin = Buffer.from(table('', 'h-1,Rosé,Cork,IE,51.9,-8.4'), 'latin1');
    const guessed = await imported(createWorkspace(), 'a.csv', latin);
    expect(guessed.result!.repairs).toMatchObject([
      { field: 'encoding', examples: [{ from: 'windows-1252' }] },
    ]);
    const plain = await imported(createWorkspace(), 'a.csv', table('', 'h-1,Rosé,Cork,IE,51.9,-8.4'));
    expect(plain.result!.repairs).toEqual([]);
  });
});

describe('an import that writes nothing', () => {
  it('leaves no folder behind', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.csv'), table(',currency', 'h-1,Rose,Cork,Narnia,51.9,-8.4,EUR'));
    const content = join(root, 'site/content');
    const { result } = await importSource(join(root, 'a.csv'), {
      ...{ content, force: false, photos: false },
      ask: async (proposal) => proposal,
    });
    expect(result).toMatchObject({ written: 0, refused: 1 });
    expect(existsSync(join(root, 'site'))).toBe(false);
  });
});

describe('a table with private columns', () => {
  const codes = (workspace: Workspace) =>
    imported(workspace, 'a.csv', table(',Notes', 'h-1,Rose,Cork,IE,51.9,-8.4,Ring twice')).then(({ notes }) =>
      notes.map(({ code }) => code),
    );
  it('is warned of where git would commit it', async () => {
    const workspace = createWorkspace();
    expect(await codes(workspace)).toEqual([]);
    spawnSync('git', ['init', '-q'], { cwd: workspace.root });
    expect(await codes(workspace)).toEqual(['private-table']);
    writeFileSync(join(workspace.root, '.gitignore'), 'a.csv\n');
    expect(await codes(workspace)).toEqual([]);
  });
});

it('the help of the program begins with tables', () => {
  let text = '';
  const program = createProgram().configureOutput({
    writeOut: (more) => {
      text += more;
    },
  });
  program.outputHelp();
  expect(text).toMatch(/^Have a table\? catalogue import table\.csv\n/);
});

describe('a mapping', () => {
  const rows = ['ref,name,city,country,lat,lon,price', 'h-1,Rose,Cork,IE,51.9,-8.4,80'].join('\n');

  it('with a known field that is no longer declared says how to declare it', async () => {
    const workspace = createWorkspace();
    workspace.write('catalogue.yaml', 'fields: { price_from: {} }\n');
    await imported(workspace, 'a.csv', rows);
    workspace.write('catalogue.yaml', 'language: en\n');
    const { diagnostics } = await imported(workspace, 'a.csv', rows);
    expect(diagnostics).toMatchObject([
      {
        message: 'There is no field "price_from".',
        help: 'Declare it: below "fields" in catalogue.yaml, add "price_from: {}", or import with --declare.',
      },
    ]);
    const { result } = await imported(workspace, 'a.csv', rows, { declare: true });
    expect(result).toMatchObject({ refused: 0 });
    expect(readFileSync(join(workspace.content, 'catalogue.yaml'), 'utf8')).toContain('price_from');
  });

  it('that is not there is named', async () => {
    const importing = imported(createWorkspace(), 'a.csv', rows, { mapping: 'nope.yaml' });
    await expect(importing).rejects.toThrow(
      'There is no file nope.yaml. Correct --mapping, or leave it out: then a mapping is proposed.',
    );
  });
});

describe('the same export on the next night', () => {
  const line = (n: number, phone: string) => `h-${n},House ${n},Cork,Ireland,51.9${n},-8.4${n},${phone}`;
  const nightly = (...phones: string[]) =>
    ['ref,name,city,country,lat,lon,phone', ...phones.map((phone, n) => line(n + 1, phone))].join('\n');

  it('prints only how many of its rows have a warning, and the warnings of new and changed rows', async () => {
    const workspace = createWorkspace();
    const first = await imported(workspace, 'a.csv', nightly('one', 'two'));
    expect(printed(first)).toContain(
      '  phone  2 rows\n  line 2, House 1: "one" is not a possible phone number.',
    );
    const again = await imported(workspace, 'a.csv', nightly('one', 'two'));
    expect(again.result).toMatchObject({ present: 2, causes: [{ count: 2, fresh: 0 }, {}] });
    expect(again.result!.outcomes).toHaveLength(2);
    expect(printed(again)).toContain('  phone  2 rows as last time: line 2, line 3\n\n');
    const grown = await imported(workspace, 'a.csv', nightly('one', 'two', 'three'));
    const [cause] = grown.result!.causes;
    expect(cause).toMatchObject({ count: 3, fresh: 1, examples: [{ at: 'line 4' }, { at: 'line 2' }, {}] });
    const text = printed(grown);
    expect(text).toContain(
      '  phone  3 rows, 1 of them new or changed\n  line 4, House 3: "three" is not a possible',
    );
    expect(text).not.toContain('"one"');
  });

  it('prints no old warning of a row in which only another field changed', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', nightly('one', 'two'));
    const renamed = await imported(workspace, 'a.csv', nightly('one', 'two').replace('House 1', 'Villa 1'));
    expect(renamed.result).toMatchObject({ replaced: 1, causes: [{ count: 2, fresh: 0 }, {}] });
    const worse = await imported(workspace, 'a.csv', nightly('one', 'zwei').replace('House 1', 'Villa 1'));
    expect(worse.result).toMatchObject({ causes: [{ count: 2, fresh: 1 }, {}] });
  });
});

describe('photos that guests see as links', () => {
  const photos = (n: number, host: string) =>
    `h-${n},Rose ${n},Cork,IE,51.9,-8.${n},https://${host}/${n}.jpg`;
  const houses = table(',photo', photos(1, 'foto.esempio.it'), photos(2, 'b.example:8443'));
  const configure = ({ content }: Workspace, text: string) => {
    mkdirSync(content, { recursive: true });
    writeFileSync(join(content, 'catalogue.yaml'), text);
  };

  it('have a setting to paste, with which the build passes', async () => {
    const workspace = createWorkspace();
    const text = printed(await imported(workspace, 'a.csv', houses));
    const line = /add to \S+: (explorer: .+)\n/.exec(text)?.[1];
    expect(line).toBe('explorer: { image_hosts: [https://foto.esempio.it, https://b.example:8443] }');
    configure(workspace, `${line}\n`);
    expect((await workspace.build()).outcome).toBe('published');
    expect(printed(await imported(workspace, 'a.csv', houses, { force: true }))).not.toContain('as links');
  });

  it('are added to settings that are there', async () => {
    const workspace = createWorkspace();
    configure(workspace, 'explorer:\n  image_hosts:\n    - https://foto.esempio.it\n');
    const text = printed(await imported(workspace, 'a.csv', houses));
    expect(text).toContain('1 property with photos that guests see as links.');
    expect(text).toMatch(/add to "image_hosts" below "explorer" in \S+: https:\/\/b\.example:8443\n/);
  });
});

it('a column that is gone for good loses its line', async () => {
  const workspace = createWorkspace();
  const row = 'h-1,Rose,Cork,IE,51.9,-8.4';
  await imported(workspace, 'a.csv', table(',foto 1', `${row},https://a.example/1.jpg`));
  const later = imported(workspace, 'a.csv', table('', row));
  await expect(later).rejects.toThrow('if the column is gone for good, delete the line');
  const path = join(workspace.root, 'a.mapping.yaml');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !line.includes('foto 1')).join('\n'));
  expect((await imported(workspace, 'a.csv', table('', row))).result).toMatchObject({ refused: 0 });
});

it('rows that were not imported are called so', async () => {
  const done = await imported(
    createWorkspace(),
    'a.csv',
    table('', 'h-1,Rose,Cork,Nowhere,51.9,-8.4', 'h-2,Lime,Cork,IE,51.9,-8.4'),
  );
  expect(printed(done)).toContain(', 1 row not imported (see the errors above).');
});

it('columns that were just declined are not advised again', async () => {
  const houses = table(
    ',sleeps,mood',
    'h-1,Rose,Cork,IE,51.9,-8.4,4,calm',
    'h-2,Lime,Cork,IE,51.8,-8.4,2,loud',
  );
  const open = printed(await imported(createWorkspace(), 'a.csv', houses));
  expect(open).toMatch(/reference: \{\}/);
  const declined = printed(await imported(createWorkspace(), 'a.csv', houses, { pick: async () => [] }));
  expect(declined).not.toMatch(/reference|max_guests|mood/);
});

it('words that mean yes are named as the column has them, in a line to paste', async () => {
  const workspace = createWorkspace();
  const houses = table(',Tuin: j/n', 'h-1,Rose,Cork,IE,51.9,-8.4,ja', 'h-2,Lime,Cork,IE,51.8,-8.4,misschien');
  await imported(workspace, 'a.csv', houses);
  const path = join(workspace.root, 'a.mapping.yaml');
  const text = readFileSync(path, 'utf8').replace(/^facilities:.*\n(?: .*\n)*/m, '');
  writeFileSync(path, `${text}facilities:\n  - { from: "Tuin: j/n", value: garden }\n`);
  const { notes } = await imported(workspace, 'a.csv', houses);
  const help = notes.find(({ code }) => code === 'not-yes-or-no')!.help;
  expect(help).toContain('{ from: "Tuin: j/n", value: garden, "true": [ja, <word>] }');
});
