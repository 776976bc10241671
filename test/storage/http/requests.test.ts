/** One request over a connection: what is signed, sent and returned, and when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { bucketAddress } from '../../../src/storage/http/address.ts';
import { openStoreConnection } from '../../../src/storage/http/connection.ts';
import { createSigner } from '../../../src/storage/s3/signature.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { type Reply, type Sent, serveAnswers } from '../s3/answering.ts';

async function connect(endpoint: string, { connections = 1, timeout = 10_000 } = {}) {
  const connection = await openStoreConnection({
    ...{ address: bucketAddress('stays', 'us-east-1', endpoint), signer: createSigner('s3', 'us-east-1') },
    credentials: async () => ({ accessKeyId: 'test-key', secretAccessKey: 'test-secret' }),
    ...{ connections, timeout },
  });
  onTestFinished(connection.close);
  return connection;
}

/** A connection to a store with these answers, and the requests over it. */
async function openAnswers(answer: (sent: Sent, count: number) => Reply | Promise<Reply>) {
  const sent: Sent[] = [];
  const connection = await connect(await serveAnswers((request) => answer(request, sent.push(request))));
  return { ...connection, sent, expires: () => Number(sent.at(-1)!.query.get('X-Amz-Expires')) };
}

function limitOf(remaining: () => number = () => 30_000, controller = new AbortController()): LockLimit {
  return { holder: 'holder', remaining, signal: controller.signal, ready: async () => {}, unsettled() {} };
}

const dated = (time: number): Record<string, string> => ({ Date: new Date(time).toUTCString() });
/** When the signature of a request expires, in milliseconds since 1970. */
function expiryOf({ query }: Sent): number {
  const [, ...parts] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(query.get('X-Amz-Date')!)!.map(Number);
  const [year = 0, month = 0, day = 0, hour, minute, second] = parts;
  const signed = Date.UTC(year, month - 1, day, hour, minute, second);
  return signed + 1000 * Number(query.get('X-Amz-Expires'));
}
const HOUR = 3_600_000;

