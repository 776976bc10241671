import { isNullWord } from '../source/null-word.ts';

/** `number`: the field holds numbers or booleans, which may be unquoted. `flow`: the scalar is in a flow collection. */
export type ScalarContext = { readonly number?: boolean; readonly flow?: boolean };

/** Matches a tab, a line feed, or a character that only a double-quoted scalar can contain (YAML 1.2.2, 5.1). */
export const NOT_PRINTABLE =
  /[^ -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Texts that cannot be a plain scalar on one line (YAML 1.2.2, 7.3.3), or that start or end with white space. */
const NOT_PLAIN = /^$|^[\s?:,[\]{}#&*!|>'"%@`]|^-(?!\d)|:(?:\s|$)|\s#|\s$/;

/** Characters that end a plain scalar in a flow collection (YAML 1.2.2, 7.3.3). */
const NOT_PLAIN_IN_FLOW = /[,[\]{}:]/;

/** Texts that a YAML 1.1 or 1.2 parser or a person reads as null, boolean, number, time or date. */
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

export function isMisleadingScalar(text: string): boolean {
  return MISLEADING.test(text);
}

const SURELY_PLAIN = /^[A-Za-z](?:[ -"$-9;-~]|:(?=[!-~]))*[!"$-9;-~]$/;
/** Minimum length of a surely plain text: words that YAML does not read as text, such as `false`, are shorter. */
const LONG_ENOUGH = 6;

/** Writes a plain scalar if that is valid and unambiguous, otherwise a quoted one. */
export function scalarText(text: string, { number = false, flow = false }: ScalarContext = {}): string {
  if (!flow && text.length >= LONG_ENOUGH && SURELY_PLAIN.test(text)) return text;
  const plain =
    !NOT_PLAIN.test(text) &&
    !NOT_PRINTABLE.test(text) &&
    !(flow && NOT_PLAIN_IN_FLOW.test(text)) &&
    ((number && !isNullWord(text)) || !isMisleadingScalar(text));
  return plain ? text : quoted(text);
}

/** Characters to escape in a double-quoted scalar, in addition to those that JSON escapes. */
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
