/** Digest of the program: this package's code, and the libraries whose results are stored. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { EnvironmentError } from '../../errors/errors.ts';
import { PACKAGE_ROOT } from '../../package/package-root.ts';

/** Set by the bundler: bundled libraries are covered by the code's digest. */
declare const BUNDLED: true | undefined;

/** Libraries whose results are stored. Image encoders have a name of their own (`media/engine.ts`). */
const RESULT_LIBRARIES = ['libphonenumber-js', 'postcode-validator', 'yaml', 'zod'];

/** File to which `scripts/bundle-cli.ts` writes the digest of the compiled code. */
const COMPILED = new URL('lib/program', PACKAGE_ROOT);

/** Digest of the code and libraries; a state from another program is not used. */
export const program: string = createHash('sha256')
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

/** Digests the source code, for development, and the compiled files that builds copy. */
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
