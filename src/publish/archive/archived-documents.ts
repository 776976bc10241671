/**
 * Archive of the documents that later releases replace. All other objects of a release stay unchanged until `prune`.
 * An index is compressed lines of JSON: first `["manifest", text]`; then `["text", key, text]` or `["document", key,
 * base64]`, or `["document", key]` for a document in a separate object.
 */

import { isUtf8 } from 'node:buffer';
import { DATA_PACKAGE_KEY, INDEX_KEY } from '../../contract/document-keys.ts';
import { documentKeys, documentKind, type Release } from '../../release/release.ts';
import { type ObjectBody, writeBody } from '../../storage/body.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { forEachConcurrently } from '../../storage/for-each.ts';
import { ARCHIVE_HEADERS, archivedDocumentKey, releaseObjectsKey } from '../../storage/reserved-keys.ts';
import type { ReleaseSource } from '../source.ts';
import { gunzipLines, gzipLines } from './compressed-lines.ts';

/** Maximum bytes of a document within an index. A larger one is a separate object, stored once for all releases. */
const MAX_DOCUMENT = 8_000;
/** Always in the index, since they differ between any two releases. */
const OWN_DOCUMENTS: readonly string[] = [INDEX_KEY, DATA_PACKAGE_KEY];
/** Concurrent requests. */
const CONCURRENCY = 24;

/** Documents by key; undefined for those in separate objects. */
export type ArchiveIndex = ReadonlyMap<string, Buffer | undefined>;

/** Undefined when missing. @throws Error for a damaged index */
export async function readArchiveIndex(bucket: Bucket, name: string): Promise<ArchiveIndex | undefined> {
  const object = await bucket.read(releaseObjectsKey(name));
  if (!object) return undefined;
  const documents = new Map<string, Buffer | undefined>();
  for await (const [kind, key = '', first] of gunzipLines(object.body)) {
    if (kind === 'text') documents.set(key, Buffer.from(first ?? ''));
    else if (kind === 'document')
      documents.set(key, first === undefined ? undefined : Buffer.from(first, 'base64'));
  }
  return documents;
}

export async function readArchivedManifest(bucket: Bucket, name: string): Promise<Buffer | undefined> {
  const object = await bucket.read(releaseObjectsKey(name));
  try {
    for await (const [kind, text = ''] of object ? gunzipLines(object.body) : [])
      return kind === 'manifest' ? Buffer.from(text) : undefined;
  } catch {
    // A damaged archive counts as missing.
  }
  return undefined;
}

export function separateObjectKeys(index: ArchiveIndex, { manifest }: Pick<Release, 'manifest'>): string[] {
  const apart = [...index].filter(([, bytes]) => bytes === undefined);
  return apart.map(([key]) => archivedDocumentKey(manifest.documents[key] ?? ''));
}

/**
 * Writes the index last.
 * @param present keys of separate objects that exist
 */
export async function writeArchivedDocuments(
  bucket: Bucket,
  { release, body }: ReleaseSource,
  present: ReadonlySet<string>,
): Promise<void> {
  const put = (key: string, bytes: ObjectBody) => writeBody(bucket, key, bytes, ARCHIVE_HEADERS);
  const documents = new Map<string, readonly string[]>();
  const keys = documentKeys(release, { shared: false });
  await forEachConcurrently(keys, CONCURRENCY, async (key) => {
    const place = archivedDocumentKey(release.manifest.documents[key]!);
    if (present.has(place)) return;
    const bytes = await body({ kind: documentKind(key), key });
    if (Buffer.isBuffer(bytes) && (bytes.length <= MAX_DOCUMENT || OWN_DOCUMENTS.includes(key)))
      documents.set(
        key,
        isUtf8(bytes) ? ['text', key, `${bytes}`] : ['document', key, bytes.toString('base64')],
      );
    else if (!(await bucket.inspect(place))) await put(place, bytes);
  });
  const lines = [
    ['manifest', release.bytes.toString('utf8')],
    ...keys.map((key) => documents.get(key) ?? ['document', key]),
  ];
  await put(releaseObjectsKey(release.name), await gzipLines(lines));
}
