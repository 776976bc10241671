/** Trees of releases that no build made. */
import { dirname, join } from 'node:path';
import type { RecordEntry } from '../build/read/record.ts';
import { createPropertyReader, detailPlaces } from '../build/write/details.ts';
import { detailParts, divideDetails, LIMITS, withShortIds, writePart } from '../build/write/downloads.ts';
import { PARTS_FOLDER, rootKey, scopeFolder } from '../contract/object-keys.ts';
import type { Summary } from '../contract/property.ts';
import type { Terms } from '../contract/terms.ts';
import { makePublicFolder, writePieces } from '../files/folder.ts';
import { type Chunk, citiesOf, encodeChunk, parseChunk } from '../packed/format/chunk.ts';
import type { Root } from '../packed/format/root.ts';
import { packedObjects, packedRoot, planPacked } from '../packed/pack.ts';
import { columnsOf, idAt, orderOfIds } from '../release/columns.ts';
import { digestOf } from '../release/digest.ts';
import { idIn, type Release, summariesOf } from '../release/release.ts';
import { scopesOf } from '../release/sequence.ts';

/**
 * Writes the tree of a sequence.
 *
 * @param staging folder of the details.
 * @returns the digest of the root.
 */
export function writeTree(
  folder: string,
  staging: string,
  sequence: readonly RecordEntry[],
  release: string,
  terms: Terms,
): string {
  const columns = columnsOf(sequence);
  const order = orderOfIds(columns);
  const places = detailPlaces(sequence);
  const reader = createPropertyReader({
    root: folder,
    staging,
    columns,
    places,
    summaries: undefined,
    lastParts: [],
  });
  makePublicFolder(join(folder, PARTS_FOLDER));
  const parts = divideDetails(columns, order, LIMITS);
  const written = parts.map((part) => writePart(folder, reader, part, order));
  reader.close();
  const details = withShortIds(detailParts(written), (part) => idAt(columns, order[parts[part]!.start - 1]!));
  const digests = new Map<string, string>();
  const write = ({ key, digest, content }: { key: string; digest: string; content: () => Uint8Array }) => {
    makePublicFolder(dirname(join(folder, key)));
    writePieces(join(folder, key), [content()]);
    digests.set(key, digest);
  };
  const packing = packedObjects(sequence, planPacked(columns, scopesOf(sequence)), release, terms);
  let made = packing.next();
  for (; !made.done; made = packing.next()) write(made.value);
  for (const object of packedRoot({ ...made.value, details })) write(object);
  return digests.get(rootKey(release))!;
}

/** Returns a release whose lists lack properties. Its details and its `bytes` are still those of the other. */
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
