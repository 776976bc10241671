import { expect, it } from 'vitest';
import { type Changes, changesIndexSchema, changesSchema } from '../../src/contract/document-schemas.ts';
import { CURRENT_KEY, propertyKey, rootKey } from '../../src/contract/object-keys.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { type PublishOptions, publishRelease } from '../../src/publish/publish.ts';
import { writeHistory } from '../../src/publish/record-history.ts';
import type { ReleaseSource } from '../../src/publish/release-source.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { readLiveRelease } from '../../src/publish/stored-release.ts';
import { readIds } from '../../src/release/release.ts';
import { type Bucket, BucketError } from '../../src/storage/bucket.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { errorFromResponse } from '../../src/storage/http/errors.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openMemory } from '../storage/memory.ts';
import { createVirtualHost } from '../storage/virtual-host.ts';
import { idOf, type MadeSource, makeSource, textsOf } from './made.ts';
import { recorded } from './recorded.ts';

async function text(bucket: Bucket, key: string): Promise<string | undefined> {
  return (await bucket.read(key))?.body.toString();
}

/** Every record, as the files have them, oldest first; checked against their schemas. */
async function records(bucket: Bucket): Promise<Changes[]> {
  const index = await text(bucket, 'changes/index.json');
  if (index === undefined) return [];
  const { months, release } = changesIndexSchema.parse(JSON.parse(index));
  const all: Changes[] = [];
  for (const { href } of months) {
    const lines = ((await text(bucket, `changes/${href}`)) ?? '').split('\n').filter(Boolean);
    all.push(...lines.map((line) => changesSchema.parse(JSON.parse(line))));
  }
  expect(all.at(-1)?.release).toBe(release);
  return all;
}

/** A consumer that keeps a copy as `docs/api.md` describes. */
type Consumer = { release: string; properties: Map<string, unknown>; begun: number };

async function begin(bucket: Bucket, consumer: Consumer): Promise<void> {
  consumer.release = JSON.parse((await text(bucket, CURRENT_KEY))!).release;
  const lines = ((await text(bucket, 'properties.ndjson')) ?? '').split('\n').filter(Boolean);
  consumer.properties = new Map(
    lines.map((line) => {
      const { id, ...detail } = JSON.parse(line);
      return [id, detail];
    }),
  );
  consumer.begun++;
}

async function follow(bucket: Bucket, consumer: Consumer): Promise<void> {
  const missing: Changes[] = [];
  let isFound = false;
  for (const record of (await records(bucket)).reverse()) {
    isFound = record.release === consumer.release;
    if (isFound) break;
    missing.unshift(record);
    isFound = record.previous === consumer.release;
    if (isFound || record.previous === null) break;
  }
  if (!isFound) return begin(bucket, consumer);
  for (const { release, added, changed, removed } of missing) {
    for (const id of [...added, ...changed.map((change) => change.id)]) {
      const detail = await text(bucket, propertyKey(id));
      if (detail !== undefined) consumer.properties.set(id, JSON.parse(detail));
    }
    for (const id of removed) consumer.properties.delete(id);
    consumer.release = release;
  }
}

/** The live state: every property by its id. */
async function live(bucket: Bucket): Promise<Map<string, unknown>> {
  const { release } = await readLiveRelease(bucket);
  const properties = new Map<string, unknown>();
  for (const id of await readIds(release!))
    properties.set(id, JSON.parse((await text(bucket, propertyKey(id)))!));
  return properties;
}

/** A release of houses by number, the first with this title; with downloads, or without. */
function release(
  title: string,
  numbers: readonly number[],
  time: string | null,
  hasDownloads = true,
): MadeSource {
  const properties = numbers.map((n) => ({ id: idOf(n), title: n === 1 ? title : `House ${n}` }));
  const lines = properties.map((property) => {
    const detail = JSON.parse(textsOf(property).detail) as object;
    return `${JSON.stringify({ id: property.id, ...detail })}\n`;
  });
  const documents = hasDownloads ? { 'properties.ndjson': lines.join('') } : {};
  return makeSource({ time, documents, properties });
}

