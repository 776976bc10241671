/** The index of a catalogue without files of downloads names its root, whose parts the client reads. */
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { indexSchema, rootSchemaForOpenApi } from '../../src/contract/document-schemas.ts';
import { catalogueIndexText, indexedDownloads } from '../../src/documents/catalogue-index.ts';
import { csvFormatOfFields } from '../../src/documents/csv-format.ts';
import { dataPackageText } from '../../src/documents/data-package.ts';
import { dcatText } from '../../src/documents/dcat.ts';
import { openApiText } from '../../src/documents/openapi.ts';
import { digestOf } from '../../src/release/digest.ts';
import { rootText } from '../../src/tree/format/root.ts';

const RELEASE = 'a'.repeat(32);
const ROOT = `_catalogue/roots/${RELEASE}.json`;
const configuration = configurationSchema.parse({});
const texts = Array.from({ length: 700 }, (_, n) => `{"id":"${n}","title":"House ${n}"}\n`);
const fileOf = (key: string, text: string) => ({
  key,
  bytes: Buffer.byteLength(text),
  sha256: digestOf(text).repeat(2),
});

it('names the files of a small catalogue with their digests', () => {
  const files = ['ndjson', 'geojson', 'csv'].map((end) => fileOf(`properties.${end}`, end));
  const downloads = indexedDownloads({ parts: [], downloads: { files } }, RELEASE);
  expect(downloads.map(({ name, bytes, sha256, root }) => ({ key: name, bytes, sha256, root }))).toEqual(
    files.map((file) => ({ ...file, root: undefined })),
  );
  const { resources, columns } = JSON.parse(dataPackageText(configuration, downloads)) as {
    resources: { path: string }[];
    columns?: unknown;
  };
  expect([resources.map(({ path }) => path), columns]).toEqual([files.map(({ key }) => key), undefined]);
});

it('names the root of a large one, whose parts the client reads in order', async () => {
  const parts = texts.map((text) => fileOf(`_catalogue/parts/${digestOf(text)}.ndjson`, text));
  const downloads = indexedDownloads({ parts, downloads: undefined }, RELEASE);
  expect(downloads).toMatchObject([{ root: ROOT, bytes: texts.join('').length }]);
  const index = catalogueIndexText(configuration, {
    release: RELEASE,
    properties: 700,
    countries: 1,
    downloads,
  });
  expect(indexSchema.parse(JSON.parse(index)).downloads).toEqual(downloads);

  const details = texts.map((text, n) => ({ digest: digestOf(text), from: String(n).padStart(4, '0') }));
  const root = rootText({ contents: {}, countries: [], chunks: [], cityShards: [], details, facets: '' });
  expect(rootSchemaForOpenApi.parse(JSON.parse(root)).details).toHaveLength(700);
  const files = new Map([
    [ROOT, root],
    ['index.json', index],
  ]);
  for (const [n, text] of texts.entries()) files.set(parts[n]!.key, text);
  const client = createClient({
    baseUrl: 'http://x.example',
    fetch: async (url) => new Response(files.get(new URL(String(url)).pathname.slice(1)) ?? null),
  });
  const ids: string[] = [];
  for await (const { id } of client.downloadProperties()) ids.push(id);
  expect(ids).toEqual(texts.map((_, n) => String(n)));

  const { resources, columns } = JSON.parse(dataPackageText(configuration, downloads)) as {
    resources: { path: string }[];
    columns: unknown;
  };
  expect(resources.map(({ path }) => path)).toEqual(['index.json']);
  expect(columns).toEqual(csvFormatOfFields().fields);
});

it('names no address of the API on a host that answers no queries', () => {
  const relations = (host?: 'github-pages' | 'gitlab-pages' | 'netlify') => {
    const settings = configurationSchema.parse(host ? { host } : {});
    const index = catalogueIndexText(settings, {
      release: RELEASE,
      properties: 1,
      countries: 1,
      downloads: undefined,
    });
    const { links } = indexSchema.parse(JSON.parse(index));
    const { paths } = JSON.parse(openApiText(settings, undefined)) as { paths: object };
    const isQueried = Object.keys(paths).some((path) => path.startsWith('/api/'));
    return [
      links.some(({ href }) => href.startsWith('api/')),
      isQueried,
      dcatText(settings).includes('/api/'),
    ];
  };
  for (const host of [undefined, 'netlify'] as const) expect(relations(host)).toEqual([true, true, true]);
  for (const host of ['github-pages', 'gitlab-pages'] as const)
    expect(relations(host)).toEqual([false, false, false]);
});
