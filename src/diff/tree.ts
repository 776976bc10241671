/** Makes trees of releases that no build made. */
import { join } from 'node:path';
import { planDownloads } from '../compile/plan.ts';
import type { RecordEntry } from '../compile/read/record.ts';
import { createPropertyReader, detailPlaces } from '../compile/write/details.ts';
import {
  completeRelease,
  type DocumentPlaces,
  documentsOfDownloads,
  documentsOfRelease,
} from '../compile/write/documents.ts';
import { detailParts, withShortIds, writePart } from '../compile/write/downloads.ts';
import { createGroup } from '../compile/write/group.ts';
import type { Configuration } from '../contract/configuration.ts';
import { PARTS_FOLDER, scopeFolder } from '../contract/object-keys.ts';
import type { Summary } from '../contract/property.ts';
import { declaredTerms } from '../contract/terms.ts';
import { tableOf } from '../documents/table.ts';
import { makePublicFolder } from '../files/folder.ts';
import { type Chunk, citiesOf, encodeChunk, parseChunk } from '../packed/format/chunk.ts';
import type { Root } from '../packed/format/root.ts';
import { packedObjects, planPacked } from '../packed/pack.ts';
import { columnsOf, idAt, orderOfIds } from '../release/columns.ts';
import { DIGEST_LENGTH, digestOf } from '../release/digest.ts';
import { idIn, type Release, summariesOf } from '../release/release.ts';
import { joinSummaries, scopesOf } from '../release/sequence.ts';

/**
 * Writes the tree of a sequence, and makes all documents, because the release's name depends on them. Returns the name.
 */
export async function writeTree(
  places: DocumentPlaces,
  configuration: Configuration,
  sequence: readonly RecordEntry[],
  media: readonly string[],
): Promise<string> {
  const { public: root, staging } = places.folder;
  const terms = declaredTerms(configuration);
  const scopes = scopesOf(sequence);
  const columns = columnsOf(sequence);
  const order = orderOfIds(columns);
  const reader = createPropertyReader({
    root,
    staging,
    columns,
    places: detailPlaces(sequence),
    summaries: joinSummaries(sequence.map(({ summary }) => summary)),
    lastParts: [],
  });
  makePublicFolder(join(root, PARTS_FOLDER));
  const downloads = planDownloads(configuration, columns, order);
  const table = tableOf(terms.fields);
  const parts = downloads.map((part) => writePart(root, reader, part, order, table));
  reader.close();
  const lastIdBefore = (part: number) => idAt(columns, order[downloads[part]!.start - 1]!);
  const details = withShortIds(detailParts(parts), lastIdBefore);
  const release = { configuration, sequence, scopes, media };
  const made = documentsOfRelease(
    { ...release, before: [], comparison: { changed: [] }, lastParts: [] },
    places,
    undefined,
  );
  // Files of this package need not be copied.
  const known = made.flatMap(({ key, digest }) => (digest === undefined ? [] : [[key, digest] as const]));
  const documents = createGroup(root, Object.fromEntries(known));
  for (const document of [...made, ...documentsOfDownloads(release, parts)]) await documents.write(document);
  for (const { files } of parts)
    for (const { key, sha256 } of files) documents.digests.set(key, sha256.slice(0, DIGEST_LENGTH));
  const packing = packedObjects(sequence, planPacked(columns, scopes), terms);
  let packed = packing.next();
  for (; !packed.done; packed = packing.next()) await documents.write(packed.value);
  const { name, files } = completeRelease(release, parts, documents.digests, { ...packed.value, details });
  for (const file of files) await documents.write(file);
  return name;
}

/** A release whose lists lack some properties. Its details and its `bytes` are still those of the whole release. */
export async function withoutListed(release: Release, ids: ReadonlySet<string>): Promise<Release> {
  const { leaves, root } = release;
  const made = new Map<string, Chunk>();
  const chunks: Root['chunks'][number][] = [];
  const listed: Summary[] = [];
  for (const place of root.chunks) {
    const all = await summariesOf(release, place.start, place.end);
    const texts = all.filter((text) => !ids.has(idIn(text)));
    const summaries = texts.map((text) => JSON.parse(text) as Summary);
    const range = { start: listed.length, end: listed.length + texts.length };
    listed.push(...summaries);
    if (texts.length === all.length) chunks.push({ ...place, ...range });
    else if (texts.length > 0) {
      const bytes = encodeChunk(texts, citiesOf(summaries, 0, texts.length));
      const digest = digestOf(bytes);
      made.set(digest, parseChunk(bytes)!);
      chunks.push({ ...place, ...range, digest });
    }
  }
  return {
    ...release,
    root: { ...root, total: listed.length, chunks },
    leaves: { ...leaves, chunk: async (digest) => made.get(digest) ?? leaves.chunk(digest) },
    scopes: new Map(scopesOf(listed).map((scope) => [scopeFolder(scope.country, scope.city), scope])),
  };
}
