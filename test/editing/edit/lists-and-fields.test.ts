import { describe, expect, it } from 'vitest';
import type { Edit } from '../../../src/editing/edit/edit.ts';
import { editText } from '../../../src/editing/edit/edit-text.ts';

/** The text after edits, and the removed comments. */
function made(text: string, ...edits: Edit[]): { text: string; dropped: readonly string[] } {
  const result = editText(text, edits);
  if ('refused' in result) throw new Error(`${result.refused} in line ${result.line}`);
  return result;
}

const set = (path: Edit['path'], value: (Edit & { kind: 'set' })['value']): Edit => ({
  kind: 'set',
  path,
  value,
});
const remove = (...path: Edit['path']): Edit => ({ kind: 'remove', path });
const insert = (path: Edit['path'], value: (Edit & { kind: 'set' })['value']): Edit => ({
  kind: 'insert',
  path,
  value,
});
const move = (path: Edit['path'], to: number): Edit => ({ kind: 'move', path, to });

const WORDS =
  'facilities: # list\n  - wifi # fast\n  # about parking\n  - parking\n  - pool\n    # deep\ncity: x\n';

describe('an entry of a list', () => {
  it.each([
    [
      'goes with the comments on its lines',
      WORDS,
      remove('facilities', 2),
      WORDS.replace('  - pool\n    # deep\n', ''),
    ],
    ['goes, and comments above it stay', WORDS, remove('facilities', 1), WORDS.replace('  - parking\n', '')],
    [
      'comes above comments of the next',
      WORDS,
      insert(['facilities', 1], 'a: b'),
      WORDS.replace('fast\n', 'fast\n  - "a: b"\n'),
    ],
    ['comes last', WORDS, insert(['facilities', 9], 'tv'), WORDS.replace('deep\n', 'deep\n  - tv\n')],
    [
      'moves with its comments',
      WORDS,
      move(['facilities', 2], 1),
      'facilities: # list\n  - wifi # fast\n  - pool\n    # deep\n  # about parking\n  - parking\ncity: x\n',
    ],
    ['leaves an empty list', 'photo: # c\n- file: a.jpg\n  url: x', remove('photo', 0), 'photo: [] # c'],
    [
      'comes into an empty list',
      'photo: [] # c\n',
      insert(['photo', 0], { file: 'a' }),
      'photo: # c\n  - file: a\n',
    ],
    ['comes into no list', 'id: x\n', insert(['facilities', 0], 'tv'), 'id: x\n\nfacilities:\n  - tv\n'],
    [
      'comes where a list is to be',
      'photo:\nid: x',
      insert(['photo', 0], { file: 'a' }),
      'photo:\n  - file: a\nid: x',
    ],
    [
      'comes between blank lines',
      'photo:\n-   file: a\n\n-   file: b\n',
      insert(['photo', 2], { description: 'x\n\ny', file: 'c', id: null }),
      'photo:\n-   file: a\n\n-   file: b\n\n-   file: c\n    description: |-\n      x\n\n      y\n',
    ],
    [
      'of Windows',
      'facilities:\r\n  - a\r\n  - b',
      insert(['facilities', 2], 'c'),
      'facilities:\r\n  - a\r\n  - b\r\n  - c',
    ],
    [
      'moves behind the end',
      'facilities:\n  - a\n  - b',
      move(['facilities', 0], 1),
      'facilities:\n  - b\n  - a',
    ],
  ] as [string, string, Edit, string][])('%s', (_name, text, edit, expected) => {
    expect(made(text, edit).text).toBe(expected);
  });

  it.each([
    [
      'comes',
      'facilities: [a, b] # c\n',
      insert(['facilities', 1], 'c, d'),
      'facilities: [a, "c, d", b] # c\n',
    ],
    [
      'comes last',
      'facilities: [\n  a,\n  b,\n]\n',
      insert(['facilities', 2], 'c'),
      'facilities: [\n  a,\n  b,\n  c,\n]\n',
    ],
    ['goes', 'facilities: [a, b]\n', remove('facilities', 0), 'facilities: [b]\n'],
    ['goes from the end', 'facilities: [a, b]\n', remove('facilities', 1), 'facilities: [a]\n'],
    ['moves', 'photo: [{file: a}, {file: b}]\n', move(['photo', 1], 0), 'photo: [{file: b}, {file: a}]\n'],
    ['gets a field', 'photo: [{file: a}]\n', set(['photo', 0, 'id'], 'x'), 'photo: [{file: a, id: x}]\n'],
    ['loses one', 'photo: [{file: a, id: x}]\n', remove('photo', 0, 'file'), 'photo: [{id: x}]\n'],
  ] as [string, string, Edit, string][])('between brackets %s', (_name, text, edit, expected) => {
    expect(made(text, edit).text).toBe(expected);
  });

  it('reports the comments that were removed with it', () => {
    expect(made(WORDS, remove('facilities', 0)).dropped).toEqual(['# fast']);
    expect(made(WORDS, set(['facilities'], ['wifi'])).dropped).toEqual(['# deep']);
    expect(made(WORDS, move(['facilities', 0], 2)).dropped).toEqual([]);
  });
});

