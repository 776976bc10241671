/**
 * Foreign tools accept the catalogue: clients that three generators make of its OpenAPI document compile and call every
 * operation, the client of the package compiles with the oldest TypeScript that it is for, and Prism, as a proxy that
 * validates, finds nothing in 300 answers. npm installs the tools into a temporary folder.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { createRandom, integerBetween, pick, type Random } from '../../scripts/sample-data/random.ts';
import { writeChanges } from '../../src/history/write.ts';
import { freePort } from '../conformance/server.ts';
import { ROOT } from '../support/clone.ts';
import { BARE, serveCatalogue } from '../support/served-catalogue.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Each of one version: another may find something else. */
const TOOLS = [
  ...['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', '@hey-api/openapi-ts@0.99.0', 'orval@8.38.0'],
  ...['@stoplight/prism-cli@5.16.0', 'typescript@5.9.3', 'typescript-5.4@npm:typescript@5.4.5'],
  '@types/node@20.19.43',
];
const KEY = 'a key of the trial';
const DIGEST = createHash('sha256').update(KEY).digest('hex');

/** Checks what the calls of a client gave: the same for every generator. */
const CHECKS = `
function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
const lines = (text: string): unknown[] => text.trimEnd().split('\\n').map((line) => JSON.parse(line));
`;

const LINES = `description: |
  By the sea.
  Quiet.
bedrooms: 3
registration_number: [A1, B2]
title@es: La casa
`;
/** The id of the property with these lines. */
const HOUSE = /^id: (.+)$/m.exec(readFileSync(join(ROOT, 'content', BARE), 'utf8'))![1]!;

/** Reads declared fields, with their types. */
const ATTRIBUTES = `const bedrooms: number | null = attributes.bedrooms;
const description: string | null = attributes.description;
expect(bedrooms === 3 && description === 'By the sea.\\nQuiet.' && attributes.stars === null, 'attributes');
expect(attributes.registration_number.join() === 'A1,B2', 'attributes of lists');`;

