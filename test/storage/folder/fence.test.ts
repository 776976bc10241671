/** The folders of holders, and the remains of killed processes. */
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { raiseFence, removeLeftovers } from '../../../src/storage/folder/fence.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { beforeStep, failure } from './faults.ts';

vi.mock('node:fs/promises', async (load) => (await import('./faults.ts')).withFaults(load));

const HOUR = 3_600_000;

function folder(): string {
  const root = temporaryFolder();
  return root;
}

/** Makes a file or folder that is this much older than its folder. */
function put(root: string, name: string, age = 0): void {
  const path = join(root, name);
  if (name.endsWith('/')) mkdirSync(path);
  else writeFileSync(path, '');
  const time = (Date.UTC(2026, 0, 20) - age) / 1000;
  utimesSync(path, time, time);
  utimesSync(root, Date.UTC(2026, 0, 20) / 1000, Date.UTC(2026, 0, 20) / 1000);
}

it('removes files of processes killed an hour ago, but nothing that may still be written', async () => {
  const root = folder();
  put(root, 'left', HOUR + 1000);
  put(root, 'left folder/', HOUR + 1000);
  put(root, 'young', HOUR - 1000);
  put(root, 'exact', HOUR);
  put(root, 'gone-1/', 0);
  put(root, 'holder-1/', 2 * HOUR);
  beforeStep('stat', (path) => {
    // Another process removes its temporary file.
    if (path.endsWith('young')) rmSync(path);
  });
  await removeLeftovers(root);
  expect(readdirSync(root).sort()).toEqual(['exact', 'holder-1']);
});

it('moves the folders of all other holders away, and creates its own', async () => {
  const incoming = join(folder(), 'a', 'incoming');
  await raiseFence(incoming, 'holder-one');
  writeFileSync(join(incoming, 'holder-one', 'on its way'), '');
  await raiseFence(incoming, 'holder-one');
  expect(readdirSync(join(incoming, 'holder-one'))).toEqual(['on its way']);
  put(incoming, 'young');
  put(incoming, 'left', 2 * HOUR);
  utimesSync(incoming, Date.UTC(2026, 0, 20) / 1000, Date.UTC(2026, 0, 20) / 1000);
  const moved: unknown[] = [];
  beforeStep('rename', (from, to) => {
    moved.push([from, String(to).replace(/gone-[0-9a-f-]{36}$/, 'gone')]);
  });
  await raiseFence(incoming, 'holder-two');
  expect(moved).toEqual([[join(incoming, 'holder-one'), join(incoming, 'gone')]]);
  expect(readdirSync(incoming).sort()).toEqual(['holder-two']);
});

it('continues when another process moved the folder of a holder first, but not after another failure', async () => {
  const incoming = folder();
  for (const holder of ['holder-1', 'holder-2']) put(incoming, `${holder}/`);
  beforeStep('rename', (from) => rmSync(from, { recursive: true }));
  await raiseFence(incoming, 'holder-3');
  expect(readdirSync(incoming)).toEqual(['holder-3']);
  beforeStep('rename', () => {
    throw failure('EIO');
  });
  await expect(raiseFence(incoming, 'holder-4')).rejects.toMatchObject({ code: 'EIO' });
});
