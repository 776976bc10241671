/** Merges a form with a file that changed on the disk meanwhile, field by field. */
import type { Authored, FieldValues } from './api.ts';
import { isSame, type Values } from './snapshots.ts';

/** A field with a changed value. */
export type Difference = {
  readonly field: string;
  readonly yours: Authored | undefined;
  readonly theirs: Authored | undefined;
};

/** Both versions, compared with their common base. */
export type VersionComparison = {
  /** Fields that both sides changed differently: the user has to choose. */
  readonly conflicts: readonly Difference[];
  /** Fields changed only in the form. */
  readonly yours: readonly Difference[];
  /** Fields changed only on the disk. */
  readonly theirs: readonly Difference[];
};

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
 * Returns the disk's values, overwritten by the form's changes.
 *
 * @param keepsYours whether to keep the form's value, for each field in conflict.
 */
export function mergedValues(
  theirs: Values,
  { conflicts, yours }: VersionComparison,
  keepsYours: (field: string) => boolean,
): Values {
  const kept = [...yours, ...conflicts.filter(({ field }) => keepsYours(field))];
  return withFields(
    theirs,
    Object.fromEntries(kept.map(({ field, yours: value }) => [field, value ?? null])),
  );
}

/** Returns the values with some fields replaced; null removes one. */
export function withFields(values: Values, fields: FieldValues): Values {
  const entries = Object.entries({ ...values, ...fields });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
