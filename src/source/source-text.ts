import { isUtf8 } from 'node:buffer';
import { createDiagnostic, createSpans, type Diagnostic } from './diagnostic.ts';

export const MAX_FILE_BYTES = 1 << 20;

const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** `text` excludes the byte-order mark, so whoever writes a new text puts `mark` before it. */
export type SourceText = { readonly mark: '' | '\ufeff'; readonly text: string };

export function decodeSource(bytes: Buffer, file: string): SourceText | Diagnostic {
  if (bytes.length > MAX_FILE_BYTES) {
    return createDiagnostic('file-too-large', file, null, { bytes: bytes.length, limit: MAX_FILE_BYTES });
  }
  if (!isUtf8(bytes)) return notUtf8(bytes, file);
  if (bytes.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER)
    return createDiagnostic('git-lfs-pointer', file, null);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { mark: hasMark ? '\ufeff' : '', text: bytes.toString('utf8', hasMark ? 3 : 0) };
}

function notUtf8(bytes: Buffer, file: string): Diagnostic {
  // Invalid bytes are decoded as U+FFFD, so the text encoded again differs at the first invalid byte.
  const text = bytes.toString('utf8');
  const again = Buffer.from(text);
  let bad = 0;
  while (bad < bytes.length && bytes[bad] === again[bad]) bad++;
  const start = bytes.toString('utf8', 0, bad).replace(/\ufffd$/, '').length;
  return createDiagnostic('not-utf8', file, createSpans(text)(start, start + 1), { byte: bad + 1 });
}
