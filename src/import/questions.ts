import { confirm as ask, cancel, intro, isCancel, log, select, text } from '@clack/prompts';
import type { Terms } from '../contract/terms.ts';
import { countryNamed, currencyNamed } from '../source/country-and-currency-aliases.ts';
import { printable } from '../text/printable.ts';
import { plural } from '../text/words.ts';
import { type Gap, gapSentence, gapsIn, waysOf, withFilling } from './gaps.ts';
import { isPlace, type ValueMapping } from './mapping.ts';
import { type Streams, showMapping, showSecrets } from './mapping-preview.ts';
import { type Slot, slotsOf } from './mapping-slots.ts';
import { describe, looksLike, missingFields } from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';
import { idFor, type Proposal } from './propose.ts';

/** Thrown when the user cancels (Ctrl+C), and for a step back (Esc). */
const GIVEN_UP = Symbol('given up');
const BACK = Symbol('back');
const ROWS = 12;

type Asking = {
  readonly profile: Profile;
  readonly name: string;
  readonly terms: Terms;
  readonly streams: Streams;
  readonly isBack: () => boolean;
};

type State = {
  readonly mapping: Proposal;
  readonly decided: ReadonlySet<string>;
};

export async function askMapping(
  proposal: Proposal,
  profile: Profile,
  name: string,
  terms: Terms,
  streams: Streams = {},
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
    showSecrets(profile, streams);
    return await askAll(
      { mapping: proposal, decided: new Set() },
      { profile, name, terms, streams, isBack: () => last === 'escape' },
    );
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
  streams: Streams = {},
): Promise<string | undefined> {
  const sheet = await select({
    message: `${printable(name)} has ${plural(sheets.length, 'sheet')}. Which one has the properties?`,
    options: sheets.map((value) => ({ value, label: printable(value) })),
    maxItems: ROWS,
    ...streams,
  });
  return isCancel(sheet) ? undefined : sheet;
}

export async function confirm(question: string, streams: Streams = {}): Promise<boolean | undefined> {
  const answer = await ask({ message: printable(question), ...streams });
  if (!isCancel(answer)) return answer;
  cancel('Nothing was written.', streams);
  return undefined;
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
  const [gap] = gapsIn(mapping, profile, terms.fields, name);
  return gap ? askGap(gap, state, asking) : askWhole(state, asking);
}

async function answered<Answer>(
  answer: Promise<Answer>,
  { isBack }: Asking,
): Promise<Exclude<Answer, symbol>> {
  const value = await answer;
  if (isCancel(value)) throw isBack() ? BACK : GIVEN_UP;
  return value as Exclude<Answer, symbol>;
}

/** Asks, and then what follows from the answer; a step back from there asks again. */
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

type Option<Value> = { readonly value: Value; readonly label: string; readonly hint?: string };

function choose<Value extends string>(
  message: string,
  options: readonly Option<Value>[],
  asking: Asking,
): Promise<Value> {
  const given = { message, options: [...options], maxItems: ROWS, ...asking.streams };
  return answered(select(given as never) as Promise<Value | symbol>, asking) as Promise<Value>;
}

function askWhole(state: State, asking: Asking): Promise<State | 'import'> {
  const options = [
    { value: 'import', label: 'Yes, import' },
    { value: 'change', label: 'Change a field' },
    { value: 'stop', label: 'Stop, and write nothing' },
  ] as const;
  return askThen(
    () => choose('Is this right?', options, asking),
    async (action) => {
      if (action === 'stop') throw GIVEN_UP;
      if (action === 'import') return action;
      const slots = slotsOf(asking.terms);
      const listed = slots.map((slot) => {
        const parts = slot.read(state.mapping);
        return { value: slot.name, label: slot.name, hint: parts.map(describe).join(', ') || 'not used' };
      });
      return askThen(
        () => choose('Which field?', listed, asking),
        (name) => askSlot(slots.find((slot) => slot.name === name)!, state, asking),
      );
    },
  );
}

const UNPLACED = 'All rows become drafts; "catalogue dev --edit" places them on the map';

