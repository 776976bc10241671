/** Whatever fails, at whichever request: nothing is lost, no reader sees half, and running it again ends it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MANIFEST_KEY, mediaKey, propertyKey } from '../../src/contract/layout.ts';
import { type Bucket, tagOf } from '../../src/publish/bucket.ts';
import { isControlKey } from '../../src/publish/control.ts';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { withRetry } from '../../src/publish/retry.ts';
import { createCatalogue, dated, objects, photo, tree } from './catalogue.ts';
import { type Fault, type FaultyProxy, startProxy } from './proxy.ts';
import { S3_BUCKET, type S3Server, startS3 } from './s3-server.ts';

let server: S3Server;
let proxy: FaultyProxy;
beforeAll(async () => {
  server = await startS3();
  proxy = await startProxy(server.endpoint);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

/** Two releases that differ in everything that can differ. */
async function makeReleases(): Promise<{ source: DistSource; objects: Map<string, string> }[]> {
  // Files that never change would only take time.
  const catalogue = createCatalogue(26, 'page_sizes: [25]\ndocs: false\nexplorer: {enabled: false}\n');
  for (const name of ['a', 'b']) catalogue.write(`${name}.jpg`, await photo(name.charCodeAt(0)));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  const one = await catalogue.buildTo('one');
  catalogue.add(1, { photo: [{ file: 'b.jpg' }] });
  for (const n of [25, 26]) catalogue.remove(`house-${n}.yaml`);
  catalogue.add(0);
  const other = await catalogue.buildTo('other');
  return Promise.all(
    [one, other].map(async (out) => {
      const source = dated(await openDist(out), `2026-01-01T00:00:00Z`);
      const { bytes } = source.release;
      return { source, objects: tree(`${out}/public`).set(MANIFEST_KEY, tagOf(bytes)) };
    }),
  );
}

/** The objects of a bucket, but for photos of another release: they stay until they are pruned. */
async function live(bucket: Bucket, expected: Map<string, string>): Promise<Map<string, string>> {
  const found = await objects(bucket);
  for (const key of found.keys()) if (key.startsWith('media/') && !expected.has(key)) found.delete(key);
  return found;
}

/** Reads the first page again and again: whatever it lists must be there. Returns what was not. */
function startReader(
  bucket: Bucket,
  watched: (key: string) => boolean,
): { stop: () => Promise<{ reads: number; violations: string[] }> } {
  let isRunning = true;
  const violations: string[] = [];
  let reads = 0;
  const list = async () => {
    const page = await bucket.read('_catalogue/pages/-/-/25-1.json');
    if (!page) return [];
    const { data } = JSON.parse(page.body.toString()) as { data: { id: string; thumbnail: string | null }[] };
    const keys = data.flatMap(({ id, thumbnail }) => [
      propertyKey(id),
      ...(thumbnail ? [mediaKey(thumbnail.slice(thumbnail.lastIndexOf('/') + 1))] : []),
    ]);
    return keys.filter(watched);
  };
  const run = async () => {
    while (isRunning) {
      const keys = await list();
      const present = await Promise.all(keys.map(async (key) => (await bucket.inspect(key)) !== undefined));
      const missing = keys.filter((_key, index) => !present[index]);
      // The list may have been replaced between the two looks.
      const still = missing.length > 0 ? await list() : [];
      violations.push(...missing.filter((key) => still.includes(key)));
      reads++;
      await sleep(50);
    }
  };
  const running = run();
  running.catch(() => {});
  onTestFinished(async () => {
    isRunning = false;
    await running.catch(() => {});
  });
  return {
    async stop() {
      isRunning = false;
      await running;
      return { reads, violations };
    },
  };
}

const FAULTS: [name: string, fault: Fault][] = [
  ['the connection is reset', 'reset'],
  ['the server fails with 500', { status: 500, code: 'InternalError' }],
  ['the server is too busy (503)', { status: 503, code: 'SlowDown' }],
  ['the server sees a conflict (409)', { status: 409, code: 'ConditionalRequestConflict' }],
  ['the answer is truncated', 'truncated'],
  ['no answer comes after the server did it', 'timeout'],
  ['nothing gets through any more', 'outage'],
  ['the answer is slow', 'slow'],
];

