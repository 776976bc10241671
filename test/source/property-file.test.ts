import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDiagnostic } from '../../src/source/diagnostic.ts';
import { checkPropertyFile, parsePropertyFile } from '../../src/source/property-file.ts';
import { MAX_FILE_BYTES } from '../../src/source/source-text.ts';
import { readYamlExactly } from '../../src/source/yaml-document.ts';
import { authoredText } from '../editing/authored-text.ts';
import { processorTime } from '../support/processor-time.ts';
import { termsFrom } from '../support/terms.ts';
import { mutatedDocument, shuffledDocument } from './mutated-document.ts';
import { FIELDS, type Finding, findings, propertyText, withLine } from './property-text.ts';

const check = (text: string | Buffer) => checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom());

describe('a value', () => {
  const WORDS = [
    ...['01234', '+33123456789', '48.85660', '1984', 'NO', 'no', 'No', 'yes', 'Y', 'on', 'off', 'true'],
    ...['False', 'null', 'Null', '~', '0x1F', '0o17', '0b101', '017', '1e3', '1_000', '1.0', '-0'],
    ...['.5', '.inf', '.NaN', '12:30:45', '2001-01-01', '2001-12-14t21:59:43.10-05:00', '<<', '=', 'a:b'],
    ...['a#b', 'a - b', 'a, b [c] {d}', 'it\'s "so"', '“Rose”', '50%', 'http://x/?a=b&c=*d'],
  ];

  it.each(WORDS)('%s is read as typed, without quotes and with them, by both readers', (word) => {
    // A file without an e-mail address gets a warning, and so the exact reader reads it again.
    for (const more of ['', 'state: x\n']) {
      for (const email of [FIELDS.email, undefined]) {
        const plain = check(propertyText({ title: word, email }, more));
        expect(plain.property?.title).toBe(word);
        const quoted = check(propertyText({ title: JSON.stringify(word), email }, more));
        expect(quoted.property?.title).toBe(word);
        const single = check(propertyText({ title: `'${word.replaceAll("'", "''")}'`, email }, more));
        expect(single.property?.title).toBe(word);
      }
    }
  });

  it('of each field is read as typed', () => {
    const { property, diagnostics } = check(
      propertyText(
        {
          title: '1984',
          country: 'NO',
          city: '0x1F',
          phone: '+33123456789',
          latitude: '59.91000',
          longitude: '10',
        },
        'zip_code: 0123\nstate: yes\naddress: 1e3\nfacilities:\n  - 24\n  - no\npayment_method:\n  - {is_enabled: true, method_type: direct}\nhotel_policy:\n  - policy_type: 2001-01-01\n    detail: 1.0\nphoto:\n  - file: 007.jpg\n    description: 12:30\n    position: 3\n',
      ),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    expect(property).toEqual({
      ...FIELDS,
      title: '1984',
      draft: '',
      live_from: '',
      live_until: '',
      country: 'NO',
      city: '0x1F',
      phone: '+33123456789',
      latitude: '59.91000',
      longitude: '10',
      zip_code: '0123',
      state: 'yes',
      address: '1e3',
      facilities: ['24', 'no'],
      payment_method: [{ is_enabled: true, method_type: 'direct' }],
      hotel_policy: [{ policy_type: '2001-01-01', detail: '1.0' }],
      photo: [{ file: '007.jpg', description: '12:30', position: 3 }],
    });
  });

  it('that is empty counts as absent', () => {
    const { property, diagnostics } = check(
      propertyText(
        {},
        'zip_code:\nstate: # none\naddress: \nfacilities:\nphoto:\n  - file: a.jpg\n    description:\n    position:\nhotel_policy: []\n',
      ),
    );
    expect(diagnostics).toEqual([]);
    expect(property).toMatchObject({ zip_code: '', state: '', address: '', facilities: [] });
    expect(property?.photo).toEqual([{ file: 'a.jpg' }]);
  });
});

describe('a finding', () => {
  const photo = (...lines: string[]) => propertyText({}, ['photo:', ...lines, ''].join('\n'));
  const CASES: [what: string, text: string, ...found: Finding[]][] = [
    ['a missing field', propertyText({ title: undefined }), ['missing-key', 1, 1, 'id']],
    ['a missing first field', propertyText({ id: undefined }), ['missing-key', 1, 1, 'title']],
    ['a field without a value', withLine('title', 'title:'), ['missing-key', 2, 1, 'title']],
    ['a field with a comment for a value', withLine('city', 'city: # todo'), ['missing-key', 6, 1, 'city']],
    [
      'all fields missing',
      'state: x\n',
      ...['id', 'title', 'currency', 'city', 'country', 'latitude', 'longitude'].map(
        (): Finding => ['missing-key', 1, 1, 'state'],
      ),
      ['missing-email', 1, 1, 'state'],
      ['missing-phone', 1, 1, 'state'],
    ],
    [
      'a missing field of an entry',
      propertyText({}, 'hotel_policy:\n  - detail: x\n'),
      ['missing-key', 11, 5, 'detail'],
    ],
    [
      'a field of an entry without a value',
      propertyText({}, 'hotel_policy:\n  - policy_type:\n    detail: x\n'),
      ['missing-key', 11, 5, 'policy_type'],
    ],
    [
      'an entry without fields',
      propertyText({}, 'hotel_policy:\n  - {}\n'),
      ['missing-key', 11, 5, '{}'],
      ['missing-key', 11, 5, '{}'],
    ],
    ['an unknown field', propertyText({}, 'titel: x\n'), ['unknown-key', 10, 1, 'titel']],
    [
      'an unknown field in quotes',
      propertyText({}, '"two words": x\n'),
      ['unknown-key', 10, 1, '"two words"'],
    ],
    ['an unknown field without a name', propertyText({}, ': x\n'), ['unknown-key', 10, 1, ':']],
    [
      'a field named __proto__',
      propertyText({}, '__proto__: {title: x}\n'),
      ['unknown-key', 10, 1, '__proto__'],
    ],
    [
      'a field named constructor',
      propertyText({}, 'constructor: x\n'),
      ['unknown-key', 10, 1, 'constructor'],
    ],
    [
      'a merge key',
      propertyText({}, 'x: &x {title: y}\n<<: *x\n'),
      ['unknown-key', 10, 1, 'x'],
      ['merge-key', 11, 1, '<<'],
    ],
    [
      'an unknown field of a photo',
      photo('  - file: a.jpg', '    __proto__: x'),
      ['unknown-key', 12, 5, '__proto__'],
    ],
    ['a field twice', withLine('city', 'city: Galway\ncity: Cork'), ['duplicate-key', 7, 1, 'city']],
    [
      'a field twice, once in quotes',
      withLine('city', 'city: Galway\n"city": Cork'),
      ['duplicate-key', 7, 1, '"city"'],
    ],
    [
      'a field three times',
      withLine('city', 'city: a\ncity: b\ncity: c'),
      ['duplicate-key', 7, 1, 'city'],
      ['duplicate-key', 8, 1, 'city'],
    ],
    ['a field of a photo twice', photo('  - {file: a.jpg, file: b.jpg}'), ['duplicate-key', 11, 19, 'file']],
    ['a list for a text', withLine('city', 'city:\n  - Galway'), ['wrong-type', 7, 3, '- Galway']],
    ['a mapping for a text', withLine('city', 'city:\n  name: Galway'), ['wrong-type', 7, 3, 'name']],
    [
      'a text for a list',
      propertyText({}, 'facilities: wifi, parking\n'),
      ['wrong-type', 10, 13, 'wifi, parking'],
    ],
    ['a mapping for a list', photo('  file: a.jpg'), ['wrong-type', 11, 3, 'file']],
    ['a text for a mapping', photo('  - a.jpg'), ['wrong-type', 11, 5, 'a.jpg']],
    ['nothing for a mapping', photo('  -', '  - file: a.jpg'), ['wrong-type', 11, 3, '-']],
    [
      'a mapping for a facility',
      propertyText({}, 'facilities:\n  - wifi: yes\n'),
      ['wrong-type', 11, 5, 'wifi'],
    ],
    [
      'a text over several lines',
      propertyText({ title: '|-\n  Rose\n  Cottage' }),
      ['control-character', 2, 8, '|-'],
    ],
    [
      'an escaped tab',
      propertyText({ title: '"Rose\\tCottage"' }),
      ['control-character', 2, 8, '"Rose\\tCottage"'],
    ],
    ['a raw tab', propertyText({ title: 'Rose\tCottage' }), ['control-character', 2, 8, 'Rose\tCottage']],
    ['a raw escape', propertyText({ title: 'Rose\u001bCottage' }), ['control-character', 2, 12, '\u001b']],
    ['a NUL', propertyText({ title: 'Rose\0Cottage' }), ['control-character', 2, 12, '\0']],
    [
      'a C1 control',
      propertyText({ title: 'Rose\u0085Cottage' }),
      ['control-character', 2, 8, 'Rose\u0085Cottage'],
    ],
    [
      'the line ends of an old Macintosh',
      propertyText().replaceAll('\n', '\r'),
      ['control-character', 1, 41, '\r'],
    ],
    ['a direction mark', propertyText({ city: 'Galway\u200e' }), ['direction-mark', 6, 7, 'Galway\u200e']],
    [
      'an escaped direction mark',
      propertyText({ city: '"Gal\\u202eway"' }),
      ['direction-mark', 6, 7, '"Gal\\u202eway"'],
    ],
    ['half of a pair', propertyText({ title: '"\\ud800"' }), ['invalid-unicode', 2, 8, '"\\ud800"']],
    ['the other half', propertyText({ title: '"\\udc00x"' }), ['invalid-unicode', 2, 8, '"\\udc00x"']],
    ['an empty text', propertyText({ title: "''" }), ['empty-text', 2, 8, "''"]],
    ['an empty facility', propertyText({}, "facilities: [wifi, '']\n"), ['empty-text', 10, 20, "''"]],
    ['no UUID', propertyText({ id: 'rose' }), ['invalid-id', 1, 5, 'rose']],
    ['no currency', propertyText({ currency: 'Euro' }), ['unknown-currency', 3, 11, 'Euro']],
    ['no country', propertyText({ country: 'Ireland # the island' }), ['unknown-country', 7, 10, 'Ireland']],
    ['no address', propertyText({ email: 'stay' }), ['invalid-email', 4, 8, 'stay']],
    ['no phone number', propertyText({ phone: '01 605' }), ['invalid-phone', 5, 8, '01 605']],
    ['no latitude', propertyText({ latitude: '91' }), ['invalid-latitude', 8, 11, '91']],
    ['no longitude', propertyText({ longitude: '1e2' }), ['invalid-longitude', 9, 12, '1e2']],
    ['a long city', propertyText({ city: 'x'.repeat(121) }), ['city-too-long', 6, 7, 'x'.repeat(121)]],
    [
      'no boolean',
      propertyText({}, 'payment_method:\n  - is_enabled: yes\n    method_type: direct\n'),
      ['invalid-boolean', 11, 17, 'yes'],
    ],
    [
      'no method type',
      propertyText({}, 'payment_method:\n  - is_enabled: true\n    method_type: cash\n'),
      ['unknown-method-type', 12, 18, 'cash'],
    ],
    ['a photo without a source', photo('  - description: x'), ['photo-source', 11, 5, 'description']],
    [
      'a photo with two sources',
      photo('  - file: a.jpg', '    url: https://p.example/a'),
      ['photo-source', 11, 5, 'file'],
    ],
    ['no link', photo('  - url: p.example/a'), ['invalid-url', 11, 10, 'p.example/a']],
    ['no path', photo('  - file: C:\\a.jpg'), ['invalid-photo-path', 11, 11, 'C:\\a.jpg']],
    ['no position', photo('  - file: a.jpg', '    position: first'), ['invalid-position', 12, 15, 'first']],
    [
      'a position twice',
      photo('  - {file: a.jpg, position: 1}', '  - {file: b.jpg, position: 1}'),
      ['duplicate-position', 12, 29, '1'],
    ],
    [
      'the position of a place in the list',
      photo('  - {file: a.jpg, position: 2}', '  - file: b.jpg'),
      ['duplicate-position', 12, 5, 'file'],
    ],
    ['a photo twice', photo('  - file: a.jpg', '  - file: a.jpg'), ['duplicate-photo', 12, 5, 'file']],
    ['no e-mail', propertyText({ email: undefined }), ['missing-email', 1, 1, 'id']],
    ['an empty e-mail', propertyText({ email: "''" }), ['missing-email', 4, 8, "''"]],
    ['an e-mail without a value', withLine('email', 'email:'), ['missing-email', 4, 1, 'email']],
    ['no phone', propertyText({ phone: undefined }), ['missing-phone', 1, 1, 'id']],
    [
      'a phone of no range',
      propertyText({ phone: '+353 67 000 0000' }),
      ['doubtful-phone', 5, 8, '+353 67 000 0000'],
    ],
    [
      'a postal code of elsewhere',
      propertyText({}, 'zip_code: 75001\n'),
      ['doubtful-postal-code', 10, 11, '75001'],
    ],
    [
      'an id in upper case',
      propertyText({ id: FIELDS.id.toUpperCase() }),
      ['upper-case-id', 1, 5, FIELDS.id.toUpperCase()],
    ],
    ['spaces at the ends', propertyText({ city: "' Galway '" }), ['text-changed', 6, 7, "' Galway '"]],
    [
      'a no-break space at the end',
      propertyText({ city: 'Galway\u00a0' }),
      ['text-changed', 6, 7, 'Galway\u00a0'],
    ],
    [
      'letters that are not in NFC',
      propertyText({ title: 'Cafe\u0301' }),
      ['text-changed', 2, 8, 'Cafe\u0301'],
    ],
    ['a null', propertyText({}, 'state: null\n'), ['null-text', 10, 8, 'null']],
    ['a null in a list', propertyText({}, 'facilities: [wifi, ~]\n'), ['null-text', 10, 20, '~']],
    ['a list at the top', '- title: a\n- title: b\n', ['not-a-mapping', 1, 1, '- title: a']],
    ['a text at the top', 'hello\n', ['not-a-mapping', 1, 1, 'hello']],
    ['several documents', `${propertyText()}---\ntitle: x\n`, ['several-documents', 10, 1, '---']],
    [
      'a second document without dashes (L9)',
      `${propertyText()}...\n# more\ntitle: x\n`,
      ['several-documents', 10, 1, '...'],
    ],
    [
      'text below a front matter',
      `---\n${propertyText()}---\nSome text\n`,
      ['several-documents', 11, 1, '---'],
    ],
    ['deep brackets', propertyText({}, `facilities: ${'['.repeat(30)}`), ['nested-too-deep', 10, 31, '[']],
    [
      'deep dashes',
      propertyText({}, `facilities:\n  ${'- '.repeat(30)}x\n`),
      ['nested-too-deep', 11, 39, '-'],
    ],
    ['aliases of aliases', bomb(), ['too-many-aliases', 2, 8, '*a']],
    ['emoji before it', propertyText({}, 'address: &a 😀 x\ntitel: *a\n'), ['unknown-key', 11, 1, 'titel']],
    ['emoji in it', propertyText({ country: '😀😀' }), ['unknown-country', 7, 10, '😀😀']],
  ];

  it.each(CASES)('%s', (_what, text, ...found) => expect(findings(text)).toEqual(found));

  it.each(CASES)(
    '%s is at the same place with the line ends of Windows, and with a byte-order mark',
    (_what, text, ...found) => {
      if (text.includes('\r')) return;
      expect(findings(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(found);
    },
  );

  it('does not hide others', () => {
    const text = propertyText(
      { id: 'x', currency: 'x', country: 'x', latitude: 'x' },
      'titel: x\nphoto:\n  - stars: y\n',
    );
    expect(
      findings(text)
        .map(([code]) => code)
        .sort(),
    ).toEqual([
      ...['invalid-id', 'invalid-latitude', 'photo-source', 'unknown-country', 'unknown-currency'],
      ...['unknown-key', 'unknown-key'],
    ]);
  });

  function bomb(): string {
    const level = (name: string, of: string) =>
      `${name}: &${name} [${Array(10).fill(`*${of}`).join(', ')}]\n`;
    return `a: &a [${Array(10).fill('x').join(', ')}]\n${[...'bcdefghij'].map((name, index) => level(name, 'abcdefghij'.charAt(index))).join('')}`;
  }
});

describe('a file', () => {
  it.each([
    ['empty', ''],
    ['of blanks', ' \n\n  \t\n'],
    ['of a byte-order mark', '\ufeff'],
    ['of a document that is empty', '---\n...\n'],
  ])('%s is empty', (_what, text) => {
    expect(check(text)).toEqual({
      property: undefined,
      diagnostics: [createDiagnostic('empty-file', 'rose.yaml', null)],
    });
  });

  it.each([
    ['Latin-1', Buffer.from(propertyText({ city: 'Málaga' }), 'latin1'), 131, ['not-utf8', 6, 8, '\ufffd']],
    [
      'UTF-16 with a mark, little endian',
      Buffer.from(`\ufeff${propertyText()}`, 'utf16le'),
      1,
      ['not-utf8', 1, 1, '\ufffd'],
    ],
    [
      'UTF-16 with a mark, big endian',
      Buffer.from(`\ufeff${propertyText()}`, 'utf16le').swap16(),
      1,
      ['not-utf8', 1, 1, '\ufffd'],
    ],
    ['a character that is cut off', Buffer.from('title: é').subarray(0, -1), 8, ['not-utf8', 1, 8, '\ufffd']],
    ['a character that is cut short', Buffer.from([0x61, 0xef, 0xbf, 0x62]), 4, ['not-utf8', 1, 2, '\ufffd']],
    ['surrogates in UTF-8', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 2, ['not-utf8', 1, 2, '\ufffd']],
    ['an overlong slash', Buffer.from([0x61, 0x0a, 0xc0, 0xaf]), 3, ['not-utf8', 2, 1, '\ufffd']],
    [
      'much good text, and then a byte',
      Buffer.concat([Buffer.from('é\ufffd\n'.repeat(1000)), Buffer.from([0xff]), Buffer.from('é'.repeat(9))]),
      6001,
      ['not-utf8', 1001, 1, '\ufffd'],
    ],
  ] as const)('in %s is not UTF-8', (_what, bytes, byte, finding) => {
    expect(findings(bytes)).toEqual([finding]);
    expect(check(bytes).diagnostics[0]?.message).toBe(
      `The file is not UTF-8 text: byte ${byte} does not fit.`,
    );
  });

  it('in UTF-16 without a mark contains a NUL', () => {
    expect(findings(Buffer.from(propertyText(), 'utf16le'))).toEqual([['control-character', 1, 2, '\0']]);
  });

  it('that is a photo, or a program, gives one finding', () => {
    expect(findings(Buffer.from('ffd8ffe000104a46494600', 'hex'))).toEqual([['not-utf8', 1, 1, '\ufffd']]);
    expect(findings(Buffer.from('7f454c46020101', 'hex'))).toEqual([['control-character', 1, 1, '\x7f']]);
  });

  it('with a byte-order mark is read without it', () => {
    expect(check(`\ufeff${propertyText()}`)).toEqual(check(propertyText()));
    expect(check(`\ufeff${propertyText()}`).property?.id).toBe(FIELDS.id);
  });
});

describe('a malicious file', () => {
  const N = 100_000;
  // Texts that cost a reader time and stack. The test asserts no codes for those that are merely long.
  const FILES: [what: string, text: string, code?: string][] = [
    ['brackets that open', '['.repeat(N), 'nested-too-deep'],
    ['brackets that open and close', `a: ${'['.repeat(N)}${']'.repeat(N)}`, 'nested-too-deep'],
    ['braces', '{a: '.repeat(N), 'nested-too-deep'],
    ['dashes', `${'- '.repeat(N)}x`, 'nested-too-deep'],
    ['question marks', `${'? '.repeat(N)}x`, 'nested-too-deep'],
    ['question marks on lines', '?\n'.repeat(N)],
    [
      'steps',
      Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      'nested-too-deep',
    ],
    ['colons', `title${': '.repeat(N)}`],
    ['brackets that close', ']'.repeat(MAX_FILE_BYTES)],
    ['commas', `[${','.repeat(N)}]`, 'too-many-tokens'],
    ['different fields', Array.from({ length: N }, (_, n) => `k${n}: v`).join('\n'), 'too-many-tokens'],
    [
      'different fields, just few enough',
      Array.from({ length: 2800 }, (_, n) => `k${n}: v`).join('\n'),
      'unknown-key',
    ],
    ['the same field', 'k: v\n'.repeat(N), 'too-many-tokens'],
    ['the same field, just few enough', 'k: v\n'.repeat(2800), 'duplicate-key'],
    ['documents', '---\n'.repeat(N), 'several-documents'],
    ['anchors', '&a '.repeat(N)],
    ['an anchor', `a: &${'a'.repeat(MAX_FILE_BYTES - 5)}`],
    ['an alias', `a: *${'a'.repeat(MAX_FILE_BYTES - 5)}`, 'yaml-syntax'],
    ['a tag', '!'.repeat(MAX_FILE_BYTES), 'yaml-syntax'],
    ['aliases', `a: &a x\nfacilities: [${Array(5000).fill('*a').join(', ')}]`, 'too-many-aliases'],
    [
      'aliases of a list of aliases',
      `a: &a [x]\nb: &b [${Array(90).fill('*a').join(', ')}]\nc: [${Array(90).fill('*b').join(', ')}]`,
      'too-many-aliases',
    ],
    ['an alias of itself', 'title: &a [*a]\nphoto: &b [*b]\nstate: &c {x: *c}\n', 'wrong-type'],
    ['blank lines', '\n'.repeat(MAX_FILE_BYTES), 'too-many-tokens'],
    ['comments', '# x\n'.repeat(N), 'too-many-tokens'],
    ['spaces before a colon', `title${' '.repeat(MAX_FILE_BYTES - 10)}: x`, 'yaml-syntax'],
    ['tabs', '\t'.repeat(MAX_FILE_BYTES)],
    ['a line', propertyText({ title: 'x'.repeat(MAX_FILE_BYTES - 1000) })],
    ['an open quote', `title: "${'\\n'.repeat(N)}`, 'yaml-syntax'],
    ['a quote of many lines', `title: "x\n${' x\n'.repeat(N)}"`],
    ['a text of many lines', propertyText({ title: `x\n${' x\n'.repeat(N)}` })],
    ['a block of many lines', propertyText({ title: `|\n${' x\n'.repeat(N)}` }), 'control-character'],
    ['an escape', propertyText({ title: `"${'\\u0041'.repeat(N)}"` })],
    ['percent signs', '%a\n'.repeat(N)],
    ['dashes without spaces', '-'.repeat(MAX_FILE_BYTES)],
    ['quotes', '"'.repeat(MAX_FILE_BYTES)],
    ['quotes on lines', '"\n'.repeat(N)],
    ['single quotes', `title: '${"''".repeat(N)}'\n`],
  ];

  it.each(FILES)('%s gets a defined result quickly', (_what, text, code) => {
    let checked = {} as ReturnType<typeof check>;
    expect(processorTime(() => (checked = check(text)))).toBeLessThan(10_000);
    const { property, diagnostics } = checked;
    if (code) expect(diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
    expect(property === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    for (const { message, help, span } of diagnostics.slice(0, 50)) {
      expect(message.length + help.length).toBeLessThan(700);
      expect(message + help).not.toMatch(/call stack|undefined|\[object|\bat .*:\d+:\d+/);
      if (span) expect(span.text.length).toBeGreaterThanOrEqual(span.column - 1);
    }
  });
});

describe('reopen', () => {
  it('finds places in a file that was checked before', () => {
    const bytes = Buffer.from(`\ufeff${propertyText({}, 'photo:\n  - file: a.jpg\n')}`);
    expect(parsePropertyFile(bytes, 'rose.yaml').spanOf(['photo', 0, 'file'])).toMatchObject({
      line: 11,
      column: 11,
      length: 5,
    });
    expect(parsePropertyFile(bytes, 'rose.yaml').spanOf(['city'])).toMatchObject({
      line: 6,
      column: 7,
      length: 6,
    });
  });

  it('finds some place in a file that has changed since', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from([0xff]),
      Buffer.from('['.repeat(100)),
      Buffer.from('a\0'),
    ]) {
      expect(parsePropertyFile(bytes, 'rose.yaml').spanOf(['photo', 0, 'file'])).toMatchObject({ line: 1 });
    }
  });
});

describe('places in a file', () => {
  /** Every path of a value. */
  function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
    if (typeof value !== 'object' || value === null) return [path];
    const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    const entries = value as Record<string | number, unknown>;
    return [path, ...steps.flatMap((step) => pathsOf(entries[step], [...path, step]))];
  }

  it('are those of the exact reader, wherever the quick one finds them (E11)', () => {
    const judge = (text: string) => {
      const exact = readYamlExactly(text, 'a.yaml');
      const opened = parsePropertyFile(Buffer.from(text), 'a.yaml');
      for (const path of [...pathsOf(exact.value), ['no_such_field']])
        expect(opened.spanOf(path), JSON.stringify(path)).toEqual(exact.spanOf(path));
    };
    judge('a: [x, y x, x] # c\r\nb: >- # c\r\n  x\r\n\r\nc:\r\n- d: "\u00e9\\""\r\n  e:\r\n- f\r\n');
    const documents = fc.oneof(mutatedDocument, shuffledDocument, authoredText);
    // What is reopened has lost its byte-order mark, and half a character.
    const decoded = documents.map((text) =>
      Buffer.from(text)
        .toString()
        .replace(/^\ufeff/, ''),
    );
    fc.assert(fc.property(decoded, judge), { numRuns: 400 });
  });
});

describe('a merge key (D9)', () => {
  const base = 'x: &x\n  title: Rose\n  city: Galway\n';
  it.each([
    ['of the property', `${base}<<: *x\n${propertyText({ title: undefined, city: undefined })}`],
    ['of several', `${base}<<: [*x, *x]\n${propertyText({ title: undefined, city: undefined })}`],
  ])('%s is named, and its fields are not missing', (_what, text) => {
    expect(check(text).diagnostics.map(({ code }) => code)).toEqual(['unknown-key', 'merge-key']);
  });

  it('of an entry is named', () => {
    const text = propertyText({}, 'photo:\n  - <<: {file: a.jpg}\n    description: x\n');
    expect(check(text).diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([['merge-key', 11]]);
  });
});

describe('a file that looks right (D10)', () => {
  it.each(['# c\n', '--- # c\n', '  # c', '%YAML 1.2\n---\n# c\n'])('%j has only comments', (text) => {
    expect(check(text).diagnostics[0]?.message).toBe('The file has only comments.');
  });

  it.each(['：', '： ', ':\u00a0', ' :\u3000'])('with %j behind names is told so', (sign) => {
    const [fault] = check(propertyText().replaceAll(': ', sign)).diagnostics;
    expect(fault).toMatchObject({ code: 'not-a-mapping', help: expect.stringContaining('type both again') });
  });
});

it('settings under another name or in another folder are no property (D9)', () => {
  const settings = 'base_url: https://a.example\npage_sizes: [25]\n';
  const codes = (text: string) => check(text).diagnostics.map(({ code }) => code);
  expect(codes(settings)).toEqual(['misnamed-configuration']);
  expect(codes(`${propertyText()}base_url: https://a.example\n`)).toEqual(['unknown-key']);
});

it('two facilities in one entry are doubted, words of an owner are not (D10)', () => {
  const codes = (list: string) =>
    check(propertyText({}, `facilities:\n${list}`)).diagnostics.map(({ code }) => code);
  for (const list of ['- wifi\n  - tv\n', '  - wifi, tv\n', '  - wifi; parking; tv\n'])
    expect(codes(list)).toEqual(['unknown-facility']);
  for (const list of ['- wifi\n- tv\n', '  - harp, fiddle\n', '  - wifi - harp\n'])
    expect(codes(list)).toEqual([]);
});
