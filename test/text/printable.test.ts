/** No report lets a value control the terminal, break its line, or run a command of a build service (C6). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BuildResult } from '../../src/compile/context.ts';
import type { MakeImagesResult } from '../../src/compile/images/make-images.ts';
import type { ContentDiff } from '../../src/diff/diff.ts';
import type { FormatResult } from '../../src/editing/format-content.ts';
import { describeFailure, EnvironmentError, UsageError } from '../../src/errors/errors.ts';
import type { PublishResult } from '../../src/publish/publish.ts';
import { reportBuild } from '../../src/report/build.ts';
import { reportCheck } from '../../src/report/check.ts';
import { markdownContentDiff } from '../../src/report/diff-markdown.ts';
import { prettyContentDiff } from '../../src/report/diff-pretty.ts';
import { reportFormatting } from '../../src/report/formatted-files.ts';
import { reportImport } from '../../src/report/import.ts';
import { reportMedia } from '../../src/report/media.ts';
import { reportPrune } from '../../src/report/prune.ts';
import { type RecordedEvents, reportPublish } from '../../src/report/publish.ts';
import { reportReleases } from '../../src/report/releases.ts';
import { REPORT_FORMATS, type ReportFormat, type Sink } from '../../src/report/sink.ts';
import { reportVerify } from '../../src/report/verify.ts';
import { createSpans, type Diagnostic } from '../../src/source/diagnostic.ts';
import { findingsOf } from '../../src/source/findings.ts';
import { escapeControls, printable, printableJson, printableLines } from '../../src/text/printable.ts';
import type { VerifyResult } from '../../src/verify/verify.ts';

const STEERING =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** The workflow commands of GitHub's runner, recognised as in `ActionCommand.cs` of actions/runner. */
function isCommand(line: string): boolean {
  return line.trimStart().startsWith('::') || line.includes('##[');
}

const PARTS = [
  ...['::warning file=x::y', '::', ':', '##[error]', '#', '[', ' ', '\t', '\n', '\r', '\u001b[2J', '\u009b'],
  ...['\u202e', '\u2028', '\ufeff', '\u0000', '`', '/', 'a', 'é', '😀', '.yaml'],
];
const hostile = fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join(''));

const diagnostic = fc
  .record({
    severity: fc.constantFrom('error' as const, 'warning' as const),
    file: hostile,
    message: hostile,
    help: hostile,
    line: hostile,
    from: fc.nat(20),
    to: fc.nat(20),
  })
  .map(({ line, from, to, ...rest }): Diagnostic => {
    const [start = 0, end = 0] = [from, to].map((at) => at % (line.length + 1)).sort((a, b) => a - b);
    return { code: 'unknown-country', ...rest, span: createSpans(line)(start, end) };
  });

/** The output of a report. */
function printed(print: (sink: Sink & { live: boolean }) => void): { out: string; err: string } {
  const texts = { out: '', err: '' };
  print({
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
    color: false,
    live: false,
  });
  return texts;
}

function expectHarmless(text: string): void {
  expect(text).not.toMatch(STEERING);
  expect(text).not.toMatch(/\p{Cs}/u);
  expect(text.split('\n').filter(isCommand)).toEqual([]);
}

/** Annotations are commands, one for each diagnostic, and no other line is. */
function expectAnnotations(text: string, count: number): void {
  expect(text).not.toMatch(STEERING);
  const lines = text.split('\n').slice(0, -1);
  expect(lines).toHaveLength(count);
  for (const line of lines) {
    expect(line).toMatch(
      /^::(?:error|warning) file=[^:,]*,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=/,
    );
    expect(line).not.toContain('##[');
  }
}

