import { describe, expect, it } from 'vitest';
import { isLoopbackUrl, isPublicUrl } from '../../src/contract/public-url.ts';

describe('an address of a catalogue', () => {
  it.each([
    ...[
      'http://localhost:8080',
      'http://LOCALHOST',
      'http://a.localhost',
      'http://127.0.0.1',
      'http://127.1',
    ],
    ...['http://[::1]:80', 'http://0.0.0.0', 'http://nas.local', 'https://stays.test', 'http://192.168.1.2'],
    ...[
      'http://10.0.0.1',
      'http://172.20.0.1',
      'http://[fd00::1]',
      'https://example.com',
      'https://www.example.org',
    ],
    ...['https://stays.example', 'https://stays.invalid', 'http://localhost.', 'http://2130706433'],
  ])('%s is not public', (url) => expect(isPublicUrl(url)).toBe(false));

  it.each([
    ...[
      'https://stays.ie',
      'https://localhost.stays.ie',
      'https://example.ie',
      'https://local.ie',
      'http://9.9.9.9',
    ],
    ...['https://test.stays.ie', 'https://myexample.com', 'http://172.32.0.1', 'http://[2001:db8::1]'],
  ])('%s is public', (url) => expect(isPublicUrl(url)).toBe(true));
});

it.each([
  ['http://localhost:8080', true],
  ['https://127.0.0.1/stays', true],
  ['http://[::1]:8080', true],
  ['http://stays.lan', false],
  ['https://localhost.example', false],
])('%s leads to this computer only: %s', (url, expected) => expect(isLoopbackUrl(url)).toBe(expected));
