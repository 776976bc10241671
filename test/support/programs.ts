/**
 * Programs other than Node.js. Root installs them on Debian or Ubuntu; otherwise their tests are skipped with a
 * message.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** `program`: a path. `package`: of Debian. */
export type Program = { program: string; package: string };

const LOCK = '/var/lock/property-catalogue-tests.lock';

/** Does not start services. */
const INSTALL = `policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' >$policy && chmod 755 $policy
fi
install() { apt-get install -y -qq --no-install-recommends "$@"; }
install "$@" || { apt-get update -qq && install "$@"; }`;

export async function missingPrograms(programs: readonly Program[]): Promise<string[]> {
  const packages = absent(programs);
  if (packages.length === 0) return [];
  if (canInstall()) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const args = [LOCK, 'sh', '-c', INSTALL, 'sh', ...packages];
    await promisify(execFile)('flock', args, { env, timeout: 600_000 }).catch((error: Error) =>
      console.warn(`apt-get failed: ${error.message}`),
    );
  }
  const missing = absent(programs);
  if (missing.length > 0) console.warn(`Not run: tests that need ${missing.join(', ')}.`);
  return missing;
}

function absent(programs: readonly Program[]): string[] {
  return [...new Set(programs.filter(({ program }) => !existsSync(program)).map((one) => one.package))];
}

function canInstall(): boolean {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return process.getuid?.() === 0 && /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(release);
}