describe('a signature', () => {
  it('is valid for a quarter of an hour at most, and for less with a shorter limit', async () => {
    const { send, expires } = await openAnswers(() => ({ status: 200 }));
    await send({ method: 'GET' });
    expect(expires()).toBe(900);
    await send({ method: 'GET', limit: limitOf(() => 2 * HOUR) });
    expect(expires()).toBe(900);
    await send({ method: 'GET', limit: limitOf(() => 1000) });
    expect([0, 1]).toContain(expires());
    await expect(send({ method: 'GET', key: 'a b', limit: limitOf(() => 999) })).rejects.toThrow(
      'GET /stays/a%20b: the request came too late',
    );
  });

  it('covers the address, the query and the headers of a request', async () => {
    const { send, sent } = await openAnswers(() => ({ status: 200 }));
    await send({ method: 'POST', key: 'a', query: { uploads: '' }, headers: { 'x-one': '1' } });
    const [{ method, path, query, headers }] = sent as [Sent];
    expect([method, path, query.get('uploads')]).toEqual(['POST', '/stays/a', '']);
    expect(query.get('X-Amz-SignedHeaders')).toBe('host;x-amz-content-sha256;x-one');
    expect(headers).toMatchObject({ 'x-one': '1', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' });
  });
});

describe('the clock of a store', () => {
  it('is read once before the first request with a limit', async () => {
    const { send, sent, clock } = await openAnswers(() => ({ status: 403, headers: dated(Date.now()) }));
    await send({ method: 'GET', key: 'a', limit: limitOf() });
    await send({ method: 'GET', key: 'a', limit: limitOf() });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...['HEAD /stays', 'GET /stays/a', 'GET /stays/a'],
    ]);
    expect(Math.abs(clock.now()! - Date.now())).toBeLessThan(HOUR / 10);
  });

  it('is corrected after a refusal, and the request is sent once more', async () => {
    const { send, sent, clock } = await openAnswers((_sent, count) => ({
      ...{ status: count === 1 ? 400 : 200, headers: dated(Date.now() - HOUR) },
    }));
    expect((await send({ method: 'GET' })).status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(Math.abs(clock.now()! - Date.now() + HOUR)).toBeLessThan(HOUR / 10);
  });

  it('that stays wrong ends the attempts', async () => {
    const { send, sent } = await openAnswers((_sent, count) => ({
      ...{ status: 403, headers: dated(Date.now() + count * HOUR) },
    }));
    expect((await send({ method: 'GET' })).status).toBe(403);
    expect(sent).toHaveLength(2);
  });

  it('that is right does not change a refusal; other statuses do not change the clock', async () => {
    const { send, sent } = await openAnswers((_sent, count) => ({
      ...{ status: count === 1 ? 403 : 404, headers: dated(Date.now() - (count === 1 ? 0 : HOUR)) },
    }));
    expect((await send({ method: 'GET' })).status).toBe(403);
    expect((await send({ method: 'GET' })).status).toBe(404);
    expect(sent).toHaveLength(2);
  });

  it.each([
    ['came too late', 0],
    ['is refused for another reason', -1000],
  ])('shows whether a request with a limit %s', async (_name, after) => {
    const { send } = await openAnswers((sent) => ({
      ...{ status: sent.method === 'HEAD' ? 200 : 403, headers: dated(Date.now()) },
      ...(sent.method === 'PUT' ? { headers: dated(expiryOf(sent) + after) } : {}),
    }));
    const outcome = await send({ method: 'PUT', key: 'a b', limit: limitOf() }).then(
      ({ status }) => status,
      (error: unknown) => error,
    );
    if (after < 0) expect(outcome).toBe(403);
    else {
      expect(outcome).toBeInstanceOf(RequestExpired);
      expect(String(outcome)).toContain('PUT /stays/a%20b: the request came too late');
    }
  });
});

describe('an answer', () => {
  it('has its status, the first of its headers, all its bytes and its time', async () => {
    const time = Math.floor(Date.now() / 1000) * 1000;
    const endpoint = await serveLoopback(async (incoming, outgoing) => {
      outgoing.setHeader('Date', new Date(time).toUTCString());
      outgoing.setHeader('Set-Cookie', ['one', 'two']);
      if (incoming.url?.startsWith('/stays/odd')) outgoing.setHeader('Date', 'soon');
      outgoing.writeHead(206);
      if (incoming.url?.startsWith('/stays/none')) return void outgoing.end();
      outgoing.write('some ');
      await sleep(20);
      outgoing.end('more');
    });
    const { send } = await connect(endpoint);
    for (let request = 0; request < 2; request++) {
      const answer = await send({ method: 'GET', key: 'a' });
      expect(answer).toMatchObject({
        ...{ status: 206, body: Buffer.from('some more'), time: new Date(time) },
        headers: { 'set-cookie': 'one', date: new Date(time).toUTCString() },
      });
    }
    expect((await send({ method: 'GET', key: 'none' })).body).toEqual(Buffer.alloc(0));
    expect((await send({ method: 'GET', key: 'odd' })).time).toBeUndefined();
  });

  it('that breaks off fails', async () => {
    const endpoint = await serveLoopback((_incoming, outgoing) => void outgoing.writeHead(200).write('some'));
    const { send } = await connect(endpoint, { timeout: 100 });
    await expect(send({ method: 'GET' })).rejects.toMatchObject({
      code: expect.stringMatching(/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/),
    });
  });
});

describe('a body', () => {
  it.each([
    [65_536, 2],
    [65_537, 3],
    [131_072, 3],
    [131_073, 4],
  ])('of %i bytes arrives complete, and checks the time before each further piece', async (size, most) => {
    const { send, sent } = await openAnswers(() => ({ status: 200 }));
    const body = Buffer.alloc(size, 'property ');
    await send({ method: 'PUT', body });
    let asked = 0;
    const counting = async (bytes: Buffer) => {
      asked = 0;
      const limit = limitOf(() => {
        asked++;
        return 30_000;
      });
      await send({ method: 'PUT', body: bytes, limit });
      return asked;
    };
    const least = await counting(Buffer.from('x'));
    expect((await counting(body)) - least).toBe(most - 2);
    for (const { body: arrived, headers } of [sent[0]!, sent.at(-1)!]) {
      expect(arrived.equals(body)).toBe(true);
      expect(headers['content-length']).toBe(String(size));
      expect(headers['transfer-encoding']).toBeUndefined();
    }
  });
});

describe('a request that waits for a connection', () => {
  /** A store that answers its first `PUT` on demand. */
  async function openBusy() {
    let free = () => {};
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    const opened = await openAnswers(async ({ path }) => {
      if (path.endsWith('first')) await isFree;
      return { status: 200 };
    });
    await opened.send({ method: 'HEAD' });
    return { ...opened, free, keys: () => opened.sent.map(({ path }) => path.slice('/stays/'.length)) };
  }

  it('is not sent when it has no time left, or its lock is over', async () => {
    const { send, free, keys } = await openBusy();
    const first = send({ method: 'PUT', key: 'first' });
    let left = 30_000;
    const late = send({ method: 'PUT', key: 'late', limit: limitOf(() => left) });
    const controller = new AbortController();
    const lost = send({ method: 'PUT', key: 'lost', limit: limitOf(undefined, controller) });
    // The query holds the signature, and may hold a session token.
    const outcome = expect(late).rejects.toThrow(/^PUT \/stays\/late: the request came too late/);
    await sleep(20);
    left = 999;
    const ended = new Error('the lock is over');
    controller.abort(ended);
    // At once, although no connection is free.
    await expect(lost).rejects.toBe(ended);
    free();
    await outcome;
    expect((await first).status).toBe(200);
    await send({ method: 'PUT', key: 'last', limit: limitOf(() => 1000) });
    expect(keys()).toEqual(['', 'first', 'last']);
  });
});

describe('the end of a lock', () => {
  it('ends all requests in flight, with one listener for all of them', async () => {
    let inFlight = 0;
    const endpoint = await serveLoopback((incoming, outgoing) => {
      if (incoming.method === 'GET') inFlight++;
      else outgoing.end();
    });
    const { send } = await connect(endpoint, { connections: 3 });
    const controller = new AbortController();
    const { signal } = controller;
    const heard: string[] = [];
    const watched = Object.create(signal, {
      aborted: { get: () => signal.aborted },
      reason: { get: () => signal.reason },
      throwIfAborted: { value: () => signal.throwIfAborted() },
      addEventListener: {
        value: (name: string, work: () => void) => {
          heard.push(`add ${name}`);
          signal.addEventListener('abort', work);
        },
      },
      removeEventListener: {
        value: (name: string, work: () => void) => {
          heard.push(`remove ${name}`);
          signal.removeEventListener('abort', work);
        },
      },
    }) as AbortSignal;
    const limit = { ...limitOf(), signal: watched };
    await send({ method: 'HEAD', limit });
    expect(heard).toEqual(['add abort', 'remove abort']);
    const requests = [1, 2, 3].map(() => send({ method: 'GET', limit }));
    const outcomes = Promise.all(requests.map((request) => request.catch((error: unknown) => error)));
    await expect.poll(() => inFlight).toBe(3);
    expect(heard).toEqual(['add abort', 'remove abort', 'add abort']);
    const ended = new Error('the lock is over');
    controller.abort(ended);
    expect(await outcomes).toEqual([ended, ended, ended]);
    expect(heard).toEqual(['add abort', 'remove abort', 'add abort', 'remove abort']);
  });

  it('ends a request that has no answer at its limit', async () => {
    let hasArrived = false;
    const { send } = await openAnswers(async ({ method }) => {
      hasArrived = method === 'PUT';
      if (hasArrived) await new Promise(() => {});
      return { status: 200 };
    });
    const limit = limitOf(() => (hasArrived ? 0 : 1000));
    await expect(send({ method: 'PUT', limit })).rejects.toThrow(
      'no answer came before the limit of the request',
    );
  });
});
