/** Before all tests: the bundles of the JavaScript targets, and the programs that can be installed. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { bundleEdge } from '../../scripts/bundle-edge.ts';
import { findChromium } from '../docs/chromium.ts';
import { findPreCommit } from '../editing/pre-commit.ts';
import { missingPackages } from './server.ts';
import { SERVERS } from './servers/index.ts';

/** What Debian asks before it starts the service of a package. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Called by vitest. */
export async function setup(): Promise<void> {
  await bundleEdge();
  const packages = [...new Set(SERVERS.flatMap(missingPackages))];
  if (!findChromium()) packages.push('chromium');
  if (!findPreCommit()) packages.push('pre-commit');
  const checkers = ['spin', 'gcc', 'zsh', 'fish'].filter((program) => !existsSync(`/usr/bin/${program}`));
  packages.push(...checkers);
  if (packages.length > 0 && canInstall()) install(packages);
  for (const kind of SERVERS) {
    const missing = missingPackages(kind);
    if (missing.length > 0) console.warn(`Not run: ${kind.target}, for want of ${missing.join(', ')}.`);
  }
  if (!findChromium()) console.warn('Not run: the tests of pages, for want of chromium.');
  if (!findPreCommit())
    console.warn('Not run: the hooks of the pre-commit framework, for want of pre-commit.');
}

function canInstall(): boolean {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return process.getuid?.() === 0 && /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(release);
}

/** Installs packages without starting their services; what cannot be installed stays missing. */
function install(packages: string[]): void {
  console.log(`Installing ${packages.join(', ')}`);
  const isOurs = !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore', timeout: 120_000 });
    const options = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
    execFileSync('apt-get', options, { env, stdio: 'ignore', timeout: 300_000 });
  } catch (error) {
    console.warn(`apt-get failed: ${(error as Error).message}`);
  } finally {
    if (isOurs) rmSync(POLICY, { force: true });
  }
}