/** The code that generates a client, and the program that uses it. */
type Generator = {
  readonly name: string;
  /** Arguments of \`npx\`, in the folder of the tools. */
  readonly generate: (url: string) => readonly string[];
  /** Files that it needs, by name. */
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** The program, given the URL of the catalogue. */
  readonly program: (url: string) => string;
};

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    generate: () => ['openapi-typescript', 'openapi.json', '-o', 'api-types.ts'],
    files: () => ({}),
    program: (url) => `import createClient from 'openapi-fetch';
import type { components, paths } from './api-types.ts';
${CHECKS}
const client = createClient<paths>({ baseUrl: '${url}' });
const list = await client.GET('/api/v1/public/properties', { params: { query: { 'filter[country]': 'IE', 'page[size]': 25 } } });
const id: string = list.data!.data[0]!.id;
expect(list.data!.meta.pagination.total_entries > 25, 'listProperties');
const one = await client.GET('/api/v1/public/properties/{property_id}', { params: { path: { property_id: id } } });
expect(one.data!.country === 'IE', 'getProperty');
const house = await client.GET('/api/v1/public/properties/{property_id}', { params: { path: { property_id: '${HOUSE}' } } });
const attributes: components['schemas']['Attributes'] = house.data!.attributes;
${ATTRIBUTES}
expect(house.data!.translations.es!.title === 'La casa', 'translations');
const none = await client.GET('/api/v1/public/properties', { params: { query: { 'page[number]': 0 } } });
expect(none.error!.status === 400 && none.error!.detail.includes('page[number]'), 'a problem');
const index = await client.GET('/index.json');
expect(index.data!.release.length === 32, 'getIndex');
const countries = await client.GET('/_catalogue/countries.json');
const country: components['schemas']['Country'] = countries.data!.countries[0]!;
expect(country.properties > 0, 'getCountries');
const cities = await client.GET('/_catalogue/countries/{country}.json', { params: { path: { country: country.code } } });
expect(cities.data!.cities.length === country.cities, 'getCities');
const all = await client.GET('/properties.ndjson', { parseAs: 'text' });
const text: string = all.data!;
expect((lines(text)[0] as components['schemas']['PropertyRecord']).id.length === 36, 'downloadProperties');
const table = await client.GET('/properties.csv', { parseAs: 'text' });
expect(table.data!.startsWith('id,title,'), 'downloadTable');
const root = await client.GET('/_catalogue/roots/{release}.json', { params: { path: { release: index.data!.release } } });
expect(root.data!.total === index.data!.properties, 'getRoot');
const part = await client.GET('/_catalogue/parts/{part}', { params: { path: { part: \`\${root.data!.details[0]![0]}.ndjson\` } }, parseAs: 'text' });
expect((lines(part.data as string)[0] as components['schemas']['PropertyRecord']).id.length === 36, 'downloadPart');
const points = await client.GET('/properties.geojson');
expect(points.data!.features.length === index.data!.properties, 'downloadPoints');
const months = await client.GET('/changes/index.json');
const { month } = months.data!.months[0]!;
const changes = await client.GET('/changes/{month}.ndjson', { params: { path: { month } }, parseAs: 'text' });
expect((lines(changes.data!)[0] as components['schemas']['Changes']).previous === null, 'getChanges');
const feed = await client.GET('/changes/feed.xml', { parseAs: 'text' });
expect(feed.data!.startsWith('<?xml'), 'getChangesFeed');
`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: () => [
      ...['openapi-ts', '-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch', '--no-log-file'],
    ],
    files: () => ({}),
    program: (url) => `import * as api from './hey/index.ts';
import { client } from './hey/client.gen.ts';
${CHECKS}
client.setConfig({ baseUrl: '${url}' });
const list = await api.listProperties({ query: { 'filter[country]': 'IE', 'page[size]': 25 } });
const id: string = list.data!.data[0]!.id;
expect(list.data!.meta.pagination.total_entries > 25, 'listProperties');
const one = await api.getProperty({ path: { property_id: id } });
expect(one.data!.country === 'IE', 'getProperty');
const house = await api.getProperty({ path: { property_id: '${HOUSE}' } });
const attributes: api.Attributes = house.data!.attributes;
${ATTRIBUTES}
expect(house.data!.translations.es!.title === 'La casa', 'translations');
const none = await api.listProperties({ query: { 'page[number]': 0 } });
expect(none.error!.status === 400 && none.error!.detail.includes('page[number]'), 'a problem');
const index = await api.getIndex();
expect(index.data!.release.length === 32, 'getIndex');
const countries = await api.getCountries();
const country: api.Country = countries.data!.countries[0]!;
expect(country.properties > 0, 'getCountries');
const cities = await api.getCities({ path: { country: country.code } });
expect(cities.data!.cities.length === country.cities, 'getCities');
const all = await api.downloadProperties({ parseAs: 'text' });
const text: string = all.data!;
expect((lines(text)[0] as api.PropertyRecord).id.length === 36, 'downloadProperties');
const table = await api.downloadTable({ parseAs: 'text' });
expect(table.data!.startsWith('id,title,'), 'downloadTable');
const root = await api.getRoot({ path: { release: index.data!.release } });
expect(root.data!.total === index.data!.properties, 'getRoot');
const part = await api.downloadPart({ path: { part: \`\${root.data!.details[0]![0]}.ndjson\` }, parseAs: 'text' });
expect((lines(part.data as unknown as string)[0] as api.PropertyRecord).id.length === 36, 'downloadPart');
const points = await api.downloadPoints({ parseAs: 'json' });
expect(points.data!.features.length === index.data!.properties, 'downloadPoints');
const months = await api.getChangesIndex();
const { month } = months.data!.months[0]!;
const changes = await api.getChanges({ path: { month }, parseAs: 'text' });
expect((lines(changes.data!)[0] as api.Changes).previous === null, 'getChanges');
const feed = await api.getChangesFeed({ parseAs: 'text' });
expect(feed.data!.startsWith('<?xml'), 'getChangesFeed');
`,
  },
  {
    name: 'orval',
    generate: () => ['orval', '--config', 'orval.config.mjs'],
    files: (url) => ({
      'orval.config.mjs': `export default { catalogue: { input: './openapi.json', output: { target: './orval-api.ts', client: 'fetch', baseUrl: '${url}' } } };\n`,
    }),
    program: () => `import * as api from './orval-api.ts';
${CHECKS}
const list = await api.listProperties({ 'filter[country]': 'IE', 'page[size]': 25 });
if (list.status !== 200) throw new Error('listProperties');
const id: string = list.data.data[0]!.id;
expect(list.data.meta.pagination.total_entries > 25, 'listProperties');
const one = await api.getProperty(id);
expect(one.status === 200 && one.data.country === 'IE', 'getProperty');
const house = await api.getProperty('${HOUSE}');
if (house.status !== 200) throw new Error('getProperty');
const attributes: api.Attributes = house.data.attributes;
${ATTRIBUTES}
expect(house.data.translations.es!.title === 'La casa', 'translations');
const none = await api.listProperties({ 'page[number]': 0 });
expect(none.status === 400 && none.data.detail.includes('page[number]'), 'a problem');
const index = await api.getIndex();
if (index.status !== 200) throw new Error('getIndex');
expect(index.data.release.length === 32, 'getIndex');
const countries = await api.getCountries();
if (countries.status !== 200) throw new Error('getCountries');
const country: api.Country = countries.data.countries[0]!;
expect(country.properties > 0, 'getCountries');
const cities = await api.getCities(country.code);
expect(cities.status === 200 && cities.data.cities.length === country.cities, 'getCities');
const all = await api.downloadProperties();
if (all.status !== 200) throw new Error('downloadProperties');
expect((lines(await all.stream.text())[0] as api.PropertyRecord).id.length === 36, 'downloadProperties');
const table = await api.downloadTable();
expect(table.status === 200 && table.data.startsWith('id,title,'), 'downloadTable');
const root = await api.getRoot(index.data.release);
if (root.status !== 200) throw new Error('getRoot');
expect(root.data.total === index.data.properties, 'getRoot');
const points = await api.downloadPoints();
expect(points.status === 200 && points.data.features.length === index.data.properties, 'downloadPoints');
const months = await api.getChangesIndex();
if (months.status !== 200) throw new Error('getChangesIndex');
const changes = await api.getChanges(months.data.months[0]!.month);
if (changes.status !== 200) throw new Error('getChanges');
expect((lines(await changes.stream.text())[0] as api.Changes).previous === null, 'getChanges');
const feed = await api.getChangesFeed();
expect(feed.status === 200 && feed.data.startsWith('<?xml'), 'getChangesFeed');
`,
  },
];

