/** Going through the download while connections break and releases go live (B6). */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/index.ts';
import { serveLoopback } from '../loopback.ts';

/** The file of a release: lines of different lengths, with letters of several bytes. */
const fileOf = (release: string, count: number): Buffer =>
  Buffer.from(
    Array.from(
      { length: count },
      (_, n) => `${JSON.stringify({ id: `${release}-${n}`, title: 'Höhle 😀 '.repeat(n % 7) })}\n`,
    ).join(''),
  );

const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('hex').slice(0, 8)}"`;

/**
 * What a server does with one request: how many bytes of the body it gives before it breaks off. It waits with that for
 * a record to arrive, if it gave any bytes: `fetch` may drop what came when a connection breaks before it is read.
 */
type Turn = { readonly file: Buffer; readonly until?: number };

type Kind = { readonly ranges: boolean; readonly tags: boolean; readonly compressed?: boolean };

/** Answers as a static server would, from what is live at that request; gives what breaks the answer off, if it is held. */
function answer({ file, until }: Turn, { ranges, tags, compressed }: Kind) {
  return (request: IncomingMessage, response: ServerResponse): (() => void) | undefined => {
    if (tags) response.setHeader('ETag', compressed ? `W/${tagOf(file)}` : tagOf(file));
    const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const from = ranges && first ? Number(first) : 0;
    if (from >= file.length && from > 0) {
      response.writeHead(416, { 'Content-Range': `bytes */${file.length}` }).end();
      return;
    }
    if (from > 0) response.setHeader('Content-Range', `bytes ${from}-${file.length - 1}/${file.length}`);
    const body = compressed ? gzipSync(file) : file.subarray(from);
    if (compressed) response.setHeader('Content-Encoding', 'gzip');
    response.writeHead(from > 0 ? 206 : 200, {
      'Content-Type': 'application/x-ndjson',
      'Content-Length': body.length,
    });
    if (until === undefined) response.end(body);
    else if (until === 0) response.write('', () => setTimeout(() => response.destroy(), 5));
    else {
      response.write(body.subarray(0, until));
      return () => response.destroy();
    }
  };
}

const WHOLE: Kind = { ranges: true, tags: true };

/** A client of a server that takes these turns; the last one stays. */
async function serve(turns: readonly Turn[], kind: Kind = WHOLE, options: Partial<ClientOptions> = {}) {
  const ranges: (string | undefined)[] = [];
  let breakOff: (() => void) | undefined;
  const url = await serveLoopback((request, response) => {
    const turn = turns[Math.min(ranges.length, turns.length - 1)]!;
    ranges.push(request.headers.range);
    breakOff = answer(turn, kind)(request, response);
  });
  const client = createClient({ baseUrl: url, maxRetryDelay: 5, ...options });
  return { client, ranges, url, onRecord: () => breakOff?.() };
}

type Downloading = { readonly client: Client; readonly onRecord?: () => void };

/** The ids of a download, and how often it began again. */
async function idsOf({ client, onRecord }: Downloading) {
  let restarts = 0;
  let ids: string[] = [];
  const onRestart = () => {
    restarts++;
    ids = [];
  };
  for await (const { id } of client.downloadProperties({ onRestart })) {
    ids.push(id);
    onRecord?.();
  }
  return { ids, restarts };
}

