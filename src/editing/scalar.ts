/** Writes a text as a YAML scalar on one line. */

import { isNullWord } from '../source/null-word.ts';

/**
 * Context of a scalar.
 *
 * - `number`: the field is a number or boolean (a coordinate, a position), so a YAML reader may take the text for one.
 * - `flow`: it is in a flow list or mapping, where more characters are special.
 */
export type ScalarPlace = { readonly number?: boolean; readonly flow?: boolean };

/** Matches texts that cannot be a plain scalar on one line (YAML 1.2.2, 7.3.3), or have white space at an end. */
const NOT_PLAIN =
  /^$|^[\s?:,[\]{}#&*!|>'"%@`]|^-(?!\d)|:(?:\s|$)|\s#|\s$|[^ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Characters that end a plain scalar in a flow collection (YAML 1.2.2, 7.3.3). */
const NOT_PLAIN_IN_FLOW = /[,[\]{}:]/;

/**
 * Matches texts that a YAML 1.1 or 1.2 reader, or a person, takes for another type: null, boolean, number (which may
 * lose a leading zero or plus sign), time or date.
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

/** Tells whether a YAML reader that infers types takes a plain text for another type. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}

/** A text of letters, digits and most punctuation, without a tail of a space: plain, unless it is a short word. */
const SURELY_PLAIN = /^[A-Za-z](?:[ -"$-9;-~]|:(?=[!-~]))*[!"$-9;-~]$/;
/** More characters than a word has that a YAML reader takes for another type. */
const LONG_ENOUGH = 6;

/** Formats a text as a scalar on one line: plain where that is valid and unambiguous, otherwise quoted. */
export function scalarText(text: string, { number = false, flow = false }: ScalarPlace = {}): string {
  if (!flow && text.length >= LONG_ENOUGH && SURELY_PLAIN.test(text)) return text;
  const plain =
    !NOT_PLAIN.test(text) &&
    !(flow && NOT_PLAIN_IN_FLOW.test(text)) &&
    ((number && !isNullWord(text)) || !isMisleading(text));
  return plain ? text : quoted(text);
}

/** Characters to escape in a double-quoted scalar, in addition to those of JSON. */
const ESCAPED = /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g;

export function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function singleQuoted(text: string): string | undefined {
  const double = doubleQuoted(text).slice(1, -1);
  const needsEscapes = double.replaceAll('\\"', '"').replaceAll('\\\\', '\\') !== text;
  return needsEscapes ? undefined : `'${text.replaceAll("'", "''")}'`;
}

function quoted(text: string): string {
  return (/["\\]/.test(text) && singleQuoted(text)) || doubleQuoted(text);
}
