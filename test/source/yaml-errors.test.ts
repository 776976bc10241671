import { describe, expect, it } from 'vitest';
import type { ErrorCode } from 'yaml';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { termsFrom } from '../support/terms.ts';
import { findings, propertyText, withLine } from './property-text.ts';

const reasons = (text: string) =>
  checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom()).diagnostics.map(({ message }) =>
    message.replace('YAML cannot be read here: ', ''),
  );

const UNFIT = 'This line does not fit those above it: its indentation is another, or its dash is missing.';
const NO_FIELD = 'This line is no "field: value".';
const TOO_DEEP = 'This line is indented further than the one above it allows.';
const COLON = 'A value without quotes has a colon and a space in it.';
const QUOTE = 'The quote that opens here is not closed.';
const BRACKET = 'The bracket that opens here is not closed.';
const BLOCK = 'Behind ">" or "|" the text has to start on the next line.';
const BEHIND = 'There is text behind the closing quote.';

const COMMAS = 'The entries in these brackets are not separated by one comma each.';
const TAB = 'A tab is where YAML needs spaces.';
const MARK = 'A value that starts with "&" or "*" has a meaning of its own in YAML.';
const SIGN = 'This sign cannot start a value without quotes.';
const TAG = 'A value that starts with "!" is a tag of YAML, and not a text.';
const ESCAPE = 'In double quotes, a backslash starts a code of YAML, and this one does not exist.';
const STAR = 'A "*" has no meaning here: a list entry starts with a dash.';
const HASH = 'There is a "#" right behind the value.';
const DIRECTIVE = 'A line that starts with "%" is a directive of YAML, which needs a line "---" below it.';

type Case = [what: string, text: string, line: number, column: number, underlined: string, reason: string];

