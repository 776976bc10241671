import { realpathSync, statSync } from 'node:fs';
import { writeWholeFile } from '../whole-file.ts';

/** Replaces the text of a file. Keeps links and permissions. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  writeWholeFile(target, text, { mode: statSync(target).mode, isDurable: true });
}
