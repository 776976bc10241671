/** A publish in memory: its writes, their order and conditions, and its report. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { CURRENT_KEY, KEPT_RELEASES_KEY, propertyKey, rootKey } from '../../src/contract/object-keys.ts';
import { isSharedKey, objectKindOf } from '../../src/contract/object-kinds.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { type PublishOptions, publishRelease } from '../../src/publish/publish.ts';
import type { Purger, StaleContent } from '../../src/publish/purge/purge-caches.ts';
import { type StalePrefixes, stalePrefixesBetween } from '../../src/publish/purge/stale-prefixes.ts';
import type { ReleaseSource } from '../../src/publish/release-source.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { readTimeline } from '../../src/publish/timeline.ts';
import { digestOf } from '../../src/release/digest.ts';
import { sharedKeys, storedHeadersOf } from '../../src/release/release.ts';
import { parseCurrent } from '../../src/release/root-contents.ts';
import { readWholeBody } from '../../src/storage/body.ts';
import type { Bucket, ObjectHeaders, WriteCondition } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { isAtRest, isLogKey, logKey, readLog } from '../../src/storage/lock-log.ts';
import { openMemory } from '../storage/memory.ts';
import { createVirtualHost } from '../storage/virtual-host.ts';
import { allObjects, CACHING, contentOf, idOf, type MadeSource, type Making, makeSource } from './made.ts';
import { recorded } from './recorded.ts';
import { putEntry } from './remembered.ts';

const START = Date.UTC(2026, 0, 1);
/** Milliseconds for which a detail stays after it is unlisted. */
const LIFE = 45_000;
const PROBLEM = '_catalogue/problems/not-found.json';
const TIMELESS =
  'The release has no time, since its content is in no commit of git: its changes are not recorded.';

/** A release of these houses; each has a document that names them. */
function houses(numbers: readonly number[], more: Partial<Making> & { title?: string } = {}): MadeSource {
  const { title = 'House', ...rest } = more;
  const properties = numbers.map((n) => ({ id: idOf(n), title: `${title} ${n}` }));
  const of = `${title} ${numbers.join()}`;
  return makeSource({
    documents: { 'openapi.json': of, 'index.json': of, 'properties.ndjson': of, [PROBLEM]: 'p' },
    properties,
    ...rest,
  });
}

/** A packed release. */
const packed = (title: string) =>
  houses([1, 2], {
    ...{ title, api: { layout: 'packed' } },
  });

type Write = {
  readonly key: string;
  readonly headers: ObjectHeaders;
  readonly condition: WriteCondition | undefined;
};

/** A bucket with a clock that the test sets, its requests and messages. */
function open() {
  let now = START;
  const memory = openMemory({ name: 'store', now: () => new Date(now) });
  const { bucket, requests } = recorded(memory);
  const writes: Write[] = [];
  const events: PublishEvent[] = [];
  const watched: Bucket = {
    ...bucket,
    write(key, body, headers, condition) {
      writes.push({ key, headers, condition });
      return bucket.write(key, body, headers, condition);
    },
  };
  const forget = () => {
    for (const list of [requests, writes, events]) list.length = 0;
  };
  return {
    ...{ memory, bucket: watched, requests, writes, events },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    publish(source: ReleaseSource, options: PublishOptions = {}) {
      forget();
      return publishRelease(watched, source, { listener: (event) => void events.push(event), ...options });
    },
    /** Written and removed keys, except those of publishing itself. */
    changes: () =>
      requests.filter(
        (request) => /^(?:write|remove) /.test(request) && objectKindOf(request.split(' ')[1]!) !== 'control',
      ),
    notes: () => events.flatMap((event) => (event.kind === 'note' ? [event.text] : [])),
    async content() {
      const found = new Map<string, string>();
      for await (const { key } of memory.list(''))
        if (objectKindOf(key) !== 'control')
          found.set(key, (await memory.read(key))!.body.toString('latin1'));
      return found;
    },
  };
}

const whole = async (source: MadeSource) => new Map([...(await contentOf(source))].sort());

const NONE = {
  ...{ media: 0, details: 0, pages: 0, totals: 0, tree: 0 },
  ...{ problems: 0, documents: 0, history: 0 },
};

