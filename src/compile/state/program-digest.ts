/** Digest of this package and the libraries whose results the state keeps. If it changes, the state is discarded. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../../errors/errors.ts';
import { PACKAGE_ROOT } from '../../package/package-root.ts';

/** Set by the bundler. The digest of bundled code covers the libraries too. */
declare const BUNDLED: true | undefined;

/** Libraries whose results the state keeps. Image encoders are compared separately (`media/engine-version.ts`). */
const RESULT_LIBRARIES = ['libphonenumber-js', 'postcode-validator', 'yaml', 'zod'];

/** Digest of the compiled code, written by `scripts/bundle-cli.ts`. */
const COMPILED = new URL('lib/program', PACKAGE_ROOT);

export const programDigest: string = createHash('sha256')
  .update(codeDigest())
  .update(typeof BUNDLED === 'undefined' ? RESULT_LIBRARIES.map(versionOf).join(' ') : '')
  .digest('hex');

function codeDigest(): string {
  if (import.meta.url.endsWith('.ts')) return sourceDigest();
  if (!existsSync(COMPILED)) {
    throw new EnvironmentError(
      'incomplete-package',
      `${fileURLToPath(COMPILED)} is missing. Install the package again, or run "npm run compile".`,
    );
  }
  return readFileSync(COMPILED, 'utf8');
}

/** Used during development. Also covers the compiled code, since builds copy some of its files to the output. */
function sourceDigest(): string {
  const root = fileURLToPath(new URL('src/', PACKAGE_ROOT));
  const hash = createHash('sha256');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    hash.update(file).update(readFileSync(root + file));
  }
  if (existsSync(COMPILED)) hash.update(readFileSync(COMPILED));
  return hash.digest('hex');
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  const { version } = JSON.parse(readFileSync(require.resolve(`${name}/package.json`), 'utf8')) as {
    version: string;
  };
  return `${name}@${version}`;
}