const folder = temporaryFolder();
// No other file has these settings: changes are written into what is built.
const open = await serveCatalogue('docs: false\nbulk: true\n', [], undefined, undefined, LINES);
const keyed = await serveCatalogue(`docs: false\nbulk: true\napi_keys: ["${DIGEST}"]\n`, [DIGEST]);
beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--no-audit', '--no-fund', '--silent', '--no-save', ...TOOLS];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const one of [open, keyed])
    await writeChanges({ out: dirname(one.root), time: '2026-11-20T09:00:00Z' });
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${open.url}/openapi.json`)).text());
}, 900_000);

/** Runs a tool in the folder of the tools. @throws Error with its output. */
async function tool(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { cwd: folder, timeout: 250_000 }).catch(
    (error: { stdout: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
}

it.each(GENERATORS.map((one) => [one.name, one] as const))(
  'the client that %s makes compiles, and calls every operation',
  async (_name, { files, generate, program }) => {
    for (const [name, text] of Object.entries(files(open.url))) writeFileSync(join(folder, name), text);
    await tool('npx', generate(open.url));
    writeFileSync(join(folder, 'program.ts'), program(open.url));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await tool(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.']);
    await tool(process.execPath, ['--import', import.meta.resolve('tsx'), 'program.ts']);
  },
);

it.each(['node16', 'bundler'])(
  'the types of the client stand alone in TypeScript 5.4, with resolution %s',
  async (moduleResolution) => {
    const place = join(folder, `types-${moduleResolution}`);
    const installed = join(place, 'node_modules/property-catalogue');
    mkdirSync(installed, { recursive: true });
    for (const name of ['lib', 'package.json'])
      cpSync(join(ROOT, name), join(installed, name), { recursive: true });
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
    };
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    writeFileSync(
      join(place, 'program.ts'),
      `import { createClient } from 'property-catalogue/client';
