/** Several publishers of one bucket. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { isAtRest, readLog } from '../../src/storage/lock-log.ts';
import { thisMachine } from '../../src/storage/machine.ts';
import { createCatalogue, expectObjects, tree } from './catalogue.ts';

/** The requested number of releases of the same properties. */
export async function makeReleases(
  count: number,
): Promise<{ source: DistSource; objects: Map<string, string> }[]> {
  const catalogue = createCatalogue(4);
  const releases: { source: DistSource; objects: Map<string, string> }[] = [];
  for (let n = 0; n < count; n++) {
    catalogue.add(1, { title: `Number ${n}` });
    const out = await catalogue.buildTo(`dist-${n}`);
    releases.push({ source: await openDist(out), objects: tree(join(out, 'public')) });
  }
  return releases;
}

/** Tests of the lock on a bucket that `open` makes, empty. */
export function describePublishers(name: string, open: () => Bucket | Promise<Bucket>): void {
  describe(`publishers of ${name}`, () => {
    it('ten at once: one publishes, the others name it', { timeout: 600_000 }, async () => {
      const bucket = await open();
      const releases = await makeReleases(2);
      await publishRelease(bucket, releases[0]!.source);
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          publishRelease(bucket, releases[1]!.source, {
            lock: { host: { ...thisMachine(), owner: `publisher ${n}` } },
          }).then(
            ({ outcome }) => ({ code: outcome, message: '' }),
            ({ code, message }: { code: string; message: string }) => ({ code, message }),
          ),
        ),
      );
      expect(outcomes.filter(({ code }) => code === 'published')).toHaveLength(1);
      const others = outcomes.filter(({ code }) => code !== 'published');
      for (const { code, message } of others) {
        // A later publisher has nothing to do.
        if (code === 'unchanged') continue;
        expect(code).toBe('bucket-locked');
        expect(message).toMatch(/^(?:publisher \d|another publisher) is publishing to .*--force-unlock/);
      }
      const locked = others.filter(({ code }) => code === 'bucket-locked');
      for (const { message } of locked.slice(0, -1)) expect(message).toMatch(/ since 20/);
      await expectObjects(bucket, releases[1]!.objects);
      expect(isAtRest(await readLog(bucket))).toBe(true);
    });

    it('a publisher finds nothing to do when another one has published the same before', async () => {
      const bucket = await open();
      const releases = await makeReleases(2);
      await publishRelease(bucket, releases[0]!.source);
      let isFirst = true;
      const late: Bucket = {
        ...bucket,
        limited(limit) {
          const inner = bucket.limited(limit);
          return {
            ...inner,
            async write(...args) {
              if (isFirst) {
                isFirst = false;
                await publishRelease(bucket, releases[1]!.source);
              }
              return inner.write(...args);
            },
          };
        },
      };
      const { release } = releases[1]!.source;
      expect(await publishRelease(late, releases[1]!.source)).toMatchObject({
        outcome: 'unchanged',
        release: release.name,
        previous: release.name,
        removed: 0,
        bytes: 0,
      });
      await expectObjects(bucket, releases[1]!.objects);
      expect(isAtRest(await readLog(bucket))).toBe(true);
    });
  });
}