it('the first publish writes everything, each object with its headers, and records it', async () => {
  const { bucket, publish, writes, events, content } = open();
  const source = houses([1, 2, 3]);
  const started = performance.now();
  const { seconds, ...result } = await publish(source);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual((performance.now() - started) / 1000);
  const all = await whole(source);
  expect(result).toEqual({
    ...{ outcome: 'published', bucket: 'store', release: source.release.name, previous: null },
    written: { ...NONE, details: 3, pages: 8, totals: 4, tree: 7, problems: 1, documents: 5 },
    ...{ removed: 0, retired: 0, unchanged: 0, invalidated: {} },
    bytes: [...all.values()].reduce((sum, text) => sum + text.length, 0),
  });
  expect(await content()).toEqual(all);
  expect(events.filter((event) => event.kind === 'write' && !event.isNew)).toEqual([]);
  for (const { key, headers } of writes.filter((write) => objectKindOf(write.key) !== 'control'))
    expect(headers, key).toEqual(storedHeadersOf(source.release, key));
  const { name, build } = source.release;
  // Whoever follows an interrupted publish knows by it what may have arrived.
  expect(writes.find(({ key }) => objectKindOf(key) !== 'control')?.key).toBe(rootKey(name));
  const log = await readLog(bucket);
  expect(isAtRest(log)).toBe(true);
  expect(log.lastEntry).toMatchObject({ current: digestOf(source.bodies.get(CURRENT_KEY)!), due: null });
  expect(await readTimeline(bucket)).toEqual({
    live: [{ release: name, since: new Date(START).toISOString(), until: null, build }],
    ...{ before: [], coveredUntil: null, from: '2026-01-01T00:00:00.000Z' },
  });
});

it('a second publish of the same release takes three requests', async () => {
  const { publish, requests, events } = open();
  const source = houses([1]);
  await publish(source);
  const { outcome, previous, written, unchanged } = await publish(source);
  expect([outcome, previous, written]).toEqual(['unchanged', source.release.name, NONE]);
  expect(unchanged).toBe(allObjects(source.release).length + 1);
  expect(requests).toEqual(['list _catalogue/log/', `read ${logKey(3)}`, `read ${CURRENT_KEY}`]);
  expect(events).toEqual([{ kind: 'stage', stage: 'compare' }]);
  expect((await publish(source, { verify: true })).outcome).toBe('unchanged');
  expect(requests.filter((request) => request.startsWith('list') && !isLogKey(request))).toEqual(['list ']);
  expect(events).toEqual([{ kind: 'stage', stage: 'compare' }]);
});

it('a change is written in the order of references, current.json last, and reported', async () => {
  const { publish, changes, events, content, pass, requests } = open();
  const before = houses([1, 2, 3]);
  await publish(before);
  pass(1000);
  const after = houses([1, 2], { title: 'New' });
  const result = await publish(after, { concurrency: 1 });
  const page = (file: string) =>
    ['-/-', 'IE/-', 'IE/436f726b', '-/436f726b'].map((scope) => `_catalogue/pages/${scope}/${file}`);
  const known = sharedKeys(before.release);
  const all = allObjects(after.release).map(({ key }) => key);
  const tree = all.filter((key) => isSharedKey(key) && !known.includes(key));
  const written = [
    ...tree,
    ...[1, 2].map((n) => propertyKey(idOf(n))),
    ...page('2-1.json'),
    ...page('total'),
    ...['openapi.json', 'properties.ndjson', 'index.json', CURRENT_KEY],
  ];
  expect(changes()).toEqual([
    ...written.map((key) => `write ${key}`),
    ...page('2-2.json').map((key) => `remove ${key}`),
  ]);
  expect(result).toMatchObject({
    ...{ outcome: 'published', previous: before.release.name, removed: 4, retired: 1, unchanged: 2 },
    written: { ...NONE, details: 2, pages: 4, totals: 4, tree: 6, documents: 4 },
  });
  const texts = await whole(after);
  const sizeOf = (key: string) => texts.get(key)!.length;
  const reported = written.flatMap((key, index): PublishEvent[] => [
    { kind: 'write', key, isNew: isSharedKey(key), size: sizeOf(key) },
    { kind: 'progress', done: index + 1, total: written.length - 1 },
  ]);
  // `current.json` is written apart.
  reported.pop();
  const naming = 2 * (tree.length + 2 + 4 + 4);
  expect(events).toEqual([
    ...['compare', 'check', 'write'].map((stage) => ({ kind: 'stage', stage })),
    ...reported.slice(0, naming),
    { kind: 'note', text: TIMELESS },
    ...reported.slice(naming),
    { kind: 'stage', stage: 'remove' },
    ...page('2-2.json').map((key) => ({ kind: 'remove', key })),
  ]);
  // The publish requests nothing about details that this release lacks.
  expect(requests.filter((request) => /^list/.test(request) && !isLogKey(request))).toEqual([]);
  // No list names the third house any longer; it stays for readers of cached lists.
  expect((await content()).has(propertyKey(idOf(3)))).toBe(true);
  await publish(houses([1, 2, 4], { title: 'New' }), { concurrency: 1 });
  const news = events.filter((event) => event.kind === 'write' && event.isNew && !isSharedKey(event.key));
  expect(news).toMatchObject([propertyKey(idOf(4)), ...page('2-2.json')].map((key) => ({ key })));
});

