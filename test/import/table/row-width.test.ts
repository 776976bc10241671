/** Rows with a cell too few or too many, in tables of programs that write empty cells at the end of rows, or do not. */
import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './read-rows.ts';

const NAMES = ['ref', 'name', 'pets', 'rooms', 'photo'];
const cells = (n: number, photo = `${n}.jpg`) => [`h-${n}`, `House ${n}`, 'dogs welcome', '3', photo];
type Rows = readonly (readonly string[])[];
/** `empty`: every `empty`th row has no photo. */
const rowsOf = (count: number, empty = 3) =>
  Array.from({ length: count }, (_, n) => cells(n, n % empty === 0 ? '' : undefined));
const FORMS = {
  commas: { delimiter: ',', end: '\n', quote: '' },
  'semicolons and CRLF': { delimiter: ';', end: '\r\n', quote: '' },
  'tabs and CR': { delimiter: '\t', end: '\r', quote: '' },
  'commas and quotes': { delimiter: ',', end: '\r\n', quote: '"' },
};
const textOf = (rows: Rows, { delimiter, end, quote } = FORMS.commas, names: readonly string[] = NAMES) =>
  [names, ...rows].map((row) => row.map((cell) => `${quote}${cell}${quote}`).join(delimiter) + end).join('');
const faults = async (rows: Rows, form = FORMS.commas, names?: readonly string[]) =>
  (await readSource('t.csv', textOf(rows, form, names))).unreadable;
/** Without its third cell, or with an empty cell before it. */
const lacking = (row: readonly string[]) => row.toSpliced(2, 1);
const exceeding = (row: readonly string[]) => row.toSpliced(2, 0, '');
const trimmed = (row: readonly string[]) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);

describe.each(Object.entries(FORMS))('a row of a table with %s is refused', (_, form) => {
  it.each([3, 4, 10, 90])(
    'if one of %i rows lacks a cell, and others end with an empty one',
    async (count) => {
      for (const at of [0, count - 1]) {
        const found = await faults(rowsOf(count, 2).with(at, lacking(cells(at, ''))), form);
        expect(found).toEqual([
          `line ${at + 2}: The row has 4 cells, but the others have 5: its values may be in wrong columns.`,
        ]);
      }
    },
  );

  it('if it lacks cells, and all others have a last one', async () => {
    for (const row of [lacking(cells(3)), cells(3).slice(1), cells(3).slice(0, 2)])
      expect(await faults(rowsOf(12, 99).slice(1).with(3, row), form)).toEqual([
        `line 5: The row has ${row.length} cells, but the others have 5: its values may be in wrong columns.`,
      ]);
  });

  it('if it has a separator too many, which moves its values', async () => {
    for (const empty of [1, 3])
      expect(await faults(rowsOf(9, empty).with(3, exceeding(cells(3, ''))), form)).toEqual([
        'line 5: The row has 6 cells, but the others have 5: its values may be in wrong columns.',
      ]);
  });

  it('if the text breaks off in it', async () => {
    const text = textOf(rowsOf(9), form);
    const lines = text.split(form.end);
    const cut = lines.with(-2, lines.at(-2)!.split(form.delimiter).slice(0, 3).join(form.delimiter));
    expect((await readSource('t.csv', cut.slice(0, -1).join(form.end))).unreadable).toEqual([
      'line 10: The row has 3 cells, but the others have 5: the file seems to break off in this row.',
    ]);
  });
});

