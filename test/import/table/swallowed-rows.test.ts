/** Tables made at random, with honest texts of several lines, and with one stray quote. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSource, refusal } from './read-rows.ts';

const word = fc.constantFrom('Rose', 'Lime', 'Cork', 'Galway', 'Munster', 'Elm', 'Oak', 'Åsa', 'St. Ives');
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
const number = fc.integer({ min: 1, max: 900 }).map(String);
const decimal = fc.tuple(number, number).map(([whole, rest]) => `-${whole}.${rest}`);
const KINDS = {
  word,
  words,
  number,
  decimal,
  link: word.map((one) => `https://x.example/${encodeURIComponent(one)}.jpg`),
  house: fc.tuple(words, number).map((all) => all.join(' ')),
  seldom: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: words }),
};
const lines = (line: fc.Arbitrary<string>, minLength = 2) =>
  fc.array(line, { minLength, maxLength: 6 }).map((all) => all.join('\n'));
const list = fc.array(fc.oneof(words, number), { minLength: 1, maxLength: 4 });
const text = fc.oneof(
  fc.tuple(words, number, words).map(([name, no, town]) => `${name} House\n${no} Quay Street\n${town}`),
  fc.tuple(words, number, words).map(([name, no, town]) => `${name},\n${no}, Quay Street,\n${town}`),
  lines(fc.array(words, { minLength: 1, maxLength: 5 }).map((all) => `${all.join(', ')}.`)),
  lines(list.map((all) => `- ${all.join(', ')}`)),
  lines(list.map((all) => all.join('; '))),
  lines(list.map((all) => all.join(', '))),
  lines(fc.tuple(word, decimal).map(([season, price]) => `${season}: ${price.replace('.', ',')}`)),
  lines(fc.oneof(words, fc.constant('')), 3).map((all) => `Welcome!\n${all}\nThe "owners"`),
);
const columnOf = (kind: keyof typeof KINDS | 'text') =>
  kind === 'text' ? fc.oneof(text, words) : KINDS[kind];
const kinds = fc
  .tuple(
    fc.array(fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.nat(),
  )
  .map(
    ([all, place]) =>
      all.toSpliced(place % (all.length + 1), 0, 'text' as never) as (keyof typeof KINDS | 'text')[],
  );
const table = kinds.chain((all) =>
  fc.record({
    rows: fc.array(fc.tuple(...all.map(columnOf)), { minLength: 2, maxLength: 12 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n'),
    isAll: fc.boolean(),
    at: fc.nat(),
    to: fc.option(fc.nat()),
  }),
);
type Table = typeof table extends fc.Arbitrary<infer T> ? T : never;

const quoted = ({ delimiter, isAll }: Table, cell: string) =>
  isAll || cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const namesOf = ({ rows }: Table) => rows[0]!.map((_, column) => `name${'abcdefg'[column]}`);
const cellsOf = (one: Table) =>
  [namesOf(one), ...one.rows].map((row) => row.map((cell) => quoted(one, cell)));
const textOf = ({ delimiter, end }: Table, cells: readonly (readonly string[])[]) =>
  cells.map((row) => row.join(delimiter)).join(end);
const valuesOf = (one: Table) =>
  one.rows.map((row) => Object.fromEntries(row.map((cell, column) => [namesOf(one)[column]!, cell])));
const plain = (rows: readonly object[]) =>
  JSON.stringify(rows.map((row) => Object.values(row)).filter((row) => row.join('') !== '')).replaceAll(
    '\\"',
    '',
  );

/** One stray quote at the start of a field, and another at the end of a later one. */
function withStray(one: Table): string {
  const cells = cellsOf(one);
  const width = cells[0]!.length;
  const place = one.at % (cells.length * width);
  const set = (at: number, change: (cell: string) => string) => {
    const row = cells[Math.floor(at / width)]!;
    row[at % width] = change(row[at % width]!);
  };
  set(place, (cell) => `"${cell}`);
  const after = cells.length * width - place - 1;
  if (one.to !== null && after > 0) set(place + 1 + (one.to % after), (cell) => `${cell}"`);
  return textOf(one, cells);
}

const RUNS = 400;

async function readOrRefused(text: string) {
  const reading = readSource('t.csv', text, { skip: 0 });
  if ((await refusal(reading)) !== 'no error') return undefined;
  const { values, unreadable } = await reading;
  return unreadable.length > 0 ? undefined : values;
}

describe('a table with texts of several lines', () => {
  it('is read whole', async () => {
    const isWhole = async (one: Table) => {
      const { values } = await readSource('t.csv', textOf(one, cellsOf(one)), { skip: 0 });
      const filled = valuesOf(one).filter((row) => Object.values(row).join('') !== '');
      expect(values).toEqual(filled);
    };
    await fc.assert(fc.asyncProperty(table, isWhole), { numRuns: RUNS });
  });

  it('is read whole or refused with a stray quote, but for one in 200', async () => {
    const [texts, damaged]: [string[], string[]] = [[], []];
    const read = async (one: Table) => {
      const values = await readOrRefused(texts[texts.push(withStray(one)) - 1]!);
      if (values && plain(values) !== plain(valuesOf(one))) damaged.push(texts.at(-1)!);
    };
    await fc.assert(fc.asyncProperty(table, read), { numRuns: RUNS });
    expect(damaged.slice(Math.floor(texts.length / 200))).toEqual([]);
  });
});
