/** A slot is the part of a mapping that one question to the user sets: a field, a list of words, or a list entry. */
import { knownField } from '../../contract/known-fields.ts';
import { PAYMENT_METHOD_TYPES } from '../../contract/payment-method-types.ts';
import { STANDARD_FIELD_TABLE, type Terms } from '../../contract/terms.ts';
import { type Column, isConstant, isContainer, isUsable, type Profile } from '../table/profile.ts';
import { columnMeaning, guessDeclaredField } from '../words/column-names.ts';
import { separatorOf } from './declared-columns.ts';
import { draftFieldMapping } from './draft-mapping.ts';
import {
  columnsOf,
  declaredListFields,
  type EntryMapping,
  type MappingPart,
  mappingPartsOf,
  type Proposal,
  scalarFields,
  type ValueSource,
} from './mapping.ts';
import { entryLines } from './mapping-text.ts';
import { photoEntries } from './photo-mapping.ts';
import { listMapping, policyEntry, policyOfColumn, proposeMapping } from './propose.ts';

export type SlotAnswer = Column | ValueSource | undefined;

export type MappingSlot = {
  readonly name: string;
  readonly label: string;
  readonly field: string;
  readonly isRequired?: boolean;
  readonly isConstant?: boolean;
  /** Whether a part of the field's mapping belongs to the slot. @default every part does */
  readonly isIt?: (part: MappingPart) => boolean;
  readonly write: (answer: SlotAnswer, before: readonly MappingPart[], profile: Profile) => unknown;
};

export function slotsOf({ fields, vocabulary }: Terms): readonly MappingSlot[] {
  const scalars = scalarFields(fields).map(([name, { label, required }]): MappingSlot => {
    const [isRequired, isConstant] = [required === true, name !== 'id'];
    const write: MappingSlot['write'] = (answer, [before]) => scalarOf(name, before, answer);
    return { name, field: name, label: label.toLowerCase(), isRequired, isConstant, write };
  });
  const lists = declaredListFields(fields).map(([name, { label }]) => listSlot(name, label.toLowerCase()));
  return [
    ...scalars,
    ...lists,
    listSlot('facilities', 'list of facilities'),
    {
      ...{ name: 'photo', field: 'photo', label: 'photo' },
      write: (answer, _before, { columns }) =>
        answer && isColumn(answer) ? photoEntries([answer], columns) : undefined,
    },
    ...vocabulary.policy_types.words.map((type) =>
      entrySlot('hotel_policy', type, 'text', (detail) => policyEntry(type, detail)),
    ),
    ...PAYMENT_METHOD_TYPES.map((type) =>
      entrySlot('payment_method', type, 'yes or no', (is_enabled) => {
        return { is_enabled, method_type: { value: type } };
      }),
    ),
  ];
}

/**
 * Returns lines for the mapping that use the column. Undefined if the column is private or empty, or if it fits neither
 * a list nor a field that is still without a mapping.
 */
export function mappingLineFor(
  column: Column,
  mapping: Proposal,
  { fields, vocabulary }: Terms,
): string | undefined {
  if (!isUsable(column)) return undefined;
  const { facilities } = vocabulary;
  const alone = proposeMapping(
    { columns: [column], rows: column.filled, unread: 0 },
    { name: '', facilities, fields },
  );
  const policy = column.list ? undefined : policyOfColumn(column.name);
  const found = Object.entries({
    ...(policy !== undefined && { hotel_policy: [policyEntry(policy, column.name)] }),
    ...alone,
  }).find(([field, value]) => {
    const isOpen = Array.isArray(value) || mapping[field] === undefined;
    return field !== 'id' && field !== 'currency' && isOpen && columnsOf({ value }).includes(column.name);
  });
  return found && entryLines(...found, mapping[found[0] as 'title'] !== undefined);
}

export function slotParts(
  { field, isIt = () => true }: MappingSlot,
  mapping: Proposal,
): readonly MappingPart[] {
  return mappingPartsOf(mapping[field]).filter(isIt);
}

