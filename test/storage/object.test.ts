/** Tags, encodings and bodies of objects, whole and in parts. */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  bodyMatchesETag,
  bodySize,
  firstBytesOf,
  PART_SIZE,
  readObjectBody,
  readWholeBody,
  writeBody,
} from '../../src/storage/body.ts';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  etagOf,
  type LargeBody,
  RequestExpired,
  withContentEncoding,
} from '../../src/storage/bucket.ts';
import { isMD5Tag } from '../../src/storage/s3/bucket.ts';
import { listKeys } from '../support/bucket.ts';
import { openMemory } from './memory.ts';

const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };
const text = (value: string) => Buffer.from(value);
const EMPTY_TAG = '"d41d8cd98f00b204e9800998ecf8427e"';

function inParts(value: string): LargeBody & { readonly reads: [number, number][] } {
  const reads: [number, number][] = [];
  return {
    size: value.length,
    reads,
    async read(from, to) {
      reads.push([from, to]);
      return text(value).subarray(from, to);
    },
  };
}

it('marks compressed bytes under a plain name, but no download', () => {
  const gzip = Buffer.from([0x1f, 0x8b, 8]);
  expect(withContentEncoding(headers, gzip)).toEqual({ ...headers, contentEncoding: 'gzip' });
  for (const plain of [text('{}'), text(''), Buffer.from([0x1f, 0x8c]), Buffer.from([0x1e, 0x8b])])
    expect(withContentEncoding(headers, plain)).toEqual(headers);
  const download = { ...headers, contentType: 'application/gzip' };
  expect(withContentEncoding(download, gzip)).toEqual(download);
});

it('recognises tags of bytes, with and without quotes, and other tags', async () => {
  expect(etagOf(text(''))).toBe(EMPTY_TAG);
  for (const tag of [EMPTY_TAG, EMPTY_TAG.slice(1, -1), `W/${EMPTY_TAG}`]) {
    expect(await bodyMatchesETag(tag, text(''))).toBe(true);
    expect(await bodyMatchesETag(tag, text('x'))).toBe(false);
  }
  expect(await bodyMatchesETag(EMPTY_TAG.replace('8', 'W/8'), text(''))).toBe(false);
  expect([EMPTY_TAG, EMPTY_TAG.slice(1, -1)].map(isMD5Tag)).toEqual([true, true]);
  const others = [EMPTY_TAG.replace('"', 'x"'), `${EMPTY_TAG}x`, EMPTY_TAG.replace('8', 'g'), '"d4"'];
  expect([...others, EMPTY_TAG.replace(/"$/, '-2"')].map(isMD5Tag)).toEqual(
    others.map(() => false).concat(false),
  );
});

it('reads a body in parts as a whole, and two bytes of its start', async () => {
  const body = inParts('property');
  expect([bodySize(body), bodySize(text('ab'))]).toEqual([8, 2]);
  expect(await firstBytesOf(body)).toEqual(text('pr'));
  expect(await firstBytesOf(inParts('p'))).toEqual(text('p'));
  expect(body.reads).toEqual([[0, 2]]);
  expect(await readWholeBody(body)).toEqual(text('property'));
  const small = text('small');
  expect(await readWholeBody(small)).toBe(small);
  expect(await firstBytesOf(small)).toBe(small);
});

it('a tag of parts matches a body in parts, but not bytes in memory', async () => {
  const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();
  const tag = `"${md5(md5(text('property'))).toString('hex')}-1"`;
  expect(await bodyMatchesETag(tag, inParts('property'))).toBe(true);
  expect(await bodyMatchesETag(tag, text('property'))).toBe(false);
  expect(await bodyMatchesETag(etagOf(text('property')), inParts('property'))).toBe(true);
});

it('reads an object in parts only when it is large, and the bucket supports it', async () => {
  const memory = openMemory();
  await memory.write('a', text('whole'), headers);
  let size = PART_SIZE;
  const reading: Bucket = { ...memory, readLarge: async () => ({ ...inParts('parts'), size }) };
  expect(await readObjectBody(memory, 'a')).toEqual(text('whole'));
  expect(await readObjectBody(reading, 'a')).toEqual(text('whole'));
  size++;
  expect(await readObjectBody(reading, 'a')).toMatchObject({ size });
  expect(await readObjectBody(memory, 'b')).toBeUndefined();
  expect(await readObjectBody({ ...memory, readLarge: async () => undefined }, 'b')).toBeUndefined();
});

it('writes a large body in parts only when the bucket supports it, and never under a condition', async () => {
  const memory = openMemory();
  const large: string[] = [];
  const taking: Bucket = {
    ...memory,
    writeLarge: async (key) => {
      large.push(key);
      return { tag: '"parts"' };
    },
  };
  expect(await writeBody(taking, 'a', inParts('1'), headers)).toEqual({ tag: '"parts"' });
  await writeBody(taking, 'b', inParts('2'), headers, { absent: true });
  await writeBody(taking, 'c', text('3'), headers);
  await writeBody(memory, 'd', inParts('4'), headers);
  expect(large).toEqual(['a']);
  expect(await listKeys(memory)).toEqual(['b', 'c', 'd']);
  expect((await memory.read('d'))?.body).toEqual(text('4'));
  await expect(writeBody(taking, 'b', inParts('5'), headers, { absent: true })).rejects.toThrow(
    ConditionFailed,
  );
});

it('failures have names, codes and causes', () => {
  const cause = new Error('because');
  expect(new BucketError('bucket-busy', 'x', true, cause)).toMatchObject({ name: 'BucketError', cause });
  expect(new ConditionFailed('a').name).toBe('ConditionFailed');
  expect(new RequestExpired('GET a')).toMatchObject({ name: 'RequestExpired', code: 'request-expired' });
});
