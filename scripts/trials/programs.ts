/** What the generated clients are made to do: every operation and every download, each answer looked at. */

/** Checks what the calls of a client gave: the same for every generator. */
const CHECKS = `
function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}
const lines = (text: string): unknown[] => text.trimEnd().split('\\n').map((line) => JSON.parse(line));
`;

/** The code that generates a client, and the program that uses it. */
export type Trial = {
  readonly name: string;
  /** Arguments of \`npx\`, in the folder of the tools. */
  readonly generate: (url: string) => readonly string[];
  /** Files that it needs, by name. */
  readonly files: (url: string) => Readonly<Record<string, string>>;
  /** The program, given the URL of the catalogue. */
  readonly program: (url: string) => string;
};

export const TRIALS: readonly Trial[] = [
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
const none = await client.GET('/api/v1/public/properties', { params: { query: { 'page[number]': 0 } } });
expect(none.error!.status === 400 && none.error!.detail.includes('page[number]'), 'a problem');
const index = await client.GET('/index.json');
expect(index.data!.release.length === 32, 'getIndex');
const countries = await client.GET('/_catalogue/countries.json');
const country: components['schemas']['Country'] = countries.data!.countries[0]!;
expect(country.properties > 0, 'getCountries');
const cities = await client.GET('/_catalogue/countries/{country}.json', { params: { path: { country: country.code } } });
expect(cities.data!.cities.length === country.cities, 'getCities');
const places = await client.GET('/_catalogue/points/{country}.json', { params: { path: { country: country.code } } });
expect(places.data!.titles.length === country.properties, 'getPoints');
const all = await client.GET('/properties.ndjson', { parseAs: 'text' });
const text: string = all.data!;
expect((lines(text)[0] as components['schemas']['PropertyRecord']).id.length === 36, 'downloadProperties');
const packed = await client.GET('/properties.ndjson.gz', { parseAs: 'blob' });
expect((packed.data as unknown as Blob).size > 1000, 'downloadCompressedProperties');
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
      'openapi-ts',
      '-i',
      'openapi.json',
      '-o',
      'hey',
      '-c',
      '@hey-api/client-fetch',
      '--no-log-file',
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
const none = await api.listProperties({ query: { 'page[number]': 0 } });
expect(none.error!.status === 400 && none.error!.detail.includes('page[number]'), 'a problem');
const index = await api.getIndex();
expect(index.data!.release.length === 32, 'getIndex');
const countries = await api.getCountries();
const country: api.Country = countries.data!.countries[0]!;
expect(country.properties > 0, 'getCountries');
const cities = await api.getCities({ path: { country: country.code } });
expect(cities.data!.cities.length === country.cities, 'getCities');
const places = await api.getPoints({ path: { country: country.code } });
expect(places.data!.titles.length === country.properties, 'getPoints');
const all = await api.downloadProperties({ parseAs: 'text' });
const text: string = all.data!;
expect((lines(text)[0] as api.PropertyRecord).id.length === 36, 'downloadProperties');
const packed = await api.downloadCompressedProperties();
expect(packed.data!.size > 1000, 'downloadCompressedProperties');
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
const places = await api.getPoints(country.code);
expect(places.status === 200 && places.data.titles.length === country.properties, 'getPoints');
const all = await api.downloadProperties();
if (all.status !== 200) throw new Error('downloadProperties');
expect((lines(await all.stream.text())[0] as api.PropertyRecord).id.length === 36, 'downloadProperties');
const packed = await api.downloadCompressedProperties();
expect(packed.status === 200 && packed.data.size > 1000, 'downloadCompressedProperties');
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
