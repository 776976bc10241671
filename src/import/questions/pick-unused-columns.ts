/** Asks the owner which unused columns to publish, as known fields or as new fields. */
import type { Terms } from '../../contract/terms.ts';
import { warningFinding } from '../finding.ts';
import { type ColumnsByField, meaningNote, type UnusedColumn } from '../mapping/declared-columns.ts';
import { columnsOf, isAtOrBelow, type Proposal } from '../mapping/mapping.ts';
import { isColumnNewToProposal, isDeclined, sampleText } from '../mapping/mapping-text.ts';
import { type ProposedField, proposedFieldOf } from '../mapping/proposed-field.ts';
import type { Column, Profile } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';

/** `value`: name of the field. `label`: name of the column. `hint`: field and samples, shown while the user chooses. */
export type ColumnOption = Readonly<Record<'value' | 'label' | 'hint', string>> & {
  readonly isTicked: boolean;
};

/** Returns the `value` of each chosen entry; undefined if the user cancels. */
export type PickColumns = (
  question: string,
  choices: readonly ColumnOption[],
) => Promise<readonly string[] | undefined>;

type Table = {
  readonly before: string;
  readonly given: Proposal | undefined;
  readonly initialMapping: Proposal;
  readonly profile: Profile;
  readonly terms: Terms;
  readonly options: { readonly pick?: PickColumns; readonly declare?: boolean };
};

export type PickedColumns = {
  readonly taken: ColumnsByField;
  /** Options of the new fields that the user chose, by field name. */
  readonly newFieldOptions: Readonly<Record<string, ProposedField['options']>>;
  /** Columns that were offered and not ticked; with `declare`, columns that the mapping lists as declined. */
  readonly declined: readonly Column[];
};

export async function pickUnusedColumns(
  { before, given, initialMapping, profile, terms, options: { pick, declare } }: Table,
  lookalikes: ColumnsByField,
  unused: readonly UnusedColumn[],
): Promise<PickedColumns | undefined> {
  const isLeft = ([, column]: readonly [string, Column]) => isDeclined(before, column);
  if (declare) {
    const declined = [...lookalikes].filter(isLeft).map(([, column]) => column);
    return { taken: new Map([...lookalikes].filter((one) => !isLeft(one))), newFieldOptions: {}, declined };
  }
  if (!pick) return { taken: new Map(), newFieldOptions: {}, declined: [] };
  const isOffered = (column: Column) => !given || isColumnNewToProposal(before, column);
  const known = [...lookalikes].filter(([field]) => !(given && field === 'reference'));
  const offered = new Map(known.filter(([, column]) => isOffered(column)));
  const optionsOf = new Map<string, ProposedField['options']>();
  const declarable = new Set(unused.flatMap(({ name, declaration }) => (declaration ? [name] : [])));
  for (const column of profile.columns) {
    const field =
      declarable.has(column.name) && isOffered(column) ? proposedFieldOf(column, terms.fields) : undefined;
    if (!field || offered.has(field.name) || lookalikes.has(field.name)) continue;
    offered.set(field.name, column);
    optionsOf.set(field.name, field.options);
  }
  const choices = [...offered].map(([value, column]): ColumnOption => {
    const hint = `as ${value}${meaningNote(value)}  ${sampleText(column)}`;
    // The reference says little to a guest.
    const isTicked = value !== 'reference' && !optionsOf.has(value);
    return { value, label: column.name, hint, isTicked };
  });
  if (choices.length === 0) return { taken: new Map(), newFieldOptions: {}, declined: [] };
  const { id: _id, draft: _draft, ...shown } = initialMapping;
  const columns = columnsOf(shown);
  // A list of objects stands for its members, such as `photos` for `photos.url`.
  const isMember = (name: string) => columns.some((one) => one !== name && isAtOrBelow(one, name));
  const named = columns.filter((name) => !isMember(name)).map((name) => withFields(name, shown));
  const seen = given ? 'the columns of the mapping' : named.join(', ');
  const picked = await pick(`Guests see ${seen}. ${PICKING}`, choices);
  if (!picked) return undefined;
  const isPicked = ([field]: readonly [string, unknown]) => picked.includes(field);
  return {
    taken: new Map([...offered].filter(isPicked)),
    declined: [...offered].flatMap((one) => (isPicked(one) ? [] : [one[1]])),
    newFieldOptions: Object.fromEntries([...optionsOf].filter(isPicked)),
  };
}

/** "Telefono" becomes "Telefono (phone)" if guests see it as a field of another name. */
function withFields(column: string, mapping: Proposal): string {
  const fields = Object.keys(mapping).filter((field) =>
    columnsOf({ [field]: mapping[field] }).some((name) => isAtOrBelow(column, name)),
  );
  const others = fields.filter((field) => field !== column.toLowerCase());
  return others.length === 0 ? column : `${column} (${others.join(', ')})`;
}

export function declinedNotes(declined: readonly Column[], path: string): SourceNote[] {
  if (declined.length === 0) return [];
  const message = `Not declared, since the mapping lists them as declined: ${declined.map(({ name }) => name).join(', ')}.`;
  return [warningFinding('declined-columns', message, `To have one, delete its line in ${path}.`)];
}

const PICKING = 'Which of these columns too? Everybody can read a catalogue.';
