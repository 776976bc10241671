import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldValues } from '../../src/editing/field-values.ts';
import { refusalOf, setFields } from '../../src/editing/set-fields.ts';
import { cases, DECLARED, shippedTexts } from './set-fields-cases.ts';
import { faultOf } from './set-fields-oracle.ts';

/** The text after a change, or the reason and line of a refusal. */
function changed(text: string, values: FieldValues): string {
  const result = setFields(text, values);
  return 'refused' in result ? `${result.refused} ${result.line}` : result.text;
}

describe('a text', () => {
  it.each([
    ['without quotes', 'title: Rose # c\n', 'Rose Cottage', 'title: Rose Cottage # c\n'],
    ['that needs quotes then', 'title: Rose # c\n', 'a: b', 'title: "a: b" # c\n'],
    ['in double quotes', 'title: "Rose" # c\n', 'Tulip', 'title: "Tulip" # c\n'],
    ['in single quotes', "title: 'Rose' # c\n", "It's", "title: 'It''s' # c\n"],
    ['in single quotes that cannot hold it', "title: 'Rose'\n", 'a\u0007', 'title: "a\\u0007"\n'],
    ['that looks like a number, as before', 'title: 01234\n', '01235', 'title: 01235\n'],
    ['that looks like a number, unlike before', 'title: Rose\n', '01235', 'title: "01235"\n'],
    ['that is not there yet', 'title: # c\n', 'Rose', 'title: Rose # c\n'],
    ['on the next line', 'title:\n    Rose\ncity: x', 'Tulip', 'title:\n    Tulip\ncity: x'],
    ['over several lines', 'title: Rose\n  Cottage # c\n', 'Tulip', 'title: Tulip # c\n'],
    ['of Windows', 'title: |\r\n  a\r\ncity: x\n', 'b\n\nc', 'title: |\r\n  b\r\n\r\n  c\r\ncity: x\n'],
    ['that gets lines', "title: 'Rose' # c", 'a\n\nb', 'title: |- # c\n  a\n\n  b'],
    [
      'that gets lines above a comment',
      'title: x # c\n  # d\ncity: y\n',
      'a\nb',
      'title: "a\\nb" # c\n  # d\ncity: y\n',
    ],
    ['in a block that cannot hold it', 'title: |- # c\n   a\ncity: x\n', ' b', 'title: " b" # c\ncity: x\n'],
    ['behind a byte-order mark', '\ufefftitle: Rose\n', 'Tulip', '\ufefftitle: Tulip\n'],
  ])('%s', (_name, text, value, expected) => {
    expect(changed(text, { title: value })).toBe(expected);
    expect(changed(expected, { title: value })).toBe(expected);
  });
});

describe('a list', () => {
  const PHOTOS = 'photo: # p\n  # above\n  - file: a # f\n    # x\n  - {file: c}\n\n# about city\ncity: x\n';
  it.each([
    [
      'takes comments along when entries move',
      PHOTOS,
      { photo: [{ file: 'c' }, { file: 'a' }] },
      'photo: # p\n  - {file: c}\n  # above\n  - file: a # f\n    # x\n\n# about city\ncity: x\n',
    ],
    [
      'changes the text of an entry alone',
      PHOTOS,
      { photo: [{ file: 'b' }, { file: 'c' }] },
      PHOTOS.replace('a # f', 'b # f'),
    ],
    [
      'puts a field of an entry in its place',
      PHOTOS,
      { photo: [{ file: 'a', description: 'x: y' }, { file: 'c' }] },
      PHOTOS.replace('# f\n', '# f\n    description: "x: y"\n'),
    ],
    [
      'loses an entry with its comments',
      PHOTOS,
      { photo: [{ file: 'c' }] },
      'photo: # p\n  - {file: c}\n\n# about city\ncity: x\n',
    ],
    ['loses the last entry', 'photo:\n- file: a\ncity: x', { photo: [] }, 'photo: []\ncity: x'],
    [
      'stays between brackets',
      'facilities: [wifi, pool] # c\n',
      { facilities: ['pool', 'a: b'] },
      'facilities: [pool, "a: b"] # c\n',
    ],
    [
      'keeps its indentation',
      'photo:\n- file: a\n',
      { photo: [{ file: 'a' }, { file: 'b' }] },
      'photo:\n- file: a\n- file: b\n',
    ],
    ['gets its first entry', 'photo: []\n', { photo: [{ file: 'a' }] }, 'photo:\n  - file: a\n'],
    [
      'stays spaced',
      'photo:\n  - file: a\n\n  - file: b\n',
      { photo: [{ file: 'c' }, { file: 'a' }, { file: 'b' }] },
      'photo:\n  - file: c\n\n  - file: a\n\n  - file: b\n',
    ],
    [
      'keeps a plain null',
      'photo:\n  - file: a\n    description: ~\n',
      { photo: [{ file: 'b', description: null }] },
      'photo:\n  - file: b\n    description: ~\n',
    ],
  ])('%s', (_name, text, values, expected) => {
    expect(changed(text, values as FieldValues)).toBe(expected);
  });
});

it.each([
  ['contained', 'facilities: # free\n  - wifi # free in all rooms\n  - tv\n'],
  ['equal', 'facilities: # free\n  - wifi # free\n  - tv # free\n'],
  ['containing', 'facilities: # free in all rooms\n  - wifi # free\n  - tv\n'],
  ['above', 'facilities: # free\n  # free\n  - wifi\n  - tv\n'],
])('a comment behind the name of a list may be like another: %s (D10)', (_what, text) => {
  expect(changed(text, { facilities: ['wifi', 'tv', 'sauna'] })).toBe(`${text}  - sauna\n`);
});