function askMissing(field: string, state: State, asking: Asking): Promise<State> {
  const slots = slotsOf(asking.terms);
  const slot = slots.find(({ name }) => name === field)!;
  if (!isPlace(field)) {
    log.warn(`No column looks like the ${slot.label}, which every property needs.`, asking.streams);
    return askSlot(slot, state, asking);
  }
  const options = [
    { value: 'draft', label: UNPLACED },
    { value: 'column', label: 'Choose the columns' },
  ] as const;
  return askThen(
    () => choose('No column looks like the coordinates. What shall be done?', options, asking),
    async (action) =>
      action === 'column'
        ? askSlot(slot, state, asking)
        : { ...state, decided: new Set([...state.decided, 'latitude', 'longitude']) },
  );
}

function askGap(gap: Gap, state: State, asking: Asking): Promise<State> {
  const slot = slotsOf(asking.terms).find(({ name }) => name === gap.field)!;
  const value = state.mapping[gap.field] as ValueMapping;
  const ways = waysOf(gap, state.mapping);
  const options = ways.map(({ label }, place) => ({ value: String(place), label: printable(label) }));
  return askThen(
    () => choose(`${gapSentence(gap)}. What shall be done?`, options, asking),
    async (place) => {
      const { filling } = ways[Number(place)]!;
      if (typeof filling === 'object') return changed(state, slot, withFilling(value, filling), asking);
      const filled =
        filling === 'text'
          ? { default: await askConstant(slot, asking) }
          : { else: await choose('Which column?', columnOptions(asking.profile), asking) };
      return changed(state, slot, withFilling(value, filled), asking);
    },
  );
}

const NONE = '\0none';
const CONSTANT = '\0constant';
const DERIVED = '\0derived';
const DRAFT = '\0draft';

function askSlot(slot: Slot, state: State, asking: Asking): Promise<State> {
  const { profile } = asking;
  const { isRequired, name, label } = slot;
  const derived =
    name === 'country' && state.mapping.latitude !== undefined
      ? 'The country of the coordinates'
      : name === 'currency'
        ? 'The currency of the country'
        : undefined;
  const options = [
    ...columnOptions(profile),
    ...(derived === undefined ? [] : [{ value: DERIVED, label: derived }]),
    ...(slot.constant ? [{ value: CONSTANT, label: 'The same for all rows' }] : []),
    ...(isRequired && !isPlace(name) && name !== 'id'
      ? [{ value: DRAFT, label: 'None: all rows become drafts' }]
      : []),
    ...(isRequired && !isPlace(name) ? [] : [{ value: NONE, label: 'None' }]),
  ];
  return askThen(
    () => choose(`Which column is the ${label}?`, options, asking),
    async (answer) => {
      if (answer === NONE) return changed(state, slot, undefined, asking);
      if (answer === DRAFT) return changed(state, slot, { missing: 'draft' }, asking);
      if (answer === DERIVED)
        return changed(state, slot, { missing: name === 'country' ? 'point' : 'country' }, asking);
      if (answer === CONSTANT)
        return changed(state, slot, { value: await askConstant(slot, asking) }, asking);
      return changed(state, slot, profile.columns.find((column) => column.name === answer)!, asking);
    },
  );
}

function columnOptions({ columns }: Profile): Option<string>[] {
  return columns
    .filter(({ filled, secret }) => filled > 0 && secret === undefined)
    .map((column) => ({
      value: column.name,
      label: printable(`${column.name}  ${looksLike(column)}`).trim(),
    }));
}

function changed(
  { mapping, decided }: State,
  slot: Slot,
  answer: Column | ValueMapping | undefined,
  { profile, name, terms }: Asking,
): State {
  const written = slot.write(mapping, answer, profile);
  const isChosen = slot.name === 'id' || decided.has('id');
  const id = isChosen ? written.id : idFor(written, profile, name);
  const all: Record<string, unknown> = { ...written, ...(id !== undefined && { id }) };
  const inOrder = [...terms.fields.all.keys()].flatMap((field) =>
    all[field] === undefined ? [] : [[field, all[field]]],
  );
  return { mapping: Object.fromEntries(inOrder) as Proposal, decided: new Set([...decided, slot.name]) };
}

const CODES: Readonly<Record<string, (text: string) => string | undefined>> = {
  country: countryNamed,
  currency: (typed) => currencyNamed(typed, ''),
};

async function askConstant({ name, label }: Slot, asking: Asking): Promise<string> {
  const code = CODES[name] ?? ((typed: string) => typed.trim() || undefined);
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
