/** Reads single details of a release from its parts. */
import { partKey } from '../contract/document-keys.ts';
import { propertyKey } from '../contract/object-keys.ts';
import { type Details, detailIn, parseDetails, partFor } from '../packed/format/detail.ts';
import type { Root } from '../packed/format/root.ts';
import { digestOf } from './digest.ts';
import { entryOf, type Release } from './release.ts';
import { openRoot, type ReleaseObjects } from './summaries.ts';

/** Number of parts kept in memory. */
const HELD_PARTS = 4;

/**
 * Makes a reader of details.
 *
 * @returns a function from id to the bytes of the detail, which throws `differs` when they are not those of the release.
 */
export function openDetails(
  release: Release,
  { read, differs }: Pick<ReleaseObjects, 'read' | 'differs'>,
): (id: string) => Promise<Buffer> {
  let root: Promise<Root> | undefined;
  const held = new Map<string, Promise<Details>>();
  const openPart = async (digest: string): Promise<Details> => {
    const key = partKey(digest);
    const bytes = await read(key);
    const details = digestOf(bytes) === digest ? parseDetails(bytes) : undefined;
    if (!details) throw differs(key);
    return details;
  };
  const inParts = async (id: string) => {
    root ??= openRoot(release, { read, differs });
    const digest = partFor((await root).details, id)?.digest;
    if (digest === undefined) throw differs(propertyKey(id));
    const part = held.get(digest) ?? openPart(digest);
    held.delete(digest);
    held.set(digest, part);
    if (held.size > HELD_PARTS) held.delete(held.keys().next().value!);
    const detail = detailIn(await part, id);
    return detail && Buffer.from(detail.buffer);
  };
  return async (id) => {
    const detail = await inParts(id);
    if (!detail || digestOf(detail) !== entryOf(release, id)?.detailDigest) throw differs(propertyKey(id));
    return detail;
  };
}
