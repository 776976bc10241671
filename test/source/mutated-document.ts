/** YAML documents that are nearly valid properties, for which two readers of YAML may disagree. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { readYamlQuickly } from '../../src/source/simple-yaml.ts';
import { readYamlExactly } from '../../src/source/yaml-document.ts';

/** The result of the exact reader when the quick reader returns another one; undefined when they agree. */
export function disagreement(text: string): string | undefined {
  const quick = readYamlQuickly(text);
  if (quick === undefined) return undefined;
  const { value, diagnostics } = readYamlExactly(text, 'mutated.yaml');
  if (diagnostics.length > 0) return diagnostics.map(({ message }) => message).join(' ');
  return isDeepStrictEqual(value, quick) ? undefined : `${JSON.stringify(quick)} is ${JSON.stringify(value)}`;
}

const choice = <T>(...values: T[]) => fc.constantFrom(...values);

/** Every line that a property may have, in several spellings. */
const LINES: readonly (readonly string[])[] = [
  ['id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11', "id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11'"],
  [
    ...['title: Rose Cottage', 'title: "Rose \\"Cottage\\""', "title: 'Rose''s # Cottage'"],
    ...['title: >-\n  Rose\n  Cottage', 'title: Rose\n  Cottage', 'title: a:b#c'],
  ],
  ['currency: EUR', 'currency: "EUR"'],
  ['phone: +353 1 605 7700', 'phone:', "phone: ''", 'phone: # none'],
  ['email: stay@rose.example', 'email:', 'email: ~'],
  ['zip_code: 01234', 'zip_code: 1e3', 'zip_code: "0x1F"', 'zip_code: 2001-01-01'],
  ['city: Galway', 'city: NO', 'city: São Tomé', 'city:   Galway   # the city', 'city: >-\n  Galway\n\n'],
  ['state: null', 'state: yes', 'state:', 'state: 😀', 'state: a - b, c:d'],
  [
    'address: 12 Quay Street, "The Wharf" [rear]',
    'address: |-\n  12 Quay Street',
    'address: >\n  12\n   Quay\n',
    'address: |\n    12 # Quay\n\n    Street\n\n',
    'address: >\n 12\n\n Quay',
    'address: |- # c\n   12\n     Quay',
  ],
  ['country: IE'],
  ['latitude: 53.27194', 'latitude: -0.5'],
  ['longitude: -9.04889', 'longitude: "9"'],
  [
    ...['facilities: [wifi, parking]', 'facilities:\n  - wifi\n  - parking'],
    ...['facilities:\n- wifi\n-   bed linen # new', 'facilities: []', 'facilities:'],
    'facilities:\n  - >-\n    a\n    b\n  - "c"',
    'facilities: [Küche, 東京 湾, Wi-Fi, a/b.c]',
    'facilities:\n- |\n  a\n- |-\n    b\n',
  ],
  [
    'photo:\n  - url: https://a.example/b.jpg\n    description: The garden\n    position: 3',
    "photo:\n  -\n    url: 'https://a.example/b.jpg'\n    description:",
    'photo: []',
    'photo: [{url: "https://a.example/b.jpg"}]',
    'photo:\n  - {file: a.jpg, description: Küche und Bad}\n  - { file: b.jpg }',
  ],
  [
    'hotel_policy:\n  - policy_type: check_in\n    detail: From 15:00 to 20:00, please.',
    'hotel_policy:\n  - policy_type: pets\n    detail: |-\n      No pets.\n\n      Ask: # 5\n    detail@fr: |\n      Non.',
    'hotel_policy:\n- detail: >-\n    From 15:00\n    on.\n  policy_type: check_in',
  ],
  ['payment_method:\n  - is_enabled: true\n    method_type: direct'],
];

