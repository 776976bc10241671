/** Where a bucket is, and what of an address is shown. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressOf, withoutPasswords } from '../../../src/storage/s3/address.ts';

it.each([
  ['stays', 'eu-west-1', undefined, 'https://stays.s3.eu-west-1.amazonaws.com/a/b%20c'],
  ['stays.example', 'eu-west-1', undefined, 'https://s3.eu-west-1.amazonaws.com/stays.example/a/b%20c'],
  ['stays', 'cn-north-1', undefined, 'https://stays.s3.cn-north-1.amazonaws.com.cn/a/b%20c'],
  ['stays', 'auto', 'https://s3.example/', 'https://s3.example/stays/a/b%20c'],
  ['stays', 'auto', 'http://127.0.0.1:9000/gate/s3', 'http://127.0.0.1:9000/gate/s3/stays/a/b%20c'],
])('the bucket %s in %s at %s is at %s', (bucket, region, endpoint, url) => {
  const { origin, pathOf } = addressOf(bucket, region, endpoint);
  expect(origin + pathOf('a/b c')).toBe(url);
  expect(origin + pathOf()).toBe(url.replace(/\/a\/b%20c$/, '') + (pathOf() === '/' ? '/' : ''));
});

it('no password of an address is shown, however it is spelt (A16)', () => {
  const text = fc.stringMatching(/^[!#-&*-~]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom('https://', 'http:/', 'ftp://', ''), text, text, (scheme, user, password) => {
      const secret = `§${password.replaceAll('@', '')}§`;
      expect(withoutPasswords(`"${scheme}${user}:${secret}@store.example/x" is not a URL`)).not.toContain(
        '§',
      );
    }),
  );
  expect(withoutPasswords('https://store.example:9000/a')).toBe('https://store.example:9000/a');
  expect(withoutPasswords('https://ann:pw@store.example/a')).toBe('https://***@store.example/a');
});
