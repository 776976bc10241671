/** Words that no sentence of the editor has: names of fields, YAML, names and codes of standards. */
import { entryFields, FIELD_NAMES } from '../../src/contract/fields.ts';

const NAMES = FIELD_NAMES.flatMap((name) => [name, ...entryFields(name).keys()]);

export const TECHNICAL_WORDS = new RegExp(
  [
    // A name with `_`, or before a colon.
    '\\b[a-z]+_[a-z_]+\\b',
    `(?:^|["\\s])(?:${NAMES.join('|')}|field): `,
    '\\b(?:ISO|UUID|YAML|UTF-8|NFC|RFC|UTC|E\\.164|alpha-2|JSON|GPS)\\b',
    'U\\+[0-9A-F]{4}',
    'catalogue\\.yaml|uuidgen|\\bmapping\\b|`',
  ].join('|'),
);