describe('a field', () => {
  const FIELDS = '# head\n\ntitle: Rose\n\ncity: Galway # c\n\nphoto:\n  - file: a.jpg\n';
  it.each([
    ['stands beside its group', FIELDS, { id: 'x' }, FIELDS.replace('title', 'id: x\ntitle')],
    ['begins a group', FIELDS, { currency: 'EUR' }, FIELDS.replace('Rose\n', 'Rose\n\ncurrency: EUR\n')],
    [
      'of several lines',
      FIELDS,
      { facilities: ['wifi'] },
      FIELDS.replace('# c\n', '# c\n\nfacilities:\n  - wifi\n'),
    ],
    ['unknown stands at the end', FIELDS, { extra: 'x' }, `${FIELDS}extra: x\n`],
    ['below the comments of the file', '\ufeff# c\ntitle: x', { id: 'p' }, '\ufeff# c\nid: p\ntitle: x'],
    ['in a file of comments', '# c\n', { id: 'p' }, '# c\nid: p\n'],
    ['in an empty file', '', { title: 'x', id: 'p', city: 'Lyon' }, 'id: p\ntitle: x\n\ncity: Lyon\n'],
    [
      'below its example',
      'id: x\n# title: ...\n# zip_code: ...\n\ncity: y\n',
      { title: 'z' },
      'id: x\n# title: ...\ntitle: z\n# zip_code: ...\n\ncity: y\n',
    ],
    [
      'in a file of Windows',
      'id: x\r\n\r\ncity: y\r\n',
      { title: 'z' },
      'id: x\r\ntitle: z\r\n\r\ncity: y\r\n',
    ],
    ['goes with its lines', FIELDS, { photo: null }, FIELDS.replace('\n\nphoto:\n  - file: a.jpg\n', '\n')],
    ['goes without a double blank line', FIELDS, { city: null }, FIELDS.replace('city: Galway # c\n\n', '')],
    ['gets another name', 'titel: "Rose" # c\n', { titel: null, title: 'Rose' }, 'title: "Rose" # c\n'],
    ['that says so already', FIELDS, { title: 'Rose', state: null }, FIELDS],
  ])('%s', (_name, text, values, expected) => {
    expect(changed(text, values as FieldValues)).toBe(expected);
  });
});

describe('a refusal', () => {
  it.each([
    ['syntax-error 2', 'id: x\ntitle: "\n'],
    ['merge-conflict 2', 'id: x\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> other\n'],
    ['several-documents 2', 'title: x\n---\ntitle: y\n'],
    ['duplicate-key 2', 'title: x\ntitle: y\n'],
    ['not-a-property 1', '- a\n'],
    ['flow-mapping 1', '{title: x}\n'],
    ['odd-flow-mapping 1', '{title: &a x, city: *a}\n'],
    ['anchor 2', 'id: x\ntitle: &a x\n'],
    ['tag 1', 'title: !a x\n'],
    ['merge-key 2', 'a: &a {b: c}\ntitle: x\n<<: *a\n'],
    ['explicit-key 1', '? title\n: x\n'],
    ['unformatted 2', ' id: x\n title: y\n'],
  ])('%s', (reason, text) => {
    expect(changed(text, { title: 'z' })).toBe(reason);
  });

  it('is not for a tag that changes nothing (L12)', () => {
    const text = 'title: !!str x # c\nlatitude: !!float 51.9\nfacilities:\n  - !!str wifi # w\n  - tv\n';
    const after = text.replace(' x ', ' z ').replace('51.9', '5').replace('wifi', 'pool');
    expect(changed(text, { title: 'z', latitude: '5', facilities: ['pool', 'tv'] })).toBe(after);
    expect(changed(text, { title: ['a'] as never })).toContain('title: # c\n  - a\n');
    expect(changed('facilities: !!seq\n  - a\n', { facilities: ['b'] })).toBe('tag 2');
  });

  it('is for the field, not for others', () => {
    expect(changed('id: &x y\ntitle: x\n', { title: 'z' })).toBe('id: &x y\ntitle: z\n');
    expect(refusalOf('id: &x y\ntitle: x\n')).toBeUndefined();
    expect(refusalOf('title: x\ntitle: y\n')).toEqual({
      refused: 'duplicate-key',
      line: 2,
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });
});

it('only the lines of the field differ, it has the intended value, and no other comment goes', () => {
  const refused: Record<string, number> = {};
  const runs = 300;
  fc.assert(
    fc.property(cases(shippedTexts('content')), (one) => {
      const result = setFields(one.text, { [one.field]: one.value }, DECLARED);
      if ('refused' in result) {
        refused[result.refused] = (refused[result.refused] ?? 0) + 1;
        expect(result.line).toBeLessThanOrEqual(one.text.split('\n').length);
      } else expect(faultOf(one, result.text)).toBeUndefined();
    }),
    { numRuns: runs },
  );
  // Refused files nearly always have anchors, tags and merge keys.
  expect(Object.values(refused).reduce((sum, count) => sum + count, 0)).toBeLessThan(runs * 0.2);
  expect(refused.unwritable ?? 0).toBeLessThan(runs * 0.03);
});
