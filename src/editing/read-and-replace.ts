import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorReason } from '../errors/file-error.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { createDiagnostic, type Diagnostic } from '../source/diagnostic.ts';
import { decodeSource, MAX_FILE_BYTES, type SourceText } from '../source/source-text.ts';

/** Returns a diagnostic if the file is unreadable or too large. */
export function readSourceText(content: string, path: string): SourceText | Diagnostic {
  const absolute = join(content, path);
  try {
    const { size } = statSync(absolute);
    if (size > MAX_FILE_BYTES) {
      return createDiagnostic('file-too-large', path, null, { bytes: size, limit: MAX_FILE_BYTES });
    }
    return decodeSource(readFileSync(absolute), path);
  } catch (error) {
    return createDiagnostic('unreadable-file', path, null, { reason: fileErrorReason(error) });
  }
}

/** Keeps symbolic links and permissions. */
export function replaceFile(path: string, text: string): void {
  const target = realpathSync(path);
  writeAtomically(target, text, { mode: statSync(target).mode, isDurable: true });
}
