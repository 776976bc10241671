import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookUp } from '../../../src/import/table/row.ts';
import { openRows } from '../../../src/import/table/row-source.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { readSource, refusal } from './read-rows.ts';

const ROSE = { ref: 'a', name: 'Rose' };
const ELM = { ref: 'b', name: 'Elm' };
const values = async (...args: Parameters<typeof readSource>) => (await readSource(...args)).values;

describe('a document', () => {
  it.each([
    ['a list', [ROSE, ELM]],
    ['a list in an object', { count: 2, hotels: [ROSE, ELM] }],
    ['a list deeper down', { meta: { page: 1 }, data: { tags: ['x'], hotels: [ROSE, ELM] } }],
  ])('is %s, in one line or many', async (_, document) => {
    expect(await values('t.json', JSON.stringify(document))).toEqual([ROSE, ELM]);
    expect(await values('t.txt', `\n${JSON.stringify(document, null, 2)}\n`)).toEqual([ROSE, ELM]);
  });

  it.each([
    ['its top', { 'h-1': ROSE, 'h-2': ELM }, ['h-1', 'h-2']],
    ['one of one', { 'h-1': { ...ROSE, at: { lat: '1' } } }, ['h-1']],
    ['an object', { data: { 'h-1': ROSE, 'h-2': ELM } }, ['h-1', 'h-2']],
    [
      'rows with lists of objects',
      { 'h-1': { photos: [{ url: 'x' }] }, 'h-2': { photos: [], n: 'x' } },
      ['h-1', 'h-2'],
    ],
  ])('has rows by key at %s', async (_, document, keys) => {
    expect((await values('t.json', JSON.stringify(document))).map((row) => row._key)).toEqual(keys);
  });

  it('is one row', async () => {
    expect(await values('t.json', JSON.stringify({ name: 'Rose', at: { lat: 'x' } }))).toEqual([
      { name: 'Rose', at: { lat: 'x' } },
    ]);
  });

  it('has rows where the mapping says, or says where they seem to be', async () => {
    const document = JSON.stringify({ rooms: [{ n: 'x' }], hotels: [ROSE, ELM] });
    expect(await values('t.json', document, { rows: 'rooms' })).toEqual([{ n: 'x' }]);
    expect(await readSource('t.json', document)).toMatchObject({
      values: [ROSE, ELM],
      notes: ['rows-guessed'],
    });
    expect(await refusal(readSource('t.json', document, { rows: 'hotel' }))).toBe(
      'no-rows: The source has no list of rows at "hotel". Did you mean "rows: hotels"?',
    );
  });

  it('has the line of each row, and a finding for each that is damaged', async () => {
    const text = '[\n  {"ref": 1},\r\n\n  {"ref": tru},\n  7, "x", null,\n  {"ref": 2}\n]';
    const { lines, unreadable } = await readSource('t.json', text);
    expect(lines).toEqual([2, 4, 5, 5, 5, 6]);
    expect(unreadable.map((one) => one.replace(/:.*/, ''))).toEqual([
      'entry 2, line 4',
      'entry 3, line 5',
      'entry 4, line 5',
      'entry 5, line 5',
    ]);
  });

  it.each([
    ['{"a": [1, 2}', 'closes nothing'],
    ['[{"a": 1}', 'ends too early'],
    ['[{"a": 1}] [', 'follows its end'],
    ['[{"a": 1}] x', 'follows its end'],
    [`${'['.repeat(300)}`, 'nested too deeply'],
  ])('is refused: %j', async (text, reason) => {
    expect(await refusal(readSource('t.json', text))).toMatch(new RegExp(`^not-json: .*${reason}`));
  });
});

describe('one object a line', () => {
  const lines = [JSON.stringify(ROSE), '', '{"ref":', JSON.stringify(ELM)];
  it.each(['\n', '\r\n', '\r'])('between %j', async (end) => {
    for (const name of ['t.ndjson', 't.jsonl', 't.json', 't.txt', 't']) {
      expect(await readSource(name, lines.join(end))).toMatchObject({
        values: [ROSE, ELM],
        lines: [1, 3, 4],
        unreadable: [expect.stringContaining('line 3: This is not JSON')],
      });
    }
  });

  it('as RFC 8142 and RFC 7464 separate them', async () => {
    const text = [ROSE, ELM].map((row) => `\u001e${JSON.stringify(row, null, 1)}\n`).join('');
    expect(await readSource('t.geojsonl', text)).toMatchObject({ values: [ROSE, ELM], lines: [1, 5] });
  });

  it('is refused where it is nested too deeply', async () => {
    const deep = `{"name": "Rose", "at": ${'['.repeat(200)}${']'.repeat(200)}}`;
    const { values: read, unreadable } = await readSource('t.ndjson', `${JSON.stringify(ROSE)}\n${deep}\n`);
    expect(read).toEqual([ROSE]);
    expect(unreadable).toEqual(['line 2: This is not JSON: it is nested too deeply.']);
  });

  it('may be one only', async () => {
    expect(await values('t.ndjson', JSON.stringify({ name: 'Rose', at: [{ x: 'y' }] }))).toHaveLength(1);
  });
});

