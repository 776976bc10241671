import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findShard, isInPhotoShard, shardText } from '../../src/media/shard.ts';

const digests = Array.from({ length: 20_000 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'));
const counts = fc.integer({ min: 1, max: 10_000 });

describe('a digest', () => {
  it('belongs to exactly one share, whatever their number', () => {
    const extreme = fc.constantFrom(
      '0'.repeat(64),
      'f'.repeat(64),
      `8${'0'.repeat(63)}`,
      `7${'f'.repeat(63)}`,
    );
    const digest = fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), extreme);
    fc.assert(
      fc.property(digest, fc.integer({ min: 1, max: 300 }), (text, count) => {
        const owners = Array.from({ length: count }, (_, index) => isInPhotoShard({ index, count }, text));
        expect(owners.filter(Boolean)).toHaveLength(1);
      }),
    );
  });

  it('is equally likely to be in each share', () => {
    for (const count of [2, 3, 8, 16, 50]) {
      for (let index = 0; index < count; index++) {
        const share = digests.filter((digest) => isInPhotoShard({ index, count }, digest)).length;
        // Five standard deviations of a binomial distribution.
        const spread = 5 * Math.sqrt(digests.length * (1 / count) * (1 - 1 / count));
        expect(Math.abs(share - digests.length / count)).toBeLessThan(spread);
      }
    }
  });
});

describe('a share', () => {
  it('is numbered from 1, and printed as it is written', () => {
    expect(findShard('3/16', {})).toEqual({ index: 2, count: 16, source: '--shard' });
    fc.assert(
      fc.property(counts, fc.nat(), (count, any) => {
        const text = `${(any % count) + 1}/${count}`;
        const shard = findShard(text, {});
        expect(shard).toMatchObject({ index: any % count, count });
        expect(shardText(shard!)).toBe(text);
      }),
    );
  });

  it.each(['', '3', '0/16', '17/16', '3/0', '-1/2', '1.5/2', '1/2/3', ' 1/2', '1/10001', 'a/b', '٣/٤'])(
    'cannot be %j',
    (text) => {
      expect(() => findShard(text, {})).toThrow(
        expect.objectContaining({ code: 'invalid-shard', message: expect.stringContaining('3/16') }),
      );
    },
  );

  it.each([
    ['Kubernetes', { JOB_COMPLETION_INDEX: '0', CATALOGUE_SHARDS: '16' }, 0, 'JOB_COMPLETION_INDEX'],
    [
      'AWS Batch',
      { AWS_BATCH_JOB_ARRAY_INDEX: '15', AWS_BATCH_JOB_ARRAY_SIZE: '16' },
      15,
      'AWS_BATCH_JOB_ARRAY_INDEX',
    ],
    ['GitLab', { CI_NODE_INDEX: '16', CI_NODE_TOTAL: '16' }, 15, 'CI_NODE_INDEX'],
  ])('comes from the environment of %s', (_engine, environment, index, source) => {
    expect(findShard(undefined, environment)).toEqual({ index, count: 16, source });
    expect(findShard('2/3', environment)).toEqual({ index: 1, count: 3, source: '--shard' });
  });

  it('is everything without a job engine that numbers the jobs', () => {
    expect(findShard(undefined, {})).toBeUndefined();
    expect(
      findShard(undefined, { CI_NODE_TOTAL: '1', CATALOGUE_SHARDS: '16', JOB_COMPLETION_INDEX: '' }),
    ).toBe(undefined);
  });

  it.each([
    [{ JOB_COMPLETION_INDEX: '3' }, /CATALOGUE_SHARDS does not say of how many/],
    [{ JOB_COMPLETION_INDEX: '16', CATALOGUE_SHARDS: '16' }, /name no share: Kubernetes counts from 0/],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' }, /name no share: GitLab counts from 1/],
    [{ AWS_BATCH_JOB_ARRAY_INDEX: 'x', AWS_BATCH_JOB_ARRAY_SIZE: '4' }, /name no share/],
    [{ JOB_COMPLETION_INDEX: '1', CATALOGUE_SHARDS: 'many' }, /name no share/],
    [
      { JOB_COMPLETION_INDEX: '1', CATALOGUE_SHARDS: '4', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2' },
      /JOB_COMPLETION_INDEX says 2\/4, but CI_NODE_INDEX says 1\/2/,
    ],
  ])('cannot come from %j', (environment, message) => {
    expect(() => findShard(undefined, environment)).toThrow(message);
    expect(() => findShard(undefined, environment)).toThrow(
      expect.objectContaining({ code: 'invalid-shard' }),
    );
    expect(findShard('1/1', environment)).toMatchObject({ index: 0, count: 1 });
  });
});
