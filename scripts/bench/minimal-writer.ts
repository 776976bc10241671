/**
 * The floor: writes a tree whose files lie in memory already, with nothing but `openSync`, `writeSync` and
 * `closeSync`, on as many threads as there are cores. Prints the seconds of writing alone.
 *
 * Usage: node --import tsx scripts/bench/minimal-writer.ts <tree> <new folder>
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

type Share = {
  readonly root: string;
  readonly paths: readonly string[];
  /** File `i` is `bytes` from `ends[i - 1]` to `ends[i]`. */
  readonly ends: Float64Array;
  readonly bytes: SharedArrayBuffer;
  /** Next file to take; workers that are ready. */
  readonly counter: Int32Array;
};

const GROUP = 500;

// Worker threads do not inherit the loader of TypeScript.
const TYPESCRIPT_WORKER = `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))})
  .then(({ tsImport }) => tsImport(${JSON.stringify(import.meta.url)}, ${JSON.stringify(import.meta.url)}));`;

function write({ root, paths, ends, bytes, counter }: Share): void {
  const memory = Buffer.from(bytes);
  for (;;) {
    const from = Atomics.add(counter, 0, GROUP);
    if (from >= paths.length) return;
    for (let index = from; index < Math.min(paths.length, from + GROUP); index++) {
      const start = index === 0 ? 0 : ends[index - 1]!;
      const file = openSync(`${root}/${paths[index]}`, 'w');
      writeSync(file, memory, start, ends[index]! - start);
      closeSync(file);
    }
  }
}

type Tree = {
  readonly folders: readonly string[];
  /** Targets of symbolic links, by path. */
  readonly links: ReadonlyMap<string, string>;
  readonly share: Omit<Share, 'root' | 'counter'>;
};

function load(tree: string): Tree {
  const folders: string[] = [];
  const links = new Map<string, string>();
  const paths: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(tree, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isSymbolicLink()) links.set(path, readlinkSync(join(tree, path)));
      else if (!entry.isDirectory()) paths.push(path);
      else {
        folders.push(path);
        walk(path);
      }
    }
  };
  walk('');
  const ends = new Float64Array(new SharedArrayBuffer(8 * paths.length));
  let end = 0;
  for (const [index, path] of paths.entries()) {
    end += statSync(join(tree, path)).size;
    ends[index] = end;
  }
  const bytes = new SharedArrayBuffer(end);
  const memory = Buffer.from(bytes);
  let start = 0;
  for (const [index, path] of paths.entries()) {
    const file = openSync(join(tree, path), 'r');
    readSync(file, memory, start, ends[index]! - start, 0);
    closeSync(file);
    start = ends[index]!;
  }
  return { folders, links, share: { paths, ends, bytes } };
}

async function main(tree: string, root: string): Promise<void> {
  const { folders, links, share } = load(tree);
  const task: Share = { ...share, root, counter: new Int32Array(new SharedArrayBuffer(4)) };
  const workers = Array.from(
    { length: availableParallelism() - 1 },
    () => new Worker(TYPESCRIPT_WORKER, { eval: true, workerData: task }),
  );
  const said = (worker: Worker) => new Promise((resolve) => worker.once('message', resolve));
  await Promise.all(workers.map(said));
  const start = performance.now();
  mkdirSync(root, { recursive: true });
  for (const folder of folders) mkdirSync(`${root}/${folder}`);
  for (const [path, target] of links) symlinkSync(target, `${root}/${path}`);
  const done = workers.map(said);
  for (const worker of workers) worker.postMessage('go');
  write(task);
  await Promise.all(done);
  console.log((performance.now() - start) / 1000);
}

if (isMainThread) await main(process.argv[2]!, process.argv[3]!);
else {
  parentPort!.once('message', () => {
    write(workerData as Share);
    parentPort!.postMessage('done');
  });
  parentPort!.postMessage('ready');
}
