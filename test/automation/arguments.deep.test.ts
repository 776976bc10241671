/** The words of the action's `args` are those of a shell, and nothing in them is run (43). */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';

const SCRIPT = join(import.meta.dirname, '../../.github/action/run.sh');

/** Runs the action with arguments. Returns the words of the command line, its exit code and its errors. */
function run(args: string) {
  const folder = temporaryFolder();
  const output = join(folder, 'output');
  const cli = join(folder, 'cli.mjs');
  writeFileSync(output, '');
  writeFileSync(cli, 'process.stdout.write(JSON.stringify(process.argv.slice(2)));');
  const names = [
    'ARGUMENT',
    'BASE_URL',
    'ENDPOINT',
    'CACHE',
    'CLOUDFRONT',
    'CLOUDFLARE',
    'REPORT',
    'CONTENT',
  ];
  const empty = Object.fromEntries(names.map((name) => [name, '']));
  const env = { ...process.env, ...empty, COMMAND: 'check', ARGS: args, FAIL: 'true', CATALOGUE_CLI: cli };
  const more = { GITHUB_OUTPUT: output, RUNNER_TEMP: folder };
  const { status, stdout, stderr } = spawnSync('bash', [SCRIPT], {
    cwd: folder,
    env: { ...env, ...more },
    encoding: 'utf8',
  });
  const words = status === 0 ? (JSON.parse(stdout) as string[]).slice(1) : undefined;
  return { folder, status, words, stderr, output: readFileSync(output, 'utf8') };
}

it.each<[args: string, words: string[]]>([
  ['', []],
  [' \n\t', []],
  ['a  b\nc\td', ['a', 'b', 'c', 'd']],
  ['"content/a b.yaml"', ['content/a b.yaml']],
  ["'content/a b.yaml' --fix", ['content/a b.yaml', '--fix']],
  ['content/a\\ b.yaml', ['content/a b.yaml']],
  ['--content="my content"/x', ['--content=my content/x']],
  [`"it's" 'say "yes"' "say \\"no\\""`, ["it's", 'say "yes"', 'say "no"']],
  ['"" a \'\'', ['', 'a', '']],
  ['"a\nb"', ['a\nb']],
  ['a \\\n  b', ['a', 'b']],
  [`'a\\b' "a\\b" "a\\\\b"`, ['a\\b', 'a\\b', 'a\\b']],
  ['a\\"b \\"', ['a"b', '"']],
  ['"é 日本"', ['é 日本']],
])('%j', (args, words) => {
  expect(run(args).words).toEqual(words);
});

it.each([
  '$(touch made)',
  '`touch made`',
  '; touch made',
  '"$(touch made)" $HOME',
  '* ? [a-z] ~',
  '| & > made',
])('is text: %s', (args) => {
  const { folder, status, words } = run(args);
  expect(status).toBe(0);
  expect(words!.join(' ')).toBe(args.replaceAll('"', ''));
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

it.each(['"a b', "a 'b", 'a"'])('%j is refused', (args) => {
  const { status, stderr, output } = run(args);
  expect([status, output]).toEqual([2, 'exit-code=2\n']);
  expect(stderr).toMatch(/^invalid-args: .*without a closing one\.\n$/);
});

it('are the words of a shell', () => {
  const character = fc.constantFrom(...'ab "\'\\$`\n*;');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: character, maxLength: 6 }), { maxLength: 4 }), (words) => {
      const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
      const doubled = words.map((word) => `"${word.replace(/["\\$`]/g, '\\$&')}"`).join('\n');
      expect(run(quoted).words).toEqual(words);
      expect(run(doubled).words).toEqual(words);
    }),
    { numRuns: 15 },
  );
});
