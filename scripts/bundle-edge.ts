// `CATALOGUE_SETTINGS` is a placeholder for a catalogue's settings.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { TARGETS as ALL } from '../src/targets/index.ts';
import type { TargetProgram } from '../src/targets/target.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TARGETS = join(ROOT, 'src/targets');

/** Evaluates the router's regular expressions at build time: some engines evaluate a module for each request. */
const literals: Plugin = {
  name: 'literals',
  async load(id) {
    if (!/contract[\\/]query-patterns\.ts$/.test(id)) return;
    const constants = (await import(pathToFileURL(id).href)) as Record<string, unknown>;
    const lines = Object.entries(constants).map(
      ([name, value]) => `export const ${name} = ${literal(value)};`,
    );
    return { code: lines.join('\n'), moduleType: 'js' };
  },
};

/** Some engines know Node's modules only without the prefix `node:`. */
const builtins: Plugin = {
  name: 'builtins',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('node:') ? { id: id.slice('node:'.length), external: true } : undefined),
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

/** Adapts the export for njs, names the function `handler` for CloudFront, and drops unused imports. */
function adapted(bundle: string): string {
  const code = bundle.replace(/import\s*"\w+";/g, '');
  const handler = /export\s*\{\s*([$\w]+) as handler\s*\};?/.exec(code);
  if (!handler) return code.replace(/export\s*\{\s*([$\w]+) as default\s*\};?/, 'export default $1;');
  return code.replace(handler[0], '').replace(`function ${handler[1]}(`, 'function handler(');
}

const EXTERNAL = ['cloudfront', '@aws-sdk/client-s3'];

/** One bundle with and one without API keys. A target that serves previews always cuts their pages. */
export async function bundleEdge(folder = join(ROOT, 'lib/targets')): Promise<void> {
  const [templates, bundles] = [join(folder, 'templates'), join(folder, 'bundles')];
  for (const old of [templates, bundles]) rmSync(old, { recursive: true, force: true });
  cpSync(TARGETS, templates, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  mkdirSync(bundles, { recursive: true });
  for (const [name, code] of Object.values(ALL).flatMap((target) => Object.entries(target.code ?? {}))) {
    for (const cutsPages of code.servesPreviews ? [true] : code.cutsPages ? [false, true] : [false]) {
      for (const isGuarded of code.onlyWithoutApiKeys ? [false] : [false, true]) {
        const file = `${name}${cutsPages ? '-cuts-pages' : ''}${isGuarded ? '-keys' : ''}.js`;
        writeFileSync(join(bundles, file), await bundled(code, { cutsPages, isGuarded }));
      }
    }
  }
}

async function bundled(
  { entry, isModern = false }: TargetProgram,
  { cutsPages, isGuarded }: { cutsPages: boolean; isGuarded: boolean },
): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define: { CATALOGUE_GUARDED: String(isGuarded), CATALOGUE_CUTS_PAGES: String(cutsPages) },
    plugins: [literals, builtins],
    build: {
      write: false,
      target: isModern ? 'es2022' : 'es2017',
      minify: true,
      lib: { entry: join(TARGETS, entry), formats: ['es'] },
      rolldownOptions: {
        external: EXTERNAL,
        output: { minify: true, comments: false, codeSplitting: false },
      },
    },
  });
  const [chunk] = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const text = (chunk as { code: string }).code.replace(/[^\0-\x7f]/g, escaped);
  return isModern ? text : adapted(text);
}

/** Some engines do not read UTF-8. */
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
