/**
 * Makes text of any origin safe to print: names of files, values of the content, answers of servers. Every report
 * passes such text through one of these functions.
 */

import { CONTROL_CHARACTER } from './control-characters.ts';

const STEERING = new RegExp(CONTROL_CHARACTER, 'gu');

/** Escapes of one letter (RFC 8259, section 7); a tab is a space, so that an underline stays in its place. */
const SHORT: Readonly<Record<string, string>> = { '\t': ' ', '\n': '\\n', '\r': '\\r' };

/** What build services obey anywhere in a line: `##[` is of GitHub, `##vso[` of Azure, `##teamcity[` of TeamCity. */
const COMMAND_OPENING = /(##[a-z]*)\[/gi;

/**
 * Writes an escape, such as `\u001b`, for every character that could steer a terminal, break a line, turn its direction
 * or open a command, and a space for a tab. This is enough behind other text of a line.
 */
export function visible(text: string): string {
  return text
    .replace(STEERING, (character) => SHORT[character] ?? escapeOf(character))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

/**
 * {@link visible}, with an escape for a colon at the start: GitHub's runner obeys every line of a log that starts with
 * `::`, behind any white space (actions/runner, `ActionCommand.cs`).
 *
 * What it returns for the start of a text is the start of what it returns for the whole.
 */
export function printable(text: string): string {
  return visible(text).replace(/^(\s*):/, '$1\\u003a');
}

/** {@link printable} for each line of a text that has several. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Writes JSON (RFC 8259) that says the same and holds nothing that could steer a terminal or command a build service.
 * The line ends between its tokens stay.
 */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(STEERING, (character) => (character === '\n' ? character : escapeOf(character)))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
