/**
 * Edits keep each comment with its owner, and the lines of all else. The expected text is printed from a model of the file,
 * without a parser: who owns a comment is known because it was written for that owner.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FieldValues } from '../../src/editing/field-values.ts';
import { formatText } from '../../src/editing/format.ts';
import { repairText } from '../../src/editing/repair.ts';
import { setFields } from '../../src/editing/set-fields.ts';
import { declared } from '../support/terms.ts';

/** `above`: comments in the lines above, at the same indentation; `below`: deeper ones, or those at the end of a list. */
type Part = { above: string[]; remark: string; below: string[] };
type Key = Part & { name: string; text: string };
type Entry = Part & { text?: string; keys: Key[] };
/** `width`: indentation of the comments below. */
type Field = Part & { name: string; text: string; entries: Entry[]; dash: number; width: number };
type File = { fields: Field[]; end: string[] };

const odds = (most: number) => fc.nat(most).map((n) => n === 0);
const part = fc
  .record({ above: fc.nat(5), remark: odds(3), below: fc.nat(6) })
  .map(({ above, remark, below }) => ({
    above: Array<string>(Math.max(0, above - 3)).fill('#'),
    remark: remark ? ' #' : '',
    below: Array<string>(Math.max(0, below - 4)).fill('#'),
  }));
const text = fc.constantFrom('', '', 'Rose', 'Cork', '"a # b"');
const merged = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }));
const keyOf = (name: string, value: fc.Arbitrary<string> = text) =>
  merged(part, fc.record({ name: fc.constant(name), text: value }));
const photo = merged(
  part,
  fc.record({
    keys: fc
      .tuple(
        keyOf('file', fc.constantFrom('a.jpg', 'b.jpg', 'c.jpg')),
        fc.option(keyOf('description'), { nil: undefined }),
        fc.option(keyOf('description_fr'), { nil: undefined }),
      )
      .map((keys) => keys.filter((key) => key !== undefined)),
  }),
);
const word = merged(
  part,
  fc.record({ text: fc.constantFrom('wifi', 'tv', 'sauna'), keys: fc.constant<Key[]>([]) }),
);
const field = (name: string, entries: fc.Arbitrary<Entry>, value: fc.Arbitrary<string>) =>
  merged(
    part,
    fc.record({
      name: fc.constant(name),
      text: value,
      entries: fc.uniqueArray(entries, { maxLength: 3, selector: valueOfEntry }),
      dash: fc.constantFrom(0, 2, 4),
    }),
  ).map((one): Field => ({ ...one, width: one.dash || 2 }));
const scalar = (name: string) => field(name, word, text).map((one): Field => ({ ...one, entries: [] }));
const list = (name: string, entry: fc.Arbitrary<Entry>) =>
  field(name, entry, fc.constantFrom('', '', '[]', '~')).map(
    (one): Field =>
      // Where dashes are in the first column, the last entry owns all comments that are deeper.
      one.entries.length > 0 ? { ...one, text: '', below: one.dash === 0 ? [] : one.below } : one,
  );
const file = fc.record({
  fields: fc.shuffledSubarray(['title', 'city', 'state', 'title_fr', 'facilities', 'photo'], {
    minLength: 1,
  }),
  title: scalar('title'),
  city: scalar('city'),
  state: scalar('state'),
  title_fr: scalar('title_fr'),
  facilities: list('facilities', word),
  photo: list('photo', photo),
  end: fc.nat(2).map((count) => Array<string>(count).fill('#')),
});

function valueOfEntry(entry: Entry): string {
  return entry.text ?? entry.keys[0]!.text;
}

type Drawn = Record<string, unknown> & { fields: string[]; end: string[] };

/** Gives each comment a number, so that it is unique. */
function numbered(drawn: Drawn): File {
  let count = 0;
  const mark = (line: string) => (line === '' ? '' : `${line} ${++count}`);
  const own = <One extends Part>(one: One): One => ({
    ...one,
    above: one.above.map(mark),
    remark: mark(one.remark),
    below: one.below.map(mark),
  });
  const fields = drawn.fields.map((name) => {
    const one = own(drawn[name] as Field);
    return { ...one, entries: one.entries.map((entry) => ({ ...own(entry), keys: entry.keys.map(own) })) };
  });
  return { fields, end: drawn.end.map(mark) };
}

const margin = (width: number, lines: readonly string[]) => lines.map((line) => ' '.repeat(width) + line);
const after = (label: string, value: string, remark: string) => `${label}${value && ' '}${value}${remark}`;

function printedEntry({ above, remark, below, text: word, keys }: Entry, dash: number): string[] {
  const pad = ' '.repeat(dash);
  if (word !== undefined)
    return [...margin(dash, above), `${pad}- ${word}${remark}`, ...margin(dash + 3, below)];
  const [first, ...rest] = keys as [Key, ...Key[]];
  return [
    ...margin(dash, above),
    `${pad}- ${after(`${first.name}:`, first.text, first.remark)}`,
    ...rest.flatMap((key) => [
      ...margin(dash + 2, key.above),
      `${pad}  ${after(`${key.name}:`, key.text, key.remark)}`,
      ...margin(dash + 4, key.below),
    ]),
    // At the end of the entry, at the indentation of its keys.
    ...margin(dash + 2, below),
  ];
}