const base = fc
  .record({
    lines: fc.tuple(...LINES.map((line) => choice(...line))),
    optional: fc.integer({ min: 0, max: 0xffff }),
    end: choice('\n', '\n', '\n', '', '\n\n', '\n# end\n'),
    lineEnd: choice('\n', '\n', '\n', '\r\n'),
  })
  .map(({ lines, optional, end, lineEnd }) =>
    // The first bits are those of required fields, but for some in the middle.
    (
      lines.filter((_line, index) => REQUIRED.has(index) || optional & (1 << index)).join('\n') + end
    ).replaceAll('\n', lineEnd),
  );

const REQUIRED = new Set([0, 1, 2, 6, 9, 10, 11]);

/** Insertions: every mark of YAML, white space of all sorts, line ends. */
const PIECES = [
  ...[' ', ' ', '  ', '   ', '    ', '\n', '\n', '\n\n', '\n ', '\n  ', '\n    ', '\t', '\r', '\r\n', ':'],
  ...[': ', ' : ', '#', ' #', ' # ', '# x', '-', '- ', '\n- ', '\n  - ', '-\n', '?', '? ', '\n? ', ',', ', '],
  ...['[', ']', '{', '}', '[]', '{}', '"', "'", '""', "''", '\\', '\\n', '\\"', '\\u0041', '\\x41', '\\/'],
  ...['\\\n', '&a ', '*a', '&a', '!', '! ', '!!str ', '!!map ', '!<tag:yaml.org,2002:str> ', '|', '>', '>-'],
  ...['|-', '|+', '>2-', '>-\n', '|\n', '---', '---\n', '--- ', '...', '...\n', '%', '%YAML 1.2\n'],
  ...['%YAML 1.2\n---\n', '%TAG ! !\n---\n', '<<', '<<: *a\n', '@', '`', '=', '~', 'null', 'x', 'x: y\n'],
  ...['x y', 'é', 'e\u0301', '\u00a0', '\u0085', '\u2028', '\ufeff', '\u200b', '😀', '.', '0', 'title'],
  ...['title: ', 'state: x\n', '__proto__: x\n', 'address:\n', 'state', '\nstate: ', '\nstate:\n  '],
] as const;

type Mutation = (text: string) => string;

const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (text: string, share: number) => Math.floor(share * text.length);
const lineEnd = (text: string, from: number) => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ place, piece: choice(...PIECES) }).map(
      ({ place, piece }) =>
        (text: string) =>
          text.slice(0, at(text, place)) + piece + text.slice(at(text, place)),
    ),
  },
  // At the ends of lines and of words, where marks have a meaning.
  {
    weight: 8,
    arbitrary: fc
      .record({ place, piece: choice(...PIECES), before: fc.boolean() })
      .map(({ place, piece, before }) => (text: string) => {
        const end = before ? text.lastIndexOf('\n', at(text, place)) + 1 : lineEnd(text, at(text, place));
        return text.slice(0, end) + piece + text.slice(end);
      }),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        place,
        piece: choice(...PIECES),
        mark: choice(':', '-', ' ', '"', "'", ',', '#', '>', '|', '[', ']'),
        after: fc.boolean(),
      })
      .map(({ place, piece, mark, after }) => (text: string) => {
        const found = text.indexOf(mark, at(text, place));
        const index = found < 0 ? text.length : found + (after ? mark.length : 0);
        return text.slice(0, index) + piece + text.slice(index);
      }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ place, length: fc.integer({ min: 1, max: 4 }) }).map(
      ({ place, length }) =>
        (text: string) =>
          text.slice(0, at(text, place)) + text.slice(at(text, place) + length),
    ),
  },
  // Indentation of one line, or of the rest.
  {
    weight: 5,
    arbitrary: fc
      .record({ place, by: fc.integer({ min: -4, max: 6 }), rest: fc.boolean() })
      .map(({ place, by, rest }) => (text: string) => {
        const lines = text.split('\n');
        const first = Math.floor(place * lines.length);
        return lines
          .map((line, index) =>
            index === first || (rest && index > first)
              ? by < 0
                ? line.replace(new RegExp(`^ {0,${-by}}`), '')
                : ' '.repeat(by) + line
              : line,
          )
          .join('\n');
      }),
  },
  // Repeats a line at another place.
  {
    weight: 3,
    arbitrary: fc
      .record({ place, to: place, move: fc.boolean() })
      .map(({ place, to, move }) => (text: string) => {
        const lines = text.split('\n');
        const [line = ''] = lines.splice(Math.floor(place * lines.length), move ? 1 : 0);
        lines.splice(
          Math.floor(to * lines.length),
          0,
          move ? line : (lines[Math.floor(place * lines.length)] ?? ''),
        );
        return lines.join('\n');
      }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ place }).map(({ place }) => (text: string) => {
      const end = lineEnd(text, at(text, place));
      return text.slice(0, end) + text.slice(end + 1);
    }),
  },
);

