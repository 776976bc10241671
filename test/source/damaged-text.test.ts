import { describe, expect, it } from 'vitest';
import { editorFindings } from '../../src/dev/content/editor-findings.ts';
import { readFieldValues } from '../../src/dev/content/read-field-values.ts';
import { repairText } from '../../src/editing/repair.ts';
import { validateProperty } from '../../src/import/candidate/candidate.ts';
import { findTextDamage, repairedText } from '../../src/source/damaged-text.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { termsFrom } from '../support/terms.ts';
import { FIELDS, propertyText } from './property-text.ts';

const VOCABULARY = termsFrom();

function found(text: string) {
  const { diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', VOCABULARY);
  return diagnostics.map(({ code, fieldPath = [], suggestion }) => [code, fieldPath.join('.'), suggestion]);
}

const codes = (text: string) => found(text).map(([code]) => code);
const withTitle = (title: string) => propertyText({ title: JSON.stringify(title) });
const withState = (state: string) => propertyText({}, `state: ${JSON.stringify(state)}\n`);

describe('a placeholder (D8)', () => {
  const PLACEHOLDERS = [
    ...[
      '#N/A',
      '#REF!',
      '#VALUE!',
      '#NAME?',
      '#DIV/0!',
      '#NULL!',
      '#NUM!',
      '#SPILL!',
      '#n/a',
      '######',
      'Err:502',
    ],
    ...[
      '#NV',
      '#BEZUG!',
      '#WERT!',
      '#ZAHL!',
      '#N/D',
      '#¡REF!',
      '#¿NOMBRE?',
      '#VALEUR!',
      '#NOM?',
      '#ССЫЛКА!',
      '#Н/Д',
    ],
    ...['#Error', '#REF', '#VALUE', '#Deleted'],
    ...['{{ title }}', '{% title %}', '\u0024{title}', '%TITLE%', '<no value>', '<nil>'],
    ...['\\N', 'NULL', '(null)', '<null>', 'undefined', 'NaN', '[object Object]'],
  ];

  it.each(PLACEHOLDERS)('%s is an error of a required text, else a warning', (text) => {
    expect(codes(withTitle(text))).toEqual(['placeholder']);
    expect(codes(withState(text))).toEqual(['doubtful-placeholder']);
  });

  it.each(['none', 'None', 'N/A', 'n/a', 'unknown', 'nan', 'TBD', '-', '--', '—', '?', '...'])(
    '%s is a warning',
    (text) => {
      expect(codes(withTitle(text))).toEqual(['doubtful-placeholder']);
    },
  );

  it('NULL without quotes is an error of a required text, else a text', () => {
    expect(codes(propertyText({ title: 'NULL' }, 'state: NULL\n'))).toEqual(['placeholder', 'null-text']);
  });

  it('is found in every text', () => {
    const lists = `facilities: [wifi, "-"]
photo:
  - url: https://a.example/a.jpg
    description: "#REF!"
hotel_policy:
  - policy_type: check_in
    detail: "#N/A"
`;
    expect(found(propertyText({ city: '"#REF!"' }, lists)).map(([code, path]) => [code, path])).toEqual([
      ['placeholder', 'city'],
      ['placeholder', 'hotel_policy.0.detail'],
      ['doubtful-placeholder', 'facilities.1'],
      ['doubtful-placeholder', 'photo.0.description'],
    ]);
  });

  it.each([
    '#1',
    '#5 House',
    '# 9',
    '#hashtag',
    'Null',
    'Nan',
    'Nil',
    'No. 5',
    'A',
    'None Such',
    'Ö',
    '5',
    '!',
  ])('%s may be a name', (text) => expect(codes(withTitle(text))).toEqual([]));

  it('None is a town in Italy', () => {
    const italian = {
      city: 'None',
      country: 'IT',
      latitude: '44.93',
      longitude: '7.54',
      phone: '+39 06 6982',
    };
    expect(codes(propertyText(italian))).toEqual([]);
  });
});

describe('damage of a text (D8)', () => {
  it.each([
    ['mojibake', 'MÃ¼nchen', ['garbled-text'], 'München'],
    ['mojibake, twice', 'MÃƒÂ¼nchen', ['garbled-text'], 'München'],
    ['mojibake with lost bytes', 'MÃ¼nchen Ã  Ã', ['garbled-text'], undefined],
    ['entities', 'Smith &amp; Sons&#39; House', ['html-text'], "Smith & Sons' House"],
    ['entities of entities', 'A &amp;amp; B', ['html-text'], undefined],
    ['tags', '<b>Rose</b><br>Cottage', ['html-text'], 'Rose Cottage'],
    ['entities and mojibake', 'CafÃ© &amp; Bar', ['garbled-text', 'html-text'], 'Café & Bar'],
    ['a soft hyphen', 'Rosen\u00adhaus', ['odd-character'], 'Rosenhaus'],
    ['no-break spaces', 'Rose\u00a0 Cottage', ['odd-character'], 'Rose Cottage'],
    ['a thin space', 'Rose\u2009Cottage', ['odd-character'], 'Rose Cottage'],
    ['a zero-width space', 'Rose\u200b Cottage', ['odd-character'], 'Rose Cottage'],
    ['a joiner of Latin letters', 'Rose\u200dCottage', ['odd-character'], 'RoseCottage'],
    ['a lost letter', 'Ros\ufffd', ['lost-character'], undefined],
    ['a script', '<script>alert(1)</script>', ['html-text'], undefined],
    ['an entity of a control character', 'Rose &#7; Cottage', ['html-text'], undefined],
  ] as const)('%s of a title', (_what, title, expected, repaired) => {
    const text = withTitle(title);
    expect(found(text)).toEqual(expected.map((code) => [code, 'title', repaired]));
    const fixed = repairText(text, VOCABULARY);
    expect(fixed?.text).toBe(repaired === undefined ? undefined : withTitle(repaired));
    if (fixed) expect(codes(fixed.text)).toEqual([]);
  });

  it.each([
    ['an emoji of several', 'Family 👨\u200d👩\u200d👧 House'],
    ['Persian', 'می\u200cخواهم'],
    ['a Japanese space', '旅館\u3000富士'],
    ['an ampersand', 'Bed & Breakfast'],
  ])('%s is none', (_what, title) => expect(codes(withTitle(title))).toEqual([]));

  it('breaks become lines where a text may have them, else commas', () => {
    const text = propertyText(
      {},
      'address: 1 Main Street<br>Galway\nhotel_policy:\n  - policy_type: check_in\n    detail: "<p>From <b>15:00</b>.<br>Late&nbsp;arrival: call.</p>"\n',
    );
    expect(found(text).map(([code, path, suggestion]) => [code, path, suggestion])).toEqual([
      ['html-text', 'address', '1 Main Street, Galway'],
      ['html-text', 'hotel_policy.0.detail', 'From 15:00.\nLate arrival: call.'],
    ]);
    const fixed = repairText(text, VOCABULARY)!;
    expect(codes(fixed.text)).toEqual([]);
    expect(fixed.text).toContain('    detail: |-\n      From 15:00.\n      Late arrival: call.\n');
  });

  it('no-break spaces are sound outside of names', () => {
    expect(codes(propertyText({}, 'address: 1\u00a0Main Street\n'))).toEqual([]);
  });
});

describe('a comment behind a text (D8)', () => {
  it.each([
    ['title', propertyText({ title: 'Sea House #5' }), 'title'],
    ['title behind a tab', propertyText({ title: 'Sea House\t#5' }), 'title'],
    ['address', propertyText({}, 'address: Unit #12, Quay\n'), 'address'],
    ['facility', propertyText({}, 'facilities:\n  - wifi #2\n'), 'facilities.0'],
    [
      'detail',
      propertyText({}, 'hotel_policy:\n  - policy_type: check_in\n    detail: Ask in room #3\n'),
      'hotel_policy.0.detail',
    ],
    ['zip_code that is empty without it', propertyText({}, 'zip_code: #1234\n'), 'zip_code'],
    ['title that is missing without it', propertyText({ title: '#5 Main' }), 'title'],
    [
      'detail that is empty without it',
      propertyText({}, 'hotel_policy:\n  - policy_type: check_in\n    detail: #3 is open\n'),
      'hotel_policy.0.detail',
    ],
    ['title with an error elsewhere', propertyText({ title: 'Sea House #5', city: "''" }), 'title'],
  ])('of a %s may be part of it', (_what, text, path) => {
    expect(found(text)).toContainEqual(['text-behind-hash', path, undefined]);
  });

  it.each([
    ['words', propertyText({ title: 'Sea House # 5 rooms' })],
    ['an issue', propertyText({ title: 'Sea House # see #5' })],
    ['quotes', propertyText({ title: '"Sea House" #5' })],
    ['quotes around it', propertyText({ title: '"Sea House #5"' })],
    ['a number', propertyText({ latitude: '53.27194 #1' })],
    ['a list below it', propertyText({}, 'facilities: #5\n  - wifi\n')],
    ['an empty field above its line', propertyText({}, 'state:\n  #5 rooms\n')],
    ['a line of its own', propertyText({}, '#5 rooms\nstate: Connacht\n')],
    ['a line of its own, indented', propertyText({}, 'facilities:\n  - wifi\n  #5 rooms\n')],
  ])('is a comment with %s', (_what, text) => expect(codes(text)).toEqual([]));
});

describe('a text read in the encoding of another system (D8)', () => {
  const read = (text: string, encoding: string) => new TextDecoder(encoding).decode(Buffer.from(text));

  it.each([
    [
      'macintosh',
      ['München', 'Café', 'São Paulo', 'Città', 'Straße', 'L’Aquila', 'Ärger – gut', 'Reykjavík'],
    ],
    ['windows-1251', ['München', 'Café', 'Città Alta', 'L’Aquila', 'Ärger – gut', 'Москва', 'Київ', 'Łódź']],
  ])('%s', (encoding, texts) => {
    for (const text of texts) {
      expect(codes(withTitle(read(text, encoding))), text).toContain('garbled-text');
      expect(repairedText(read(text, encoding), 'name')).toBe(text);
    }
  });

  it.each([
    ...[
      '√2 × 3',
      '√ House',
      '¬ sign',
      'Рёбра',
      'Сёла',
      'Вёшки',
      'В „Доме“',
      'СІМ’Я',
      'В’язень',
      'С. І. Петров',
    ],
    ...['Г–образный', 'Гј', 'Кафе «У Рё»', 'Ґ', 'Њујорк', 'Ёлки'],
  ])('%s is sound', (text) => {
    expect(findTextDamage(text, 'name')).toEqual([]);
    expect(repairedText(text, 'name')).toBeUndefined();
  });
});

it('signs of windows-1252 that were read as controls are restored, and other controls are not', () => {
  expect(repairedText('\u0093Villa\u0094, R\u00fcgen\u0085', 'lines')).toBe('“Villa”, Rügen…');
  expect(repairText(withTitle('a \u0093b\u0094'), VOCABULARY)?.text).toContain('title: "a “b”"');
  expect(repairedText('\u0093Villa\u0094 \u0007', 'lines')).toBeUndefined();
});

describe('a reserved UUID (D8)', () => {
  it.each(['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'])('%s', (id) => {
    expect(codes(propertyText({ id }))).toEqual(['reserved-id']);
    const photo = `photo:\n  - url: https://a.example/a.jpg\n    id: ${id}\n`;
    expect(codes(propertyText({}, photo))).toEqual(['reserved-id']);
  });

  it('of a photo gets advice for a photo (39)', () => {
    const id = '00000000-0000-0000-0000-000000000000';
    const text = propertyText({}, `photo:\n  - url: https://a.example/a.jpg\n    id: ${id}\n`);
    const { diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', VOCABULARY);
    const help = 'Delete the line: the build makes the id of a photo from its file or link.';
    expect(diagnostics.map((one) => one.help)).toEqual([help]);
    const [shown] = editorFindings(diagnostics, { text, values: readFieldValues(text), terms: VOCABULARY });
    expect(shown?.message).toBe('The number by which the catalogue knows this photo stands for "none".');
    expect(shown?.help).toBe('Remove it, and add it again.');
    expect(codes(text.replace(/^ +id: .*\n/m, ''))).toEqual([]);
    const photo = [{ url: 'https://a.example/a.jpg', id }];
    expect(validateProperty({ ...FIELDS, photo }, VOCABULARY).findings).toMatchObject([
      { message: 'The id is a UUID that stands for "no id". It is left out.', help: '' },
    ]);
    const row = validateProperty({ ...FIELDS, id }, VOCABULARY);
    expect(row.findings.map((one) => one.help)).toEqual([
      'Give the row an id of its own, or make the ids of a column with "uuid" in the mapping.',
    ]);
  });

  it('of zeros is replaced like an absent one', () => {
    const text = propertyText({ id: '00000000-0000-0000-0000-000000000000' });
    const repaired = repairText(text, VOCABULARY)!.text;
    expect(codes(repaired)).toEqual([]);
    expect(repaired.replace(/^id: .*/m, `id: ${FIELDS.id}`)).toBe(propertyText());
  });
});

describe('the length of a text (D8)', () => {
  const withDetail = (length: number) =>
    propertyText({}, `hotel_policy:\n  - policy_type: check_in\n    detail: ${'ä'.repeat(length)}\n`);
  it.each([
    [5000, []],
    [5001, ['long-text']],
    [20_000, ['long-text']],
    [20_001, ['text-too-long']],
  ] as const)('of %i characters', (length, expected) => {
    expect(codes(withDetail(length))).toEqual(expected);
  });
});
