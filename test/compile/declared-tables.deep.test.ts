/** DuckDB, which npm installs into a temporary folder, reads the columns of declared fields. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';
import { DECLARATION, FULL, SETTINGS } from './declared-catalogue.ts';
import { createWorkspace, idOf, sound, yaml } from './workspace.ts';

const folder = temporaryFolder();
const workspace = createWorkspace();

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--no-audit', '--no-fund', '--silent', '@duckdb/node-api@1.5.6-r.1'];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  workspace.configure(SETTINGS + DECLARATION);
  workspace.write('full.yaml', yaml(sound(1)) + FULL);
  workspace.add(2, { max_guests: '1', bedrooms: null });
  await workspace.build();
}, 900_000);

/** Runs a query in a process of its own. Returns its rows. */
function rows(sql: string): Record<string, unknown>[] {
  const program = `import { DuckDBInstance } from '@duckdb/node-api';
const connection = await (await DuckDBInstance.create()).connect();
console.log(JSON.stringify((await connection.runAndReadAll(${JSON.stringify(sql)})).getRowObjectsJson()));`;
  writeFileSync(join(folder, 'query.mjs'), program);
  return JSON.parse(execFileSync(process.execPath, ['query.mjs'], { cwd: folder, encoding: 'utf8' }));
}

const csv = () => `read_csv('${join(workspace.public, 'properties.csv')}')`;

it('the table has the types that the data package says', () => {
  const { resources } = JSON.parse(readFileSync(join(workspace.public, 'datapackage.json'), 'utf8'));
  const fields: { name: string; type: string }[] = resources.find((one: { schema?: object }) => one.schema)
    .schema.fields;
  const types = new Map(rows(`describe from ${csv()}`).map((row) => [row.column_name, row.column_type]));
  expect([...types.keys()]).toEqual(fields.map(({ name }) => name));
  const EXPECTED: Readonly<Record<string, RegExp>> = {
    integer: /^BIGINT$/,
    number: /^(?:DOUBLE|BIGINT)$/,
    boolean: /^BOOLEAN$/,
    date: /^DATE$/,
    time: /^TIME$/,
  };
  for (const { name, type } of fields)
    if (EXPECTED[type])
      expect([name, types.get(name)]).toEqual([name, expect.stringMatching(EXPECTED[type])]);
});

it('values of the table and of the lines are those of the file', () => {
  const names = 'bedrooms, bathrooms, price_from, quiet, opened, check_in_from, check_in_until, description';
  const [row] = rows(`select ${names}, "title@fr" as french, sauna from ${csv()} where id = '${idOf(1)}'`);
  expect(row).toEqual({
    bedrooms: '0',
    bathrooms: 1.5,
    price_from: 95.1,
    quiet: false,
    opened: '2020-04-01',
    check_in_from: '15:00:00',
    check_in_until: '24:00:00',
    description: 'A quiet house by the sea.\n\nTwo dogs live here.',
    french: 'Le cottage',
    sauna: 'wood',
  });
  const lines = `read_json('${join(workspace.public, 'properties.ndjson')}')`;
  expect(
    rows(
      `select attributes.max_guests as guests, attributes.registration_number as numbers, translations.fr.title as french from ${lines} order by id`,
    ),
  ).toEqual([
    { guests: '6', numbers: ['ES-1', 'a, "b"'], french: 'Le cottage' },
    { guests: '1', numbers: [], french: null },
  ]);
});
