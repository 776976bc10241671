/** Following a catalogue through publications, rollbacks, broken publications and lost histories (B6). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Changes, createClient, type FollowEvent } from '../../src/client/index.ts';

/** Versions of properties, by id. */
type Content = ReadonlyMap<string, number>;

/** A catalogue that keeps its history as publishing does. */
function createModel() {
  const contents = new Map<string, Content>();
  let records: { month: string; changes: Changes }[] = [];
  let live = '';
  let count = 0;
  /** Months from now on. */
  let month = 0;

  const nameOf = (content: Content) => JSON.stringify([...content].sort());
  const difference = (before: Content | undefined, release: string): Changes => {
    const after = contents.get(release)!;
    const ids = [...after.keys()];
    return {
      release,
      previous: before ? nameOf(before) : null,
      time: '2026-11-22T00:00:00Z',
      updated: '2026-11-22T00:00:00Z',
      commit: null,
      added: ids.filter((id) => !before?.has(id)),
      changed: ids
        .filter((id) => before?.has(id) && before.get(id) !== after.get(id))
        .map((id) => ({ id, fields: ['title'] })),
      removed: [...(before?.keys() ?? [])].filter((id) => !after.has(id)),
    };
  };
  const record = (release: string, before: Content | undefined) => {
    if (before && nameOf(before) === release) return;
    // The remains of an interrupted publication are replaced.
    const end = records.findLastIndex(({ changes }) => changes.release === live) + 1;
    records = [
      ...(before ? records.slice(0, end) : records),
      { month: `2026-${String(10 + month).padStart(2, '0')}`, changes: difference(before, release) },
    ];
  };
  const step = (content: Content): string => {
    const release = nameOf(content);
    contents.set(release, content);
    return release;
  };
  const model = {
    /** Makes this content live. */
    publish(content: Content) {
      const release = step(content);
      record(release, contents.get(live));
      live = release;
    },
    /** A publication that stops after it has recorded its changes. */
    breakOff(content: Content) {
      record(step(content), contents.get(live));
    },
    /** A release without a time, which is not recorded. */
    publishUnrecorded(content: Content) {
      live = step(content);
    },
    /** A release with an unknown predecessor. */
    beginAnew(content: Content) {
      const release = step(content);
      record(release, undefined);
      live = release;
    },
    nextMonth() {
      month++;
    },
    next: () => ++count,
    content: () => contents.get(live)!,
    earlier: () => [...contents.values()],
    live: () => live,
    records: () => records.map(({ changes }) => changes),
    requests: [] as string[],
    /** Paths that answer 404. */
    lost: new Set<string>(),
    fetch: async (input: unknown): Promise<Response> => {
      const { pathname } = new URL(String(input));
      model.requests.push(pathname);
      const gone = new Response('{"title":"Not found"}', { status: 404 });
      if (pathname === '/index.json') return Response.json({ release: live, links: [] });
      const months = [...new Set(records.map((entry) => entry.month))].sort();
      if (pathname === '/changes/index.json') {
        return months.length === 0
          ? gone
          : Response.json({
              id: 'urn:x',
              release: records.at(-1)?.changes.release,
              months: months.map((one) => ({ month: one, href: `${one}.ndjson` })),
            });
      }
      const name = pathname.slice('/changes/'.length, -'.ndjson'.length);
      const lines = records.filter((entry) => entry.month === name);
      if (lines.length === 0 || model.lost.has(pathname)) return gone;
      return new Response(lines.map(({ changes }) => `${JSON.stringify(changes)}\n`).join(''));
    },
  };
  return model;
}

type Model = ReturnType<typeof createModel>;

/** The events until the client is up to date. */
async function eventsSince(model: Model, since: string, interval?: number): Promise<FollowEvent[]> {
  const client = createClient({ baseUrl: 'https://stays.example', fetch: model.fetch });
  const events: FollowEvent[] = [];
  for await (const event of client.followChanges({ since, interval })) {
    events.push(event);
    if (event.release === model.live()) break;
  }
  return events;
}

const map = (...ids: string[]): Content => new Map(ids.map((id) => [id, 1]));

describe('followChanges', () => {
  it('yields each release once, oldest first, over months', async () => {
    const model = createModel();
    model.publish(map('a'));
    const start = model.live();
    model.publish(map('a', 'b'));
    model.nextMonth();
    model.publish(map('b', 'c'));
    const events = await eventsSince(model, start);
    expect(events.map((event) => [event.kind, event.release])).toEqual([
      [
        'changes',
        JSON.stringify([
          ['a', 1],
          ['b', 1],
        ]),
      ],
      ['changes', model.live()],
    ]);
    expect(events[1]).toMatchObject({ changes: { added: ['c'], removed: ['a'], changed: [] } });
    expect(await eventsSince(model, model.live())).toEqual([]);
  });

  it('yields a rollback as changes, and a second one too', async () => {
    const model = createModel();
    const [one, two] = [map('a'), map('a', 'b')];
    model.publish(one);
    const start = model.live();
    for (const content of [two, one, two, one]) model.publish(content);
    expect(await eventsSince(model, start)).toEqual([]);
    model.publish(two);
    expect((await eventsSince(model, start)).map(({ kind, release }) => [kind, release])).toEqual([
      ['changes', model.live()],
    ]);
  });

  it('reads only the months that it needs', async () => {
    const model = createModel();
    model.publish(map('a'));
    for (let n = 0; n < 5; n++) {
      model.nextMonth();
      model.publish(new Map([['a', 2 + n]]));
    }
    const before = model.live();
    model.nextMonth();
    model.publish(map('z'));
    model.requests.length = 0;
    expect(await eventsSince(model, before)).toHaveLength(1);
    expect(model.requests).toEqual(['/index.json', '/changes/index.json', '/changes/2026-16.ndjson']);
  });

  it('runs until its signal aborts, and throws the reason of the signal', async () => {
    const model = createModel();
    model.publish(map('a'));
    const client = createClient({ baseUrl: 'https://stays.example', fetch: model.fetch });
    const controller = new AbortController();
    const releases: string[] = [];
    const loop = async () => {
      const options = { since: model.live(), interval: 5, signal: controller.signal };
      for await (const { release } of client.followChanges(options)) {
        releases.push(release);
        if (releases.length === 3) controller.abort(new Error('enough'));
        model.publish(map('a', `b${releases.length}`));
      }
    };
    const ended = loop();
    model.publish(map('a', 'b'));
    await expect(ended).rejects.toThrow('enough');
    expect(new Set(releases).size).toBe(3);
  });
});