describe('at every request in turn', () => {
  it.each(FAULTS)('%s', { timeout: 900_000 }, async (_name, fault) => {
    const releases = await makeReleases();
    const prefix = `fault-${FAULTS.findIndex(([, one]) => one === fault)}`;
    const direct = server.open(prefix, { connections: 8 });
    const timeout = fault === 'timeout' ? 250 : 20_000;
    const through = server.open(prefix, { endpoint: proxy.endpoint, connections: 8, timeout });
    const patient = server.open(prefix, { endpoint: proxy.endpoint, connections: 8 });
    onTestFinished(() => {
      for (const { close } of [direct, through, patient]) close();
    });
    // A machine that stands still for a while lets connections go that nobody asked to fail.
    const bucket = withRetry(direct.bucket);
    const steady = withRetry(patient.bucket);
    await publishRelease(bucket, releases[0]!.source, { concurrency: 8 });
    // What both releases have is never in doubt.
    const isShared = (key: string) => releases.every((release) => release.objects.has(key));
    const reader = startReader(bucket, (key) => !isShared(key));
    let interrupted = 0;
    let index = 0;
    for (let turn = 1; turn < 200; turn++) {
      const { source, objects: expected } = releases[turn % 2]!;
      let wasHit = false;
      proxy.onRequest((number) => {
        wasHit ||= number === index;
        return number === index ? fault : undefined;
      });
      const outcome = await publishRelease(through.bucket, source, { concurrency: 4 }).then(
        () => 'published',
        (error: { code: string }) => error.code,
      );
      if (!wasHit && outcome === 'published') break;
      if (fault === 'slow' && wasHit) expect(outcome).toBe('published');
      if (outcome !== 'published') interrupted++;
      const arrived = new Set(
        puts(prefix)
          .filter(({ status }) => status === 200)
          .map(({ key }) => key),
      );

      proxy.onRequest(() => undefined);
      await publishRelease(steady, source, { concurrency: 8, lock: { force: true } });
      expect(await live(bucket, expected), `request ${index}`).toEqual(expected);
      expect(await bucket.read('_catalogue/lock.json')).toBeUndefined();
      const again = puts(prefix).filter(({ key }) => arrived.has(key) && !isControlKey(key));
      expect(again, `request ${index}`).toEqual([]);
      // On a busy machine another request may have failed before.
      if (wasHit) index++;
      else expect(outcome).not.toBe('published');
    }
    const { reads, violations } = await reader.stop();
    expect(violations).toEqual([]);
    expect(reads).toBeGreaterThan(10);
    // Every request of a publish was hit, and nearly every hit ended it: a probe that stays behind does not.
    expect(index).toBeGreaterThan(25);
    if (fault !== 'slow') expect(interrupted).toBeGreaterThan(0.8 * index);
  });

  function puts(prefix: string) {
    const start = `/${S3_BUCKET}/${prefix}/`;
    return proxy.exchanges
      .filter(({ method }) => method === 'PUT')
      .map(({ path, status }) => {
        const whole = path.replace(/\?.*/, '');
        return { key: decodeURIComponent(whole.slice(whole.indexOf(start) + start.length)), status };
      });
  }
});

it('goes through a storm of faults without being run again', { timeout: 600_000 }, async () => {
  const releases = await makeReleases();
  const direct = server.open('storm');
  const through = server.open('storm', { endpoint: proxy.endpoint, connections: 8, timeout: 2000 });
  onTestFinished(() => {
    direct.close();
    through.close();
  });
  const bucket = withRetry(through.bucket, { attempts: 12, delay: 2, longest: 30 });
  let state = 42;
  let faults = 0;
  proxy.onRequest((_index, { method }) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const which = Math.floor((state / 2_147_483_648) * 24);
    const [name, fault] = FAULTS[which] && which < 5 ? FAULTS[which] : ['', undefined];
    // An answer to HEAD has no body, and cannot tell which conflict it is; no server sees one there.
    if (method === 'HEAD' && name.includes('409')) return undefined;
    if (fault) faults++;
    return fault;
  });
  for (const { source, objects: expected } of [...releases, ...releases]) {
    const { outcome } = await publishRelease(bucket, source, { concurrency: 8 });
    expect(outcome).toBe('published');
    expect(await live(direct.bucket, expected)).toEqual(expected);
  }
  expect(faults).toBeGreaterThan(20);
});

it('an interrupted publish can be followed by another release, or undone', { timeout: 600_000 }, async () => {
  const releases = await makeReleases();
  const direct = server.open('other');
  const through = server.open('other', { endpoint: proxy.endpoint });
  onTestFinished(() => {
    direct.close();
    through.close();
  });
  await publishRelease(direct.bucket, releases[0]!.source);
  for (const stop of [14, 18, 24, 30]) {
    proxy.onRequest((number) => (number === stop ? 'reset' : undefined));
    await expect(
      publishRelease(through.bucket, releases[1]!.source, { concurrency: 2 }),
    ).rejects.toMatchObject({
      code: 'bucket-unreachable',
    });
    // The manifest still tells of the first release, and yet there is something to do.
    const notes: string[] = [];
    const { outcome } = await publishRelease(direct.bucket, releases[0]!.source, {
      listener: (event) => void (event.kind === 'note' && notes.push(event.text)),
    });
    expect(outcome).toBe('published');
    expect(notes).toEqual([
      `An earlier publish to ${direct.bucket.name} did not end: its objects were listed.`,
    ]);
    expect(await live(direct.bucket, releases[0]!.objects)).toEqual(releases[0]!.objects);
    expect((await direct.bucket.read(MANIFEST_KEY))?.body).toEqual(releases[0]!.source.release.bytes);
  }
});
