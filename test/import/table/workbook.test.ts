import { randomBytes } from 'node:crypto';
import * as XLSX from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { zipArchive } from '../zip-archive.ts';
import { readSource, refusal } from './read-rows.ts';

type Cell = XLSX.CellObject | string;

/** Makes a workbook by the library. */
function workbook(
  type: 'xlsx' | 'ods',
  sheets: Record<string, Cell[][]>,
  change?: (book: XLSX.WorkBook) => void,
): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = XLSX.utils.aoa_to_sheet(
      rows.map((cells) => cells.map((cell) => (typeof cell === 'string' ? cell : null))),
    );
    for (const [row, cells] of rows.entries()) {
      for (const [column, cell] of cells.entries())
        if (typeof cell !== 'string') sheet[XLSX.utils.encode_cell({ r: row, c: column })] = cell;
    }
    XLSX.utils.book_append_sheet(book, sheet, name);
  }
  change?.(book);
  return XLSX.write(book, { type: 'buffer', bookType: type }) as Buffer;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>';

/** Makes a workbook of one sheet by hand. */
function byHand(rows: string, fault = {}, more: [string, string][] = []): Buffer {
  return zipArchive(
    [
      ['[Content_Types].xml', TYPES],
      ['xl/workbook.xml', `<workbook ${MAIN}><sheets><sheet name="S" sheetId="1"/></sheets></workbook>`],
      ['xl/worksheets/sheet1.xml', `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`],
      ...more,
    ],
    fault,
  );
}

