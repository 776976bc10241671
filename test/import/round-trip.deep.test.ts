/** A table imported, built and read from what is published says what its cells said; random bytes end in time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importSource } from '../../src/import/import-source.ts';
import { createWorkspace, idOf } from '../compile/workspace.ts';

const MAPPING = `id: ref
title: name
currency: { value: EUR }
zip_code: zip
city: town
address: street
country: { value: IE }
latitude: lat
longitude: lon
hotel_policy:
  - { policy_type: { value: check_in }, detail: check in }
`;
const COLUMNS = ['ref', 'name', 'zip', 'town', 'street', 'lat', 'lon', 'check in'];

/** Texts without what import repairs on purpose: HTML, placeholders, outer and repeated spaces. */
const text = fc
  .array(
    fc.constantFrom(
      'Rose',
      'Haus am See',
      'Łódź',
      'L’Île',
      '"Elm"',
      '5" x',
      'a;b',
      'c, d',
      '|',
      '東京',
      'x: y',
      '#1',
      "it's",
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => `A ${words.join(' ')}`);
const decimal = (whole: number) => fc.integer({ min: 10, max: 99 }).map((digits) => `${whole}.${digits}1`);
const cells = fc.tuple(
  text,
  fc.constantFrom('', '01067', 'T12 X70A', '007'),
  text,
  fc.oneof(text, fc.constant('')),
  decimal(52),
  decimal(-8),
  fc.oneof(
    fc.constant(''),
    text,
    fc.tuple(text, text).map((lines) => lines.join('\n')),
  ),
);
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

/** A table as a program writes it. */
const FORMS: Readonly<Record<string, (rows: readonly (readonly string[])[]) => string | Buffer>> = {
  'a.csv': (rows) => rows.map((row) => row.map(quoted).join(',')).join('\n'),
  'b.csv': (rows) => `\ufeff${rows.map((row) => row.map(quoted).join(';')).join('\r\n')}\r\n`,
  'c.txt': (rows) =>
    Buffer.from(`\ufeff${rows.map((row) => row.map(quoted).join('\t')).join('\n')}`, 'utf16le'),
  'd.json': (rows) => JSON.stringify(objects(rows)),
  'e.ndjson': (rows) =>
    objects(rows)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
};

function objects([header = [], ...rows]: readonly (readonly string[])[]) {
  return rows.map((row) => Object.fromEntries(row.map((value, column) => [header[column], value])));
}

it('what a table says is what is published', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(cells, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...Object.keys(FORMS)),
      async (rows, form) => {
        const workspace = createWorkspace();
        const [path, mapping] = [form, 'm.yaml'].map((name) => join(workspace.root, name)) as [
          string,
          string,
        ];
        writeFileSync(mapping, MAPPING);
        writeFileSync(path, FORMS[form]!([COLUMNS, ...rows.map((row, index) => [idOf(index + 1), ...row])]));
        const given = { content: workspace.content, force: false, photos: false, mapping };
        const { result } = await importSource(path, given);
        expect(result).toMatchObject({ written: rows.length, refused: 0 });
        expect(result!.repairs.filter(({ field }) => field !== 'encoding')).toEqual([]);
        expect((await workspace.build()).outcome).toBe('published');
        for (const [index, [title, zip, city, address, latitude, longitude, policy]] of rows.entries()) {
          const file = join(workspace.public, `_catalogue/properties/${idOf(index + 1)}.json`);
          const detail = JSON.parse(readFileSync(file, 'utf8'));
          expect(detail).toMatchObject({ title, city, country: 'IE' });
          expect([detail.zip_code ?? '', detail.address ?? '']).toEqual([zip, address]);
          expect([detail.latitude, detail.longitude].map(Number)).toEqual([latitude, longitude].map(Number));
          expect(detail.hotel_policy.map((one: { detail: string }) => one.detail)).toEqual(
            policy === '' ? [] : [policy],
          );
        }
      },
    ),
    { numRuns: 40 },
  );
});

it('random bytes of any name are rows, or an error with a code, and write nothing else', async () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom(
          'PK\x03\x04',
          '\x1f\x8b\x08',
          '\ufeff',
          '{"a":',
          '[{',
          'ref,name\n',
          '"',
          '\\N\t',
          '\u001e{}',
          'sep=;\n',
        )
        .map((one) => new Uint8Array(Buffer.from(one, 'latin1'))),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.constantFrom('t.csv', 't.json', 't.xlsx', 't.geojsonl'),
      async (parts, name) => {
        const { root, content } = createWorkspace();
        writeFileSync(join(root, name), Buffer.concat(parts));
        const code = await importSource(join(root, name), { content, force: false, photos: false }).then(
          () => 'proposed',
          (error: { readonly code?: string }) => error.code,
        );
        expect(code).toMatch(/^[a-z-]+$/);
      },
    ),
    { numRuns: 400 },
  );
});
