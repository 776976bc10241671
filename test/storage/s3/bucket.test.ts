/** The requests to S3 over the wire, and the handling of answers, with a store that a test controls. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConditionFailed, type LockLimit } from '../../../src/storage/bucket.ts';
import { openAnswering, type Reply, type Sent } from './answering.ts';

const hash = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;
const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };
const text = (value: string) => Buffer.from(value);
const ended = new Error('the lock is over');
/** A limit of a lost lock: no request with it is sent. */
const lost: LockLimit = {
  holder: 'holder',
  remaining: () => 30_000,
  signal: AbortSignal.abort(ended),
  ready: async () => {},
  unsettled: () => {},
};

/** A store that answers with these replies in turn, and repeats the last one. */
async function openScripted(replies: readonly Reply[], options?: Parameters<typeof openAnswering>[1]) {
  const sent: Sent[] = [];
  const bucket = await openAnswering((request) => {
    sent.push(request);
    return replies[Math.min(sent.length, replies.length) - 1]!;
  }, options);
  return { bucket, sent, steps: () => sent.map(({ method, path }) => `${method} ${path}`) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The parameters of a request besides its signature. */
const asked = ({ query }: Sent) =>
  Object.fromEntries([...query].filter(([name]) => !name.startsWith('X-Amz-')));

describe('a read', () => {
  const kept = {
    ETag: '"tag"',
    'Last-Modified': 'Thu, 22 Jan 2026 10:00:00 GMT',
    Date: 'Thu, 22 Jan 2026 11:00:00 GMT',
  };

  it('requests a key below the prefix, and returns bytes, tag and times', async () => {
    const { bucket, steps } = await openScripted([{ status: 200, headers: kept, body: 'found' }], {
      prefix: 'live/2',
    });
    expect(await bucket.read('a b.json')).toEqual({
      body: text('found'),
      tag: '"tag"',
      modified: new Date('2026-01-22T10:00:00Z'),
      time: new Date('2026-01-22T11:00:00Z'),
    });
    expect(steps()).toEqual(['GET /stays/live/2/a%20b.json']);
  });

  it('of an absent object finds nothing, and of an absent bucket fails', async () => {
    const { bucket } = await openScripted([{ status: 404 }]);
    expect(await bucket.read('a')).toBeUndefined();
    expect(await bucket.inspect('a')).toBeUndefined();
    expect(await bucket.readLarge!('a')).toBeUndefined();
    const other = await openScripted([{ status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' }]);
    await expect(other.bucket.read('a')).rejects.toMatchObject({ code: 'bucket-missing' });
  });

  it('of headers returns the stored ones, and no others', async () => {
    const tagged = {
      ...{ ...kept, 'Content-Length': '12', 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
      ...{ 'Content-Encoding': 'gzip', 'x-amz-meta-other': 'one' },
    };
    const { bucket, steps } = await openScripted([
      { status: 200, headers: tagged },
      { status: 200, headers: { ETag: '"tag"', 'Content-Length': '0', 'Last-Modified': 'yesterday' } },
    ]);
    expect(await bucket.inspect('a')).toEqual({
      ...{ tag: '"tag"', size: 12, modified: new Date('2026-01-22T10:00:00Z') },
      headers: {
        ...{ contentType: 'text/plain', cacheControl: 'no-store' },
        contentEncoding: 'gzip',
      },
    });
    expect(await bucket.inspect('a')).toStrictEqual({
      ...{ tag: '"tag"', size: 0, modified: new Date(0), headers: {} },
    });
    expect(steps()).toEqual(['HEAD /stays/a', 'HEAD /stays/a']);
  });

  it('in parts requests ranges, and cuts the range from the answer of a server without range support', async () => {
    const head: Reply = { status: 200, headers: { ETag: '"tag"', 'Content-Length': '9000' } };
    const found = (status: number, body: string, tag = '"tag"'): Reply => ({
      ...{ status, headers: { ETag: tag }, body },
    });
    const { bucket, sent, steps } = await openScripted([
      head,
      found(206, 'perty'),
      found(200, 'a property'),
      found(206, 'short'),
      found(206, 'perty', '"other"'),
      { status: 404 },
    ]);
    const large = (await bucket.readLarge!('a'))!;
    expect(large.size).toBe(9000);
    expect(await large.read(5, 10)).toEqual(text('perty'));
    expect(await large.read(5, 10)).toEqual(text('perty'));
    await expect(large.read(5, 11)).rejects.toMatchObject({
      code: 'bucket-not-s3',
      message: expect.stringContaining('s3://stays/a: '),
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(large.read(5, 10)).rejects.toMatchObject({
        ...{ code: 'bucket-failed', isTransient: false },
        message: 's3://stays/a was replaced while it was read. Run the command again.',
      });
    }
    expect(steps()).toEqual(['HEAD /stays/a', ...Array.from({ length: 5 }, () => 'GET /stays/a')]);
    expect(sent.map(({ headers: { range } }) => range)).toEqual([
      ...[undefined, 'bytes=5-9', 'bytes=5-9', 'bytes=5-10', 'bytes=5-9', 'bytes=5-9'],
    ]);
  });
});

describe('a write', () => {
  const body = text('{"title":"Rose Cottage"}');
  const done: Reply = { status: 200, headers: { ETag: hash(body), Date: 'Thu, 22 Jan 2026 11:00:00 GMT' } };

  it('sends the body with its signed digest, and with its headers', async () => {
    const { bucket, sent } = await openScripted([done], { prefix: 'live' });
    expect(await bucket.write('a.json', body, headers)).toEqual({
      tag: hash(body),
      time: new Date('2026-01-22T11:00:00Z'),
    });
    const [{ method, path, query, headers: received, body: arrived }] = sent as [Sent];
    expect([method, path, arrived.toString()]).toEqual(['PUT', '/stays/live/a.json', body.toString()]);
    expect(query.get('X-Amz-SignedHeaders')).toBe(
      'cache-control;content-md5;content-type;host;x-amz-content-sha256',
    );
    expect(received).toMatchObject({
      'content-md5': createHash('md5').update(body).digest('base64'),
      'content-type': 'application/json',
      'cache-control': 'public, max-age=60',
    });
    const others = ['authorization', 'x-amz-checksum-sha256', 'if-match', 'if-none-match'];
    expect(others.filter((name) => name in received)).toEqual([]);
  });

  it('sends the headers of compressed bytes', async () => {
    const { bucket, sent } = await openScripted([done]);
    await bucket.write('a', body, { ...headers, contentEncoding: 'gzip' });
    expect(sent[0]!.headers).toMatchObject({ 'content-encoding': 'gzip' });
  });

  it('without a condition is never reported as an unsupported condition', async () => {
    const { bucket } = await openScripted([{ status: 400 }]);
    await expect(bucket.write('a', body, headers)).rejects.toMatchObject({ code: 'bucket-failed' });
    const conditional = bucket.write('a', body, headers, { absent: true });
    await expect(conditional).rejects.toMatchObject({ code: 'condition-unsupported' });
  });

  it('with another hash on the server did not arrive, unless the store encrypts', async () => {
    const other = hash(text('something else'));
    const answering = async (tag: string, encryption?: string) => {
      const sent = encryption === undefined ? {} : { 'x-amz-server-side-encryption': encryption };
      const { bucket } = await openScripted([{ status: 200, headers: { ETag: tag, ...sent } }]);
      return await bucket.write('a.json', body, headers).then(
        ({ tag: known }) => known,
        (error: unknown) => error,
      );
    };
    const damaged = {
      ...{ code: 'bucket-failed', isTransient: true, message: 's3://stays/a.json arrived damaged.' },
    };
    expect(await answering(other)).toMatchObject(damaged);
    expect(await answering(other, 'AES256')).toMatchObject(damaged);
    expect(await answering(other, 'aws:kms')).toBe(other);
    // A tag that is no hash proves nothing about the bytes.
    expect(await answering('"parts-2"')).toBe('"parts-2"');
    const bare = hash(body).slice(1, -1);
    expect(await answering(bare)).toBe(bare);
  });

  it('of a new object sends that condition', async () => {
    const { bucket, sent } = await openScripted([done]);
    await bucket.write('a', body, headers, { absent: true });
    expect(sent[0]!.headers['if-none-match']).toBe('*');
    const refused = await openScripted([{ status: 412 }]);
    await expect(refused.bucket.write('a', body, headers, { absent: true })).rejects.toThrow(ConditionFailed);
  });
});

it('of a large object uses the same store and its retry settings', async () => {
  const body = { size: 4, read: async () => text('part') };
  const root = 'InitiateMultipartUploadResult';
  const begun: Reply = { status: 200, body: `<${root}><UploadId>1</UploadId></${root}>` };
  const sum = createHash('md5').update('part').digest();
  const tag = `"${createHash('md5').update(sum).digest('hex')}-1"`;
  const { bucket, steps } = await openScripted([
    ...[begun, { status: 200, headers: { ETag: '"part"' } }],
    { status: 200, body: '<CompleteMultipartUploadResult><Key>a</Key></CompleteMultipartUploadResult>' },
    { status: 200, headers: { ETag: tag } },
  ]);
  expect((await bucket.writeLarge!('a', body, headers)).tag).toBe(tag);
  expect(steps()).toEqual(['POST /stays/a', 'PUT /stays/a', 'POST /stays/a', 'HEAD /stays/a']);
  const busy = await openScripted([begun, { status: 503 }], { retry: { attempts: 1 } });
  await expect(busy.bucket.writeLarge!('a', body, headers)).rejects.toMatchObject({ code: 'bucket-busy' });
  expect(busy.steps()).toEqual(['POST /stays/a', 'PUT /stays/a', 'DELETE /stays/a']);
});

describe('a server that is no store', () => {
  it.each([
    ['text/html', '<!doctype html><title>Please log in</title>'],
    ['application/json', '{"ok":true}'],
    ['text/plain', ''],
  ])('answers 200 with %s to everything, and is recognised (A16)', async (type, body) => {
    const { bucket } = await openScripted([{ status: 200, headers: { 'Content-Type': type }, body }]);
    const expected = (where: string) => ({
      ...{ code: 'bucket-not-s3', isTransient: false },
      message: expect.stringMatching(new RegExp(`^${where}: the answer \\(200, ${type}\\)`)),
    });
    await expect(bucket.write('a.json', text('{}'), headers)).rejects.toMatchObject(
      expected('s3://stays/a.json'),
    );
    await expect(bucket.read('a.json')).rejects.toMatchObject(expected('s3://stays/a.json'));
    await expect(bucket.inspect('a.json')).rejects.toMatchObject(expected('s3://stays/a.json'));
    await expect(all(bucket.list(''))).rejects.toMatchObject(expected('s3://stays'));
    await expect(bucket.remove(['a.json'])).rejects.toMatchObject(expected('s3://stays/a.json'));
  });
});

it('a server that answers 404 to everything has no bucket', async () => {
  const body = '<!doctype html><title>Not found</title>';
  const { bucket } = await openScripted([{ status: 404, headers: { 'Content-Type': 'text/html' }, body }]);
  const missing = {
    ...{ code: 'bucket-missing', isTransient: false },
    message: 's3://stays: 404. Nothing is there. Check the name of the bucket and --endpoint.',
  };
  await expect(all(bucket.list(''))).rejects.toMatchObject(missing);
  await expect(bucket.remove(['a'])).rejects.toMatchObject(missing);
  await bucket.discardParts!(() => true);
});

describe('a removal', () => {
  it('asks for up to a thousand objects at once, by their keys below the prefix', async () => {
    const { bucket, sent } = await openScripted([{ status: 200, body: '<DeleteResult/>' }], {
      prefix: 'live',
    });
    await bucket.remove(['a&b', 'c']);
    const [{ method, path, headers: received, body, ...request }] = sent as [Sent];
    expect([method, path, asked(request as Sent)]).toEqual(['POST', '/stays', { delete: '' }]);
    expect(body.toString()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>live/a&#38;b</Key></Object><Object><Key>live/c</Key></Object><Quiet>true</Quiet></Delete>',
    );
    expect(received).toMatchObject({
      'content-type': 'application/xml',
      'content-md5': createHash('md5').update(body).digest('base64'),
    });
    const { time } = await bucket.remove(Array.from({ length: 2001 }, (_, index) => `k${index}`));
    expect(time).toBeInstanceOf(Date);
    const counts = sent.slice(1).map((one) => one.body.toString().match(/<Key>/g)?.length);
    expect(counts).toEqual([1000, 1000, 1]);
    await bucket.remove([]);
    expect(sent).toHaveLength(4);
  });

  it('asks a store for one object at a time when it needs that, and remembers it', async () => {
    const steps: string[] = [];
    const bucket = await openAnswering(
      ({ method, path }) => {
        steps.push(`${method} ${path}`);
        return { status: method === 'POST' ? 501 : path.endsWith('b') ? 404 : 204 };
      },
      { prefix: 'live' },
    );
    expect((await bucket.remove(['a', 'b'])).time).toBeInstanceOf(Date);
    expect((await bucket.remove(['c'])).time).toBeInstanceOf(Date);
    expect(steps).toEqual([
      ...['POST /stays', 'DELETE /stays/live/a', 'DELETE /stays/live/b', 'DELETE /stays/live/c'],
    ]);
  });

  it('that fails temporarily does not switch to one object at a time', async () => {
    const { bucket, steps } = await openScripted([{ status: 503 }, { status: 200, body: '<DeleteResult/>' }]);
    await expect(bucket.remove(['a'])).rejects.toMatchObject({ code: 'bucket-busy' });
    await expect(bucket.limited(lost).remove(['a'])).rejects.toBe(ended);
    await bucket.remove(['a']);
    // The second request asks for the time of the store, which a limit needs.
    expect(steps().filter((step) => step !== 'HEAD /stays')).toEqual(['POST /stays', 'POST /stays']);
  });

  it('names objects that could not be removed', async () => {
    const errors =
      '<Error><Key>b</Key><Code>NoSuchKey</Code></Error><Error><Key>a</Key><Code>SlowDown</Code></Error>';
    let body = `<DeleteResult>${errors}</DeleteResult>`;
    let steps = '';
    const bucket = await openAnswering(({ method }) => {
      steps += `${method} `;
      return method === 'POST' ? { status: 200, body } : { status: 403 };
    });
    const failed = (code: string, message = '') => ({
      ...{
        code: 'bucket-failed',
        isTransient: true,
        message: `s3://stays did not remove a: ${code}${message}`,
      },
    });
    await expect(bucket.remove(['a', 'b'])).rejects.toMatchObject(failed('SlowDown'));
    for (const code of ['InternalError', 'ServiceUnavailable']) {
      body = `<DeleteResult><Error><Key>a</Key><Code>${code}</Code><Message>Later</Message></Error></DeleteResult>`;
      await expect(bucket.remove(['a'])).rejects.toMatchObject(failed(code, ' Later'));
    }
    body = `<DeleteResult>${errors.replace('SlowDown', 'NoSuchKey')}</DeleteResult>`;
    await bucket.remove(['a', 'b']);
    expect(steps).toBe('POST POST POST POST ');
    // After a permanent refusal, the object is requested alone, which gives the reason.
    body = '<DeleteResult><Error><Key>a</Key><Code>AccessDenied</Code></Error></DeleteResult>';
    await expect(bucket.remove(['a'])).rejects.toMatchObject({ code: 'bucket-denied', isTransient: false });
    expect(steps).toBe('POST POST POST POST POST DELETE ');
  });
});

describe('a listing', () => {
  const object = (key: string, tag: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-11-22T10:00:00.000Z</LastModified><ETag>${tag}</ETag><Size>2</Size></Contents>`;
  const page = (content: string): Reply => ({
    status: 200,
    body: `<?xml version="1.0"?>\n<ListBucketResult xmlns="x">${content}</ListBucketResult>`,
  });

  it('is read in the forms of servers from several makers', async () => {
    const { bucket, sent } = await openScripted([
      page(
        `<EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b</NextContinuationToken>${object('_catalogue/S%C3%A3o+Paulo%2B1', '&#34;1&#34;')}`,
      ),
      page(`<IsTruncated>false</IsTruncated>${object('0123', '&quot;2&quot;')}${object(' a%20b', '"3"')}`),
    ]);
    const modified = new Date('2026-11-22T10:00:00Z');
    expect(await all(bucket.list(''))).toEqual([
      { key: '_catalogue/São Paulo+1', tag: '"1"', size: 2, modified },
      { key: '0123', tag: '"2"', size: 2, modified },
      { key: ' a%20b', tag: '"3"', size: 2, modified },
    ]);
    const first = { 'list-type': '2', 'encoding-type': 'url', prefix: '', 'max-keys': '1000' };
    expect(sent.map(asked)).toEqual([first, { ...first, 'continuation-token': 'a&b' }]);
  });

  it('has keys below the prefix, from a key on, in pages of the given size', async () => {
    const pages = [
      page(
        `<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>${object('live/ab', '1')}`,
      ),
      page(object('live/ac', '2')),
    ];
    const { bucket, sent, steps } = await openScripted(pages, { prefix: 'live', listed: 1 });
    const found = await all(bucket.list('a', 'aa'));
    expect(found.map(({ key }) => key)).toEqual(['ab', 'ac']);
    const common = { 'list-type': '2', 'encoding-type': 'url', prefix: 'live/a', 'max-keys': '1' };
    expect(sent.map(asked)).toEqual([
      { ...common, 'start-after': 'live/aa' },
      { ...common, 'continuation-token': 't' },
    ]);
    expect(steps()).toEqual(['GET /stays', 'GET /stays']);
  });
});

it('a page of a listing that names itself as the next one ends it', async () => {
  const page =
    '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>';
  const { bucket } = await openScripted([{ status: 200, body: page }]);
  await expect(all(bucket.list(''))).rejects.toMatchObject({ code: 'bucket-not-s3' });
});

it('a request with a limit is not sent after its limit', async () => {
  const { bucket, steps } = await openScripted([{ status: 200, headers: { ETag: '"tag"' } }]);
  const late = bucket.limited(lost);
  const requests = [
    () => late.read('a'),
    () => late.inspect('a'),
    () => late.readLarge!('a'),
    () => late.write('a', text('x'), headers),
    () => late.write('a', text('x'), headers, { absent: true }),
    () => late.remove(['a']),
    () => all(late.list('')),
    () => late.writeLarge!('a', { size: 1, read: async () => text('x') }, headers),
    () => late.discardParts!(() => true),
  ];
  for (const request of requests) await expect(request()).rejects.toBe(ended);
  const controller = new AbortController();
  const large = (await bucket.limited({ ...lost, signal: controller.signal }).readLarge!('a'))!;
  controller.abort(ended);
  await expect(large.read(0, 1)).rejects.toBe(ended);
  expect([...new Set(steps())]).toEqual(['HEAD /stays', 'HEAD /stays/a']);
});
