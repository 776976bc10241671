/** What an owner is asked in a terminal before an import. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { askSheet, askToConfirm, type PromptStreams } from '../../../src/import/questions/prompts.ts';
import type { Profile } from '../../../src/import/table/profile.ts';
import { reportImport } from '../../../src/report/import.ts';
import { createWorkspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';
import { printed } from '../printed.ts';
import { asked } from '../terminal.ts';

const table = (header: string, ...rows: string[]) => `${[header, ...rows].join('\n')}\n`;
const HEADER = 'ref,name,city,country,lat,lon,Photos,House rules';
const row = (n: number, city: string) =>
  `h-${n},House ${n},${city},ES,40.4${n},-3.7${n},https://photos.example/${n}.jpg,No pets.`;
const ROWS = [row(1, 'Madrid'), row(2, ''), row(3, 'n/a'), row(4, 'Madrid'), row(5, 'Getafe')];

it('ids that rows share are told before the first question', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4', 'h-1,Lime,Cobh,IE,51.8,-8.4'];
  const { screen, done } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,name,city,country,lat,lon', ...rows),
    [['Is this right?', 'Yes, import']],
  );
  expect(screen).toContain('Rows share an id, so that ids are made of titles instead.');
  expect(screen.replace(/\s*\n│\s*/g, ' ')).toContain(
    '1 value of "ref" is in more than one row: "h-1" (lines 2, 3).',
  );
  expect(done.result).toMatchObject({ written: 2 });
});

it('all words of the status that hide a property are shown before the import', async () => {
  const words = [
    'Hors ligne',
    'Brouillon',
    'Archivé',
    'En attente de validation',
    'Suspendu par le propriétaire',
  ];
  const rows = ['En ligne', 'En ligne', 'En ligne', 'En ligne', 'En ligne', 'En ligne', ...words].map(
    (word, n) => `h-${n},Rose ${n},Cork,IE,51.9${n},-8.4,${word}`,
  );
  const { screen } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,name,city,country,lat,lon,Statut', ...rows),
    [['Is this right?', 'Yes, import']],
  );
  const shown = screen.replace(/[│\s]+/g, ' ');
  expect(shown).toContain(`if ${words.toSorted().join(', ')}`);
});

