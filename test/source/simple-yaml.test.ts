import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readYamlQuickly } from '../../src/source/simple-yaml.ts';
import { readYamlExactly } from '../../src/source/yaml-document.ts';
import { blockDocument, disagreement, mutatedDocument, shuffledDocument } from './mutated-document.ts';

describe('the quick reader accepts', () => {
  it.each([
    ['a: x', { a: 'x' }],
    ['a: x y, z:"w"', { a: 'x y, z:"w"' }],
    ['a:\nb:   # none\n', { a: null, b: null }],
    ['a: \'it\'\'s\' # c\nb: "say \\"so\\" \\\\"', { a: "it's", b: 'say "so" \\' }],
    ['a: >-\n  x\n  # y: -\n\nb: z\n', { a: 'x # y: -', b: 'z' }],
    ['a:\n  - b: >-\n      x\n  # c\n  - c:\n    d:\n    - y\n', { a: [{ b: 'x' }, { c: null, d: ['y'] }] }],
    ['a: [x, y z]\nb: []\n', { a: ['x', 'y z'], b: [] }],
    ['a: |\n  x\n   y # z\n\n  w \n\n\nb: |- # c\n  v\n', { a: 'x\n y # z\n\nw \n', b: 'v' }],
    ['a: >\n   x\n   y\n\n\n   z\nb: >-\n  v\n\n  w', { a: 'x y\n\nz\n', b: 'v\n\nw'.replace('\n\n', '\n') }],
    ['a:\r\n  - |-\r\n    x\r\n\r\n    y\r\n  - b: |\r\n       z', { a: ['x\n\ny', { b: 'z\n' }] }],
    ['title@fr: x\ntitle@pt-BR: y\nfield2: z\n', { 'title@fr': 'x', 'title@pt-BR': 'y', field2: 'z' }],
    ['a: [Küche, 東京 湾, Wi-Fi, B.B., кухня]\n', { a: ['Küche', '東京 湾', 'Wi-Fi', 'B.B.', 'кухня'] }],
    [
      'a:\n  - {file: a.jpg, description: Küche und Bad}\nb: { c: d } # e\n',
      { a: [{ file: 'a.jpg', description: 'Küche und Bad' }], b: { c: 'd' } },
    ],
    ['a:\n  - x\n  -   y: z\n      w: -1\n', { a: ['x', { y: 'z', w: '-1' }] }],
    ['a:\r\n- x\r\n# c\r\n\r\n', { a: ['x'] }],
    ['# c\n\n', null],
    ['a: 😀 東京 ~ & * ! | > % @ ` # c', { a: '😀 東京 ~ & * ! | > % @ `' }],
  ])('%j', (text, value) => {
    expect(readYamlQuickly(text)).toEqual(value);
    expect(readYamlExactly(text, 'a.yaml').value).toEqual(value);
  });
});

