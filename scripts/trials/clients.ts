/**
 * Tries the catalogue with foreign tools: clients that three generators make of its OpenAPI document compile and call
 * every operation; the types of the package's own client compile with the oldest TypeScript that they are for; Prism, as
 * a proxy that validates, finds nothing in 300 answers. The tools are installed into a temporary folder.
 *
 *     npm run trial:clients
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeChanges } from '../../src/history/write.ts';
import { type ServedCatalogue, serveCatalogue } from '../../test/served-catalogue.ts';
import { violations } from './prism.ts';
import { TRIALS } from './programs.ts';

/** The tools, each of one version: another may find something else. */
const TOOLS = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@stoplight/prism-cli@5.16.0',
  'typescript@5.9.3',
  'typescript-5.4@npm:typescript@5.4.5',
  '@types/node@20.19.43',
  'esbuild@0.28.2',
];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEY = 'a key of the trial';
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'catalogue-trials-'));
const served: ServedCatalogue[] = [];
try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = ['install', '--no-audit', '--no-fund', '--silent', '--no-save', ...TOOLS];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

  const open = await serve('docs: false\n');
  const document = await (await fetch(`${open.url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  for (const trial of TRIALS) {
    for (const [name, text] of Object.entries(trial.files(open.url))) writeFileSync(join(folder, name), text);
    await tool('npx', [...trial.generate(open.url)]);
    await tryProgram(trial.program(open.url));
    console.log(`${trial.name}: compiles, and calls every operation`);
  }

  for (const resolution of ['node16', 'bundler']) await tryTypes(resolution);
  console.log('the client of the package: its types stand alone in TypeScript 5.4');

  const digest = createHash('sha256').update(KEY).digest('hex');
  const keyed = await serve(`docs: false\nbulk: true\napi_keys: ["${digest}"]\n`, [digest]);
  const found = [
    ...(await violations({ folder, url: open.url, requests: 200 })),
    ...(await violations({ folder, url: keyed.url, requests: 100, key: KEY })),
  ];
  for (const one of found) console.error(one);
  console.log(`Prism: ${found.length} violations in 300 answers`);
  if (found.length > 0) process.exitCode = 1;
} finally {
  for (const { close } of served) await close();
  rmSync(folder, { recursive: true, force: true });
}

/** The catalogue of this repository, with a record of changes. */
async function serve(configuration: string, apiKeys: string[] = []): Promise<ServedCatalogue> {
  const catalogue = await serveCatalogue(configuration, apiKeys);
  served.push(catalogue);
  await writeChanges({ out: join(catalogue.folder, 'dist'), time: '2026-11-20T09:00:00Z' });
  return catalogue;
}

/** Runs a tool in the folder of the tools. @throws Error with all that it says. */
async function tool(command: string, args: string[]): Promise<void> {
  await run(command, args, { cwd: folder, timeout: 120_000 }).catch(
    (error: { stdout: string; message: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
}

/** Compiles a program as a consumer would, and runs it. */
async function tryProgram(program: string): Promise<void> {
  writeFileSync(join(folder, 'program.ts'), program);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await tool(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.']);
  const bundle = [
    'esbuild',
    'program.ts',
    '--bundle',
    '--platform=node',
    '--format=esm',
    '--outfile=program.mjs',
  ];
  await tool('npx', [...bundle, '--log-level=error']);
  await tool(process.execPath, ['program.mjs']);
}

/** Compiles a program that uses the package's own client, with the oldest TypeScript, and checks its declarations whole. */
async function tryTypes(moduleResolution: string): Promise<void> {
  const place = join(folder, `types-${moduleResolution}`);
  const installed = join(place, 'node_modules/property-catalogue');
  mkdirSync(installed, { recursive: true });
  for (const name of ['lib', 'package.json']) {
    cpSync(join(ROOT, name), join(installed, name), { recursive: true });
  }
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    moduleResolution,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
  };
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  writeFileSync(
    join(place, 'program.ts'),
    `import { createClient } from 'property-catalogue/client';
const client = createClient({ baseUrl: 'https://stays.example', cache: new Map() });
for await (const event of client.followChanges({ since: '' })) console.log(event.release);
for await (const { photo } of client.downloadProperties()) console.log(photo.length);
`,
  );
  await tool(process.execPath, ['node_modules/typescript-5.4/bin/tsc', '-p', place]);
}
