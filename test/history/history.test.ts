/** The changes lead from one release to the next one. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import {
  type Changes,
  changesIndexSchema,
  changesSchema,
  type PropertyRecord,
} from '../../src/contract/document-schemas.ts';
import { canContinueChain, historyFiles, readHistory } from '../../src/history/change-files.ts';
import { changesBetween } from '../../src/history/changes.ts';
import { recordRelease } from '../../src/history/record-release.ts';
import { type OpenedRelease, openRelease } from '../../src/release/open-release.ts';
import { startServer } from '../../src/serve/server.ts';
import { createWorkspace, type Fields, idOf, type Workspace } from '../compile/workspace.ts';
import { CLI } from '../support/run-cli.ts';

const TIME = '2026-11-20T09:00:00Z';

/** Builds what the workspace holds, and keeps a copy of the release. */
async function release(workspace: Workspace, name: string): Promise<OpenedRelease & { folder: string }> {
  await workspace.build();
  const folder = join(workspace.root, name);
  cpSync(workspace.public, folder, { recursive: true });
  return { ...(await openRelease(folder))!, folder };
}

function createCatalogue(): Workspace {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [1, 25]\ndocs: false\n');
  for (let n = 1; n <= 40; n++) workspace.add(n, { city: n % 2 ? 'Cork' : 'Galway' });
  return workspace;
}

/** All data of a release as a consumer holds it: downloads, and thumbnails from the points. */
function everything(folder: string): Map<string, object> {
  const points = JSON.parse(readFileSync(join(folder, 'properties.geojson'), 'utf8')) as {
    features: { id: string; properties: { thumbnail: string | null } }[];
  };
  const thumbnails = new Map(points.features.map(({ id, properties }) => [id, properties.thumbnail]));
  const lines = readFileSync(join(folder, 'properties.ndjson'), 'utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const record = JSON.parse(line) as PropertyRecord;
      return [record.id, { ...record, thumbnail: thumbnails.get(record.id) }];
    }),
  );
}

/** Applies changes as a consumer does: reads only what they name. */
function applied(
  before: Map<string, object>,
  changes: Changes,
  after: Map<string, object>,
): Map<string, object> {
  const result = new Map(before);
  for (const id of changes.removed) expect(result.delete(id)).toBe(true);
  for (const id of changes.added) {
    expect(result.has(id)).toBe(false);
    result.set(id, after.get(id)!);
  }
  for (const { id, fields } of changes.changed) {
    const from = after.get(id) as Record<string, unknown>;
    const taken = Object.fromEntries(fields.map((field) => [field, from[field]]));
    result.set(id, { ...result.get(id), ...taken });
  }
  return result;
}