/** Releases of one catalogue, each with other content, from commits in different months. */
function makeSources(): MadeSource[] {
  const times = ['2026-01-05T10:00:00+01:00', '2026-01-31T23:30:00-02:00', '2026-02-03T00:00:00Z', null];
  const made = times.map((time, n) => release(`Title ${n}`, [1, 2, 3, 4, 5, 10 + n], time));
  return [
    ...made,
    // The same content as the first, of another commit; and one without downloads.
    release('Title 0', [1, 2, 3, 4, 5, 10], '2026-03-01T00:00:00Z'),
    release('Title 3', [1, 2, 3, 4, 5, 13], '2026-03-02T00:00:00Z', false),
  ];
}

/** The store and the publishers share one clock. */
const { host } = createVirtualHost();
const now = () => new Date(host.instant().wall);

const OPTIONS: PublishOptions = {
  allowOlder: true,
  allowShrink: true,
  concurrency: 2,
  // No time passes while the lock waits for requests of an interrupted publish.
  lock: { force: true, host },
};

/**
 * Records without their times, and without names derived from those: readers may have seen a record
 * that was replaced, and the next one has to be later than that (B7).
 */
function undated(history: Awaited<ReturnType<typeof records>>): unknown[] {
  return history.map(({ updated: _updated, ...record }) => record);
}

/** The content of index and feed besides those times: the release, and the number of entries. */
async function shown(bucket: Bucket): Promise<unknown> {
  const index = await text(bucket, 'changes/index.json');
  const feed = await text(bucket, 'changes/feed.xml');
  const { id, release } = JSON.parse(index ?? '{}') as { id?: string; release?: string };
  return { id, release, entries: feed?.split('<entry>').length };
}

const sorted = (properties: Map<string, unknown>) => [...properties].sort(([a], [b]) => (a < b ? -1 : 1));

it('has one record for each release, in its month, with the names of the changed fields', async () => {
  const [first, second, third] = makeSources() as [MadeSource, MadeSource, MadeSource];
  const bucket = openMemory();
  const { written } = await publishRelease(bucket, first);
  expect(written.history).toBe(3);
  const consumer: Consumer = { release: '', properties: new Map(), begun: 0 };
  await begin(bucket, consumer);
  await publishRelease(bucket, second);
  await publishRelease(bucket, third);
  await rollBack(bucket, second.release.name);
  const all = await records(bucket);
  expect(all.map(({ time }) => time)).toEqual([
    '2026-01-05T09:00:00Z',
    '2026-02-01T01:30:00Z',
    '2026-02-03T00:00:00Z',
    '2026-02-01T01:30:00Z',
  ]);
  expect(all.map(({ added, changed, removed }) => [added, changed, removed])).toEqual([
    [expect.arrayContaining([1, 2, 3, 4, 5, 10].map(idOf)), [], []],
    [[idOf(11)], [{ id: idOf(1), fields: ['title'] }], [idOf(10)]],
    [[idOf(12)], [{ id: idOf(1), fields: ['title'] }], [idOf(11)]],
    [[idOf(11)], [{ id: idOf(1), fields: ['title'] }], [idOf(12)]],
  ]);
  const index = JSON.parse((await text(bucket, 'changes/index.json'))!);
  expect(index.months.map(({ month }: { month: string }) => month)).toEqual(['2026-01', '2026-02']);
  await follow(bucket, consumer);
  expect(consumer.begun).toBe(1);
  expect(sorted(consumer.properties)).toEqual(sorted(await live(bucket)));
  expect((await text(bucket, 'changes/feed.xml'))!.match(/<entry>/g)).toHaveLength(4);
});

it('gives the reason when it records nothing, and starts again when it would mislead', async () => {
  const [first, second, third, timeless, , none] = makeSources() as MadeSource[];
  const bucket = openMemory();
  const publish = async (source: MadeSource) => {
    const notes: string[] = [];
    await publishRelease(bucket, source, {
      ...OPTIONS,
      listener: (event) => void (event.kind === 'note' && notes.push(event.text)),
    });
    return notes.filter((note) => /changes/.test(note));
  };
  expect(await publish(first!)).toEqual([]);
  expect(await publish(timeless!)).toEqual([
    'The release has no time, since its content is in no commit of git: its changes are not recorded.',
  ]);
  expect(await publish(second!)).toEqual([]);
  // One first record replaces the other.
  expect((await records(bucket)).map(({ previous, time }) => [previous, time])).toEqual([
    [null, '2026-02-01T01:30:00Z'],
  ]);
  await bucket.write(rootKey(second!.release.name), Buffer.from('damaged'), {
    contentType: 'application/json',
    cacheControl: 'no-store',
  });
  // What is live is unknown.
  expect(await publish(third!)).toEqual([]);
  expect((await records(bucket)).at(-1)).toMatchObject({ previous: null, removed: [] });
  expect(await publish(none!)).toEqual(['The catalogue offers no downloads: its changes are not recorded.']);
  for (const key of ['index.json', 'feed.xml', '2026-01.ndjson', '2026-02.ndjson']) {
    expect(await text(bucket, `changes/${key}`), key).toBeUndefined();
  }
});

