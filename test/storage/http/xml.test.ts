/** The documents of stores, with and without encoded keys, and foreign documents. */
import { expect, it } from 'vitest';
import {
  escapeXml,
  readDeleteResult,
  readError,
  readListing,
  readText,
  readUploads,
} from '../../../src/storage/http/xml.ts';

const document = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
const NO_DOCUMENTS = ['', '<html><body>Log in</body></html>', '<ListBucketResult', '{"a":1}'].map((text) =>
  Buffer.from(text),
);

it.each([
  ['url', 'a+b%2Fc%20%C3%A9', 'a b/c é'],
  ['url', '100%+x', '100%+x'],
  ['', 'a+b%2Fc', 'a+b%2Fc'],
])('reads a listing with keys encoded by "%s"', (encoding, written, key) => {
  const object = `<Contents><Key>${written}</Key><ETag>&#34;tag&#34;</ETag><Size>12</Size><LastModified>2026-01-20T10:00:00.000Z</LastModified></Contents>`;
  const listed = (more: string) =>
    readListing(
      document(
        `<ListBucketResult><EncodingType>${encoding}</EncodingType>${object}${more}</ListBucketResult>`,
      ),
    );
  const objects = [{ key, tag: '"tag"', size: 12, modified: new Date('2026-01-20T10:00:00Z') }];
  expect(listed('<IsTruncated>false</IsTruncated>')).toEqual({ objects, next: undefined });
  const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>next 1</NextContinuationToken>';
  expect(listed(more)).toEqual({ objects, next: 'next 1' });
  // No end of a listing is to be believed that does not say where it goes on.
  expect(listed('<IsTruncated>true</IsTruncated>')).toBeUndefined();
});

it.each([
  ['url', 'a+b', 'a b'],
  ['', 'a+b', 'a+b'],
])('reads uploads with keys encoded by "%s"', (encoding, written, key) => {
  const upload = `<Upload><Key>${written}</Key><UploadId>one+two</UploadId><Initiated>2026-11-01T10:00:00.000Z</Initiated></Upload>`;
  const listed = (more: string) =>
    readUploads(
      document(
        `<ListMultipartUploadsResult><EncodingType>${encoding}</EncodingType>${upload}${more}</ListMultipartUploadsResult>`,
      ),
    );
  const uploads = [{ key, uploadId: 'one+two', begun: new Date('2026-11-01T10:00:00Z') }];
  expect(listed('')).toEqual({ uploads, next: undefined });
  const more = `<IsTruncated>true</IsTruncated><NextKeyMarker>${written}</NextKeyMarker><NextUploadIdMarker>one+two</NextUploadIdMarker>`;
  expect(listed(more)).toEqual({
    uploads,
    next: { 'key-marker': key, 'upload-id-marker': 'one+two' },
  });
});

it('reads the objects that were not removed, and an empty result', () => {
  const error = '<Error><Key>a</Key><Code>AccessDenied</Code><Message>no</Message></Error>';
  const found = [{ code: 'AccessDenied', message: 'no', key: 'a', region: '' }];
  expect(readDeleteResult(document(`<DeleteResult>${error}</DeleteResult>`))).toEqual(found);
  expect(readDeleteResult(document('<DeleteResult/>'))).toEqual([]);
});

it('reads errors, alone and in the answer of another service', () => {
  const error =
    '<Error><Code>PermanentRedirect</Code><Message>there</Message><Region>eu-west-1</Region></Error>';
  const found = { code: 'PermanentRedirect', message: 'there', key: '', region: 'eu-west-1' };
  expect(readError(document(error))).toEqual(found);
  expect(readError(document(`<ErrorResponse>${error}</ErrorResponse>`))).toEqual(found);
});

it('returns nothing for other documents', () => {
  for (const body of NO_DOCUMENTS) {
    expect(readListing(body)).toBeUndefined();
    expect(readUploads(body)).toBeUndefined();
    expect(readDeleteResult(body)).toBeUndefined();
    expect(readError(body)).toBeUndefined();
    expect(readText(body, 'InitiateMultipartUploadResult', 'UploadId')).toBe('');
  }
});

it('an element with a text, or one that appears twice, has no children', () => {
  for (const root of ['ListBucketResult', 'ListMultipartUploadsResult']) {
    for (const text of [`<${root}>x</${root}>`, `<${root}/>`, `<${root}><A/></${root}>`.repeat(2)]) {
      expect(readListing(document(text)), text).toBeUndefined();
      expect(readUploads(document(text)), text).toBeUndefined();
    }
  }
  const listed = '<ListBucketResult><Contents>x</Contents></ListBucketResult>';
  expect(readListing(document(listed))).toEqual({ objects: [], next: undefined });
  expect(readDeleteResult(document('<DeleteResult><Error>x</Error></DeleteResult>'))).toEqual([]);
  expect(readText(document('<A><B><C>x</C></B></A>'), 'A', 'B')).toBe('');
});

it('texts are read back as they were written into an element', () => {
  const text = ' a&b<c>"d"\'e\r\n';
  expect(readText(document(`<A><B>${escapeXml(text)}</B></A>`), 'A', 'B')).toBe(text);
});