describe('the quick reader leaves to the exact reader', () => {
  it.each([
    ['a lone carriage return', 'a: x\rb: y'],
    ['a lone carriage return at the end', 'a: x\r'],
    ['a directive', '%YAML 1.2\n---\na: x'],
    ['a directive that does not exist', '%ROSE\n---\na: x'],
    ['a start of a document', '---\na: x'],
    ['an end of a document', 'a: x\n...\n'],
    ['a tag', 'a: !!str x'],
    ['a tag of a field', '! a: x'],
    ['an anchor', 'a: &b x'],
    ['an anchor with a colon', '&a: b: x'],
    ['an alias', 'a: &b x\nc: *b'],
    ['many aliases', `a: &b x\nc: [${Array(200).fill('*b').join(', ')}]`],
    ['a list for a field', '[a]: x'],
    ['a mapping for a field', '{a: b}: x'],
    ['a field without a name', ': x'],
    ['a question mark', '? a\n: x'],
    ['a field in quotes', '"a": x'],
    ['a field before spaces', `a${' '.repeat(2000)}: x`],
    ['a field with a capital', 'A: x'],
    ['a comment without a space', "a: 'x'#c"],
    ['a comment behind a bracket', 'a: [x]#c'],
    ['quotes over lines', "a: 'x\ny'"],
    ['double quotes over lines', 'a: "x\n  y"'],
    ['brackets over lines', 'a: [x,\n  y]'],
    ['brackets with quotes', 'a: ["x"]'],
    ['an entry that is missing', 'a: [x,,y]'],
    ['an escape', 'a: "\\u0041"'],
    ['a tab', 'a:\tx'],
    ['a tab at the end', 'a: x\t'],
    ['a tab as indentation', 'a:\n\t- x'],
    ['a block that keeps blank lines', 'a: |+\n  x\n\n'],
    ['a block that starts with a blank line', 'a: |\n\n  x'],
    ['a block with a line of spaces', 'a: |\n  x\n    \n  y'],
    ['a block without a text', 'a: |\nb: x'],
    ['a block with a tab', 'a: |\n  x\n\ty'],
    ['empty braces', 'a: {}'],
    ['a field twice in braces', 'a: {b: c, b: d}'],
    ['a name of an object in braces', 'a: {toString: c}'],
    ['a colon without a space in braces', 'a: {b:c}'],
    ['a field without a text in braces', 'a: {b: , c: d}'],
    ['a null in braces', 'a: {b: null}'],
    ['a comma in brackets without an entry', 'a: [x,]'],
    ['a space that does not break, in brackets', 'a: [x\u00a0y]'],
    ['a long name', `${'a'.repeat(1100)}: x`],
    ['a block with an indentation', 'a: >2-\n  x'],
    ['a dash alone', 'a:\n  -\n- x'],
    ['two dashes', 'a:\n  - - x'],
    ['a text that goes on in the next line', 'a: x\n  y'],
    ['a text that goes on in the first column', 'a: x\ny'],
    ['a text that starts in the next line', 'a:\n  x'],
    ['a text with a line that starts further right', 'a: >-\n  x\n   y'],
    ['a text with a space at the end of a line', 'a: >-\n  x \n  y'],
    ['a text that is announced and missing', 'a: >-\nb: x'],
    ['a mapping in a mapping', 'a:\n  b: x'],
    ['a list as the document', '- x'],
    ['a document that does not start in the first column', '  a: x'],
    ['an entry further left', 'a:\n  - x\n - y'],
    ['a field further right', 'a: x\n b: y'],
    ['a field twice', 'a: x\na: y'],
    ['a field twice in an entry', 'a:\n  - b: x\n    b: y'],
    ['a field named __proto__', '__proto__: x'],
    ['a field that every object has', 'constructor: x'],
    ['a next line', 'a: x\u0085y'],
    ['a line separator', 'a: x\u2028y'],
    ['a byte-order mark', 'a: x\n\ufeffb: y'],
    ['a control character', 'a: x\u0001'],
    ['a control character in a comment', '# \u0001\na: x'],
    ['what is no character', 'a: x\uffff'],
    ['a long file', `a: ${'x'.repeat(100_000)}`],
    ['what is no YAML', 'a: x: y'],
  ])('%s', (_what, text) => expect(readYamlQuickly(text)).toBeUndefined());

  it('long lines of any kind, without delay', () => {
    const start = process.cpuUsage();
    for (const text of ['a: x', "a: '", 'a: "', 'a: [x', 'a:', '#', '-', ' ']) {
      for (const filler of [' ', 'x', 'x ', ': ', ':', '#', "''", '""', '\\', ', x', '- ', '\n']) {
        for (const end of ['\t', '"', ':', '']) {
          readYamlQuickly(text + filler.repeat(99_000 / filler.length) + end);
        }
      }
    }
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000);
  });
});

describe('the two readers', () => {
  it('agree on every text that both accept', () => {
    const counts = { taken: 0 };
    const agree = (text: string) => {
      expect(disagreement(text)).toBeUndefined();
      if (readYamlQuickly(text) !== undefined) counts.taken++;
    };
    fc.assert(fc.property(mutatedDocument, agree), { numRuns: 6000 });
    fc.assert(fc.property(shuffledDocument, agree), { numRuns: 6000 });
    const before = counts.taken;
    fc.assert(fc.property(blockDocument, agree), { numRuns: 6000 });
    expect(counts.taken - before).toBeGreaterThan(600);
    // Otherwise the test would prove nothing.
    expect(counts.taken).toBeGreaterThan(600);
  });
});
