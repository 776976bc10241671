/** Large objects, which go to a store in parts, seen from a store that keeps them as AWS does. */
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasTag, PART, partRanges, partsOf } from '../../../src/storage/body.ts';
import type { LargeBody, Limit } from '../../../src/storage/bucket.ts';
import { openS3 } from '../../../src/storage/s3/bucket.ts';
import { serveLoopback } from '../../loopback.ts';

const HEADERS = { contentType: 'application/x-ndjson', cacheControl: 'public, max-age=60' };

/** `size` bytes that differ from place to place, and what of them was read at once at most. */
function largeBody(size: number) {
  const bytes = Buffer.alloc(size, 'property ');
  for (let place = 0; place < size; place += 4099) bytes.writeUInt8(place % 251, place);
  const seen = { most: 0 };
  const body: LargeBody = {
    size,
    async read(from, to) {
      seen.most = Math.max(seen.most, to - from);
      return bytes.subarray(from, to);
    },
  };
  return { bytes, body, seen };
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

type Fault = (
  method: string,
  query: URLSearchParams,
  count: number,
) => number | 'lost' | 'no tag' | undefined;

/** A store that knows uploads in parts, and fails as it is asked to. */
async function openStore(fault: Fault = () => undefined) {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  const objects = new Map<string, { body: Buffer; tag: string; type: string | undefined }>();
  const uploads = new Map<string, { key: string; type: string | undefined; parts: Map<number, Buffer> }>();
  const counts = new Map<string, number>();
  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      // The sender has no more time.
      return;
    }
    const body = Buffer.concat(chunks);
    const { method = '', headers } = incoming;
    const { pathname, searchParams: query } = new URL(incoming.url!, 'http://store');
    const key = pathname.slice('/stays/'.length);
    const step = `${method} ${query.get('partNumber') ?? (query.has('uploads') ? 'uploads' : '')}`;
    counts.set(step, (counts.get(step) ?? 0) + 1);
    const wrong = fault(method, query, counts.get(step)!);
    if (typeof wrong === 'number') return void outgoing.writeHead(wrong).end();
    const answer = (text: string, sent: Record<string, string> = {}) => {
      if (wrong === 'lost') incoming.socket.resetAndDestroy();
      else outgoing.writeHead(200, sent).end(text);
    };
    const id = query.get('uploadId') ?? '';
    const upload = uploads.get(id);
    if (id && !upload) return void outgoing.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    if (method === 'POST' && query.has('uploads')) {
      const uploadId = `upload ${uploads.size}`;
      uploads.set(uploadId, { key, type: headers['content-type'], parts: new Map() });
      const root = 'InitiateMultipartUploadResult';
      answer(`<${root}><UploadId>${uploadId}</UploadId></${root}>`);
    } else if (method === 'PUT' && upload) {
      if (headers['content-md5'] !== md5(body).toString('base64')) return void outgoing.writeHead(400).end();
      upload.parts.set(Number(query.get('partNumber')), body);
      answer('', { ETag: `"${md5(body).toString('hex')}"` });
    } else if (method === 'POST' && upload) {
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) =>
        Number(n),
      );
      const parts = named.map((number) => upload.parts.get(number)!);
      const tag = `"${md5(Buffer.concat(parts.map(md5))).toString('hex')}-${parts.length}"`;
      objects.set(key, { body: Buffer.concat(parts), tag, type: upload.type });
      uploads.delete(id);
      const root = 'CompleteMultipartUploadResult';
      const said = wrong === 'no tag' ? '' : tag.replaceAll('"', '&#34;');
      answer(`<${root}><Key>${key}</Key><ETag>${said}</ETag></${root}>`);
    } else if (method === 'DELETE' && upload) {
      uploads.delete(id);
      answer('');
    } else if (method === 'GET' && query.has('uploads')) {
      const list = [...uploads].map(
        ([one, { key: of }]) => `<Upload><Key>${of}</Key><UploadId>${one}</UploadId></Upload>`,
      );
      answer(`<ListMultipartUploadsResult>${list.join('')}</ListMultipartUploadsResult>`);
    } else if (objects.has(key)) answer('', { ETag: objects.get(key)!.tag });
    else outgoing.writeHead(404).end();
  });
  const retry = { attempts: 3, delay: 1 };
  const { bucket, close } = openS3({ bucket: 'stays', prefix: '', endpoint, retry });
  onTestFinished(close);
  return { write: bucket.writeLarge!, discardParts: bucket.discardParts!, objects, uploads };
}

