/** A property that changed on the disk while it was edited: what to do with both versions, field by field. */
import type { Authored } from './api.ts';
import { isSame, type Values } from './snapshots.ts';

/** A field that is not what it was. */
export type Difference = {
  readonly field: string;
  readonly yours: Authored | undefined;
  readonly theirs: Authored | undefined;
};

/** Both versions, compared with what both began with. */
export type VersionComparison = {
  /** Fields that both changed, each in another way: one has to be chosen. */
  readonly conflicts: readonly Difference[];
  /** Fields that you alone changed. */
  readonly yours: readonly Difference[];
  /** Fields that changed on the disk alone. */
  readonly theirs: readonly Difference[];
};

/** Compares. */
export function compareVersions(base: Values, yours: Values, theirs: Values): VersionComparison {
  const found = { conflicts: [] as Difference[], yours: [] as Difference[], theirs: [] as Difference[] };
  const fields = new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(yours)]);
  for (const field of fields) {
    const [before, mine, other] = [base[field], yours[field], theirs[field]];
    if (isSame(mine, other)) continue;
    const difference = { field, yours: mine, theirs: other };
    if (isSame(before, other)) found.yours.push(difference);
    else if (isSame(before, mine)) found.theirs.push(difference);
    else found.conflicts.push(difference);
  }
  return found;
}

/**
 * The values of the disk with yours over them.
 *
 * @param keepsYours whether yours is chosen, for each field that both changed.
 */
export function mergedValues(
  theirs: Values,
  { conflicts, yours }: VersionComparison,
  keepsYours: (field: string) => boolean,
): Values {
  const kept = [...yours, ...conflicts.filter(({ field }) => keepsYours(field))];
  const merged = {
    ...theirs,
    ...Object.fromEntries(kept.map(({ field, yours: value }) => [field, value ?? null])),
  };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
