import { realpathSync, statSync } from 'node:fs';
import { writeWholeFile } from '../whole-file.ts';

/** Puts a text in the place of a file. A link stays a link, and the permissions stay as they are. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  writeWholeFile(target, text, { mode: statSync(target).mode, isDurable: true });
}
