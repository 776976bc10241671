import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './read-rows.ts';

const ROWS = ['ref,name,town,lat,lon', 'h-1,Rose Cottage,Cork,51.9,-8.4', 'h-2,Lime House,Cork,51.91,-8.41'];
const names = async (...args: Parameters<typeof readSource>) =>
  (await readSource(...args)).values.map(({ name }) => name);

describe('the delimiter', () => {
  const text = (delimiter: string) => ROWS.join('\n').replaceAll(',', delimiter);
  it.each([',', ';', '\t', '|'])('is recognised whatever the extension: %j', async (delimiter) => {
    for (const file of ['t.csv', 't.tsv', 't.txt', 't'])
      expect(await names(file, text(delimiter))).toEqual(['Rose Cottage', 'Lime House']);
  });

  it.each([
    ['decimal commas', 'ref;name;lat;lon\n1;Rose;51,9;-8,4\n2;Elm;51,8;-8,5', ['Rose', 'Elm']],
    ['lists in cells', 'ref,name,has\n1,Rose,wifi|pool\n2,Elm,wifi|tv', ['Rose', 'Elm']],
    ['commas in names', 'ref;name\n1;Rose, Old\n2;Elm, New', ['Rose, Old', 'Elm, New']],
    ['delimiters in quotes', 'ref;name;town\n1;"a,b;c,d";Cork\n2;"e,f;g,h";Cork', ['a,b;c,d', 'e,f;g,h']],
  ])('is not mistaken for %s', async (_, table, expected) => {
    expect(await names('t.txt', table)).toEqual(expected);
  });

  it.each([
    'sep=;\r\nref;name\r\n1;Rose',
    '\ufeffsep=;\nref;name\n1;Rose',
    '"sep=;"\nref;name\n1;Rose',
    'SEP=;\rref;name\r1;Rose',
    'sep=\t\nref\tname\n1\tRose',
    'sep=|\n\nref|name\n1|Rose',
  ])('is named by a first line: %j', async (table) => {
    expect(await readSource('t.csv', table)).toMatchObject({
      columns: ['ref', 'name'],
      values: [{ name: 'Rose' }],
      notes: [],
    });
  });

  it('is the one that the mapping names', async () => {
    expect(await names('t.csv', 'ref^name\n1^a,b\n2^c,d', { delimiter: '^' })).toEqual(['a,b', 'c,d']);
  });
});

describe('lines and rows', () => {
  it.each(['\n', '\r\n', '\r'])('end with %j, and count as in an editor', async (end) => {
    const rows = ['a,b', `1,"x${end}y"`, '', ' , ', '2,z', `"3${end}${end}",w`, '4,v'];
    const read = await readSource('t.csv', rows.join(end) + end);
    expect(read.lines).toEqual([2, 6, 7, 10]);
    expect(read.values[0]).toEqual({ a: '1', b: `x${end}y` });
    expect(read.notes).toEqual(['blank-rows']);
  });

  it('may end in several ways', async () => {
    expect((await readSource('t.csv', 'a,b\r\n1,2\r3,4\n5,6\r\n\r\n7,8')).lines).toEqual([2, 3, 4, 6]);
    for (const end of ['\x1a', '\n\x1a', '\x1a\r\n'])
      expect((await readSource('t.csv', `a,b\n1,2${end}`)).values).toEqual([{ a: '1', b: '2' }]);
  });

  it('may be short, and too long only with empty cells', async () => {
    const read = await readSource('t.csv', 'a,b,c\n1\n2,3\n4,5,6,,\n7,8,9,surplus,\n1,2,3');
    expect(read.values).toEqual([
      { a: '1', b: '', c: '' },
      { a: '2', b: '3', c: '' },
      { a: '4', b: '5', c: '6' },
      { a: '1', b: '2', c: '3' },
    ]);
    expect(read.unreadable).toEqual([expect.stringMatching(/^line 5: .*header has 3: "surplus"/)]);
  });

  it('are skipped where they repeat the header', async () => {
    for (const repeated of ['a,b', 'A,B'])
      expect(await readSource('t.csv', `a,b\n1,2\n${repeated}\n3,4`)).toMatchObject({
        lines: [2, 4],
        notes: ['repeated-header'],
      });
  });
});

