/** The address of a bucket, and its printed form. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketAddress, maskPasswords } from '../../../src/storage/s3/address.ts';

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

it('a password in an address is never printed, however it is spelt (A16)', () => {
  const text = fc.stringMatching(/^[!#-&*-~]{1,12}$/);
  fc.assert(
    fc.property(fc.constantFrom('https://', 'http:/', 'ftp://', ''), text, text, (scheme, user, password) => {
      const secret = `§${password.replaceAll('@', '')}§`;
      expect(maskPasswords(`"${scheme}${user}:${secret}@store.example/x" is not a URL`)).not.toContain('§');
    }),
  );
});

it('of an address with a user name, the password or none, all but the name and the password is shown', () => {
  const scheme = fc.stringMatching(/^[a-z][a-z0-9+.-]{0,6}:\/\/$/);
  const name = fc.stringMatching(/^[!#-&*-~]{0,12}$/);
  const password = fc.option(name, { nil: undefined });
  const rest = fc.stringMatching(/^[a-z.]{1,9}(?::[0-9]{2,4})?(?:\/[a-z0-9:/-]{0,9})?$/);
  fc.assert(
    fc.property(scheme, name, password, rest, (scheme, name, password, rest) => {
      const user = password === undefined ? name : `${name}:${password}`;
      expect(maskPasswords(`The proxy ${scheme}${user}@${rest} is away.`)).toBe(
        `The proxy ${scheme}***@${rest} is away.`,
      );
      const open = `"${scheme}${rest}" (of ann@${rest.replaceAll(':', '')})`;
      expect(maskPasswords(open)).toBe(open);
    }),
  );
});