it('numbers are texts of all their digits', async () => {
  const text =
    '[{"a":1e-7,"b":-0.00000012,"c":12345678901234567890,"d":5.327194E+01,"e":-0,"f":28013.0,"g":["1.50",1.50],"h":"1e5","i":NaN}]';
  expect(await values('t.json', text)).toEqual([
    {
      a: '0.0000001',
      b: '-0.00000012',
      c: '12345678901234567890',
      d: '53.27194',
      e: '0',
      f: '28013',
      g: ['1.50', '1.5'],
      h: '1e5',
      i: null,
    },
  ]);
});

describe('GeoJSON', () => {
  const feature = (name: string, geometry: object | null) => ({
    type: 'Feature',
    id: 7,
    properties: { name },
    geometry,
  });
  const point = { type: 'Point', coordinates: [-8.4, 51.9, 12] };
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    ],
  };

  it.each([
    [
      't.geojson',
      JSON.stringify({
        type: 'FeatureCollection',
        name: 'x',
        features: [feature('Rose', point), feature('Elm', area)],
      }),
    ],
    ['t.geojsonl', `${JSON.stringify(feature('Rose', point))}\n${JSON.stringify(feature('Elm', area))}`],
  ])('gives properties and coordinates: %s', async (name, text) => {
    const read = await readSource(name, text);
    expect(read.values).toEqual([
      { _key: '7', name: 'Rose', longitude: '-8.4', latitude: '51.9' },
      { _key: '7', name: 'Elm' },
    ]);
    expect(read.notes).toEqual(['not-a-point']);
    expect(lookUp(read.values[0]!, 'properties.name')).toBe('Rose');
    expect(lookUp(read.values[0]!, 'geometry.coordinates.1')).toBe('51.9');
  });
});

it('whatever text there is, it is rows or an error with a code', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '\\',
    '\n',
    '\r',
    ' ',
    'true',
    '\u001e',
    '{"a":1}',
    '[{"b":',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom('t.json', 't.ndjson', 't'),
      async (parts, name) => {
        expect(await refusal(readSource(name, parts.join('')))).toMatch(/^no error$|^[a-z-]+: /);
      },
    ),
    { numRuns: 500 },
  );
});

it.each([
  ['t.json', '[{"a":"1","b":{"c":"x: \\":","c":"2"}},{"a":"3"}]', '"c" (entry 1)'],
  ['t.ndjson', '{"a":"1","a":"2"}\n{"a":"3","b":"\\": "}\n', '"a" (line 1)'],
  ['t.json', '{"h-1":{"a":"1"},"h-2":{"a":"1", "a" :"2"}}', '"a" (entry "h-2")'],
])(
  'a name that an object of %s has twice is reported, and its last value counts',
  async (name, text, place) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    const source = await openRows(path, {});
    for await (const _ of source.rows());
    source.close();
    const message = `1 row with one name twice, such as ${place}: the last value counts.`;
    expect(source.notes()).toMatchObject([{ code: 'repeated-name', message }]);
  },
);

it('rows of any JSON are those of JSON.parse, in any form', async () => {
  const row = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== 'type' && name !== '__proto__'),
    fc.jsonValue({ noUnicodeString: false } as object),
    { minKeys: 1 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(undefined, 2, '\t'),
      async (rows, indent) => {
        const numberless = (value: unknown): unknown =>
          typeof value === 'number'
            ? 'number'
            : Array.isArray(value)
              ? value.map(numberless)
              : value && typeof value === 'object'
                ? Object.fromEntries(
                    Object.entries(value).map(([key, inner]) => [key.normalize('NFC'), numberless(inner)]),
                  )
                : value;
        // Blank rows are skipped.
        const wanted = rows.map((one) => ({ ...Object(numberless(one)), ref: 'x' })) as object[];
        expect(await values('t.json', JSON.stringify(wanted, null, indent))).toEqual(wanted);
        expect(await values('t.ndjson', wanted.map((one) => JSON.stringify(one)).join('\n'))).toEqual(wanted);
      },
    ),
    { numRuns: 100 },
  );
});
