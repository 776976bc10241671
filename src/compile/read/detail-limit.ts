import type { Diagnostic } from '../../source/diagnostic.ts';
import { parsePropertyFile } from '../../source/property-file.ts';
import { locateIssue } from '../../source/schema-issues.ts';

/** In bytes. */
const MAX_DETAIL = 256 * 1024;
/** At most this many bytes in the detail for each byte of a YAML file without aliases. */
const DETAIL_BYTES_PER_YAML_BYTE = 10;
/** At most this many bytes in the detail for each photo, in addition to the media URL. */
const BYTES_OF_PHOTO = 500;
/** At most this many bytes in the detail for the names of all fields. */
const BYTES_OF_NAMES = 10_000;
/** The message of `detail-too-large` names only this many of the longest fields. */
const MAX_FIELDS_NAMED = 3;

/** Estimates the size, without making the detail. Valid only for files without aliases. */
export function mayExceedDetailLimit(mediaBase: string, bytes: Buffer, links: readonly string[]): boolean {
  const photos = links.length * (BYTES_OF_PHOTO + mediaBase.length);
  return bytes.length * DETAIL_BYTES_PER_YAML_BYTE + photos + BYTES_OF_NAMES > MAX_DETAIL;
}

export function detailSizeDiagnostic(detail: Buffer, path: string, bytes: Buffer): Diagnostic | undefined {
  if (detail.length <= MAX_DETAIL) return undefined;
  const document = parsePropertyFile(bytes, path);
  const lengths = Object.entries(Object(document.value) as Record<string, unknown>)
    .map(([name, value]) => ({ name, length: JSON.stringify(value).length }))
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_FIELDS_NAMED);
  const args = {
    bytes: detail.length,
    limit: MAX_DETAIL,
    longest: lengths.map(({ name, length }) => `${name} (${length} characters)`).join(', '),
  };
  return locateIssue({ code: 'detail-too-large', path: [lengths[0]?.name ?? ''], args }, path, document);
}
