import { expect, it } from 'vitest';
import { HOST_NAMES } from '../../../src/contract/hosts.ts';
import { unpurgedText } from '../../../src/publish/purge/purge-caches.ts';

const purger = (name: string) => ({ name, purge: async () => [] });

it('a host with a cache that was not purged gets one line, others none', () => {
  const told = (hasPages: boolean) =>
    HOST_NAMES.filter((host) =>
      unpurgedText({ host, release: { hasPages } }, [purger('CloudFront key value store')], {
        outcome: 'published',
      }),
    );
  expect(told(false)).toEqual(['s3-cloudfront']);
  expect(told(true)).toEqual(['s3-cloudfront', 'r2-worker']);
  const source = { host: 's3-cloudfront', release: { hasPages: false } } as const;
  expect(unpurgedText(source, [], { outcome: 'published' })).toMatch(
    /^CloudFront was not purged: .*--cloudfront/,
  );
  expect(unpurgedText(source, [], { outcome: 'unchanged' })).toBeUndefined();
  expect(unpurgedText(source, [purger('CloudFront')], { outcome: 'published' })).toBeUndefined();
  expect(unpurgedText({ ...source, host: undefined }, [], { outcome: 'published' })).toBeUndefined();
});
