/** Property files of any form, each with another value of a field. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Document, parseDocument, visit } from 'yaml';
import { ENTRY_LIST_FIELDS } from '../../src/contract/fields.ts';
import { fieldsIn } from '../../src/contract/terms.ts';
import type { AuthoredValue } from '../../src/editing/field-values.ts';
import { declared } from '../support/terms.ts';
import { authoredText } from './authored-text.ts';

/** Fields and translations of the files. */
export const { fields: DECLARED } = declared({
  languages: ['en', 'fr', 'pt-BR'],
  fields: { description: {}, bedrooms: {}, check_in_from: {}, registration_number: {}, website: {} },
});
/** Lists of texts: of the interface, and declared. */
const WORDS = ['facilities', 'registration_number'] as const;

/** A file, and a value for one of its fields; null takes the field out. */
export type Case = { readonly text: string; readonly field: string; readonly value: AuthoredValue };

/** The property files of a content folder. */
export function shippedTexts(content: string): string[] {
  const names = readdirSync(join(content, 'properties'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => readFileSync(join(content, 'properties', name), 'utf8'));
}

const PARAGRAPHS = [
  ...['Check-in from 15:00.', 'It is quiet: please, no "parties" # at all.', "It's late", '- a dash'],
  'ö 旺角 🏠',
];

/** Texts that people write, and texts that they never should. */
const someText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        'Rose Cottage',
        'a: b',
        "it's #1",
        '"q"',
        '- x',
        '[z',
        'x, y',
        '{',
        '%',
        '@',
        '`',
        'C:\\x',
        '旺角 🏠',
      ],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['no', 'null', '~', '0123', '1.10', '2020-01-01', '12:30', '<<', '=', '', ' ', '*a', '&a', '!a'],
      ...['?', '|', '>-', '---', '...', '#'],
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.oneof(
          fc.constantFrom(...PARAGRAPHS),
          fc.constant(''),
          fc.constantFrom('  indented', 'tab\there', 'end '),
        ),
        { minLength: 2, maxLength: 5 },
      )
      .map((lines) => lines.join('\n')),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom('long', 'words', 'in', 'a', 'row:', '#not', 'wide'), {
        minLength: 20,
        maxLength: 60,
      })
      .map((words) => words.join(' ')),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.replace(/\r/g, '')),
  },
);