describe('the header', () => {
  it.each([
    ['a title', 'Property list 2026,,,,\n,,,,\n', 3],
    ['a comment', '# exported on 2026-01-01\n', 2],
    ['a title without delimiters', 'Property list 2026\n\n', 3],
    ['several lines', 'Owner,A. Person\nDate,2026-01-01\nVersion,3\n', 4],
  ])('is below %s', async (_, above, line) => {
    const read = await readSource('t.csv', above + ROWS.join('\n'));
    expect(read.columns).toEqual(['ref', 'name', 'town', 'lat', 'lon']);
    expect(read.lines).toEqual([line + 1, line + 2]);
    expect(read.notes).toContain('header-guessed');
  });

  it('is certain where it has the columns of the mapping, or where the mapping gives its line', async () => {
    const table = 'Some,words,above,of,it\nref,name,town,lat,lon\nh-1,Rose,Cork,x,y\nh-2,Elm,Cork,x,y';
    for (const settings of [{ named: ['town', 'ref'] }, { skip: 1 }]) {
      expect(await readSource('t.csv', table, settings)).toMatchObject({
        columns: ['ref', 'name', 'town', 'lat', 'lon'],
        lines: [3, 4],
        notes: [],
      });
    }
  });

  it('is written in other ways than in the mapping', async () => {
    const table = '\ufeff"Stra\u0063\u0327a" ,Nom\u00a0 du  lieu ,zone\u200b\n1,2,3';
    const read = await readSource('t.csv', table, { named: ['Stra\u00e7a'] });
    expect(read.columns).toEqual(['Stra\u00e7a', 'Nom du lieu', 'zone']);
  });

  it('has names for columns without one, but none for empty ones at the end', async () => {
    expect((await readSource('t.csv', 'a,,c,,\n1,2,3,,\n4,5,6,,')).columns).toEqual(['a', 'column 2', 'c']);
    expect((await readSource('t.csv', 'a,b,\n1,2,x\n3,4,y')).columns).toEqual(['a', 'b', 'column 3']);
  });

  it.each([
    ['ref,name,town,name\n1,2,3,4', '"name" (columns 2 and 4)'],
    ['ref, name ,town,"name"\n1,2,3,4', '"name" (columns 2 and 4)'],
    ['caf\u00e9;b;cafe\u0301\n1;2;3', '(columns 1 and 3)'],
    ['a\tb\ta\tb\n1\t2\t3\t4', '"a" (columns 1 and 3), "b" (columns 2 and 4)'],
  ])('names no column twice: %j', async (table, message) => {
    const refused = await refusal(readSource('t.csv', table));
    expect(refused).toContain('duplicate-column: Line 1 ');
    expect(refused).toContain(message);
  });

  it('is missing', async () => {
    expect(await refusal(readSource('t.csv', ROWS.slice(1).join('\n')))).toMatch(/^no-header: Line 1 /);
    expect(await refusal(readSource('t.csv', ''))).toMatch(/^no-rows/);
    expect(await refusal(readSource('t.csv', '\n \n'))).toMatch(/^no-rows/);
  });
});

