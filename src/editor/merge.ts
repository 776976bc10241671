import type { Authored, FieldValues } from './api.ts';
import { mergedLists } from './merge-lists.ts';
import { isSame, type Values } from './snapshots.ts';

export type Difference = {
  readonly field: string;
  readonly yours: Authored | undefined;
  readonly theirs: Authored | undefined;
};

export type VersionComparison = {
  /** Fields that both sides changed differently. Lists already include the other side's unrelated changes. */
  readonly conflicts: readonly Difference[];
  /** Lists in which the sides changed different entries. `yours` includes the changes of both. */
  readonly joined: readonly Difference[];
  readonly yours: readonly Difference[];
  readonly theirs: readonly Difference[];
};

export function compareVersions(base: Values, yours: Values, theirs: Values): VersionComparison {
  const found: Record<keyof VersionComparison, Difference[]> = {
    conflicts: [],
    joined: [],
    yours: [],
    theirs: [],
  };
  const fields = new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(yours)]);
  for (const field of fields) {
    const [before, mine, other] = [base[field], yours[field], theirs[field]];
    if (isSame(mine, other)) continue;
    const difference = { field, yours: mine, theirs: other };
    if (isSame(before, other)) found.yours.push(difference);
    else if (isSame(before, mine)) found.theirs.push(difference);
    else {
      const lists = mergedLists(before, mine, other);
      if (!lists) found.conflicts.push(difference);
      else if (isSame(lists.yours, lists.theirs)) found.joined.push({ ...difference, yours: lists.yours });
      else found.conflicts.push({ field, ...lists });
    }
  }
  return found;
}

export function mergedValues(
  theirs: Values,
  { conflicts, joined, yours }: VersionComparison,
  keepsYours: (field: string) => boolean,
): Values {
  const kept = [...yours, ...joined].map(({ field, yours: value }) => [field, value ?? null] as const);
  const chosen = conflicts.map(
    (one) => [one.field, (keepsYours(one.field) ? one.yours : one.theirs) ?? null] as const,
  );
  return withFields(theirs, Object.fromEntries([...kept, ...chosen]));
}

export function withFields(values: Values, fields: FieldValues): Values {
  const entries = Object.entries({ ...values, ...fields });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
