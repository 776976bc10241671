import { describe, expect, it } from 'vitest';
import type { Edit } from '../../../src/editing/edit/edit.ts';
import { editSchema } from '../../../src/editing/edit/edit-schema.ts';
import { editText, refusalOfText } from '../../../src/editing/edit/edit-text.ts';

/** The text after one edit, or the reason and line of a refusal. */
function edited(text: string, ...edits: Edit[]): string {
  const result = editText(text, edits);
  return 'refused' in result ? `${result.refused} ${result.line}` : result.text;
}
const set = (path: Edit['path'], value: string): Edit => ({ kind: 'set', path, value });

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
    ['in a block', 'title: |+ # c\n   a\n\n\ncity: x\n', ' b', 'title: " b" # c\n\n\ncity: x\n'],
    ['in a block with a width', 'title: |3-\n    a\n', ' b\nc', 'title: |3-\n    b\n   c\n'],
    ['that is folded', 'title: >\n  a b\n  c d\n\n  e\n', 'a b c d\nf', 'title: >\n  a b\n  c d\n\n  f\n'],
    ['behind a byte-order mark', '\ufefftitle: Rose\n', 'Tulip', '\ufefftitle: Tulip\n'],
  ])('%s', (_name, text, value, expected) => {
    expect(edited(text, set(['title'], value))).toBe(expected);
    expect(edited(expected, set(['title'], value))).toBe(expected);
  });
});

describe('a refused file', () => {
  it.each([
    ['a: b\ntitle: &x Rose\n', 'anchor 2'],
    ['a: &x b\ntitle: *x\n', 'anchor 2'],
    ['title: !!str Rose\n', 'tag 1'],
    ['a: &x {b: c}\n<<: *x\ntitle: Rose\n', 'merge-key 1'],
    ['? title\n: Rose\n', 'explicit-key 1'],
    ['title: Rose\na: "x\n', 'syntax-error 2'],
    ['title: Rose\n---\ntitle: x\n', 'several-documents 2'],
    ['title: Rose\na: x\na: y\n', 'duplicate-key 3'],
    ['- title\n', 'not-a-property 1'],
  ])('%j: %s', (text, refusal) => {
    expect(edited(text, set(['title'], 'Tulip'))).toBe(refusal);
  });

  it('is refused before any edit when no edit is possible', () => {
    expect(refusalOfText('title: "Rose\n')).toMatchObject({ refused: 'syntax-error', line: 1 });
    expect(refusalOfText('title: Rose\n')).toBeUndefined();
  });
});

describe('the schema of an edit', () => {
  it('accepts every kind of edit, and nothing else', () => {
    const edit = { kind: 'insert', path: ['photo', 0], value: { file: 'a.jpg', description: null } };
    expect(editSchema.parse(edit)).toEqual(edit);
    for (const wrong of [
      { kind: 'set', path: [], value: '' },
      { kind: 'set', path: ['a', 1, 'b', 2], value: '' },
      { kind: 'set', path: ['a'], value: 1 },
      { kind: 'set', path: ['a'] },
      { kind: 'move', path: ['a', 0], to: -1 },
    ]) {
      expect(editSchema.safeParse(wrong).success).toBe(false);
    }
  });
});
