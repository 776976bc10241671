/** How a text is written as a YAML scalar on one line. */

import { isNullWord } from '../source/null-word.ts';

/**
 * What can be said of a text's place.
 *
 * - `number`: the field is a number or a boolean by its meaning (a coordinate, a position), so that a reader of YAML
 *   who takes it for one is right.
 * - `flow`: it stands between brackets, where more characters have a meaning.
 */
export type ScalarPlace = { readonly number?: boolean; readonly flow?: boolean };

/** Anything that cannot stand in a plain scalar of one line (YAML 1.2.2, 7.3.3), and white space at its ends. */
const NOT_PLAIN =
  /^$|^[\s?:,[\]{}#&*!|>'"%@`]|^-(?!\d)|:(?:\s|$)|\s#|\s$|[^ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** What ends a plain scalar between brackets (YAML 1.2.2, 7.3.3). */
const NOT_PLAIN_IN_FLOW = /[,[\]{}:]/;

/**
 * What other readers of YAML (1.1 as well as 1.2), or a human, would take for something else than text: nothing, a
 * boolean, a number (with its leading zero or its plus sign lost), a time or a date.
 */
const MISLEADING = new RegExp(
  `^(?:${[
    '~|null|true|false|yes|no|on|off|y|n|<<|=',
    '[-+]?\\.(?:inf|nan)',
    '[-+]?0[xob][\\da-f_]+',
    '[-+]?[.\\d][\\d_.,]*(?:e[-+]?\\d+)?',
    '[-+]?\\d[\\d_]*(?::[0-5]?\\d)+(?:\\.[\\d_]*)?',
    '\\d{4}-\\d{1,2}-\\d{1,2}(?:[t\\s].*)?',
  ].join('|')})$`,
  'i',
);

/** Whether a reader of YAML that decides types by looks takes a plain text for something else. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/** The text as a scalar of one line: plain where that is legal and does not mislead, else in quotes. */
export function scalarText(text: string, { number = false, flow = false }: ScalarPlace = {}): string {
  const plain =
    !NOT_PLAIN.test(text) &&
    !(flow && NOT_PLAIN_IN_FLOW.test(text)) &&
    ((number && !isNullWord(text)) || !isMisleading(text));
  return plain ? text : quoted(text);
}

/** What a double-quoted scalar must or should write as an escape, besides those of JSON. */
const ESCAPED = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The text between double quotes, with escapes where it needs some. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text between single quotes; undefined where it needs escapes. */
export function singleQuoted(text: string): string | undefined {
  const double = doubleQuoted(text).slice(1, -1);
  const needsEscapes = double.replaceAll('\\"', '"').replaceAll('\\\\', '\\') !== text;
  return needsEscapes ? undefined : `'${text.replaceAll("'", "''")}'`;
}

function quoted(text: string): string {
  return (/["\\]/.test(text) && singleQuoted(text)) || doubleQuoted(text);
}
