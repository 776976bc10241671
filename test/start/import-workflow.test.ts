/** The workflow that imports every night, run with stand-ins for its programs. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary.ts';

type Step = { readonly name?: string; readonly run?: string };

const file = new URL('../../starter/_github/workflows/import.yml', import.meta.url);
const { jobs } = parse(readFileSync(file, 'utf8').replaceAll('@@docs@@', 'docs')) as {
  jobs: { import: { if: string; steps: Step[] } };
};
const step = (name: string) => jobs.import.steps.find((one) => one.name === name)!.run!;

it.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 1],
])('an import that ends with %i lets the job end with %i', (code, expected) => {
  const folder = temporaryFolder();
  const program = join(folder, 'npx');
  writeFileSync(program, `#!/bin/sh\necho "$@"\nexit ${code}\n`);
  chmodSync(program, 0o755);
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    SOURCE: 'https://a.example/a b.csv',
    MAPPING: 'm.yaml',
  };
  const { status, stdout } = spawnSync('bash', ['-e', '-c', step('Import')], { env, encoding: 'utf8' });
  expect(status).toBe(expected);
  expect(stdout).toBe('catalogue import https://a.example/a b.csv --mapping m.yaml --photos --list-gone\n');
});

it('runs only once a source is named', () => expect(jobs.import.if).toBe("vars.CATALOGUE_IMPORT != ''"));
