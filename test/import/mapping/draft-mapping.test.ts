/** What a table says is not offered becomes a draft. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { createWorkspace, type Workspace } from '../../compile/workspace.ts';
import { imported } from '../imported.ts';
import { printed } from '../printed.ts';

const header = (more: string) => `ref,name,city,country,lat,lon,${more}`;
const row = (n: number, more: string) => `h-${n},House ${n},Cork,IE,51.${n},-8.4,${more}`;
const table = (more: string, ...values: string[]) =>
  `${[header(more), ...values.map((value, index) => row(index + 1, value))].join('\n')}\n`;
const isDraft = ({ content }: Workspace, n: number) =>
  readFileSync(join(content, `properties/ie/house-${n}.yaml`), 'utf8').includes('draft: true');

describe('a column of states', () => {
  it.each([
    ['Status', ['active', 'Sold', 'archived', 'inactive'], [2, 3, 4]],
    ['status', ['live', 'live', 'on request', 'live'], [3]],
    ['Aktiv', ['ja', 'nein', 'ja', 'Nein'], [2, 4]],
    ['Statut', ['publié', 'vendu', 'brouillon', 'en ligne'], [2, 3]],
    ['Estado anuncio', ['publicado', 'vendido', 'borrador', 'activo'], [2, 3]],
    ['Online', ['1', '0', '1', '1'], [2]],
    ['Archived', ['no', 'yes', 'no', 'no'], [2]],
    ['stato annuncio', ['attivo', 'venduto', 'sospeso', 'attivo'], [2, 3]],
    ['Pubblicato', ['sì', 'No', 'S\u00ec', 'si\u0300'], [2]],
    ['Publicado', ['S', 'N', 'S', 'S'], [2]],
    ['Gepubliceerd', ['J', 'N', 'J', 'J'], [2]],
    ['Published', ['t', 'f', 't', 't'], [2]],
    ['Online', ['1.0', '0.0', '1.0', '1.0'], [2]],
    ['Zichtbaar', ['x', 'x', '', 'x'], [3]],
    ['Verborgen', ['nee', 'ja', 'ja', 'nee'], [2, 3]],
    ['Status', ['verfügbar', 'nicht verfügbar', 'nicht verfügbar', 'n/a'], [2, 3]],
    ['Online', ['x', '', 'X', '-'], [2, 4]],
    ['Verkauft', ['x', '', 'x', ''], [1, 3]],
    ['Buchbar', ['ja', 'nein', 'ja', 'nein'], [2, 4]],
    ['Réservable', ['oui', 'non', 'oui', 'oui'], [2]],
    ['Available', ['x', '', 'x', ''], [2, 4]],
    ['Gesperrt', ['nein', 'ja', 'nein', 'nein'], [2]],
    ['Deleted', ['', 'x', '', ''], [2]],
    ['Active', ['TRUE', '', 'TRUE', ''], [2, 4]],
    ['Estado', ['Activo', 'Inactivo', 'Activo', 'Activo'], [2]],
    ['Estado', ['Alta', 'Baja', 'Alta', 'Alta'], [2]],
    ['Estado de publicación', ['Publicado', 'Borrador', 'Publicado', 'Borrador'], [2, 4]],
    ['Stato', ['Attivo', 'Non attivo', 'Attivo', 'Attivo'], [2]],
    ['State', ['Active', 'Inactive', 'Active', 'Active'], [2]],
    ['Status,Draft', ['active,no', 'sold,no', 'active,yes', ','], [2, 3]],
  ] as const)('%s makes drafts of what is not offered', async (name, values, drafts) => {
    const workspace = createWorkspace();
    const { result } = await imported(workspace, 'houses.csv', table(name, ...values));
    expect(result).toMatchObject({ written: 4, drafts: drafts.length });
    const found = [1, 2, 3, 4].filter((n) => isDraft(workspace, n));
    expect(found).toEqual(drafts);
  });

  it('whose name may mean a region is one only by its words', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table('Estado', 'Jalisco', 'Puebla', 'Jalisco'));
    expect(readFileSync(join(workspace.content, 'properties/ie/house-1.yaml'), 'utf8')).toContain(
      'state: Jalisco',
    );
  });

  it.each([
    ['ja', 'nein', 'ja'],
    ['x', '', 'x'],
    ['freigegeben', 'gesperrt', 'freigegeben'],
  ])('with a name that is not known (%j, %j) is pointed out once', async (...values) => {
    const workspace = createWorkspace();
    const rows = table('Schaltung', ...values);
    const { notes } = await imported(workspace, 'houses.csv', rows);
    expect(notes).toMatchObject([
      { code: 'unknown-status', help: expect.stringMatching(/draft: \{ from: Schaltung, .*\}$/) },
    ]);
    expect((await imported(workspace, 'houses.csv', rows)).notes).toEqual([]);
  });

  it.each([
    ['ja', 'ja', 'ja'],
    ['ja', 'nein', ''],
    ['gold', 'silver', 'gold'],
  ])('is not suspected where values cannot tell (%j, %j, %j)', async (...values) => {
    const { notes } = await imported(createWorkspace(), 'houses.csv', table('Schaltung', ...values));
    expect(notes).toEqual([]);
  });

  it('which speaks of something else is not one', async () => {
    const { unused } = await imported(
      createWorkspace(),
      'houses.csv',
      table('Status', 'gold', 'silver', 'gold'),
    );
    expect(unused.map(({ name }) => name)).toContain('Status');
  });

  it.each([
    ...[
      ['ja', 'nee'],
      ['true', 'false'],
      ['TRUE', 'FALSE'],
      ['WAAR', 'ONWAAR'],
      ['yes', 'no'],
      ['Sì', 'No'],
      ['tak', 'nie'],
      ['Y', 'N'],
      ['J', 'N'],
    ].flatMap(([yes, no]) => [
      [
        ['1', '0'],
        [yes, no],
      ],
      [
        [yes, no],
        ['1', '0'],
      ],
    ]),
    // The first export has no "no".
    [
      ['1', '1'],
      ['ja', 'nee'],
    ],
  ] as [string[], string[]][])('%j keeps its meaning as %j', async (before, [yes = '', no = '']) => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table('Online', ...before));
    const done = await imported(workspace, 'houses.csv', table('Online', yes, no, no));
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([2, 3]);
    expect(done.result!.causes.map(({ code }) => code)).not.toContain('unknown-status');
    expect(done.hidden).toBe(`Online is ${no}`);
  });

  it.each(['Archived', 'Hidden'])('%s, where yes hides, keeps its meaning too', async (name) => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table(name, '0', '1'));
    await imported(workspace, 'houses.csv', table(name, 'nee', 'ja', 'ja'));
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([2, 3]);
  });

  it('Hidden, where yes hides, hides what a later word stands for too', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table('Hidden', 'no', 'yes'));
    const { result } = await imported(workspace, 'houses.csv', table('Hidden', 'shown', 'secret'), {
      allowShrink: true,
    });
    expect([1, 2].filter((n) => isDraft(workspace, n))).toEqual([1, 2]);
    const [cause] = result!.causes.filter(({ code }) => code === 'unknown-status');
    expect(cause).toMatchObject({ count: 2 });
  });

  it('of a workbook keeps its meaning if its numbers become booleans', async () => {
    const workspace = createWorkspace();
    const sheet = (cellOf: (isOnline: boolean) => unknown) => {
      const rows = [true, false, false].map((isOnline, index) => [
        ...row(index + 1, '')
          .split(',')
          .slice(0, -1),
        cellOf(isOnline),
      ]);
      const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet([header('Online').split(','), ...rows]));
      return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    };
    await imported(workspace, 'houses.xlsx', sheet(Number));
    const { result } = await imported(
      workspace,
      'houses.xlsx',
      sheet((isOnline) => isOnline),
    );
    expect(result).toMatchObject({ written: 0, drafts: 2 });
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([2, 3]);
  });

  it.each([
    [
      ['active', 'inactive'],
      ['true', 'false'],
    ],
    [
      ['active', 'inactive'],
      ['ja', 'nee'],
    ],
    [
      ['1', '0', 'in progress', '1'],
      ['ja', 'nee'],
    ],
    [
      ['1', '0'],
      ['aan', 'uit'],
    ],
  ])(
    '%j does not tell what %j means: all are drafts if that is meant, which is said',
    async (before, after) => {
      const workspace = createWorkspace();
      await imported(workspace, 'houses.csv', table('Online', ...before));
      const done = await imported(workspace, 'houses.csv', table('Online', ...after), { allowShrink: true });
      expect([1, 2].filter((n) => isDraft(workspace, n))).toEqual([1, 2]);
      const [cause] = done.result!.causes.filter(({ code }) => code === 'unknown-status');
      expect(cause).toMatchObject({ count: 2 });
      expect(done.hidden).toBe(`Online is ${after.join(' or ')}`);
    },
  );

  it('hides a later property without a status only if each of the first ones had one', async () => {
    for (const [first, drafts] of [
      ['sold', [2, 3]],
      ['', []],
    ] as const) {
      const workspace = createWorkspace();
      await imported(workspace, 'houses.csv', table('Status', 'active', first, 'active'));
      await imported(workspace, 'houses.csv', table('Status', 'active', first, ''));
      expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual(drafts);
    }
  });

  it('hides what a later word stands for, says so, and follows the source', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'houses.csv', table('Status', 'active', 'sold'));
    const { result } = await imported(
      workspace,
      'houses.csv',
      table('Status', 'sold', 'active', 'unheard of', 'n/a'),
    );
    expect(result).toMatchObject({ written: 2, replaced: 2, refused: 0 });
    expect([1, 2, 3, 4].filter((n) => isDraft(workspace, n))).toEqual([1, 3, 4]);
    const [cause] = result!.causes.filter(({ code }) => code === 'unknown-status');
    expect(cause).toMatchObject({ count: 1, examples: [{ at: 'line 4' }] });
    expect(cause!.examples[0]!.message).toContain('"unheard of"');
  });
});

it.each([
  ['Status', ['Aperto stagione', 'Chiuso', 'Chiuso'], ['Aperto stagione']],
  ['Status', ['Aperto stagione', 'live', 'Chiuso', 'Chiuso'], []],
  ['Status', ['sold', 'archived'], []],
])('%s with %j hides all for the words %j', async (name, words, hidingWords) => {
  const workspace = createWorkspace();
  const done = await imported(workspace, 'houses.csv', table(name, ...words));
  expect(done.hidingWords).toEqual(hidingWords);
  expect(printed(done).includes('Guests will see none of them.')).toBe(hidingWords.length > 0);
});

describe('a draft without coordinates', () => {
  const plain = 'ref,name,city,country';
  it('is live once the source has them; other drafts of an owner stay drafts', async () => {
    const workspace = createWorkspace();
    const path = `${plain},lat,lon\n`;
    await imported(
      workspace,
      'a.csv',
      `${path}h-1,House 1,Cork,IE,,\nh-2,House 2,Cork,IE,51.2,-8.4\nh-4,House 4,Cork,IE,51.4,-8.4\nh-3,House 3,Cork,IE,n/a,here\n`,
    );
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([1, 3]);
    const { result } = await imported(
      workspace,
      'a.csv',
      `${path}h-1,House 1,Cork,IE,51.1,-8.4\nh-2,House 2,Cork,IE,51.2,-8.4\nh-3,House 3,Cork,IE,,\n`,
    );
    expect(result).toMatchObject({ replaced: 1, present: 2 });
    expect([1, 2, 3].filter((n) => isDraft(workspace, n))).toEqual([3]);
  });

  it('is no longer reported once its owner has completed it', async () => {
    const workspace = createWorkspace();
    const text = `${plain},lat,lon\nh-1,House 1,Cork,IE,,\nh-2,House 2,Cork,IE,51.2,-8.4\n`;
    expect((await imported(workspace, 'a.csv', text)).result).toMatchObject({ written: 2, drafts: 1 });
    const file = join(workspace.content, 'properties/ie/house-1.yaml');
    const place = (own: string) => own.replace('draft: true\n', 'latitude: 51.1\nlongitude: -8.4\n');
    writeFileSync(file, place(readFileSync(file, 'utf8')));
    for (const next of [text, text.replace('House 1,Cork', 'House 1,Cobh')]) {
      const { result } = await imported(workspace, 'a.csv', next);
      expect(result).toMatchObject({ drafts: 0, conflict: 0 });
      expect(result!.causes.map(({ code }) => code)).not.toContain('unfinished-draft');
    }
    expect(isDraft(workspace, 1)).toBe(false);
  });
});
