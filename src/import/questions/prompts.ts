import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { confirm as ask, cancel, intro, isCancel, log, multiselect, note, select } from '@clack/prompts';
import wrapAnsi from 'wrap-ansi';
import type { FieldTable } from '../../contract/fields.ts';
import { countText } from '../../text/amounts.ts';
import { printable } from '../../text/printable.ts';
import { cutText } from '../../text/shorten.ts';
import { conversionOf, type MappingPart, mappingPartsOf, type Proposal } from '../mapping/mapping.ts';
import {
  describeMappedValue,
  samplesText,
  sampleText,
  unusedPublicColumns,
} from '../mapping/mapping-text.ts';
import { isSecret, type Profile } from '../table/profile.ts';
import type { ColumnOption } from './pick-unused-columns.ts';

export type PromptStreams = { readonly input?: Readable; readonly output?: Writable };

export const PROMPT_ROWS = 12;

export async function askSheet(
  name: string,
  sheets: readonly string[],
  streams: PromptStreams = {},
): Promise<string | undefined> {
  await dropTyped(streams);
  const sheet = await select({
    message: `${printable(name)} has ${countText(sheets.length, 'sheet')}. Which one has the properties?`,
    options: sheets.map((value) => ({ value, label: printable(value) })),
    maxItems: PROMPT_ROWS,
    ...streams,
  });
  return isCancel(sheet) ? undefined : sheet;
}

export async function askToConfirm(
  question: string,
  initialValue = true,
  streams: PromptStreams = {},
): Promise<boolean | undefined> {
  await dropTyped(streams);
  const answer = await ask({ message: printable(question), initialValue, ...streams });
  return isCancel(answer) ? stopped(streams) : answer;
}

/** Returns undefined if the user cancels. */
export async function askToPick(
  question: string,
  choices: readonly ColumnOption[],
  streams: PromptStreams = {},
): Promise<readonly string[] | undefined> {
  await dropTyped(streams);
  const { input = process.stdin } = streams;
  const width = screenWidth() - 16;
  let isAnswered = false;
  const listener = (_text: string, key: { readonly name?: string; readonly ctrl?: boolean }) => {
    isAnswered = key?.name === 'return' || key?.name === 'escape' || key?.ctrl === true;
  };
  input.on('keypress', listener);
  const picked = await multiselect({
    message: printable(question),
    options: choices.map(({ value, label, hint }) => ({
      value,
      // After the answer, the prompt shows the picked labels once more, without hints.
      get label() {
        return isAnswered ? printable(label) : cutText(printable(`${label} ${hint}`), width);
      },
    })),
    initialValues: choices.filter(({ isTicked }) => isTicked).map(({ value }) => value),
    ...{ required: false, maxItems: 2 * PROMPT_ROWS },
    ...streams,
  }).finally(() => input.off('keypress', listener));
  return isCancel(picked) ? stopped(streams) : picked;
}

function stopped(streams: PromptStreams): undefined {
  cancel('Nothing was written.', streams);
  return undefined;
}

/** Drops keys typed before the question. An early Enter, read as a line feed, would even flip Yes to No. */
export async function dropTyped({ input = process.stdin }: PromptStreams): Promise<void> {
  const drop = () => {};
  input.on('data', drop);
  await setTimeout(20);
  input.off('data', drop).pause();
}

const NAME_WIDTH = 15;
const COLUMN_WIDTH = 24;
const screenWidth = () => process.stdout.columns ?? 80;
const lineWidth = () => Math.max(40, screenWidth() - 8);
const nameWidth = () => (screenWidth() < 110 ? NAME_WIDTH : 2 * NAME_WIDTH);

/**
 * Shows the mapping as text and returns the text. Shows nothing if the text equals `last` (the text shown before; empty
 * at first), and only the changed lines if the text has at least as many lines as `last`.
 */
export function showMapping(
  mapping: Proposal,
  profile: Profile,
  fields: FieldTable,
  streams: PromptStreams = {},
  last = '',
): string {
  const lines = Object.entries(mapping).flatMap(([field, value]) =>
    mappingPartsOf(value).map((one, index) => {
      const name = index === 0 ? field : '';
      return field === 'draft'
        ? statusLine(name, one)
        : line(name, describeMappedValue(one), samplesText(field, one, profile, fields));
    }),
  );
  const text = lines.join('\n');
  if (text === last) return text;
  const known = last.split('\n');
  const changed = lines.filter((one) => !`\n${last}\n`.includes(`\n${one}\n`));
  if (last !== '' && text.split('\n').length >= known.length) {
    note(changed.join('\n'), 'Changed fields', streams);
    return text;
  }
  note(text, 'Fields, their columns, and the first values', streams);
  const columns = unusedPublicColumns(profile, mapping);
  const unused = columns.map((column) => line(column.name, '', sampleText(column)));
  if (unused.length > 0) note(unused.join('\n'), 'Columns not used', streams);
  return text;
}

/** Not cut, since the user must see which words hide a property. */
function statusLine(name: string, part: MappingPart): string {
  const { true: hiding = [], ...rest } = conversionOf(part);
  const words = hiding.length > 0 ? `; if ${hiding.join(', ')}` : '';
  const indent = nameWidth() + 1;
  const text = wrapAnsi(printable(describeMappedValue(rest) + words), lineWidth() - indent);
  return name.padEnd(indent) + text.replaceAll('\n', `\n${' '.repeat(indent)}`);
}

function line(name: string, column: string, samples: string): string {
  const padding = column === '' ? 0 : COLUMN_WIDTH;
  const left = `${cutText(name, nameWidth()).padEnd(nameWidth())} ${cutText(column, 2 * COLUMN_WIDTH).padEnd(padding)}`;
  return cutText(printable(`${left} ${samples}`), lineWidth()).trimEnd();
}

/** Wraps the text between words. The prompts would break it at the edge of the screen, even within a word. */
export function warn(text: string, streams: PromptStreams): void {
  log.warn(wrapAnsi(printable(text), screenWidth() - 4), streams);
}

export function introduce(name: string, { columns, rows }: Profile, streams: PromptStreams = {}): void {
  intro(`${printable(name)}: ${countText(rows, 'row')}, ${countText(columns.length, 'column')}`, streams);
  const secrets = columns.filter(isSecret);
  if (secrets.length === 0) return;
  const lines = secrets.map(({ name, secret }) => `${printable(name)}: ${secret}`);
  note(lines.join('\n'), 'Left out: these look private, and a catalogue is public', streams);
}
