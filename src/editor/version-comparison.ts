import type { AuthoredValue, FieldValues } from './api.ts';
import { mergeListEntries } from './merge-lists.ts';
import { type FormValues, isEqualValue } from './undo-history.ts';

export type FieldDifference = {
  readonly field: string;
  readonly yours: AuthoredValue | undefined;
  readonly theirs: AuthoredValue | undefined;
};

export type VersionComparison = {
  /**
   * Fields that both sides changed differently. If the field is a list, each side's value already includes the other
   * side's changes to other entries.
   */
  readonly conflicts: readonly FieldDifference[];
  /** Lists in which the sides changed different entries. `yours` of each difference has the changes of both. */
  readonly joined: readonly FieldDifference[];
  readonly yours: readonly FieldDifference[];
  readonly theirs: readonly FieldDifference[];
};

export function compareVersions(base: FormValues, yours: FormValues, theirs: FormValues): VersionComparison {
  const found: Record<keyof VersionComparison, FieldDifference[]> = {
    conflicts: [],
    joined: [],
    yours: [],
    theirs: [],
  };
  const fields = new Set([...Object.keys(base), ...Object.keys(theirs), ...Object.keys(yours)]);
  for (const field of fields) {
    const [before, mine, other] = [base[field], yours[field], theirs[field]];
    if (isEqualValue(mine, other)) continue;
    const difference = { field, yours: mine, theirs: other };
    if (isEqualValue(before, other)) found.yours.push(difference);
    else if (isEqualValue(before, mine)) found.theirs.push(difference);
    else {
      const lists = mergeListEntries(before, mine, other);
      if (!lists) found.conflicts.push(difference);
      else if (isEqualValue(lists.yours, lists.theirs))
        found.joined.push({ ...difference, yours: lists.yours });
      else found.conflicts.push({ field, ...lists });
    }
  }
  return found;
}

export function mergedValues(
  theirs: FormValues,
  { conflicts, joined, yours }: VersionComparison,
  keepsYours: (field: string) => boolean,
): FormValues {
  const kept = [...yours, ...joined].map(({ field, yours: value }) => [field, value ?? null] as const);
  const chosen = conflicts.map(
    (one) => [one.field, (keepsYours(one.field) ? one.yours : one.theirs) ?? null] as const,
  );
  return withFields(theirs, Object.fromEntries([...kept, ...chosen]));
}

export function withFields(values: FormValues, fields: FieldValues): FormValues {
  const entries = Object.entries({ ...values, ...fields });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}
