/** Summaries and details in the release tree. */

import { CURRENT_KEY } from '../../src/contract/object-keys.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';
import { digestOf } from '../../src/release/digest.ts';
import { serializeCurrent, UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { scopesOf } from '../../src/release/sequence.ts';
import { sequenceColumns } from '../../src/release/sequence-columns.ts';
import { planTree, rootObject, treeObjects } from '../../src/tree/objects.ts';

const TERMS = declaredTerms({ vocabulary: vocabularyFrom() });

/** An entry of a list. */
export type Summary = { id: string; title: string; city: string; country: string; thumbnail: string | null };

/** Objects of the tree by key, and the name of the release. */
export type MadeTree = { release: string; files: Map<string, Buffer> };

/**
 * Stores summaries that are in the order of the sequence.
 *
 * @param details by id.
 * @param inPart number of details in a part.
 * @param contents members of the root that readers of lists and details do not need.
 * @param initial first digit of its name. @default any
 * @param ends those of the chunks. @default where a build ends them
 */
export function makeTree(
  summaries: readonly Summary[],
  details: ReadonlyMap<string, string> = new Map(),
  inPart = 40,
  contents: object = {},
  ends?: readonly number[],
  initial = '',
): MadeTree {
  const sequence = summaries.map(({ id, country, city, title, thumbnail }) => {
    const summary = JSON.stringify({ id, title, city, country, thumbnail });
    const facets = { latitude: 0, longitude: 0, facets: '[[]]' };
    return { id, country, city, summary, summaryDigest: digestOf(summary), detailDigest: '', ...facets };
  });
  const files = new Map<string, Buffer>();
  const columns = sequenceColumns(sequence);
  const planned = planTree(columns, scopesOf(sequence));
  const cityAt = (place: number) => sequence[place]!.city;
  const chunks = ends?.map((end, index) => ({ end, city: cityAt(ends[index - 1] ?? 0) }));
  const objects = treeObjects(sequence, { ...planned, ...(chunks && { chunks }) }, TERMS);
  let object = objects.next();
  for (; !object.done; object = objects.next())
    files.set(object.value.key, Buffer.from(object.value.content()));
  const ids = [...details.keys()].sort();
  const parts = Array.from({ length: Math.ceil(ids.length / inPart) }, (_, index) => {
    const lines = ids
      .slice(index * inPart, (index + 1) * inPart)
      .map((id) => `{"id":"${id}",${details.get(id)!.slice(1)}\n`);
    const digest = digestOf(lines.join(''));
    files.set(`_catalogue/parts/${digest}.ndjson`, Buffer.from(lines.join('')));
    return { digest, from: ids[index * inPart]! };
  });
  const tree = { ...object.value, details: parts };
  let root = rootObject({ ...tree, contents });
  for (let salt = 1; !root.digest.startsWith(initial); salt++)
    root = rootObject({ ...tree, contents: { ...contents, salt } });
  const release = root.digest;
  files.set(root.key, Buffer.from(root.content()));
  files.set(CURRENT_KEY, serializeCurrent({ release, build: UNKNOWN_BUILD }));
  return { release, files };
}
