/** Requests go through the proxy that the environment names. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openS3Bucket } from '../../../src/storage/s3/bucket.ts';
import { serveLoopback } from '../../support/loopback.ts';

/** A proxy that requires the given login, if any. Returns its address without the login, and the requested hosts. */
async function startProxy(login?: string) {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (incoming, client) => {
    const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
    if (expected && incoming.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    asked.push(incoming.url ?? '');
    const [host, port] = (incoming.url ?? '').split(':');
    const store = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      store.pipe(client).pipe(store);
    });
    store.on('error', () => client.destroy());
    client.on('error', () => store.destroy());
  });
  return { host: new URL(await serveLoopback(proxy)).host, asked };
}

/** Sets variables of the environment until the test is over. */
function setEnvironment(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

async function openBucket() {
  setEnvironment({ AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
  const endpoint = await serveLoopback((_, outgoing) =>
    outgoing.writeHead(200, { ETag: '"tag"' }).end('found'),
  );
  const { bucket, close } = openS3Bucket({ bucket: 'stays', prefix: '', endpoint });
  onTestFinished(close);
  return { bucket, host: new URL(endpoint).host };
}

it('requests use the proxy, with and without a login (A16)', async () => {
  for (const login of [undefined, 'ann:s3cret']) {
    const { host, asked } = await startProxy(login);
    setEnvironment({ HTTP_PROXY: `http://${login ? `${login}@` : ''}${host}` });
    const { bucket, host: store } = await openBucket();
    expect((await bucket.read('a'))?.body.toString()).toBe('found');
    expect(asked).toEqual([store]);
  }
});

it('excepted hosts are reached without the proxy (A16)', async () => {
  const { host, asked } = await startProxy();
  setEnvironment({ HTTP_PROXY: `http://${host}`, NO_PROXY: 'localhost,127.0.0.1' });
  const { bucket } = await openBucket();
  expect((await bucket.read('a'))?.body.toString()).toBe('found');
  expect(asked).toEqual([]);
});

it('a proxy that refuses the login is named, without the login (A16)', async () => {
  const { host } = await startProxy('ann:s3cret');
  setEnvironment({ HTTP_PROXY: `http://ann:wr0ng@${host}` });
  const { bucket } = await openBucket();
  const failure = await bucket.read('a').catch((error: Error) => error);
  expect(failure).toMatchObject({ code: 'bucket-proxy', isTransient: false });
  expect(String((failure as Error).message)).not.toContain('wr0ng');
});

it('a proxy that does not answer is named, without the login (A16)', async () => {
  setEnvironment({ HTTP_PROXY: 'http://ann:s3cret@127.0.0.1:9' });
  const { bucket } = await openBucket();
  await expect(bucket.read('a')).rejects.toMatchObject({
    code: 'bucket-unreachable',
    message: expect.stringContaining('the proxy http://***@127.0.0.1:9'),
  });
});
