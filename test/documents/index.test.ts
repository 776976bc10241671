/** Downloads of many parts: lists name them, a change changes one list, and the client reads them all. */
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { downloadListSchema, indexSchema } from '../../src/contract/downloads.ts';
import { dataPackageText } from '../../src/documents/data-package.ts';
import { type DownloadFiles, downloadsOf, indexText } from '../../src/documents/index.ts';
import { digestOf } from '../../src/release/digest.ts';

const RELEASE = 'a'.repeat(32);
const configuration = configurationSchema.parse({});
const partOf = (n: number, text: string): DownloadFiles => {
  const key = `_catalogue/parts/${digestOf(text)}.ndjson`;
  const bytes = Buffer.byteLength(text);
  return { from: `id ${n}`, properties: 1, files: [{ key, bytes, sha256: digestOf(text).repeat(2) }] };
};
const texts = Array.from({ length: 700 }, (_, n) => `{"id":"${n}","title":"House ${n}"}\n`);

it('names up to 64 parts in the index itself', () => {
  const lists = new Map<string, string>();
  const [download] = downloadsOf(
    texts.slice(0, 64).map((text, n) => partOf(n, text)),
    lists,
  );
  expect(download).toMatchObject({ parts: { length: 64 } });
  expect([download!.lists, lists.size]).toEqual([undefined, 0]);
});

it('names more parts in lists, which the client follows, and a changed part changes one list', async () => {
  const lists = new Map<string, string>();
  const parts = texts.map((text, n) => partOf(n, text));
  const downloads = downloadsOf(parts, lists);
  const index = indexText(configuration, { release: RELEASE, properties: 700, countries: 1, downloads });
  expect(indexSchema.parse(JSON.parse(index)).downloads).toEqual(downloads);
  expect(downloads[0]).toMatchObject({ parts: [], bytes: texts.join('').length });
  expect(Buffer.byteLength(index)).toBeLessThan(6000);
  const named = downloads[0]!.lists!.map(({ href, parts, properties }) => {
    const list = downloadListSchema.parse(JSON.parse(lists.get(href)!));
    expect([list.parts.length, list.parts.length]).toEqual([parts, properties]);
    expect(parts).toBeLessThanOrEqual(256);
    return list.parts.map(({ href }) => href);
  });
  expect(named.flat()).toEqual(parts.map(({ files }) => files[0]!.key));

  const files = new Map([...lists, ['index.json', index]]);
  for (const [n, text] of texts.entries()) files.set(parts[n]!.files[0]!.key, text);
  const client = createClient({
    baseUrl: 'http://x.example',
    fetch: async (url) => new Response(files.get(new URL(String(url)).pathname.slice(1)) ?? null),
  });
  const ids: string[] = [];
  for await (const { id } of client.downloadProperties()) ids.push(id);
  expect(ids).toEqual(texts.map((_, n) => String(n)));

  const after = new Map<string, string>();
  downloadsOf(parts.with(350, partOf(350, 'other')), after);
  expect([...after.keys()].filter((key) => !lists.has(key))).toHaveLength(1);
  const { resources } = JSON.parse(dataPackageText(configuration, { release: RELEASE, downloads })) as {
    resources: { path: string }[];
  };
  expect(resources.map(({ path }) => path)).toEqual(['index.json']);
});
