/** The examples of docstrings: each runs as it stands, beside a small catalogue, and gives what it says. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { build } from '../src/compile/build.ts';
import { configurationSchema } from '../src/contract/configuration.ts';
import { explorerSettings } from '../src/contract/explorer.ts';
import { openRelease } from '../src/release/open-release.ts';
import { createHandler } from '../src/serve/handler.ts';
import { propertyText } from './source/property-text.ts';
import { ROOT } from './support/clone.ts';
import { temporaryFolder } from './support/temporary.ts';

const BASE_URL = 'https://stays.example';

/** The files whose exported functions may have examples: the contract, and what the library and the client export. */
const FILES = [
  ...readdirSync(join(ROOT, 'src/contract'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `contract/${name}`),
  ...['contract/openapi/document.ts', 'compile/build.ts', 'compile/check.ts', 'client/index.ts'],
  'history/changes.ts',
  ...['history/record-release.ts', 'release/open-release.ts', 'serve/handler.ts'],
];

/** The exported functions of a file, each with the lines of its example. */
function examplesOf(file: string): [name: string, lines: string[], file: string][] {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  const functions = /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?function (\w+)/g;
  return [...text.matchAll(functions)].map(([, comment = '', name]) => {
    const [, example = ''] = comment.split('@example');
    const lines = example.split('\n').map((line) => line.replace(/^ \*\/?|\*\/$/g, '').trim());
    return [name!, lines.filter((line) => line !== ''), file];
  });
}

const EXAMPLES = FILES.flatMap(examplesOf).filter(([, lines]) => lines.length > 0);
const before = process.cwd();
const folder = temporaryFolder();
const servers: { close: () => void }[] = [];

/** Runs a handler on a free port, whichever port the example names. */
const serve = (handler: Parameters<typeof createServer>[1]) => {
  const server = createServer(handler!);
  servers.push(server);
  return { listen: () => server.listen(0, '127.0.0.1'), address: () => server.address() };
};

beforeAll(async () => {
  mkdirSync(join(folder, 'content'));
  writeFileSync(join(folder, 'content/catalogue.yaml'), `base_url: ${BASE_URL}\n`);
  writeFileSync(join(folder, 'content/rose.yaml'), propertyText());
  process.chdir(folder);
  await build();
  const { listen } = serve(createHandler({ root: 'dist/public' }));
  const server = listen();
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const fetch = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    fetch(url.replace(BASE_URL, `http://127.0.0.1:${port}`), init),
  );
});

afterAll(() => {
  for (const server of servers) server.close();
  vi.unstubAllGlobals();
  process.chdir(before);
});

it.each(EXAMPLES)('%s', async (_name, lines, file) => {
  const module = (await import(join(ROOT, 'src', file))) as Record<string, unknown>;
  const configuration = configurationSchema.parse({ base_url: BASE_URL });
  const scope = { explorerSettings, openRelease, z, configuration, createServer: serve, ...module };
  const program = lines.map((line) => {
    const [, code = line, value] = /^(.*) \/\/ (.*)$/.exec(line) ?? [];
    return value === undefined ? code : `expect(${code}, ${JSON.stringify(line)}).toEqual(${value});`;
  });
  const AsyncFunction = (async () => {}).constructor as new (
    ...text: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const run = new AsyncFunction('expect', ...Object.keys(scope), program.join('\n'));
  await run(expect, ...Object.values(scope));
});