/** A text as YAML, in any style. `margin`: of the lines below; `room`: whether a comment may follow. */
function styled(text: string, style: number, margin: string): string {
  const lines = text.split('\n').map((line) => (line === '' ? '' : `${margin}${line}`));
  const block =
    !/^[ \n]|[ \n]$|[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\u{10000}-\u{10ffff}]/u.test(text) &&
    text !== '';
  const headers = ['|', '|-', '|+', '>', '>-', '>+'];
  if (style < headers.length && block && !/\n[ \t]/.test(text))
    return `${headers[style]}\n${lines.join('\n')}`;
  if (style === 6 && block)
    return `|${margin.length > 1 ? 2 : 1}-\n${text
      .split('\n')
      .map((line) => (line === '' ? '' : margin + line))
      .join('\n')}`;
  if (style === 7 && !/[\n\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/.test(text))
    return `'${text.replaceAll("'", "''")}'`;
  if (style === 8 && /^[A-Za-z0-9][A-Za-z0-9 .-]*[A-Za-z0-9]$/.test(text)) return text;
  if (style === 9 && /^[A-Za-z]+ [A-Za-z ]+$/.test(text)) return text.replace(' ', `\n${margin}`);
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const style = fc.nat(11);
const flag = (odds: number) => fc.nat(odds).map((n) => n === 0);
const entryField = fc.record({ text: someText, style, comment: flag(6), above: flag(8) });
const entry = fc.record({
  fields: fc.array(entryField, { minLength: 1, maxLength: 4 }),
  flow: flag(5),
  below: flag(6),
  blank: flag(5),
});

const list = fc.record({
  name: fc.constantFrom<(typeof ENTRY_LIST_FIELDS)[number] | (typeof WORDS)[number]>(
    ...ENTRY_LIST_FIELDS,
    ...WORDS,
  ),
  entries: fc.array(entry, { maxLength: 4 }),
  shape: fc.nat(5),
  indent: fc.constantFrom(0, 2, 2, 4),
  gap: fc.constantFrom(1, 1, 1, 3),
});

/** A file with lists and blocks of every shape. */
const oddText = fc
  .record({
    head: fc.constantFrom('', '', '# head\n', '# head\n\n', '---\n', '%YAML 1.2\n---\n', '# a\n--- # b\n'),
    texts: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(
          ...['id', 'title', 'email', 'city', 'state', 'address', 'extra', 'title@fr', 'title@pt-BR'],
          ...['description', 'description@fr', 'bedrooms', 'check_in_from', 'website'],
        ),
        text: someText,
        style,
        comment: flag(4),
        above: flag(5),
        blank: flag(4),
        anchor: flag(25),
        empty: flag(12),
      }),
      { selector: ({ name }) => name, maxLength: 6 },
    ),
    lists: fc.uniqueArray(list, { selector: ({ name }) => name, maxLength: 3 }),
    tail: fc.constantFrom(
      ...['', '', '# tail\n', '\n# tail\n\n', '...\n', 'base: &base {a: b}\nother:\n  <<: *base\n'],
      ...['x: &x y\nz: *x\n', 'tagged: !!str 5\n'],
    ),
  })
  .map(({ head, texts, lists, tail }) => {
    let count = 0;
    const remark = (wanted: boolean) => (wanted ? `  # remark ${++count}` : '');
    const line = (margin: string, start: string, value: string, comment: boolean) => {
      const [first = '', ...rest] = value.split('\n');
      const hasRoom = rest.length === 0 || /^[|>]/.test(first);
      return `${margin}${start}${first}${remark(comment && hasRoom)}\n${rest.map((other) => `${other}\n`).join('')}`;
    };
    let text = head;
    for (const { name, text: value, style: kind, comment, above, blank, anchor, empty } of texts) {
      if (blank) text += '\n';
      if (above) text += `# remark ${++count}\n`;
      text += line(
        '',
        `${name}: `,
        empty ? '' : (anchor ? `&${name} ` : '') + styled(value, kind, '  '),
        comment,
      );
    }
    for (const { name, entries, shape, indent, gap } of lists) {
      text += listText(name, entries, shape, indent, gap, line, () => `# remark ${++count}\n`);
    }
    return text + tail;
  });

function listText(
  name: string,
  entries: readonly {
    fields: readonly { text: string; style: number; comment: boolean; above: boolean }[];
    flow: boolean;
    below: boolean;
    blank: boolean;
  }[],
  shape: number,
  indent: number,
  gap: number,
  line: (margin: string, start: string, value: string, comment: boolean) => string,
  remark: () => string,
): string {
  if (entries.length === 0) return shape === 0 ? `${name}:\n` : `${name}: []\n`;
  const keys = [...fieldsIn(DECLARED, name).keys()];
  const inFlow = ({ fields }: (typeof entries)[number]) =>
    keys.length === 0
      ? JSON.stringify(fields[0]?.text ?? '')
      : `{${fields
          .slice(0, keys.length)
          .map(({ text }, index) => `${keys[index]}: ${JSON.stringify(text)}`)
          .join(', ')}}`;
  const clean = (text: string) => text.replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, '');
  if (shape === 1) return clean(`${name}: [${entries.map(inFlow).join(', ')}]\n`);
  if (shape === 2) return clean(`${name}: [ # first\n  ${entries.map(inFlow).join(',\n  ')},\n  ]\n`);
  const margin = ' '.repeat(indent);
  const inner = margin + ' '.repeat(gap + 1);
  let text = `${name}:\n`;
  entries.forEach((item, place) => {
    if (item.blank && place > 0) text += '\n';
    if (item.fields[0]?.above) text += margin + remark();
    const dash = `${margin}-${' '.repeat(gap)}`;
    if (keys.length === 0) {
      const { text: value = '', style: kind = 0, comment = false } = item.fields[0] ?? {};
      text += line(dash, '', styled(value, kind, `${inner}`), comment);
    } else if (item.flow) text += clean(`${dash}${inFlow(item)}\n`);
    else {
      item.fields.slice(0, keys.length).forEach(({ text: value, style: kind, comment, above }, index) => {
        if (above && index > 0) text += inner + remark();
        text += line(
          index === 0 ? dash : inner,
          `${keys[index]}: `,
          styled(value, kind, `${inner}  `),
          comment,
        );
      });
    }
    if (item.below) text += `${inner}  ${remark()}`;
  });
  return text;
}