it('starts with every property after a release that was not recorded, also where earlier versions began without', async () => {
  const [first, second, , timeless] = makeSources() as MadeSource[];
  const started = [null, [1, 2, 3, 4, 5, 11].map(idOf).sort()];
  const begun = ({ previous, added }: Changes) => [previous, [...added].sort()];
  const bucket = openMemory();
  await publishRelease(bucket, timeless!, OPTIONS);
  expect(await records(bucket)).toEqual([]);
  await publishRelease(bucket, second!, OPTIONS);
  const [record] = await records(bucket);
  expect(begun(record!)).toEqual(started);

  const headers = { contentType: 'application/x-ndjson', cacheControl: 'no-store' };
  const broken = { ...record, previous: timeless!.release.name, added: [] };
  await bucket.write('changes/2026-02.ndjson', Buffer.from(`${JSON.stringify(broken)}\n`), headers);
  await publishRelease(bucket, first!, OPTIONS);
  expect((await records(bucket)).map(begun)).toEqual([[null, [1, 2, 3, 4, 5, 10].map(idOf).sort()]]);
});

it('is not written in a dry run, and damage is replaced', async () => {
  const [first, second] = makeSources() as [MadeSource, MadeSource];
  const bucket = openMemory();
  await publishRelease(bucket, first);
  const { bucket: watched, requests } = recorded(bucket);
  const dry = await publishRelease(withDryRun(watched), second);
  expect(dry.written.history).toBe(3);
  expect(requests.filter((request) => request.startsWith('write'))).toEqual([]);
  await bucket.write('changes/index.json', Buffer.from('theirs'), { contentType: 'x', cacheControl: 'x' });
  await publishRelease(bucket, second);
  expect(await records(bucket)).toHaveLength(1);
  // Without an index, nobody can tell what the first record was.
  expect((await records(bucket))[0]).toMatchObject({ previous: null });
});

it('leaves no month that the index does not name after a store refused the time of a conditional write', async () => {
  const sources = [1, 2, 3, 4].map((month) =>
    release('Title', [1, 2, 3, 4, 5, 10 + month], `2026-0${month}-01T00:00:00Z`),
  ) as [MadeSource, MadeSource, MadeSource, MadeSource];
  const memory = openMemory({ now });
  const said = '<Error><Code>RequestTimeTooSkewed</Code></Error>';
  const answer = { status: 403, headers: {}, body: Buffer.from(said), time: now() };
  let refusals = 0;
  const skewed: Bucket = {
    ...memory,
    async write(...args) {
      if (args[0] !== 'changes/index.json' || refusals-- <= 0) return memory.write(...args);
      throw errorFromResponse(answer, { where: args[0], isConditional: args[3] !== undefined, region: '' });
    },
  };
  const bucket = withRetry(skewed, { attempts: 3, sleep: async () => {} });
  const months = async () => {
    const keys: string[] = [];
    for await (const { key } of memory.list('changes/')) if (key.endsWith('.ndjson')) keys.push(key);
    return keys;
  };
  const filesOf = (...names: number[]) => names.map((name) => `changes/2026-0${name}.ndjson`);
  // Once: it is tried again. For good: the month is there, and no index names it.
  refusals = 1;
  await publishRelease(bucket, sources[0], OPTIONS);
  expect(await months()).toEqual(filesOf(1));
  refusals = 3;
  await expect(publishRelease(bucket, sources[1], OPTIONS)).rejects.toMatchObject({ code: 'bucket-clock' });
  expect(await months()).toEqual(filesOf(1, 2));
  await publishRelease(bucket, sources[2], OPTIONS);
  expect(await months()).toEqual(filesOf(1, 3));
  await publishRelease(bucket, sources[3], OPTIONS);
  expect(await months()).toEqual(filesOf(1, 3, 4));
  expect(await records(memory)).toHaveLength(3);
});

