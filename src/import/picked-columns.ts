/** Asks the owner which unused columns to publish, as known fields or as new fields. */
import type { Terms } from '../contract/terms.ts';
import { type LookalikeColumns, meaningNote, type UnusedColumn } from './declared-columns.ts';
import { columnsOf, type Proposal, type TableMapping } from './mapping.ts';
import { isColumnNewToProposal, sampleText } from './mapping-text.ts';
import { ownFieldOf, type ProposedField } from './own-columns.ts';
import type { Column, Profile } from './profile.ts';

/** Known fields are ticked at first, except the reference, which says little to a guest. New fields are not. */
function offeredColumns(looking: LookalikeColumns, own: ReadonlyMap<string, Column>): Choice[] {
  const of = (columns: LookalikeColumns, isTicked: (field: string) => boolean) =>
    [...columns].map(([value, column]) => {
      const hint = `as ${value}${meaningNote(value)}  ${sampleText(column)}`;
      return { value, label: column.name, hint, isTicked: isTicked(value) };
    });
  return [...of(looking, (field) => field !== 'reference'), ...of(own, () => false)];
}

/** `value`: name of the field. `label`: name of the column. `hint`: field and samples, shown while the user chooses. */
export type Choice = Readonly<Record<'value' | 'label' | 'hint', string>> & { readonly isTicked: boolean };

/** Returns the `value` of each chosen entry; undefined if the user cancels. */
export type PickColumns = (
  question: string,
  choices: readonly Choice[],
) => Promise<readonly string[] | undefined>;

type Table = {
  readonly before: string;
  readonly profile: Profile;
  readonly terms: Terms;
  readonly options: { readonly pick?: PickColumns; readonly declare?: boolean };
};

export type PickedColumns = {
  readonly taken: LookalikeColumns;
  /** Options of the new fields that the user chose, by field name. */
  readonly own: Readonly<Record<string, ProposedField['options']>>;
  /** Columns that were offered and not ticked. */
  readonly declined: readonly Column[];
};

export async function pickedColumns(
  { before, profile, terms, options: { pick, declare } }: Table,
  looking: LookalikeColumns,
  unused: readonly UnusedColumn[],
  mapping: Proposal | TableMapping,
  isGiven: boolean,
): Promise<PickedColumns | undefined> {
  if (declare || !pick) return { taken: declare ? looking : new Map(), own: {}, declined: [] };
  const isFresh = (column: Column) => !isGiven || isColumnNewToProposal(before, column);
  const fresh = [...looking].filter(
    ([field, column]) => isFresh(column) && !(isGiven && field === 'reference'),
  );
  const own = new Map<string, Column>();
  const optionsOf: Record<string, ProposedField['options']> = {};
  for (const { name, declaration } of unused) {
    const column = profile.columns.find((one) => one.name === name);
    const field = column && declaration && isFresh(column) ? ownFieldOf(column, terms.fields) : undefined;
    if (!field || own.has(field.name) || looking.has(field.name)) continue;
    own.set(field.name, column!);
    optionsOf[field.name] = field.options;
  }
  const choices = offeredColumns(new Map(fresh), own);
  if (choices.length === 0) return { taken: new Map(), own: {}, declined: [] };
  const { id: _id, draft: _draft, ...shown } = mapping as Proposal;
  const seen = isGiven ? 'the columns of the mapping' : [...new Set(columnsOf(shown))].join(', ');
  const picked = await pick(`Guests see ${seen}. ${PICKING}`, choices);
  if (!picked) return undefined;
  const of = <Value>(entries: Iterable<readonly [string, Value]>) =>
    [...entries].filter(([field]) => picked.includes(field));
  const taken = new Map([...of(fresh), ...of(own)]);
  const offered = [...fresh.map(([, column]) => column), ...own.values()];
  return {
    taken,
    declined: offered.filter((column) => ![...taken.values()].includes(column)),
    own: Object.fromEntries(of(Object.entries(optionsOf))),
  };
}

const PICKING = 'Which of these columns too? Everybody can read a catalogue.';
