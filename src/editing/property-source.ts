/** The text of an authored file, as it is edited. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../file-error.ts';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { MAX_FILE_BYTES, notUtf8 } from '../source/property-file.ts';

/** What a file holds. A text that is written in its place begins with the same mark. */
export type SourceText = { readonly mark: '' | '\ufeff'; readonly text: string };

/** The text of a file and its byte-order mark, or why it cannot be read. */
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
