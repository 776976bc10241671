/** Large objects, which are sent to a store in parts, with a store in memory that keeps them as AWS does. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bodyMatchesETag, PART_SIZE, partRanges, readParts } from '../../../src/storage/body.ts';
import {
  type LargeBody,
  type LockLimit,
  MIN_REMAINING_TIME,
  RequestExpired,
} from '../../../src/storage/bucket.ts';
import type { StoreRequest, StoreResponse } from '../../../src/storage/http/connection.ts';
import { errorFromFailure, errorFromResponse, ObjectNotFound } from '../../../src/storage/http/errors.ts';
import { createMultipartWriter, createPartsDiscarder } from '../../../src/storage/s3/multipart-upload.ts';
import type { S3Store } from '../../../src/storage/s3/store.ts';

const HEADERS = { contentType: 'application/x-ndjson', cacheControl: 'public, max-age=60' };
const TIME = new Date('2026-01-20T10:00:00Z');
const MODIFIED = new Date('2026-01-20T09:59:59Z');
/** A body of this size whose parts have few bytes, which name their ranges; and the length of the longest range. */
function largeBody(size: number) {
  const seen = { most: 0 };
  const body: LargeBody = {
    size,
    async read(from, to) {
      seen.most = Math.max(seen.most, to - from);
      return Buffer.from(`bytes ${from} to ${to};`);
    },
  };
  const bytes = Buffer.from([...partRanges(size)].map(({ from, to }) => `bytes ${from} to ${to};`).join(''));
  return { bytes, body, seen };
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

/** A step of an upload: `begin`, `part 1`, `complete`, `discard`, `list`; or `inspect`. */
type Step = string;
type Reply = { readonly status: number; readonly text?: string; readonly headers?: Record<string, string> };
/** The faulty result of a step: a status, an answer, or none. */
type Fault = (step: Step, count: number) => number | Reply | 'lost' | undefined;

type Upload = {
  readonly key: string;
  readonly type: string | undefined;
  readonly parts: Map<number, Buffer>;
};

/** A store with uploads in parts, and with faults on demand. */
function openStore(fault: Fault = () => undefined, keyPrefix = '', limit?: LockLimit) {
  const objects = new Map<string, { body: Buffer; tag: string; type: string | undefined }>();
  const uploads = new Map<string, Upload>();
  const requests: (StoreRequest & { step: Step })[] = [];
  const asked = { where: 's3://stays/where', isConditional: false, region: '' };
  const flight = { now: 0, most: 0 };

  const complete = (id: string, { key, type, parts }: Upload, body: string): Reply => {
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, n]) => Number(n));
    const sent = named.map((number) => parts.get(number)!);
    const tag = `"${md5(Buffer.concat(sent.map(md5))).toString('hex')}-${sent.length}"`;
    objects.set(key, { body: Buffer.concat(sent), tag, type });
    uploads.delete(id);
    const said = `<Key>${key}</Key><ETag>${tag.replaceAll('"', '&#34;')}</ETag>`;
    return {
      status: 200,
      text: `<CompleteMultipartUploadResult>${said}</CompleteMultipartUploadResult>`,
    };
  };
  const take = ({
    method,
    key = '',
    query = {},
    headers = {},
    body = Buffer.alloc(0),
  }: StoreRequest): Reply => {
    const id = query.uploadId ?? '';
    const upload = uploads.get(id);
    if (id && !upload) return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
    if (upload && method === 'PUT') {
      if (headers['content-md5'] !== md5(body).toString('base64')) return { status: 400 };
      upload.parts.set(Number(query.partNumber), body);
      return { status: 200, headers: { etag: `"${md5(body).toString('hex')}"` } };
    }
    if (upload && method === 'POST') return complete(id, upload, body.toString());
    if (upload) return { status: uploads.delete(id) ? 204 : 404 };
    const next = `upload ${uploads.size + 1}`;
    uploads.set(next, { key, type: headers['content-type'], parts: new Map() });
    const root = 'InitiateMultipartUploadResult';
    return { status: 200, text: `<${root}><UploadId>${next}</UploadId></${root}>` };
  };
  const stepOf = ({ method, query = {} }: StoreRequest): Step => {
    if (method === 'GET') return 'list';
    if (method === 'PUT') return `part ${query.partNumber}`;
    if (method === 'DELETE') return 'discard';
    return 'uploads' in query ? 'begin' : 'complete';
  };
  /** Answers a step with the fault, or like a working store. */
  const answer = async (step: Step, count: number, work: () => Reply): Promise<StoreResponse> => {
    const wrong = fault(step, count);
    let reply = typeof wrong === 'number' ? { status: wrong } : (wrong as Reply);
    if (wrong === undefined || wrong === 'lost') reply = work();
    if (wrong === 'lost')
      throw errorFromFailure(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), asked);
    const { status, text = '', headers = {} } = reply;
    const given: StoreResponse = { status, headers, body: Buffer.from(text), time: TIME };
    if (status > 299) throw errorFromResponse(given, asked);
    return given;
  };
  const store: S3Store = {
    ...{ name: 's3://stays', keyPrefix, isAws: false, isGoogle: false, close: () => {} },
    async ask(request) {
      // Like a connection.
      if (limit && limit.remaining() < MIN_REMAINING_TIME) throw new RequestExpired('a request');
      const step = stepOf(request);
      requests.push({ ...request, step });
      flight.most = Math.max(flight.most, ++flight.now);
      // Later parts arrive before earlier ones.
      if (step === 'part 1') for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      try {
        return await answer(step, requests.filter((one) => one.step === step).length, () => take(request));
      } finally {
        flight.now--;
      }
    },
  };
  const retry = { attempts: 3, sleep: async () => {}, limit };
  let inspections = 0;
  const write = createMultipartWriter(store, retry, async (key) => {
    const work = (): Reply => {
      const present = objects.get(keyPrefix + key);
      return present ? { status: 200, headers: { etag: present.tag } } : { status: 404 };
    };
    const found = await answer('inspect', ++inspections, work).catch((error: unknown): undefined => {
      if (!(error instanceof ObjectNotFound)) throw error;
    });
    return found && { tag: found.headers.etag!, size: 0, modified: MODIFIED, headers: undefined };
  });
  const steps = () => requests.map(({ step }) => step);
  return {
    write,
    discardParts: createPartsDiscarder(store, retry),
    objects,
    uploads,
    requests,
    steps,
    flight,
  };
}

