/** Completion, by the function that finds it and by real shells. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completions } from '../../src/commands/complete.ts';
import { createProgram } from '../../src/commands/program.ts';
import { missingPrograms } from '../support/programs.ts';
import { CLI } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

await missingPrograms(['zsh', 'fish'].map((name) => ({ program: `/usr/bin/${name}`, package: name })));

const complete = async (...words: string[]) =>
  (await completions(createProgram(), words)).map(({ value }) => value);

describe('shell completion', () => {
  it.each<[string[], string[]]>([
    [['pub'], ['publish']],
    [['r'], ['releases', 'rollback']],
    [['no-such', ''], []],
    [
      ['build', '--fo'],
      ['--force', '--format'],
    ],
    [['build', '--force', '--fo'], ['--format']],
    [['build', '--force', ''], []],
    [['build', '--format', 's'], ['sarif']],
    [['build', '--format=s'], ['--format=sarif']],
    // Splits words as bash does.
    [['build', '--format', '=', 's'], ['sarif']],
    [
      ['build', '--format', '='],
      ['pretty', 'json', 'github', 'sarif'],
    ],
    [['build', '--jobs', ''], []],
    [['build', '--content', ''], [':folders']],
    [['import', '--mapping', ''], [':files']],
    [['import', '--mapping', 'a.yaml', ''], [':files']],
    [['import', 'a.csv', ''], []],
    [['check', 'a.yaml', 'b'], [':files']],
    [['publish', ''], [':folders']],
    [['explain', 'unknown-cou'], ['unknown-country']],
    [['explain', 'unknown-country', ''], []],
    [
      ['complete', ''],
      ['bash', 'zsh', 'fish'],
    ],
  ])('completes %j with %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });

  it('completes an empty line with all commands, each with its summary', async () => {
    const all = await completions(createProgram(), ['']);
    expect(all.map(({ value }) => value)).toContain('check');
    expect(all.every(({ about }) => about.length > 0)).toBe(true);
  });
});

describe('completion in a shell', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'my content'));
  writeFileSync(join(folder, 'houses.csv'), '');
  chmodSync(CLI, 0o755);
  symlinkSync(CLI, join(folder, 'bin/catalogue'));
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: folder,
    TERM: 'dumb',
  };
  const run = (file: string, args: string[]) =>
    execFileSync(file, args, { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
  const script = (shell: string) => {
    const path = join(folder, `catalogue.${shell}`);
    writeFileSync(path, run(join(folder, 'bin/catalogue'), ['complete', shell]));
    return path;
  };

  it('works in bash', () => {
    const path = script('bash');
    const ask = (...words: string[]) =>
      run('bash', [
        '--norc',
        '-c',
        `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalogue; printf '%s\\n' "\${COMPREPLY[@]}"`,
        path,
        'catalogue',
        ...words,
      ])
        .trim()
        .split('\n');
    expect(ask('relea')).toEqual(['releases']);
    expect(ask('build', '--format', '=', 's')).toEqual(['sarif']);
    expect(ask('build', '--content', 'm')).toEqual(['my content']);
    expect(ask('import', 'h')).toEqual(['houses.csv']);
    // The typed text is passed on, and never executed.
    ask('check', '$(touch hacked)', '`touch hacked`', '');
    expect(existsSync(join(folder, 'hacked'))).toBe(false);
  });

  it.runIf(existsSync('/usr/bin/fish'))('works in fish', () => {
    const path = script('fish');
    const ask = (line: string) =>
      run('fish', ['--no-config', '-c', `source '${path}'; complete -C '${line}'`])
        .trim()
        .split('\n');
    expect(ask('catalogue relea')).toEqual(['releases\tlist the releases that a bucket keeps']);
    expect(ask('catalogue build --format s')).toEqual(['sarif']);
    expect(ask('catalogue build --content m')).toEqual([expect.stringMatching(/^my content\//)]);
    expect(ask('catalogue import h')).toEqual(['houses.csv']);
  });

  it.runIf(existsSync('/usr/bin/zsh'))('works in zsh', () => {
    const path = script('zsh');
    // A shell on a terminal of its own: its output after the tab is read until the word appears.
    const terminal = join(folder, 'terminal.zsh');
    writeFileSync(
      terminal,
      `zmodload zsh/zpty
zpty z zsh -f -i
typed=$1 wanted=$2 out= chunk=
listen() { repeat 300; do while zpty -r -t z chunk; do out+=$chunk; done; [[ $out == *$1* ]] && return; sleep 0.1; done }
zpty -w z 'autoload -Uz compinit; compinit -u -D; source ${path}; print LISTEN''ING'
listen LISTENING
zpty -w -n z "$typed"$'\\t'
listen $wanted
print -r -- $out
zpty -d z
`,
    );
    const ask = (line: string, wanted: string) => run('zsh', ['-f', terminal, line, wanted]);
    expect(ask('catalogue relea', 'catalogue releases')).toContain('catalogue releases');
    expect(ask('catalogue build --format=sa', '--format=sarif')).toContain('--format=sarif');
    expect(ask('catalogue import hou', 'ses.csv')).toContain('ses.csv');
  });
});