/** The copy that a consumer keeps. */
async function bringUpToDate(model: Model, copy: { release: string; content: Map<string, number> }) {
  // With an interval, the second look comes soon.
  for (const event of copy.release === model.live() ? [] : await eventsSince(model, copy.release, 1)) {
    const present = model.content();
    if (event.kind === 'restart') copy.content = new Map(present);
    else {
      const { added, changed, removed } = event.changes;
      for (const id of removed) copy.content.delete(id);
      for (const id of [...added, ...changed.map((one) => one.id)]) {
        const version = present.get(id);
        if (version === undefined) copy.content.delete(id);
        else copy.content.set(id, version);
      }
    }
    copy.release = event.release;
  }
}

it('keeps any copy equal to the catalogue after any sequence of releases', async () => {
  const ids = ['a', 'b', 'c'];
  const content = fc.array(fc.tuple(fc.constantFrom(...ids), fc.nat(2)), { maxLength: 3 });
  const kind = fc.constantFrom('publish', 'publish', 'publish', 'breakOff', 'beginAnew', 'back', 'month');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(kind, content, fc.nat(9)), { maxLength: 12 }), async (steps) => {
      const model = createModel();
      model.publish(map('a'));
      const copies = [{ release: model.live(), content: new Map(model.content()) }];
      for (const [what, entries, number] of steps) {
        const next: Content = new Map(entries);
        if (what === 'publish' || what === 'breakOff' || what === 'beginAnew') model[what](next);
        else if (what === 'month') model.nextMonth();
        else model.publish(model.earlier()[number % model.earlier().length]!);
        // One copy is always up to date, the others lag behind.
        const copy = copies[number % copies.length]!;
        await bringUpToDate(model, copy);
        expect(new Map([...copy.content].sort())).toEqual(new Map([...model.content()].sort()));
        expect(copy.release).toBe(model.live());
        if (copies.length < 4) copies.push({ release: model.live(), content: new Map(model.content()) });
      }
    }),
    { numRuns: 300 },
  );
});

describe('a follower starts again', () => {
  it('at once when the history begins after the release at hand', async () => {
    const model = createModel();
    model.publish(map('a'));
    const start = model.live();
    model.beginAnew(map('b'));
    expect(await eventsSince(model, start)).toEqual([{ kind: 'restart', release: model.live() }]);
    expect(await eventsSince(model, 'no such release')).toEqual([{ kind: 'restart', release: model.live() }]);
  });

  it('after a second look when the history does not contain the current release', async () => {
    const model = createModel();
    model.publish(map('a'));
    const start = model.live();
    model.publishUnrecorded(map('b'));
    const client = createClient({ baseUrl: 'https://stays.example', fetch: model.fetch });
    const follow = () => client.followChanges({ since: start, interval: 20 })[Symbol.asyncIterator]();
    model.requests.length = 0;
    expect((await follow().next()).value).toEqual({ kind: 'restart', release: model.live() });
    expect(model.requests.filter((path) => path === '/changes/index.json')).toHaveLength(2);
    // A history that is slightly behind.
    const late = follow().next();
    setTimeout(() => model.publish(map('c')), 5);
    expect((await late).value).toMatchObject({ kind: 'restart' });
  });

  it('when a month between is missing: its changes would be lost', async () => {
    const model = createModel();
    model.publish(map('a'));
    const start = model.live();
    for (const id of ['b', 'c']) {
      model.nextMonth();
      model.publish(map('a', id));
    }
    model.lost.add('/changes/2026-11.ndjson');
    expect(await eventsSince(model, start)).toEqual([{ kind: 'restart', release: model.live() }]);
  });

  it('not when the newest record is not live yet', async () => {
    const model = createModel();
    model.publish(map('a'));
    const start = model.live();
    model.breakOff(map('b'));
    expect(await eventsSince(model, start)).toEqual([]);
    model.publish(map('b'));
    expect(await eventsSince(model, start)).toMatchObject([{ kind: 'changes', release: model.live() }]);
  });
});

it.each([
  ['HTML', '<html>'],
  ['a line that is not whole', '{"release":"x","previous":null}'],
  ['a line that names no release', '{"hello":1}\n'],
])('with status and URL in the error for changes with %s', async (_what, text) => {
  const fetch = async () => new Response(text);
  const client = createClient({ baseUrl: 'https://stays.example', fetch });
  await expect(client.getChanges('2026-11')).rejects.toMatchObject({
    name: 'AnswerError',
    status: 200,
    url: 'https://stays.example/changes/2026-11.ndjson',
    excerpt: text,
  });
});
