/**
 * Bundles the router with the adapter of each JavaScript platform into `lib/targets/bundles/`, once for the package. What
 * depends on a catalogue is left out: the name `CATALOGUE_SETTINGS` stands for it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TARGETS = join(ROOT, 'src/targets');

type Bundle = { entry: string; external?: string[]; isModern?: boolean; isOpen?: boolean };

/**
 * The bundles: the code by which the platform finds the adapter's functions, the modules that the platform has, and
 * whether it knows today's language; njs and its kin do not. Those that know it can also cut pages out of chunks. What
 * is open is used for open lists alone.
 */
const BUNDLES: Record<string, Bundle> = {
  'nginx-njs': {
    entry: `import { file, permitted, answer, refuse } from './nginx/njs-router.ts'; export default { file, permitted, answer, refuse };`,
  },
  'nginx-city': {
    entry: `import { hexadecimal } from './nginx/njs-city.ts'; export default { hexadecimal };`,
    isOpen: true,
  },
  'cloudfront-function': {
    entry: `export { handler } from './cloudfront-function/function.ts';`,
    external: ['cloudfront'],
  },
  'cloudflare-worker': {
    entry: `import { createFetch } from './cloudflare-worker/worker.ts'; export default { fetch: createFetch() };`,
    isModern: true,
  },
  'lambda-edge': {
    entry: `import { createHandler } from './lambda-edge/function.ts'; export const handler = createHandler();`,
    external: ['@aws-sdk/client-s3'],
    isModern: true,
  },
  'fetch-handler': {
    entry: `import { createHandle } from './fetch-handler/handler.ts'; export const handle = createHandle();`,
    isModern: true,
  },
};

/** Puts the compiled expressions of the router into the bundle as literals, since some engines run a module anew. */
const literals: Plugin = {
  name: 'literals',
  setup: (build) => {
    build.onLoad({ filter: /contract[\\/]patterns\.ts$/ }, async ({ path }) => {
      const constants = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
      const lines = Object.entries(constants).map(
        ([name, value]) => `export const ${name} = ${literal(value)};`,
      );
      return { contents: lines.join('\n'), loader: 'js' };
    });
  },
};

/** Some engines know Node's modules only without `node:`. */
const builtins: Plugin = {
  name: 'builtins',
  setup: (build) => {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({
      path: path.slice('node:'.length),
      external: true,
    }));
  },
};

function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}:${literal(member)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

/**
 * The export in the form that njs knows, and the function `handler` under its own name, as CloudFront calls it;
 * without the imports of which nothing is used.
 */
function adapted(bundle: string): string {
  const code = bundle.replace(/import\s*"\w+";/g, '');
  const handler = /export\s*\{\s*([$\w]+) as handler\s*\};?/.exec(code);
  if (!handler) return code.replace(/export\s*\{\s*([$\w]+) as default\s*\};?/, 'export default $1;');
  return code.replace(handler[0], '').replace(`function ${handler[1]}(`, 'function handler(');
}

/** Writes every bundle below `folder`: each for open lists, and for those that ask for a key; for either layout. */
export async function bundleEdge(folder = join(ROOT, 'lib/targets/bundles')): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, bundle] of Object.entries(BUNDLES)) {
    for (const isPacked of bundle.isModern ? [false, true] : [false]) {
      for (const isGuarded of bundle.isOpen ? [false] : [false, true]) {
        const path = join(folder, `${name}${isPacked ? '-packed' : ''}${isGuarded ? '-keys' : ''}.js`);
        writeFileSync(path, await bundled(bundle, { isPacked, isGuarded }));
      }
    }
  }
}

async function bundled(
  { entry, external = [], isModern = false }: Bundle,
  { isPacked, isGuarded }: { isPacked: boolean; isGuarded: boolean },
): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: TARGETS, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: isModern ? 'es2022' : 'es2017',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    define: { CATALOGUE_GUARDED: String(isGuarded), CATALOGUE_PACKED: String(isPacked) },
    external,
    plugins: [literals, builtins],
  });
  return isModern ? outputFiles[0]!.text : adapted(outputFiles[0]!.text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleEdge();
