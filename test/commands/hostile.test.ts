/** Paths that lead nowhere, for every command: one line that says what to do, and no failure without a name. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/commands/program.ts';
import { describeFailure } from '../../src/errors/errors.ts';
import { LEDGER_FILE } from '../../src/import/files/ledger.ts';
import { createWorkspace } from '../compile/workspace.ts';

const workspace = createWorkspace();
const before = process.cwd();
const LONG = 'x'.repeat(3000);

beforeAll(() => {
  process.chdir(workspace.root);
  writeFileSync('file', '');
  symlinkSync('loop', 'loop');
  symlinkSync('/dev/zero', 'zero');
  writeFileSync('t.csv', 'id,title\n1,House\n');
  mkdirSync('folder');
});
afterAll(() => process.chdir(before));

/** Runs a command in this process, which sees promises that nobody waits for. */
async function failureOf(args: readonly string[]) {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    return describeFailure(error);
  }
  throw new Error(`${args.join(' ')} did not fail`);
}

describe('a path that leads nowhere', () => {
  it.each([
    ...['build', 'check', 'next-change', 'format', 'media', 'diff', 'schema'].flatMap((command) =>
      ['file', 'file/below', 'loop', LONG].map((path) => [command, '--content', path]),
    ),
    ...['loop/dist', 'file', LONG].map((out) => ['build', '--out', out]),
    ...['loop', 'folder', 'zero', 'missing/m.yaml'].map((path) => ['import', 't.csv', '--mapping', path]),
    ['import', 'loop', '--mapping', 'missing/m.yaml'],
    ['import', 'folder'],
    ...['loop', 'file', 'missing'].flatMap((path) =>
      ['releases', 'rollback', 'prune'].map((command) => [command, `dir:${path}`]),
    ),
    ['publish', 'dir:missing', '--end-preview', 'pr-1'],
    ...['loop', 'folder', 'zero', LONG].map((path) => ['keys', 'show', path]),
    ...['loop/key', 'file/key', LONG].map((path) => ['keys', 'new', path]),
    ...['loop', 'folder', 'zero'].map((path) => ['publish', 'dir:live', '--signing-key', path]),
  ])('is named by its reason: %s %s %s', async (...args) => {
    workspace.add(1);
    const { exitCode, message } = await failureOf(args);
    expect([2, 3]).toContain(exitCode);
    expect(message).toMatch(/^[a-zA-Z-]+: .*[.)]$/s);
    expect(message).not.toMatch(/^failed|no such file|symbolic links encountered|name too long,/);
    expect(readdirSync('folder')).toEqual([]);
    expect(existsSync('missing')).toBe(false);
  });
});

it('a record of imports that leads to a device is not read without end', async () => {
  symlinkSync('/dev/zero', join(workspace.content, LEDGER_FILE));
  const names = ['id', 'title', 'city', 'country', 'currency', 'latitude', 'longitude'];
  writeFileSync('whole.csv', `${names.join(',')}\na,House,Cork,IE,EUR,51.9,-8.4\n`);
  writeFileSync('m.yaml', names.map((name) => `${name}: ${name}\n`).join(''));
  expect(await failureOf(['import', 'whole.csv', '--mapping', 'm.yaml'])).toEqual({
    exitCode: 3,
    message: expect.stringMatching(/^EFTYPE: A regular file is needed here\. \(.*\)$/),
  });
});

it.each(['', '{}', 'null', '[]', '{"version":99}', '{"version":3,"rel'])(
  'serve names a damaged current.json: %j',
  async (text) => {
    mkdirSync('served/public/_catalogue', { recursive: true });
    writeFileSync('served/public/_catalogue/current.json', text);
    expect(await failureOf(['serve', '--port', '0', '--out', 'served'])).toEqual({
      exitCode: 2,
      message: expect.stringMatching(/^dist-damaged: .*current\.json is not what a build/),
    });
  },
);

describe('an empty text in place of a path', () => {
  it.each([
    ['format', '--content', ''],
    ['build', '--out', ''],
    ['check', ''],
    ['publish', ''],
    ['keys', 'new', ''],
    ['publish', 'dir:live', '--signing-key', ''],
    ['verify', 'http://localhost', '--seen', ''],
    ['new', '--photo', 'a.jpg', ''],
  ])('is not the current folder: %s %s %s', async (...args) => {
    expect(await failureOf(args)).toEqual({
      exitCode: 2,
      message: expect.stringMatching(/^invalid-argument: \S.* is empty\. /),
    });
  });
});
