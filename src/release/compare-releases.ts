/**
 * Compares the leaves of two releases' trees. Does not read leaves that both releases have. Matches entries of the
 * other leaves by id, since the order of lists may differ between versions of Node.js.
 */
import { allDetails, type ParsedPart } from '../tree/format/detail-part.ts';
import { memoizeByObject } from '../values/memoize.ts';
import { compareLists, type ScopeChanges } from './compare-lists.ts';
import { idInSummary, pageScopes, type Release, readIds, summaryAt } from './release.ts';

export type ReleaseDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Summaries by id, in the order of the newer list. */
  readonly changed: ReadonlyMap<string, { readonly was: string; readonly is: string }>;
};

type Leaf = { readonly digest: string };

function without<Of extends Leaf>(leaves: readonly Of[], others: readonly Leaf[]): Of[] {
  const theirs = new Set(others.map(({ digest }) => digest));
  return leaves.filter(({ digest }) => !theirs.has(digest));
}

async function* summariesIn(
  { leaves }: Release,
  chunks: Release['root']['chunks'],
): AsyncGenerator<{ readonly index: number; readonly id: string; readonly summary: string }> {
  for (const { digest, start } of chunks) {
    const chunk = await leaves.chunk(digest);
    for (let at = 0; at < (chunk?.count ?? 0); at++) {
      const summary = summaryAt(chunk!, at);
      yield { index: start + at, id: idInSummary(summary), summary };
    }
  }
}

type Listed = ReleaseDifference & {
  /** One number for each entry of the lists. Equal numbers mean equal summaries. */
  readonly numbers: readonly [before: Uint32Array, after: Uint32Array];
};

/** @param before if undefined, everything is new */
async function compareChunks(before: Release | undefined, after: Release): Promise<Listed> {
  const [old, now] = [before?.root.chunks ?? [], after.root.chunks];
  const numbers: Listed['numbers'] = [
    new Uint32Array(before?.root.total ?? 0),
    new Uint32Array(after.root.total),
  ];
  let last = 0;
  const starts = new Map(old.map(({ digest, start }) => [digest, start]));
  for (const { digest, start, end } of now) {
    const was = starts.get(digest);
    for (let at = 0; was !== undefined && at < end - start; at++) {
      numbers[0][was + at] = ++last;
      numbers[1][start + at] = last;
    }
  }
  const known = new Map<string, { readonly summary: string; readonly index: number }>();
  for await (const { index, id, summary } of before ? summariesIn(before, without(old, now)) : []) {
    known.set(id, { summary, index });
    numbers[0][index] = ++last;
  }
  const added: string[] = [];
  const changed = new Map<string, { was: string; is: string }>();
  for await (const { index, id, summary } of summariesIn(after, without(now, old))) {
    const was = known.get(id);
    known.delete(id);
    numbers[1][index] = was?.summary === summary ? numbers[0][was.index]! : ++last;
    if (!was) added.push(id);
    else if (was.summary !== summary) changed.set(id, { was: was.summary, is: summary });
  }
  return { added, removed: [...known.keys()], changed, numbers };
}

const listed = memoizeByObject((before: Release) =>
  memoizeByObject((after: Release) => compareChunks(before, after)),
);

/** @param before if undefined, everything is new */
export function compareReleases(before: Release | undefined, after: Release): Promise<ReleaseDifference> {
  return before ? listed(before)(after) : compareChunks(undefined, after);
}

/** If one of the releases has no pages, every page of the other one differs. */
export async function comparePages(before: Release, after: Release): Promise<ScopeChanges> {
  const isBoth = before.hasPages && after.hasPages;
  const [old, now] = isBoth
    ? (await listed(before)(after)).numbers
    : [new Uint32Array(before.root.total), new Uint32Array(after.root.total).fill(1)];
  const [oldScopes, scopes] = [before, after].map((release) => [...pageScopes(release).values()]);
  return compareLists(old, now, (one, other) => one === other, oldScopes!, scopes!);
}

type ChangedDetail = { readonly id: string } & (
  | { readonly was: Uint8Array; readonly is?: undefined }
  | { readonly was?: undefined; readonly is: Uint8Array }
  | { readonly was: Uint8Array; readonly is: Uint8Array }
);

/** In the order of ids. Reads one part of each release at a time. */
export async function* differingDetails(before: Release, after: Release): AsyncGenerator<ChangedDetail> {
  const [old, now] = [before.root.details, after.root.details];
  const theirs = detailsOf(before, without(old, now));
  const ours = detailsOf(after, without(now, old));
  let [one, other] = [await theirs.next(), await ours.next()];
  while (!one.done || !other.done) {
    const order = one.done
      ? 1
      : other.done
        ? -1
        : one.value[0] < other.value[0]
          ? -1
          : +(one.value[0] > other.value[0]);
    const [was, is] = [order <= 0 ? one.value! : undefined, order >= 0 ? other.value! : undefined];
    if (was && is) {
      if (Buffer.compare(was[1], is[1]) !== 0) yield { id: is[0], was: was[1], is: is[1] };
    } else if (was) yield { id: was[0], was: was[1] };
    else yield { id: is![0], is: is![1] };
    if (was) one = await theirs.next();
    if (is) other = await ours.next();
  }
}

async function* detailsOf(
  { leaves }: Release,
  parts: readonly Leaf[],
): AsyncGenerator<readonly [id: string, detail: Uint8Array], undefined> {
  for (const { digest } of parts) {
    const details: ParsedPart | undefined = await leaves.part(digest);
    if (details) yield* allDetails(details);
  }
  return undefined;
}

/** Ids of detail files to write and to remove, sorted. */
export type DetailFileChanges = { readonly written: readonly string[]; readonly gone: readonly string[] };

const fileDifference = memoizeByObject((before: Release) =>
  memoizeByObject(async (after: Release): Promise<DetailFileChanges> => {
    if (!before.hasPages || !after.hasPages)
      return {
        written: after.hasPages ? await readIds(after) : [],
        gone: before.hasPages ? await readIds(before) : [],
      };
    const files = { written: [] as string[], gone: [] as string[] };
    for await (const { id, is } of differingDetails(before, after))
      (is ? files.written : files.gone).push(id);
    return files;
  }),
);

export function compareDetailFiles(before: Release, after: Release): Promise<DetailFileChanges> {
  return fileDifference(before)(after);
}

export function hasSameDetails({ root: before }: Release, { root: after }: Release): boolean {
  return (
    before.details.length === after.details.length && without(after.details, before.details).length === 0
  );
}
