import type { DetailValues } from '../contract/detail-values.ts';
import { type FieldTable, fieldLabel } from '../contract/fields.ts';

/** A new, removed or renamed field. The side that lacks it is undefined. */
export type FieldDeclarationChange = {
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

export function fieldDeclarationChanges(
  before: DetailValues,
  after: DetailValues,
  table: FieldTable,
): FieldDeclarationChange[] {
  const [olds, nows] = [before, after].map(({ attributes = {} }) => Object.keys(attributes)) as [
    string[],
    string[],
  ];
  const gone = olds.filter((name) => !nows.includes(name));
  const added = nows.filter((name) => !olds.includes(name));
  const changes = added.map((name): FieldDeclarationChange => {
    const old = gone.find((other) => table.attributes.get(name)?.synonyms.includes(other));
    if (old !== undefined) gone.splice(gone.indexOf(old), 1);
    return { label: fieldLabel(name, '', table), before: old, after: name };
  });
  return [...changes, ...gone.map((name) => ({ label: name, before: name, after: undefined }))];
}

/** Leaves out renamed fields that kept their value. @param isSame compares the values under the old and the new name */
export function fieldsWithoutRenamed(
  fields: readonly string[],
  changes: readonly FieldDeclarationChange[],
  isSame: (before: string, after: string) => boolean,
): string[] {
  const same = changes.flatMap(({ before, after }) =>
    before !== undefined && after !== undefined && isSame(before, after) ? [before, after] : [],
  );
  return fields.filter((field) => !same.some((name) => field === `attributes.${name}`));
}
