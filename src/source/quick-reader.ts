/**
 * Reads YAML fast, without positions. It takes only files that are fine, and that are written in the plain way that
 * both readers understand alike: what it cannot read, or what turns out to need a diagnostic, is read again by the
 * exact reader, which is the authority.
 */
import { FAILSAFE_SCHEMA, load } from 'js-yaml';

/** The longest text that is read, in UTF-16 units: a sound file of such a length would be a rarity. */
const MAX_LENGTH = 100_000;

// The two libraries differ at the edges of YAML: directives, tags, aliases, flow collections and quotes over several
// lines, tabs, lone carriage returns, comments without a space. So every line has to be of one of these forms.
const COMMENT = '#[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff]*';
const LETTER = '[^\\u0000-\\u0020\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff:]';
const FIRST = `(?:(?![#,?&*!|>'"%@\`\\[\\]{}-])${LETTER}|-(?=[0-9A-Za-z]))`;
const PLAIN = `${FIRST}(?:${LETTER}|:(?=${LETTER}))*(?: +(?!#)(?:${LETTER}|:(?=${LETTER}))+)*`;
const DOUBLE = '"(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff"\\\\]|\\\\["\\\\])*"';
const SINGLE = "'(?:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff']|'')*'";
const WORD = '[0-9A-Za-z_]+(?: [0-9A-Za-z_]+)*';
const LIST = `\\[ *(?:${WORD}(?: *, *${WORD})*)? *\\]`;
const VALUE = `(?:${PLAIN}|${DOUBLE}|${SINGLE}|${LIST}|>-)`;
const LINE = `(?:(?: *- +| *)[a-z_]+:(?: +${VALUE})?|(?: *- +| +)${VALUE})`;
const UNUSUAL = new RegExp(`(?:^|\\n)(?!(?:(?:${LINE})?(?: +${COMMENT}| *)|${COMMENT})(?:\\r?\\n|$))`);

/** The value of a document, every scalar as text, an empty value as null; undefined when it cannot be read. */
export function readQuickly(text: string): unknown {
  if (text.length > MAX_LENGTH || UNUSUAL.test(text)) return undefined;
  try {
    return load(text, { schema: FAILSAFE_SCHEMA });
  } catch {
    return undefined;
  }
}
