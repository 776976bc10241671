import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDiagnostics, createDiagnostic, createSpans, type Span } from '../../src/source/diagnostic.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/source/diagnostic-codes.ts';

describe('a span', () => {
  it.each([
    ['abc', 0, 3, 1, 1, 'abc'],
    ['abc\ndef', 4, 7, 2, 1, 'def'],
    ['abc\ndef', 5, 6, 2, 2, 'e'],
    ['abc\r\ndef\r\n', 5, 8, 2, 1, 'def'],
    ['abc\r\ndef', 1, 99, 1, 2, 'bc'],
    ['abc\ndef', 1, 6, 1, 2, 'bc'],
    ['a😀b', 3, 4, 1, 4, 'b'],
    ['a\tb', 2, 3, 1, 3, 'b'],
  ])('covers %j from %i to %i', (text, start, end, line, column, underlined) => {
    const span = createSpans(text)(start, end);
    expect([span.line, span.column]).toEqual([line, column]);
    expect(span.text.slice(column - 1, column - 1 + span.length)).toBe(underlined);
  });

  it.each([
    ['', 0, 0, { line: 1, column: 1, length: 1, text: '' }],
    ['', 5, 9, { line: 1, column: 1, length: 1, text: '' }],
    ['abc\n', 4, 4, { line: 2, column: 1, length: 1, text: '' }],
    ['abc', 3, 3, { line: 1, column: 4, length: 1, text: 'abc' }],
    ['abc\ndef', 3, 4, { line: 1, column: 4, length: 1, text: 'abc' }],
  ])('at an end of %j has a length all the same', (text, start, end, span) => {
    expect(createSpans(text)(start, end)).toEqual(span);
  });

  it('agrees with counting lines and characters', () => {
    const naive = (text: string, start: number, end: number): Span => {
      const lines = text.slice(0, start).split('\n');
      const column = lines.at(-1)!.length + 1;
      const whole = text.split('\n')[lines.length - 1]!.replace(/\r$/, '');
      const length = Math.max(1, Math.min(end - start, whole.length - column + 1));
      return { line: lines.length, column, length, text: whole };
    };
    const text = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '😀', ''), { maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(50), fc.nat(10), (parts, start, length) => {
        const whole = parts.join('');
        const place = Math.min(start, whole.length);
        expect(createSpans(whole)(start, start + length)).toEqual(naive(whole, place, start + length));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('compareDiagnostics', () => {
  it('sorts by file, line, column and code, with findings about whole files first', () => {
    const at = (line: number, column: number): Span => ({ line, column, length: 1, text: '' });
    const sorted = [
      createDiagnostic('empty-file', 'a.yaml', null),
      createDiagnostic('missing-email', 'a.yaml', at(1, 1)),
      createDiagnostic('missing-phone', 'a.yaml', at(1, 1)),
      createDiagnostic('missing-email', 'a.yaml', at(1, 2)),
      createDiagnostic('missing-email', 'a.yaml', at(2, 1)),
      createDiagnostic('missing-email', 'a.yaml', at(10, 1)),
      createDiagnostic('empty-file', 'b.yaml', null),
    ];
    expect([...sorted].reverse().sort(compareDiagnostics)).toEqual(sorted);
    expect(compareDiagnostics(sorted[1]!, sorted[1]!)).toBe(0);
  });
});

describe('the texts of a code', () => {
  const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];

  it.each(codes)('%s has a message in sentences, even without optional values', (code) => {
    const { message, help, severity } = createDiagnostic(
      code,
      'a.yaml',
      null,
      code === 'yaml-syntax' ? { reason: 'It breaks a rule.' } : {},
    );
    expect(message).toMatch(/^[A-Z"].*[.:?]$/s);
    expect(help).toMatch(/^$|^[A-Z].*[.?]$/);
    expect(message + help).not.toMatch(/\[object|null\b.*null\b/);
    expect(['error', 'warning']).toContain(severity);
  });

  it.each(codes)('%s is explained, with an example and its repair', (code) => {
    const { explanation, example, repaired } = DIAGNOSTIC_CODES[code];
    expect(explanation).toMatch(/^[A-Za-z].*\.$/);
    expect(example).not.toBe('');
    expect(repaired).not.toBe(example);
  });

  it('name a value in few words', () => {
    const { message } = createDiagnostic('unknown-country', 'a.yaml', null, { value: '😀'.repeat(500) });
    expect(message).toBe(`"${'😀'.repeat(29)}…" is not the code of a country.`);
  });
});

describe('a message', () => {
  it.each(Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[])('%s is short, whatever it names (I)', (code) => {
    const { message, help } = DIAGNOSTIC_CODES[code];
    const names = new Set<string>();
    const recorder = new Proxy(
      {},
      {
        get: (_, name) => {
          names.add(String(name));
          return '';
        },
      },
    );
    message(recorder);
    help(recorder);
    const args = Object.fromEntries([...names].map((name) => [name, `${'é'.repeat(5000)}😀`]));
    const made = createDiagnostic(code, 'a.yaml', null, args);
    expect(made.message.length + made.help.length).toBeLessThan(900);
  });
});

it.each([
  ['Git LFS pointer', /git lfs pull.*lfs: true.*GIT_LFS_SKIP_SMUDGE/],
  ['git-annex pointer', /git annex get/],
  ['HTML', /web page/],
  ['HEIC', /^Save it as JPEG/],
])('what is in the place of a photo gets its own advice: %s (D10)', (format, words) => {
  expect(createDiagnostic('photo-unsupported', 'a.yaml', null, { path: 'a.jpg', format }).help).toMatch(
    words,
  );
});