it('compressed bytes of a source are published with their encoding', async () => {
  const { publish, writes } = open();
  const source = houses([1]);
  const body: ReleaseSource['body'] = async (object) => {
    const bytes = await readWholeBody(await source.body(object));
    return object.kind === 'page' ? gzipSync(bytes) : bytes;
  };
  await publish({ ...source, body });
  const encoded = writes.filter(({ headers }) => headers.contentEncoding === 'gzip').map(({ key }) => key);
  expect(encoded).toEqual(writes.map(({ key }) => key).filter((key) => /pages\/.*json$/.test(key)));
  expect(encoded).toHaveLength(4);
});

it('an error of the store is passed on unchanged', async () => {
  const { publish, bucket } = open();
  await publish(packed('one'));
  const broken = new Error('broken');
  const failing: Bucket = {
    ...bucket,
    write: (key, ...rest) => (key === CURRENT_KEY ? Promise.reject(broken) : bucket.write(key, ...rest)),
  };
  await expect(publishRelease(failing, packed('two'))).rejects.toBe(broken);
});

it('an unlisted detail is removed when no cache can serve a list with it', async () => {
  const { publish, pass, memory, content, changes } = open();
  await publish(houses([1, 2, 3]));
  await publish(houses([1, 2]));
  const gone = propertyKey(idOf(3));
  const due = Date.parse((await readTimeline(memory)).before[0]!.until);
  expect(due - START).toBeGreaterThanOrEqual(LIFE);
  expect(due - START).toBeLessThan(LIFE + 10_000);
  expect((await readLog(memory)).lastEntry!.due).toBe(new Date(due).toISOString());
  pass(due - START - 1);
  expect((await publish(houses([1, 2]))).outcome).toBe('unchanged');
  expect((await content()).has(gone)).toBe(true);
  pass(1);
  const result = await publish(houses([1, 2]));
  expect([result.outcome, result.removed, result.retired]).toEqual(['published', 1, 0]);
  expect(changes()).toEqual([`remove ${gone}`]);
  expect((await readTimeline(memory)).before).toEqual([]);
  expect((await readLog(memory)).lastEntry!.due).toBeNull();
  expect((await publish(houses([1, 2]))).outcome).toBe('unchanged');
});

it('a detail keeps its due date through later publishes', async () => {
  const { publish, pass, memory } = open();
  await publish(houses([1, 2, 3]));
  await publish(houses([1, 2]));
  const [first] = (await readTimeline(memory)).before;
  pass(1000);
  expect((await publish(houses([1]))).retired).toBe(2);
  const { before } = await readTimeline(memory);
  expect([before[0], before.length]).toEqual([first, 2]);
});

it('a detail that is listed again stays; without caches an unlisted one is removed at once', async () => {
  const { publish, pass, memory, content, changes, requests } = open();
  await publish(houses([1, 2, 3]));
  await publish(houses([1, 2]));
  pass(10 * LIFE);
  await publish(houses([1, 2, 3]));
  expect((await readLog(memory)).lastEntry!.due).toBeNull();
  expect((await content()).has(propertyKey(idOf(3)))).toBe(true);
  const api = { cache_control: { ...CACHING, api: 'no-store' } };
  await publish(houses([1, 2, 3], { api }));
  // Caches may still serve the lists of the release before this one.
  await publish(houses([1, 2], { api }));
  expect((await readLog(memory)).lastEntry!.due).not.toBeNull();
  await publish(houses([1, 2, 3], { api }));
  pass(10 * LIFE);
  await publish(houses([1, 2], { api }));
  expect((await readLog(memory)).lastEntry!.due).toBeNull();
  expect(changes().at(-1)).toBe(`remove ${propertyKey(idOf(3))}`);
  expect(requests.filter((request) => request.startsWith('list') && !isLogKey(request))).toEqual([]);
});

