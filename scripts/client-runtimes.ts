/**
 * Tries the compiled client in Node, Deno and Bun, which are installed into a temporary folder for it.
 *
 *     npm run compile && npx tsx scripts/client-runtimes.ts
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serveCatalogue } from '../test/served-catalogue.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'catalogue-runtimes-'));
const catalogue = await serveCatalogue();
try {
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
  const runtimes = [
    [process.execPath, [program]],
    [bin('deno'), ['run', '--allow-net', '--allow-read', program]],
    [bin('bun'), [program]],
  ] as const;
  const results = new Set<string>();
  for (const [command, args] of runtimes) {
    const { stdout } = await promisify(execFile)(command, args, { timeout: 120_000 });
    const result = stdout.trim();
    console.log(`${command.split('/').at(-1)}: ${result}`);
    results.add(result);
  }
  if (results.size !== 1) throw new Error('The runtimes differ.');
} finally {
  await catalogue.close();
  rmSync(folder, { recursive: true, force: true });
}