describe('a value (C6)', () => {
  it.each([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['a\nb\rc\td', 'a\\nb\\rc d'],
    ['gpj.\u202eexe', 'gpj.\\u202eexe'],
    ['\ud800', '\\ud800'],
    ['::error::x', '\\u003a:error::x'],
    ['  ::error::x', '  \\u003a:error::x'],
    ['a ::error::x', 'a ::error::x'],
    ['a ##[error]x', 'a ##\\u005berror]x'],
    ['##vso[task.complete]', '##vso\\u005btask.complete]'],
    ['# [a] été 😀', '# [a] été 😀'],
  ])('%j is printed as %j', (value, text) => expect(printable(value)).toBe(text));

  it('keeps the length of a prefix, so that underlines stay in their place', () => {
    fc.assert(
      fc.property(hostile, fc.nat(), (text, at) => {
        const characters = [...text];
        const start = characters.slice(0, at % (characters.length + 1)).join('');
        expect(printable(text).startsWith(printable(start))).toBe(true);
        expectHarmless(printableLines(text));
        expect(escapeControls(escapeControls(text))).toBe(escapeControls(text));
        expect(JSON.parse(printableJson({ [text]: [text] }))).toEqual({ [text]: [text] });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a report of hostile names and values (C6)', () => {
  const check = <Value>(arbitrary: fc.Arbitrary<Value>, print: (value: Value) => void) =>
    fc.assert(fc.property(arbitrary, print), { numRuns: 200 });
  const list = fc.array(hostile, { minLength: 1, maxLength: 3 });
  const diagnostics = fc.array(diagnostic, { minLength: 1, maxLength: 4 });

  function expectReport(format: ReportFormat, count: number, print: (sink: Sink) => void): void {
    const { out, err } = printed(print);
    expectHarmless(err);
    if (format === 'github') expectAnnotations(out, count);
    else expectHarmless(out);
    if (format === 'json' || format === 'sarif') JSON.parse(out);
  }

  it.each(REPORT_FORMATS)('of a check is harmless: %s', (format) => {
    check(fc.record({ diagnostics, repaired: list, content: hostile }), ({ repaired, ...given }) => {
      const repairs = repaired.map((text) => ({ path: [text], line: 1, column: 1, from: text, to: text }));
      const result = {
        ...given,
        findings: findingsOf(given.diagnostics),
        files: 1,
        seconds: {},
        repaired: repaired.map((file) => ({
          ...{ file, repairs },
          refused: repairs.map((one) => ({ ...one, reason: '' })),
        })),
      };
      const { length } = given.diagnostics;
      expectReport(format, length, (sink) => reportCheck(result, format, 'content', sink));
    });
  });

  it.each(REPORT_FORMATS)('of a build and of images is harmless: %s', (format) => {
    check(fc.record({ diagnostics, names: list }), ({ diagnostics, names }) => {
      const refusedTargets = names.map((message) => ({
        name: 'apache' as const,
        code: 'unsuitable' as const,
        message,
      }));
      const build = {
        outcome: 'published',
        findings: findingsOf(diagnostics),
        leftOut: names,
        kept: names,
        asOf: { instant: 0, from: 'clock' },
        hidden: { draft: 1, early: 1, over: 1 },
        damaged: names,
        refusedTargets,
        counts: {
          properties: 1,
          countries: 1,
          cities: 1,
          pages: 1,
          tree: 0,
          files: 1,
          pageBytes: 1,
          images: 1,
        },
        work: { written: 1, removed: 0, made: 1, reused: 0 },
        seconds: {},
      } as unknown as BuildResult;
      expectReport(format, diagnostics.length, (sink) => reportBuild(build, format, 'content', sink));
      const images = {
        diagnostics,
        shard: { index: 0, count: 2, source: names[0] },
        cache: names[0],
        counts: { photos: 1, images: 1, made: 1, present: 0, copied: 0, repaired: 0 },
        seconds: {},
      } as unknown as MakeImagesResult;
      expectReport(format, diagnostics.length, (sink) => reportMedia(images, format, 'content', sink));
    });
  });

  it('of formatting is harmless', () => {
    check(
      fc.record({
        diagnostics,
        changed: list,
        left: fc.array(fc.record({ file: fc.string(), reason: fc.constant('has no fields') })),
      }),
      (result) => {
        const all: FormatResult = { ...result, files: 9 };
        const { out, err } = printed((sink) => reportFormatting(all, true, '.', sink));
        expectHarmless(out + err);
        expect(out.split('\n')).toHaveLength(result.changed.length + 1);
      },
    );
  });

  it('of a review is harmless', () => {
    check(fc.tuple(list, hostile), ([texts, text]) => {
      const named = texts.map((title) => ({
        id: text,
        title,
        city: text,
        country: text,
        path: title,
        photo: title,
      }));
      const changes = texts.map((after) => ({
        label: 'Title',
        field: 'title',
        authored: 'title',
        before: text,
        after,
      }));
      const review: ContentDiff = {
        base: text,
        releases: { before: null, after: null },
        added: named,
        removed: named,
        hidden: named.map((one) => ({ ...one, reason: 'draft' as const })),
        shown: named.map((one) => ({ ...one, reason: 'over' as const })),
        changed: named.map((one) => ({ ...one, changes })),
        settings: texts,
        files: { written: { details: 1, pages: 1, totals: 1, photos: 1 }, removed: 1 },
        incomparable: texts.map((path) => ({ path, side: 'base' as const, properties: named })),
      };
      expectHarmless(prettyContentDiff(review, '', false));
      expectHarmless(markdownContentDiff(review, { prefix: '', photos: 'https://photos.example/x' }));
    });
  });

  it('of a publication is harmless', () => {
    check(
      fc.tuple(list, hostile, fc.constantFrom('pretty' as const, 'json' as const)),
      ([keys, text, format]) => {
        const { out, err } = printed((sink) => {
          const operations = keys.map((key) => ({ operation: 'add' as const, key }));
          const heard: RecordedEvents = { notes: [...keys], operations, count: keys.length };
          const result = {
            outcome: 'published',
            bucket: text,
            release: text,
            previous: null,
            written: {},
            removed: 0,
            unchanged: 0,
            bytes: 0,
            invalidated: { [text]: keys },
            seconds: 1,
          } as unknown as PublishResult;
          reportPublish(result, heard, { format, isDryRun: true, verb: 'Published' }, sink);
          reportPublish(
            { ...result, outcome: 'unchanged' },
            heard,
            { format, isDryRun: false, verb: 'x' },
            sink,
          );
          const pruned = {
            bucket: text,
            pruned: keys,
            forgotten: keys,
            media: 1,
            tree: 1,
            parts: 1,
            assets: 1,
            details: 1,
            previews: keys,
            busy: keys,
            strange: keys,
          };
          reportPrune(pruned, format, false, sink);
          const published = new Date(0);
          const release = {
            name: text,
            published,
            replaced: undefined,
            isLive: true,
            wasLive: true,
            isRestorable: true,
            commit: text,
            time: null,
            properties: 1,
          };
          reportReleases(text, [release], format, sink);
          reportReleases(text, [], 'pretty', sink);
          const differences = keys.map((key) => ({ request: key, what: key, expected: key, actual: key }));
          const seen = { at: 1, of: 2 };
          const verified: VerifyResult = {
            baseUrl: text,
            release: text,
            requests: 1,
            looked: { properties: seen, pages: seen, images: seen },
            isStatic: true,
            hasSeenLists: true,
            differences,
            seconds: 1,
          };
          reportVerify(verified, format, sink);
        });
        expectHarmless(out);
        expectHarmless(err);
      },
    );
  });

  it('of an import is harmless', () => {
    check(fc.tuple(list, hostile), ([texts, text]) => {
      const findings = texts.map((message) => ({
        code: text,
        severity: 'error' as const,
        field: text,
        message,
        help: text,
      }));
      const change = { field: text, from: text, to: text };
      const outcomes = texts.map((at) => ({
        ...{ at, name: text, path: text, kind: 'conflict' as const, findings, changes: [change] },
      }));
      const counts = { written: 1, replaced: 1, present: 1, conflict: 1, refused: 1 };
      const examples = texts.map((at) => ({ at, name: text, message: text, from: text, to: text }));
      const counted = {
        causes: findings.map((finding) => ({ ...finding, count: 9, values: 9, fresh: 9, examples })),
        repairs: [{ field: text, count: 9, examples: examples.map((one) => ({ ...one, count: 2 })) }],
        words: [{ word: text, count: 1 }],
        changed: [
          { name: text, path: text },
          { name: text, path: text, fields: [change] },
        ],
        gone: {
          titles: Object.fromEntries(texts.map((path) => [path, text])),
          files: texts,
          removed: texts.slice(1),
          edited: [],
          refusal: findings[0]!,
        },
      };
      const column = { name: text, filled: 1, looks: text };
      const reported = {
        name: text,
        mapping: text,
        notes: findings.map((finding) => ({ ...finding, line: 1 })),
        unused: [
          { ...column, secret: undefined },
          { ...column, secret: undefined, field: 'beds', line: text, isNew: true },
          { ...column, secret: 'a person' },
        ],
      };
      for (const format of ['pretty', 'json'] as const) {
        const { out, err } = printed((sink) =>
          reportImport(
            { ...reported, result: { ...counts, ...counted, drafts: 1, links: 1, outcomes } },
            format,
            text,
            sink,
          ),
        );
        expectHarmless(out);
        expectHarmless(err);
      }
    });
  });

  it('of a failure is harmless', () => {
    check(hostile, (text) => {
      const errors = [
        new Error(text),
        new UsageError('no-content', text),
        new EnvironmentError('bucket-locked', text),
        Object.assign(new Error('x'), { code: 'ENOSPC', path: text }),
        Object.assign(new Error(text), { code: text }),
        text,
      ];
      for (const error of errors) expectHarmless(describeFailure(error).message);
    });
  });
});
