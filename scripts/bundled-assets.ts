/** Writes files for `src/documents/packaged-files.ts`, with a list of their digests. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function writePreparedFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  mkdirSync(folder, { recursive: true });
  const digests: Record<string, string> = {};
  for (const [name, bytes] of files) {
    replaceFile(join(folder, name), bytes);
    digests[name] = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  }
  replaceFile(join(folder, LIST), Buffer.from(`${JSON.stringify(digests, null, 2)}\n`));
  for (const name of readdirSync(folder)) if (name !== LIST && !files.has(name)) rmSync(join(folder, name));
}

const LIST = 'files.json';

/** Skips an equal file: a build may be reading it. */
export function replaceFile(path: string, bytes: Buffer): void {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
