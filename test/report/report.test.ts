import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CheckResult } from '../../src/compile/check.ts';
import type { BuildResult } from '../../src/compile/context.ts';
import { ENVIRONMENT_ERRORS } from '../../src/errors/codes.ts';
import { reportBuild } from '../../src/report/build.ts';
import { reportCheck } from '../../src/report/check.ts';
import { printDiagnostics, reportFindings, tallyOfFindings } from '../../src/report/diagnostics.ts';
import { codeListText, explanationOf } from '../../src/report/explanation.ts';
import { contentPrefix } from '../../src/report/path-prefix.ts';
import { reportEndedPreview } from '../../src/report/preview.ts';
import { commandLine } from '../../src/report/shell-command.ts';
import type { ReportFormat } from '../../src/report/sink.ts';
import { createDiagnostic, createSpans, type Diagnostic } from '../../src/source/diagnostic.ts';
import { DIAGNOSTIC_CODES } from '../../src/source/diagnostic-codes.ts';
import { findingsOf } from '../../src/source/findings.ts';

const CONTENT = resolve('content');
const error = (file = 'a.yaml') => createDiagnostic('empty-file', file, null);
const warning = (file = 'a.yaml') => createDiagnostic('missing-email', file, createSpans('id: x')(0, 2));

/** The output on standard output, and on standard error. */
function printed(
  print: (sink: { out: (text: string) => void; err: (text: string) => void; color: false }) => void,
) {
  const texts = { out: '', err: '' };
  print({
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
    color: false,
  });
  return texts;
}

const checked = (diagnostics: Diagnostic[], format: ReportFormat, files = 2) =>
  printed((sink) =>
    reportCheck(
      { diagnostics, findings: findingsOf(diagnostics), files, seconds: { read: 1 } } satisfies CheckResult,
      format,
      CONTENT,
      sink,
    ),
  );

it('sums up the texts of each language', () => {
  const languages = {
    fr: {
      title: { texts: 312, of: 372 },
      'hotel_policy.detail': { texts: 0, of: 9 },
      summary: { texts: 2, of: 3 },
      house_rules: { texts: 1, of: 3 },
    },
  };
  const { err } = printed((sink) =>
    reportCheck(
      { diagnostics: [], findings: findingsOf([]), files: 372, seconds: {}, languages },
      'pretty',
      CONTENT,
      sink,
    ),
  );
  expect(err).toBe(
    'Checked 372 files: no errors.\nTranslated to fr: 312 of 372 titles, 0 of 9 policies, 2 of 3 summaries, 1 of 3 house rules.\n',
  );
});

const BUILT: Omit<BuildResult, 'diagnostics'> = {
  outcome: 'published',
  findings: findingsOf([]),
  leftOut: [],
  asOf: { instant: Date.UTC(2027, 3, 1), from: 'commit' },
  hidden: { draft: 0, early: 0, over: 0 },
  release: '0123456789abcdef0123456789abcdef',
  refusedTargets: [],
  damaged: [],
  kept: [],
  counts: {
    properties: 1234,
    countries: 1,
    cities: 2,
    pages: 56_789,
    tree: 7,
    files: 60_000,
    pageBytes: 3_000_000,
    bytes: 9_000_000,
    images: 1,
  },
  advice: undefined,
  work: { written: 60_000, removed: 0, made: 1, reused: 0 },
  seconds: { scan: 0.011, read: 0.5, emit: 2 },
};

const built = ({ diagnostics = [], ...change }: Partial<BuildResult>, format: ReportFormat = 'pretty') =>
  printed((sink) => {
    const findings = findingsOf(diagnostics);
    reportBuild({ ...BUILT, diagnostics, findings, ...change }, format, CONTENT, sink);
  });

it('a check says how many findings --fix repairs, and nothing where there are none (T3)', () => {
  const text = (repairable: number) =>
    printed((sink) =>
      reportCheck(
        {
          diagnostics: [],
          findings: findingsOf([warning(), error()]),
          files: 2,
          seconds: {},
          repairable: { count: repairable, isAll: true },
        },
        'pretty',
        CONTENT,
        sink,
      ),
    ).err;
  expect(text(2)).toMatch(/\nRun "catalogue check --fix" to repair 2 of these findings\.\n$/);
  expect(text(0)).not.toContain('--fix');
});

it('a build names the generated files that somebody changed, and that stay (D2)', () => {
  const kept = ['edge/cloudflare-workers/wrangler.jsonc', 'edge/netlify/netlify.toml'];
  const { err } = built({ kept });
  expect(err).toContain(
    `Kept 2 generated files that you changed. To get a new one, move yours away and build again:\n  ${kept.join('\n  ')}\n`,
  );
});