const numbered = (release: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${release}-${n}`);

it('goes on where the connection broke, when the file is the same', async () => {
  const file = fileOf('a', 500);
  const server = await serve([{ file, until: 5000 }, { file, until: 7000 }, { file }]);
  expect(await idsOf(server)).toEqual({ ids: numbered('a', 500), restarts: 0 });
  const { ranges } = server;
  expect(ranges).toHaveLength(3);
  expect(ranges[0]).toBeUndefined();
  expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range!))).toBe(true);
});

it.each<[string, Kind]>([
  ['ranges', WHOLE],
  ['no ranges', { ranges: false, tags: true }],
  ['no tags', { ranges: true, tags: false }],
  ['compression', { ranges: false, tags: true, compressed: true }],
])('every record after the last restart is of one release, with %s', async (_what, kind) => {
  const first = fileOf('a', 300);
  const second = fileOf('b', 200);
  const until = kind.compressed ? 700 : 2000;
  const turns = [{ file: first, until }, { file: second, until }, { file: second }];
  const { ids, restarts } = await idsOf(await serve(turns, kind, { retries: 5 }));
  expect(ids).toEqual(numbered('b', 200));
  expect(restarts).toBe(kind.tags ? 1 : 2);
});

it('throws where another release went live and no listener is set', async () => {
  const turns = [{ file: fileOf('a', 300), until: 2000 }, { file: fileOf('b', 200) }];
  const { client, url, onRecord } = await serve(turns);
  const all = async () => {
    for await (const _ of client.downloadProperties()) onRecord();
  };
  await expect(all()).rejects.toMatchObject({
    name: 'ReleaseChangedError',
    url: `${url}/properties.ndjson`,
    status: 206,
  });
});

it('begins again when the file became shorter than what came', async () => {
  const turns = [{ file: fileOf('a', 300), until: 9000 }, { file: fileOf('b', 3) }];
  expect(await idsOf(await serve(turns))).toEqual({ ids: numbered('b', 3), restarts: 1 });
});

it('is exact for any order of breaks and releases', { timeout: 60_000 }, async () => {
  const turn = fc.record({
    release: fc.constantFrom('a', 'b', 'c'),
    until: fc.integer({ min: 0, max: 3000 }),
  });
  const kinds = fc.constantFrom<Kind>(WHOLE, { ranges: false, tags: true }, { ranges: true, tags: false });
  const sizes = { a: 60, b: 61, c: 5 };
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 5 }), kinds, async (broken, kind) => {
      const files = broken.map(({ release, until }) => ({ file: fileOf(release, sizes[release]), until }));
      let number = 0;
      // Without a server: a body that breaks off as fetch shows it.
      const fetch = async (_url: unknown, init?: RequestInit) => {
        const { file, until }: Turn = files[number++] ?? { file: fileOf('a', sizes.a) };
        const first = kind.ranges
          ? /\d+/.exec(new Headers(init?.headers).get('Range') ?? '')?.[0]
          : undefined;
        const from = Number(first ?? 0);
        const headers = kind.tags ? { ETag: tagOf(file) } : {};
        if (from >= file.length) return new Response('', { status: 416, headers });
        const bytes = new Uint8Array(file.subarray(from, until === undefined ? undefined : from + until));
        const isWhole = until === undefined || from + until >= file.length;
        const body = new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += 700) controller.enqueue(bytes.subarray(at, at + 700));
            if (isWhole) controller.close();
            else controller.error(new TypeError('terminated'));
          },
        });
        return new Response(body, { status: from > 0 ? 206 : 200, headers });
      };
      const client = createClient({ baseUrl: 'http://x.example', fetch, retries: 9, maxRetryDelay: 0 });
      const { ids } = await idsOf({ client });
      const release = ids[0]!.slice(0, 1) as keyof typeof sizes;
      expect(ids).toEqual(numbered(release, sizes[release]));
    }),
    { numRuns: 150 },
  );
});

it('gives up when it makes no progress', async () => {
  const file = fileOf('a', 300);
  for (const kind of [WHOLE, { ranges: false, tags: true }, { ranges: true, tags: false }]) {
    const server = await serve(
      [
        { file, until: 2000 },
        { file, until: 0 },
      ],
      kind,
      { retries: 2 },
    );
    await expect(idsOf(server)).rejects.toMatchObject({
      name: 'ConnectionError',
      status: expect.any(Number),
    });
    expect(server.ranges.length).toBeLessThan(8);
  }
});

it.each([
  ['HTML', '<html>\n<h1>Log in</h1>\n'],
  ['HTML in one line', '<html>'],
  ['a line that is no object', '{"id":"1"}\n7\n'],
  ['a line that is broken', '{"id":"1"}\n{"id":\n'],
])('an answer with %s keeps status, URL and beginning', async (_what, text) => {
  const server = await serve([{ file: Buffer.from(text) }]);
  await expect(idsOf(server)).rejects.toMatchObject({
    name: 'AnswerError',
    status: 200,
    url: `${server.url}/properties.ndjson`,
    excerpt: expect.stringMatching(/^(?:<html>|7|\{"id":)$/),
  });
});

it('asks past older copies for a release, and ends its request when it is left', async () => {
  let url = '';
  let isClosed = false;
  const baseUrl = await serveLoopback((request, response) => {
    url = request.url!;
    response.on('close', () => {
      isClosed = true;
    });
    response.write(fileOf('a', 10));
  });
  for await (const { id } of createClient({ baseUrl }).downloadProperties({ release: '0123' })) {
    expect(id).toBe('a-0');
    break;
  }
  expect(url).toBe('/properties.ndjson?release=0123');
  while (!isClosed) await new Promise((resolve) => setTimeout(resolve, 5));
});

it('ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const baseUrl = await serveLoopback((_request, response) => response.write(fileOf('a', 1)));
  const all = async () => {
    const records = createClient({ baseUrl }).downloadProperties({ signal: controller.signal });
    for await (const _ of records) controller.abort(new Error('enough'));
  };
  await expect(all()).rejects.toThrow('enough');
});

it('holds a piece at a time, and not the file', { timeout: 60_000 }, async () => {
  const line = `${JSON.stringify({ id: '1', title: 'x'.repeat(4000) })}\n`;
  const piece = new TextEncoder().encode(line.repeat(256));
  let sent = 0;
  let seen = 0;
  let ahead = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent === 200) return controller.close();
        sent++;
        controller.enqueue(piece.slice());
      },
    },
    { highWaterMark: 0 },
  );
  const client = createClient({ baseUrl: 'http://x.example', fetch: async () => new Response(body) });
  for await (const _ of client.downloadProperties()) {
    ahead = Math.max(ahead, sent - Math.floor(seen++ / 256));
  }
  expect([sent, seen]).toEqual([200, 200 * 256]);
  expect(ahead).toBeLessThanOrEqual(2);
});
