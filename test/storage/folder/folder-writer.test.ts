/** The steps of a change in a folder, and failures between them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ConditionFailed, type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { createFolderWriter } from '../../../src/storage/folder/folder-writer.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { beforeStep, failure } from './faults.ts';

vi.mock('node:fs/promises', async (load) => (await import('./faults.ts')).withFaults(load));

const text = (value: string) => Buffer.from(value);

function open() {
  const root = temporaryFolder();
  const incoming = join(root, '.catalogue-incoming');
  const at = (key: string) => join(root, ...key.split('/'));
  return {
    root,
    incoming,
    at,
    ...createFolderWriter(root, at, false),
    holder: join(incoming, 'holder-one'),
  };
}

function limitOf(remaining: () => number = () => 30_000, signal = new AbortController().signal): LockLimit {
  return { holder: 'one', remaining, signal, ready: async () => {}, unsettled: () => {} };
}

describe.each([
  ['without a limit', undefined],
  ['with a limit', limitOf()],
])('%s', (_name, limit) => {
  async function opened() {
    const changes = open();
    if (limit) await changes.fence('one');
    return { ...changes, staging: () => readdirSync(limit ? changes.holder : changes.incoming) };
  }

  it('a file arrives complete, and leaves no temporary file', async () => {
    const { place, placeNew, at, staging } = await opened();
    await place('a/b', text('1'), limit);
    await place('a/b', text('2'), limit);
    await placeNew('a/c/d', text('3'), limit);
    await expect(placeNew('a/c/d', text('4'), limit)).rejects.toThrow(ConditionFailed);
    expect(['a/b', 'a/c/d'].map((key) => readFileSync(at(key), 'utf8'))).toEqual(['2', '3']);
    expect(staging()).toEqual([]);
    const body = { size: 4, read: async () => text('more') };
    await place('large', body, limit);
    expect(readFileSync(at('large'), 'utf8')).toBe('more');
    const cut = { size: 4, read: () => Promise.reject(new Error('gone')) };
    await expect(place('large', cut, limit)).rejects.toThrow('gone');
    expect(readFileSync(at('large'), 'utf8')).toBe('more');
    expect(staging()).toEqual([]);
  });

  it('a folder that another process removed while it was empty is created again', async () => {
    const { place, at } = await opened();
    await place('a/b', text('1'), limit);
    rmSync(at('a'), { recursive: true });
    await place('a/b', text('2'), limit);
    expect(readFileSync(at('a/b'), 'utf8')).toBe('2');
    let removals = 0;
    beforeStep('rename', () => {
      if (removals++ < 5) rmSync(at('a'), { recursive: true, force: true });
    });
    await place('a/b', text('3'), limit);
    expect([readFileSync(at('a/b'), 'utf8'), removals]).toEqual(['3', 6]);
    removals = -1;
    await expect(place('a/b', text('4'), limit)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(removals).toBe(5);
  });

  it('another failure is thrown at once', async () => {
    const { place, placeNew, remove, at, staging } = await opened();
    let steps = 0;
    for (const step of ['rename', 'link', 'unlink'] as const) {
      beforeStep(step, () => {
        steps++;
        throw failure('EIO');
      });
    }
    await expect(place('a', text('1'), limit)).rejects.toMatchObject({ code: 'EIO' });
    await expect(placeNew('a', text('1'), limit)).rejects.toMatchObject({ code: 'EIO' });
    writeFileSync(at('b'), 'kept');
    await expect(remove(['b'], limit)).rejects.toMatchObject({ code: 'EIO' });
    expect(steps).toBe(3);
    expect(staging()).toEqual([]);
    expect(readFileSync(at('b'), 'utf8')).toBe('kept');
  });

  it('files are removed with their emptied folders only', async () => {
    const { place, remove, root, at, holder } = await opened();
    for (const key of ['a/b/c', 'a/d', 'e']) await place(key, text('x'), limit);
    await remove(['a/b/c', 'a/b/none', 'none/a', 'e/below'], limit);
    expect([existsSync(at('a/b')), existsSync(at('a/d')), existsSync(at('e'))]).toEqual([false, true, true]);
    if (limit) expect(readdirSync(holder)).toEqual([]);
    await remove(['a/d', 'e'], limit);
    expect(readdirSync(root)).toEqual(limit ? ['.catalogue-incoming'] : []);
    // The removed file is known to be gone.
    await place('a/b/c', text('again'), limit);
    expect(readFileSync(at('a/b/c'), 'utf8')).toBe('again');
  });

  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'a file system that answers %s for a link is named',
    async (code) => {
      const { placeNew, at } = await opened();
      beforeStep('link', () => {
        throw failure(code);
      });
      await expect(placeNew('a/b', text('1'), limit)).rejects.toMatchObject({
        ...{ name: 'BucketError', code: 'condition-unsupported', isTransient: false, cause: { code } },
        message: `${dirname(at('a/b'))} is on a file system without links (${code}). Choose another one.`,
      });
    },
  );
});

it('a failure without a code is thrown unchanged', async () => {
  const { placeNew } = open();
  const broken = new Error('broken');
  beforeStep('link', () => {
    throw broken;
  });
  await expect(placeNew('a', text('1'), undefined)).rejects.toBe(broken);
});

it('the root stays, even when it is empty', async () => {
  const { root, place, remove } = open();
  await place('a', text('1'), undefined);
  await remove(['a'], undefined);
  expect(readdirSync(root)).toEqual([]);
});

it('the first write of a process removes files of killed processes', async () => {
  const { incoming, place } = open();
  const left = (name: string) => {
    mkdirSync(incoming, { recursive: true });
    writeFileSync(join(incoming, name), '');
    utimesSync(join(incoming, name), 1, 1);
  };
  left('one');
  await place('a', text('1'), undefined);
  expect(readdirSync(incoming)).toEqual([]);
  left('two');
  await place('a', text('1'), undefined);
  expect(readdirSync(incoming)).toEqual(['two']);
});

describe('a step of a lock holder', () => {
  const steps = (limit: LockLimit) => {
    const { place, placeNew, remove, ...changes } = open();
    const all = [
      () => place('a', text('late'), limit),
      () => placeNew('b', text('late'), limit),
      () => remove(['a'], limit),
    ];
    return { ...changes, place, all };
  };

  it('fails without its fence, and creates none', async () => {
    const { root, at, place, all } = steps(limitOf());
    await place('a', text('1'), undefined);
    for (const step of all) {
      await expect(step()).rejects.toBeInstanceOf(RequestExpired);
      await expect(step()).rejects.toThrow(`dir:${root}: the request came too late`);
    }
    expect([readFileSync(at('a'), 'utf8'), existsSync(at('b'))]).toEqual(['1', false]);
  });

  it('fails when its fence disappears meanwhile', async () => {
    const { at, fence, all } = steps(limitOf());
    for (const step of ['rename', 'link'] as const) {
      beforeStep(step, () => rmSync(at('.catalogue-incoming/holder-one'), { recursive: true, force: true }));
    }
    for (const step of all) {
      await fence('one');
      writeFileSync(at('a'), '1');
      await expect(step()).rejects.toBeInstanceOf(RequestExpired);
      expect([readFileSync(at('a'), 'utf8'), existsSync(at('b'))]).toEqual(['1', false]);
    }
  });

  it.each([
    ['0', limitOf(() => 0)],
    ['-1', limitOf(() => -1)],
    ['no', limitOf(undefined, AbortSignal.abort())],
  ])('fails when it has %s time', async (_name, limit) => {
    const { root, fence, all, at } = steps(limit);
    await fence('one');
    writeFileSync(at('a'), '1');
    for (const step of all) {
      await expect(step()).rejects.toBeInstanceOf(RequestExpired);
      await expect(step()).rejects.toThrow(`dir:${root}: the request came too late`);
    }
    expect([readFileSync(at('a'), 'utf8'), existsSync(at('b'))]).toEqual(['1', false]);
  });

  it('succeeds in the last millisecond', async () => {
    const { fence, place, at } = steps(limitOf(() => 1));
    await fence('one');
    await place(
      'a',
      text('1'),
      limitOf(() => 1),
    );
    expect(readFileSync(at('a'), 'utf8')).toBe('1');
  });
});
