/** Threads that do one job after another: their results, and their failures. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ReadGroup, ReadTask } from '../../../src/compile/read/files.ts';
import { decodeRows } from '../../../src/compile/read/record-row.ts';
import { readFileStamps } from '../../../src/compile/state/content-stamps.ts';
import type { WrittenBulkFiles } from '../../../src/compile/state/written-files.ts';
import type { Threads } from '../../../src/compile/threads/pool.ts';
import type { EmitTask } from '../../../src/compile/write/emit.ts';
import { configurationSchema } from '../../../src/contract/configuration.ts';
import { STANDARD_FIELD_TABLE } from '../../../src/contract/terms.ts';
import { sequenceColumns } from '../../../src/release/sequence-columns.ts';
import { termsFrom } from '../../support/terms.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';

/** Only the compiled code has threads. */
const { createWorkCounters, openThreads } = (await import(
  new URL('../../../lib/compile/threads/pool.js', import.meta.url).href
)) as typeof import('../../../src/compile/threads/pool.ts');

const FILES = 100;
const { photo, thumbnail } = configurationSchema.parse({
  base_url: 'https://stays.example',
});

let workspace: Workspace;
let threads: Threads;
beforeEach(() => {
  workspace = createWorkspace();
  for (let n = 1; n <= FILES; n++) workspace.add(n);
});
afterEach(() => threads.stop());

/** Every file of the workspace, with details that wait in `staging`. */
function readTask(staging = join(workspace.root, 'staging')): ReadTask {
  const paths = Array.from({ length: FILES }, (_, index) => `house-${index + 1}.yaml`);
  const reusable = { reusablePhotos: new Map(), reusableDigests: new Map() };
  const settings = { terms: termsFrom(), photo, thumbnail, mediaBase: 'https://stays.example' };
  return {
    content: workspace.content,
    paths,
    staging,
    ...settings,
    ...reusable,
    counter: createWorkCounters(),
  };
}

/** A result of this thread. */
const PARTS: WrittenBulkFiles = { parts: [], downloads: undefined };

/** A task with nothing to write. */
function emptyTask(): EmitTask {
  const spooled = { spool: new Int32Array(), offset: new Float64Array(), length: new Int32Array() };
  const columns = sequenceColumns([]);
  const source = {
    publicFolder: workspace.root,
    staging: workspace.root,
    columns,
    summaries: undefined,
    spooled,
    lastParts: [],
  };
  const nothing = {
    scopes: [],
    sizes: [],
    details: [],
    parts: [],
    downloads: undefined,
    batches: [],
    fields: STANDARD_FIELD_TABLE,
    order: new Uint32Array(),
  };
  return { ...source, ...nothing, counter: createWorkCounters() };
}

it('threads take groups until all are done, each thread with a spool of its own', async () => {
  threads = openThreads(3);
  const task = readTask();
  mkdirSync(task.staging!);
  const groups: ReadGroup[] = [];
  const results = await threads
    .share('read', task, 1, (group) => groups.push(group))
    .finish(async () => undefined);
  expect(results).toHaveLength(3);
  const read = groups.sort((one, other) => one.start - other.start).flatMap(({ rows }) => decodeRows(rows));
  expect(read.map(({ path }) => path)).toEqual(task.paths);
  for (const { start, rows } of groups) {
    const records = decodeRows(rows);
    expect(task.paths[start]).toBe(records[0]!.path);
    const spools = new Set(records.map(({ entry }) => entry?.spooled?.spool));
    expect(spools.size).toBe(1);
    expect([1, 2]).toContain([...spools][0]);
  }
});

it('a thread stamps files', async () => {
  threads = openThreads(2);
  const { content } = workspace;
  const paths = [...readTask().paths, 'gone.yaml'];
  const { numbers: alone } = await readFileStamps(content, paths, threads);
  const numbers = new Float64Array(new SharedArrayBuffer(alone.byteLength)).fill(Number.NaN);
  const task = { content, groups: [paths.join('\n')], numbers, counter: createWorkCounters() };
  await threads.share('stamp', task, 1).finish(async () => undefined);
  expect(numbers).toEqual(alone);
});

it('threads do jobs one after another in order, and accept further jobs after they were dismissed', async () => {
  threads = openThreads(2);
  const task = readTask();
  mkdirSync(task.staging!);
  let read = 0;
  const first = threads
    .share('read', task, 1, ({ rows }) => {
      read += decodeRows(rows).length;
    })
    .finish(async () => undefined);
  const second = threads.share('emit', emptyTask(), 1).finish(async () => PARTS);
  threads.dismiss();
  const third = threads.share('emit', emptyTask(), 1).finish(async () => PARTS);
  const order: string[] = [];
  await Promise.all([first.then(() => order.push('first')), second.then(() => order.push('second'))]);
  expect(order).toEqual(['first', 'second']);
  expect(read).toBe(FILES);
  expect(await second).toEqual([PARTS, PARTS]);
  expect(await third).toEqual([PARTS, PARTS]);
});

it('threads report an error of the file system, and refuse all further work', async () => {
  threads = openThreads(2);
  const failing = threads.share('read', readTask(join(workspace.root, 'absent')), 1);
  await expect(failing.finish(async () => undefined)).rejects.toMatchObject({ code: 'ENOENT' });
  const next = threads.share('emit', emptyTask(), 1);
  await expect(next.finish(async () => PARTS)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('no thread starts when one thread is enough, or when the job is too small', async () => {
  threads = openThreads(1);
  threads.prepare('read', 100);
  expect(await threads.share('emit', emptyTask(), 100).finish(async () => PARTS)).toEqual([PARTS]);
  threads = openThreads(undefined);
  expect(await threads.share('emit', emptyTask(), 0.9).finish(async () => PARTS)).toEqual([PARTS]);
});

it('threads end when they are stopped, even in the middle of a job', async () => {
  threads = openThreads(2);
  const work = threads
    .share('read', readTask(join(workspace.root, 'absent')), 1)
    .finish(async () => undefined);
  const outcome = work.catch((error: unknown) => error);
  await threads.stop();
  expect(await outcome).toBeInstanceOf(Error);
});
