import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskPasswords } from '../../src/text/mask-passwords.ts';

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