const client = createClient({ baseUrl: 'https://stays.example', cache: new Map() });
for await (const event of client.followChanges({ since: '' })) console.log(event.release);
for await (const { photo } of client.downloadProperties()) console.log(photo.length);
`,
    );
    await tool(process.execPath, ['node_modules/typescript-5.4/bin/tsc', '-p', place]);
  },
);

it.each([
  ['an open catalogue', () => open.url, 200, undefined],
  ['one that asks for a key', () => keyed.url, 100, KEY],
] as const)('Prism finds no violation in the answers of %s', async (_name, url, requests, key) => {
  expect(await violations(url(), requests, key)).toEqual([]);
});

const LIST = '/api/v1/public/properties';
const FILES = [
  ...['/index.json', '/_catalogue/countries.json', '/_catalogue/countries/IE.json'],
  ...['/properties.geojson'],
];
/** Prism would parse a part of a JSON file, which is not JSON: parts are asked of the others, or are the whole. */
const TEXTS = ['/properties.ndjson', '/properties.csv', '/changes/2026-11.ndjson', '/changes/feed.xml'];

/** Asks through Prism. Returns a line for each violation of an answer, and for each answer that Prism could not judge. */
async function violations(url: string, requests: number, key: string | undefined): Promise<string[]> {
  const port = await freePort();
  const headers: Record<string, string> = key ? { 'X-API-KEY': key } : {};
  writeFileSync(join(folder, 'proxy.json'), await (await fetch(`${url}/openapi.json`)).text());
  const list = (await (await fetch(`${url}${LIST}?page[size]=100`, { headers })).json()) as {
    data: { id: string; city: string; country: string }[];
  };
  const args = ['node_modules/.bin/prism', 'proxy', 'proxy.json', url, '-p', String(port)];
  const prism = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  try {
    await ready(prism, port);
    const random = createRandom(requests);
    const found: string[] = [];
    for (let number = 0; number < requests; number++) {
      const { path, method = 'GET', ...asked } = await makeRequest(random, list.data, url, headers);
      const sent = { ...asked.headers, ...(key && integerBetween(random, 0, 3) > 0 ? headers : {}) };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: sent });
      const request = `${method} ${path} ${JSON.stringify(sent)}: ${answer.status}`;
      await answer.arrayBuffer();
      if (answer.status === 500) found.push(`${request}: Prism could not judge the answer`);
      const told = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as {
        location: string[];
        message: string;
      }[];
      // Faults of a request are intended.
      for (const { location, message } of told)
        if (location[0] === 'response') found.push(`${request}: ${location.join('.')} ${message}`);
    }
    return found;
  } finally {
    prism.kill();
    if (prism.exitCode === null && prism.signalCode === null) await once(prism, 'exit');
  }
}

type Ask = { readonly path: string; readonly method?: string; readonly headers?: Record<string, string> };

/** One of many kinds of request: valid, invalid, conditional, of a part, past the end. */
async function makeRequest(
  random: Random,
  entries: readonly { id: string; city: string; country: string }[],
  url: string,
  key: Record<string, string>,
): Promise<Ask> {
  const entry = pick(random, entries);
  const query = (...pairs: [string, string | number][]) =>
    `${LIST}?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
  const conditional = async (path: string): Promise<Ask> => {
    const tag = (await fetch(url + path, { headers: key })).headers.get('ETag');
    return { path, headers: tag ? { 'If-None-Match': tag } : {} };
  };
  const kinds: (() => Ask | Promise<Ask>)[] = [
    () => ({ path: LIST }),
    () => ({ path: query(['filter[country]', entry.country], ['page[size]', pick(random, [1, 25, 100])]) }),
    () => ({ path: query(['filter[city]', entry.city]) }),
    () => ({ path: query(['filter[country]', entry.country], ['filter[city]', entry.city]) }),
    () => ({ path: query(['page[number]', 1 + integerBetween(random, 0, 30 - 1)]) }),
    () => ({ path: query(['page[number]', 100_000 + integerBetween(random, 0, 1000 - 1)]) }),
    () => ({ path: query(['filter[country]', 'ZZ']) }),
    () => ({ path: query(['page[size]', pick(random, ['0', '101', '-1', 'x', '1.5'])]) }),
    () => ({ path: query(['page[number]', pick(random, ['0', '-1', 'x'])]) }),
    () => ({ path: query(['filter[country]', pick(random, ['ie', 'IRL', 'I'])]) }),
    () => ({ path: query(['filter[contry]', 'IE']) }),
    () => ({ path: query(['page[size]', 25], ['page[size]', 25]) }),
    () => ({ path: `${LIST}?filter[city]=%E9` }),
    () => ({ path: `${LIST}/${entry.id}` }),
    () => ({ path: `${LIST}/${entry.id.toUpperCase()}` }),
    () => ({
      path: `${LIST}/00000000-0000-4000-8000-${String(integerBetween(random, 0, 1e9 - 1)).padStart(12, '0')}`,
    }),
    () => ({ path: pick(random, FILES) }),
    () => ({ path: pick(random, TEXTS) }),
    () => ({ path: '/changes/index.json' }),
    () => ({ path: '/changes/1999-01.ndjson' }),
    () => ({ path: '/_catalogue/countries/ZZ.json' }),
    () => conditional(pick(random, [LIST, `${LIST}/${entry.id}`, ...FILES, ...TEXTS])),
    () => ({
      path: pick(random, TEXTS),
      headers: {
        Range: `bytes=${integerBetween(random, 0, 50 - 1)}-${50 + integerBetween(random, 0, 50 - 1)}`,
      },
    }),
    () => ({ path: pick(random, FILES), headers: { Range: 'bytes=0-' } }),
    () => ({ path: pick(random, TEXTS), headers: { Range: 'bytes=999999999-' } }),
    () => ({ path: LIST, headers: { 'X-API-KEY': 'wrong' } }),
  ];
  return pick(random, kinds)();
}

async function ready(prism: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (prism.exitCode !== null) throw new Error('Prism ended before it answered.');
    const isUp = await fetch(`http://127.0.0.1:${port}/index.json`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Prism does not answer.');
}