function printed({ fields, end }: File): string {
  const lines = fields.flatMap(({ name, above, remark, below, text: value, entries, dash, width }) => {
    const own = margin(width, below);
    const items = entries.flatMap((entry) => printedEntry(entry, dash));
    return [
      ...above,
      after(`${name}:`, value, remark),
      ...(width > dash ? [...own, ...items] : [...items, ...own]),
    ];
  });
  return [...lines, ...end].map((line) => `${line}\n`).join('');
}

function authored({ text: word, keys }: Entry) {
  const plain = (value: string) => (value === '' ? null : value.replaceAll('"', ''));
  return word ?? Object.fromEntries(keys.map(({ name, text: value }) => [name, plain(value)]));
}

const FRESH: Part = { above: [], remark: '', below: [] };
const fresh = (name: string): Entry =>
  name === 'photo'
    ? { ...FRESH, keys: [{ ...FRESH, name: 'file', text: 'new.jpg' }] }
    : { ...FRESH, text: 'new', keys: [] };

const inQuotes = ({ text: old }: { text: string }) => (old.startsWith('"') ? '"Tulip"' : 'Tulip');

type Choice = { readonly field: number; readonly act: number; readonly at: number; readonly to: number };

/** An edit of a field: the values to set, and the file that must result. */
function edited(
  before: File,
  { field: place, act, at, to }: Choice,
): { values: FieldValues; expected: File } {
  const fields = structuredClone(before.fields);
  const index = place % fields.length;
  const one = fields[index]!;
  const result = (values: FieldValues) => ({ values, expected: { fields, end: [...before.end] } });
  if (act === 0) {
    // The comments above it stay.
    fields.splice(index, 1);
    const next = fields[index];
    const end = next ? before.end : [...one.above, ...before.end];
    next?.above.unshift(...one.above);
    return { values: { [one.name]: null }, expected: { fields, end } };
  }
  if (one.name !== 'facilities' && one.name !== 'photo') {
    one.text = inQuotes(one);
    return result({ [one.name]: 'Tulip' });
  }
  const { entries } = one;
  const from = at % Math.max(1, entries.length);
  if (entries.length === 0) {
    entries.push(fresh(one.name));
    const dash = before.fields.find((other) => other.entries.length > 0)?.dash ?? 2;
    Object.assign(one, { text: '', dash: dash && 2 });
  } else if (act <= 2) entries.splice(from, 1);
  else if (act <= 4) entries.push(fresh(one.name));
  else if (act <= 6) entries.unshift(fresh(one.name));
  else if (act <= 8 || one.name === 'facilities')
    entries.splice(to % entries.length, 0, ...entries.splice(from, 1));
  else {
    const { keys } = entries[from]!;
    const key = keys[to % keys.length]!;
    // A field without a value says so already.
    if (to % keys.length > 0 && act === 9) keys.splice(to % keys.length, key.text === '' ? 0 : 1);
    else key.text = inQuotes(key);
  }
  if (entries.length === 0) one.text = '[]';
  return result({ [one.name]: entries.map(authored) });
}

const cases = fc.record({
  file: file.map(numbered),
  choice: fc.record({ field: fc.nat(5), act: fc.nat(11), at: fc.nat(2), to: fc.nat(2) }),
  windows: odds(4),
  isOpen: odds(4),
});
const finish = (lines: string, windows: boolean, isOpen: boolean) => {
  const ended = isOpen ? lines.replace(/\n$/, '') : lines;
  return windows ? ended.replaceAll('\n', '\r\n') : ended;
};

it('an edit leaves each comment with its owner, and all other lines as they are', () => {
  let refused = 0;
  const runs = 400;
  fc.assert(
    fc.property(cases, ({ file: before, choice, windows, isOpen }) => {
      const { values, expected } = edited(before, choice);
      const source = finish(printed(before), windows, isOpen);
      const result = setFields(source, values);
      if ('refused' in result) refused++;
      else expect(result.text).toBe(finish(printed(expected), source.includes('\r'), isOpen));
    }),
    { numRuns: runs },
  );
  expect(refused).toBe(0);
});

it('a repaired name leaves everything else as it is', () => {
  const terms = declared({ languages: ['en', 'fr'] });
  fc.assert(
    fc.property(cases, ({ file: before, windows, isOpen }) => {
      const source = finish(`id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11\n${printed(before)}`, windows, isOpen);
      const expected = source.replace(/^([ -]*(?:title|description))_fr:/gm, '$1@fr:');
      expect(repairText(source, terms)?.text ?? source).toBe(expected);
    }),
    { numRuns: 200 },
  );
});

it('formatting before an edit of entries makes no difference to formatting after it', () => {
  let edits = 0;
  fc.assert(
    fc.property(cases, ({ file: before, choice: drawn, windows, isOpen }) => {
      const index = before.fields.findIndex(({ entries }) => entries.length > 0);
      if (index < 0) return;
      const choice = { ...drawn, field: index, act: 1 + (drawn.act % 8) };
      const { values, expected } = edited(before, choice);
      // Comments of an empty list become its remark, or the other way round.
      if (expected.fields[index]!.entries.length === 0) return;
      const source = finish(printed(before), windows, isOpen);
      const after = (text: string) => {
        const result = setFields(text, values);
        return 'refused' in result ? result : formatText(result.text);
      };
      const formatted = formatText(source)!;
      edits++;
      expect(after(formatted)).toBe(after(source));
    }),
    { numRuns: 200 },
  );
  expect(edits).toBeGreaterThan(50);
});