function limited() {
  const heard: string[] = [];
  const limit: LockLimit = {
    ...{ holder: 'holder', remaining: () => 30_000, signal: new AbortController().signal },
    ready: async () => void heard.push('ready'),
    unsettled: () => void heard.push('unsettled'),
  };
  return { limit, heard };
}

describe('a large object', () => {
  it('arrives unchanged, with its headers, in parts that are read one by one', async () => {
    const { limit, heard } = limited();
    const { write, objects, uploads, requests, flight } = openStore(undefined, 'live/', limit);
    const { bytes, body, seen } = largeBody(5 * PART_SIZE + 12_345);
    const { tag, time } = await write('a b.ndjson', body, HEADERS);
    const [[key, stored]] = [...objects] as [[string, { body: Buffer; tag: string; type: string }]];
    expect(key).toBe('live/a b.ndjson');
    expect(stored.body.equals(bytes)).toBe(true);
    expect(stored).toMatchObject({ tag, type: HEADERS.contentType });
    expect(time).toBe(TIME);
    expect(seen.most).toBe(PART_SIZE);
    expect(flight.most).toBe(4);
    expect(uploads.size).toBe(0);
    expect(await bodyMatchesETag(tag, body)).toBe(true);
    expect(await bodyMatchesETag(`"${md5(bytes).toString('hex')}"`, body)).toBe(true);
    expect(await bodyMatchesETag(tag.replace('-6', '-5'), body)).toBe(false);
    for (const { key: asked } of requests) expect(asked).toBe(key);
    expect(heard).toEqual(requests.map(() => 'ready'));
  });

  it('is sent in the documents of the protocol', async () => {
    const { write, requests } = openStore();
    await write('key', largeBody(PART_SIZE + 1).body, HEADERS);
    const [begin, one, two, last] = requests;
    expect(begin).toMatchObject({
      ...{ method: 'POST', query: { uploads: '' } },
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'public, max-age=60' },
    });
    expect([one, two].map((part) => part?.query)).toEqual([
      { partNumber: '1', uploadId: 'upload 1' },
      { partNumber: '2', uploadId: 'upload 1' },
    ]);
    expect(last).toMatchObject({
      query: { uploadId: 'upload 1' },
      headers: { 'content-type': 'application/xml' },
    });
    const parts = [one, two].map(
      (part, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>&#34;${md5(part!.body!).toString('hex')}&#34;</ETag></Part>`,
    );
    expect(last?.body?.toString()).toBe(
      `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`,
    );
  });

  it.each(['begin', 'part 1', 'complete'])(
    'is not sent again from its start when %s fails',
    async (failing) => {
      const { write, objects, steps } = openStore((step, count) =>
        step === failing && count === 1 ? 503 : undefined,
      );
      const { bytes, body } = largeBody(PART_SIZE + 1);
      await write('key', body, HEADERS);
      expect(objects.get('key')?.body.equals(bytes)).toBe(true);
      expect(steps().sort()).toEqual(['begin', 'part 1', 'part 2', 'complete', failing].sort());
    },
  );

  it('exists when only the last answer was lost, and the lock learns that', async () => {
    const { limit, heard } = limited();
    const fault: Fault = (step, count) => {
      if (step === 'inspect' && count === 1) return 503;
      return step === 'complete' && count === 1 ? 'lost' : undefined;
    };
    const { write, objects, steps } = openStore(fault, '', limit);
    expect(await write('key', largeBody(1).body, HEADERS)).toEqual({
      tag: objects.get('key')!.tag,
      time: MODIFIED,
    });
    expect(steps()).toEqual(['begin', 'part 1', 'complete', 'complete']);
    expect(heard).toEqual([
      ...['ready', 'ready', 'ready', 'unsettled', 'ready'],
      // Two requests for the object.
      ...['ready', 'ready'],
    ]);
  });

  it('exists when the store leaves its tag out of the answer, as Ceph 16 does', async () => {
    const text = '<CompleteMultipartUploadResult><Key>key</Key></CompleteMultipartUploadResult>';
    const { body } = largeBody(PART_SIZE + 1);
    const sums: Buffer[] = [];
    for await (const part of readParts(body)) sums.push(md5(part));
    const ours = `"${md5(Buffer.concat(sums)).toString('hex')}-2"`;
    const write = (etag: string) =>
      openStore((step) => {
        if (step === 'inspect') return { status: 200, headers: { etag } };
        return step === 'complete' ? { status: 200, text } : undefined;
      }).write('key', body, HEADERS);
    expect(await write(ours)).toEqual({ tag: ours, time: MODIFIED });
    await expect(write('"another"')).rejects.toMatchObject({
      ...{ code: 'bucket-failed', isTransient: false },
      message:
        's3://stays/key is not what was sent: its parts were discarded meanwhile, or something else wrote it. Run the command again.',
    });
  });

  it('is not the sent one when its parts are gone', async () => {
    const gone: Reply = { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
    for (const failing of ['part 1', 'complete']) {
      const { write } = openStore((step) => (step === failing ? gone : undefined));
      await expect(write('key', largeBody(1).body, HEADERS)).rejects.toMatchObject({
        code: 'bucket-failed',
        message: expect.stringContaining('s3://stays/key is not what was sent'),
      });
    }
  });

  it('does not exist when the store reports an error in the body of a success', async () => {
    const text = '<Error><Code>InternalError</Code><Message>Sorry</Message></Error>';
    const { write, uploads } = openStore((step) => (step === 'complete' ? { status: 200, text } : undefined));
    await expect(write('key', largeBody(1).body, HEADERS)).rejects.toMatchObject({
      ...{ code: 'bucket-busy', isTransient: true },
      message: expect.stringMatching(/^s3:\/\/stays\/key: 500 InternalError \(Sorry\)/),
    });
    expect(uploads.size).toBe(0);
  });

  it('is completed again after an error in the body of a success, which may take effect later', async () => {
    const text = '<Error><Code>InternalError</Code></Error>';
    const { limit, heard } = limited();
    const fault: Fault = (step, count) =>
      step === 'complete' && count === 1 ? { status: 200, text } : undefined;
    const { write, objects, steps } = openStore(fault, '', limit);
    const { bytes, body } = largeBody(1);
    await write('key', body, HEADERS);
    expect(objects.get('key')?.body.equals(bytes)).toBe(true);
    expect(steps()).toEqual(['begin', 'part 1', 'complete', 'complete']);
    expect(heard).toEqual(['ready', 'ready', 'ready', 'unsettled', 'ready']);
  });

  it.each([503, 403])('leaves neither object nor parts when a part is refused with %i', async (status) => {
    const { write, objects, uploads, requests, steps } = openStore(
      (step) => (step === 'part 2' ? status : undefined),
      'live/',
    );
    await expect(write('key', largeBody(2 * PART_SIZE).body, HEADERS)).rejects.toThrow(String(status));
    expect([objects.size, uploads.size]).toEqual([0, 0]);
    expect(new Set(requests.map(({ key }) => key))).toEqual(new Set(['live/key']));
    expect(steps().filter((step) => step === 'part 2')).toHaveLength(status === 503 ? 3 : 1);
  });

  it('that is refused is reported to the lock only when it may exist', async () => {
    const { limit, heard } = limited();
    const fault: Fault = (step) => (step === 'complete' || step === 'discard' ? 403 : undefined);
    const { write, steps } = openStore(fault, '', limit);
    await expect(write('key', largeBody(1).body, HEADERS)).rejects.toMatchObject({
      code: 'bucket-denied',
    });
    expect(heard).toEqual(['ready', 'ready', 'ready']);
    expect(steps().at(-1)).toBe('discard');
  });

  it.each(['begin', 'part 1'])('is not sent to a server that is no store, as %s shows', async (odd) => {
    const { write, steps } = openStore((step) =>
      step === odd ? { status: 200, text: '<html/>' } : undefined,
    );
    await expect(write('key', largeBody(1).body, HEADERS)).rejects.toMatchObject({
      code: 'bucket-not-s3',
      message: expect.stringContaining('s3://stays/key: '),
    });
    expect(steps().filter((step) => step !== 'discard')).toEqual(
      ['begin', 'part 1'].slice(0, odd === 'begin' ? 1 : 2),
    );
  });

  it('has no effect when the lock ends during its parts', async () => {
    let parts = 0;
    const limit = { ...limited().limit, remaining: () => (parts < 2 ? 60_000 : 0) };
    const fault: Fault = (step) => {
      if (step.startsWith('part')) parts++;
      return undefined;
    };
    const { write, objects, steps } = openStore(fault, '', limit);
    await expect(write('key', largeBody(6 * PART_SIZE).body, HEADERS)).rejects.toThrow('came too late');
    expect([objects.size, steps().includes('complete')]).toEqual([0, false]);
  });
});

describe('parts that a publisher left', () => {
  /** A page of uploads. */
  const page = (uploads: readonly (readonly [key: string, id: string])[], more = ''): Reply => {
    const list = uploads.map(([key, id]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    const root = 'ListMultipartUploadsResult';
    return { status: 200, text: `<${root}>${list.join('')}${more}</${root}>` };
  };
  const discarded = (requests: readonly StoreRequest[]) =>
    requests.filter(({ method }) => method === 'DELETE').map(({ key, query }) => [key, query?.uploadId]);

  it('are discarded, but not those of others', async () => {
    const more =
      '<IsTruncated>true</IsTruncated><NextKeyMarker>live/o</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>';
    const first = [
      ['live/ours', '1'],
      ['live/theirs', '2'],
      ['ours', '3'],
    ] as const;
    const { discardParts, requests } = openStore((step, count) => {
      if (step !== 'list') return 204;
      return count === 1 ? page(first, more) : page([['live/ours', '4']]);
    }, 'live/');
    await discardParts((key) => key === 'ours');
    expect(discarded(requests)).toEqual([
      ['live/ours', '1'],
      ['live/ours', '4'],
    ]);
    const query = { uploads: '', 'encoding-type': 'url', prefix: 'live/' };
    expect(requests.filter(({ step }) => step === 'list').map((request) => request.query)).toEqual([
      query,
      { ...query, 'key-marker': 'live/o', 'upload-id-marker': '2' },
    ]);
  });

  it('are listed and discarded again after a failure that passes', async () => {
    const listed = page([['a', '1']]);
    const { discardParts, steps } = openStore((step, count) => {
      if (count === 1) return step === 'list' ? 503 : 'lost';
      return step === 'list' ? listed : 204;
    });
    await discardParts(() => true);
    expect(steps()).toEqual(['list', 'list', 'discard', 'discard']);
  });

  it('stay when a store cannot list or discard them; a temporary failure is thrown', async () => {
    const listed = page([
      ['a', '1'],
      ['b', '2'],
    ]);
    const discarding = (list: number | Reply, discard: number) => {
      const { discardParts, requests } = openStore((step) => (step === 'list' ? list : discard));
      const outcome = discardParts(() => true).then(
        () => 'done',
        (error: { code?: string }) => error.code,
      );
      return outcome.then((code) => [code, discarded(requests).length]);
    };
    expect(await discarding(listed, 204)).toEqual(['done', 2]);
    for (const refused of [404, 403]) {
      expect(await discarding(listed, refused)).toEqual(['done', 2]);
      expect(await discarding(refused, 204)).toEqual(['done', 0]);
    }
    expect(await discarding(listed, 503)).toEqual(['bucket-busy', 3]);
    expect(await discarding(503, 204)).toEqual(['bucket-busy', 0]);
    expect(await discarding({ status: 200, text: '<html/>' }, 204)).toEqual(['done', 0]);
  });
});

it('a body of any size has parts of one size, and never more than 10,000', async () => {
  for (const size of [1, PART_SIZE, PART_SIZE + 1, 10_000 * PART_SIZE, 10_000 * PART_SIZE + 1, 5 * 2 ** 40]) {
    const ranges = [...partRanges(size)];
    expect(ranges.length).toBeLessThanOrEqual(10_000);
    expect(ranges.at(-1)!.to).toBe(size);
    expect(new Set(ranges.slice(0, -1).map(({ from, to }) => to - from)).size).toBeLessThanOrEqual(1);
  }
  const { bytes, body } = largeBody(PART_SIZE + 7);
  const pieces: Buffer[] = [];
  for await (const piece of readParts(body)) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});
