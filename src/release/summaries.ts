import type { Release } from './release.ts';
import type { JoinedSummaries } from './sequence.ts';

const COMMA = Buffer.from(',');

/** In list order. @throws `differs` of the leaves */
export async function readSummaries({ root, leaves }: Release): Promise<JoinedSummaries> {
  const pieces: Uint8Array[] = [];
  const offsets = new Uint32Array(root.total + 1);
  let size = 0;
  for (const { digest, start } of root.chunks) {
    const chunk = (await leaves.chunk(digest))!;
    for (let index = 1; index <= chunk.count; index++) offsets[start + index] = size + chunk.offsets[index]!;
    pieces.push(chunk.entries, COMMA);
    size += chunk.entries.length + COMMA.length;
  }
  return { bytes: Buffer.concat(pieces), offsets };
}