it('a refused publish writes nothing, and returns the lock as it was', async () => {
  const { publish, memory, changes, content } = open();
  const at = (time: string, more = {}) => houses([1, 2, 3, 4, 5, 6, 7], { time, ...more });
  const live = at('2026-03-01T12:00:00+01:00');
  await publish(live);
  const before = await content();
  const last = (await readLog(memory)).lastEntry!;
  const refused = async (source: ReleaseSource, code: string, options: PublishOptions = {}) => {
    await expect(publish(source, options)).rejects.toMatchObject({ name: 'UsageError', code });
    expect(changes()).toEqual([]);
    expect(await content()).toEqual(before);
    const { current, suspect, releases, kind } = (await readLog(memory)).lastEntry!;
    expect({ current, suspect, releases, kind }).toEqual({
      ...{ current: last.current, suspect: false, releases: [], kind: 'end' },
    });
  };
  await refused(houses([]), 'empty-catalogue', { allowShrink: true });
  await refused(at('2026-03-01T10:59:59Z', { title: 'Old' }), 'older-commit');
  await refused(houses([1]), 'too-many-removed');
  await refused(houses([1]), 'too-many-removed', { maxShrink: 80 });
  const damaged: ReleaseSource = {
    ...houses([1, 2, 3, 4, 5, 6]),
    check: () => Promise.reject(Object.assign(new Error('x'), { name: 'UsageError', code: 'dist-damaged' })),
  };
  await refused(damaged, 'dist-damaged');
  const shrunk = (options: PublishOptions) => publishRelease(withDryRun(memory), houses([1]), options);
  expect((await shrunk({ maxShrink: 90 })).outcome).toBe('published');
  expect((await shrunk({ allowShrink: true })).outcome).toBe('published');
  expect((await publish(at('2026-03-01T10:59:59Z', { title: 'Old' }), { allowOlder: true })).outcome).toBe(
    'published',
  );
});

it('a release of a later version is not replaced without the option for it', async () => {
  const { publish, memory, requests } = open();
  await memory.write(CURRENT_KEY, Buffer.from('{"version":4}'), CONTROL_OBJECT_HEADERS);
  await expect(publish(houses([1]))).rejects.toMatchObject({ code: 'newer-version' });
  expect(requests).toEqual(['list _catalogue/log/', `read ${CURRENT_KEY}`]);
  // The writer of that is unknown: the lock would wait.
  const options = { allowOlder: true, lock: { isExclusive: false } };
  expect((await publish(houses([1]), options)).outcome).toBe('published');
});

it('all objects that are read are checked before the first write', async () => {
  const { publish, requests } = open();
  const checked: string[] = [];
  const source = houses([1, 2]);
  await publish({
    ...source,
    async check(objects) {
      expect(requests.some((request) => request.startsWith('write _catalogue/roots/'))).toBe(false);
      for (const { key } of objects) checked.push(key);
    },
  });
  const read = allObjects(source.release).filter(({ kind }) => kind !== 'page' && kind !== 'total');
  expect(checked).toEqual(read.map(({ key }) => key));
});

