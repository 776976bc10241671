/** Reads an authored file for editing. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../file-error.ts';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { MAX_FILE_BYTES, notUtf8 } from '../source/property-file.ts';

/** Text of a file without its byte-order mark. A new text must be written with the same mark. */
export type SourceText = { readonly mark: '' | '\ufeff'; readonly text: string };

/** Reads a file's text and byte-order mark; a diagnostic when it is unreadable. */
export function readSourceText(content: string, path: string): SourceText | Diagnostic {
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
  if (!isUtf8(bytes)) return notUtf8(bytes, path);
  const text = bytes.toString('utf8');
  return text.startsWith('\ufeff') ? { mark: '\ufeff', text: text.slice(1) } : { mark: '', text };
}
