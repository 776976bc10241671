/** Every failure keeps its status and URL, and an error of the caller is not reported as one of the network (B6). */
import type { RequestListener } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import {
  AnswerError,
  CatalogueError,
  type ClientOptions,
  ConnectionError,
  createClient,
  ProblemError,
} from '../../src/client/index.ts';
import { serveLoopback } from '../support/loopback.ts';

const PAGE = { data: [], meta: { pagination: { current_page: 1, per_page: 25, total_entries: 0 } } };
const LIST = '/api/v1/public/properties';

/** A client of a server with this answer, its URL, and the number of requests. */
async function against(answer: RequestListener, options: Partial<ClientOptions> = {}) {
  const asked = { count: 0 };
  const url = await serveLoopback((request, response) => {
    asked.count++;
    answer(request, response);
  });
  return { client: createClient({ baseUrl: url, ...options }), url, asked };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('a successful answer that does not come from the API (B6)', () => {
  it.each([
    ['HTML', '<!doctype html><h1>Log in</h1>'],
    ['broken JSON', '{"data":['],
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"data"'],
    ['a list', '[]'],
    ['another object', '{"hello":1}'],
    ['a page without pages', '{"data":[],"meta":{}}'],
    ['a page of none', JSON.stringify({ ...PAGE, meta: { pagination: { per_page: 0 } } })],
  ])('%s is an AnswerError with its status, its URL and its beginning', async (_what, body) => {
    const { client, url, asked } = await against((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(body);
    });
    const error = await failureOf(client.listProperties({ country: 'IE' }));
    expect(error).toBeInstanceOf(AnswerError);
    expect(error).toBeInstanceOf(CatalogueError);
    const asking = `${url}${LIST}?filter%5Bcountry%5D=IE`;
    expect(error).toMatchObject({ name: 'AnswerError', status: 200, url: asking, excerpt: body });
    expect((error as Error).message).toBe(`${asking} answered 200, but not what the API gives: text/html.`);
    expect(asked.count).toBe(1);
  });

  it('keeps the first 200 characters', async () => {
    const { client } = await against((_request, response) => response.end('x'.repeat(1e6)));
    expect((await failureOf(client.getIndex())) as AnswerError).toHaveProperty('excerpt', 'x'.repeat(200));
  });

  it.each([204, 206, 304])('with the status %i is an AnswerError too', async (status) => {
    const { client, url } = await against((_request, response) => response.writeHead(status).end());
    const error = await failureOf(client.getCountries());
    expect(error).toBeInstanceOf(AnswerError);
    expect(error).toMatchObject({ status, url: `${url}/_catalogue/countries.json` });
  });
});

describe('an error status (B6)', () => {
  const title = 'Title';
  it.each<[string, string, object | undefined, string | undefined]>([
    ['HTML', '<h1>Bad</h1>', undefined, undefined],
    ['broken JSON', '{"type":', undefined, undefined],
    ['nothing', '', undefined, undefined],
    ['a list', '[1]', undefined, undefined],
    ['null', 'null', undefined, undefined],
    ['JSON that is no problem', '{"error":"x"}', undefined, undefined],
    [
      'a problem without type',
      '{"title":"Title","detail":"No."}',
      { type: 'about:blank', title, detail: 'No.' },
      'No.',
    ],
    [
      'a problem without detail',
      '{"type":"/x","title":"Title"}',
      { type: '/x', title, detail: title },
      title,
    ],
    ['a problem with detail alone', '{"detail":"No."}', { type: 'about:blank', title: 'Status 403' }, 'No.'],
    [
      'a problem of other types',
      '{"type":1,"title":null,"detail":"No.","status":"x"}',
      { type: 'about:blank', status: 403 },
      'No.',
    ],
    ['a problem with more members', '{"title":"Title","trace":"7f"}', { title, trace: '7f' }, title],
  ])('with %s keeps status and URL', async (_what, body, problem, message) => {
    const { client, url, asked } = await against((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'application/problem+json' }).end(body);
    });
    const error = (await failureOf(client.getProperty('x'))) as ProblemError;
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      name: 'ProblemError',
      status: 403,
      url: `${url}${LIST}/x`,
      code: undefined,
    });
    expect(error.message).toBe(message ?? `${url}${LIST}/x answered 403.`);
    if (problem) expect(error.problem).toMatchObject({ status: 403, ...problem });
    else expect(error.problem).toBeUndefined();
    expect(asked.count).toBe(1);
  });

  it('has a code when its type is a page of the API, whatever the base path', async () => {
    const { client } = await against((_request, response) =>
      response
        .writeHead(404)
        .end('{"type":"/stays/problems.html#property-not-found","title":"T","detail":"D"}'),
    );
    expect(await failureOf(client.getProperty('x'))).toMatchObject({
      code: 'property-not-found',
      message: 'D',
    });
    const other = await against((_request, response) =>
      response.writeHead(404).end('{"type":"https://cdn.example/errors#not-found"}'),
    );
    expect(await failureOf(other.client.getProperty('x'))).toMatchObject({ code: undefined });
  });

  it('is kept when the body breaks off', async () => {
    const { client } = await against((_request, response) => {
      response.writeHead(403, { 'Content-Length': '99' }).write('{"type"');
      setTimeout(() => response.destroy(), 10);
    });
    expect(await failureOf(client.getProperty('x'))).toMatchObject({ name: 'ProblemError', status: 403 });
  });
});

