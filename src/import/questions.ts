import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { confirm as ask, cancel, intro, isCancel, log, note, select, text } from '@clack/prompts';
import type { Terms } from '../contract/terms.ts';
import { findCountryByName, findCurrencyByName } from '../source/country-and-currency-aliases.ts';
import { printable } from '../text/printable.ts';
import { cutText, plural } from '../text/words.ts';
import { type FieldGap, findGaps, gapSentence, waysToFill, withFilling } from './gaps.ts';
import { idMapping, idNotes } from './id-mapping.ts';
import { columnsOf, isCoordinateField, type Proposal, type ValueSource } from './mapping.ts';
import { type MappingSlot, type SlotAnswer, slotParts, slotsOf, withSlotAnswer } from './mapping-slots.ts';
import {
  describeMappedValue,
  missingFields,
  samplesOf,
  sampleText,
  unusedPublicColumns,
} from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';

/** Ctrl+C throws the first symbol, Esc the second. */
const GIVEN_UP = Symbol('given up');
const BACK = Symbol('back');
const ROWS = 12;

type Asking = {
  readonly profile: Profile;
  readonly name: string;
  readonly terms: Terms;
  readonly streams: PromptStreams;
  readonly isBack: () => boolean;
};

type State = { readonly mapping: Proposal; readonly decided: ReadonlySet<string> };

export async function askMapping(
  proposal: Proposal,
  profile: Profile,
  name: string,
  terms: Terms,
  streams: PromptStreams = {},
): Promise<Proposal | undefined> {
  const columns = plural(profile.columns.length, 'column');
  intro(`${printable(name)}: ${plural(profile.rows, 'row')}, ${columns}`, streams);
  const keys = streams.input ?? process.stdin;
  let last: string | undefined;
  const listener = (_text: string, key: { readonly name?: string }) => {
    last = key?.name;
  };
  keys.on('keypress', listener);
  try {
    showPrivateColumns(profile, streams);
    for (const { code, message, help } of idNotes(proposal, profile))
      if (code === 'repeated-id') log.warn(printable(`${message} ${help}`), streams);
    const asking = { profile, name, terms, streams, isBack: () => last === 'escape' };
    return await askAll({ mapping: proposal, decided: new Set() }, asking);
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  } finally {
    keys.off('keypress', listener);
  }
}

export async function askSheet(
  name: string,
  sheets: readonly string[],
  streams: PromptStreams = {},
): Promise<string | undefined> {
  await dropTyped(streams);
  const sheet = await select({
    message: `${printable(name)} has ${plural(sheets.length, 'sheet')}. Which one has the properties?`,
    options: sheets.map((value) => ({ value, label: printable(value) })),
    maxItems: ROWS,
    ...streams,
  });
  return isCancel(sheet) ? undefined : sheet;
}

export async function askToConfirm(
  question: string,
  streams: PromptStreams = {},
): Promise<boolean | undefined> {
  await dropTyped(streams);
  const answer = await ask({ message: printable(question), ...streams });
  if (!isCancel(answer)) return answer;
  cancel('Nothing was written.', streams);
  return undefined;
}

/** Drops keys typed before the question, which are no answer to it. As a line feed, Enter even flips Yes to No. */
async function dropTyped({ input = process.stdin }: PromptStreams): Promise<void> {
  const drop = () => {};
  input.on('data', drop);
  await setTimeout(20);
  input.off('data', drop).pause();
}

async function askAll(first: State, asking: Asking): Promise<Proposal> {
  const past: State[] = [];
  let state = first;
  showMapping(state.mapping, asking.profile, asking.streams);
  for (;;) {
    const next = await nextQuestion(state, asking).catch((error: unknown) => {
      if (error !== BACK) throw error;
      return undefined;
    });
    if (next === 'import') return state.mapping;
    if (next) past.push(state);
    else if (past.length === 0) log.message('This is the first question. Ctrl+C stops.', asking.streams);
    state = next ?? past.pop() ?? state;
    showMapping(state.mapping, asking.profile, asking.streams);
  }
}

function nextQuestion(state: State, asking: Asking): Promise<State | 'import'> {
  const { mapping, decided } = state;
  const { profile, name, terms } = asking;
  const missing = missingFields(mapping, terms.fields).find((field) => !decided.has(field));
  if (missing !== undefined) return askMissing(missing, state, asking);
  const [gap] = findGaps(mapping, profile, terms.fields, name);
  return gap ? askGap(gap, state, asking) : askWhole(state, asking);
}

