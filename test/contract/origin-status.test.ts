import { expect, it } from 'vitest';
import { classifyOriginStatus } from '../../src/contract/origin-status.ts';

it.each([
  [200, 'present', 'present'],
  [404, 'absent', 'absent'],
  [403, 'broken', 'absent'],
  [410, 'broken', 'absent'],
  ...[
    0, 100, 204, 206, 304, 301, 302, 307, 400, 401, 405, 408, 412, 414, 416, 418, 429, 431, 451, 500, 502,
    503, 504, 520,
  ].map((status): [number, string, string] => [status, 'broken', 'broken']),
])('accepts %i of a server for %s, of an object store for %s (B9)', (status, server, bucket) => {
  expect(classifyOriginStatus(status, 'server')).toBe(server);
  expect(classifyOriginStatus(status, 'bucket')).toBe(bucket);
});

it('accepts a part of a file where a part was asked for (E1)', () => {
  expect(classifyOriginStatus(206, 'server', true)).toBe('present');
  expect(classifyOriginStatus(304, 'server', true)).toBe('broken');
});
