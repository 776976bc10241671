/** Every report passes untrusted text through these functions: file names, values of the content, responses. */
import { CONTROL_CHARACTER } from './control-characters.ts';

const STEERING = new RegExp(CONTROL_CHARACTER, 'gu');

/** Short escapes (RFC 8259, section 7). A tab becomes a space, so that a report can underline a part of the text. */
const SHORT: Readonly<Record<string, string>> = { '\t': ' ', '\n': '\\n', '\r': '\\r' };

/** Commands that build services execute anywhere in a line: `##[` (GitHub), `##vso[` (Azure), `##teamcity[`. */
const COMMAND_OPENING = /(##[a-z]*)\[/gi;

/** Escapes what could control a terminal or break a line. Sufficient for text that does not start a line. */
export function escapeControls(text: string): string {
  return text
    .replace(STEERING, (character) => SHORT[character] ?? escapeOf(character))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

/** Also escapes a leading colon: GitHub executes lines that start with `::`. */
export function printable(text: string): string {
  return escapeControls(text).replace(/^(\s*):/, '$1\\u003a');
}

export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Escapes like {@link escapeControls}, except for the line breaks between tokens. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(STEERING, (character) => (character === '\n' ? character : escapeOf(character)))
    .replace(COMMAND_OPENING, '$1\\u005b');
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
