/** What goes over the wire to S3, seen from a server that writes down what it is sent. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openS3 } from '../../src/publish/s3-bucket.ts';

type Sent = { headers: IncomingHttpHeaders; body: Buffer };

/** A server that answers every request with one entity tag. */
async function openRecorded(tag: (body: Buffer) => string) {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  const sent: Sent[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    sent.push({ headers: incoming.headers, body });
    outgoing.writeHead(200, { ETag: tag(body) }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { bucket, close } = openS3({ bucket: 'stays', prefix: '', endpoint });
  onTestFinished(() => {
    close();
    server.closeAllConnections();
    server.close();
  });
  return { bucket, sent };
}

const hash = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;
const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };

it('every body goes with its SHA-256, which the signature covers, and with its headers', async () => {
  const { bucket, sent } = await openRecorded(hash);
  const body = Buffer.from('{"title":"Rose Cottage"}');
  await bucket.write('a.json', body, headers);
  expect(sent).toHaveLength(1);
  const [{ headers: received, body: arrived }] = sent as [Sent];
  expect(arrived).toEqual(body);
  expect(received['x-amz-content-sha256']).toBe(createHash('sha256').update(body).digest('hex'));
  expect(received.authorization).toMatch(/SignedHeaders=[^,]*x-amz-content-sha256/);
  expect(received).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=60',
  });
});

it('a body of which the server has another hash did not arrive', async () => {
  const { bucket } = await openRecorded(() => hash(Buffer.from('something else')));
  await expect(bucket.write('a.json', Buffer.from('{}'), headers)).rejects.toThrow('a.json arrived damaged');
});