async function answered<Answer>(answer: Promise<Answer>, { isBack }: Asking) {
  const value = await answer;
  if (isCancel(value)) throw isBack() ? BACK : GIVEN_UP;
  return value as Exclude<Answer, symbol>;
}

/** Asks again if `then` steps back. */
async function askThen<Answer, Result>(
  ask: () => Promise<Answer>,
  then: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const answer = await ask();
    try {
      return await then(answer);
    } catch (error) {
      if (error !== BACK) throw error;
    }
  }
}

type Action = 'import' | 'change' | 'stop';
type Option<Value> = readonly [label: string, value: Value, hint?: string];

async function choose<Value>(
  message: string,
  options: readonly Option<Value>[],
  asking: Asking,
  isFirst: (value: Value) => boolean = () => false,
): Promise<Value> {
  await dropTyped(asking.streams);
  const shown = options.map(([label, , hint], value) => ({
    value,
    label: printable(label),
    ...(hint && { hint }),
  }));
  const initialValue = Math.max(
    0,
    options.findIndex(([, value]) => isFirst(value)),
  );
  const place = await answered(
    select({ message, options: shown, initialValue, maxItems: ROWS, ...asking.streams }),
    asking,
  );
  return options[place]![1];
}

function askWhole(state: State, asking: Asking): Promise<State | 'import'> {
  const options = [
    ['Yes, import', 'import'],
    ['Change a field', 'change'],
    ['Stop, and write nothing', 'stop'],
  ] as const;
  const notes = idNotes(state.mapping, asking.profile).map(({ code }) => code);
  // The ids of the table would be lost for good, since ids never change.
  const isLost = notes.includes('repeated-id') && notes.includes('id-from-title');
  const why = isLost ? 'Rows share an id, so that ids are made of titles instead. ' : '';
  return askThen(
    () => choose<Action>(`${why}Is this right?`, options, asking, (action) => isLost && action === 'stop'),
    async (action) => {
      if (action === 'stop') throw GIVEN_UP;
      if (action === 'import') return action;
      const listed = slotsOf(asking.terms).map((slot) => {
        const used = slotParts(slot, state.mapping).map(describeMappedValue).join(', ');
        return [slot.name, slot, used || 'not used'] as const;
      });
      return askThen(
        () => choose('Which field?', listed, asking),
        (slot) => askSlot(slot, state, asking),
      );
    },
  );
}

const UNPLACED = 'All rows become drafts; "catalogue dev --edit" places them on the map';

function askMissing(field: string, state: State, asking: Asking): Promise<State> {
  const slot = slotNamed(field, asking);
  if (!isCoordinateField(field)) {
    log.warn(`No column looks like the ${slot.label}, which every property needs.`, asking.streams);
    return askSlot(slot, state, asking);
  }
  const options = [
    [UNPLACED, true],
    ['Choose the columns', false],
  ] as const;
  return askThen(
    () => choose<boolean>('No column looks like the coordinates. What shall be done?', options, asking),
    async (isLeft) =>
      isLeft
        ? { ...state, decided: new Set([...state.decided, 'latitude', 'longitude']) }
        : askSlot(slot, state, asking),
  );
}

function slotNamed(field: string, { terms }: Asking): MappingSlot {
  return slotsOf(terms).find(({ name }) => name === field)!;
}

function askGap(gap: FieldGap, state: State, asking: Asking): Promise<State> {
  const slot = slotNamed(gap.field, asking);
  const value = state.mapping[gap.field] as ValueSource;
  const ways = waysToFill(gap, state.mapping).map(({ label, filling }) => [label, filling] as const);
  return askThen(
    () => choose(`${gapSentence(gap)}. What shall be done?`, ways, asking),
    async (way) => {
      const filling =
        way === 'text'
          ? { default: await askConstant(slot, asking) }
          : way === 'column'
            ? { else: (await choose('Which column?', columnOptions(asking.profile), asking)).name }
            : way;
      return changed(state, slot, withFilling(value, filling), asking);
    },
  );
}

const CONSTANT = Symbol('constant');