it('a column whose ids rows share may be the id', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4', 'h-1,Lime,Cobh,IE,51.8,-8.4', 'h-2,Elm,Cobh,IE,51.8,-8.3'];
  const { proposal, done } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,name,city,country,lat,lon', ...rows),
    [
      ['Rows share an id', 'Take the ids from ref'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(proposal?.id).toMatchObject({ from: 'ref' });
  expect(done.result).toMatchObject({ written: 2, refused: 1 });
});

it('a column of texts is proposed where none is called a title', async () => {
  const { proposal, screen } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,What,city,country,lat,lon', 'h-1,Rose,Cork,IE,51.9,-8.4', 'h-2,Elm,Cobh,IE,51.8,-8.3'),
    [
      ['Which column is the title?', '!enter'],
      ['Is this right?', 'Change a field'],
      // Every line has its column.
      ['title  What', '!escape'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(proposal).toMatchObject({ title: 'What' });
  expect(screen).toContain('Which field? Esc goes back.');
});

it('a column that becomes a known field is no longer a field of its own', async () => {
  const workspace = createWorkspace();
  const text = table('ref,name,city,country,lat,lon,What it is like', 'h-1,Rose,Cork,IE,51.9,-8.4,Quiet');
  const { proposal, screen } = await asked(
    workspace,
    'houses.csv',
    text,
    [
      ['Which of these columns too?', '!down', '!space', '!enter'],
      ['what_it_is_like', 'Change a field'],
      ['Which field?', 'id'],
      ['Which column is the id?', '!escape'],
      ['Which field?', 'summary'],
      ['Which column is the summary?', 'What it is like'],
      ['Is this right?', 'Yes, import'],
    ],
    { asksToPick: true },
  );
  expect(proposal).toMatchObject({ summary: 'What it is like' });
  expect(proposal).not.toHaveProperty('what_it_is_like');
  const { fields } = parse(workspace.file('catalogue.yaml'));
  expect(Object.keys(fields)).toEqual(['summary']);
  // The prompt leaves the active column on the screen.
  expect(screen).toContain('Nothing was chosen.');
});

it('of a column for "draft", the words that show the property are asked for', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4,aan', 'h-2,Elm,Cobh,IE,51.8,-8.3,uit'];
  const { proposal, done } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,name,city,country,lat,lon,Net', ...rows),
    [
      ['Is this right?', 'Change a field'],
      ['Which field?', 'draft'],
      ['Which column is the draft?', 'Net'],
      ['Which words of Net mean', '!space', '!enter'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(proposal).toMatchObject({ draft: { from: 'Net', true: ['uit'], false: ['aan'] } });
  expect(done).toMatchObject({ result: { drafts: 1 }, hidden: 'Net is uit' });
});

it('Enter does not give up ids that rows share', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4', 'h-1,Lime,Cobh,IE,51.8,-8.4'];
  const { proposal } = await asked(
    createWorkspace(),
    'houses.csv',
    table('ref,name,city,country,lat,lon', ...rows),
    [['Is this right?', '!enter']],
  );
  expect(proposal).toBeUndefined();
});

it('private columns are shown before the first question, which is asked only where columns may be published', async () => {
  const steps: string[] = [];
  const asking = {
    introduce: (name: string, { rows }: Profile) => void steps.push(`${name}: ${rows}`),
    pick: async (question: string) => {
      steps.push(question);
      return [];
    },
  };
  const sleeping = table('ref,name,city,country,lat,lon,sleeps', 'h-1,Rose,Cork,IE,51.9,-8.4,4');
  await imported(createWorkspace(), 'houses.csv', sleeping, asking);
  const question =
    'Guests see name (title), city, country, lat (latitude), lon (longitude). Which of these columns too? Everybody can read a catalogue.';
  expect(steps).toEqual(['houses.csv: 1', question]);
  const house = {
    ref: 'h-1',
    name: 'Rose',
    city: 'Cork',
    sleeps: 4,
    photos: [{ url: 'https://a.example/1.jpg' }],
  };
  await imported(createWorkspace(), 'houses.json', JSON.stringify([house]), asking);
  expect(steps.splice(2)[1]).toContain('Guests see name (title), city, photos (photo). Which');
  const unnumbered = table('name,city,country,lat,lon', 'Rose,Cork,IE,51.9,-8.4');
  await imported(createWorkspace(), 'houses.csv', unnumbered, asking);
  expect(steps).toEqual(['houses.csv: 1', question, 'houses.csv: 1']);
});

describe('a required field that rows lack', () => {
  it('is asked for once all rows were read, with what the table proposes', async () => {
    const { done, proposal } = await asked(createWorkspace(), 'esmadrid-es.csv', table(HEADER, ...ROWS), [
      ['city: 2 of 5 rows have none', 'Fill in "Madrid"'],
      ['city; else "Madrid"', 'Yes, import'],
    ]);
    expect(proposal).toMatchObject({ city: { from: 'city', default: 'Madrid' } });
    expect(done.result).toMatchObject({ written: 5, refused: 0 });
  });

  it('is filled in from a column that has it in all rows, which is offered first', async () => {
    const rows = [
      'h-1,Rose,Cork,IE,51.9,-8.4,Cork',
      'h-2,Lime,,IE,51.8,-8.4,Cobh',
      'h-3,Elm,,IE,51.8,-8.3,Cork',
    ];
    const { done, proposal, screen } = await asked(
      createWorkspace(),
      'houses.csv',
      table('ref,name,city,country,lat,lon,area', ...rows),
      [
        ['city: 2 of 3 rows have none', '!enter'],
        ['city; else area', 'Yes, import'],
      ],
    );
    expect(screen).toContain('Fill in from area (Cork 2, Cobh 1)');
    expect(proposal).toMatchObject({ city: { from: 'city', else: 'area' } });
    expect(done.result).toMatchObject({ written: 3, refused: 0 });
  });

  it('may come from another column, or from the owner', async () => {
    const rows = ['h-1,Rose,,IE,51.9,-8.4,Cork', 'h-2,Lime,Cobh,IE,51.8,-8.4,', 'h-3,Elm,,IE,51.8,-8.3,'];
    const { done, proposal } = await asked(
      createWorkspace(),
      'houses.csv',
      table('ref,name,city,country,lat,lon,area code', ...rows),
      [
        ['city: 2 of 3 rows have none', 'Fill in from another column'],
        ['Which column?', 'area code'],
        ['city: 2 of 3 rows have none', 'Fill in a text'],
        ['The city of these rows', '=Youghal'],
        ['Is this right?', 'Yes, import'],
      ],
    );
    expect(proposal).toMatchObject({ city: { from: 'city', else: 'area code', default: 'Youghal' } });
    expect(done.result).toMatchObject({ written: 3, refused: 0 });
  });

  it('leaves rows out, counted, where only those with one are wanted; or makes drafts of them', async () => {
    const text = table(HEADER, ...ROWS);
    const only = await asked(createWorkspace(), 'houses.csv', text, [
      ['city: 2 of 5 rows have none', 'Only rows that have one (3)'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(only.done.result).toMatchObject({ written: 3, refused: 0 });
    expect(only.done.passedOver).toBe(2);
    expect(only.done.notes.map(({ message }) => message).join('\n')).toMatch(
      /2 rows without a city skipped, as the mapping says: line \d \(.+\), line \d \(.+\)\./,
    );
    const drafts = await asked(createWorkspace(), 'houses.csv', text, [
      ['city: 2 of 5 rows have none', 'Make these rows drafts'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(drafts.done.result).toMatchObject({ written: 5, refused: 0, drafts: 2 });
    expect(drafts.done.result!.causes.filter(({ field }) => field === 'city')).toMatchObject([
      { code: 'unfinished-draft', count: 2 },
    ]);
  });

  it('of which some countries are known follows from the coordinates, and the currency from it', async () => {
    const rows = [
      'h-1,Rose,Cork,IE,51.9,-8.4',
      'h-2,Mas,Lyon,,45.7,4.8',
      'h-3,Casa,Roma,IT,41.9,12.5',
      'h-5,Via,Roma,,41.9,12.5',
      'h-4,Lea,Bath,GB,51.4,-2.4',
    ];
    const { done, proposal } = await asked(
      createWorkspace(),
      'houses.csv',
      table('ref,name,city,country,lat,lon', ...rows),
      [['Is this right?', 'Yes, import']],
    );
    expect(proposal).toMatchObject({
      country: { from: 'country', missing: 'point' },
      currency: { missing: 'country' },
    });
    expect(done.result).toMatchObject({ written: 5, refused: 0, drafts: 0 });
  });
});

describe('a proposal that nobody is asked about', () => {
  const HOUSES = 'ref,name,city,country,lat,lon,area';
  it.each([
    [
      'the town of another column',
      table(HOUSES, 'a,Rose,Cork,IE,51.9,-8.4,Cork', 'b,Lime,,IE,51.8,-8.4,Cobh', 'c,Elm,,IE,51.8,-8.3,Cork'),
      'city: { from: city, else: area }',
      '# city: 2 of 3 rows have none. They get it from area (Cork 2, Cobh 1).',
    ],
    [
      'the town that the name of the table holds',
      table(HEADER, ...ROWS),
      'city: { from: city, default: Madrid }',
      '# city: 2 of 5 rows have none. They get "Madrid".',
    ],
    [
      'drafts, where nothing fills the gap',
      table('name,city,country,lat,lon,ref', 'Haus,Bonn,DE,50.7,7.1,a', ',Köln,DE,50.9,6.9,b'),
      'title: { from: name, missing: draft }',
      '# title: 1 of 2 rows have none. They become drafts.',
    ],
    [
      'the currency of the country',
      table(
        'ref,name,city,country,lat,lon,Währung',
        'a,Haus,Bonn,DE,50.7,7.1,EUR',
        'b,Hof,Bern,CH,46.9,7.4,CHF',
        'c,Alm,Thun,CH,46.7,7.6,',
      ),
      'currency: { from: Währung, missing: country }',
      '# currency: 1 of 3 rows have none. They get the currency of the country.',
    ],
  ])('loses no row: %s', async (_, text, line, note) => {
    const workspace = createWorkspace();
    const { proposed } = await imported(workspace, 'esmadrid-es.csv', text, { ask: undefined as never });
    expect(readFileSync(proposed!.path, 'utf8')).toContain(`\n${line}`);
    expect(readFileSync(proposed!.path, 'utf8')).toContain(`\n${note}`);
    const { result } = await imported(workspace, 'esmadrid-es.csv', text, { mapping: proposed!.path });
    expect(result).toMatchObject({ written: text.trim().split('\n').length - 1, refused: 0 });
  });
});

describe('a mapping that does not decide', () => {
  it('is told what to write', async () => {
    const workspace = createWorkspace();
    const text = table(HEADER, ...ROWS);
    const { proposed } = await imported(workspace, 'esmadrid-es.csv', text, { ask: undefined as never });
    const decided = readFileSync(proposed!.path, 'utf8');
    writeFileSync(proposed!.path, decided.replace(/^city: .*$/m, 'city: city'));
    const done = await imported(workspace, 'esmadrid-es.csv', text);
    expect(done.result).toMatchObject({ written: 3, refused: 2 });
    const lines: string[] = [];
    const sink = { out: () => {}, err: (more: string) => void lines.push(more), color: false };
    reportImport(done, 'pretty', 'content', sink);
    expect(lines.join('')).toContain('To fill it in: city: { from: city, default: Madrid }.');
    writeFileSync(done.mapping!, decided);
    const again = await imported(workspace, 'esmadrid-es.csv', text);
    expect(again.result).toMatchObject({ written: 2, present: 3, refused: 0 });
  });
});

describe('a table without coordinates', () => {
  it('becomes drafts, which the report counts', async () => {
    const workspace = createWorkspace();
    const { done } = await asked(
      workspace,
      'houses.csv',
      table('ref,name,city,country', 'h-1,Rose,Cork,IE', 'h-2,Lime,Cork,IE'),
      [
        ['No column looks like the coordinates', '!down', '!up', '!enter'],
        ['Is this right?', 'Yes, import'],
      ],
    );
    expect(done.result).toMatchObject({ written: 2, refused: 0, drafts: 2 });
    expect(done.result!.causes[0]).toMatchObject({
      code: 'unfinished-draft',
      field: 'coordinates',
      count: 2,
    });
    const written = readFileSync(join(workspace.content, 'properties/ie/rose.yaml'), 'utf8');
    expect(written).toContain('draft: true\n');
    expect(written).not.toContain('latitude');
  });
});

describe('a change', () => {
  it('reaches photos, policies and payment, is shown, and the id follows the title', async () => {
    const workspace = createWorkspace();
    const { done, proposal, screen } = await asked(
      workspace,
      'houses.csv',
      table(
        'what,town,country,lat,lon,pictures of it,before you come,card',
        'Rose,Cork,IE,51.9,-8.4,https://p.example/1.jpg,From 15:00,yes',
      ),
      [
        ['No column looks like the title', 'what'],
        ['Is this right?', 'Change a field'],
        ['Which field?', 'hotel_policy: check_in'],
        ['Which column is the text of check_in?', 'before you come'],
        ['Is this right?', 'Change a field'],
        ['Which field?', 'payment_method: direct'],
        ['Which column is the yes or no of direct?', 'card'],
        ['Is this right?', 'Change a field'],
        ['Which field?', 'photo'],
        ['Which column is the photo?', 'pictures of it'],
        ['Is this right?', 'Yes, import'],
      ],
    );
    expect(proposal).toMatchObject({
      id: { from: ['what', 'town'] },
      photo: [{ url: 'pictures of it' }],
      hotel_policy: [{ policy_type: { value: 'check_in' }, detail: 'before you come' }],
      payment_method: [{ is_enabled: 'card', method_type: { value: 'direct' } }],
    });
    expect(done.result).toMatchObject({ written: 1 });
    expect(screen.match(/Fields, their columns/g)).toHaveLength(1);
    expect(screen.match(/Changed fields/g)).toHaveLength(3);
  });

  it('is taken back by Esc, step by step; Ctrl+C writes nothing', async () => {
    const workspace = createWorkspace();
    const { done, proposal } = await asked(workspace, 'houses.csv', table(HEADER, ...ROWS), [
      ['city: 2 of 5 rows have none', 'Only rows that have one'],
      ['Is this right?', 'Change a field'],
      ['Which field?', 'title'],
      ['Which column is the title?', '!escape'],
      ['Which field?', '!escape'],
      ['Is this right?', '!escape'],
      ['city: 2 of 5 rows have none', '!escape'],
      ['This is the first question', 'Make these rows drafts'],
      ['Is this right?', '!stop'],
    ]);
    expect(proposal).toBeUndefined();
    expect(done.result).toBeUndefined();
    expect(existsSync(join(workspace.root, 'houses.mapping.yaml'))).toBe(false);
  });
});

describe('a workbook with several sheets', () => {
  it('asks which one, and the mapping keeps it', async () => {
    const book = XLSX.utils.book_new();
    const header = ['ref', 'name', 'city', 'country', 'lat', 'lon'];
    for (const [name, house] of [
      ['Prices', 'Low'],
      ['Houses', 'Rose'],
    ] as const) {
      const rows = [header, ['h-1', house, 'Cork', 'IE', '51.9', '-8.4']];
      XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name);
    }
    const bytes = XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    const workspace = createWorkspace();
    const { done } = await asked(workspace, 'houses.xlsx', bytes, [
      ['houses.xlsx has 2 sheets. Which one', 'Houses'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(done.result).toMatchObject({ written: 1 });
    expect(readFileSync(done.mapping!, 'utf8')).toContain('sheet: Houses\n');
    expect(existsSync(join(workspace.content, 'properties/ie/rose.yaml'))).toBe(true);
  });
});

it.each([
  ['\n', '\r', (streams: PromptStreams) => askToConfirm('Which one?', true, streams), true],
  ['', '\r', (streams: PromptStreams) => askToConfirm('Which one?', false, streams), false],
  ['\r', '\x1b[B\r', (streams: PromptStreams) => askSheet('a.xlsx', ['First', 'Second'], streams), 'Second'],
] as const)(
  '%j is no answer where it was typed before the question appeared',
  async (early, keys, ask, answer) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.write(early);
    const answered = ask({ input, output });
    await new Promise<void>((resolve) =>
      output.on('data', (chunk) => String(chunk).includes('Which one') && resolve()),
    );
    input.write(keys);
    expect(await answered).toBe(answer);
  },
);

it('which column is a field begins at the present one', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4', 'h-2,Lime,Cobh,IE,51.8,-8.4'];
  const { proposal } = await asked(
    createWorkspace(),
    'a.csv',
    table('ref,name,city,country,lat,lon', ...rows),
    [
      ['Is this right?', 'Change a field'],
      ['Which field?', 'city'],
      ['Which column is the city?', '!enter'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(proposal).toMatchObject({ city: 'city' });
});

it('an answer repeats the names of the columns that were picked, without their values', async () => {
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4,4,yes', 'h-2,Lime,Cobh,IE,51.8,-8.4,6,no'];
  const { screen, done } = await asked(
    createWorkspace(),
    'a.csv',
    table('ref,name,city,country,lat,lon,sleeps,Lake', ...rows),
    [
      ['Lake as lake  "yes", "no"', '!enter'],
      ['Is this right?', 'Yes, import'],
    ],
    { asksToPick: true },
  );
  expect(done.result).toMatchObject({ written: 2 });
  const answer = screen.slice(
    screen.lastIndexOf('Which of these columns too?'),
    screen.indexOf('Fields, their'),
  );
  expect(answer).toMatch(/a catalogue\.\s+│ {2}sleeps\s/);
  expect(answer).not.toMatch(/ as |Lake/);
});

describe.each([
  ['houses.csv', 'name,city,lat,lon,Dossier\nRosa,Madrid,40.42,-3.7,d1\nLimo,Lisboa,38.72,-9.14,d2\n'],
  [
    'houses.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        [-3.7, 40.42, 'Rosa', 'Madrid'],
        [-9.14, 38.72, 'Limo', 'Lisboa'],
      ].map(([east, north, name, city]) => ({
        ...{ type: 'Feature', id: `d.${name}`, geometry: { type: 'Point', coordinates: [east, north] } },
        properties: { name, city },
      })),
    }),
  ],
])('without columns of country and currency: %s', (file, text) => {
  it('Enter takes the country of the coordinates, then its currency; no other column is offered', async () => {
    const { proposal, screen, done } = await asked(createWorkspace(), file, text, [
      ['Which column is the country?', '!enter'],
      ['Which column is the currency?', '!enter'],
      ['Is this right?', 'Yes, import'],
    ]);
    expect(proposal).toMatchObject({ country: { missing: 'point' }, currency: { missing: 'country' } });
    expect(screen).not.toMatch(/[●○] (?:Dossier|_key)/);
    expect(done.result).toMatchObject({ written: 2 });
  });
});

it('an import of which no row fits says what to do next', async () => {
  const workspace = createWorkspace();
  const text = table('ref,name,city,country,currency,lat,lon', 'h-1,Rose,Cork,Narnia,EUR,51.9,-8.4');
  const done = await imported(workspace, 'a.csv', text);
  expect(printed(done)).toMatch(/No row fits\. .*delete \S+a\.mapping\.yaml and run the same command/);
});

it('an id of several columns stays as it is on Enter', async () => {
  const { proposal } = await asked(
    createWorkspace(),
    'houses.csv',
    table('name,city,country,lat,lon', 'Rose,Cork,IE,51.9,-8.4', 'Rose,Cobh,IE,51.8,-8.4'),
    [
      ['Is this right?', 'Change a field'],
      ['Which field?', 'id '],
      ['Which column is the id?', '!enter'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(proposal?.id).toMatchObject({ from: ['name', 'city', 'lat', 'lon'] });
});

it('a field that nothing was proposed for can be filled from a column, and is declared', async () => {
  const workspace = createWorkspace();
  const rows = ['h-1,Rose,Cork,IE,51.9,-8.4,Near the lake,4', 'h-2,Elm,Cobh,IE,51.8,-8.3,By the sea,5'];
  const { screen, done } = await asked(
    workspace,
    'houses.csv',
    table('ref,name,city,country,lat,lon,Words,Zimmer', ...rows),
    [
      ['Is this right?', 'Change a field'],
      ['Which field?', 'description'],
      ['Which column is the description?', 'Words'],
      ['Is this right?', 'Yes, import'],
    ],
  );
  expect(screen).toContain('description');
  expect(done.declared).toEqual(['description']);
  expect(done.result).toMatchObject({ written: 2 });
  expect(readFileSync(join(workspace.content, 'catalogue.yaml'), 'utf8')).toContain('description:');
  expect(readFileSync(done.mapping!, 'utf8')).toContain('description: Words');
});
