// Lower bound of a build: writes files that are already in memory, on all cores.
// Usage: node --import tsx scripts/bench/minimal-writer.ts <tree> <new folder>
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const [tree = '', root = '', share] = process.argv.slice(2);
const cores = availableParallelism();
const entries = readdirSync(tree, { recursive: true, withFileTypes: true });
const pathOf = ({ parentPath, name }: (typeof entries)[number]) => `${parentPath}/${name}`.slice(tree.length);

if (share === undefined) {
  const program = fileURLToPath(import.meta.url);
  const writers = Array.from({ length: cores }, (_, place) => fork(program, [tree, root, String(place)]));
  const all = (name: string) => Promise.all(writers.map((writer: ChildProcess) => once(writer, name)));
  await all('message');
  const start = performance.now();
  mkdirSync(root, { recursive: true });
  for (const folder of entries.filter((entry) => entry.isDirectory())) mkdirSync(root + pathOf(folder));
  for (const writer of writers) writer.send('go');
  await all('exit');
  console.log((performance.now() - start) / 1000);
} else {
  const files = entries
    .filter((entry) => entry.isFile())
    .filter((_, place) => place % cores === Number(share))
    .map((entry) => ({ path: root + pathOf(entry), bytes: readFileSync(tree + pathOf(entry)) }));
  process.once('message', () => {
    for (const { path, bytes } of files) {
      const file = openSync(path, 'w');
      writeSync(file, bytes);
      closeSync(file);
    }
    process.exit();
  });
  process.send!('ready');
}
