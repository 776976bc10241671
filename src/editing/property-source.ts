/** The text of an authored file, as it is edited. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { reasonOf } from '../source/file-error.ts';
import { MAX_FILE_BYTES, notUtf8 } from '../source/property-file.ts';
import type { SourceFile } from '../source/stamp.ts';

/** The text of a file without a byte-order mark, or why it cannot be read. */
export function readText(content: string, { path }: SourceFile): string | Diagnostic {
  const absolute = join(content, path);
  let bytes: Buffer;
  try {
    const { size } = statSync(absolute);
    if (size > MAX_FILE_BYTES) {
      return diagnose('file-too-large', path, null, { bytes: size, limit: MAX_FILE_BYTES });
    }
    bytes = readFileSync(absolute);
  } catch (error) {
    return diagnose('unreadable-file', path, null, { reason: reasonOf(error) });
  }
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/^\ufeff/, '') : notUtf8(bytes, path);
}
