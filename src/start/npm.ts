import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../errors/errors.ts';
import { undefinedIfMissing } from '../files/files-and-folders.ts';
import { PACKAGE_ROOT } from '../package/package-root.ts';
import { version } from '../package/version.ts';

/**
 * Returns this package's version, if npm installed the package from a registry. Otherwise packs it into the repository,
 * so that clones can install it, and returns the `file:` specifier. @throws EnvironmentError `not-packed`
 */
export function packIntoRepository(root: string): string {
  if (isFromRegistry()) return version;
  const file = `property-catalogue-${version}.tgz`;
  const args = ['pack', fileURLToPath(PACKAGE_ROOT), '--ignore-scripts', '--silent'];
  if (!existsSync(join(root, file)) && !runNpm(root, args)) {
    // On a full disk, npm may have written a part of the file.
    rmSync(join(root, file), { force: true });
    throw new EnvironmentError(
      'not-packed',
      'npm cannot pack this package. If it said nothing above, install Node.js with npm.',
    );
  }
  return `file:${file}`;
}

function isFromRegistry(): boolean {
  const record = undefinedIfMissing(() =>
    readFileSync(new URL('../.package-lock.json', PACKAGE_ROOT), 'utf8'),
  );
  const { packages } = JSON.parse(record ?? '{}') as {
    packages?: Readonly<Record<string, { resolved?: string } | undefined>>;
  };
  return /^https?:.*\/-\//.test(packages?.['node_modules/property-catalogue']?.resolved ?? '');
}

/** Runs npm, or the package manager that runs this command. Returns whether it succeeded. */
export function runNpm(root: string, args: readonly string[]): boolean {
  const { npm_execpath } = process.env;
  const isScript = npm_execpath !== undefined && /\.[cm]?js$/.test(npm_execpath);
  const isShell = !isScript && process.platform === 'win32';
  const words = isShell ? args.map((word) => JSON.stringify(word)) : args;
  const { status } = spawnSync(
    isScript ? process.execPath : 'npm',
    isScript ? [npm_execpath, ...words] : words,
    {
      cwd: root,
      // Standard output is reserved for the list of files.
      stdio: ['ignore', 2, 2],
      shell: isShell,
      env: {
        ...process.env,
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_loglevel: 'error',
      },
    },
  );
  return status === 0;
}
