/** Texts that were made to keep a program busy. */
import { expect, it } from 'vitest';
import { parseJsonExactly } from '../../src/import/table/exact-json.ts';
import { parseListValue } from '../../src/import/table/list-value.ts';
import { plainCell } from '../../src/import/table/plain-cell.ts';
import { VALUE_CELL_PATTERNS } from '../../src/import/table/table-header.ts';
import { isTotalsRow } from '../../src/import/table/totals-row.ts';
import { columnMeaning } from '../../src/import/words/column-names.ts';
import { VALUE_KINDS } from '../../src/import/words/column-values.ts';
import { privateInformationIn } from '../../src/import/words/private-text.ts';

const read: Readonly<Record<string, (text: string) => unknown>> = {
  ...VALUE_KINDS,
  privateInformationIn,
  columnMeaning,
  plainCell,
  totals: (text) => isTotalsRow([text]),
  list: (text) => parseListValue(text, undefined),
  looks: (text) => VALUE_CELL_PATTERNS.filter((looks) => looks.test(text)),
  json(text) {
    try {
      return parseJsonExactly(text);
    } catch {
      return undefined;
    }
  },
};

it.each([
  ['a number of numbers', `lockbox ${'numa'.repeat(24)} zzz 1234 5678`],
  ['the same word, joined', `key${' de'.repeat(26)} x 1234`],
  ['networks', 'ssid:a;'.repeat(1500)],
  ['network keys', 'wifi='.repeat(20_000)],
  ['alarms', `${'alarm off '.repeat(2500)}. 12345`],
  ['open brackets', 'password ('.repeat(10_000)],
  ['addresses', `${'@.'.repeat(2000)} x`],
  ['an address with dots', `a@${'.'.repeat(60_000)}@`],
  ['a number with spaces', `1${' '.repeat(50_000)}x`],
  ['a sign with spaces', `+${' '.repeat(60_000)}x`],
  ['a point with spaces', `POINT${' '.repeat(60_000)}x`],
  ['a list with spaces', `[${' '.repeat(60_000)}x]`],
  ['an open text', `"${'\\"'.repeat(60_000)}`],
  ['formulas', `=${'hyper'.repeat(30_000)}`],
  ['digits', `${'1'.repeat(40_000)}x`],
])('%s are read in moments', (_, text) => {
  for (const [name, find] of Object.entries(read)) {
    const before = performance.now();
    find(text);
    expect([name, performance.now() - before < 3000]).toEqual([name, true]);
  }
});
