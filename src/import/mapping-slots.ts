import { METHOD_TYPES } from '../contract/method-types.ts';
import type { Terms } from '../contract/terms.ts';
import { draftOf } from './liveness.ts';
import type { EntryMapping, ValueMapping } from './mapping.ts';
import { declaredLists, scalarsOf } from './mapping.ts';
import type { Column, Profile } from './profile.ts';
import { listOf, type Proposal, photoEntries } from './propose.ts';

type Part = ValueMapping | EntryMapping;

export type Slot = {
  readonly name: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly constant: boolean;
  readonly read: (mapping: Proposal) => readonly Part[];
  readonly write: (
    mapping: Proposal,
    answer: Column | ValueMapping | undefined,
    profile: Profile,
  ) => Proposal;
};

const isColumn = (answer: Column | ValueMapping): answer is Column =>
  typeof answer === 'object' && 'samples' in answer;
const partsOf = (mapping: Proposal, field: string): readonly Part[] => [mapping[field] ?? []].flat();

function withField(mapping: Proposal, field: string, value: unknown): Proposal {
  const { [field]: _before, ...rest } = mapping;
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  return isEmpty ? rest : { ...rest, [field]: value as ValueMapping };
}

export function slotsOf({ fields, vocabulary }: Terms): readonly Slot[] {
  const scalars = scalarsOf(fields).map(
    ([name, { label, required }]): Slot => ({
      ...{ name, label: label.toLowerCase(), isRequired: required === true, constant: name !== 'id' },
      read: (mapping) => partsOf(mapping, name),
      write: (mapping, answer) => withField(mapping, name, scalarOf(name, mapping[name], answer)),
    }),
  );
  const lists = declaredLists(fields).map(([name, { label }]) => listSlot(name, label.toLowerCase()));
  return [
    ...scalars,
    ...lists,
    listSlot('facilities', 'list of facilities'),
    photoSlot,
    ...vocabulary.policy_types.words.map((type) =>
      entrySlot('hotel_policy', type, 'text', (detail) => ({ policy_type: { value: type }, detail })),
    ),
    ...METHOD_TYPES.map((type) =>
      entrySlot('payment_method', type, 'yes or no', (is_enabled) => ({
        is_enabled,
        method_type: { value: type },
      })),
    ),
  ];
}

function scalarOf(
  name: string,
  before: Proposal[string] | undefined,
  answer: Column | ValueMapping | undefined,
) {
  if (answer === undefined || !isColumn(answer)) return answer;
  if (name === 'draft') return draftOf(answer);
  const uuid: unknown = Object(before).uuid;
  return uuid === undefined || answer.share.uuid > 0.9 ? answer.name : { from: answer.name, uuid };
}

/** The list of words; columns of yes and no stay. */
function listSlot(name: string, label: string): Slot {
  const isFlag = (part: Part) => typeof part === 'object' && 'value' in part;
  return {
    ...{ name, label, isRequired: false, constant: false },
    read: (mapping) => partsOf(mapping, name),
    write(mapping, answer) {
      const flags = partsOf(mapping, name).filter(isFlag);
      const list = answer === undefined ? [] : [isColumn(answer) ? listOf(answer) : answer];
      return withField(mapping, name, [...list, ...flags]);
    },
  };
}

const photoSlot: Slot = {
  ...{ name: 'photo', label: 'photo', isRequired: false, constant: false },
  read: (mapping) => partsOf(mapping, 'photo'),
  write: (mapping, answer, { columns }) =>
    withField(mapping, 'photo', answer && isColumn(answer) ? photoEntries([answer], columns) : undefined),
};

function entrySlot(
  field: string,
  type: string,
  label: string,
  entryOf: (value: ValueMapping) => EntryMapping,
): Slot {
  const isIt = (part: Part) => JSON.stringify(part).includes(`{"value":${JSON.stringify(type)}}`);
  return {
    ...{ name: `${field}: ${type}`, label: `${label} of ${type}`, isRequired: false, constant: true },
    read: (mapping) => partsOf(mapping, field).filter(isIt),
    write(mapping, answer) {
      const others = partsOf(mapping, field).filter((part) => !isIt(part));
      if (answer === undefined) return withField(mapping, field, others);
      return withField(mapping, field, [...others, entryOf(isColumn(answer) ? answer.name : answer)]);
    },
  };
}
