/** The command line as a user sees it: what it prints where, and its exit codes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace, idOf } from './compile/workspace.ts';
import { CLI, runCli } from './support/run-cli.ts';

describe('exit codes', () => {
  it('0: done', () => {
    const workspace = createWorkspace();
    workspace.add(1);
    const { status, stdout, stderr } = runCli(workspace, ['build']);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^Built 1 property, 1 city, 1 country$/m);
    expect(runCli(workspace, ['build']).status).toBe(0);
    expect(runCli(workspace, ['check']).stderr).toBe(
      'Reading properties\nMaking images\nChecked 1 file: no errors.\n',
    );
    expect(runCli(workspace, ['--help']).status).toBe(0);
    expect(runCli(workspace, ['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const groups = runCli(workspace, ['publish', '--help']).stdout.match(/^\S.*:$/gm);
    const wanted = ['Lock', 'Caches', 'Guards', 'Signatures and kept releases', 'Previews'];
    expect(groups).toEqual(['Arguments', 'Options', ...wanted, 'Examples'].map((name) => `${name}:`));
  });

  it('1: the content has errors', () => {
    const workspace = createWorkspace();
    workspace.add(1, { country: 'Ireland' });
    for (const command of ['build', 'check']) {
      const { status, stderr } = runCli(workspace, [command]);
      expect(status).toBe(1);
      expect(stderr).toContain('content/house-1.yaml:7:10  error unknown-country');
    }
    expect(runCli(workspace, ['build', '--keep-going']).status).toBe(1);
    expect(runCli(workspace, ['build', '--keep-going']).stderr).toContain(
      'Left out 1 file with errors:\n  content/house-1.yaml\n',
    );
  });

  it('2: wrong usage or configuration', () => {
    const workspace = createWorkspace();
    workspace.add(1);
    const refused: [string[], RegExp][] = [
      [
        ['bild'],
        /^unknown-command: The command line has an unknown command 'bild'\. Did you mean build\? .*\n$/,
      ],
      [
        ['../w/houses.CSV'],
        /unknown command .* To import the table, run "catalogue import \.\.\/w\/houses\.CSV"\.\n$/,
      ],
      [['build', '--out'], /^option-missing-argument: Option '--out <folder>' argument missing\. /],
      [['build', '--format', 'xml'], /Allowed choices are/],
      [['build', '--jobs', '0'], /Expected a whole number from 1/],
      [
        ['build', '--content', 'none'],
        /^no-content: There is no content folder .* Have a table\? Run "catalogue import table\.csv"\.\n$/,
      ],
      [['build', '--base-url', 'x'], /^invalid-base-url: "x" is not a base URL/],
      [['check', 'none.yaml'], /There is no none\.yaml|is not in the content folder/],
      [['serve', '--port', '99999'], /from 0 to 65535/],
      [['serve'], /^nothing-built: There is no catalogue in/],
    ];
    for (const [args, message] of refused) {
      const { status, stderr } = runCli(workspace, args);
      expect(stderr).toMatch(message);
      expect(status, args.join(' ')).toBe(2);
    }
    workspace.configure('page_size: all\nthumbnail:\n  width: 9\n');
    const { status, stderr } = runCli(workspace, ['build']);
    expect(status).toBe(2);
    expect(stderr).toContain('content/catalogue.yaml:1:1  error unknown-key');
    expect(stderr).toContain('Did you mean "page_sizes"?');
    expect(stderr).toContain('content/catalogue.yaml:3:10  error invalid-setting');
  });

  it('3: the environment failed', () => {
    const workspace = createWorkspace();
    workspace.add(1);
    workspace.write('../dist', 'a file where a folder is needed');
    const { status, stderr } = runCli(workspace, ['build']);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^E(NOTDIR|EXIST): /);
  });
});

describe('formats', () => {
  it('json: everything is on standard output, and nothing on standard error', () => {
    const workspace = createWorkspace();
    workspace.add(1, { email: undefined });
    const { stdout, stderr } = runCli(workspace, ['build', '--format', 'json']);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'published',
      diagnostics: [
        {
          code: 'missing-email',
          severity: 'warning',
          file: 'content/house-1.yaml',
          span: { line: 1, column: 1 },
        },
      ],
      counts: { properties: 1 },
    });
  });

  it('github: annotations are on standard output', () => {
    const workspace = createWorkspace();
    workspace.add(1, { currency: 'eur' });
    expect(runCli(workspace, ['check', '--format', 'github']).stdout).toBe(
      '::error file=content/house-1.yaml,line=3,endLine=3,col=11,endColumn=16,title=unknown-currency::"eur" is not the code of a currency in use. Did you mean "EUR"?\n',
    );
  });
});

describe('check', () => {
  it('reports only on the given paths', () => {
    const workspace = createWorkspace();
    workspace.add(1, { latitude: 'x' }, 'a/one.yaml');
    workspace.add(2, { latitude: 'x' }, 'b/two.yaml');
    const codes = (args: string[]) =>
      (
        JSON.parse(runCli(workspace, ['check', '--format', 'json', ...args]).stdout).diagnostics as {
          file: string;
        }[]
      ).map(({ file }) => file);
    expect(codes([])).toEqual(['content/a/one.yaml', 'content/b/two.yaml']);
    expect(codes(['content/b'])).toEqual(['content/b/two.yaml']);
    expect(codes(['content/a/one.yaml', 'content/b/two.yaml'])).toHaveLength(2);
    expect(runCli(workspace, ['check', 'content/b/two.yaml']).status).toBe(1);
    workspace.add(3, {}, 'c.yaml');
    expect(runCli(workspace, ['check', 'content/c.yaml'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        '\nChecked 1 file: no errors.\nOther files: 2 errors. Run "catalogue check" to see them.\n',
      ),
    });
    // Nothing can be checked without the configuration, whatever the paths are (E13).
    workspace.configure('page_sizes: none\n');
    expect(runCli(workspace, ['check', 'content/c.yaml'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('invalid-setting'),
    });
  });
});

describe('serve', () => {
  it('prints URLs that work, and ends on a signal', async () => {
    const workspace = createWorkspace();
    workspace.add(1, { city: "L'Aquila/Ö" });
    runCli(workspace, ['build']);
    const child = spawn(process.execPath, [CLI, 'serve', '--port', '0'], { cwd: workspace.root });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const text = await new Promise<string>((resolve) => {
      let seen = '';
      child.stdout.on('data', (chunk) => {
        seen += chunk;
        if (seen.includes('Ctrl+C')) resolve(seen);
      });
    });
    const [page = '', ...urls] = text.match(/http:\S+/g)!;
    expect(await (await fetch(page)).text()).toContain('<div id="explorer"');
    expect(urls).toHaveLength(3);
    const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).json()));
    expect(answers).toMatchObject([
      { data: [{ id: idOf(1) }] },
      { data: [{ id: idOf(1) }] },
      { title: 'House 1' },
    ]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(errors).toBe('');
  });
});

it('the output is the same for every number of jobs, time zone and locale', () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [1, 25]\n');
  for (let n = 1; n <= 60; n++) workspace.add(n, { city: n % 2 ? 'İzmir' : 'Ägäis', country: 'TR' });
  const digests = [
    ['1', 'UTC', 'C'],
    ['2', 'Pacific/Kiritimati', 'tr_TR.UTF-8'],
    ['3', 'America/St_Johns', 'sv_SE.UTF-8'],
  ].map(([jobs, TZ, LC_ALL]) => {
    const { status } = runCli(workspace, ['build', '--out', `dist-${jobs}`, '--jobs', jobs!], { TZ, LC_ALL });
    expect(status).toBe(0);
    return readFileSync(join(workspace.root, `dist-${jobs}`, 'public/_catalogue/current.json'), 'utf8');
  });
  expect(new Set(digests).size).toBe(1);
});

describe('a file whose name is a workflow command (C6)', () => {
  it.each([
    ['pretty', '\\u003a:warning file=a::x.yaml'],
    ['github', 'file=%3A%3Awarning file=a%3A%3Ax.yaml'],
  ])('runs no command in the format %s', (format, name) => {
    const workspace = createWorkspace();
    workspace.write('::warning file=a::x.yaml', 'titel: x\n');
    const { stdout, stderr } = runCli({ ...workspace, root: workspace.content }, [
      'check',
      '--content',
      '.',
      '--format',
      format,
    ]);
    expect(stdout + stderr).toContain(name);
    expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*::warning file=a::/m);
  });
});

it.each([
  ['check', '--content', 'file'],
  ['publish', 'dir:loop'],
])('a path that leads nowhere shows no stack trace: %s %s', (...args) => {
  const workspace = createWorkspace();
  writeFileSync(join(workspace.root, 'file'), '');
  symlinkSync('loop', join(workspace.root, 'loop'));
  const { status, stderr } = runCli(workspace, args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^[a-z-]+: [A-Z].*\.\n$/)]);
});

it('output that cannot be written is a failure of the environment', async () => {
  const workspace = createWorkspace();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [CLI, 'explain', 'missing-key'], {
    cwd: workspace.root,
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^ENOSPC: The disk is full\. .*\n$/)]);
});

it('output that its reader no longer takes ends the output, not the work', async () => {
  const workspace = createWorkspace();
  workspace.add(1);
  for (const [args, status] of [
    [['publish', '--help'], 0],
    [['build'], 0],
    [['check', '--format', 'json'], 0],
    [['explain', 'unknown-country'], 0],
  ] as const) {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: workspace.root });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const [code] = await once(child, 'close');
    expect([code, /^\s+at |EPIPE/m.test(stderr)], args.join(' ')).toEqual([status, false]);
  }
});
