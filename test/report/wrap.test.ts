/** Lines for people fit a terminal; what is to be copied from them stays whole (T3). */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it, vi } from 'vitest';
import { wrapForStream } from '../../src/commands/terminal.ts';
import { wrapText } from '../../src/report/wrap.ts';

const URL_TEXT = 'https://stays.example.com/api/v1/public/properties?filter[country]=IE&page[size]=100';

describe('wrapped', () => {
  it('breaks long lines at spaces, below their text', () => {
    expect(wrapText('  → Write the two capitals of the country, as in an address.\n', 30)).toBe(
      '  → Write the two capitals of\n    the country, as in an\n    address.\n',
    );
    expect(wrapText('- one two three four five six\nshort\n', 22)).toBe(
      '- one two three four\n  five six\nshort\n',
    );
  });

  it.each([
    ['a URL', `Look at ${URL_TEXT}, which shows it.`, URL_TEXT],
    [
      'a path',
      'There is no file content/ireland/a-very-long-name-of-a-house.yaml in it.',
      'content/ireland/a-very-long-name-of-a-house.yaml',
    ],
    [
      'a quoted path',
      'There is no file "content/my house/a long name.yaml" in the content.',
      '"content/my house/a long name.yaml"',
    ],
    [
      'a place',
      'content/my house/a long name of it.yaml:3:10  error unknown-country',
      'content/my house/a long name of it.yaml:3:10',
    ],
    [
      'a command in quotes',
      'To see all of them run "catalogue check --fix content/ireland" again.',
      '"catalogue check --fix content/ireland"',
    ],
    [
      'a command at the end',
      'In a shallow clone, fetch it first: git fetch origin main --depth=1.',
      'git fetch origin main --depth=1',
    ],
    [
      'a command in the middle',
      'First run npx wrangler r2 bucket create stays. Then publish it again.',
      'npx wrangler r2 bucket create stays',
    ],
    [
      'a command of the catalogue',
      'Now run catalogue publish s3://stays --wait. It takes a while longer.',
      'catalogue publish s3://stays --wait',
    ],
    [
      'an example',
      '  $ catalogue publish s3://stays --cloudfront E2EXAMPLE --wait',
      '$ catalogue publish s3://stays --cloudfront E2EXAMPLE --wait',
    ],
    [
      'a line of YAML',
      '  type: { type: choice, choices: { ferienwohnung: Ferienwohnung } }',
      '  type: { type: choice, choices: { ferienwohnung: Ferienwohnung } }',
    ],
    [
      'a line of YAML with a comment',
      'max_guests: Personen (max.)  # Personen (max.) (40 values)',
      'max_guests: Personen (max.)  # Personen (max.) (40 values)',
    ],
    [
      'a field in a sentence',
      'To fill it in: city: { from: Ort, map: { A: B } }. Otherwise leave it: { a }.',
      'city: { from: Ort, map: { A: B } }.',
    ],
    [
      'a line of a file',
      '  12 | description: a long line of a file which is shown as it is',
      '12 | description: a long line of a file which is shown as it is',
    ],
    [
      'a path alone',
      '  content/my house/with a long name/of a file.yaml',
      'content/my house/with a long name/of a file.yaml',
    ],
  ])('keeps %s whole', (_name, line, whole) => {
    for (const width of [20, 30, 40])
      expect(
        wrapText(line, width)
          .split('\n')
          .some((one) => one.includes(whole)),
      ).toBe(true);
  });

  it('loses no word, and makes no line too wide that can be broken', () => {
    const word = fc.constantFrom(
      'a',
      'house',
      'Zürich',
      '日本',
      '\u001b[31mred\u001b[39m',
      'content/a.yaml',
      '👩‍👩‍👧',
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 20, max: 100 }),
        (words, width) => {
          const lines = wrapText(words.join(' '), width).split('\n');
          const texts = lines.map((line) => stripVTControlCharacters(line));
          expect(texts.join(' ')).toBe(stripVTControlCharacters(words.join(' ')));
          for (const text of texts) expect(stringWidth(text)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('leaves a line that is drawn again', () => {
    const line = `\r\u001b[KReading properties: ${'1 2 3 '.repeat(20)}`;
    expect(wrapText(line, 40)).toBe(line);
  });
});

describe('forStream', () => {
  const stream = (isTTY: boolean, columns: number) => ({ isTTY, columns }) as NodeJS.WriteStream;
  const text = 'one two three four five six seven\n';
  it('wraps at the width of a terminal', () => {
    vi.stubEnv('CI', '');
    expect(wrapForStream(text, stream(true, 22))).toBe('one two three four\nfive six seven\n');
    expect(wrapForStream(text, stream(true, 40))).toBe(text);
  });

  it('wraps nothing in a pipe, in CI, and on a terminal without a width', () => {
    vi.stubEnv('CI', '');
    expect(wrapForStream(text, stream(false, 22))).toBe(text);
    expect(wrapForStream(text, stream(true, 0))).toBe(text);
    vi.stubEnv('CI', 'true');
    expect(wrapForStream(text, stream(true, 22))).toBe(text);
  });
});