const text = (reference: string, value: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEAD = `<row r="1">${text('A1', 'ref')}${text('B1', 'name')}</row>`;

describe.each(['xlsx', 'ods'] as const)('a workbook: .%s', (type) => {
  it('has its cells as people read them', async () => {
    const cells: readonly [XLSX.CellObject, string][] = [
      [{ t: 'n', v: 1067, z: '00000' }, '01067'],
      [{ t: 'n', v: 28013, z: '00000' }, '28013'],
      [{ t: 'n', v: 353214270000 }, '353214270000'],
      [{ t: 'n', v: 53.271940000000001 }, '53.27194'],
      [{ t: 'n', v: 1e-7 }, '0.0000001'],
      [{ t: 'n', v: -0.5, z: '0.00' }, '-0.5'],
      [{ t: 'n', v: 1234567.5, z: '#,##0.00' }, '1234567.5'],
      [{ t: 'n', v: 0.15, z: '0%' }, '0.15'],
      [{ t: 'n', v: 46113, z: 'm/d/yy' }, '2026-04-01'],
      [{ t: 'b', v: true }, 'true'],
      [{ t: 's', v: '  00353 ' }, '  00353 '],
      [{ t: 'n', v: 3, f: '1+2' }, '3'],
    ];
    const header = cells.map((_, index) => `c${index}`);
    const content = workbook(type, { S: [header, cells.map(([cell]) => cell), header.map(() => 'x')] });
    const { columns, values, lines } = await readSource(`t.${type}`, content, { skip: 0 });
    expect(columns).toEqual(header);
    expect(Object.values(values[0]!)).toEqual(cells.map(([, shown]) => shown));
    expect(lines).toEqual([2, 3]);
  });

  it('has a sheet with a table, or the one that the mapping names', async () => {
    const content = workbook(type, {
      Info: [['Read me']],
      Houses: [
        ['ref', 'name'],
        ['1', 'Rose'],
        ['2', 'Elm'],
      ],
      Rooms: [
        ['ref', 'beds'],
        ['1', 'x'],
        ['2', 'y'],
      ],
    });
    expect(await readSource('t.csv', content)).toMatchObject({
      columns: ['ref', 'name'],
      notes: ['other-sheets'],
    });
    expect((await readSource('t', content, { sheet: 'rooms' })).columns).toEqual(['ref', 'beds']);
    expect(await refusal(readSource('t', content, { sheet: 'House' }))).toMatch(
      /^unknown-sheet: .*Did you mean "Houses"/,
    );
    expect(await refusal(readSource('t', workbook(type, { A: [['only']], B: [] })))).toMatch(
      /^no-rows.* rows\./,
    );
  });

  it('may have a title, blank rows, and cells merged downwards', async () => {
    const content = workbook(
      type,
      {
        S: [
          ['Houses of 2026'],
          [],
          ['ref', 'name', 'town'],
          ['h1', 'Rose', 'Cork'],
          ['h2', 'Elm', ''],
          ['h3', 'Oak', 'Galway'],
        ],
      },
      (book) => {
        book.Sheets.S!['!merges'] = [
          { s: { r: 3, c: 2 }, e: { r: 4, c: 2 } },
          { s: { r: 0, c: 0 }, e: { r: 0, c: 2 } },
        ];
      },
    );
    const { columns, values, lines } = await readSource('t', content);
    expect(columns).toEqual(['ref', 'name', 'town']);
    expect(values.map(({ town }) => town)).toEqual(['Cork', 'Cork', 'Galway']);
    expect(lines).toEqual([4, 5, 6]);
  });
});

describe('a workbook of Excel', () => {
  const date = { t: 'n', v: 44651, z: 'yyyy-mm-dd' } as const;
  it('has dates of its own system, times, errors', async () => {
    const rows = [
      ['a', 'b', 'c', 'd'],
      [
        date,
        { t: 'n', v: 0.625, z: 'h:mm' } as const,
        { t: 'n', v: 46113.5, z: 'm/d/yy h:mm' } as const,
        { t: 'e', v: 42 } as const,
      ],
      ['x', 'y', 'z', 'w'],
    ];
    const of1904 = workbook('xlsx', { S: rows }, (book) => {
      book.Workbook = { WBProps: { date1904: true } };
    });
    const read = async (content: Buffer) => Object.values((await readSource('t.xlsx', content)).values[0]!);
    expect(await read(workbook('xlsx', { S: rows }))).toEqual([
      '2022-03-31',
      '15:00',
      '2026-04-01T12:00:00',
      '#N/A',
    ]);
    expect((await read(of1904)).slice(0, 2)).toEqual(['2026-04-01', '15:00']);
  });

  it('has texts in the sheet, rich ones, formulas without results and hidden rows', async () => {
    const rich =
      '<c r="B2" t="inlineStr"><is><r><t>Rose </t></r><r><rPr><b/></rPr><t>Cottage</t></r></is></c>';
    const rows = `${HEAD}<row r="2">${text('A2', 'h1')}${rich}</row><row r="4" hidden="1">${text('A4', 'h2')}<c r="B4"><f>A4&amp;"x"</f></c></row>`;
    const { values, lines, notes } = await readSource('t.xlsx', byHand(rows));
    expect(values).toEqual([
      { ref: 'h1', name: 'Rose Cottage' },
      { ref: 'h2', name: '' },
    ]);
    expect(lines).toEqual([2, 4]);
    expect(notes).toEqual(['hidden-rows', 'formula-without-result']);
  });

  it('has the links of formulas, with and without results, and names the columns of other formulas', async () => {
    const link = '<f>HYPERLINK("https://rose.example/?a=1&amp;b=2","Book now")</f>';
    const picture = '<f>_xlfn.IMAGE("https://rose.example/1.jpg")</f>';
    const rows = `${HEAD}<row r="2"><c r="A2">${link}</c><c r="B2" t="str">${link}<v>Book now</v></c></row><row r="3"><c r="A3">${picture}</c><c r="B3"><f>A3&amp;"x"</f></c></row>`;
    const { values, remarks } = await readSource('t.xlsx', byHand(rows));
    const meant = 'https://rose.example/?a=1&b=2';
    expect(values).toEqual([
      { ref: meant, name: meant },
      { ref: 'https://rose.example/1.jpg', name: '' },
    ]);
    expect(remarks).toEqual(['1 formula without a result (in B), taken as empty.']);
  });

  it('has hidden sheets, which are not the table', async () => {
    const sheets = {
      Old: [
        ['ref', 'x'],
        ['1', '2'],
        ['3', '4'],
      ],
      New: [
        ['ref', 'name'],
        ['1', 'Rose'],
        ['2', 'Elm'],
      ],
    };
    const content = workbook('xlsx', sheets, (book) => {
      book.Workbook = { Sheets: [{ Hidden: 1 }, { Hidden: 0 }] };
    });
    expect((await readSource('t', content)).columns).toEqual(['ref', 'name']);
    expect((await readSource('t', content, { sheet: 'Old' })).columns).toEqual(['ref', 'x']);
  });

  it('is read in pieces when it is long', async () => {
    const filler = 'x'.repeat(2_000);
    const rows = Array.from(
      { length: 6_000 },
      (_, index) =>
        `<row r="${index + 2}">${text(`A${index + 2}`, `h${index}`)}${text(`B${index + 2}`, `${filler}${Math.sin(index)}`)}</row>`,
    );
    const { values, lines } = await readSource('t.xlsx', byHand(HEAD + rows.join('')));
    expect(values.map(({ ref }) => ref)).toEqual(rows.map((_, index) => `h${index}`));
    expect(lines.at(-1)).toBe(6_001);
  });

  it('has a short sheet once, and hidden rows of its own, beside a long one of any file name', async () => {
    const sheet = (rows: string) => `<worksheet ${MAIN}><sheetData>${HEAD}${rows}</sheetData></worksheet>`;
    const row = (n: number, name: string, more = '') =>
      `<row r="${n}"${more}>${text(`A${n}`, `h${n}`)}${text(`B${n}`, name)}</row>`;
    const filler = 'x'.repeat(30_000);
    const long = Array.from({ length: 600 }, (_, n) => row(n + 2, filler, ' hidden="1"')).join('');
    const relation = (id: string, target: string) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="${target}"/>`;
    const book = zipArchive([
      ['[Content_Types].xml', TYPES],
      [
        'xl/workbook.xml',
        `<workbook ${MAIN} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Houses" sheetId="2" r:id="rId2"/><sheet name="Bookings" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId1', 'worksheets/sheet1.xml')}${relation('rId2', '/xl/worksheets/sheet2.xml')}</Relationships>`,
      ],
      ['xl/worksheets/sheet1.xml', sheet(long)],
      ['xl/media/a.bin', randomBytes(100_000)],
      ['xl/worksheets/sheet2.xml', sheet(row(2, 'Rose') + row(3, 'Elm', ' hidden="1"'))],
    ]);
    const { values, remarks } = await readSource('t.xlsx', book);
    expect(values.map(({ name }) => name)).toEqual(['Rose', 'Elm']);
    expect(remarks).toContain('1 hidden row read like others.');
  });

  it.each([
    [
      'bombs',
      byHand(HEAD, {}, [['xl/media/a.bin', Buffer.alloc(20_000_000).toString('latin1')]]),
      /^source-too-large/,
    ],
    ['a directory that says more', byHand(HEAD, { size: 4_000_000_000 }), /^source-too-large/],
    ['a directory that says less', byHand(HEAD, { size: 10 }), /^damaged-file: .*is damaged/],
    ['a directory of zeros', byHand(HEAD, { size: 0 }), /^damaged-file/],
    ['a sheet that is no XML', byHand('<row r="1"><c r="A1"><v>'), /^no-rows|^damaged-file/],
    ['one without parts', zipArchive([['xl/workbook.xml', 'x']]), /^damaged-file|^no-rows/],
  ])('is refused: %s', async (_, content, message) => {
    expect(await refusal(readSource('t.xlsx', content))).toMatch(message);
  });
});