it.each(['leftOut', 'damaged', 'kept'] as const)(
  'a build lists the first files %s, and counts the rest',
  (list) => {
    const { err } = built({ [list]: Array.from({ length: 1300 }, (_, index) => `${index}.yaml`) });
    expect(err.match(/^ {2}.*\d\.yaml$/gm)).toHaveLength(100);
    expect(err).toContain('\n  ... and 1,200 more; --format json lists them all\n');
  },
);

it('the end of a preview is only planned by a dry run', () => {
  const ended = (format: 'pretty' | 'json', isDryRun: boolean) =>
    printed((sink) => reportEndedPreview('pr-12', format, isDryRun, sink));
  expect(ended('pretty', false).err).toBe('Preview pr-12 has ended.\n');
  expect(ended('pretty', true).err).toBe('Dry run, nothing was removed: preview pr-12 would end.\n');
  expect(JSON.parse(ended('json', true).out)).toEqual({ preview: 'pr-12', outcome: 'planned' });
  expect(JSON.parse(ended('json', false).out)).toEqual({ preview: 'pr-12', outcome: 'ended' });
});

it.each([
  ['content', 'catalogue dev'],
  ['my houses', "catalogue dev --content 'my houses'"],
  ["$HOME/o'b", "catalogue dev --content '$HOME/o'\\''b'"],
])('a command with the content folder %s can be copied', (content, line) => {
  expect(commandLine(['dev'], content)).toBe(line);
});

it.each([
  ['of this folder', process.cwd(), '', 'npx catalogue dev'],
  ['of a folder above', dirname(process.cwd()), '', 'npx catalogue dev'],
  ['from elsewhere, in the PATH', '/opt/stays', '', 'catalogue dev'],
  ['that npx has fetched', '/home/ann/.npm/_npx/1', 'exec', 'npx catalogue dev'],
])('a command is called as the program %s was', (_which, folder, command, line) => {
  vi.stubEnv('npm_command', command);
  const [node, script] = process.argv;
  process.argv.splice(1, 1, join(folder, 'node_modules/.bin/catalogue'));
  try {
    expect(commandLine(['dev'], 'content')).toBe(line);
  } finally {
    process.argv.splice(0, 2, node!, script!);
    vi.unstubAllEnvs();
  }
});

it('an explanation is left to the terminal to wrap', () => {
  const lines = explanationOf('no-longer-live').split('\n');
  expect(lines).toContain(DIAGNOSTIC_CODES['no-longer-live'].explanation);
  const { cause } = ENVIRONMENT_ERRORS['lost-log'];
  expect(explanationOf('lost-log').split('\n')).toContain(cause.replaceAll('`', ''));
});

describe('a check', () => {
  it('without findings takes one line', () => {
    expect(checked([], 'pretty')).toEqual({ out: '', err: 'Checked 2 files: no errors.\n' });
    expect(checked([], 'github', 1)).toEqual({ out: '', err: 'Checked 1 file: no errors.\n' });
  });

  it('of some files counts findings in other files separately (E13)', () => {
    const of = (files: number, others: CheckResult['others']) =>
      printed((sink) =>
        reportCheck(
          { diagnostics: [], findings: findingsOf([]), files, ...(others && { others }), seconds: {} },
          'pretty',
          CONTENT,
          sink,
        ),
      ).err;
    expect(of(1, { files: 15, errors: 13, warnings: 1 })).toBe(
      'Checked 1 file: no errors.\nOther files: 13 errors, 1 warning. Run "catalogue check" to see them.\n',
    );
    expect(of(1, { files: 15, errors: 0, warnings: 0 })).toBe('Checked 1 file: no errors.\n');
    expect(of(0, { files: 15, errors: 0, warnings: 0 })).toBe(
      'No property file is among the given paths.\nChecked 0 files: no errors.\n',
    );
  });

  it('of a folder without properties reports that, with advice (E13)', () => {
    const advice =
      'Found no property file in content/: no name there ends in .yaml or .yml, except catalogue.yaml. Run "catalogue new" to write one, or name another folder with --content.\n';
    expect(checked([], 'pretty', 0).err).toBe(`${advice}Checked 0 files: no errors.\n`);
    const counts = { ...BUILT.counts!, properties: 0 };
    expect(built({ counts }).err.startsWith(advice)).toBe(true);
    expect(built({ counts, leftOut: ['a.yaml'] }).err).not.toContain('Found no property file');
  });

  it('prints findings for people on standard error', () => {
    expect(checked([error(), warning('b.yaml')], 'pretty')).toEqual({
      out: '',
      err: [
        ...['content/a.yaml  error empty-file', '  The file is empty.'],
        ...['  → Write a property into it, or delete it.', '', 'content/b.yaml:1:1  warning missing-email'],
        ...['  The property has no e-mail address.', '  1 | id: x', '    | ~~'],
        ...['  → Add it, for example "email: stay@rosecottage.example".', ''],
        ...['Checked 2 files: 1 error, 1 warning.', ''],
      ].join('\n'),
    });
  });

  it('prints annotations on standard output', () => {
    expect(checked([error(), warning()], 'github')).toEqual({
      out: [
        '::error file=content/a.yaml,title=empty-file::The file is empty. Write a property into it, or delete it.',
        '::warning file=content/a.yaml,line=1,endLine=1,col=1,endColumn=3,title=missing-email::The property has no e-mail address. Add it, for example "email: stay@rosecottage.example".',
        '',
      ].join('\n'),
      err: 'Checked 2 files: 1 error, 1 warning.\n',
    });
  });

  it('prints one JSON value on standard output, and nothing else', () => {
    const { out, err } = checked([error(), warning()], 'json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      findings: { errors: { [error().code]: 1 }, warnings: { [warning().code]: 1 } },
      diagnostics: [
        { ...error(), file: 'content/a.yaml' },
        { ...warning(), file: 'content/a.yaml' },
      ],
      files: 2,
      seconds: { read: 1 },
    });
  });
});