describe('quotes', () => {
  it.each([
    ['a space before', 'a, b\n1, "x, y"\n', { a: '1', b: 'x, y' }],
    ['a space behind', 'a,b\n"1" ,"x, y" \n', { a: '1', b: 'x, y' }],
    ['an inch', 'a,b\n1,Lime 5" House\n', { a: '1', b: 'Lime 5" House' }],
    ['a quoted word', 'a,b\n1,"Elm" House\n', { a: '1', b: '"Elm" House' }],
    ['two in one', 'a,b\n1,"The ""garden"""\n', { a: '1', b: 'The "garden"' }],
    ['a backslash before', 'a,b\n1,"The \\"garden\\", big"\n2,x', { a: '1', b: 'The "garden", big' }],
    [
      'none, with backslashes',
      'a,b,c\n1,Rose\\, Old,x\n2,Elm,y\n3,Oak,\\N',
      { a: '1', b: 'Rose, Old', c: 'x' },
    ],
    ['a path at the end', 'a,b\n"C:\\photos\\",x\n"C:\\new\\",y', { a: 'C:\\photos\\', b: 'x' }],
  ])('may have %s', async (_, table, expected) => {
    expect((await readSource('t.csv', table)).values[0]).toEqual(expected);
  });

  it('are characters in TSV, unless the table shows that they are not', async () => {
    const plain = 'ref\tname\n1\tLime 5" House\n2\t"Elm" House\n3\t"Oak"\n4\tAsh';
    expect(await names('t.tsv', plain)).toEqual(['Lime 5" House', '"Elm" House', '"Oak"', 'Ash']);
    expect(await names('t.tsv', 'ref\tname\n1\t"Rose, ""Old"""\n2\tElm')).toEqual(['Rose, "Old"', 'Elm']);
    expect(await names('t.tsv', '"ref"\t"name"\n"1"\t"Rose"\n"2"\t"Elm"')).toEqual(['Rose', 'Elm']);
    expect(await names('t.tsv', 'ref\tname\tx\n1\t"Rose\nOld"\ty\n2\tElm\tz')).toEqual(['Rose\nOld', 'Elm']);
    expect(await names('t.tsv', 'ref\tname\n1\tRose \\"Old\\"\n2\tElm\\tNew')).toEqual([
      'Rose "Old"',
      'Elm\tNew',
    ]);
    expect(await names('t.txt', 'ref\tname\n1\t\\N\n2\tLine\\nTwo\\\\')).toEqual(['', 'Line\nTwo\\']);
  });

  const row = (index: number, policy: string) => `${index},House ${index},Cork,51.${index},-8.4,${policy}`;
  const table = (...policies: string[]) =>
    ['ref,name,town,lat,lon,check in', ...policies.map((policy, index) => row(index + 1, policy))].join('\n');
  const FROM = Array.from({ length: 6 }, (_, index) => `From ${index + 10}:00.`);

  it.each([
    ['in the last column', table('"From 9:00.', 'b', 'c', 'd."', 'e'), 2],
    ['of one other row', table('a', '"From 9:00.', 'c"', 'd'), 3],
    ['with semicolons', table('"From 9:00.', 'b', 'c."', 'd').replaceAll(',', ';'), 2],
    ['to the end of the text', table('a', 'b', '"c', 'd', 'e'), 4],
    ['up to another quote', table('a', '"b', 'c', '"d, e"', 'f'), 3],
    [
      'from a name to a name',
      table(...FROM)
        .replace('House 2', '"House 2')
        .replace('House 5', 'House 5"'),
      3,
    ],
    [
      'from the first cell',
      table(...FROM)
        .replace('\n2,', '\n"2,')
        .replace('\n4,', '\n4",'),
      3,
    ],
    ['in the first cell of all', `"${table(...FROM)}`, 1],
    ['below a text of several lines', table('"A\nB"', '"b', 'c', 'd."', 'e'), 4],
    ['with other quotes', table('"a, b"', '"c', 'd', 'e."', '"f, g"'), 3],
    ['below the lines of a text', table('"a\nb\nc', 'd"', ...FROM), 2],
    ['in two columns', 'ref,name\n1,"Rose\n2,Lime\n3,Elm\n4,Oak\n5,Ash"\n', 2],
    ['in two columns, between others', 'ref,name\n1,Rose\n2,"Lime\n3,Elm"\n4,Oak\n5,Ash\n', 3],
    [
      'in columns of words',
      'name,town,state\nRose,Cork City,"Munster\nLime,Cork City,Munster\nElm,Cork City,Munster"\nOak,Bray,Leinster\n',
      2,
    ],
    ['from the header on', 'ref;name;"town\n1;Rose;Cork\n2;Lime;Cork"\n3;Elm;Cork', 1],
    ['of a text with its own quotes', table('a', '""b\nc"', 'd'), 3],
    ['in tabs', table('a', '"b\nc"', '"d', 'e').replaceAll(',', '\t'), 3],
    ['in one line', table('a', 'b', 'c').replace('House 2,Cork', '"House 2,Cork"'), 3],
  ])('that swallow rows end the reading: %s', async (_, text, line) => {
    const refused = await refusal(readSource('t.csv', text));
    expect(refused).toMatch(new RegExp(`^swallowed-rows: A quote that opens on line ${line} `));
  });

  it('that the end of the text leaves open, as after a broken download', async () => {
    const cut = table('"a, b"', '"c, d"').slice(0, -3);
    expect(await refusal(readSource('t.csv', cut))).toMatch(
      /^swallowed-rows: A quote that opens on line 3 is not closed: the file seems to break off there\. /,
    );
  });

  it('that swallow rows of a large table, or all of them', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => row(index, 'From 15:00. '.repeat(8)));
    const text = (at: number) =>
      [
        'ref,name,town,lat,lon,check in',
        ...rows.map((one, index) => (index === at ? one.replace('From', '"From') : one)),
      ].join('\n');
    expect(await refusal(readSource('t.csv', text(50_000)))).toContain('on line 50002 ');
    expect(await refusal(readSource('t.csv', text(2)))).toContain('on line 4 ');
  });

  it.each([
    [
      'a text',
      'Welcome.\n\nWe have a garden, a pool, and two dogs.\nCall us, or write.\n\nSee you soon,\nthe owners',
    ],
    ['a list', 'Kitchen, bath\nGarden, pool\nSea, sky'],
    ['an address', 'Rose Cottage\n12 Quay Street\nCork'],
    ['prices', 'Low: 100,00\nHigh: 200,00'],
    ['many lines', Array.from({ length: 300 }, (_, index) => `Rule ${index}, and more, of it`).join('\n')],
  ])('may hold %s of several lines', async (_, text) => {
    const last = ['ref,name,town,lat,lon,text', `1,A,Cork,51.9,-8.4,"${text}"`, '2,B,Cork,51.8,-8.3,x'].join(
      '\n',
    );
    const first = ['text,ref', `"${text}",1`, 'x,2'].join('\n');
    for (const one of [last, first]) expect((await readSource('t.csv', one)).values[0]?.text).toBe(text);
  });
});

