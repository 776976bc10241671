/** The time for which a request may have an effect, by the clock of a store that differs from this machine's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { bucketAddress } from '../../../src/storage/http/address.ts';
import { openStoreConnection } from '../../../src/storage/http/connection.ts';
import { createSigner } from '../../../src/storage/s3/signature.ts';
import { serveLoopback } from '../../support/loopback.ts';

/** Times in milliseconds on the clock of the store: when it checked a request, and when that would have expired. */
type Judged = { readonly method: string; readonly at: number; readonly expires: number };

type Store = {
  /** How far the clock of the store is ahead of this machine's, in milliseconds. */
  ahead: number;
  /** Milliseconds between a request and its check. */
  delay: number;
  /** Whether answers have a `Date`. */
  isTimed: boolean;
  readonly judged: Judged[];
};

/** A store that refuses early and late requests as AWS does, and accepts all others. */
async function openStore(given: Partial<Omit<Store, 'judged'>> = {}) {
  const store: Store = { ahead: 0, delay: 0, isTimed: true, judged: [], ...given };
  const endpoint = await serveLoopback(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    incoming.resume();
    await sleep(store.delay);
    const at = Date.now() + store.ahead;
    const query = new URL(incoming.url ?? '', 'http://store').searchParams;
    const signed = Date.parse(
      (query.get('X-Amz-Date') ?? '').replace(/(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)/, '$1-$2-$3:$4:$5'),
    );
    const expires = signed + Number(query.get('X-Amz-Expires')) * 1000;
    store.judged.push({ method: incoming.method ?? '', at, expires });
    outgoing.sendDate = false;
    if (store.isTimed) outgoing.setHeader('Date', new Date(at).toUTCString());
    const isInTime = at < expires && signed < at + 900_000;
    outgoing.writeHead(isInTime ? 200 : 403, { ETag: '"tag"' }).end();
  });
  return { store, connection: await connect(endpoint) };
}

async function connect(endpoint: string) {
  const connection = await openStoreConnection({
    address: bucketAddress('stays', 'us-east-1', endpoint),
    signer: createSigner('s3', 'us-east-1'),
    credentials: async () => ({ accessKeyId: 'test-key', secretAccessKey: 'test-secret' }),
    connections: 4,
    timeout: 10_000,
  });
  onTestFinished(connection.close);
  return connection;
}

/** A limit that ends `milliseconds` from now on. */
function limitOf(milliseconds: number, controller = new AbortController()): LockLimit {
  const end = performance.now() + milliseconds;
  return {
    holder: 'holder',
    remaining: () => end - performance.now(),
    signal: controller.signal,
    ready: async () => {},
    unsettled() {},
  };
}

const MINUTE = 60_000;
const clocks = [0, 2 * MINUTE, -2 * MINUTE, 60 * MINUTE, -60 * MINUTE, 0.7 * 1000, -0.7 * 1000];

describe.each(clocks)('a store whose clock is %i ms ahead', (ahead) => {
  it('accepts requests, and requests with a limit do not expire after it (A1)', async () => {
    const { store, connection } = await openStore({ ahead });
    for (const lifetime of [9000, 20_000, 30_000]) {
      const limit = limitOf(lifetime);
      const end = Date.now() + ahead + lifetime;
      const answer = await connection.send({ method: 'PUT', key: 'a', body: Buffer.from('x'), limit });
      expect(answer.status).toBe(200);
      const { expires } = store.judged.at(-1)!;
      // `Date.now()` leaves out a part of a millisecond.
      expect(expires).toBeLessThanOrEqual(end + 1);
    }
    expect((await connection.send({ method: 'GET', key: 'a' })).status).toBe(200);
  });
});

it('a store refuses a request that arrives after its limit, whatever its clock (A1)', async () => {
  const refuse = async (ahead: number) => {
    const { store, connection } = await openStore({ ahead });
    await connection.send({ method: 'GET', key: 'a' });
    store.delay = 2300;
    await expect(connection.send({ method: 'DELETE', key: 'a', limit: limitOf(2900) })).rejects.toThrow(
      /too late|limit of the request/,
    );
    await expect.poll(() => store.judged.at(-1)?.method).toBe('DELETE');
    const { at, expires } = store.judged.at(-1)!;
    expect(at).toBeGreaterThanOrEqual(expires);
  };
  await Promise.all(clocks.map(refuse));
});

