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
import { build } from '../../src/build/build.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { countObjects, objectsOf, type PublishedObject, type Release } from '../../src/release/release.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openTarget } from '../../src/storage/open.ts';
import { readOptions, wholeNumber } from '../command-line.ts';

const BUCKET = 'stays';
/** Objects of a publish between two turns of the bare loop, and objects of such a turn. */
const TURN = { publish: 3000, bare: 1000 };

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

    const bare = createBareLoop(endpoint, out, release, concurrency);
    await bare.send(TURN.bare);
    bare.reset();
    const { bucket, close } = await openTarget(`s3://${BUCKET}/publish`, { endpoint, concurrency });
    const memory = watchMemory();
    const { seconds } = await publishRelease(withTurns(bucket, bare), await openDist(out), { concurrency });
    const peak = memory.stop();
    bare.close();
    const repeated = await countRequests(bucket, out);
    writeFileSync(join(root, 'content', '0.yaml'), propertyYaml(0, 'new@house.example'));
    await build({ content: join(root, 'content'), out });
    const changed = await countRequests(bucket, out);
    close();
    // The turns of the bare loop are part of the time of the publish.
    const rate = objects / (seconds - bare.seconds());
    const bareRate = bare.count() / bare.seconds();
    console.log(`bare loop: ${bareRate.toFixed(0)} objects/s, ${bare.count()} objects in turns`);
    console.log(`publish: ${rate.toFixed(0)} objects/s`);
    console.log(`publish / bare loop: ${(rate / bareRate).toFixed(3)}`);
    console.log(`requests: ${repeated} with nothing to do, ${changed} for one changed detail`);
    console.log(`memory: ${peak.map((value) => `${value} MiB`).join(', ')} (peak of each tenth of the time)`);
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
    writeFileSync(join(content, `${n}.yaml`), propertyYaml(n));
  }
  writeFileSync(
    join(content, 'catalogue.yaml'),
    `page_sizes: [${sizesFor(wanted, properties).join(', ')}]\n`,
  );
  const out = join(root, 'dist');
  await build({ content, out });
  return out;
}

function propertyYaml(n: number, email = 'a@house.example'): string {
  const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  return `id: ${id}\ntitle: House ${n}\ncurrency: EUR\nemail: ${email}\nphone: +353 1 605 7700\ncity: City ${n % 10}\ncountry: IE\nlatitude: 53.27194\nlongitude: -9.04889\n`;
}

/** Publishes what was built. Returns the number of requests that it took. */
async function countRequests(bucket: Bucket, out: string): Promise<number> {
  let count = 0;
  const counted = Object.fromEntries(
    Object.entries(bucket).map(([name, method]) => {
      if (typeof method !== 'function') return [name, method];
      const counting = (...args: never[]) => {
        count++;
        return (method as (...args: never[]) => unknown)(...args);
      };
      return [name, counting];
    }),
  );
  await publishRelease(counted as Bucket, await openDist(out));
  return count;
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

/** Sends objects of the release with nothing but the SDK. */
type BareLoop = {
  send: (count: number) => Promise<void>;
  /** Objects sent, and the seconds that it took. */
  count: () => number;
  seconds: () => number;
  reset: () => void;
  close: () => void;
};

function createBareLoop(endpoint: string, out: string, release: Release, concurrency: number): BareLoop {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: concurrency } },
  });
  client.middlewareStack.remove('addExpectContinueMiddleware');
  const objects = someObjects(release, 5 * TURN.bare);
  const bodies = objects.map(({ key }) => readFileSync(join(out, 'public', key)));
  let turn = 0;
  let sent = 0;
  let seconds = 0;
  return {
    async send(count) {
      let next = 0;
      turn++;
      const started = performance.now();
      await Promise.all(
        Array.from({ length: concurrency }, async () => {
          while (next < count) {
            const index = next++ % objects.length;
            await client.send(
              new PutObjectCommand({
                Bucket: BUCKET,
                Key: `bare/${turn}/${objects[index]!.key}`,
                Body: bodies[index]!,
                ContentType: 'application/json',
                CacheControl: 'public, max-age=60',
              }),
            );
          }
        }),
      );
      seconds += (performance.now() - started) / 1000;
      sent += count;
    },
    count: () => sent,
    seconds: () => seconds,
    reset() {
      sent = 0;
      seconds = 0;
    },
    close: () => client.destroy(),
  };
}

/** Gives way to the bare loop now and then, so that both meet the same server and the same machine. */
function withTurns(bucket: Bucket, bare: BareLoop): Bucket {
  let writes = 0;
  let inFlight = 0;
  let turn: Promise<void> | undefined;
  const takeTurn = async () => {
    while (inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
    await bare.send(TURN.bare);
    turn = undefined;
  };
  return {
    ...bucket,
    async write(...args) {
      while (turn) await turn;
      inFlight++;
      try {
        return await bucket.write(...args);
      } finally {
        inFlight--;
        if (++writes % TURN.publish === 0) turn ??= takeTurn();
      }
    },
  };
}

/** Every so-many-th page: pages are nearly all objects, and their sizes differ. */
function someObjects(release: Release, count: number): PublishedObject[] {
  const objects: PublishedObject[] = [];
  const every = Math.max(1, Math.floor(countObjects(release) / count));
  let place = 0;
  for (const object of objectsOf(release, 'page')) if (place++ % every === 0) objects.push(object);
  // In no order of size, so that one turn is like another.
  return objects.map((_object, index) => objects[(index * 7919) % objects.length]!);
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
