/** Asks in a terminal whether a proposed mapping is right. */
import type { Readable, Writable } from 'node:stream';
import { cancel, intro, isCancel, log, note, select, text } from '@clack/prompts';
import type { FieldTable } from '../contract/fields.ts';
import { printable } from '../printable.ts';
import { countryNamed, currencyNamed } from '../source/code-meant.ts';
import { cut, plural } from '../words.ts';
import { columnsOf, declaredLists, scalarsOf } from './mapping.ts';
import { looksLike, missingFields, unusedColumns } from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';
import type { Proposal } from './propose.ts';

export type Streams = { readonly input?: Readable; readonly output?: Writable };

/** Thrown when the user cancels (Ctrl+C). */
const GIVEN_UP = Symbol('given up');
const ROWS = 12;

/**
 * Shows a proposal with samples, asks for missing fields, and lets the user change the others.
 *
 * @returns undefined when the user gives up.
 */
export async function askMapping(
  proposal: Proposal,
  profile: Profile,
  name: string,
  fields: FieldTable,
  streams: Streams = {},
): Promise<Proposal | undefined> {
  intro(
    `${printable(name)}: ${plural(profile.rows, 'row')}, ${plural(profile.columns.length, 'column')}`,
    streams,
  );
  let mapping = proposal;
  try {
    showSecrets(profile, streams);
    show(mapping, profile, streams);
    for (const field of missingFields(mapping, fields)) {
      log.warn(`No column looks like the ${labelOf(field, fields)}, which every property needs.`, streams);
      mapping = await askField(field, mapping, profile, fields, streams);
    }
    for (;;) {
      const action = await answered(
        select({
          message: 'Is this right?',
          options: [
            { value: 'import', label: 'Yes, import' },
            { value: 'change', label: 'Change a field' },
            { value: 'stop', label: 'Stop, and write nothing' },
          ],
          ...streams,
        }),
      );
      if (action === 'stop') throw GIVEN_UP;
      if (action === 'import') return mapping;
      const field = await whichField(mapping, fields, streams);
      mapping = await askField(field, mapping, profile, fields, streams);
      show(mapping, profile, streams);
    }
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  }
}

async function answered<Answer>(answer: Promise<Answer>): Promise<Exclude<Answer, symbol>> {
  const value = await answer;
  if (isCancel(value)) throw GIVEN_UP;
  return value as Exclude<Answer, symbol>;
}

const labelOf = (field: string, { all }: FieldTable) => all.get(field)!.label.toLowerCase();

/** Width of a field's and of a column's name. */
const NAME_WIDTH = 15;
const COLUMN_WIDTH = 24;

function show(mapping: Proposal, profile: Profile, streams: Streams): void {
  const byName = new Map(profile.columns.map((column) => [column.name, column]));
  const lines = Object.entries(mapping).flatMap(([field, value]) =>
    [value].flat().map((one, index) => {
      const columns = columnsOf({ [field]: Array.isArray(value) ? [one] : one } as never);
      const constant =
        typeof one === 'object' && 'value' in one && columns.length === 0 ? `"${one.value}" for all` : '';
      const samples = columns
        .flatMap((column) => byName.get(column) ?? [])
        .map(looksLike)
        .join(' and ');
      return line(index === 0 ? field : '', columns.join(', ') || constant, samples);
    }),
  );
  note(lines.join('\n'), 'Fields, their columns, and the first values', streams);
  const unused = unusedColumns(profile, mapping).filter(({ secret }) => secret === undefined);
  if (unused.length === 0) return;
  note(
    unused.map((column) => line(column.name, '', looksLike(column))).join('\n'),
    'Columns not used',
    streams,
  );
}

function line(name: string, column: string, samples: string): string {
  const width = Math.max(40, (process.stdout.columns ?? 80) - 8);
  return cut(
    printable(
      `${cut(name, NAME_WIDTH).padEnd(NAME_WIDTH)} ${cut(column, COLUMN_WIDTH).padEnd(column === '' ? 0 : COLUMN_WIDTH)} ${samples}`,
    ),
    width,
  ).trimEnd();
}

function showSecrets({ columns }: Profile, streams: Streams): void {
  const secrets = columns.filter(({ secret, filled }) => secret !== undefined && filled > 0);
  if (secrets.length === 0) return;
  const lines = secrets.map(({ name, secret }) => `${printable(name)}: ${secret}`);
  note(lines.join('\n'), 'Left out: these look private, and a catalogue is public', streams);
}

function whichField(mapping: Proposal, fields: FieldTable, streams: Streams): Promise<string> {
  const options = [...scalarsOf(fields), ...declaredLists(fields), ['facilities'] as const].map(([value]) => {
    const columns =
      mapping[value] === undefined ? '' : columnsOf({ [value]: mapping[value] } as never).join(', ');
    return { value, label: value, hint: columns || 'not used' };
  });
  return answered(select({ message: 'Which field?', options, maxItems: ROWS, ...streams }));
}

const NONE = '\0none';
const CONSTANT = '\0constant';

/** Asks which column a field has, or which text for all rows. */
async function askField(
  field: string,
  mapping: Proposal,
  profile: Profile,
  fields: FieldTable,
  streams: Streams,
): Promise<Proposal> {
  const isRequired = fields.all.get(field)!.required === true;
  const columns = profile.columns.filter(
    ({ filled, secret, list }) => filled > 0 && secret === undefined && list !== 'objects',
  );
  const answer = await answered(
    select({
      message: `Which column is the ${labelOf(field, fields)}?`,
      options: [
        ...columns.map((column) => ({
          value: column.name,
          label: printable(column.name),
          hint: hintOf(column),
        })),
        ...(field === 'id' || field === 'facilities'
          ? []
          : [{ value: CONSTANT, label: 'The same for all rows' }]),
        ...(isRequired ? [] : [{ value: NONE, label: 'None' }]),
      ],
      maxItems: ROWS,
      ...streams,
    }),
  );
  const others = Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== field));
  const before = mapping[field];
  const kept =
    typeof before === 'object' && !Array.isArray(before) && 'uuid' in before
      ? { uuid: before.uuid }
      : undefined;
  const value =
    answer === NONE
      ? undefined
      : answer === CONSTANT
        ? { value: await askConstant(field, labelOf(field, fields), streams) }
        : kept
          ? { from: answer, ...kept }
          : answer;
  const all: Record<string, unknown> = { ...others, ...(value !== undefined && { [field]: value }) };
  return Object.fromEntries(
    [...fields.all.keys()].flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])),
  ) as Proposal;
}

function hintOf(column: Column): string {
  return printable(looksLike(column));
}

const CODES: Readonly<Record<string, (text: string) => string | undefined>> = {
  country: countryNamed,
  currency: (text) => currencyNamed(text, ''),
};

async function askConstant(field: string, label: string, streams: Streams): Promise<string> {
  const code = CODES[field] ?? ((text: string) => text.trim() || undefined);
  const answer = await answered(
    text({
      message: `The ${label} of all rows`,
      validate: (value) => (code(value ?? '') === undefined ? `That is not a ${label}.` : undefined),
      ...streams,
    }),
  );
  return code(answer)!;
}