describe('a row is read', () => {
  it.each([2, 3, 5, 20, 200])('if the program leaves out empty cells at the end (%i rows)', async (count) => {
    expect(await faults(rowsOf(count).map(trimmed))).toEqual([]);
    expect(await faults(rowsOf(count, 1).map(trimmed))).toEqual([]);
  });

  it('if a spreadsheet program leaves out the empty cells of a block of 16 rows, but not beside it', async () => {
    const blocks = rowsOf(96).map((row, at) => (at >= 32 && at < 64 ? row.slice(0, 4) : row));
    expect(await faults(blocks)).toEqual([]);
    expect(await faults(blocks.with(70, ['h-70']))).toHaveLength(1);
  });

  it('if each row ends with separators, or only the header, or a row lacks just these', async () => {
    const wide = rowsOf(6).map((row) => [...row, '', '']);
    expect(await faults(wide)).toEqual([]);
    expect(await faults(wide, FORMS.commas, [...NAMES, '', ''])).toEqual([]);
    expect(await faults(rowsOf(6), FORMS.commas, [...NAMES, '', ''])).toEqual([]);
    expect(await faults(wide.with(1, cells(1)))).toEqual([]);
    expect(await faults(wide.with(1, lacking([...cells(1), '', ''])))).toHaveLength(1);
  });

  it('if only a separator follows its last cell', async () => {
    expect(
      await faults(
        rowsOf(9, 99)
          .slice(1)
          .with(3, [...cells(3), '']),
      ),
    ).toEqual([]);
  });

  it('if it has the totals of the others, repeats the header, or is the only one', async () => {
    expect(await faults([...rowsOf(9), ['Total', '', '', '27']])).toEqual([]);
    expect(await faults(rowsOf(9).with(4, NAMES))).toEqual([]);
    expect(await faults([cells(1).slice(0, 3)])).toEqual([]);
  });

  it.each(['xlsx', 'ods'] as const)('if it lacks its last cells in a workbook: .%s', async (bookType) => {
    const book = XLSX.utils.book_new();
    const rows = rowsOf(20, 99).with(4, cells(4).slice(0, 3));
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([NAMES, ...rows]), 'S');
    const read = await readSource(`t.${bookType}`, XLSX.write(book, { type: 'buffer', bookType }) as Buffer);
    expect(read.unreadable).toEqual([]);
    expect(read.values[4]).toMatchObject({ pets: 'dogs welcome', rooms: '', photo: '' });
  });
});

it('a few rows with private columns are refused sooner', async () => {
  const rows = [cells(1), cells(2), lacking(cells(3))];
  expect(await faults(rows)).toEqual([]);
  expect(await faults(rows, FORMS.commas, NAMES.with(3, 'door code'))).toHaveLength(1);
});

it('the last row is refused if it breaks off before the end of any other, in a table with short rows', async () => {
  const text = textOf(rowsOf(9).map(trimmed));
  expect((await readSource('t.csv', text.slice(0, -'dogs welcome,3,8.jpg\n'.length))).unreadable).toEqual([
    'line 10: The row has 3 cells, but the others have at least 4: the file seems to break off in this row.',
  ]);
  expect((await readSource('t.csv', text.slice(0, -',8.jpg\n'.length))).unreadable).toEqual([]);
});

describe('a quote of a cell with a separator', () => {
  const withList = (n: number) => cells(n).with(1, `"Elm, ${n}"`);
  it.each([1, 7])('is right in a row that lacks another cell', async (at) => {
    const plain = rowsOf(9).with(at, lacking(withList(at)));
    expect(await faults(plain)).toHaveLength(1);
  });

  it('is right if other rows have such cells, and the program leaves out empty ones', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => trimmed(withList(n).with(4, n % 3 ? `${n}.jpg` : '')));
    expect(await refusal(readSource('t.csv', textOf(rows)))).toBe('no error');
  });

  it('is right even if each row also has a cell with line breaks', async () => {
    const row = (n: number) =>
      trimmed([`${n}`, '"Quiet.\nBy the sea."', '"1,250"', '2', n % 3 ? `${n}.00` : '']);
    const text = ['id,text,price,nights,fee', ...Array.from({ length: 9 }, (_, n) => row(n).join(','))];
    expect(await refusal(readSource('t.csv', `${text.join('\n')}\n`))).toBe('no error');
  });
});
