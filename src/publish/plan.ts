/** What differs between a bucket and a release, and in which order it is brought there. */

import { headerGroup } from '../contract/headers.ts';
import { pageKey, propertyKey, totalKey } from '../contract/keys.ts';
import { pageCount } from '../contract/pagination.ts';
import { type Comparison, changedPages, compareDetails, compareSequences } from '../release/comparison.ts';
import {
  differingEntries,
  documentKeys,
  isKept,
  type ObjectKind,
  objectAt,
  objectsOf,
  type PublishedObject,
  pageScopes,
  pagesOf,
  type Release,
} from '../release/release.ts';

/**
 * The phases of writing: what is referred to comes before what refers to it, and each phase starts when the one before
 * has ended.
 */
export const PHASES: readonly (readonly ObjectKind[])[] = [
  // A photo, a chunk, a file of the explorer, a part of a download: nothing of what they are ever changes.
  ['media', 'asset', 'part', 'packed'],
  ['detail'],
  ['page', 'total', 'root'],
];

/**
 * The phases that name the release: they come after its history, so their readers find the downloads of that
 * release, or of a later one. The manifest follows, then the kind `current`, and removals at last.
 */
export const NAMING_PHASES: readonly (readonly ObjectKind[])[] = [
  // The files of countries come before that which names the countries.
  ['problem', 'country'],
  ['document'],
  ['index'],
];

/** What to do. Each call makes another iterable, and none holds the objects. */
export type Plan = {
  /** The release to bring. */
  readonly after: Release;
  /** Objects of one kind to write. */
  readonly writes: (kind: ObjectKind) => Iterable<PublishedObject>;
  /** Whether an object of this key was there before. */
  readonly isPresent: (key: string) => boolean;
  /** Keys to remove, lists first: no list may name a property that has gone. */
  readonly removals: () => Iterable<string>;
  /** Number of properties that go. */
  readonly goneProperties: number;
  /** Number of objects in the bucket that no manifest in it knows; undefined without a listing. */
  readonly strangers: number | undefined;
};

const ALL_KINDS: readonly ObjectKind[] = [...PHASES.flat(), ...NAMING_PHASES.flat(), 'current'];

/** What a plan writes of some kinds, in order. @param kinds absent: of all. */
export function* allWrites(plan: Plan, kinds = ALL_KINDS): Generator<PublishedObject> {
  for (const kind of kinds) yield* plan.writes(kind);
}

/** Whether there is nothing to do. */
export function isEmpty(plan: Plan): boolean {
  return allWrites(plan).next().done === true && plan.removals()[Symbol.iterator]().next().done === true;
}

/** The plan without what a bucket keeps of every release, which it has already; unless its headers differ. */
export function withoutKept(plan: Plan): Plan {
  return {
    ...plan,
    *writes(kind) {
      for (const object of plan.writes(kind)) if (!isKept(object) || plan.isPresent(object.key)) yield object;
    },
  };
}

/** The plan that follows from two manifests alone. */
export function planFromManifests(before: Release, after: Release): Plan {
  const comparison = comparePages(before, after);
  const isRestored = createHeaderCheck(before, after);
  return {
    after,
    writes: (kind) => writesOf(before, after, comparison, kind, isRestored),
    isPresent: (key) => objectAt(before, key) !== undefined,
    removals: () => removalsOf(before, after, comparison),
    goneProperties: comparison.goneDetails.length,
    strangers: undefined,
  };
}

/** The difference of two releases; pages of a release that has none are new, or gone. */
function comparePages(before: Release, after: Release): Comparison {
  if (before.hasPages && after.hasPages) return compareSequences([...before.sequence], [...after.sequence]);
  const differing = differingEntries(before, after);
  const details = compareDetails(differing.before, differing.after);
  const { changed } = compareSequences([], after.hasPages ? [...after.sequence] : []);
  // Even an empty sequence has the list of everything; a release without pages has none.
  const gone = [...pageScopes(before)].map(([folder, { total }]) => ({ folder, before: total }));
  return { ...details, changed, gone };
}

/** Whether an object has to be written again because its headers differ. */
function createHeaderCheck(before: Release, after: Release): (key: string) => boolean {
  const groups = Object.entries(after.manifest.headers ?? {});
  const differing = new Set(
    groups.filter(([group, digest]) => before.manifest.headers?.[group] !== digest).map(([group]) => group),
  );
  return (key) => differing.has(headerGroup(key));
}

/** Kinds whose objects each have headers of their own; objects of any other kind share theirs. */
const OWN_HEADERS: ReadonlySet<ObjectKind> = new Set(['media', 'document', 'asset', 'part', 'index']);

function* writesOf(
  before: Release,
  after: Release,
  comparison: Comparison,
  kind: ObjectKind,
  isRestored: (key: string) => boolean,
): Generator<PublishedObject> {
  const [first] = objectsOf(after, kind);
  if (!OWN_HEADERS.has(kind) && first && isRestored(first.key)) yield* objectsOf(after, kind);
  else if (kind === 'detail') {
    for (const id of comparison.writtenDetails) yield { kind, key: propertyKey(id), id };
  } else if (kind === 'total') {
    for (const { scope, folder, before: total } of comparison.changed) {
      if (scope.total !== total) yield { kind, key: totalKey(folder), scope };
    }
  } else if (kind === 'page') yield* pageWrites(before, after, comparison);
  else {
    for (const object of objectsOf(after, kind)) {
      const isSame =
        object.kind === 'media'
          ? before.media.has(object.name)
          : before.manifest.documents[object.key] === after.manifest.documents[object.key];
      if (!isSame || isRestored(object.key)) yield object;
    }
  }
}

function* pageWrites(before: Release, after: Release, { changed }: Comparison): Generator<PublishedObject> {
  const common = after.sizes.filter((size) => before.sizes.includes(size));
  for (const scope of changed) {
    for (const size of common) {
      for (const number of changedPages(scope, size)) {
        yield { kind: 'page', key: pageKey(scope.folder, size, number), scope: scope.scope, size, number };
      }
    }
  }
  const added = after.sizes.filter((size) => !before.sizes.includes(size));
  for (const [folder, scope] of pageScopes(after))
    for (const size of added) yield* pagesOf(folder, scope, size, 1);
}

function* removalsOf(
  before: Release,
  after: Release,
  { changed, gone, goneDetails }: Comparison,
): Generator<string> {
  for (const { folder, before: total } of gone) {
    for (const size of before.sizes) yield* pageKeys(folder, size, 1, pageCount(total, size));
    yield totalKey(folder);
  }
  for (const { folder, scope, before: total } of changed) {
    for (const size of before.sizes) {
      if (!after.sizes.includes(size)) continue;
      yield* pageKeys(folder, size, pageCount(scope.total, size) + 1, pageCount(total, size));
    }
  }
  const goneSizes = before.sizes.filter((size) => !after.sizes.includes(size));
  const kept = pageScopes(after);
  for (const [folder, { total }] of pageScopes(before)) {
    if (!kept.has(folder)) continue;
    for (const size of goneSizes) yield* pageKeys(folder, size, 1, pageCount(total, size));
  }
  // The others stay for readers of the release, until it is pruned.
  for (const key of documentKeys(before, { kept: false })) {
    if (!Object.hasOwn(after.manifest.documents, key)) yield key;
  }
  for (const id of goneDetails) yield propertyKey(id);
}

function* pageKeys(folder: string, size: number, from: number, to: number): Generator<string> {
  for (let number = from; number <= to; number++) yield pageKey(folder, size, number);
}
