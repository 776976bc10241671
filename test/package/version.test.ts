/** `package.json` decides the version; every other file that must name it agrees (A8). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Files that name other versions on purpose: history and dated measurements. */
const DATED = ['CHANGELOG.md', 'docs/upgrading.md', 'docs/measurements.md'];

/** A version of this project: in an address, an image, a file name, or the `package.json` of one of its packages. */
const OWN_VERSION = /(?:property-catalogue[\w./-]*?(?:@v?|:|-|\/v)|^ {2}"version": ")(\d+\.\d+\.\d+)/gm;

it('every file names the version of package.json', () => {
  const root = new URL('../../', import.meta.url);
  const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const tracked = execFileSync('git', ['grep', '-lIE', '[0-9]+\\.[0-9]+\\.[0-9]+'], {
    cwd: root,
    encoding: 'utf8',
  });
  const named = tracked
    .split('\n')
    .filter((path) => path !== '' && !DATED.includes(path) && !/^test\//.test(path))
    .flatMap((path) => [...read(path).matchAll(OWN_VERSION)].map(([, found]) => [path, found]));
  const paths = new Set(named.map(([path]) => path));
  for (const path of ['package-lock.json', 'templates/catalogue.yml', 'docs/automation.md'])
    expect(paths).toContain(path);
  expect(named.filter(([, found]) => found !== version)).toEqual([]);
});