it('tells the limit the date of each signature, by which a machine whose clocks stood still learns that', async () => {
  const { store, connection } = await openStore();
  const dates: number[] = [];
  const limit: LockLimit = {
    ...limitOf(60_000),
    remaining(storeTime = 0) {
      dates.push(storeTime);
      return storeTime - dates[0]! < 200_000 ? 30_000 : 0;
    },
  };
  await connection.send({ method: 'PUT', key: 'a', limit });
  store.ahead = 300_000;
  const late = { method: 'PUT', key: 'a', limit } as const;
  await expect(connection.send(late)).rejects.toThrow(RequestExpired);
  const judged = store.judged.length;
  // The refusal told the store's time: the next attempt is not sent.
  await expect(connection.send(late)).rejects.toThrow(RequestExpired);
  expect(store.judged).toHaveLength(judged);
  expect(dates.at(-1)! - dates[0]!).toBeGreaterThanOrEqual(299_000);
});

describe('a large body', () => {
  const body = Buffer.alloc(20_000_000, 'x');

  /** A store that reads a body only on demand, and reports how much arrived, and whether it was complete. */
  async function openSlowStore(wait: Promise<unknown>) {
    const received: { size: number; isWhole: boolean } = { size: 0, isWhole: false };
    const endpoint = await serveLoopback(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      outgoing.setHeader('ETag', '"tag"');
      if (incoming.method === 'HEAD') return void outgoing.end();
      await wait;
      incoming.on('error', () => {});
      incoming.on('data', (chunk: Buffer) => {
        received.size += chunk.length;
      });
      incoming.on('end', () => {
        received.isWhole = true;
        outgoing.end(incoming.headers['content-length']);
      });
    });
    return { received, connection: await connect(endpoint) };
  }

  it('is not sent further when the limit is over, and has no effect (issue 18, rule 3 of a limit)', async () => {
    let rest = 60_000;
    const { received, connection } = await openSlowStore(Promise.resolve());
    const limit = { ...limitOf(0), remaining: () => (rest -= 1000) };
    const sent = connection.send({ method: 'PUT', key: 'a', body, limit });
    await expect(sent).rejects.toThrow(RequestExpired);
    expect(rest).toBeLessThan(1000);
    expect(received.isWhole).toBe(false);
    expect(received.size).toBeLessThan(body.length);
  });

  it('may take longer than one renewal of the lock lasts (issue 18, rule 4 of a limit)', async () => {
    let renewed = false;
    let read = () => {};
    const { connection } = await openSlowStore(
      new Promise<void>((resolve) => {
        read = resolve;
      }),
    );
    const first = limitOf(1500);
    // This request starts after the first limit has run out.
    const remaining = () => {
      if (first.remaining() > 0) return Math.max(first.remaining(), 1000);
      renewed = true;
      read();
      return 30_000;
    };
    const { status, body: length } = await connection.send({
      ...{ method: 'PUT', key: 'a', body },
      limit: { ...first, remaining },
    });
    expect([status, length.toString(), renewed]).toEqual([200, String(body.length), true]);
  });
});

it('ends every request in flight when the lock is lost, whatever has been answered since it was sent', async () => {
  const endpoint = await serveLoopback((incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!incoming.url?.includes('slow')) outgoing.end();
  });
  const connection = await connect(endpoint);
  const controller = new AbortController();
  const limit = limitOf(60_000, controller);
  const send = (key: string) => connection.send({ method: 'GET', key, limit });
  const slow: Promise<unknown>[] = [];
  // Requests that end leave places for those that follow.
  for (const order of ['quick slow', 'slow quick', 'quick slow'])
    await Promise.all(
      order.split(' ').map((key) => {
        const sent = send(key);
        if (key === 'quick') return sent;
        slow.push(sent.catch((error: unknown) => error));
        return undefined;
      }),
    );
  const reason = new Error('lock-lost');
  controller.abort(reason);
  expect(await Promise.all(slow)).toEqual([reason, reason, reason]);
  await expect(send('quick')).rejects.toBe(reason);
});

it('a store clock that is set back costs one refusal', async () => {
  const { store, connection } = await openStore();
  await connection.send({ method: 'GET', key: 'a' });
  store.ahead = -60 * MINUTE;
  expect((await connection.send({ method: 'GET', key: 'a' })).status).toBe(200);
  store.ahead = -120 * MINUTE;
  const limited = () => connection.send({ method: 'PUT', key: 'a', limit: limitOf(30_000) });
  // It certainly had no effect. The caller checks the remaining time before another attempt.
  await expect(limited()).rejects.toThrow(RequestExpired);
  expect((await limited()).status).toBe(200);
});

it('a store without a time is sent nothing that has to expire', async () => {
  const { store, connection } = await openStore({ isTimed: false });
  const request = connection.send({ method: 'PUT', key: 'a', limit: limitOf(30_000) });
  await expect(request).rejects.toMatchObject({ code: 'bucket-clock', isTransient: false });
  expect(store.judged.map(({ method }) => method)).toEqual(['HEAD']);
  expect((await connection.send({ method: 'GET', key: 'a' })).status).toBe(200);
});
