/** Reading all pages of a catalogue while releases go live. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient, ProblemError, type Summary } from '../../src/client/index.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { createHandler } from '../../src/serve/handler.ts';
import { makeTree } from '../conformance/tree.ts';
import { serveLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { made, ordered } from '../tree/serve/bucket.ts';

/** A served folder of the packed layout that takes releases, and a function that is called before each request. */
async function serve() {
  const root = temporaryFolder();
  const put = (key: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, key)), { recursive: true });
    writeFileSync(join(root, key), content);
  };
  const settings = {
    ...{ base: '', url: '', media_url: '', api_keys: false },
    page_sizes: 'all',
    layout: 'packed',
    cache_control: { api: 'no-cache', media: 'no-cache', problem: 'no-cache', release: 'max-age=0' },
  };
  const contents = { settings, headers: {}, documents: {}, images: [] };
  for (const [name, problem] of problemDocuments({ base: '', sizes: 'all', layout: 'packed' })) {
    put(`_catalogue/problems/${name}.json`, JSON.stringify(problem));
  }
  const publish = (summaries: readonly Summary[]) => {
    const { release, files } = makeTree(ordered(summaries), undefined, undefined, contents);
    for (const [key, bytes] of files) put(key, bytes);
    return release;
  };
  publish([]);
  let handler = createHandler({ root });
  /** A fresh reader, like another process with an empty memory. */
  const restart = () => {
    handler = createHandler({ root });
  };
  const hooks = { before: (_number: number) => {} };
  const releases: (string | undefined)[] = [];
  const baseUrl = await serveLoopback((request, response) => {
    releases.push(request.headers['catalogue-release'] as string | undefined);
    hooks.before(releases.length);
    handler(request, response);
  });
  const client = createClient({ baseUrl });
  return { root, publish, restart, hooks, releases, client };
}

const CATALOGUE = Array.from({ length: 600 }, (_, index) => made(index));
/** The catalogue after so many edits: each release adds one property, removes one, and moves one. */
const edited = (edits: number) => [
  ...CATALOGUE.slice(edits).map((summary, index) =>
    index < edits ? { ...summary, title: `Moved ${index * 37}` } : summary,
  ),
  ...Array.from({ length: edits }, (_, index) => made(10_000 + index)),
];

it('yields each property exactly once while releases go live', async () => {
  const { publish, hooks, releases, client } = await serve();
  const first = publish(CATALOGUE);
  hooks.before = (number) => publish(edited(2 * number));
  const ids: string[] = [];
  // The first request is for the release that goes live just before it.
  const expected = ordered(edited(2)).map(({ id }) => id);
  for await (const { id } of client.iterateProperties({}, { prefetch: 3 })) ids.push(id);
  expect(ids).toEqual(expected);
  expect(new Set(ids).size).toBe(ids.length);
  expect(releases[0]).toBeUndefined();
  expect(new Set(releases.slice(1)).size).toBe(1);
  expect(releases[1]).toMatch(/^[0-9a-f]{32}$/);
  expect(releases[1]).not.toBe(first);
});

it('yields some properties twice, or never, when the URL does not name the release', async () => {
  const { publish, hooks, client } = await serve();
  publish(CATALOGUE);
  const ids: string[] = [];
  hooks.before = (number) => publish(edited(2 * number));
  for (let page = 1; ; page++) {
    const { data } = await client.listProperties({ page });
    if (data.length === 0) break;
    ids.push(...data.map(({ id }) => id));
  }
  const first = new Set(edited(2).map(({ id }) => id));
  expect(ids.length !== new Set(ids).size || ids.some((id) => !first.has(id))).toBe(true);
});

it('throws an error when the release is removed', async () => {
  const { root, publish, restart, hooks, client } = await serve();
  const first = publish(CATALOGUE);
  hooks.before = (number) => {
    if (number !== 5) return;
    publish(edited(3));
    rmSync(join(root, `_catalogue/roots/${first}.json`));
    restart();
  };
  const ids: string[] = [];
  const all = async () => {
    for await (const { id } of client.iterateProperties({}, { prefetch: 1 })) ids.push(id);
  };
  const error = await all().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProblemError);
  expect([(error as ProblemError).status, (error as ProblemError).code]).toEqual([410, 'release-gone']);
  expect(ids).toHaveLength(100);
});

it.each([1, -1])(
  'begins no other list than it ends: throws when the total changes by %i in between',
  async (change) => {
    const entry = { id: '', title: '', city: '', country: 'IE', thumbnail: null };
    let total = 5;
    const baseUrl = await serveLoopback((request, response) => {
      const number = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page[number]'));
      const pagination = { current_page: number, per_page: 2, total_entries: total };
      response.end(JSON.stringify({ data: [entry, entry], meta: { pagination } }));
    });
    const client = createClient({ baseUrl });
    const seen: unknown[] = [];
    const run = async () => {
      for await (const one of client.iterateProperties({ size: 2 }, { prefetch: 1 })) {
        if (seen.push(one) === 2) total += change;
      }
    };
    const error = await run().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ReleaseChangedError', url: expect.stringContaining(baseUrl) });
    expect(seen.length).toBeLessThan(5);
  },
);