describe('many findings', () => {
  const list = (count: number, make: (file: string) => Diagnostic) =>
    Array.from({ length: count }, (_, index) => make(`${index}.yaml`));
  const shown = (diagnostics: Diagnostic[]) => {
    const { out, err } = printed((sink) => reportFindings({}, findingsOf(diagnostics), 'github', '', sink));
    return {
      errors: out.match(/^::error/gm)?.length ?? 0,
      warnings: out.match(/^::warning/gm)?.length ?? 0,
      rest: err,
    };
  };

  it.each([
    [100, 0, 100, 0, ''],
    [101, 0, 100, 0, '1 more; --format json lists them all. In all: 101 empty-file'],
    [0, 1300, 0, 100, '1,200 more; --format json lists them all. In all: 1,300 missing-email'],
    [75, 50, 75, 25, '25 more; --format json lists them all. In all: 75 empty-file, 50 missing-email'],
    [100, 200, 100, 0, '200 more; --format json lists them all. In all: 200 missing-email, 100 empty-file'],
    [5, 5, 5, 5, ''],
  ])('of %i errors and %i warnings show %i and %i', (errors, warnings, shownErrors, shownWarnings, more) => {
    const rest = more && `... and ${more}.\n\n`;
    // Warnings first, as they are when files are sorted so.
    expect(shown([...list(warnings, warning), ...list(errors, error)])).toEqual({
      errors: shownErrors,
      warnings: shownWarnings,
      rest,
    });
  });

  it('of a command without --format are complete in another one', () => {
    const { err } = printed((sink) => printDiagnostics(list(101, error), '', sink));
    expect(err).toContain('... and 1 more; "catalogue check" lists them all. In all: 101 empty-file.');
  });

  it('are complete in JSON', () => {
    const { out } = checked(list(500, error), 'json');
    expect(JSON.parse(out).diagnostics).toHaveLength(500);
  });
});