describe('a missing answer (B6)', () => {
  it('is a ConnectionError with the URL and the error of fetch', async () => {
    const { client, url, asked } = await against((_request, response) => response.destroy(), { retries: 1 });
    const error = await failureOf(client.getIndex());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      url: `${url}/index.json`,
      status: undefined,
      cause: expect.any(TypeError),
    });
    expect((error as Error).message).toMatch(/^http:\S+\/index\.json did not answer: /);
    expect(asked.count).toBe(2);
  });

  it('keeps the status when the connection breaks before the end', async () => {
    const { client } = await against(
      (_request, response) => {
        response.writeHead(200, { 'Content-Length': '99' }).write('{');
        setTimeout(() => response.destroy(), 10);
      },
      { retries: 0 },
    );
    expect(await failureOf(client.getIndex())).toMatchObject({ name: 'ConnectionError', status: 200 });
  });
});

describe("an error that the caller's own fetch throws (B6)", () => {
  it.each<[string, Error, number]>([
    ['an error counts as a network error, and is repeated', new Error('refused'), 2],
    ['a CatalogueError is final', new CatalogueError('refused', 'http://x.example', undefined), 1],
    ['a ConnectionError is repeated', new ConnectionError('http://x.example', undefined, 'refused'), 2],
    ['a ProblemError 503 is repeated', new ProblemError('http://x.example', 503, '', undefined), 2],
    ['a ProblemError 403 is final', new ProblemError('http://x.example', 403, '', undefined), 1],
  ])('%s', async (_what, thrown, times) => {
    const fetch = vi.fn<typeof globalThis.fetch>().mockRejectedValue(thrown);
    const client = createClient({ baseUrl: 'http://x.example', fetch, retries: 1, maxRetryDelay: 0 });
    const error = await failureOf(client.getIndex());
    if (thrown instanceof CatalogueError) expect(error).toBe(thrown);
    else expect(error).toMatchObject({ name: 'ConnectionError', cause: thrown });
    expect(fetch).toHaveBeenCalledTimes(times);
  });
});

describe('a cache that fails (B6)', () => {
  const broken = new Error('quota');
  const throws = () => {
    throw broken;
  };
  it.each([
    ['when it is read', { get: throws, set: () => {} }],
    ['when it is written', { get: () => undefined, set: throws }],
    ['later', { get: () => Promise.reject(broken), set: () => Promise.reject(broken) }],
  ])('%s neither fails a request nor repeats one', async (_when, cache) => {
    const errors: unknown[] = [];
    const { client, asked } = await against(
      (_request, response) => response.setHeader('ETag', '"1"').end(JSON.stringify(PAGE)),
      { cache, onCacheError: (error) => errors.push(error) },
    );
    expect(await client.listProperties()).toEqual(PAGE);
    expect(asked.count).toBe(1);
    expect(new Set(errors)).toEqual(new Set([broken]));
    expect(
      await createClient({
        baseUrl: 'http://x.example',
        cache,
        fetch: async () => Response.json(PAGE),
      }).listProperties(),
    ).toEqual(PAGE);
  });

  it.each<[string, unknown]>([
    ['a text that is broken', { etag: '"1"', text: '{"da' }],
    ['a text of something else', { etag: '"1"', text: '{}' }],
    ['no text', { etag: '"1"' }],
    ['something else', 7],
  ])('that holds %s is bypassed', async (_what, entry) => {
    const conditions: (string | undefined)[] = [];
    const { client } = await against(
      (request, response) => {
        conditions.push(request.headers['if-none-match']);
        if (request.headers['if-none-match']) response.writeHead(304).end();
        else response.end(JSON.stringify(PAGE));
      },
      { cache: { get: () => entry as never, set: () => {} } },
    );
    expect(await client.listProperties()).toEqual(PAGE);
    expect(conditions.at(-1)).toBeUndefined();
  });
});