/** A bucket, and the effects of one step of a publish on it. */
function openHistory() {
  const memory = openMemory();
  const { bucket, requests } = recorded(memory);
  const events: PublishEvent[] = [];
  const write = (source: ReleaseSource, live?: MadeSource) => {
    requests.length = 0;
    events.length = 0;
    const listener = (event: PublishEvent) => void events.push(event);
    return writeHistory({
      bucket,
      source,
      live: live?.release,
      mayHaveLeftovers: false,
      listener,
    });
  };
  return { memory, requests, events, write };
}

it('reads each file once, writes those that differ, and reports them', async () => {
  const [first, second] = makeSources() as [MadeSource, MadeSource];
  const { memory, requests, events, write } = openHistory();
  const keys = ['changes/2026-01.ndjson', 'changes/index.json', 'changes/feed.xml'];
  const said = async (key: string, isNew: boolean) => {
    return { kind: 'write', key, isNew, size: (await memory.inspect(key))!.size };
  };
  expect(await write(first)).toEqual({ written: keys, removed: [] });
  expect(events).toEqual(await Promise.all(keys.map((key) => said(key, true))));
  expect(requests).toEqual([...new Set(requests)]);
  expect(await write(first)).toEqual({ written: keys.slice(1), removed: [] });
  expect([events, requests.filter((request) => request.startsWith('write'))]).toEqual([[], []]);
  // Nothing is live: the history starts again, in another month.
  const others = ['changes/2026-02.ndjson', ...keys.slice(1)];
  const { written, removed } = await write(second);
  expect([[...written].sort(), removed]).toEqual([[...others].sort(), keys.slice(0, 1)]);
  expect(events).toEqual(await Promise.all(written.map((key) => said(key, key === others[0]))));
});

it('passes on every error but that of a damaged leaf of the live release', async () => {
  const [first, second] = makeSources() as [MadeSource, MadeSource];
  const { memory, write } = openHistory();
  await publishRelease(memory, first);
  const broken = new Error('broken');
  const failing = (error: Error) => {
    const { release } = second;
    const chunk = () => Promise.reject(error);
    return { ...second, release: { ...release, leaves: { ...release.leaves, chunk } } };
  };
  await expect(write(failing(broken), first)).rejects.toBe(broken);
  const denied = new BucketError('bucket-denied', 'no', false);
  await expect(write(failing(denied), first)).rejects.toBe(denied);
});

it('removes every file of the history when there are no downloads', async () => {
  const none = makeSources().at(-1)!;
  const { memory, write } = openHistory();
  expect(await write(none)).toEqual({ written: [], removed: [] });
  const ours = ['changes/2026-01.ndjson', 'changes/feed.xml', 'changes/index.json'];
  for (const key of [...ours, 'changes/2026-013.ndjson', 'changes/x/index.json'])
    await memory.write(key, Buffer.from('x'), { contentType: 'x', cacheControl: 'x' });
  expect((await write(none)).removed).toEqual(ours);
});

/** Fails when a release is to become live. */
const cutOff = (bucket: Bucket): Bucket => ({
  ...bucket,
  write: async (key, ...rest) => {
    if (key === CURRENT_KEY) throw new BucketError('bucket-unreachable', 'cut off', true);
    return bucket.write(key, ...rest);
  },
});

it('has no record of a release that an interrupted publish recorded, but that was never live (A17)', async () => {
  for (const place of [1, 4]) {
    const [interrupted, calm] = [openMemory({ now }), openMemory({ now })];
    const cut = publishRelease(cutOff(interrupted), makeSources()[place]!, OPTIONS);
    await expect(cut).rejects.toBeInstanceOf(BucketError);
    for (const bucket of [interrupted, calm]) await publishRelease(bucket, makeSources()[0]!, OPTIONS);
    expect(undated(await records(interrupted))).toEqual(undated(await records(calm)));
    expect(await shown(interrupted)).toEqual(await shown(calm));
  }
});
