/** Images made for other machines: existing ones are found, missing ones are made once. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INCOMING_FOLDER } from '../../src/contract/object-keys.ts';
import { fillSharedCache } from '../../src/media/fill-shared-cache.ts';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaRequest } from '../../src/media/media-request.ts';
import { openSharedCache, type SharedCache } from '../../src/media/shared-cache.ts';
import { listFolder } from '../../src/media/temporary.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { readTree } from '../compile/workspace.ts';
import { animated, detailed, optionsIn, request, useFolder } from './picture.ts';

const folder = useFolder();

/** A bucket that records its requests. */
function counted(bucket: Bucket): Bucket & { calls: string[] } {
  const calls: string[] = [];
  return {
    ...bucket,
    calls,
    read: (...values) => {
      calls.push('read');
      return bucket.read(...values);
    },
    list: (...values) => {
      calls.push('list');
      return bucket.list(...values);
    },
    write: (key, body, headers, condition) => {
      calls.push(condition ? 'add' : 'replace');
      return bucket.write(key, body, headers, condition);
    },
  };
}

const tally = (calls: readonly string[]) =>
  Object.fromEntries(
    ['read', 'list', 'add', 'replace'].map((kind) => [kind, calls.filter((call) => call === kind).length]),
  );

async function pictures(count: number, name: string): Promise<MediaRequest[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) =>
      request(
        folder(),
        `${name}-${n}.jpg`,
        await detailed(300, 200, n + 1)
          .jpeg()
          .toBuffer(),
      ),
    ),
  );
}

function fixture(name: string) {
  const root = join(folder(), `${name}-shared`);
  const store = counted(openFolderBucket(root));
  const shared = openSharedCache(store);
  const options = { ...optionsIn(join(folder(), name)), shared };
  return { root, store, shared, options, lazily: { ...options, shared: async () => shared } };
}

/** Paths of the objects that hold images. */
const objects = (root: string) => [...readTree(root).keys()].filter((path) => path.startsWith('images/'));

describe('images made in a shared cache', () => {
  it('are listed once, written once, and found by the next machine', async () => {
    const requests = await pictures(4, 'next');
    const { root, store, options, lazily } = fixture('next');
    const first = await fillSharedCache(requests, options);
    expect(first).toMatchObject({ made: 8, reused: 0, fetched: 0, repaired: 0 });
    expect(tally(store.calls)).toEqual({ list: 16, add: 8, read: 0, replace: 0 });
    expect(listFolder(options.cacheFolder)).toEqual([]);
    expect(objects(root)).toHaveLength(8);

    store.calls.length = 0;
    expect(await fillSharedCache(requests, options)).toMatchObject({ made: 0, reused: 8, fetched: 0 });
    expect(tally(store.calls)).toEqual({ list: 16, add: 0, read: 0, replace: 0 });

    // A build on another machine reads each image once, and requests nothing the next time.
    store.calls.length = 0;
    const built = await makeMedia(requests, lazily);
    expect(built).toMatchObject({ made: 0, reused: 0, fetched: 8 });
    expect(built.outcomes).toEqual(first.outcomes);
    expect(tally(store.calls)).toEqual({ list: 0, add: 0, read: 8, replace: 0 });
    store.calls.length = 0;
    expect(await makeMedia(requests, lazily)).toMatchObject({ made: 0, reused: 8, fetched: 0 });
    expect(store.calls).toEqual([]);
  });

  it('have the bytes of a build without a shared cache', async () => {
    const requests = await pictures(3, 'bytes');
    const { options, lazily } = fixture('bytes');
    await fillSharedCache(requests, options);
    await makeMedia(requests, lazily);
    const alone = optionsIn(join(folder(), 'bytes-alone'));
    await makeMedia(requests, alone);
    expect(readTree(lazily.cacheFolder)).toEqual(readTree(alone.cacheFolder));
  });

  it('are stored by a build that had to make them', async () => {
    const requests = await pictures(2, 'kept');
    const { root, options, lazily } = fixture('kept');
    expect(await makeMedia(requests, lazily)).toMatchObject({ made: 4, fetched: 0 });
    expect(objects(root)).toHaveLength(4);
    expect(await fillSharedCache(requests, options)).toMatchObject({ made: 0, reused: 4 });
  });

  it('are copied when a build of this machine made them', async () => {
    const requests = await pictures(2, 'copied');
    const { root, options } = fixture('copied');
    await makeMedia(requests, { ...options, shared: undefined });
    expect(await fillSharedCache(requests, options)).toMatchObject({ made: 0, reused: 0, fetched: 4 });
    expect(objects(root)).toHaveLength(4);
  });

  it('mark animated sources, on any machine', async () => {
    const moving = request(folder(), 'moving.gif', await animated('gif'));
    const { options, lazily } = fixture('moving');
    const warned = [{ code: 'photo-animated', args: {} }];
    const problems = (outcome: Awaited<ReturnType<typeof makeMedia>>) =>
      outcome.outcomes.get(moving.digest)?.problems;
    expect(problems(await fillSharedCache([moving], options))).toEqual(warned);
    expect(problems(await makeMedia([moving], lazily))).toEqual(warned);
    expect(problems(await makeMedia([moving], lazily))).toEqual(warned);
  });

  it('leave out a broken photo, and continue', async () => {
    const [good, ...rest] = await pictures(3, 'broken');
    const broken = request(folder(), 'broken.jpg', Buffer.from('no photo'));
    const { options } = fixture('broken');
    const { outcomes, made } = await fillSharedCache([good!, broken, ...rest], options);
    expect(made).toBe(6);
    expect(outcomes.get(broken.digest)).toMatchObject({
      problems: [{ code: 'photo-unsupported' }],
      files: [],
    });
  });
});

describe('a damaged object', () => {
  async function damaged(name: string) {
    const requests = await pictures(2, name);
    const made = fixture(name);
    await fillSharedCache(requests, made.options);
    const before = readTree(made.root);
    const [victim = ''] = objects(made.root);
    writeFileSync(join(made.root, victim), before.get(victim)!.slice(0, 200), 'latin1');
    return { ...made, requests, before };
  }

  it('is replaced by the build that reads it', async () => {
    const { root, lazily, requests, before } = await damaged('built');
    expect(await makeMedia(requests, lazily)).toMatchObject({ made: 1, fetched: 3, repaired: 1 });
    expect(readTree(root)).toEqual(before);
  });

  it('is replaced when the cache is read, and ignored when it is listed', async () => {
    const { root, options, requests, before } = await damaged('read');
    expect(await fillSharedCache(requests, options)).toMatchObject({ made: 0, reused: 4, repaired: 0 });
    const read = { ...options, look: 'read' } as const;
    expect(await fillSharedCache(requests, read)).toMatchObject({ made: 1, reused: 3, repaired: 1 });
    expect(readTree(root)).toEqual(before);
  });
});

describe('a cache that fails', () => {
  it('ends the work, and keeps the images made before', async () => {
    const requests = await pictures(12, 'fails');
    const { root, store, options } = fixture('fails');
    let writes = 0;
    const failing: SharedCache = openSharedCache({
      ...store,
      write: async (...values) => {
        if (++writes > 6) throw new Error('no more');
        return store.write(...values);
      },
    });
    const run = fillSharedCache(requests, { ...options, shared: failing, concurrency: 1 });
    await expect(run).rejects.toThrow('no more');
    expect(objects(root)).toHaveLength(6);
    expect(await fillSharedCache(requests, options)).toMatchObject({ made: 18, reused: 6 });
    expect(readdirSync(join(root, INCOMING_FOLDER))).toEqual([]);
  });
});
