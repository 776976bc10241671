/** Imports of tables with a row that lacks a cell, or that breaks off: the key box must not come before guests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { imported } from './imported.ts';
import { printed } from './printed.ts';

const NAMES = 'id,naam,plaats,land,lat,lng,omschrijving,prijs,huisdieren,sleutelkluis,foto 1,foto 2'.split(
  ',',
);
const house = (n: number) => [
  ...[`${300 + n}`, `Duinhuis ${n}`, 'Domburg', 'NL', `51.5${n}`, '3.5', `Huis ${n} aan zee.`],
  ...[`12${n}`, n % 2 ? 'toegestaan' : 'niet toegestaan', `50${n}5`, `https://foto.example/${n}.jpg`, ''],
];
const HOUSES = Array.from({ length: 12 }, (_, n) => house(n + 10));
const FORMS = [
  [',', '\n', ''],
  [';', '\r\n', ''],
  ['\t', '\n', ''],
  [',', '\r\n', '"'],
] as const;
const PRICE = NAMES.indexOf('prijs');

describe.each(FORMS)('a table with %j, %j and %j', (delimiter, end, quote) => {
  const textOf = (rows: readonly (readonly string[])[]) =>
    [NAMES, ...rows]
      .map((row) => row.map((cell) => `${quote}${cell}${quote}`).join(delimiter) + end)
      .join('');
  const file = ({ content }: Workspace, n: number) =>
    readFileSync(join(content, `properties/nl/duinhuis-${n}.yaml`), 'utf8');
  const lacking = HOUSES.with(3, HOUSES[3]!.toSpliced(PRICE, 1));
  const exceeding = HOUSES.with(3, HOUSES[3]!.toSpliced(PRICE, 0, ''));

  it('is imported the first time without the row', async () => {
    for (const rows of [lacking, exceeding]) {
      const workspace = createWorkspace();
      const { result } = await imported(workspace, 'a.csv', textOf(rows));
      expect(result).toMatchObject({ written: 11, refused: 1 });
      expect(result!.causes[0]).toMatchObject({ code: 'malformed-row', severity: 'error', count: 1 });
      expect(() => file(workspace, 13)).toThrow();
      expect(file(workspace, 14)).not.toContain('5145');
    }
  });

  it('leaves the file of the row as it is when it is imported again', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', textOf(HOUSES));
    const before = file(workspace, 13);
    expect(before).toContain('detail: toegestaan');
    for (const rows of [lacking, exceeding]) {
      const done = await imported(workspace, 'a.csv', textOf(rows), { gone: 'remove' });
      expect(done.result).toMatchObject({ present: 11, refused: 1, replaced: 0, gone: { files: [] } });
      expect(printed(done)).toMatch(/line 5.*\n?.*The row has 1[13] cells, but the others have 12/);
      expect(file(workspace, 13)).toBe(before);
    }
  });

  it('is imported whole, also again, if its program leaves out empty cells at the end', async () => {
    const workspace = createWorkspace();
    const trimmed = HOUSES.map((row, at) => row.slice(0, at % 4 === 0 ? PRICE + 2 : -1));
    for (const count of [{ written: 12 }, { present: 12 }]) {
      const { result } = await imported(workspace, 'a.csv', textOf(trimmed));
      expect(result).toMatchObject({ ...count, refused: 0, replaced: 0, gone: { files: [] } });
    }
  });

  it('removes no file while the id of a row is doubtful', async () => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', textOf(HOUSES));
    const rows = HOUSES.with(3, HOUSES[3]!.slice(1)).toSpliced(7, 1);
    const { result } = await imported(workspace, 'a.csv', textOf(rows), { gone: 'remove' });
    expect(result).toMatchObject({ refused: 1, gone: { removed: [], refusal: { code: 'unknown-rows' } } });
  });

  it.each([1, 3, 8, 11])('that breaks off after %i cells leaves the file of its last row', async (count) => {
    const workspace = createWorkspace();
    await imported(workspace, 'a.csv', textOf(HOUSES));
    const before = file(workspace, 21);
    const cut = textOf([...HOUSES.slice(0, -1), HOUSES.at(-1)!.slice(0, count)]).slice(0, -end.length);
    const done = await imported(workspace, 'a.csv', cut);
    expect(done.result).toMatchObject({ present: 11, refused: 1, gone: { files: [] } });
    expect(printed(done)).toContain('the file seems to break off in this row');
    expect(file(workspace, 21)).toBe(before);
  });
});

it('a table whose program leaves out empty cells is divided by its delimiter, not by a sign in each row', async () => {
  const workspace = createWorkspace();
  const rows = Array.from({ length: 12 }, (_, n) => [
    ...[
      `h${n}`,
      `Haus ${n}`,
      'Köln',
      'DE',
      `50.9${n}`,
      '6.9',
      `https://a.example/${n}.jpg|https://a.example/b.jpg`,
    ],
    ...(n % 2 ? [] : ['ruhig']),
  ]);
  const names = ['id', 'name', 'city', 'country', 'lat', 'lng', 'fotos', 'notiz'];
  const text = [names, ...rows].map((row) => `${row.join(';')}\n`).join('');
  expect((await imported(workspace, 'a.csv', text)).result).toMatchObject({ written: 12, refused: 0 });
});
