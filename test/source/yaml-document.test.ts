import { describe, expect, it } from 'vitest';
import { readYamlExactly, type ValuePath } from '../../src/source/yaml-document.ts';
import { findingOf } from './property-text.ts';

const read = (text: string) => readYamlExactly(text, 'a.yaml');

describe('the parsed value', () => {
  it.each([
    ['a: 1', { a: '1' }],
    ['a: 0x1F\nb: 1e3\nc: .inf', { a: '0x1F', b: '1e3', c: '.inf' }],
    ['a: yes\nb: null\nc: ~\nd: 2001-01-01', { a: 'yes', b: 'null', c: '~', d: '2001-01-01' }],
    ['a:\nb: \'\'\nc: ""\nd: # c', { a: null, b: '', c: '', d: null }],
    ['- \n- x', [null, 'x']],
    ['[a, b: c, ]', ['a', { b: 'c' }]],
    ['a: &x {b: c}\nd: *x', { a: { b: 'c' }, d: { b: 'c' } }],
    ['<<: {a: x}\nb: y', { '<<': { a: 'x' }, b: 'y' }],
    ['%YAML 1.1\n---\na: yes\n<<: x', { a: 'yes', '<<': 'x' }],
    ['1: a\ntrue: b\n~: c', { 1: 'a', true: 'b', '~': 'c' }],
    [': x', { '': 'x' }],
    ['? a\n? b', { a: null, b: null }],
    ['"a\\u00e9\\ud83d\\ude00\\x41\\n"', 'aé😀A\n'],
    ['>\n  a\n  b\n\n  c\n', 'a b\nc\n'],
    ['|+\n  a\n\n', 'a\n\n'],
    ["'it''s'", "it's"],
    ['', null],
  ])('of %j', (text, value) => {
    expect(read(text)).toMatchObject({ value, diagnostics: [] });
    expect(read(text.replaceAll('\n', '\r\n')).value).toEqual(value);
  });

  it('has a field named __proto__ as its own', () => {
    const { value } = read('__proto__: {title: x}\nconstructor: y');
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { title?: unknown }).title).toBeUndefined();
  });

  it('of an alias that contains itself is finite', () => {
    const { value, diagnostics } = read('a: &a\n  b: *a\n');
    expect(diagnostics).toEqual([]);
    expect((value as { a: { b: unknown } }).a.b).toBe((value as { a: unknown }).a);
  });

  it('is absent when the file has an error', () => {
    for (const text of ['a: [', 'a: x\na: y', 'a: *b', 'a: x\n---\nb: y', 'a\0', '!x y']) {
      expect(read(text).value).toBeUndefined();
      expect(read(text).diagnostics).not.toEqual([]);
    }
  });
});

describe('a place', () => {
  const TEXT = [
    ...['# comment', 'title:   "Rose"  # comment', 'list:', '  - a', '  -', '  - {x: 1, y: [2, "3"]}'],
    ...['photo:', '  - file: a.jpg', '    description:', 'empty:', 'folded: >-', '  one', '  two'],
    ...['alias: &n {x: 1}', 'again: *n', '? key', ': value', ''],
  ].join('\n');

  it.each<[ValuePath, number, number, string]>([
    [[], 2, 1, 'title'],
    [['title'], 2, 10, '"Rose"'],
    [['nowhere'], 2, 1, 'title'],
    [['nowhere', 3, 'x'], 2, 1, 'title'],
    [['list'], 4, 3, '- a'],
    [['list', 0], 4, 5, 'a'],
    [['list', 1], 4, 3, '- a'],
    [['list', 2], 6, 6, 'x'],
    [['list', 2, 'y', 1], 6, 19, '"3"'],
    [['list', 9], 4, 3, '- a'],
    [['list', 'x'], 4, 3, '- a'],
    [['photo', 0], 8, 5, 'file'],
    [['photo', 0, 'file'], 8, 11, 'a.jpg'],
    [['photo', 0, 'url'], 8, 5, 'file'],
    [['photo', 0, 'description'], 9, 5, 'description'],
    [['empty'], 10, 1, 'empty'],
    [['empty', 'deeper'], 10, 1, 'empty'],
    [['folded'], 11, 9, '>-'],
    [['again'], 15, 8, '*n'],
    [['again', 'x'], 15, 8, '*n'],
    [['key'], 17, 3, 'value'],
    [['title', 'x'], 2, 10, '"Rose"'],
    [['__proto__'], 2, 1, 'title'],
    [[Symbol('x')], 2, 1, 'title'],
  ])('of the value at %j', (path, line, column, underlined) => {
    const { spanOf } = read(TEXT);
    expect(findingOf({ code: 'wrong-type', span: spanOf(path) } as never)).toEqual([
      'wrong-type',
      line,
      column,
      underlined,
    ]);
  });

  it.each<[ValuePath, string, number, number, string]>([
    [[], 'title', 2, 1, 'title'],
    [[], 'empty', 10, 1, 'empty'],
    [['photo', 0], 'description', 9, 5, 'description'],
    [['list', 2], 'y', 6, 12, 'y'],
    [[], 'nowhere', 2, 1, 'title'],
    [['photo', 0], 'nowhere', 8, 5, 'file'],
    [['title'], 'x', 2, 10, '"Rose"'],
  ])('of the key of %j named %s', (path, key, line, column, underlined) => {
    const { spanOfKey } = read(TEXT);
    expect(findingOf({ code: 'unknown-key', span: spanOfKey(path, key) } as never)).toEqual([
      'unknown-key',
      line,
      column,
      underlined,
    ]);
  });

  it('exists in any text', () => {
    for (const text of ['', '\n', '# c\n', '[', '- a', 'a', '{}', '\0', '---\n', ': x']) {
      expect(read(text).spanOf(['a', 0])).toMatchObject({
        line: expect.any(Number),
        column: expect.any(Number),
      });
      expect(read(text).spanOf(['a', 0]).length).toBeGreaterThan(0);
      expect(read(text).spanOfKey(['a'], 'b').length).toBeGreaterThan(0);
    }
  });
});

describe('aliases', () => {
  it('may stand for a value ninety-nine times, and no more', () => {
    const text = (count: number) => `a: &a x\nb: [${Array(count).fill('*a').join(', ')}]\n`;
    expect(read(text(99)).diagnostics).toEqual([]);
    expect(read(text(100)).diagnostics.map(findingOf)).toEqual([['too-many-aliases', 2, 5, '*a']]);
  });
});