const CASES: Case[] = [
  ['a double quote left open', propertyText({ title: '"Rose Cottage' }), 2, 8, '"Rose Cottage', QUOTE],
  ['a single quote left open', propertyText({ title: "'Rose Cottage" }), 2, 8, "'Rose Cottage", QUOTE],
  ['a quote left open at the end', propertyText({ longitude: '"' }), 9, 12, '"', QUOTE],
  [
    'a quote left open in a list',
    propertyText({}, 'facilities:\n  - "wifi\n  - parking\n'),
    11,
    5,
    '"wifi',
    QUOTE,
  ],
  ['an apostrophe in single quotes', propertyText({ title: "'O'Brien's'" }), 2, 11, "Brien's'", BEHIND],
  ['text behind a quote', propertyText({ title: '"Rose" Cottage' }), 2, 15, 'Cottage', BEHIND],
  [
    'a bracket left open',
    withLine('city', 'facilities: [wifi, parking\ncity: Galway'),
    6,
    13,
    '[wifi, parking',
    BRACKET,
  ],
  ['a brace left open', propertyText({}, 'photo:\n  - {file: a.jpg\n'), 11, 5, '{file: a.jpg', BRACKET],
  [
    'a bracket too many',
    withLine('city', 'city: ]'),
    6,
    7,
    ']',
    'There is no open bracket that this one could close.',
  ],
  ['two commas', propertyText({}, 'facilities: [wifi,,parking]\n'), 10, 19, ',parking]', COMMAS],
  ['a colon in a value', propertyText({ title: 'Rose: a cottage' }), 2, 8, 'Rose: a cottage', COLON],
  ['a colon at the end of a value', propertyText({ title: 'Rose:' }), 2, 8, 'Rose:', COLON],
  ['no colon', withLine('title', 'title Rose Cottage'), 2, 1, 'title Rose Cottage', NO_FIELD],
  ['no colon in the first line', withLine('id', 'id'), 1, 1, 'id', NO_FIELD],
  ['no colon in the last line', withLine('longitude', 'longitude -9'), 9, 1, 'longitude -9', NO_FIELD],
  [
    'no space behind the colon',
    withLine('title', 'title:Rose Cottage'),
    2,
    1,
    'title:Rose Cottage',
    NO_FIELD,
  ],
  ['a full-width colon', withLine('title', 'title：Rose Cottage'), 2, 1, 'title：Rose Cottage', NO_FIELD],
  [
    'a no-break space behind the colon',
    withLine('title', 'title:\u00a0Rose'),
    2,
    1,
    'title:\u00a0Rose',
    'The line has U+00A0 in it, which looks like a space but is not one.',
  ],
  [
    'no-break spaces as indentation',
    propertyText({}, 'facilities:\n\u00a0\u00a0- wifi\n'),
    11,
    1,
    '\u00a0\u00a0- wifi',
    'The line has U+00A0 in it, which looks like a space but is not one.',
  ],
  ['a field that is indented', withLine('city', '  city: Galway'), 6, 3, 'city: Galway', TOO_DEEP],
  [
    'a field of a photo that is indented further',
    propertyText({}, 'photo:\n  - file: a.jpg\n      description: x\n'),
    12,
    7,
    'description: x',
    TOO_DEEP,
  ],
  [
    'a field of a photo that is indented less',
    propertyText({}, 'photo:\n  - file: a.jpg\n   description: x\n'),
    12,
    4,
    'description: x',
    UNFIT,
  ],
  [
    'a dash that is indented less',
    propertyText({}, 'facilities:\n  - wifi\n - parking\n'),
    12,
    2,
    '- parking',
    UNFIT,
  ],
  ['a dash that is missing', propertyText({}, 'facilities:\n  - wifi\n  parking\n'), 12, 3, 'parking', UNFIT],
  ['a tab as indentation', propertyText({}, 'facilities:\n\t- wifi\n'), 11, 2, '- wifi', TAB],
  ['a tab before a field', withLine('title', '\ttitle: Rose'), 2, 2, 'title: Rose', TAB],
  [
    'an asterisk',
    propertyText({ title: '*Rose*' }),
    2,
    8,
    '*Rose*',
    '"*Rose*" stands for a value that is marked with "&Rose*", and there is none above.',
  ],
  [
    'an alias before its anchor',
    withLine('title', 'state: *t\ntitle: &t Rose'),
    2,
    8,
    '*t',
    '"*t" stands for a value that is marked with "&t", and there is none above.',
  ],
  [
    'an alias of nothing',
    `state: *base\n${propertyText()}`,
    1,
    8,
    '*base',
    '"*base" stands for a value that is marked with "&base", and there is none above.',
  ],
  [
    'an alias as a field',
    withLine('city', 'state: &c city\n*c : Galway'),
    7,
    1,
    '*c',
    'The name of a field is a plain word.',
  ],
  [
    'a list as a field',
    withLine('title', '[title]: Rose'),
    2,
    1,
    '[title]: Rose',
    'The name of a field is a plain word.',
  ],
  ['an ampersand', propertyText({ title: '& Sons' }), 2, 8, '& Sons', MARK],
  ['a percent sign', propertyText({ title: '%Rose' }), 2, 8, '%Rose', SIGN],
  ['an at sign', propertyText({ title: '@Rose' }), 2, 8, '@Rose', SIGN],
  ['a backtick', propertyText({ title: '`Rose`' }), 2, 8, '`Rose`', SIGN],
  ['a tag', propertyText({ title: '!Rose' }), 2, 8, '!Rose', TAG],
  ['a tag of a program', propertyText({ title: '!!python/unicode "x"' }), 2, 8, '!!python/unicode', TAG],
  ['a tag of YAML', propertyText({ title: '!!binary 5' }), 2, 8, '!!binary', TAG],
  ['text behind ">"', propertyText({ title: '> Rose' }), 2, 10, 'Rose', BLOCK],
  ['text behind "|"', propertyText({ title: '| Rose' }), 2, 10, 'Rose', BLOCK],
  ['a backslash in double quotes', propertyText({ title: '"C:\\qRose"' }), 2, 11, '\\qRose"', ESCAPE],
  [
    'a question mark for a value',
    propertyText({}, 'state: ? x\n'),
    10,
    8,
    '? x',
    'A value without quotes starts with a question mark and a space.',
  ],
  [
    'a dash for a value',
    propertyText({}, 'state: - x\n'),
    10,
    8,
    '- x',
    'A list cannot start on the line of its field.',
  ],
  ['an asterisk alone', propertyText({ title: '*' }), 2, 8, '*', STAR],
  [
    'entries without a comma',
    propertyText({}, "facilities: ['wifi' 'parking']\n"),
    10,
    21,
    "'parking']",
    COMMAS,
  ],
  ['a comment without a space', propertyText({ title: '"Rose"#5' }), 2, 14, '#5', HASH],
  [
    'a merge conflict',
    withLine('city', '<<<<<<< HEAD\ncity: Galway\n=======\ncity: Cork\n>>>>>>> b'),
    6,
    1,
    '<<<<<<< HEAD',
    'A merge conflict is left in the file.',
  ],
  [
    'a directive without an end',
    `%YAML 1.2\n${propertyText()}`,
    2,
    1,
    'id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
    DIRECTIVE,
  ],
  ['a directive that does not exist', `%ROSE 1.2\n---\n${propertyText()}`, 1, 1, '%ROSE 1.2', DIRECTIVE],
  ['a web page', '<!DOCTYPE html>\n<title>Rose: a cottage</title>\n', 1, 1, '<!DOCTYPE html>', NO_FIELD],
];

