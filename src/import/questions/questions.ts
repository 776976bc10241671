import { cancel, isCancel, log, multiselect, select, text } from '@clack/prompts';
import type { Terms } from '../../contract/terms.ts';
import { countText } from '../../text/amounts.ts';
import { printable } from '../../text/printable.ts';
import { ambiguousNumberNotes } from '../mapping/decimal-mark.ts';
import { draftFieldMapping, hasUnknownStatus } from '../mapping/draft-mapping.ts';
import {
  type FieldGap,
  findGaps,
  gapSentence,
  type WayToFill,
  waysToFill,
  withFilling,
} from '../mapping/gaps.ts';
import { idMapping, idNotes, isIdOfTitle, repeatedIdColumn } from '../mapping/id-mapping.ts';
import { conversionOf, isCoordinateField, type Proposal, type ValueSource } from '../mapping/mapping.ts';
import {
  type MappingSlot,
  type SlotAnswer,
  slotParts,
  slotsOf,
  withoutDuplicateFields,
  withoutPart,
  withSlotAnswer,
} from '../mapping/mapping-slots.ts';
import { describeMappedValue, missingFields } from '../mapping/mapping-text.ts';
import { type UnknownWords, unknownWords } from '../mapping/unknown-words.ts';
import type { Column, Profile } from '../table/profile.ts';
import {
  askSheet,
  askToConfirm,
  askToPick,
  dropTyped,
  introduce,
  PROMPT_ROWS,
  type PromptStreams,
  showMapping,
  warn,
} from './prompts.ts';
import {
  CODE_FINDERS,
  CONSTANT,
  columnOptions,
  type Option,
  optionIf,
  type Removal,
  type SlotOption,
  slotOptions,
} from './slot-options.ts';

/** Thrown at a question if the user presses Ctrl+C or chooses to stop (`GIVEN_UP`), or presses Esc (`BACK`). */
const GIVEN_UP = Symbol('given up');
const BACK = Symbol('back');

type Asking = {
  readonly profile: Profile;
  readonly name: string;
  readonly terms: Terms;
  readonly streams: PromptStreams;
  readonly isBack: () => boolean;
  readonly shown: { text: string };
};

type State = { readonly mapping: Proposal; readonly decided: ReadonlySet<string> };

export async function askMapping(
  proposal: Proposal,
  profile: Profile,
  name: string,
  terms: Terms,
  streams: PromptStreams = {},
): Promise<Proposal | undefined> {
  const keys = streams.input ?? process.stdin;
  let last: string | undefined;
  const listener = (_text: string, key: { readonly name?: string }) => {
    last = key?.name;
  };
  keys.on('keypress', listener);
  try {
    const notes = [
      ...idNotes(proposal, profile, name),
      ...ambiguousNumberNotes(proposal, profile, terms.fields),
    ];
    for (const { code, message, help } of notes)
      if (code !== 'id-from-title') warn(`${message} ${help}`, streams);
    const asking = { profile, name, terms, streams, isBack: () => last === 'escape', shown: { text: '' } };
    return await askAll({ mapping: inOrder(proposal, terms), decided: new Set() }, asking);
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  } finally {
    keys.off('keypress', listener);
  }
}

async function askAll(first: State, asking: Asking): Promise<Proposal> {
  const past: State[] = [];
  let state = first;
  show(state, asking);
  for (;;) {
    const next = await nextQuestion(state, asking).catch((error: unknown) => {
      if (error !== BACK) throw error;
      return undefined;
    });
    if (next === 'import') return state.mapping;
    if (next) past.push(state);
    else if (past.length === 0) log.message('This is the first question. Ctrl+C stops.', asking.streams);
    state = next ?? past.pop() ?? state;
  }
}

function show({ mapping }: State, { profile, terms, streams, shown }: Asking): void {
  shown.text = showMapping(mapping, profile, terms.fields, streams, shown.text);
}

function nextQuestion(state: State, asking: Asking): Promise<State | 'import'> {
  const { mapping, decided } = state;
  const { profile, name, terms } = asking;
  const needed = missingFields(mapping, terms.fields).filter((field) => !decided.has(field));
  // The currency may follow from the country.
  const missing = needed[0] === 'currency' && needed.includes('country') ? 'country' : needed[0];
  if (missing !== undefined) return askMissing(missing, state, asking);
  const [gap] = findGaps(mapping, profile, terms.fields, name);
  if (gap) return askGap(gap, state, asking);
  const open = openWord(state, asking);
  return open ? askWord(...open, state, asking) : askWhole(state, asking);
}

/** Maximum number of unknown words per field that the user is asked about. */
const MOST_WORDS = 20;

