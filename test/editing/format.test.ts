import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { authoredSchema } from '../../src/contract/authored.ts';
import { yamlComments } from '../../src/editing/editable-text.ts';
import { formatText } from '../../src/editing/format.ts';
import { whyNotFormatted } from '../../src/editing/formattable-source.ts';
import { readYamlExactly } from '../../src/source/yaml-document.ts';
import { isMapping } from '../../src/values/mapping.ts';
import { authoredText } from './authored-text.ts';

type Photo = { file: string; position?: string };

/** The values of a file, read by another parser than the formatter's: photos in the order of their positions. */
function said(text: string) {
  const { photo, ...fields } = (parse(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' }) ??
    {}) as Record<string, unknown>;
  if (!Array.isArray(photo)) return { fields, photos: photo };
  const placed = (photo as Photo[]).map(({ position, ...rest }, index) => ({
    rest,
    position: Number(position ?? index + 1),
  }));
  const unique = new Set(placed.map(({ position }) => position)).size === placed.length;
  if (unique) placed.sort((a, b) => a.position - b.position);
  return { fields, photos: placed.map(({ rest, position }) => (unique ? rest : { rest, position })) };
}

const comments = (text: string) => (text.match(/# (?:comment \d+|header|footer)/g) ?? []).sort();

const allComments = (text: string) =>
  yamlComments(text)
    .map(({ source }) => source.trimEnd())
    .sort();

describe('formatting', () => {
  it('changes no value but positions, keeps every comment, and does nothing the second time', () => {
    fc.assert(
      fc.property(authoredText, (text) => {
        const formatted = formatText(text);
        // An empty file holds no property.
        if (!/^\S*\w+:/m.test(text)) return;
        expect(formatted).toBeDefined();
        expect(said(formatted!)).toEqual(said(text));
        expect(comments(formatted!)).toEqual(comments(text));
        expect(formatText(formatted!)).toBe(formatted);
        expect(formatted!.includes('\r\n')).toBe(text.includes('\r\n'));
      }),
      { numRuns: 100 },
    );
  });

  it('leaves no text that another YAML reader takes for a number, a boolean or a date', () => {
    fc.assert(
      fc.property(authoredText, (text) => {
        const formatted = formatText(text) ?? '';
        const guessed = (parse(formatted, { version: '1.1', schema: 'yaml-1.1' }) ?? {}) as Record<
          string,
          unknown
        >;
        for (const [key, value] of Object.entries(guessed)) {
          if (!Array.isArray(value) && key !== 'latitude' && value !== null)
            expect([key, typeof value]).toEqual([key, 'string']);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('gives every file one form', () => {
    expect(
      formatText(`# A house by the sea

# It was renamed in 2019.
title: 'Rose Cottage'   # for guests
id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11
country: NO
zip_code: 0123
phone: +353749158188


longitude: "-9.10"
latitude: 53.2
state: yes
facilities: [ wifi,'parking' ] # all year
photo:
- position: 7
  # the best one
  file: a.jpg
- {file: b.jpg, position: 2}
payment_method:
    - method_type: "direct"
      is_enabled: "true"
    # that is all
# the end
`),
    ).toBe(`# A house by the sea

id: 5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11
# It was renamed in 2019.
title: Rose Cottage # for guests
phone: "+353749158188"
zip_code: "0123"
state: "yes"
country: "NO"
latitude: 53.2

longitude: -9.10
facilities: [wifi, parking] # all year
photo:
  # the best one
  - file: a.jpg
    position: 2
  - file: b.jpg
    position: 1
payment_method:
  - is_enabled: true
    method_type: direct
  # that is all
# the end
`);
  });

  it.each([
    [
      'a list too long for a line',
      `facilities: [${Array(20).fill('swimming').join(', ')}]\n`,
      /^facilities:\n {2}- swimming\n/,
    ],
    ['a comment in a list', 'facilities: [a, # one\n  b]\n', /^facilities:\n {2}- a # one\n {2}- b\n$/],
    ['a comment behind a dash', 'photo:\n  - # one\n    file: a\n', /^photo:\n {2}# one\n {2}- file: a\n$/],
    [
      'a comment above an entry whose fields are sorted',
      'photo:\n  # one\n  - description: b\n    # two\n    file: a\n',
      /^photo:\n {2}# one\n {2}# two\n {2}- file: a\n {4}description: b\n$/,
    ],
    [
      'a comment of a list above one of the next field',
      'photo:\n  - file: a\n\n  # of the list\n# of the title\ntitle: b\n',
      /^# of the title\ntitle: b\nphoto:\n {2}- file: a\n\n {2}# of the list\n$/,
    ],
    ['an empty value', 'email:\n# about the phone\nphone: x\n', /^email:\n# about the phone\nphone: x\n$/],
    ['an empty list', 'facilities: [ ] # none\n', /^facilities: \[\] # none\n$/],
    ['blank lines', '\n\ntitle: a\n\n\n\ncity: b\n\n', /^title: a\n\ncity: b\n$/],
    ['a list after a blank line', 'facilities:\n\n  - a\n\n  - b\n', /^facilities:\n\n {2}- a\n\n {2}- b\n$/],
    ['JSON', '{"title": "x", "id": "a",\n "facilities": ["b"]}', /^id: a\ntitle: x\nfacilities: \[b\]\n$/],
    ['a document with marks', '---\ntitle: x\n...\n', /^title: x\n$/],
    ['a text over several lines', "title: 'a\n   b'\ncity: c\n  d\n", /^title: a b\ncity: c d\n$/],
    ['a folded text', 'title: >-\n    a\n    b\n\n    c\n', /^title: >-\n {2}a\n {2}b\n\n {2}c\n$/],
    ['a plain null (E4)', 'state: ~\ncity: "null"\n', /^city: "null"\nstate: ~\n$/],
    [
      'a plain null of a photo (E4)',
      "photo: [{file: a, description: null}, {file: b, description: 'null'}]\n",
      /a\n {4}description: null\n.*b\n {4}description: "null"\n$/,
    ],
    ['a plain null in a list (E4)', "facilities: [ null , '~' ]\n", /^facilities: \[null, "~"\]\n$/],
    [
      'lines (E3)',
      'hotel_policy:\n - detail: |-\n     a\n\n     b\n',
      /^hotel_policy:\n {2}- detail: \|-\n {6}a\n\n {6}b\n$/,
    ],
    ['an unknown field', 'titel: a\nid: b\n', /^id: b\ntitel: a\n$/],
    [
      'a remark behind a list in brackets that becomes lines',
      'photo: [{file: a}, {file: b}] # of the owner\n  # more\nid: b\n',
      /^id: b\nphoto: # of the owner\n {2}- file: a\n {2}- file: b\n {2}# more\n$/,
    ],
    [
      'remarks before and behind a list in brackets',
      'photo: # before\n  [{file: a}] # behind\n',
      /^photo: # before\n {2}- file: a\n {2}# behind\n$/,
    ],
    [
      'positions that some photos lack',
      'photo: [{file: a, position: 2}, {file: b, position: 1}, {file: c}]\n',
      /a\n.*2\n.*b\n.*1\n.*c\n$/,
    ],
    [
      'a position that others make necessary',
      'photo: [{file: a}, {file: b, position: 9}, {file: c}]\n',
      /a\n.*b\n.*position: 3\n.*c\n.*position: 2\n$/,
    ],
    [
      'positions that contradict each other',
      'photo: [{file: a, position: 5}, {file: b, position: 5}]\n',
      /5\n.*\n.*5\n/,
    ],
  ])('of %s', (_name, text, expected) => {
    const formatted = formatText(text);
    expect(formatted).toMatch(expected);
    expect(formatText(formatted!)).toBe(formatted);
    expect(said(formatted!)).toEqual(said(text));
  });

  it.each([
    ['breaks a rule', 'title: "x\n'],
    ['is empty', '# nothing\n'],
    ['is no mapping', '- a\n'],
    ['has an anchor', 'city: &c x\ntitle: *c\n'],
    ['has a tag', 'city: !x y\n'],
    ['nests deeper', 'facilities: [[a]]\n'],
    ['has a mapping for a text', 'city: {a: b}\n'],
  ])('leaves a file unchanged that %s', (_name, text) => {
    expect(formatText(text)).toBeUndefined();
  });

  it('keeps values and comments of any file that can be read (D10)', () => {
    const blocks = fc.constantFrom(
      ...[
        '|\n  a\n   b\n',
        '|-\n  a\n\n\n  b # c\n',
        '>\n  a\n  b\n\n    c\n',
        '|+\n  a\n\n\n',
        '>+\n  a\n\n',
      ],
      ...[
        '|2\n    a\n   b\n',
        '>3-\n     a\n',
        '|2+\n\n   a\n\n',
        '| # remark\n    a\n',
        '|\n  a  \n  \n    \n',
      ],
      ...['|\n   a\n   \tb\n', '!!str "x"\n', '!!int 7\n', '\n  x\n'],
    );
    const inserted = fc.record({
      place: fc.nat(40),
      line: fc.constantFrom(
        '#',
        '',
        '  ',
        '  #',
        '    # own',
        '# own',
        '#!shebang',
        '   #  own  ',
        '# ---',
        '\t# own',
      ),
    });
    const file = fc.record({
      text: authoredText,
      lines: fc.array(inserted, { maxLength: 6 }),
      top: fc.constantFrom(
        '',
        '',
        '---\n',
        '# top\n---\n',
        '%YAML 1.2\n---\n',
        '# top\n\n%YAML 1.2\n--- # start\n#\n',
        '\n\n',
      ),
      end: fc.constantFrom('', '', '...\n', '...\n# end\n', '\n\n\n', '... # end\n\n#\n'),
      block: fc.option(blocks),
      isBlockFirst: fc.boolean(),
      isOpen: fc.boolean(),
    });
    const counts = { sound: 0 };
    fc.assert(
      fc.property(file, ({ text, lines, top, end, block, isBlockFirst, isOpen }) => {
        const field = block === null ? '' : `address: ${block}`;
        const all = (isBlockFirst ? field + text : `${text}${field}`).split(/\r?\n/);
        for (const { place, line } of lines) all.splice(place, 0, line);
        const eol = text.includes('\r\n') ? '\r\n' : '\n';
        let whole = `${top}${all.join('\n')}${end}`.replace(/\n/g, eol);
        if (isOpen) whole = whole.replace(/\s+$/, '');
        const before = readYamlExactly(whole, '');
        if (!isMapping(before.value) || Object.keys(before.value).length === 0) return;
        counts.sound++;
        const formatted = formatText(whole);
        expect(formatted, whyNotFormatted(whole)).toBeDefined();
        expect(readYamlExactly(formatted!, '').diagnostics).toEqual([]);
        expect(said(formatted!)).toEqual(said(whole));
        expect(allComments(formatted!)).toEqual(allComments(whole));
        expect(formatText(formatted!)).toBe(formatted);
      }),
      { numRuns: 100 },
    );
    expect(counts.sound).toBeGreaterThan(40);
  });

  it.each([
    ['city: &c x\ntitle: *c\n', 'has an anchor (&) in line 1'],
    ['---\n# c\ntitle: y\ncity: !x y\n', 'has a tag (!) in line 4'],
    ['facilities: [[a]]\n', 'has a list or mapping inside of one that cannot have it'],
    ['# nothing\n', 'has no fields'],
    ['{}\n', 'has no fields'],
    ['# a\n--- {}\n# b\n', 'has no fields'],
    ['- a\n', 'has no "field: value" lines at its top'],
    ['a: b\n---\nc: d\n', 'has several documents, separated by "---" or "..."'],
  ])('says why %j is left (D10)', (text, reason) => {
    expect(formatText(text)).toBeUndefined();
    expect(whyNotFormatted(text)).toBe(reason);
  });

  it.each([
    ['#\n# Rose\n#\ntitle:   "x"\n', '#\n# Rose\n#\ntitle: x\n'],
    ['# c\n---\ntitle:   x\n', '# c\n---\ntitle: x\n'],
    ['%YAML 1.2\n---\ntitle:   x\n', '%YAML 1.2\n---\ntitle: x\n'],
    ['# c\n{ "title": "x", "city": "z" }\n', '# c\n\ntitle: x\ncity: z\n'],
    ['{ # a\n title: x, # b\n # c\n city: z # d\n} # e\n', '# a\ntitle: x # b\n# c\ncity: z # d\n# e\n'],
    ['---\ntitle:   x\n...\n', 'title: x\n'],
    ['state: |+\n  a\n\n\ntitle: x\n', 'title: x\nstate: |+\n  a\n\n\n'],
    ['state: |4\n      a\n', 'state: |2\n    a\n'],
    ['facilities:\n- |2\n    a\n', 'facilities:\n  - |2\n      a\n'],
    ['state: !!str x\n', 'state: x\n'],
    ['city: a\n? state\n', 'city: a\nstate:\n'],
  ])('of %j (D10)', (text, formatted) => {
    expect(formatText(text)).toBe(formatted);
    expect(formatText(formatted)).toBe(formatted);
  });

  it.each([
    ['photo:\n  - url: a\n    description:\n  # of b\n  - url: b\n', 'description:\n  # of b\n  - url: b\n'],
    ['photo:\n- url: a\n  description:\n\n# of b\n- url: b\n', 'description:\n\n  # of b\n  - url: b\n'],
    ['photo:\n  - {url: a} # of a\n  # of b\n  - {url: b}\n', '    # of a\n  # of b\n  - url: b\n'],
    [
      'hotel_policy:\n  - detail: a\n    # of a\n  # of b\n  - detail: b\n',
      '- detail: a\n    # of a\n  # of b\n  - detail: b\n',
    ],
    ['facilities:\n  # none yet\ncurrency: EUR\n', 'currency: EUR\nfacilities: # none yet\n'],
    [
      'state:\n  # a\n  # b\n# of it\ncountry: IE\ncity: x\n',
      'city: x\nstate:\n  # a\n  # b\n# of it\ncountry: IE\n',
    ],
    ['facilities:\n    - wifi\n  # - sauna\ncity: x\n', 'city: x\nfacilities:\n  - wifi\n  # - sauna\n'],
    ['facilities:\n    - wifi\n  # - sauna\n', 'facilities:\n  - wifi\n  # - sauna\n'],
    ['photo:\n  - url: x # y\n      #\n    description: z\n', 'x # y\n      #\n    description: z\n'],
    ['hotel_policy:\n  - detail: s\n #\n', 'detail: s\n  #\n'],
    ['state:\n# of it\n? zip_code\n: T12\n', '# of it\nzip_code: T12\nstate:\n'],
    ['city: # a\n# b\n? zip_code\n: 1\n', '# b\nzip_code: "1"\ncity: # a\n'],
    [
      'hotel_policy:\n  # a\n  - detail: x\n    policy_type: a\n  # b\n  - detail: z\n    policy_type: b\n',
      '  # a\n  - policy_type: a\n    detail: x\n  # b\n  - policy_type: b\n    detail: z\n',
    ],
    ['photo:\n- url: a\n  position: |+\n    - 1\n\n  #c\n', 'position: |+\n      - 1\n\n    #c\n'],
    [
      'payment_method: #\n  -\n    is_enabled: 1 #a\n    #b\n',
      'payment_method: #\n  - is_enabled: 1 #a\n    #b\n',
    ],
    ['--- {id: a, title: x}\n', 'id: a\ntitle: x\n'],
    [
      'hotel_policy:\n  - detail: x\n\n    policy_type: |+\n      a\n\n',
      '  - policy_type: |+\n      a\n\n    detail: x\n',
    ],
  ])('leaves comments and blank lines where they belong: %j', (text, expected) => {
    const formatted = formatText(text);
    expect(formatted).toContain(expected);
    expect(formatText(formatted!)).toBe(formatted);
    expect(said(formatted!)).toEqual(said(text));
    expect(allComments(formatted!)).toEqual(allComments(text));
  });

  it('keeps each comment above its field or entry, whatever is empty', () => {
    const value = fc.constantFrom('', ' v', ' v # r', ' |\n@    v', ' ""');
    const entry = fc.record({
      values: fc.tuple(value, value),
      isTurned: fc.boolean(),
      isNoted: fc.boolean(),
    });
    const field = fc.record({
      name: fc.constantFrom('title', 'city', 'state', 'address', 'hotel_policy'),
      value,
      entries: fc.array(entry, { minLength: 1, maxLength: 3 }),
      indent: fc.constantFrom('', '  ', '    '),
      isNoted: fc.boolean(),
      isSpaced: fc.boolean(),
    });
    const file = fc.uniqueArray(field, { selector: ({ name }) => name, minLength: 1 });
    fc.assert(
      fc.property(file, (fields) => {
        let text = '';
        const next = new Map<string, RegExp>();
        for (const { name, value, entries, indent, isNoted, isSpaced } of fields) {
          if (isSpaced) text += '\n';
          if (isNoted) text += `# above ${name}\n`;
          if (isNoted) next.set(`# above ${name}`, new RegExp(`^${name}:`));
          text += `${name}:${name === 'hotel_policy' ? '' : value.replace('@', '')}\n`;
          if (name !== 'hotel_policy') continue;
          for (const [index, { values, isTurned, isNoted: isEntryNoted }] of entries.entries()) {
            if (isEntryNoted) text += `${indent}# above entry ${index}\n`;
            if (isEntryNoted) next.set(`# above entry ${index}`, /^ {2}- /);
            const lines = ['policy_type', 'detail'].map(
              (key, n) => `${key}:${values[n]!.replace('@', indent)}`,
            );
            if (isTurned) lines.reverse();
            text += `${indent}- ${lines.join(`\n${indent}  `)}\n${indent}  ${index}: x\n`;
          }
        }
        const lines = formatText(text)!.split('\n');
        for (const [comment, expected] of next) {
          const at = lines.findIndex((line) => line.trim() === comment);
          const below = lines.slice(at + 1).findIndex((line) => !/^\s*(?:#.*)?$/.test(line)) + at + 1;
          expect(lines[below], `${comment}\n${text}`).toMatch(expected);
          const index = /entry (\d)/.exec(comment)?.[1];
          // The first line of the next "0: x" below the dash tells which entry it is.
          if (index)
            expect(
              lines
                .slice(below)
                .find((line) => /^ {4}\d: x$/.test(line))
                ?.trim(),
            ).toBe(`${index}: x`);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('follows the order of the schema', () => {
    const fields = Object.keys(authoredSchema.shape);
    const text = fields
      .toReversed()
      .map((field) => `${field}: x\n`)
      .join('');
    expect(Object.keys(parse(formatText(text)!))).toEqual(fields);
  });
});
