/** The answers that the user can choose from when asked which column a slot uses. */
import type { Terms } from '../../contract/terms.ts';
import { findCountryByName, findCurrencyByName } from '../../source/country-and-currency-aliases.ts';
import { columnsOf, isCoordinateField, type Proposal, type ValueSource } from '../mapping/mapping.ts';
import { bestColumn, type MappingSlot, type SlotAnswer, slotParts } from '../mapping/mapping-slots.ts';
import { describeMappedValue, sampleText } from '../mapping/mapping-text.ts';
import { type Column, isContainer, isUsable, type Profile, textsOf } from '../table/profile.ts';

export type Option<Value> = readonly [label: string, value: Value];
/** `without`: the part to remove from the mapping of a list field. */
export type Removal = { readonly without: unknown };
export type SlotOption = SlotAnswer | Removal | typeof CONSTANT;

export const CONSTANT = Symbol('constant');

/** For fields of codes: finds the code that a text means. A column without such texts is not offered for the field. */
export const CODE_FINDERS: Readonly<Record<string, (text: string) => string | undefined>> = {
  country: findCountryByName,
  currency: (typed) => findCurrencyByName(typed, ''),
};

export const optionIf = <Value>(
  isOffered: boolean | undefined,
  label: string,
  value: Value,
): Option<Value>[] => (isOffered ? [[label, value]] : []);

export function slotOptions(slot: MappingSlot, mapping: Proposal, profile: Profile, terms: Terms) {
  const { isRequired, isConstant, name, field } = slot;
  const isNeeded = isRequired && !isCoordinateField(name);
  const isPlaced = name === 'country' && mapping.latitude !== undefined;
  const code = CODE_FINDERS[name];
  const isList = ['facilities', 'photo'].includes(field) || terms.fields.all.get(field)?.kind === 'words';
  const isMeant = (column: Column) =>
    (isList || !isContainer(column)) && (!code || textsOf(column).some((text) => code(text) !== undefined));
  const idColumns = name === 'id' ? columnsOf({ id: mapping.id }) : [];
  const usual = [
    ...optionIf<SlotOption>(
      idColumns.length > 1,
      `As it is: ${idColumns.join(', ')}`,
      mapping.id as ValueSource,
    ),
    ...optionIf<SlotOption>(isPlaced, 'The country of the coordinates', { missing: 'point' }),
    ...optionIf<SlotOption>(name === 'currency', 'The currency of the country', { missing: 'country' }),
  ];
  const removals = Array.isArray(mapping[field]) ? slotParts(slot, mapping) : [];
  const options: Option<SlotOption>[] = [
    ...columnOptions(profile).filter(([, column]) => isMeant(column)),
    ...removals.map((without) => [`Without ${describeMappedValue(without)}`, { without }] as const),
    ...usual,
    ...optionIf<SlotOption>(isConstant, 'The same for all rows', CONSTANT),
    ...optionIf<SlotOption>(isNeeded && name !== 'id', 'None: all rows become drafts', { missing: 'draft' }),
    ...optionIf<SlotOption>(!isNeeded, 'None', undefined),
  ];
  const best = idColumns.length > 1 ? undefined : bestColumn(slot, mapping, profile, terms);
  const isUsual = (answer: SlotOption) => (best ? Object(answer).name === best : answer === usual[0]?.[1]);
  return { options, isUsual };
}

export function columnOptions({ columns }: Profile): Option<Column>[] {
  return columns.filter(isUsable).map((column) => [`${column.name}  ${sampleText(column)}`.trim(), column]);
}