const sorted = (map: Map<string, object>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe('the changes between two releases', () => {
  it('lead from one to the other', async () => {
    const workspace = createCatalogue();
    const before = await release(workspace, 'before');
    const edits: [number, Fields][] = [
      [3, { title: 'Rose Cottage' }],
      [4, { city: 'Dublin', facilities: ['wifi'] }],
      [5, { email: 'other@house.example', phone: '+353 1 605 7701' }],
      [41, { title: 'New' }],
    ];
    for (const [n, fields] of edits) workspace.add(n, { city: n % 2 ? 'Cork' : 'Galway', ...fields });
    workspace.remove('house-7.yaml');
    const after = await release(workspace, 'after');
    const changes = await changesBetween(before, after, TIME);
    expect(changesSchema.parse(changes)).toEqual(changes);
    expect(changes).toMatchObject({
      added: [idOf(41)],
      removed: [idOf(7)],
      changed: expect.arrayContaining([
        { id: idOf(3), fields: ['title'] },
        { id: idOf(4), fields: ['city', 'facilities'] },
        { id: idOf(5), fields: ['email', 'phone'] },
      ]),
      time: TIME,
    });
    expect(changes.changed).toHaveLength(3);
    const whole = everything(after.folder);
    expect(sorted(applied(everything(before.folder), changes, whole))).toEqual(sorted(whole));
    expect(await changesBetween(before, after, TIME)).toEqual(changes);
  });

  it('name only the thumbnail when nothing else differs', async () => {
    const workspace = createCatalogue();
    const before = await release(workspace, 'before');
    workspace.write('p.png', PIXEL);
    workspace.add(2, { city: 'Galway', photo: [{ file: 'p.png' }] });
    const between = await release(workspace, 'between');
    expect((await changesBetween(before, between, TIME)).changed).toEqual([
      { id: idOf(2), fields: ['photo', 'thumbnail'] },
    ]);
    workspace.configure('page_sizes: [1, 25]\ndocs: false\nthumbnail:\n  width: 100\n');
    const after = await release(workspace, 'after');
    expect((await changesBetween(between, after, TIME)).changed).toEqual([
      { id: idOf(2), fields: ['thumbnail'] },
    ]);
  });

  it('contain everything for the first release, and nothing for the same content', async () => {
    const workspace = createCatalogue();
    const first = await release(workspace, 'first');
    const changes = await changesBetween(undefined, first, TIME);
    expect([changes.previous, changes.added.length]).toEqual([null, 40]);
    const same = await changesBetween(first, first, TIME);
    expect(same.release).toBe(same.previous);
    expect(historyFiles(same, await readHistory(async () => undefined), first.release.settings)).toEqual(
      new Map(),
    );
    const index = JSON.parse(readFileSync(join(first.folder, 'index.json'), 'utf8'));
    expect(index.release).toBe(changes.release);
  });

  it('require a time', async () => {
    const workspace = createCatalogue();
    const first = await release(workspace, 'first');
    const timeless = { ...first, release: { ...first.release, build: { commit: null, time: null } } };
    await expect(changesBetween(undefined, timeless)).rejects.toThrow('Give it one with --time');
  });
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

describe('the history', () => {
  const change = (previous: string | null, release: string, time = TIME): Changes => ({
    release: release.repeat(32),
    previous: previous?.repeat(32) ?? null,
    time,
    updated: time,
    commit: null,
    added: [idOf(1)],
    changed: [{ id: idOf(2), fields: ['title'] }],
    removed: [],
  });

  /** Files below `changes/`, and publishing into them. */
  function createHistory() {
    const files = new Map<string, string>();
    return {
      files,
      async publish(changes: Changes, url = 'https://stays.example'): Promise<void> {
        const site = { url };
        const written = historyFiles(changes, await readHistory(async (key) => files.get(key)), site);
        for (const [key, text] of written) {
          if (text === '') files.delete(key);
          else files.set(key, text);
        }
      },
      /** Releases of a month, in order. */
      releases: (month: string) =>
        (files.get(`changes/${month}.ndjson`) ?? '')
          .split('\n')
          .filter(Boolean)
          .map((line) => (JSON.parse(line) as Changes).release[0]),
      months: () => changesIndexSchema.parse(JSON.parse(files.get('changes/index.json')!)).months,
    };
  }

  it('has a line for each release, in the file of its month', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a', '2026-10-01T00:00:00Z'));
    await history.publish(change('a', 'b', '2026-10-31T23:59:59Z'));
    await history.publish(change('b', 'c', '2026-11-01T00:00:00Z'));
    expect([history.releases('2026-10'), history.releases('2026-11')]).toEqual([['a', 'b'], ['c']]);
    expect(history.months().map(({ href }) => href)).toEqual(['2026-10.ndjson', '2026-11.ndjson']);
    const feed = history.files.get('changes/feed.xml')!;
    expect(feed.match(/<updated>[^<]+/g)).toEqual([
      '<updated>2026-11-01T00:00:00Z',
      '<updated>2026-11-01T00:00:00Z',
      '<updated>2026-10-31T23:59:59Z',
      '<updated>2026-10-01T00:00:00Z',
    ]);
    expect(feed.match(/href="[^"]+ndjson"/g)).toEqual([
      'href="https://stays.example/changes/2026-11.ndjson"',
      'href="https://stays.example/changes/2026-10.ndjson"',
      'href="https://stays.example/changes/2026-10.ndjson"',
    ]);
    expect(new Set(feed.match(/urn:uuid:[0-9a-f-]{36}/g)).size).toBe(4);
  });

  it('is the same however often one release is published', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a'));
    await history.publish(change('a', 'b'));
    const once = new Map(history.files);
    await history.publish(change('a', 'b'));
    expect(history.files).toEqual(once);
  });

  it('drops a release that was never live', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a'));
    // Interrupted before `current.json` was written; then another one was published.
    await history.publish(change('a', 'b'));
    await history.publish(change('a', 'c', '2026-12-01T00:00:00Z'));
    expect([history.releases('2026-11'), history.releases('2026-12')]).toEqual([['a'], ['c']]);
  });

  it('records steps back and forth', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a'));
    await history.publish(change('a', 'b'));
    // A rollback to content of an earlier month is recorded as later all the same.
    await history.publish(change('b', 'a', '2026-01-01T00:00:00Z'));
    await history.publish(change('a', 'd'));
    expect(history.releases('2026-11')).toEqual(['a', 'b', 'a', 'd']);
    expect(history.months()).toHaveLength(1);
  });

  it('announces each step in the feed, however often it is made (B7)', async () => {
    const history = createHistory();
    for (const [previous, release] of ['-a', 'ab', 'ba', 'ab', 'ba', 'ab']) {
      await history.publish(change(previous === '-' ? null : previous!, release!));
    }
    expect(history.releases('2026-11')).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
    const ids = history.files.get('changes/feed.xml')!.match(/<id>[^<]+/g)!;
    expect([ids.length, new Set(ids).size]).toEqual([7, 7]);
  });

  it('never goes back in time, and never gives an id to a second entry (B7)', async () => {
    const time = fc
      .integer({ min: 0, max: 400 })
      .map((days) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString().replace('.000Z', 'Z'));
    const step = fc.record({ release: fc.constantFrom(...'abc'), time, isLive: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 70 }), async (steps) => {
        const history = createHistory();
        const announced = new Map<string, string>();
        const shown = new Map<string, string>();
        let live: string | null = null;
        let last = '';
        for (const { release, time: committed, isLive } of steps) {
          const changes = change(live, release, committed);
          await history.publish(changes);
          const once = new Map(history.files);
          await history.publish(changes);
          expect(history.files).toEqual(once);
          const feed = history.files.get('changes/feed.xml');
          if (!feed) continue;
          const [updated = ''] = feed.match(/(?<=<updated>)[^<]+/) ?? [];
          expect(updated >= last).toBe(true);
          last = updated;
          const entries = feed.split('<entry>').slice(1);
          const times = entries.map((entry) => /<updated>([^<]+)/.exec(entry)![1]!);
          expect(times).toEqual([...new Set(times)].sort().reverse());
          for (const entry of entries) {
            const id = /<id>([^<]+)/.exec(entry)![1]!;
            expect(announced.get(id) ?? entry).toBe(entry);
            announced.set(id, entry);
            shown.set(entry, id);
          }
          // An interrupted publication: its record exists, and the next one does not follow it.
          if (isLive) live = release;
        }
        expect(shown.size).toBe(announced.size);
      }),
      { numRuns: 60 },
    );
  });

  it('leaves releases that changed no property out of the feed (B7)', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a'));
    await history.publish({ ...change('a', 'b'), added: [], changed: [] });
    expect(history.releases('2026-11')).toEqual(['a', 'b']);
    expect(history.files.get('changes/feed.xml')!.match(/<entry>/g)).toHaveLength(1);
  });

  it('is read from earlier months too when the newest has few records, and lists the releases that a client can follow', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a', '2026-08-01T00:00:00Z'));
    await history.publish(change('a', 'b', '2026-09-01T00:00:00Z'));
    await history.publish(change('b', 'c', '2026-10-01T00:00:00Z'));
    const published = async (key: string) => history.files.get(key);
    const read = await readHistory(published);
    expect(read.entries.map(({ month }) => month)).toEqual(['2026-08', '2026-09', '2026-10']);
    for (const release of ['a', 'b', 'c']) expect(canContinueChain(read, release.repeat(32))).toBe(true);
    expect(canContinueChain(read, 'd'.repeat(32))).toBe(false);
    expect(history.files.get('changes/feed.xml')!.match(/<entry>/g)).toHaveLength(3);
    // Any damage counts as an empty file.
    for (const text of [
      ...['', '[]', '{"id":"x"}', '{"id":1,"months":[]}', '{"id":"x","months":[{"month":"../x"}]}'],
    ])
      expect((await readHistory(async () => text)).entries).toEqual([]);
    for (const line of ['{', '{}', 'null', '{"release":"x"}']) {
      const damaged = await readHistory(async (key) => (key.endsWith('.ndjson') ? line : published(key)));
      expect([damaged.months.length, damaged.entries]).toEqual([3, []]);
    }
  });

  it.each(['missing', 'damaged'])(
    'starts a new chain where a month in the middle is %s, so that no follower misses its changes',
    async (how) => {
      const history = createHistory();
      await history.publish(change(null, 'a', '2026-08-01T00:00:00Z'));
      await history.publish(change('a', 'b', '2026-09-01T00:00:00Z'));
      await history.publish(change('b', 'c', '2026-10-01T00:00:00Z'));
      if (how === 'missing') history.files.delete('changes/2026-09.ndjson');
      else history.files.set('changes/2026-09.ndjson', '{');
      const read = await readHistory(async (key) => history.files.get(key));
      expect([canContinueChain(read, 'c'.repeat(32)), read.read]).toEqual([false, ['2026-09', '2026-10']]);
      await history.publish(change(null, 'd'));
      expect([history.releases('2026-08'), history.releases('2026-11')]).toEqual([['a'], ['d']]);
      expect(history.months().map(({ month }) => month)).toEqual(['2026-08', '2026-11']);
    },
  );

  it('is read with members that a later version added', async () => {
    const history = createHistory();
    await history.publish(change(null, 'a'));
    const line = history.files.get('changes/2026-11.ndjson')!.replace(/\{/g, '{"later":1,');
    history.files.set('changes/2026-11.ndjson', line);
    const index = history.files.get('changes/index.json')!.replace(/\{/g, '{"later":1,');
    history.files.set('changes/index.json', index);
    await history.publish(change('a', 'b'));
    expect(history.releases('2026-11')).toEqual(['a', 'b']);
    expect(history.files.get('changes/2026-11.ndjson')!.startsWith(line)).toBe(true);
  });

  it('has a feed that readers show: XML with absolute links, and titles where they are known (A14)', async () => {
    const title = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => !/\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(text));
    await fc.assert(
      fc.asyncProperty(title, fc.webUrl({ withQueryParameters: false }), async (shown, base) => {
        const history = createHistory();
        await history.publish({ ...change(null, 'a'), changed: [{ id: idOf(2), fields: ['<&>'] }] });
        const titles = { [idOf(1)]: shown, [idOf(3)]: 'Gone' };
        await history.publish({ ...change('a', 'b'), removed: [idOf(3)], titles }, base);
        const feed = readFeed(history.files.get('changes/feed.xml')!);
        const root = base.replace(/\/+$/, '');
        const path = (n: number) => `${root}/api/v1/public/properties/${idOf(n)}`;
        expect(feed.links).toEqual([
          `${root}/changes/feed.xml`,
          ...Array(2).fill(`${root}/changes/2026-11.ndjson`),
        ]);
        expect(feed.items).toEqual([
          [
            ['added', path(1), shown, ''],
            ['changed', path(2), idOf(2), ': title'],
            ['removed', undefined, 'Gone', ''],
          ],
          [
            ['added', path(1), idOf(1), ''],
            ['changed', path(2), idOf(2), ': <&>'],
          ],
        ]);
      }),
      { numRuns: 100 },
    );
  });
});