it('a bucket without a valid current.json is listed, and gets the missing objects', async () => {
  const { publish, memory, notes, content, requests } = open();
  const source = houses([1, 2]);
  await publish(source);
  await memory.remove([CURRENT_KEY, propertyKey(idOf(2))]);
  await memory.write('robots.txt', Buffer.from('mine'), CONTROL_OBJECT_HEADERS);
  expect((await publish(source)).written).toEqual({ ...NONE, details: 1, tree: 1 });
  const none = 'There is no live release in store: its objects were listed.';
  const one = '1 object in store that the catalogue did not write: publishing leaves them as they are.';
  expect(notes()).toEqual([none, one, TIMELESS]);
  expect(requests.filter((request) => request.startsWith('list'))).toContain('list ');
  await memory.write('humans.txt', Buffer.from('mine'), CONTROL_OBJECT_HEADERS);
  await memory.write(CURRENT_KEY, Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  const result = await publish(source);
  expect([result.written, result.previous]).toEqual([{ ...NONE, tree: 1 }, null]);
  expect(notes()).toEqual([
    'The live release of store is damaged: its objects were listed.',
    '2 objects in store that the catalogue did not write: publishing leaves them as they are.',
    TIMELESS,
  ]);
  expect([...(await content()).keys()]).toEqual(
    expect.arrayContaining([...(await whole(source)).keys(), 'robots.txt']),
  );
});

it('the next publish only records an interrupted one whose release was live already', async () => {
  for (const isExclusive of [true, false]) {
    const { publish, bucket, memory, changes } = open();
    const source = houses([1]);
    const cut: Bucket = {
      ...bucket,
      write: (key, ...rest) =>
        key === KEPT_RELEASES_KEY ? Promise.reject(new Error('cut off')) : bucket.write(key, ...rest),
    };
    await expect(publishRelease(cut, source, { keptDays: 1 })).rejects.toThrow('cut off');
    const { host } = createVirtualHost();
    expect((await publish(source, { lock: { isExclusive, host } })).outcome).toBe('published');
    expect(changes()).toEqual([]);
    expect((await readTimeline(memory)).live.map(({ release }) => release)).toEqual([source.release.name]);
  }
});

it('the same content of another commit replaces only current.json', async () => {
  const { publish, memory, content } = open();
  const of = (time: string) => houses([1, 2], { time });
  await publish(of('2026-03-01T12:00:00Z'));
  const result = await publish(of('2026-03-02T12:00:00Z'));
  expect(result).toMatchObject({ outcome: 'published', previous: of('2026').release.name });
  expect(result.written).toEqual({ ...NONE, tree: 1 });
  expect((await content()).get(CURRENT_KEY)).toBe(
    of('2026-03-02T12:00:00Z').bodies.get(CURRENT_KEY)!.toString(),
  );
  expect((await readTimeline(memory)).live).toMatchObject([{ build: { time: '2026-03-02T12:00:00Z' } }]);
});

it('a rollback restores the previous release, and sends nothing that the bucket keeps', async () => {
  const { publish, bucket, requests, content, events } = open();
  const [one, two] = [packed('one'), packed('two')];
  await publish(one);
  const before = await content();
  await publish(two);
  requests.length = 0;
  const result = await rollBack(bucket, undefined, { listener: (event) => void events.push(event) });
  expect([result.release, result.previous]).toEqual([one.release.name, two.release.name]);
  expect(requests.filter((request) => /^write .*(?:chunks|roots)\//.test(request))).toEqual([]);
  expect(await content()).toEqual(new Map([...(await whole(two)), ...before]));
  expect((await rollBack(bucket, two.release.name.slice(0, 8))).release).toBe(two.release.name);
});

it('caches are purged when the release is live, of everything that differs from what they may hold', async () => {
  const { publish, bucket, memory, events } = open();
  const asked: StalePrefixes[] = [];
  const cache = (name: string, isBroken = false): Purger => ({
    name,
    async purge({ paths, release }) {
      asked.push(paths);
      expect(parseCurrent((await memory.read(CURRENT_KEY))!.body)?.release).toBe(release!.name);
      if (isBroken) throw new Error('not purged');
      return [`/${name}`];
    },
  });
  const [first, second, third] = [houses([1, 2]), houses([1]), houses([1], { title: 'Other' })];
  await publish(first);
  const { invalidated } = await publish(second, { purgers: [cache('A'), cache('B')] });
  expect(invalidated).toEqual({ A: ['/A'], B: ['/B'] });
  const paths = await stalePrefixesBetween([first.release], second.release);
  expect(asked).toEqual([paths, paths]);
  expect(asked[0]).toContain('/api/v1/public/properties');
  expect(events.slice(-2)).toEqual([1, 2].map(() => ({ kind: 'stage', stage: 'purge' })));
  expect((await publish(second, { purgers: [cache('A')] })).invalidated).toEqual({});
  // The next publish asks a failed cache again.
  asked.length = 0;
  await expect(publishRelease(bucket, third, { purgers: [cache('A', true)] })).rejects.toThrow('not purged');
  expect((await memory.read(CURRENT_KEY))!.body).toEqual(third.bodies.get(CURRENT_KEY));
  const again = await publish(third, { purgers: [cache('A')] });
  expect([again.outcome, again.written, again.invalidated]).toEqual(['published', NONE, { A: ['/A'] }]);
  // It is not known what the one before changed.
  expect(asked).toHaveLength(2);
  expect(asked.at(-1)).toBeUndefined();
});

it('a live release is purged again on request, whatever else is compared', async () => {
  const { publish } = open();
  const asked: StalePrefixes[] = [];
  const purge = async ({ paths }: StaleContent) => {
    asked.push(paths);
    return paths ?? ['/'];
  };
  const purgers: Purger[] = [{ name: 'A', purge }];
  const one = houses([1, 2]);
  await publish(one, { purgers });
  for (const verify of [false, true]) {
    expect(await publish(one, { purgers, verify })).toMatchObject({ invalidated: {} });
    const result = await publish(one, { purgers, verify, purge: true });
    expect(result).toMatchObject({ outcome: 'unchanged', written: NONE, invalidated: { A: ['/'] } });
    expect(asked.at(-1)).toBeUndefined();
  }
});

it('totals that were damaged are repaired by a publish without changes, and lists made of them purged', async () => {
  const { publish } = open();
  const entries = new Map<string, string>();
  const purged: StalePrefixes[] = [];
  const purgers: Purger[] = [
    {
      name: 'store',
      purge: async ({ release }) => {
        entries.set('release', release!.name);
        return ['release'];
      },
      isStale: async ({ name }) => entries.get('release') !== name,
    },
    {
      name: 'cache',
      async purge({ paths }) {
        purged.push(paths);
        return paths ?? ['/'];
      },
    },
  ];
  const one = houses([1, 2]);
  await publish(one, { purgers });
  purged.length = 0;
  expect((await publish(one, { purgers })).invalidated).toEqual({});
  expect(purged).toEqual([]);
  entries.clear();
  expect((await publish(one, { purgers })).invalidated).toEqual({ store: ['release'], cache: ['/'] });
  expect(entries.get('release')).toBe(one.release.name);
  expect(purged).toEqual([undefined]);
});

it('changed keys outside of releases are purged too: the history, and removed details', async () => {
  const { publish, pass, events } = open();
  const all: StalePrefixes[] = [];
  const purgers: Purger[] = [
    {
      name: 'A',
      async purge({ paths }) {
        all.push(paths);
        return [];
      },
    },
  ];
  const at = (n: number, numbers: number[]) => houses(numbers, { time: `2026-01-0${n}T00:00:00Z` });
  await publish(at(1, [1, 2]));
  await publish(at(2, [1]), { purgers });
  expect(all.pop()).toContain('/changes/');
  pass(10 * LIFE);
  await publish(at(3, [1]), { purgers });
  // Nothing else of it differs.
  expect(all.pop()).toEqual(expect.arrayContaining(['/changes/', '/api/v1/public/properties/']));
  const documents = { 'openapi.json': 'o' };
  const result = await publish(houses([1], { documents, time: '2026-01-04T00:00:00Z' }), { purgers });
  const gone = ['changes/2026-01.ndjson', 'changes/feed.xml', 'changes/index.json'];
  expect(all.pop()).toBeUndefined();
  expect(events).toEqual(expect.arrayContaining(gone.map((key) => ({ kind: 'remove', key }))));
  // The history is removed with the downloads.
  expect(result.removed).toBe(3 + 'index.json,properties.ndjson,not-found.json'.split(',').length);
});

it('as many objects are sent at a time as allowed', async () => {
  const most = async (options: PublishOptions) => {
    const { bucket } = open();
    let [flying, highest] = [0, 0];
    const slow: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        highest = Math.max(highest, ++flying);
        await new Promise(setImmediate);
        flying--;
        return bucket.write(key, ...rest);
      },
    };
    await publishRelease(slow, houses(Array.from({ length: 50 }, (_, n) => n)), options);
    return highest;
  };
  expect(await most({})).toBe(32);
  expect(await most({ concurrency: 3 })).toBe(3);
});

it('a dry run reports what a publish would do, and changes nothing', async () => {
  const { publish, bucket, requests, content, events } = open();
  await publish(houses([1, 2, 3]));
  const before = await content();
  requests.length = 0;
  events.length = 0;
  const after = houses([1, 2], { title: 'New' });
  const said: PublishEvent[] = [];
  const dry = await publishRelease(withDryRun(bucket), after, {
    concurrency: 1,
    listener: (event) => void said.push(event),
  });
  expect(requests.filter((request) => /^(?:write|remove)/.test(request))).toEqual([]);
  expect(await content()).toEqual(before);
  const real = await publish(after, { concurrency: 1 });
  expect({ ...dry, seconds: 0 }).toEqual({ ...real, seconds: 0 });
  expect(said).toEqual(events);
});

it('a locked bucket is reported, and keeps its lock', async () => {
  const { publish, bucket, memory } = open();
  await publish(houses([1]));
  await putEntry(memory, { kind: 'begin', token: 'ann-1', owner: 'ann@desk' });
  await expect(publishRelease(bucket, houses([1, 2]))).rejects.toMatchObject({ code: 'bucket-locked' });
  expect((await readLog(memory)).lastEntry).toMatchObject({ owner: 'ann@desk', token: 'ann-1' });
});
