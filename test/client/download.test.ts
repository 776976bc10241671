/** Reading the download, in one file or in parts, while connections break and releases go live (B6). */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CatalogueIndex,
  type Client,
  type ClientOptions,
  createClient,
} from '../../src/client/index.ts';
import { serveLoopback } from '../support/loopback.ts';

/** A release: the texts of its parts; a single text is the whole download, under its own name. */
type Release = { readonly name: string; readonly parts: readonly string[] };

const BASE = 'http://x.example';
const WHOLE = 'properties.ndjson';

const linesOf = (release: string, from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, n) => `${JSON.stringify({ id: `${release}-${from + n}`, title: 'Höhle 😀 '.repeat(n % 7) })}\n`,
  ).join('');

/** A release with so many properties in each part. */
const releaseOf = (name: string, counts: readonly number[]): Release => {
  let from = 0;
  const parts = counts.map((count) => {
    from += count;
    return linesOf(name, from - count, from);
  });
  return { name, parts };
};

const numbered = (release: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${release}-${n}`);

/** The key of a part, which depends on its text. */
const keyOf = ({ parts }: Release, text: string) =>
  parts.length === 1
    ? WHOLE
    : `_catalogue/parts/${createHash('sha256').update(text).digest('hex').slice(0, 32)}.ndjson`;

const rootOf = ({ name }: Release) => `_catalogue/roots/${name}.json`;

const indexOf = (release: Release): string =>
  JSON.stringify({
    release: release.name,
    links: [],
    downloads: [{ name: WHOLE, ...(release.parts.length === 1 ? {} : { root: rootOf(release) }) }],
  } satisfies Omit<Partial<CatalogueIndex>, 'downloads'> & { downloads: unknown });

const rootText = (release: Release): string =>
  JSON.stringify({ details: release.parts.map((text) => [/\w{32}/.exec(keyOf(release, text))![0], '']) });

/** The content of a file; undefined when it does not exist. */
function fileOf(release: Release, path: string): string | undefined {
  if (path === 'index.json') return indexOf(release);
  if (path === rootOf(release) && release.parts.length > 1) return rootText(release);
  return release.parts.find((text) => keyOf(release, text) === path);
}

/** Answers each request from the release that is live then; `break` stops the body before its end. */
type Turn = { readonly release: Release; readonly isBroken?: boolean };

function fetchOf(turns: readonly Turn[], asked: string[] = []): typeof fetch {
  return async (url) => {
    const path = String(url).slice(BASE.length + 1);
    const { release, isBroken } = turns[Math.min(asked.length, turns.length - 1)]!;
    asked.push(path);
    const text = fileOf(release, path.replace(/\?.*/, ''));
    if (text === undefined) return new Response('', { status: 404 });
    if (!isBroken) return new Response(text);
    const bytes = new TextEncoder().encode(text);
    return new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes.subarray(0, bytes.length / 2));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
  };
}

const clientOf = (turns: readonly Turn[], options: Partial<ClientOptions> = {}, asked?: string[]) =>
  createClient({ baseUrl: BASE, fetch: fetchOf(turns, asked), maxRetryDelay: 0, ...options });

/** The ids of a download, and the number of its restarts. */
async function idsOf(client: Client, release?: string) {
  let restarts = 0;
  let ids: string[] = [];
  const onRestart = () => {
    restarts++;
    ids = [];
  };
  for await (const { id } of client.downloadProperties({ onRestart, release })) ids.push(id);
  return { ids, restarts };
}

it.each<[string, readonly number[]]>([
  ['one file', [500]],
  ['parts', [200, 100, 200]],
  ['no property', [0]],
])('returns every property of %s in order', async (_what, counts) => {
  const release = releaseOf('a', counts);
  const asked: string[] = [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  expect(await idsOf(clientOf([{ release }], {}, asked))).toEqual({ ids: numbered('a', total), restarts: 0 });
  const root = counts.length > 1 ? [rootOf(release)] : [];
  const files = [...root, ...release.parts.map((text) => keyOf(release, text))];
  expect(asked).toEqual(['index.json', ...files.map((file) => `${file}?release=a`)]);
});

it('requests the single file from a catalogue that lists no downloads', async () => {
  const asked: string[] = [];
  const fetch = async (url: unknown) => {
    asked.push(String(url).slice(BASE.length + 1));
    return new Response(asked.length === 1 ? '{"release":"a","links":[]}' : linesOf('a', 0, 3));
  };
  expect((await idsOf(createClient({ baseUrl: BASE, fetch }))).ids).toEqual(numbered('a', 3));
  expect(asked).toEqual(['index.json', `${WHOLE}?release=a`]);
});

it('requests a file again after its connection broke, and no other file', async () => {
  const release = releaseOf('a', [100, 100]);
  const asked: string[] = [];
  const turns = [{ release }, { release }, { release }, { release, isBroken: true }, { release }];
  expect((await idsOf(clientOf(turns, {}, asked))).ids).toEqual(numbered('a', 200));
  expect(asked.slice(3)).toEqual([asked[3], asked[3]]);
});

it.each<[string, number, (release: Release) => string]>([
  ['root was', 1, rootOf],
  ['parts were', 3, (release) => keyOf(release, release.parts[1]!)],
])('starts again when its %s removed with the release', async (_what, answers, missing) => {
  const [first, second] = [releaseOf('a', [100, 100]), releaseOf('b', [50, 60])];
  const turns = [...new Array(answers).fill({ release: first }), { release: second }];
  const asked: string[] = [];
  expect(await idsOf(clientOf(turns, {}, asked))).toEqual({ ids: numbered('b', 110), restarts: 1 });
  // The request bypasses older cached copies of the index.
  expect(asked[answers + 1]).toBe('index.json?release=a');
  const deaf = clientOf(turns);
  const all = async () => {
    for await (const _ of deaf.downloadProperties());
  };
  await expect(all()).rejects.toMatchObject({
    name: 'ReleaseChangedError',
    url: `${BASE}/${missing(first)}?release=a`,
    status: 404,
  });
});

it('gives up when parts are missing again and again', async () => {
  const release = releaseOf('a', [1, 1]);
  const gone: Release = { name: 'a', parts: [] };
  const turns = Array.from({ length: 12 }, (_, n) => ({ release: n % 2 === 0 ? release : gone }));
  await expect(idsOf(clientOf(turns, { retries: 3 }))).rejects.toMatchObject({ name: 'ReleaseChangedError' });
});

it('is exact for any order of broken connections and releases', async () => {
  const releases = {
    a: releaseOf('a', [30, 40, 20]),
    b: releaseOf('b', [33, 27]),
    c: releaseOf('c', [5]),
  };
  const turn = fc.record({ name: fc.constantFrom('a', 'b', 'c'), isBroken: fc.boolean() });
  const sizes = { a: 90, b: 60, c: 5 };
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 9 }), async (turns) => {
      const all: Turn[] = turns.map(({ name, isBroken }) => ({ release: releases[name as 'a'], isBroken }));
      const client = clientOf([...all, { release: releases.a }], { retries: 12 });
      const outcome = await idsOf(client).catch((error: unknown) => error as Error);
      // A release may be removed between the reads of the index and of the file: then the file is missing.
      if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ProblemError', status: 404 });
      else {
        const name = outcome.ids[0]!.slice(0, 1) as keyof typeof sizes;
        expect(outcome.ids).toEqual(numbered(name, sizes[name]));
      }
    }),
    { numRuns: 150 },
  );
});

it.each([
  ['HTML', '<html>\n<h1>Log in</h1>\n'],
  ['HTML in one line', '<html>'],
  ['a line that is no object', '{"id":"1"}\n7\n'],
  ['a line that is broken', '{"id":"1"}\n{"id":\n'],
  ['a last line that is not whole', '{"id":"1"}\n{"id":"2"}'],
])('throws an error with status, URL and beginning for an answer with %s', async (_what, text) => {
  const client = clientOf([{ release: { name: 'a', parts: [text] } }]);
  await expect(idsOf(client)).rejects.toMatchObject({
    name: 'AnswerError',
    status: 200,
    url: `${BASE}/${WHOLE}?release=a`,
    excerpt: text,
  });
});

it('bypasses older cached copies of a release, and requests no part ahead of its turn', async () => {
  const asked: string[] = [];
  const client = clientOf([{ release: releaseOf('a', [2, 2]) }], {}, asked);
  for await (const { id } of client.downloadProperties({ release: '0123' })) {
    expect(id).toBe('a-0');
    break;
  }
  expect(asked).toHaveLength(3);
  expect(asked[0]).toBe('index.json?release=0123');
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const baseUrl = await serveLoopback((_request, response) => {
    response.write('{"release":');
    controller.abort(new Error('enough'));
  });
  const all = async () => {
    for await (const _ of createClient({ baseUrl }).downloadProperties({ signal: controller.signal }));
  };
  await expect(all()).rejects.toThrow('enough');
});
