/** The compiled entrances of the package export what their sources do: no piece that a bundler shares (D11). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as client from '../src/client/index.ts';
import * as schemaOrg from '../src/client/schema-org.ts';
import * as library from '../src/index.ts';

it.each([
  ['index', library],
  ['client/index', client],
  ['client/schema-org', schemaOrg],
])('%s', async (entrance, source) => {
  const path = (end: string) => new URL(`../lib/${entrance}${end}`, import.meta.url);
  const compiled = await import(path('.js').href);
  expect(Object.keys(compiled).sort()).toEqual(Object.keys(source).sort());
  const declared = readFileSync(path('.d.ts'), 'utf8');
  for (const name of Object.keys(source)) expect(declared).toContain(name);
});
