/** The compiled client in Node, Deno and Bun, which npm installs into a temporary folder. */
import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../support/clone.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('the client gives the same results in Node, Deno and Bun', async () => {
  const folder = temporaryFolder();
  const catalogue = await serveCatalogue();
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  execFileSync('npm', ['install', '--silent', 'deno', 'bun'], { cwd: folder, stdio: 'inherit' });
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { createClient } from ${JSON.stringify(join(ROOT, 'lib/client/index.js'))};
import { tryClient } from ${JSON.stringify(join(ROOT, 'test/client/program.mjs'))};
console.log(JSON.stringify(await tryClient(createClient, ${JSON.stringify(catalogue.url)})));
`,
  );
  const bin = (name: string) => join(folder, 'node_modules/.bin', name);
  const resultOf = async (command: string, args: string[]) => {
    const { stdout } = await promisify(execFile)(command, args, { timeout: 120_000 });
    return JSON.parse(stdout) as unknown;
  };
  const inNode = await resultOf(process.execPath, [program]);
  expect(await resultOf(bin('deno'), ['run', '--allow-net', '--allow-read', program])).toEqual(inNode);
  expect(await resultOf(bin('bun'), [program])).toEqual(inNode);
});