function limitOf(remaining: () => number): Limit {
  const { signal } = new AbortController();
  return { holder: 'holder', remaining, signal, ready: async () => {}, unsettled() {} };
}

describe('a large object', () => {
  it('arrives as it is, with its headers, in parts that are read one by one', async () => {
    const { write, objects, uploads } = await openStore();
    const { bytes, body, seen } = largeBody(2 * PART + 12_345);
    const { tag } = await write('a b.ndjson', body, HEADERS);
    const [[key, stored]] = [...objects] as [[string, { body: Buffer; tag: string; type: string }]];
    expect(decodeURIComponent(key)).toBe('a b.ndjson');
    expect(stored.body.equals(bytes)).toBe(true);
    expect(stored).toMatchObject({ tag, type: HEADERS.contentType });
    expect(seen.most).toBe(PART);
    expect(uploads.size).toBe(0);
    expect(await hasTag(tag, body)).toBe(true);
    expect(await hasTag(`"${md5(bytes).toString('hex')}"`, body)).toBe(true);
    expect(await hasTag(tag.replace('-3', '-2'), body)).toBe(false);
  });

  it.each(['POST', 'PUT'])('is not sent again from its start when one %s fails', async (failing) => {
    const { write, objects } = await openStore((method, _query, count) =>
      method === failing && count === 1 ? 503 : undefined,
    );
    const { bytes, body } = largeBody(PART + 1);
    await write('key', body, HEADERS);
    expect(objects.get('key')?.body.equals(bytes)).toBe(true);
  });

  it('is there when only the last answer was lost', async () => {
    const { write, objects } = await openStore((method, query, count) =>
      method === 'POST' && query.has('uploadId') && count === 1 ? 'lost' : undefined,
    );
    const { body } = largeBody(PART + 1);
    expect(await write('key', body, HEADERS)).toMatchObject({ tag: objects.get('key')!.tag });
  });

  it('is there when the store leaves its tag out of the answer, as Ceph 16 does', async () => {
    const { write, objects } = await openStore((method, query) =>
      method === 'POST' && query.has('uploadId') ? 'no tag' : undefined,
    );
    const { body } = largeBody(PART + 1);
    expect(await write('key', body, HEADERS)).toMatchObject({ tag: objects.get('key')!.tag });
  });

  it.each([503, 403])('leaves neither object nor parts when a part is refused with %i', async (status) => {
    const { write, objects, uploads } = await openStore((_method, query) =>
      query.get('partNumber') === '2' ? status : undefined,
    );
    await expect(write('key', largeBody(2 * PART).body, HEADERS)).rejects.toThrow(String(status));
    expect([objects.size, uploads.size]).toEqual([0, 0]);
  });

  it('has no effect when the lease ends while its parts are sent', async () => {
    let parts = 0;
    const { write, objects } = await openStore((_method, query) => {
      if (query.has('partNumber')) parts++;
      return undefined;
    });
    const limit = limitOf(() => (parts < 2 ? 60_000 : 0));
    await expect(write('key', largeBody(12 * PART).body, HEADERS, limit)).rejects.toThrow('came too late');
    expect(objects.size).toBe(0);
  });
});

it('parts that a publisher left are discarded, and those of others are not', async () => {
  let isRefused = true;
  const { write, discardParts, uploads } = await openStore((method) =>
    isRefused && method === 'DELETE' ? 503 : undefined,
  );
  const { body } = largeBody(PART + 1);
  const failing: LargeBody = { ...body, read: () => Promise.reject(new Error('gone')) };
  for (const key of ['ours', 'theirs']) await expect(write(key, failing, HEADERS)).rejects.toThrow('gone');
  expect(uploads.size).toBe(2);
  isRefused = false;
  await discardParts((key) => key === 'ours');
  expect([...uploads.values()].map(({ key }) => key)).toEqual(['theirs']);
});

it('bytes of any number are in parts of one size, and never in more than 10,000', async () => {
  for (const size of [1, PART, PART + 1, 10_000 * PART, 10_000 * PART + 1, 5 * 2 ** 40]) {
    const ranges = [...partRanges(size)];
    expect(ranges.length).toBeLessThanOrEqual(10_000);
    expect(ranges.at(-1)!.to).toBe(size);
    expect(new Set(ranges.slice(0, -1).map(({ from, to }) => to - from)).size).toBeLessThanOrEqual(1);
  }
  const { bytes, body } = largeBody(PART + 7);
  const pieces: Buffer[] = [];
  for await (const piece of partsOf(body)) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});