describe('an error in YAML', () => {
  it.each(CASES)(
    '%s is reported with its place and its kind',
    (_what, text, line, column, underlined, reason) => {
      expect(findings(text)).toEqual([['yaml-syntax', line, column, underlined]]);
      expect(reasons(text)).toEqual([reason]);
    },
  );

  it.each(CASES)(
    '%s is at the same place with the line ends of Windows',
    (_what, text, line, column, underlined) => {
      expect(findings(text.replaceAll('\n', '\r\n'))).toEqual([['yaml-syntax', line, column, underlined]]);
    },
  );

  it('comes with advice', () => {
    for (const [, text] of CASES) {
      const [diagnostic] = checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom()).diagnostics;
      expect(diagnostic?.help).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('does not hide another one', () => {
    const text = propertyText({ title: '@Rose', city: '@Galway' }, 'facilities:\n\t- wifi\n');
    expect(findings(text)).toEqual([
      ['yaml-syntax', 2, 8, '@Rose'],
      ['yaml-syntax', 6, 7, '@Galway'],
      ['yaml-syntax', 11, 2, '- wifi'],
    ]);
  });

  it('is reported once a line, and at most 20 times', () => {
    expect(findings(propertyText({ title: '@Rose: @x' }))).toHaveLength(1);
    expect(findings('a: @b\n'.repeat(100)).filter(([code]) => code === 'yaml-syntax')).toHaveLength(20);
  });

  it('is reported in few words, however long the wrong word is', () => {
    const text = propertyText({ title: `!${'x'.repeat(10_000)}`, city: `*${'y'.repeat(10_000)}` });
    for (const reason of reasons(text)) expect(reason.length).toBeLessThan(250);
  });
});

describe('a text that looks odd, but is valid YAML', () => {
  it.each([
    [
      'JSON',
      JSON.stringify({
        ...Object.fromEntries(
          propertyText()
            .trim()
            .split('\n')
            .map((line) => line.split(': ')),
        ),
      }),
    ],
    [
      'JSON on several lines',
      `{\n${propertyText()
        .trim()
        .split('\n')
        .map((line) => line.replace(': ', '": "').replace(/^|$/g, '"'))
        .join(',\n')}\n}`,
    ],
    [
      'a list in brackets that ends below its field',
      propertyText({}, 'facilities: [\n  wifi,\n  parking\n]\n'),
    ],
    ['a list without indentation', propertyText({}, 'facilities:\n- wifi\n- parking\n')],
    ['a start of a document', `---\n${propertyText()}`],
    ['an end of a document', `${propertyText()}...\n`],
    ['a version', `%YAML 1.2\n---\n${propertyText()}`],
    ['a tag that says what is so', propertyText({ title: '!!str Rose Cottage' })],
    ['an anchor and its alias', propertyText({ title: '&t Rose Cottage' }, 'state: *t\n')],
    ['a question mark', withLine('title', '? title\n: Rose Cottage')],
    ['a field in quotes', withLine('title', '"title": Rose Cottage')],
    ['text over several lines', propertyText({ title: 'Rose\n  Cottage' })],
    ['folded text', propertyText({ title: '>-\n  Rose\n  Cottage' })],
    ['a tab behind a dash', propertyText({}, 'facilities:\n  -\twifi\n')],
    ['comments everywhere', `# a\n${propertyText({ title: 'Rose Cottage # b' })}  # c\n`],
  ])('%s', (_what, text) => expect(findings(text)).toEqual([]));
});

describe('one mistake near the end of a file', () => {
  const end = (text: string) => `${propertyText({})}${text}`;
  it.each([
    ['an open bracket', 'payment_method:\n  - [method_type: "direct"\n    is_enabled: \'true\'\n'],
    ['an open brace', 'payment_method:\n  - {method_type: direct\n    is_enabled: x\n'],
    ['an open brace, without a line break', 'photo:\n  - {url: https://a.example/b.jpg\n    description: x'],
    ['a missing colon', 'payment_method\n  - method_type: direct\n    is_enabled: x\n'],
    ['a list on the line of its field', 'payment_method: - method_type: direct\n    is_enabled: x\n'],
    ['a tab', 'payment_method:\n\t- method_type: direct\n    is_enabled: x\n'],
    ['a character that begins no value', 'payment_method:\n@ - method_type: direct\n    is_enabled: x\n'],
    ['an open quote', 'photo:\n  - file: "a.jpg\n    description: x\n'],
  ])('is reported once: %s (T3)', (_name, text) => {
    expect(reasons(end(text))).toHaveLength(1);
  });

  it('hides no other one', () => {
    const text = end('photo\n  - file: a.jpg\n    description: x\nstate: "Cork\n');
    expect(reasons(text)).toHaveLength(2);
  });
});

describe('words for editors (D10)', () => {
  /** Each code of the library, with a file that raises it. Those that no file raises here are left out. */
  const FILES: Partial<Record<ErrorCode, readonly string[]>> = {
    ALIAS_PROPS: ['city: &a x\ntitle: &b *a\n', 'city: &a x\ntitle: !x *a\n'],
    BAD_ALIAS: [
      'title: *\n',
      'title: & x\n',
      'facilities:\n  * wifi\n',
      'a: &a: x\n',
      'city: &c x\ntitle: *c: y\n',
    ],
    BAD_COLLECTION_TYPE: ['photo: !!seq {a: b}\n', 'photo: !!map [a]\n'],
    BAD_DIRECTIVE: ['%YAML\n---\ntitle: x\n', '%TAG x\n---\ntitle: x\n', '%YAML 3.0\n---\ntitle: x\n'],
    BAD_DQ_ESCAPE: ['title: "\\q"\n', 'title: "\\xg"\n', 'title: "\\u12"\n', 'title: "C:\\Photos"\n'],
    BAD_INDENT: [
      'title: x\n  city: y\n',
      'a:\n    b: c\n  d: e\n',
      'facilities:\n   - a\n  - b\n',
      'a: [x,\ny]\n',
    ],
    BAD_PROP_ORDER: ['a:\n  &b - x\n', '&a - x\n', '&a ? b\n'],
    BAD_SCALAR_START: [
      'title: @x\n',
      'title: `x`\n',
      'title: %x\n',
      'title: [%x]\n',
      'facilities:\n  - @x\n',
    ],
    BLOCK_AS_IMPLICIT_KEY: ['title: a: b\n', 'title: - x\n', 'a: b: c: d\n'],
    BLOCK_IN_FLOW: ['a: [\n- x\n]\n', 'a: {b:\n- x\n}\n'],
    KEY_OVER_1024_CHARS: [`${'x'.repeat(1100)}: y\n`],
    MISSING_CHAR: [
      'title: "x\n',
      "title: 'x\n",
      'a: [x\n',
      'a: {x: y\n',
      'a\n',
      'a: x\nb\n',
      "a: 'x'#c\n",
      'a: [x y: z]\n',
      'a: !<x y\n',
      'a: {"b":c}\n',
    ],
    MULTILINE_IMPLICIT_KEY: ['a\nb: c\n', '"a\n b": c\n', 'a: [b\n c: d]\n'],
    MULTIPLE_ANCHORS: ['title: &a &b x\n'],
    MULTIPLE_TAGS: ['title: !a !b x\n'],
    NON_STRING_KEY: ['[a]: b\n', '{a: b}: c\n', '? [a]\n: b\n'],
    TAB_AS_INDENT: ['a:\n\t- x\n', 'a:\n\tb: x\n', '\ttitle: x\n', 'a: [\n\tx]\n'],
    TAG_RESOLVE_FAILED: [
      'title: !x y\n',
      'title: !!binary x\n',
      'title: !a!b x\n',
      'title: !<x> y\n',
      'a: !!set {x}\n',
    ],
    UNEXPECTED_TOKEN: [
      ...[
        'title: "a" b\n',
        'title: ]\n',
        'a: [,]\n',
        'a: [x,,y]\n',
        'a: {,}\n',
        'a: | x\n',
        'a: >x\n',
        ' a: b\nc: d\n',
      ],
      ...[
        'a: }\n',
        'a: [x]]\n',
        'a: {x: y}}\n',
        'a: [x] y\n',
        '--- a: b\n',
        'a: b\n- c\n',
        '- a\nb: c\n',
        'a: |9x\n y\n',
      ],
    ],
  };
  /** Words of the library, and of the specification of YAML. */
  const FOREIGN =
    /\b(?:tokens?|scalars?|flow|implicit|compact|indicator|alias|anchors?|node|seq|directives-end|block|collection|resolve|unresolved|escape sequence|stream)\b/i;

  it.each(Object.entries(FILES).flatMap(([code, texts]) => texts.map((text) => [code, text])))(
    '%s: %j',
    (_code, text) => {
      const { diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom());
      expect(diagnostics.length).toBeGreaterThan(0);
      for (const { code, message, help } of diagnostics) {
        if (code !== 'yaml-syntax') continue;
        expect(message).not.toMatch(FOREIGN);
        expect(help).toMatch(/^[A-Z].*\.$/);
      }
    },
  );

  it('say that the first line is indented', () => {
    expect(reasons(` ${propertyText()}`)).toEqual(['Line 1 is indented, and the lines below it are not.']);
    expect(reasons(`# c\n\n  ${propertyText()}`)).toEqual([
      'Line 3 is indented, and the lines below it are not.',
    ]);
  });

  it('are not needed for tags of YAML that say what a text is', () => {
    const text = propertyText(
      { title: '!!str Rose', latitude: '!!float 53.27194' },
      'state: !!null null\npayment_method:\n  - is_enabled: !!bool "true"\n    method_type: direct\n',
    );
    expect(findings(text)).toEqual([]);
  });

  it('tell of a value that a tag makes none, and of a long name (L10, L13)', () => {
    for (const value of ['1234', '"null x"', '|-\n  a', '\n  1234']) {
      const text = propertyText({}, `zip_code: !!null ${value}\n`);
      expect(advice(text)).toEqual([['yaml-syntax', 'Delete the tag or the value.']]);
    }
    expect(advice(propertyText({}, 'state: !!null\naddress: !!null ~\n'))).toEqual([]);
    const long = propertyText({}, `${'x'.repeat(1100)}: y\n`);
    expect(reasons(long)).toEqual(['The name of this field has more than 1024 characters.']);
  });

  it.each([
    ['!!python/unicode "x"', 'Delete !!python/unicode in front of the value.'],
    ['!<tag:a.example,2000:x> x', 'Delete !<tag:a.example,2000:x> in front of the value.'],
    ['!Rose Cottage', 'Put quotes around a value that starts with "!": tags have no meaning here.'],
  ])('advise to delete what is surely no text: %s', (title, help) => {
    expect(advice(propertyText({ title }))).toEqual([['yaml-syntax', help]]);
  });

  const advice = (text: string) =>
    checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom()).diagnostics.map(({ code, help }) => [
      code,
      help,
    ]);

  it.each([
    [
      'front matter',
      `---\n${propertyText()}---\nA lovely house: near the sea.\n\n- [ ] x\n`,
      /^Delete this line and the text/,
    ],
    ['a line --- at the end', `---\n${propertyText()}---\n`, /^Delete this line: one "---"/],
    ['a second line --- at the top', `---\n# a\n---\n${propertyText()}`, /^Delete this line: one "---"/],
    [
      'a text above the property',
      `A lovely house.\n---\n${propertyText()}`,
      /^Delete this line and the text above/,
    ],
    [
      'a text above the property, and no dashes (L9)',
      `A lovely house.\r\n...\r\n${propertyText().replaceAll('\n', '\r\n')}`,
      /^Delete this line and the text above/,
    ],
    ['two properties', `${propertyText()}---\n${propertyText()}`, /^Move each property/],
  ])('advise on %s', (_what, text, words) => {
    expect(advice(text)).toEqual([['several-documents', expect.stringMatching(words)]]);
  });

  it('tell a file of comments from an empty one', () => {
    expect(advice('# title: x\n#\n')).toEqual([['empty-file', expect.stringMatching(/^Remove the "#"/)]]);
    expect(advice('---\n# a\n')).toEqual([['empty-file', expect.stringMatching(/^Remove the "#"/)]]);
    expect(advice('\n')).toEqual([['empty-file', expect.stringMatching(/^Write a property/)]]);
  });
});
