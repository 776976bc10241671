/** The address of a bucket. */
import { expect, it } from 'vitest';
import { bucketAddress } from '../../../src/storage/http/address.ts';

it.each([
  ['stays', 'eu-west-1', undefined, 'https://stays.s3.eu-west-1.amazonaws.com', ''],
  ['stays.example', 'eu-west-1', undefined, 'https://s3.eu-west-1.amazonaws.com', '/stays.example'],
  ['stays', 'cn-north-1', undefined, 'https://stays.s3.cn-north-1.amazonaws.com.cn', ''],
  ['stays', 'auto', 'https://s3.example/', 'https://s3.example', '/stays'],
  ['stays', 'auto', 'https://s3.example//', 'https://s3.example', '/stays'],
  ['stays', 'auto', 'http://127.0.0.1:9000/gate/s3', 'http://127.0.0.1:9000', '/gate/s3/stays'],
])('the bucket %s in %s at %s is at %s%s', (bucket, region, endpoint, origin, start) => {
  const address = bucketAddress(bucket, region, endpoint);
  expect(address).toMatchObject({ origin, host: new URL(origin).host });
  expect(address.pathOf()).toBe(start || '/');
  expect(address.pathOf('a/b c')).toBe(`${start}/a/b%20c`);
  expect(address.pathOf('é')).toBe(`${start}/%C3%A9`);
  expect(address.pathOf('_catalogue/a-1.~/B')).toBe(`${start}/_catalogue/a-1.~/B`);
});
