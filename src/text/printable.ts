/**
 * Makes untrusted text safe to print: file names, values of the content, answers of servers. Every report passes such
 * text through one of these functions.
 */

import { CONTROL_CHARACTER } from './control-characters.ts';

const STEERING = new RegExp(CONTROL_CHARACTER, 'gu');

/** Short escapes (RFC 8259, section 7); a tab becomes a space, so that underlines stay aligned. */
const SHORT: Readonly<Record<string, string>> = { '\t': ' ', '\n': '\\n', '\r': '\\r' };

/**
 * Commands that build services execute anywhere in a line: GitHub's `##[`, Azure's `##vso[`, TeamCity's `##teamcity[`.
 */
const COMMAND_OPENING = /(##[a-z]*)\[/gi;

/**
 * Escapes every character that could control a terminal, break a line, change its direction or start a command, such as
 * `\u001b`; a tab becomes a space. Sufficient for text that does not start a line.
 */
export function visible(text: string): string {
  return text
    .replace(STEERING, (character) => SHORT[character] ?? escapeOf(character))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

/**
 * Applies {@link visible}, and escapes a colon at the start: GitHub's runner executes log lines that start with `::`,
 * even after white space (actions/runner, `ActionCommand.cs`).
 *
 * The result for a prefix of a text is a prefix of the result for the whole text.
 */
export function printable(text: string): string {
  return visible(text).replace(/^(\s*):/, '$1\\u003a');
}

export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Serialises JSON (RFC 8259) with escapes for everything that could control a terminal or a build service, except the
 * line breaks between tokens.
 */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(STEERING, (character) => (character === '\n' ? character : escapeOf(character)))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