describe('a build', () => {
  it('gets a summary', () => {
    expect(built({})).toEqual({
      out: '',
      err: [
        'Built 1,234 properties, 2 cities, 1 country',
        '      56,789 pages, 60,000 files, 2.9 MiB of lists',
        '      release 0123456789abcdef0123456789abcdef',
        '      1 image: 1 made, 0 from the cache',
        '      60,000 files written, 0 removed, in 2.51 s',
        '      scan 0.01 s, read 0.50 s, emit 2.00 s',
        '',
      ].join('\n'),
    });
  });

  it('without changes reports that', () => {
    expect(built({ outcome: 'unchanged', seconds: { scan: 0.1 } }).err).toBe(
      'Built 1,234 properties, 2 cities, 1 country\n      56,789 pages, 60,000 files, 2.9 MiB of lists\n      release 0123456789abcdef0123456789abcdef\n      nothing changed, in 0.10 s\n',
    );
  });

  it('that was refused reports that nothing was written', () => {
    const { err } = built({
      outcome: 'refused',
      counts: undefined,
      diagnostics: [error(), warning(), warning()],
    });
    expect(err).toMatch(/\nNothing was written: 1 error, 2 warnings\.\n$/);
    expect(err).not.toContain('Built');
  });

  it('counts the files of the tree, and advises the packed layout when there are many pages', () => {
    const packed = built({ counts: { ...BUILT.counts!, pages: 0, pageBytes: 0 } });
    expect(packed.err).toContain('\n      7 tree files, 60,000 files\n');
    const sizes = { pages: { files: 612_345, bytes: 3 << 20 }, packed: { files: 50, bytes: 1 << 20 } };
    const advice = { ...sizes, few: undefined };
    const none = { requests: 0, dollars: 0 };
    const baseUrl = 'https://stays.org';
    const use = { baseUrl, files: undefined, bytes: undefined, isStatic: false, first: none, change: none };
    const priced = built({ advice: { ...sizes, few: 20_000 }, host: { host: 's3-cloudfront', ...use } });
    expect(priced.err).toContain(
      'lists are 612,345 files, about $3.0617, 3.0 MiB. With "layout: packed" they would be 50 files, about $0.0003, about 1.0 MiB, for a platform with compute at the edge, with "page_sizes: [25, 100]" 20,000 files, about $0.1000.\n',
    );
    expect(built({ advice }).err).toContain(
      'Many pages: lists are 612,345 files, 3.0 MiB. With "layout: packed" they would be 50 files, about 1.0 MiB, for a platform with compute at the edge.\n',
    );
  });

  it('names what it left out, and what it repaired', () => {
    const { err } = built({
      leftOut: ['b.yaml', 'a\u001b[2J.yaml'],
      damaged: ['openapi.json'],
      diagnostics: [error('b.yaml')],
    });
    expect(err).toContain('Left out 2 files with errors:\n  content/b.yaml\n  content/a\\u001b[2J.yaml\n');
    expect(err).toContain('1 file of the output had been changed, now repaired:\n  openapi.json\n');
    expect(err).toMatch(/\n1 error\.\n$/);
    expect(built({ leftOut: ['b.yaml'] }).err).toContain('Left out 1 file with errors:\n');
  });

  it('says that a base URL of this machine is not to be deployed, once a host is chosen (58)', () => {
    const none = { requests: 0, dollars: 0 };
    const use = { files: undefined, bytes: undefined, isStatic: false, first: none, change: none };
    const said = (baseUrl: string) => built({ host: { host: 'netlify', baseUrl, ...use } }).err;
    expect(said('http://localhost:8080')).toMatch(
      /^Do not deploy yet: .+ http:\/\/localhost:8080, .+ Set base_url/m,
    );
    expect(said('https://stays.org')).not.toContain('Do not deploy yet');
    expect(built({}).err).not.toContain('Do not deploy yet');
  });

  it('names the targets that cannot serve its output', () => {
    expect(built({ refusedTargets: [{ name: 'apache', code: 'x', message: 'It cannot.' }] }).err).toContain(
      'Passed over the target apache: It cannot.\n',
    );
  });

  it('is one JSON value on standard output', () => {
    const { out, err } = built({ diagnostics: [error()] }, 'json');
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      ...BUILT,
      findings: { errors: { [error().code]: 1 }, warnings: {} },
      diagnostics: [{ ...error(), file: 'content/a.yaml' }],
    });
  });
});

describe('words', () => {
  it.each([
    [[], 'no errors'],
    [[error()], '1 error'],
    [[error(), error()], '2 errors'],
    [[warning()], 'no errors, 1 warning'],
    [[warning(), error(), warning()], '1 error, 2 warnings'],
  ])('%#: a tally', (diagnostics, tally) => expect(tallyOfFindings(findingsOf(diagnostics))).toBe(tally));

  it('name the content folder as the terminal would', () => {
    expect(contentPrefix(CONTENT)).toBe('content/');
    expect(contentPrefix(join(CONTENT, 'ie'))).toBe('content/ie/');
    expect(contentPrefix(resolve('.'))).toBe('');
    expect(contentPrefix(resolve('..', 'other'))).toBe('../other/');
  });
});

it('explains the codes of an import', () => {
  const text = explanationOf('unknown-status');
  expect(text).toMatch(/^unknown-status \(of an import\)\n\nA status is not in the mapping/);
  expect(() => explanationOf('photo-not-recieved')).toThrow('Did you mean "photo-not-received"?');
  expect(codeListText()).toContain('import   short-row\n');
});
