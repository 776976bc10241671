import { describe, expect, it } from 'vitest';
import { createColors } from '../../src/report/colors.ts';
import { prettyDiagnostic } from '../../src/report/pretty.ts';
import { createSpans, type Diagnostic, type Span } from '../../src/source/diagnostic.ts';
import { processorTime } from '../support/processor-time.ts';

const PLAIN = createColors(false);

function diagnostic(span: Span | null, change: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'unknown-country',
    severity: 'error',
    file: 'ie/rose.yaml',
    span,
    message: '"Ireland" is not the code of a country.',
    help: 'Did you mean "IE" (Ireland)?',
    ...change,
  };
}

/** The span of a part of a text. */
function spanOf(text: string, part: string): Span {
  const start = text.indexOf(part);
  return createSpans(text)(start, start + part.length);
}

/** The two lines that show the source, from the bar on. */
function shown(text: string, part: string): [line: string, under: string] {
  const lines = prettyDiagnostic(diagnostic(spanOf(text, part)), '', PLAIN).split('\n');
  return [lines[2]!.replace(/^ *\d+ \| /, ''), lines[3]!.replace(/^ *\| /, '')];
}

describe('a diagnostic', () => {
  it('is shown with its place, its line and advice', () => {
    const text = `${'title: Rose\n'.repeat(11)}country: Ireland # the island\n`;
    expect(prettyDiagnostic(diagnostic(spanOf(text, 'Ireland')), 'content/', PLAIN)).toBe(
      [
        'content/ie/rose.yaml:12:10  error unknown-country',
        '  "Ireland" is not the code of a country.',
        '  12 | country: Ireland # the island',
        '     |          ~~~~~~~',
        '  → Did you mean "IE" (Ireland)?',
      ].join('\n'),
    );
  });

  it('of a whole file, without help, takes two lines', () => {
    const whole = diagnostic(null, {
      severity: 'warning',
      code: 'folder-named-like-a-file',
      message: 'So.',
      help: '',
    });
    expect(prettyDiagnostic(whole, '', PLAIN)).toBe('ie/rose.yaml  warning folder-named-like-a-file\n  So.');
  });

  it('has colours on request', () => {
    const colored = prettyDiagnostic(
      diagnostic(spanOf('country: Ireland', 'Ireland')),
      '',
      createColors(true),
    );
    expect(colored).toContain('\u001b[31m~~~~~~~\u001b[39m');
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(
      prettyDiagnostic(diagnostic(spanOf('country: Ireland', 'Ireland')), '', PLAIN),
    );
  });
});

describe('the underline', () => {
  it.each([
    ['in ASCII', 'city: Cork', 'Cork', 'city: Cork', '      ~~~~'],
    ['behind tabs', '\tcity:\tCork', 'Cork', ' city: Cork', '       ~~~~'],
    ['of a tab', 'a\tb', '\t', 'a b', ' ~'],
    ['behind wide letters', 'title: 東京 x', 'x', 'title: 東京 x', '            ~'],
    ['of wide letters', 'title: 東京 x', '東京', 'title: 東京 x', '       ~~~~'],
    ['of full-width letters', 'title: ＡＢ', 'ＡＢ', 'title: ＡＢ', '       ~~~~'],
    ['of Hangul', 'title: 한국', '한국', 'title: 한국', '       ~~~~'],
    ['of letters beyond the basic plane', 'title: 𠀀x', '𠀀', 'title: 𠀀x', '       ~~'],
    ['behind an emoji', 'title: 😀 x', 'x', 'title: 😀 x', '          ~'],
    ['behind a flag', 'title: 🇮🇪 x', 'x', 'title: 🇮🇪 x', '          ~'],
    ['behind signs that only could be emoji', '© ® ™ x', 'x', '© ® ™ x', '      ~'],
    ['behind combining marks', 'cafe\u0301 x', 'x', 'cafe\u0301 x', '     ~'],
    ['behind what has no width', 'a\u200b\u200d x', 'x', 'a\u200b\u200d x', '  ~'],
    ['of a combining mark alone', 'cafe\u0301', '\u0301', 'cafe\u0301', '    ~'],
    ['behind an umlaut', 'Öde: x', 'x', 'Öde: x', '     ~'],
    ['with the line end of Windows', 'city: Cork\r\nx', 'Cork', 'city: Cork', '      ~~~~'],
  ])('is in its place %s', (_what, text, part, line, under) =>
    expect(shown(text, part)).toEqual([line, under]),
  );

  it('of several lines is shown for the first', () => {
    expect(shown('a: [x,\n  y]', '[x,\n  y]')).toEqual(['a: [x,', '   ~~~']);
  });

  it('at the end of a line has one column', () => {
    const lines = prettyDiagnostic(diagnostic(createSpans('abc')(3, 3)), '', PLAIN).split('\n');
    expect(lines.slice(2, 4)).toEqual(['  1 | abc', '    |    ~']);
    const empty = prettyDiagnostic(diagnostic(createSpans('')(0, 0)), '', PLAIN).split('\n');
    expect(empty.slice(2, 4)).toEqual(['  1 | ', '    | ~']);
  });
});

describe('a long line', () => {
  const filler = 'x'.repeat(1000);

  it('of a hundred columns is shown whole', () => {
    const line = `country: ${'x'.repeat(91)}`;
    expect(shown(line, 'x'.repeat(91))).toEqual([line, `         ${'~'.repeat(91)}`]);
  });

  it('is shown around the underlined part', () => {
    expect(shown(`${filler}HERE${filler}`, 'HERE')).toEqual([
      `${'x'.repeat(46)}HERE${'x'.repeat(50)}`,
      `${' '.repeat(46)}~~~~`,
    ]);
    expect(shown(`HERE${filler}`, 'HERE')).toEqual([`HERE${'x'.repeat(96)}`, '~~~~']);
    expect(shown(`${filler}HERE`, 'HERE')).toEqual([`${'x'.repeat(96)}HERE`, `${' '.repeat(96)}~~~~`]);
  });

  it('is shown in part when all of it is underlined', () => {
    const [line, under] = shown(`country: ${filler}`, filler);
    expect(line.length).toBeLessThanOrEqual(200);
    expect(under.trim().length).toBeLessThanOrEqual(200);
    expect(line).toContain('xxxx');
  });

  it('is never cut within an emoji', () => {
    for (const shift of ['', 'x']) {
      const [line] = shown(`${shift}${'😀'.repeat(300)}HERE${'😀'.repeat(300)}`, 'HERE');
      expect(line).not.toMatch(/\p{Cs}/u);
      expect(line).toContain('HERE');
    }
  });

  it('of a megabyte is shown quickly', () => {
    const time = processorTime(() => shown(`${'x'.repeat(1_000_000)}HERE`, 'HERE'));
    expect(time).toBeLessThan(5000);
  });
});