it('writes numbers without exponents, and empty for what databases write for nothing', async () => {
  const cells = [
    '5.327194E+01',
    '1e-07',
    '-0',
    '\\N',
    '12E5',
    '3.53214E+11',
    '12345678901234567890',
    '01067',
  ];
  const { values } = await readSource(
    't.csv',
    `${cells.map((_, index) => `c${index}x`).join(',')}\n${cells.join(',')}`,
    { skip: 0 },
  );
  expect(Object.values(values[0]!)).toEqual([
    '53.27194',
    '0.0000001',
    '0',
    '',
    '12E5',
    '3.53214E+11',
    '12345678901234567890',
    '01067',
  ]);
  expect((await readSource('t.csv', 'a;b\n5,327194E+01;x')).values[0]).toEqual({ a: '53,27194', b: 'x' });
});

it('keeps a column of any name', async () => {
  const { values } = await readSource('t.csv', '__proto__,constructor\n1,2');
  expect(JSON.stringify(values[0])).toBe('{"__proto__":"1","constructor":"2"}');
});

describe('limits', () => {
  it('of a cell, a row and a header', async () => {
    const long = await readSource('t.csv', `a,b\n1,${'x'.repeat(1_000_001)}\n2,y`);
    expect(long.unreadable).toEqual([expect.stringContaining('line 2: Cell 2 has more than 1,000,000')]);
    expect(await refusal(readSource('t.csv', `a,b\n1,${'x'.repeat(4_100_000)}`))).toMatch(
      /^row-too-long: .*line 2 /,
    );
    const wide = Array.from({ length: 6_000 }, (_, index) => `c${index}`).join(',');
    expect(await refusal(readSource('t.csv', wide))).toMatch(/^too-many-columns/);
  });
});

describe('whatever bytes there are', () => {
  const piece = fc.constantFrom(
    ',',
    ';',
    '\t',
    '|',
    '"',
    '""',
    '\\',
    '\n',
    '\r\n',
    '\r',
    ' ',
    'a',
    '1',
    '\\N',
    'é',
    '\0',
    'sep=;',
    '{',
    '[',
    '\ufeff',
  );
  it('they are rows, or an error with a code', async () => {
    const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.uint8Array({ maxLength: 300 })), async (content) => {
        const code = await refusal(readSource('t.csv', content));
        expect(code).toMatch(/^no error$|^[a-z-]+: /);
      }),
      { numRuns: 300 },
    );
  });

  it('each row of a table is a row, in every form of the table', async () => {
    // A cell with both delimiters and lines may be taken for rows.
    const cell = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', ';', '|', '\t', '"', 'é') }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"', '\n', 'é', '.') }),
    );
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        async (table, delimiter, end) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const numbered = table.map((cells, index) =>
            [String(index), ...cells, 'x'].map(quoted).join(delimiter),
          );
          const content = [['"no"', '"first"', '"second"', '"last"'].join(delimiter), ...numbered].join(end);
          const { values } = await readSource('t.csv', content);
          expect(values).toEqual(
            table.map(([first, second], index) => ({ no: String(index), first, second, last: 'x' })),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