function openWord({ mapping, decided }: State, { profile, terms }: Asking) {
  for (const unknown of unknownWords(mapping, profile, terms.fields)) {
    const words = terms.fields.all.get(unknown.field)?.declared?.terms ? [...unknown.words.keys()] : [];
    const word = words.slice(0, MOST_WORDS).find((one) => !decided.has(`${unknown.field}: ${one}`));
    if (word !== undefined) return [unknown, word] as const;
  }
  return undefined;
}

function askWord(unknown: UnknownWords, word: string, state: State, asking: Asking): Promise<State> {
  const { field, words, conversion } = unknown;
  const { labels } = asking.terms.fields.all.get(field)!.declared!.terms!;
  const choices = Object.entries(labels).map(([value, label]) => [label, value] as const);
  const rows = countText(words.get(word) ?? 0, 'row');
  const message = `"${printable(word)}" (${rows}) is not among the choices of ${field}. What is it?`;
  const options: Option<string | undefined>[] = [['Leave it out', undefined], ...choices];
  return chooseThen(message, options, asking, async (meant) => {
    const decided = new Set([...state.decided, `${field}: ${word}`]);
    if (meant === undefined) return { ...state, decided };
    const map = { ...conversion.map, [word]: meant };
    return { mapping: { ...state.mapping, [field]: { ...conversion, map } }, decided };
  });
}

async function answered<Answer>(answer: Promise<Answer>, { isBack, streams }: Asking) {
  const value = await answer;
  if (isCancel(value) && isBack()) {
    // The prompt leaves the active option on the screen, as if it were chosen.
    log.message('Nothing was chosen.', streams);
    throw BACK;
  }
  if (isCancel(value)) throw GIVEN_UP;
  return value as Exclude<Answer, symbol>;
}

/** If the user presses Esc at a question that `then` asks, asks this one again. */
async function chooseThen<Value, Result>(
  message: string,
  options: readonly Option<Value>[],
  asking: Asking,
  then: (value: Value) => Promise<Result>,
  isFirst?: (value: Value) => boolean,
): Promise<Result> {
  for (;;) {
    const value = await choose(message, options, asking, isFirst);
    try {
      return await then(value);
    } catch (error) {
      if (error !== BACK) throw error;
    }
  }
}

type Action = 'import' | 'change' | 'key' | 'stop';

async function choose<Value>(
  message: string,
  options: readonly Option<Value>[],
  asking: Asking,
  isFirst: (value: Value) => boolean = () => false,
): Promise<Value> {
  await dropTyped(asking.streams);
  const shown = options.map(([label], value) => ({ value, label: printable(label) }));
  const first = options.findIndex(([, value]) => isFirst(value));
  const list = { options: shown, initialValue: Math.max(0, first), maxItems: PROMPT_ROWS };
  const place = await answered(select({ message, ...list, ...asking.streams }), asking);
  return options[place]![1];
}

function askWhole(state: State, asking: Asking): Promise<State | 'import'> {
  show(state, asking);
  const key = repeatedIdColumn(state.mapping, asking.profile);
  // Properties keep the ids of their first import, so importing now would give up the table's own ids for good.
  const isLost = key !== undefined && isIdOfTitle(state.mapping);
  const options: Option<Action>[] = [
    ['Yes, import', 'import'],
    ['Change a field', 'change'],
    ...optionIf<Action>(
      isLost,
      `Take the ids from ${key?.name}: only the first row of each is imported`,
      'key',
    ),
    ['Stop, and write nothing', 'stop'],
  ];
  const why = isLost ? 'Rows share an id, so that ids are made of titles instead. ' : '';
  const then = async (action: Action): Promise<State | 'import'> => {
    if (action === 'stop') throw GIVEN_UP;
    if (action === 'import') return action;
    if (action === 'key') return changed(state, slotNamed('id', asking), key, asking);
    const listed = slotsOf(asking.terms).map((slot) => {
      const used = slotParts(slot, state.mapping).map(describeMappedValue).join(', ');
      return [`${slot.name}  ${used || '(not used)'}`, slot] as const;
    });
    const ask = (slot: MappingSlot) => askSlot(slot, state, asking);
    return chooseThen('Which field? Esc goes back.', listed, asking, ask);
  };
  const isFirst = (action: Action) => isLost && action === 'stop';
  return chooseThen(`${why}Is this right?`, options, asking, then, isFirst);
}

const UNPLACED = 'All rows become drafts; "catalogue dev --edit" places them on the map';

