/**
 * How fast a publish is, against the rate that the same server takes from a bare loop with the same concurrency, in
 * one run; and how much memory it needs.
 *
 *   node --expose-gc --import tsx scripts/bench/publish.ts [--objects 54000] [--concurrency 32] [--endpoint <url>]
 *
 * Without an endpoint the server is the local one of Cloudflare R2. With one, the bucket `stays` must exist, and the
 * credentials come from the environment.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Miniflare } from 'miniflare';
import { build } from '../../src/pipeline/build.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { countObjects, objectsOf, type PublishedObject, type Release } from '../../src/publish/release.ts';
import { openTarget } from '../../src/publish/target.ts';
import { readOptions, wholeNumber } from '../command-line.ts';

const BUCKET = 'stays';
/** Objects that the bare loop sends before, and again after, so that a server which slows down is told. */
const PART = 0.25;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), {
    objects: { type: 'string', default: '54000' },
    concurrency: { type: 'string', default: '32' },
    endpoint: { type: 'string' },
  });
  const wanted = wholeNumber('objects', String(options.objects), 1000);
  const concurrency = wholeNumber('concurrency', String(options.concurrency), 1);
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'catalogue-bench-'));
  const server = options.endpoint ? undefined : startServer(root);
  try {
    const endpoint = options.endpoint
      ? String(options.endpoint)
      : `${(await server!.ready).origin}/cdn-cgi/local/r2/s3`;
    const out = await buildCatalogue(root, wanted);
    const { release } = await openDist(out);
    const objects = countObjects(release) + 1;
    console.log(
      `${objects} objects of ${release.sequence.length} properties, ${concurrency} requests in flight`,
    );

    const part = Math.round(objects * PART);
    const before = await bareLoop(endpoint, out, release, part, concurrency, 'before');
    console.log(`bare loop before: ${before.toFixed(0)} objects/s`);
    const { bucket, close } = await openTarget(`s3://${BUCKET}/publish`, { endpoint, concurrency });
    const memory = watchMemory();
    const source = await openDist(out);
    const { seconds } = await publishRelease(bucket, source, { concurrency });
    const peak = memory.stop();
    close();
    const rate = objects / seconds;
    console.log(`publish: ${rate.toFixed(0)} objects/s, ${seconds.toFixed(1)} s`);
    console.log(`memory: ${peak.map((value) => `${value} MiB`).join(', ')} (peak of each tenth of the time)`);
    const after = await bareLoop(endpoint, out, release, part, concurrency, 'after');
    console.log(`bare loop after: ${after.toFixed(0)} objects/s`);
    const bare = 2 / (1 / before + 1 / after);
    console.log(`publish / bare loop: ${(rate / bare).toFixed(3)}`);
  } finally {
    await server?.dispose();
    rmSync(root, { recursive: true, force: true });
  }
}

function startServer(root: string): Miniflare {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  return new Miniflare({
    modules: true,
    script: 'export default { fetch() { return new Response(); } }',
    r2Persist: join(root, 'server'),
    r2Buckets: {
      BUCKET: { id: BUCKET, s3Credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' } },
    },
  });
}

/** Builds a catalogue with about as many files as are wanted: every page size, ten cities. */
async function buildCatalogue(root: string, wanted: number): Promise<string> {
  const content = join(root, 'content');
  mkdirSync(content);
  // In every page size, a property adds about five pages to each of the four scopes that it is in.
  const properties = Math.max(30, Math.round(wanted / 20));
  for (let n = 0; n < properties; n++) {
    const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
    writeFileSync(
      join(content, `${n}.yaml`),
      `id: ${id}\ntitle: House ${n}\ncurrency: EUR\nemail: a@house.example\nphone: +353 1 605 7700\ncity: City ${n % 10}\ncountry: IE\nlatitude: 53.27194\nlongitude: -9.04889\n`,
    );
  }
  writeFileSync(
    join(content, 'catalogue.yaml'),
    `page_sizes: [${sizesFor(wanted, properties).join(', ')}]\n`,
  );
  const out = join(root, 'dist');
  await build({ content, out });
  return out;
}

/** The smallest page sizes that make enough pages, and the default one. */
function sizesFor(wanted: number, properties: number): number[] {
  const perCity = properties / 10;
  const sizes = [25];
  let pages = properties;
  for (let size = 1; size <= 100 && pages < wanted; size++) {
    if (size !== 25) sizes.push(size);
    // All, the country, and each city twice.
    pages += 2 * Math.ceil(properties / size) + 20 * Math.ceil(perCity / size);
  }
  return sizes;
}

/** Sends the first objects of the release with nothing but the SDK. Returns objects a second. */
async function bareLoop(
  endpoint: string,
  out: string,
  release: Release,
  count: number,
  concurrency: number,
  prefix: string,
): Promise<number> {
  const client = new S3Client({
    endpoint,
    region: 'auto',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: concurrency } },
  });
  client.middlewareStack.remove('addExpectContinueMiddleware');
  const objects = firstObjects(release, count);
  const bodies = objects.map(({ key }) => readFileSync(join(out, 'public', key)));
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < objects.length) {
        const index = next++;
        await client.send(
          new PutObjectCommand({
            Bucket: BUCKET,
            Key: `${prefix}/${objects[index]!.key}`,
            Body: bodies[index]!,
            ContentType: 'application/json',
            CacheControl: 'public, max-age=60',
          }),
        );
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  client.destroy();
  return objects.length / seconds;
}

function firstObjects(release: Release, count: number): PublishedObject[] {
  const objects: PublishedObject[] = [];
  // In the proportion of the whole: pages are nearly all.
  for (const object of objectsOf(release, 'page')) {
    if (objects.length >= count) break;
    objects.push(object);
  }
  return objects;
}

/** The peak of the memory in use, by tenths of the time that passes. */
function watchMemory(): { stop: () => number[] } {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(process.memoryUsage().rss / 2 ** 20), 100);
  return {
    stop() {
      clearInterval(timer);
      return Array.from({ length: 10 }, (_, tenth) => {
        const part = samples.slice(
          Math.floor((tenth * samples.length) / 10),
          Math.floor(((tenth + 1) * samples.length) / 10),
        );
        return Math.round(Math.max(0, ...part));
      });
    },
  };
}

await main();
