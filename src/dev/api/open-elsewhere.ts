/** Finds out whether another program has changes of a file that it did not save: what it leaves beside the file says so. */
import { closeSync, existsSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Refused } from './refused.ts';

/** A program, the file that it leaves, and whether that file means changes. */
const PROGRAMS: readonly {
  readonly name: string;
  readonly beside: (file: string) => string;
  readonly hasChanges: (path: string) => boolean;
}[] = [
  { name: 'Vim', beside: (file) => `.${file}.swp`, hasChanges: isDirtySwapFile },
  // A link to the user and the machine, as long as there are changes.
  { name: 'Emacs', beside: (file) => `.#${file}`, hasChanges: isThere },
  { name: 'Kate', beside: (file) => `.${file}.kate-swp`, hasChanges: existsSync },
];

/** @throws Refused `open-elsewhere`. */
export function judgeOthers(path: string): void {
  for (const { name, beside, hasChanges } of PROGRAMS) {
    if (!hasChanges(join(dirname(path), beside(basename(path))))) continue;
    throw new Refused(
      'open-elsewhere',
      `${name} has changes of this file that are not saved. Save or close it there, then save here.`,
    );
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Offset of the byte of a swap file that says whether there are changes (Vim, `memline.c`, block 0), and that byte. */
const DIRTY_AT = 1007;
const DIRTY = 0x55;

function isDirtySwapFile(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const byte = Buffer.alloc(1);
    return readSync(file, byte, 0, 1, DIRTY_AT) === 1 && byte[0] === DIRTY;
  } finally {
    closeSync(file);
  }
}