function askMissing(field: string, state: State, asking: Asking): Promise<State> {
  const slot = slotNamed(field, asking);
  if (!isCoordinateField(field)) {
    warn(`No column looks like the ${slot.label}, which every property needs.`, asking.streams);
    return askSlot(slot, state, asking);
  }
  const left: State = { ...state, decided: new Set([...state.decided, 'latitude', 'longitude']) };
  const options: Option<() => Promise<State>>[] = [
    [UNPLACED, async () => left],
    ['Choose the columns', () => askSlot(slot, state, asking)],
  ];
  const message = 'No column looks like the coordinates. What shall be done?';
  return chooseThen(message, options, asking, (go) => go());
}

function slotNamed(field: string, { terms }: Asking): MappingSlot {
  return slotsOf(terms).find(({ name }) => name === field)!;
}

function askGap(gap: FieldGap, state: State, asking: Asking): Promise<State> {
  const slot = slotNamed(gap.field, asking);
  const value = state.mapping[gap.field] as ValueSource;
  const ways = waysToFill(gap, state.mapping).map(([label, way]) => [label, way] as const);
  const fillingOf = async (way: WayToFill[1]) => {
    if (way === 'text') return { default: await askConstant(slot, asking) };
    if (way !== 'column') return way;
    return { else: (await choose('Which column?', columnOptions(asking.profile), asking)).name };
  };
  return chooseThen(`${gapSentence(gap)}. What shall be done?`, ways, asking, async (way) =>
    changed(state, slot, withFilling(value, await fillingOf(way)), asking),
  );
}

function askSlot(slot: MappingSlot, state: State, asking: Asking): Promise<State> {
  const { profile, terms, streams } = asking;
  const { options, isUsual } = slotOptions(slot, state.mapping, profile, terms);
  const isList = terms.fields.all.get(slot.field)?.kind === 'words';
  const then = async (answer: SlotOption) => {
    const { name, share } = Object(answer) as Partial<Column>;
    const flags = `"${name}" says only yes or no, and names nothing for this list.`;
    if (isList && share && share.boolean > 0.9) warn(flags, streams);
    const isStatus = slot.name === 'draft' && share !== undefined && hasUnknownStatus(answer as Column);
    const given =
      answer === CONSTANT
        ? { value: await askConstant(slot, asking) }
        : isStatus
          ? await askStatuses(answer as Column, asking)
          : answer;
    return changed(state, slot, given, asking);
  };
  return chooseThen(`Which column is the ${slot.label}?`, options, asking, then, isUsual);
}

async function askStatuses(column: Column, asking: Asking): Promise<ValueSource> {
  const proposed = conversionOf(draftFieldMapping(column));
  const { true: others = [], false: offered = [] } = proposed;
  const words = [...offered, ...others];
  await dropTyped(asking.streams);
  const chosen = multiselect({
    message: printable(`Which words of ${column.name} mean that guests see the property?`),
    options: words.map((value) => ({ value, label: printable(value) })),
    initialValues: [...offered],
    ...{ required: false, maxItems: PROMPT_ROWS },
    ...asking.streams,
  });
  const shown = await answered(chosen, asking);
  return { ...proposed, true: words.filter((word) => !shown.includes(word)), false: shown };
}

function changed(
  { mapping, decided }: State,
  slot: MappingSlot,
  answer: SlotAnswer | Removal,
  { profile, name, terms }: Asking,
): State {
  const written =
    answer && Object.hasOwn(Object(answer), 'without')
      ? withoutPart(mapping, slot, (answer as Removal).without)
      : withSlotAnswer(mapping, slot, answer as SlotAnswer, profile);
  const isChosen = slot.name === 'id' || decided.has('id');
  const kept = withoutDuplicateFields(written, slot, answer as SlotAnswer);
  const id = isChosen ? written.id : idMapping(kept, profile, name);
  const all: Proposal = { ...kept, ...(id !== undefined && { id }) };
  return { mapping: inOrder(all, terms), decided: new Set([...decided, slot.name]) };
}

function inOrder(mapping: Proposal, { fields }: Terms): Proposal {
  const names = [...fields.all.keys()].filter((field) => mapping[field] !== undefined);
  return Object.fromEntries(names.map((field) => [field, mapping[field]!]));
}

async function askConstant({ name, label }: MappingSlot, asking: Asking): Promise<string> {
  const code = CODE_FINDERS[name] ?? ((typed: string) => typed.trim() || undefined);
  await dropTyped(asking.streams);
  const message = `The ${label} of these rows`;
  const validate = (typed = '') => (code(typed) === undefined ? `That is not a ${label}.` : undefined);
  const answer = await answered(text({ message, validate, ...asking.streams }), asking);
  return code(answer)!;
}

export const QUESTIONS = { ask: askMapping, askSheet, confirm: askToConfirm, pick: askToPick, introduce };