/** Line ends, a byte-order mark, a missing last line end. */
const finish = fc.record({ ends: fc.nat(9), mark: flag(9), unended: flag(4), seed: fc.nat(1000) });

function finished(
  text: string,
  { ends, mark, unended, seed }: { ends: number; mark: boolean; unended: boolean; seed: number },
): string {
  let count = seed;
  const withEnds =
    ends === 0
      ? text.replace(/\r?\n/g, '\r\n')
      : ends === 1
        ? text.replace(/\r?\n/g, () => (count++ % 3 === 0 ? '\r\n' : '\n'))
        : text;
  return (mark ? '\ufeff' : '') + (unended ? withEnds.replace(/(?:\r?\n)+$/, '') : withEnds);
}

const choice = fc.record({
  kind: fc.nat(11),
  field: fc.nat(1000),
  place: fc.nat(1000),
  key: fc.nat(1000),
  text: someText,
  other: someText,
  words: fc.array(fc.constantFrom('wifi', 'pool', 'a: b', 'tv', 'x, y'), { maxLength: 4 }),
});
type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

/** Changes over files of a catalogue and over generated ones. */
export function cases(shipped: readonly string[]): fc.Arbitrary<Case> {
  const text = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...shipped) },
    { weight: 3, arbitrary: authoredText },
    { weight: 5, arbitrary: oddText },
  );
  return fc.tuple(text, finish, choice).map(([source, how, chosen]) => {
    const made = finished(source, how);
    return { text: made, ...changeFor(made, chosen) };
  });
}

const LISTS: readonly string[] = [...ENTRY_LIST_FIELDS, ...WORDS];

/** A change that fits the values of a file: of a text, of an entry, or of the entries that a list has. */
function changeFor(
  text: string,
  { kind, field: number, place, key, text: to, other, words }: Choice,
): Omit<Case, 'text'> {
  const value = Object(valueIn(documentIn(text))) as Record<string, AuthoredValue>;
  const pick = <Item>(items: readonly Item[], by: number) => items[by % items.length]!;
  const names = Object.keys(value);
  const lists = names.filter((name) => Array.isArray(value[name]));
  const list = pick(lists.length > 0 ? lists : LISTS, number);
  const items = Array.isArray(value[list]) ? (value[list] as readonly AuthoredValue[]) : [];
  const keys = [...fieldsIn(DECLARED, list).keys()];
  const entry: AuthoredValue =
    keys.length === 0
      ? to
      : Object.fromEntries(
          keys.slice(0, 1 + (key % 3)).map((name, index) => [name, index === 0 ? to : other]),
        );
  const at = items.length === 0 ? 0 : place % items.length;
  switch (kind) {
    case 0:
      return {
        field: pick(
          [...DECLARED.all.keys()].filter((name) => !LISTS.includes(name)),
          number,
        ),
        value: to,
      };
    case 1:
      return { field: names.length > 0 ? pick(names, number) : 'title', value: null };
    case 2:
      return { field: list, value: items.toSpliced(at, 1) };
    case 3:
    case 4:
      return { field: list, value: items.toSpliced(place % (items.length + 1), 0, entry) };
    case 5:
      return { field: list, value: items.toSpliced(at, 1).toSpliced(key % 5, 0, ...items.slice(at, at + 1)) };
    case 6:
      return { field: pick(WORDS, place), value: [...new Set(words)] };
    default: {
      const texts = names.filter((name) => !Array.isArray(value[name]) && typeof value[name] === 'string');
      if (items.length === 0 || kind % 2 === 0)
        return { field: texts.length > 0 ? pick(texts, place) : 'title', value: to };
      const item = items[at];
      const changed =
        typeof item === 'object' && keys.length > 0 ? { ...item, [pick(keys, key)]: to } : entry;
      return { field: list, value: items.with(at, changed) };
    }
  }
}

/** A text as `yaml` reads it. */
export function documentIn(text: string): Document {
  return parseDocument(text, { schema: 'failsafe', logLevel: 'silent' });
}

/** The values, every scalar as text but a plain null; undefined when the text cannot be read. */
export function valueIn(document: Document): unknown {
  visit(document, {
    Scalar(role, node) {
      if (role !== 'key' && node.type === 'PLAIN' && /^(?:null|Null|NULL|~)$/.test(String(node.value)))
        node.value = null;
    },
  });
  return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 1000 });
}