function askSlot(slot: MappingSlot, state: State, asking: Asking): Promise<State> {
  const { isRequired, isConstant, name, label } = slot;
  const option = <Value>(is: boolean | undefined, text: string, value: Value): Option<Value>[] =>
    is ? [[text, value]] : [];
  const isNeeded = isRequired && !isCoordinateField(name);
  const isPlaced = name === 'country' && state.mapping.latitude !== undefined;
  const options = [
    ...columnOptions(asking.profile),
    ...option(isPlaced, 'The country of the coordinates', { missing: 'point' } as const),
    ...option(name === 'currency', 'The currency of the country', { missing: 'country' } as const),
    ...option(isConstant, 'The same for all rows', CONSTANT),
    ...option(isNeeded && name !== 'id', 'None: all rows become drafts', { missing: 'draft' } as const),
    ...option(!isNeeded, 'None', undefined),
  ];
  const [now] = columnsOf({ now: slotParts(slot, state.mapping) });
  const isNow = (answer: unknown) => now !== undefined && Object(answer).name === now;
  return askThen(
    () => choose<SlotAnswer | typeof CONSTANT>(`Which column is the ${label}?`, options, asking, isNow),
    async (answer) => {
      const given = answer === CONSTANT ? { value: await askConstant(slot, asking) } : answer;
      return changed(state, slot, given, asking);
    },
  );
}

function columnOptions({ columns }: Profile): Option<Column>[] {
  return columns
    .filter(({ filled, secret }) => filled > 0 && secret === undefined)
    .map((column) => [`${column.name}  ${sampleText(column)}`.trim(), column]);
}

function changed(
  { mapping, decided }: State,
  slot: MappingSlot,
  answer: SlotAnswer,
  { profile, name, terms }: Asking,
): State {
  const written = withSlotAnswer(mapping, slot, answer, profile);
  const isChosen = slot.name === 'id' || decided.has('id');
  const id = isChosen ? written.id : idMapping(written, profile, name);
  const all: Proposal = { ...written, ...(id !== undefined && { id }) };
  const inOrder = [...terms.fields.all.keys()].filter((field) => all[field] !== undefined);
  return {
    mapping: Object.fromEntries(inOrder.map((field) => [field, all[field]!])),
    decided: new Set([...decided, slot.name]),
  };
}

const CODES: Readonly<Record<string, (text: string) => string | undefined>> = {
  country: findCountryByName,
  currency: (typed) => findCurrencyByName(typed, ''),
};

async function askConstant({ name, label }: MappingSlot, asking: Asking): Promise<string> {
  const code = CODES[name] ?? ((typed: string) => typed.trim() || undefined);
  await dropTyped(asking.streams);
  const answer = await answered(
    text({
      message: `The ${label} of these rows`,
      validate: (typed) => (code(typed ?? '') === undefined ? `That is not a ${label}.` : undefined),
      ...asking.streams,
    }),
    asking,
  );
  return code(answer)!;
}

export type PromptStreams = { readonly input?: Readable; readonly output?: Writable };

const NAME_WIDTH = 15;
const COLUMN_WIDTH = 24;
const screenWidth = () => process.stdout.columns ?? 80;

function showMapping(mapping: Proposal, profile: Profile, streams: PromptStreams = {}): void {
  const lines = Object.entries(mapping).flatMap(([field, value]) =>
    [value]
      .flat()
      .map((one, index) =>
        line(index === 0 ? field : '', describeMappedValue(one), samplesOf([one], profile)),
      ),
  );
  note(lines.join('\n'), 'Fields, their columns, and the first values', streams);
  const unused = unusedPublicColumns(profile, mapping).map((column) =>
    line(column.name, '', sampleText(column)),
  );
  if (unused.length > 0) note(unused.join('\n'), 'Columns not used', streams);
}

function line(name: string, column: string, samples: string): string {
  const width = Math.max(40, screenWidth() - 8);
  const nameWidth = screenWidth() < 110 ? NAME_WIDTH : 2 * NAME_WIDTH;
  const padding = column === '' ? 0 : COLUMN_WIDTH;
  const left = `${cutText(name, nameWidth).padEnd(nameWidth)} ${cutText(column, 2 * COLUMN_WIDTH).padEnd(padding)}`;
  return cutText(printable(`${left} ${samples}`), width).trimEnd();
}

function showPrivateColumns({ columns }: Profile, streams: PromptStreams): void {
  const secrets = columns.filter(({ secret, filled }) => secret !== undefined && filled > 0);
  if (secrets.length === 0) return;
  const lines = secrets.map(({ name, secret }) => `${printable(name)}: ${secret}`);
  note(lines.join('\n'), 'Left out: these look private, and a catalogue is public', streams);
}

export const QUESTIONS = { ask: askMapping, askSheet, confirm: askToConfirm, show: showMapping };