/** Returns the column that the slot uses now, or one whose name fits, or for a title, an unused column of texts. */
export function bestColumn(
  slot: MappingSlot,
  mapping: Proposal,
  { columns }: Profile,
  { fields }: Terms,
): string | undefined {
  const [now] = columnsOf({ now: slotParts(slot, mapping) });
  const meant = slot.name.replace(/^.*: /, '');
  const isMeant = ({ name }: Column) =>
    columnMeaning(name)?.meaning === meant || guessDeclaredField(name, fields)?.field === meant;
  const usable = columns.filter(isUsable);
  const used = slot.name === 'title' ? columnsOf(mapping) : undefined;
  const isText = (column: Column) =>
    used?.includes(column.name) === false &&
    /^\p{L}{3}/u.test(column.samples[0] ?? '') &&
    !isConstant(column);
  const isTelling = (column: Column) =>
    isText(column) && column.longest < 80 && (column.words?.size ?? 0) * 2 > column.filled;
  const isFitting = (column: Column) =>
    isMeant(column) && !(used && (isConstant(column) || isContainer(column)));
  return now ?? (usable.find(isFitting) ?? usable.find(isTelling) ?? usable.find(isText))?.name;
}

export function withSlotAnswer(
  mapping: Proposal,
  { field, write }: MappingSlot,
  answer: SlotAnswer,
  profile: Profile,
): Proposal {
  return withField(mapping, field, write(answer, mappingPartsOf(mapping[field]), profile));
}

export function withoutPart(mapping: Proposal, { field }: MappingSlot, part: unknown): Proposal {
  const rest = mappingPartsOf(mapping[field]).filter((one) => one !== part);
  return withField(mapping, field, rest);
}

function withField(mapping: Proposal, field: string, value: unknown): Proposal {
  const { [field]: _before, ...others } = mapping;
  return mappingPartsOf(value as ValueSource).length === 0
    ? others
    : { ...others, [field]: value as ValueSource };
}

const isOwnField = (field: string) =>
  !STANDARD_FIELD_TABLE.all.has(field) && !/@/.test(field) && !knownField(field);

/** If the chosen column already has a field of its own, removes that field: guests would see the column twice. */
export function withoutDuplicateFields(
  mapping: Proposal,
  { field }: MappingSlot,
  answer: SlotAnswer,
): Proposal {
  if (field === 'id' || isOwnField(field) || answer === undefined || !isColumn(answer)) return mapping;
  const isIts = ([own, value]: [string, unknown]) =>
    isOwnField(own) && columnsOf({ value }).join() === answer.name;
  return Object.fromEntries(Object.entries(mapping).filter((entry) => !isIts(entry)));
}

const isColumn = (answer: Column | ValueSource): answer is Column => Object.hasOwn(Object(answer), 'samples');

function scalarOf(name: string, before: MappingPart | undefined, answer: SlotAnswer) {
  if (answer === undefined || !isColumn(answer)) return answer;
  if (name === 'draft') return draftFieldMapping(answer);
  const uuid: unknown = Object(before).uuid;
  return uuid === undefined || answer.share.uuid > 0.9 ? answer.name : { from: answer.name, uuid };
}

/** An answer replaces all parts of the field except yes/no columns, such as `{ from: wifi, value: wifi }`. */
function listSlot(name: string, label: string): MappingSlot {
  const isFlag = (part: MappingPart) => typeof part === 'object' && 'value' in part;
  return {
    ...{ name, field: name, label },
    write: (answer, before) => [
      ...(answer === undefined
        ? []
        : [isColumn(answer) ? listMapping(answer, name === 'facilities' ? undefined : separatorOf) : answer]),
      ...before.filter(isFlag),
    ],
  };
}

function entrySlot(
  field: string,
  type: string,
  label: string,
  entryOf: (value: ValueSource) => EntryMapping,
): MappingSlot {
  const isIt = (part: MappingPart) => JSON.stringify(part).includes(`{"value":${JSON.stringify(type)}}`);
  return {
    ...{ name: `${field}: ${type}`, field, label: `${label} of ${type}`, isConstant: true, isIt },
    write: (answer, before) => [
      ...before.filter((part) => !isIt(part)),
      ...(answer === undefined ? [] : [entryOf(isColumn(answer) ? answer.name : answer)]),
    ],
  };
}