describe('a list as a whole', () => {
  it('changes only in the entries that differ', () => {
    expect(made(WORDS, set(['facilities'], ['wifi', 'parking', 'sauna'])).text).toBe(
      WORDS.replace('pool', 'sauna'),
    );
    expect(made(WORDS, set(['facilities'], ['pool', 'wifi', 'parking'])).text).toBe(
      'facilities: # list\n  - pool\n    # deep\n  - wifi # fast\n  # about parking\n  - parking\ncity: x\n',
    );
    expect(made(WORDS, set(['facilities'], ['wifi', 'parking', 'pool']))).toEqual({
      text: WORDS,
      dropped: [],
    });
  });

  it('may replace a text', () => {
    expect(made('facilities: wifi # c\n', set(['facilities'], ['wifi'])).text).toBe(
      'facilities: # c\n  - wifi\n',
    );
  });
});

const FIELDS = '# head\nid: x\ntitle: Rose\n\ncity: Galway # c\n# note\n\n\nphoto:\n  - file: a.jpg\n';

describe('a field', () => {
  it.each([
    ['beside its group', set(['country'], 'NO'), FIELDS.replace('# c\n', '# c\ncountry: "NO"\n')],
    [
      'above the rest of its group',
      set(['zip_code'], '012'),
      FIELDS.replace('city', 'zip_code: "012"\ncity'),
    ],
    ['between groups', set(['email'], 'a@b'), FIELDS.replace('Rose\n', 'Rose\n\nemail: a@b\n')],
    [
      'of a list',
      set(['hotel_policy'], [{ policy_type: 'a' }]),
      `${FIELDS}\nhotel_policy:\n  - policy_type: a\n`,
    ],
    [
      'of an entry',
      set(['photo', 0, 'description'], 'x: y'),
      FIELDS.replace('a.jpg\n', 'a.jpg\n    description: "x: y"\n'),
    ],
    ['with an empty list', set(['facilities'], []), FIELDS.replace('# c\n', '# c\n\nfacilities: []\n')],
  ] as [string, Edit, string][])('is put in its place: %s', (_name, edit, expected) => {
    expect(made(FIELDS, edit).text).toBe(expected);
  });

  it.each([
    ['at the top', '\ufeff# c\ntitle: x', set(['id'], 'p'), '\ufeff# c\nid: p\ntitle: x'],
    [
      'below its example',
      'id: x\n# title: ...\n# zip_code: ...\n\ncity: y\n',
      set(['title'], 'z'),
      'id: x\n# title: ...\ntitle: z\n# zip_code: ...\n\ncity: y\n',
    ],
    ['in a file of comments', '# c\n', set(['id'], 'p'), '# c\nid: p\n'],
    ['in an empty file', '', set(['id'], 'p'), 'id: p\n'],
    [
      'above the first of an entry',
      'photo:\n  - id: x # c\n',
      set(['photo', 0, 'file'], 'a'),
      'photo:\n  - file: a\n    id: x # c\n',
    ],
    [
      'in a file of Windows',
      'id: x\r\n\r\ncity: y\r\n',
      set(['title'], 'z'),
      'id: x\r\ntitle: z\r\n\r\ncity: y\r\n',
    ],
  ] as [string, string, Edit, string][])('is put in its place %s', (_name, text, edit, expected) => {
    expect(made(text, edit).text).toBe(expected);
  });

  it.each([
    ['with its lines', remove('photo'), FIELDS.replace('\n\nphoto:\n  - file: a.jpg\n', '\n')],
    ['without a double blank line', remove('city'), FIELDS.replace('city: Galway # c\n', '')],
    ['where it is null', set(['title'], null), FIELDS.replace('title: Rose\n', '')],
  ] as [string, Edit, string][])('is removed %s', (_name, edit, expected) => {
    expect(made(FIELDS, edit).text).toBe(expected);
  });

  it.each([
    ['two blank lines, and leaves one', '# head\r\n\r\n\r\ntitle: x', '# head\r\n\r\n'],
    ['one, which goes', '# head\n\ntitle: x', '# head'],
    ['two, at the top of the file', '\n\ntitle: x', '\n'],
  ])('is removed from the end of a file, below %s', (_name, text, expected) => {
    expect(made(text, remove('title')).text).toBe(expected);
  });

  it('can be renamed', () => {
    expect(made('titel: "Rose" # c\n', { kind: 'rename', path: ['titel'], to: 'title' }).text).toBe(
      'title: "Rose" # c\n',
    );
    expect(editText('a: x\nb: y\n', [{ kind: 'rename', path: ['a'], to: 'b' }])).toMatchObject({
      refused: 'name-taken',
    });
  });

  it('is changed by all edits of a request, or by none', () => {
    expect(made('id: x\n', set(['title'], 'a'), set(['title'], 'b')).text).toBe('id: x\ntitle: b\n');
    expect(editText('id: x\n', [set(['title'], 'a'), remove('city')])).toEqual({
      refused: 'no-such-value',
      line: 1,
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });
});
