/** Files that are compressed are files; compressed bytes under a plain name are named as such. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { NDJSON_GZIP_KEY, NDJSON_KEY } from '../../src/contract/document-keys.ts';
import { MANIFEST_KEY } from '../../src/contract/keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Source } from '../../src/publish/source.ts';
import { wholeOf } from '../../src/storage/body.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { createCatalogue } from './catalogue.ts';
import { type S3Server, startS3 } from './s3-server.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.stop());

function openPrefix(prefix: string): Bucket {
  const { bucket, close } = server.open(`encoding-${prefix}`);
  onTestFinished(close);
  return bucket;
}

/** Keys by the encoding that the server states. */
async function encodings(bucket: Bucket): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for await (const { key } of bucket.list(''))
    found.set(key, (await bucket.inspect(key))!.headers!.contentEncoding);
  return found;
}

it('gives a Content-Encoding to no object of a build, not even the compressed download', async () => {
  const catalogue = createCatalogue(3);
  const bucket = openPrefix('plain');
  await catalogue.publish(bucket);
  const found = await encodings(bucket);
  expect(found.size).toBeGreaterThan(20);
  expect([...found].filter(([, encoding]) => encoding !== undefined)).toEqual([]);
  expect(await bucket.inspect(NDJSON_GZIP_KEY)).toMatchObject({
    headers: { contentType: 'application/gzip' },
  });
  const { body } = (await bucket.read(NDJSON_GZIP_KEY))!;
  expect(body).toEqual(readFileSync(join(catalogue.public, NDJSON_GZIP_KEY)));
  expect(gunzipSync(body)).toEqual((await bucket.read(NDJSON_KEY))!.body);
});

it('publishes compressed bytes of a source with their encoding', async () => {
  const catalogue = createCatalogue(3);
  await catalogue.build();
  const plain = await openDist(catalogue.out);
  const isCompressed = (key: string) => key.startsWith('_catalogue/pages/') && key.endsWith('.json');
  const source: Source = {
    ...plain,
    body: async (object) =>
      isCompressed(object.key) ? gzipSync(await wholeOf(await plain.body(object))) : plain.body(object),
  };
  const bucket = openPrefix('compressed');
  await publishRelease(bucket, source);
  const found = await encodings(bucket);
  expect(found.has(MANIFEST_KEY)).toBe(true);
  expect([...found].filter(([, encoding]) => encoding === 'gzip').map(([key]) => key)).toEqual(
    [...found.keys()].filter(isCompressed),
  );
  expect([...found.keys()].filter(isCompressed)).toHaveLength(4);
});
