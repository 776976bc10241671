/** Installs the pre-commit hook unless the repository has its own. `npm install` in a catalogue runs this module. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const MARK = '# property-catalogue:';

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};
const posix = (path: string) => path.split(sep).join('/');
const quoted = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`;

const prefix = git('rev-parse', '--show-prefix');
const folder = git('rev-parse', '--git-path', 'hooks');
if (prefix !== undefined && folder !== undefined) {
  const file = join(resolve(folder), 'pre-commit');
  const isFree = !existsSync(file) || readFileSync(file, 'utf8').includes(MARK);
  // Several repositories may share the folder of `core.hooksPath`, and this hook would run in all of them.
  if (isFree && git('config', 'core.hooksPath') === undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, hook(), { mode: 0o755 });
  } else {
    console.error(
      'This repository has git hooks of its own. Let them run "npx catalogue check" before a commit.',
    );
  }
}

/**
 * The hook checks all content, since removing a photo can break a property file that the commit does not change. It
 * refuses a commit only for errors that the commit adds.
 */
function hook(): string {
  const cli = quoted(posix(relative('.', join(dirname(fileURLToPath(import.meta.url)), 'cli.js'))));
  return `#!/bin/sh
${MARK} refuses a commit that adds an error to the content.
git diff --cached --quiet -- ${quoted(`${prefix}content`)} && exit 0
cd ${quoted(`./${prefix}`)} || exit
[ -f ${cli} ] || { echo 'The check before a commit needs "npm install".' >&2; exit 1; }
node ${cli} check --recorded
`;
}
