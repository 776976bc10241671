/** Types that a consumer generates from the OpenAPI document accept real answers of the catalogue. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { typesOf } from '../../scripts/openapi-typescript.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';
import { temporaryFolder } from '../support/temporary.ts';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const LIST = '/api/v1/public/properties';

const catalogue = await serveCatalogue();
const folder = temporaryFolder();

function check(program: string): string {
  writeFileSync(join(folder, 'program.ts'), program);
  try {
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions'];
    const target = ['--target', 'es2023', '--module', 'nodenext', '--types', ''];
    const args = [TSC, ...options, ...target, 'program.ts'];
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

it('accept real answers, and nothing else', async () => {
  writeFileSync(join(folder, 'api.ts'), await typesOf(new URL(`${catalogue.url}/openapi.json`)));
  const body = async (path: string) => (await fetch(catalogue.url + path)).text();
  const page = await body(`${LIST}?page[size]=25`);
  const { data } = JSON.parse(page) as { data: { id: string }[] };
  const property = await body(`${LIST}/${data[3]?.id}`);
  const problem = await body(`${LIST}?page[size]=0`);
  const countries = await body('/_catalogue/countries.json');
  const cities = await body('/_catalogue/countries/IE.json');
  const index = await body('/index.json');
  const [record] = (await body('/properties.ndjson')).split('\n');
  const program = (first: string) => `import type { components, paths } from './api.ts';
    type List = paths['${LIST}']['get'];
    type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
    export const page: Json<List['responses'][200]> = ${first};
    export const property: Json<paths['${LIST}/{property_id}']['get']['responses'][200]> = ${property};
    export const problem: components['schemas']['Problem'] = ${problem};
    export const countries: components['schemas']['Countries'] = ${countries};
    export const cities: components['schemas']['CityList'] = ${cities};
    export const index: components['schemas']['Index'] = ${index};
    export const record: components['schemas']['PropertyRecord'] = ${record};
    export const query: List['parameters']['query'] = { 'filter[country]': 'IE', 'page[size]': 25 };`;
  expect(check(program(page))).toBe('');
  expect(check(program(page.replace('"title":"', '"title":0,"other":"')))).toContain('error TS2322');
});
