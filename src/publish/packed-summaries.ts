/** The summaries of a release that has no pages, from its chunks. */
import { digestOf } from '../catalogue/digest.ts';
import { chunkKey } from '../contract/layout.ts';
import { entriesOf, parseChunk } from '../contract/packed-chunk.ts';
import { parseRoot } from '../contract/packed-root.ts';
import { documentKind, type Release } from './release.ts';

/**
 * The summaries of a release, as text.
 *
 * @param read gives the bytes of an object by its key.
 * @returns the key of the first object that is not what the manifest says, if there is one.
 */
export async function packedSummaries(
  { manifest, sequence }: Release,
  read: (key: string) => Promise<Buffer>,
): Promise<{ summaries: string[] } | { damaged: string }> {
  const { documents } = manifest;
  const rootKey = Object.keys(documents).find((key) => documentKind(key) === 'root') ?? '';
  const bytes = await read(rootKey);
  const root = digestOf(bytes) === documents[rootKey] ? parseRoot(bytes) : undefined;
  if (!root || root.total !== sequence.length) return { damaged: rootKey };
  const summaries: string[] = [];
  for (const { digest, count } of root.chunks) {
    const key = chunkKey(digest);
    const body = await read(key);
    const chunk = digestOf(body) === digest ? parseChunk(body) : undefined;
    if (chunk?.count !== count) return { damaged: key };
    for (let index = 0; index < count; index++) {
      const text = Buffer.from(entriesOf(chunk, index, index + 1)).toString('utf8');
      if (digestOf(text) !== sequence[summaries.length]!.summaryDigest) return { damaged: key };
      summaries.push(text);
    }
  }
  return { summaries };
}
