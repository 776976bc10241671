/** Which files of a tree a build wrote, and which of them have other bytes than before. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The files of a tree: when and where each was written, and its digest. */
export type Snapshot = ReadonlyMap<string, { readonly written: string; readonly digest: string }>;

/** Looks at every file below a folder. */
export function takeSnapshot(folder: string): Snapshot {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      const { ino, mtimeNs } = statSync(path, { bigint: true });
      const digest = createHash('sha256').update(readFileSync(path)).digest('base64');
      return [relative(folder, path), { written: `${ino} ${mtimeNs}`, digest }];
    }),
  );
}

/** Number of files that were written between two snapshots, and of those that had to be. */
export function compareSnapshots(before: Snapshot, after: Snapshot): { written: number; differing: number } {
  let written = 0;
  let differing = 0;
  for (const [path, file] of after) {
    const last = before.get(path);
    if (last?.written !== file.written) written++;
    if (last?.digest !== file.digest) differing++;
  }
  return { written, differing };
}