/** A property, changed in up to four places. */
export const mutatedDocument: fc.Arbitrary<string> = fc
  .tuple(base, fc.array(mutation, { minLength: 0, maxLength: 4 }))
  .map(([text, mutations]) => mutations.reduce((result, mutate) => mutate(result), text));

const line = fc
  .record({
    indent: fc.integer({ min: 0, max: 5 }),
    dash: choice('', '', '', '- ', '-   ', '-'),
    key: choice(
      '',
      'a: ',
      'b: ',
      'c:',
      'a:   ',
      'title: ',
      'title@fr: ',
      'b2: ',
      'facilities:',
      'photo:',
      'url: ',
      '__proto__: ',
    ),
    value: choice(
      ...['', '', 'x', 'x y', 'x: y', "'x'", '"x"', "''", '>-', '[x, y]', '[]', '-1', 'x:y', '"a\\"b"'],
      ...["'it''s'", 'x#y', '"#"', '|', '|-', '>', '{a: x}', '{a: x, b: é}', '[é, 東 京]', '[x-y]'],
    ),
    comment: choice('', '', '', '', ' # c', '# c', '  ', '   #'),
    end: choice('\n', '\n', '\n', '\n', '\n\n', '\r\n', '\n \n', '\n      \n'),
  })
  .map(
    ({ indent, dash, key, value, comment, end }) => ' '.repeat(indent) + dash + key + value + comment + end,
  );

/** Lines as editors write them, in a structure that is only sometimes valid. */
export const shuffledDocument: fc.Arbitrary<string> = fc
  .array(line, { minLength: 1, maxLength: 7 })
  .map((lines) => lines.join(''));

/** Texts in blocks, of lines in any indentation. */
export const blockDocument: fc.Arbitrary<string> = fc
  .record({
    opener: choice('a: ', 'title@fr: ', '- ', 'a:\n  - ', 'a:\n- b: ', 'a:\n  - b: x\n    c: ', 'a:   '),
    header: choice('|', '|-', '>', '>-', '| ', '>- # c', '|+', '|2'),
    indent: fc.integer({ min: 0, max: 6 }),
    lines: fc.array(
      fc.record({
        more: choice(0, 0, 0, 0, 0, 0, 1, 2, -1),
        text: choice(
          ...[
            'x',
            'x y',
            '# c',
            'x # c',
            'a: b',
            '- x',
            '',
            '',
            '  ',
            '"x',
            "'",
            '{',
            'é 東京',
            'x ',
            '\tx',
            'x\ty',
            '---',
            '...',
            '|',
          ],
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    below: choice(
      '',
      '',
      '\n',
      '\n\n',
      '\nz: x\n',
      '\n\nz: x',
      '\n# c\nz: |\n  y\n',
      '\n  # c\n',
      '\n - z\n',
      '\n  - z',
      '\n    d: x\n',
      '\n   ',
    ),
    lineEnd: choice('\n', '\n', '\r\n'),
  })
  .map(({ opener, header, indent, lines, below, lineEnd }) => {
    const text = lines.map(({ more, text }) =>
      text === '' ? '' : ' '.repeat(Math.max(0, indent + more)) + text,
    );
    return `${opener}${header}\n${text.join('\n')}${below}`.replaceAll('\n', lineEnd);
  });
