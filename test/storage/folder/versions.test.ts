/** Objects with versions: the winner, and the remaining files of each writer. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ConditionFailed, tagOf } from '../../../src/storage/bucket.ts';
import { createVersions } from '../../../src/storage/folder/versions.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { beforeStep, failure } from './faults.ts';

vi.mock('node:fs/promises', async (load) => (await import('./faults.ts')).withFaults(load));

const text = (value: string) => Buffer.from(value);

function open() {
  const root = temporaryFolder();
  const { read, write, remove } = createVersions(root);
  const folder = join(root, '.catalogue-incoming', 'versions', 'a~b');
  return {
    folder,
    names: () => readdirSync(folder).sort(),
    read: () => read('a/b'),
    write: (value: string, condition?: { absent: true } | { tag: string }) =>
      write('a/b', text(value), condition, undefined),
    writeOver: (value: string, tag: string | undefined, plain: string) =>
      write('a/b', text(value), tag === undefined ? { absent: true } : { tag }, {
        body: text(plain),
        tag: tagOf(text(plain)),
      }),
    remove: () => remove('a/b'),
  };
}

it('keeps only the last version, under an increasing number', async () => {
  const { folder, names, read, write, remove } = open();
  expect(await read()).toBeUndefined();
  for (let version = 1; version <= 11; version++) {
    const { tag, time } = await write(`v${version}`);
    expect(names()).toEqual([String(version)]);
    const { mtime } = statSync(join(folder, String(version)));
    expect([tag, time]).toEqual([tagOf(text(`v${version}`)), mtime]);
    const present = await read();
    expect(present).toMatchObject({ body: text(`v${version}`), tag, modified: mtime });
    expect(present!.time!.getTime()).toBeGreaterThanOrEqual(mtime.getTime());
    expect(present!.time!.getTime()).toBeLessThan(mtime.getTime() + 60_000);
  }
  expect(names()).toEqual(['11']);
  await remove();
  expect(await read()).toBeUndefined();
  expect((await write('again')).tag).toBe(tagOf(text('again')));
});

it('takes the highest of several numbers, and ignores other names', async () => {
  const { folder, names, read, write } = open();
  mkdirSync(folder, { recursive: true });
  const others = ['0', '012', 'x20', '20x', '1234567890123456'];
  for (const name of [...others, '9', '10']) writeFileSync(join(folder, name), name);
  expect((await read())?.body.toString()).toBe('10');
  await write('new');
  expect(names()).toEqual([...others, '11'].sort());
});

it('checks a condition against the last version, or else against a file from before versions', async () => {
  const { write, writeOver, read } = open();
  const { tag } = await write('1', { absent: true });
  await expect(write('2', { absent: true })).rejects.toThrow(ConditionFailed);
  await expect(write('2', { tag: '"other"' })).rejects.toThrow(ConditionFailed);
  await expect(writeOver('2', tagOf(text('plain')), 'plain')).rejects.toThrow(ConditionFailed);
  await write('2', { tag });
  expect((await read())?.body.toString()).toBe('2');
  const other = open();
  await expect(other.writeOver('1', undefined, 'plain')).rejects.toThrow(ConditionFailed);
  await expect(other.writeOver('1', tagOf(text('x')), 'plain')).rejects.toThrow(ConditionFailed);
  await other.writeOver('1', tagOf(text('plain')), 'plain');
  expect((await other.read())?.body.toString()).toBe('1');
});

it('lets all unconditional writers succeed, one after another', async () => {
  const { write, names } = open();
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(String(writer))));
  // A writer that slept meanwhile takes a further number.
  const [last, ...others] = names();
  expect([Number(last) >= 8, others]).toEqual([true, []]);
});

it('a writer that slept meanwhile notices that it is too late, and removes its version', async () => {
  const { folder, names, write, read } = open();
  const { tag } = await write('1');
  beforeStep('link', (_file, to) => {
    if (!String(to).endsWith('2')) return;
    for (const name of ['1', '2']) rmSync(join(folder, name), { force: true });
    writeFileSync(join(folder, '3'), 'of another');
  });
  await expect(write('slept', { tag })).rejects.toThrow(ConditionFailed);
  expect(names()).toEqual(['3']);
  expect((await read())?.body.toString()).toBe('of another');
});

it('a writer whose number is taken leaves no file, and tries a hundred times without a condition', async () => {
  const { names, write } = open();
  const { tag } = await write('1');
  let attempts = 0;
  beforeStep('link', () => {
    attempts++;
    throw failure('EEXIST');
  });
  await expect(write('2', { tag })).rejects.toThrow(ConditionFailed);
  expect(attempts).toBe(1);
  await expect(write('2')).rejects.toThrow(ConditionFailed);
  expect(attempts).toBe(101);
  beforeStep('link', () => {
    attempts++;
    throw failure('EIO');
  });
  await expect(write('2')).rejects.toMatchObject({ code: 'EIO' });
  expect(attempts).toBe(102);
  expect(names()).toEqual(['1']);
});

it('a file that another process removes first is no failure', async () => {
  const { folder, names, write, remove } = open();
  await remove();
  await write('1');
  writeFileSync(join(folder, '.left'), '');
  utimesSync(join(folder, '.left'), 1, 1);
  beforeStep('rm', (path) => rmSync(path, { recursive: true, force: true }));
  const { tag } = await write('2');
  expect(names()).toEqual(['2']);
  beforeStep('link', (_file, to) => writeFileSync(`${String(to).slice(0, -1)}4`, 'of another'));
  await expect(write('slept', { tag })).rejects.toThrow(ConditionFailed);
  expect(names()).toEqual(['2', '4']);
});

it('reads again when a file was replaced during the read', async () => {
  for (const step of ['readFile', 'stat'] as const) {
    const { folder, write, read } = open();
    await write('1');
    let isFirst = true;
    beforeStep(step, (path) => {
      if (!isFirst || !path.endsWith('1')) return;
      isFirst = false;
      rmSync(join(folder, '1'));
      writeFileSync(join(folder, '2'), 'newer');
    });
    expect((await read())?.body.toString()).toBe('newer');
    expect(isFirst).toBe(false);
  }
});

it('gives no time in a read-only folder, and leaves no probe in a writable one', async () => {
  const { write, read, names } = open();
  await write('1');
  await read();
  expect(names()).toEqual(['1']);
  beforeStep('writeFile', () => {
    throw failure('EROFS');
  });
  expect(await read()).toMatchObject({ body: text('1'), time: undefined });
});

it('removes files of processes killed an hour ago', async () => {
  const { folder, names, write } = open();
  await write('1');
  const put = (name: string, minutes: number) => {
    writeFileSync(join(folder, name), '');
    const time = Date.now() / 1000 - 60 * minutes;
    utimesSync(join(folder, name), time, time);
  };
  put('.left', 61);
  put('.young', 59);
  put('.removed', 61);
  put('README', 61);
  beforeStep('stat', (path) => {
    if (path.endsWith('.removed')) rmSync(path);
  });
  await write('2');
  expect(names()).toEqual(['.young', '2', 'README']);
  expect(readFileSync(join(folder, '2'), 'utf8')).toBe('2');
});