const XML = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  isArray: (name) => ['entry', 'link', 'li'].includes(name),
});

/** Links of a feed, and the lines of its entries, as a parser finds them. */
function readFeed(text: string) {
  expect(XMLValidator.validate(text)).toBe(true);
  type Element = { link: { href: string }[]; content: { '#text': string } };
  const { feed } = XML.parse(text) as { feed: Element & { entry: Element[] } };
  return {
    links: [...feed.link, ...feed.entry.flatMap(({ link }) => link)].map(({ href }) => href),
    items: feed.entry.map(({ content }) => content['#text'].split('\n').slice(1, -1).map(readLine)),
  };
}

/** Action, link, name and fields of a line of HTML. */
function readLine(line: string): (string | undefined)[] {
  const { li } = XML.parse(line) as {
    li: (string | { '#text': string; a: { href: string; '#text': string } })[];
  };
  const [item] = li;
  if (typeof item === 'string') {
    const [action, ...name] = item.split(' ');
    return [action, undefined, name.join(' '), ''];
  }
  const [action = '', ...fields] = item!['#text'].split(' ');
  return [action.replace(/:$/, ''), item!.a.href, item!.a['#text'], fields.join(' ')];
}

describe('catalogue changes', () => {
  const run = (workspace: Workspace, ...args: string[]) =>
    spawnSync(process.execPath, [CLI, 'changes', '--time', TIME, ...args], {
      cwd: workspace.root,
      encoding: 'utf8',
    });

  it('writes the files, from a folder and from a live catalogue', async () => {
    const workspace = createCatalogue();
    await workspace.build();
    expect(run(workspace).stderr).toBe('40 added, 0 changed, 0 removed\n');
    const live = join(workspace.root, 'live');
    cpSync(workspace.public, live, { recursive: true });
    workspace.add(3, { city: 'Cork', title: 'Rose Cottage' });
    await workspace.build();
    expect(run(workspace, '--previous', live).stderr).toBe('0 added, 1 changed, 0 removed\n');
    const fromFolder = readFileSync(join(workspace.public, 'changes/index.json'), 'utf8');
    renameSync(join(workspace.public, 'changes'), join(workspace.root, 'from-folder'));
    const { url, close } = await startServer({ root: live, port: 0 });
    const before = (await openRelease(url))!;
    const after = (await openRelease(workspace.public))!;
    const { files } = await recordRelease(before, after, before.read, TIME);
    await close();
    expect(files.get('changes/index.json')).toBe(fromFolder);
    for (const [key, text] of files) {
      expect(readFileSync(join(workspace.root, key.replace('changes', 'from-folder')), 'utf8')).toBe(text);
    }
    // A build leaves them alone.
    cpSync(join(workspace.root, 'from-folder'), join(workspace.public, 'changes'), { recursive: true });
    await workspace.build({ force: true });
    expect(existsSync(join(workspace.public, 'changes/feed.xml'))).toBe(true);
  });

  it('names a missing file', async () => {
    const workspace = createCatalogue();
    expect(run(workspace).stderr).toContain('nothing-built: ');
    await workspace.build();
    const { status, stderr } = run(workspace, '--previous', 'nowhere');
    expect([status, stderr.slice(0, 20)]).toEqual([2, 'no-previous-release:']);
    workspace.configure('page_sizes: [1, 25]\ndocs: false\nbulk: false\n');
    await workspace.build();
    expect(run(workspace).stderr).toContain('no-downloads: ');
    rmSync(workspace.public, { recursive: true });
  });
});
