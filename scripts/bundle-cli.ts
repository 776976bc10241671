// A few files load faster than hundreds. Bundled libraries are not installed; `dependencies` in `package.json` has the
// others, and zod for the published types. A build with nothing to do loads one file. The digest of all files is
// written last.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIB = join(ROOT, 'lib');

/** ES modules: Node parses modules inside of CommonJS twice. */
const YAML_MODULES = fileURLToPath(new URL('../browser/dist/index.js', import.meta.resolve('yaml')));

/** Name of the file with the program's digest (`src/compile/state/program-digest.ts`). */
const PROGRAM = 'program';

const LICENSES = 'licenses.txt';

/** By name in `lib/`. A worker must be in the folder of the code that starts it. */
const ENTRIES = [
  { cli: 'src/cli.ts' },
  { index: 'src/index.ts' },
  { worker: 'src/compile/threads/worker.ts', 'import-worker': 'src/import/import-worker.ts' },
  { 'build-worker': 'src/dev/session/build-worker.ts' },
  { 'heic-worker': 'src/media/heic-worker.ts' },
  { 'git-hook': 'src/start/git-hook.ts' },
];
/** The client's entries, which do not import each other. */
const CLIENT = {
  'client/index': 'src/client/index.ts',
  'client/schema-org': 'src/client/schema-org.ts',
  'client/search': 'src/client/search.ts',
};
const CLIENT_TYPES = Object.keys(CLIENT).map((name) => `${name}.d.ts`);

/** Modules that load together, with dependencies that no earlier group has. */
const GROUPS = [
  groupOf(
    'shared',
    ...['errors/errors', 'text/printable', 'text/amounts', 'text/shorten', 'process/compile-cache'],
    ...['contract/fields', 'contract/payment-method-types', 'contract/preview-keys', 'contract/rfc3339-time'],
    ...readdirSync(join(ROOT, 'src/package')).map((file) => `package/${file.replace(/\.ts$/, '')}`),
  ),
  groupOf('build', 'compile/build', 'report/build', 'commands/progress-and-exit-code'),
  groupOf('publish', 'publish/publish', 'publish/dist-source', 'publish/signing-key-file'),
  groupOf('release', 'compile/build-release'),
];

/** @throws an error if a module is missing, since its group would silently lose it */
function groupOf(name: string, ...modules: readonly string[]) {
  const files = new Set(modules.map((module) => join(ROOT, `src/${module}.ts`)));
  const missing = [...files].filter((file) => !existsSync(file));
  if (missing.length > 0)
    throw new Error(`The group "${name}" names files that do not exist: ${missing.join(', ')}.`);
  return { name, test: (id: string) => files.has(id) };
}

/**
 * Not bundled: native code, a library that reads its own files, one that http-server never loads, and optional ones.
 */
const OUTSIDE = [
  /^sharp(?:\/|$)/,
  /^open$/,
  /^spdy$/,
  /^@azure\/storage-blob$/,
  /^@e965\/xlsx$/,
  /^libheif-js\//,
];
/** Names stay, for readable stack traces. */
const MINIFY = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

/** Parsing the phone number table as JSON takes 2 ms per thread; as code, 7 ms. */
const phoneTable: Plugin = {
  name: 'phone-table',
  load: {
    filter: { id: /\/metadata\.max\.json\.js$/ },
    handler: (id) => {
      const table = JSON.stringify(JSON.parse(readFileSync(id.replace(/\.js$/, ''), 'utf8')));
      return `export default JSON.parse(${JSON.stringify(table)})`;
    },
  },
};

/** A segmenter and an emoji table take 33 ms, as long as the rest of a start; they are created at first use. */
const lateTables: Plugin = {
  name: 'late-tables',
  transform: {
    filter: { id: /\/(?:string-width|wrap-ansi)\/index\.js$/ },
    handler: (code, id) => {
      const late = code
        .replace(
          'const segmenter = new Intl.Segmenter();',
          'let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };',
        )
        .replace(
          String.raw`const rgiEmojiRegex = /^\p{RGI_Emoji}$/v;`,
          () =>
            String.raw`let emoji; const rgiEmojiRegex = { test: (text) => (emoji ??= RegExp('^\\p{RGI_Emoji}$', 'v')).test(text) };`,
        );
      // A new version of the library may have different code.
      if (/^const \w+ = (?:new Intl\.Segmenter|\/\^\\p\{RGI)/m.test(late))
        throw new Error(`${id} makes tables at its start.`);
      return late;
    },
  },
};

for (const name of readdirSync(LIB)) if (name.startsWith('chunk-')) rmSync(join(LIB, name));
const modules = new Set<string>();
// Only the entries of one line share modules: a thread should load few files, and most of what two of them need is the
// same tables.
for (const input of ENTRIES) {
  const chunks = await bundled(input, {
    chunkFileNames: `chunk-${Object.keys(input)[0]}-[name]-[hash].js`,
    codeSplitting: { groups: GROUPS.map((group, place) => ({ ...group, priority: GROUPS.length - place })) },
    minify: MINIFY,
  });
  for (const { moduleIds } of chunks) for (const id of moduleIds) modules.add(id);
}
// Class names may be mangled: the client's errors set their names explicitly.
for (const [name, source] of Object.entries(CLIENT))
  await bundled({ [name]: source }, { minify: { ...MINIFY, mangle: true } });

async function bundled(
  input: Readonly<Record<string, string>>,
  output: Rolldown.OutputOptions,
): Promise<Rolldown.OutputChunk[]> {
  const names = Object.keys(input);
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // The bundle's digest covers its libraries (`src/compile/state/program-digest.ts`).
    define: { BUNDLED: 'true' },
    resolve: { mainFields: ['module', 'main'], alias: { yaml: YAML_MODULES } },
    ssr: { noExternal: true },
    plugins: [phoneTable, lateTables],
    build: {
      ssr: true,
      outDir: LIB,
      emptyOutDir: false,
      copyPublicDir: false,
      target: names.some((name) => Object.hasOwn(CLIENT, name)) ? 'es2022' : 'node20.19',
      rolldownOptions: {
        input,
        external: OUTSIDE,
        // The entry exports only what its types declare, not what chunks share.
        ...(names.includes('index') && { preserveEntrySignatures: 'strict' }),
        output: { entryFileNames: '[name].js', ...output },
        checks: { ineffectiveDynamicImport: false },
      },
    },
  });
  const files = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  return files.filter((file) => file.type === 'chunk');
}

chmodSync(join(LIB, 'cli.js'), 0o755);
writeFileSync(join(LIB, LICENSES), licenses());
removeUnusedTypes(['index.d.ts', ...CLIENT_TYPES]);
writeClientPackage();
writeFileSync(join(LIB, PROGRAM), digestOfProgram());

function writeClientPackage(): void {
  const folder = join(ROOT, 'packages/client');
  rmSync(folder, { recursive: true, force: true });
  const code = Object.keys(CLIENT).map((name) => join(LIB, `${name}.js`));
  for (const path of [...code, ...typesFrom(CLIENT_TYPES)])
    cpSync(path, join(folder, 'dist', relative(LIB, path)));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'src/client/README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(clientManifest(), undefined, 2)}\n`);
}

function clientManifest(): object {
  const whole = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, version, license, homepage, repository, bugs, type, engines } = whole;
  const entry = (path: string) => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
  return {
    name: `${name}-client`,
    version,
    description:
      'Client of the API of a property catalogue: no dependencies, for browsers, Node.js, Deno, Bun and Workers.',
    ...{ license, homepage, bugs, type, engines },
    repository: { ...repository, directory: 'src/client' },
    keywords: ['holiday', 'property', 'catalogue', 'api', 'client'],
    sideEffects: false,
    exports: {
      '.': entry('client/index'),
      './schema-org': entry('client/schema-org'),
      './search': entry('client/search'),
      './package.json': './package.json',
    },
    files: ['dist'],
  };
}

function licenses(): string {
  const packages = new Set<string>();
  for (const id of modules) {
    const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, '')) ?? [];
    if (folder) packages.add(folder);
  }
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const file = readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)(?:\.|-|$)/i.test(one));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license ?? 'see its text'})\n\n${text}`.trim();
  });
  return `${texts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`;
}

/** No entry imports these types, so nobody can use them. */
function removeUnusedTypes(entries: readonly string[]): void {
  const used = typesFrom(entries);
  for (const path of readdirSync(LIB, { recursive: true, encoding: 'utf8' }).map((name) => join(LIB, name)))
    if (path.endsWith('.d.ts') && !used.has(path)) rmSync(path);
}

/** Includes the entries. */
function typesFrom(entries: readonly string[]): ReadonlySet<string> {
  const used = new Set<string>();
  const visit = (path: string): void => {
    if (used.has(path) || !existsSync(path)) return;
    used.add(path);
    for (const [, source = ''] of readFileSync(path, 'utf8').matchAll(
      /(?:from|import\()\s*['"](\.[^'"]+)['"]/g,
    ))
      visit(resolve(dirname(path), source.replace(/\.[jt]s$/, '.d.ts')));
  };
  for (const entry of entries) visit(join(LIB, entry));
  return used;
}

/** A build discards the state of another program. */
function digestOfProgram(): string {
  const hash = createHash('sha256');
  const files = readdirSync(LIB, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== PROGRAM && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(relative(LIB, file)).update(readFileSync(file));
  return hash.digest('hex');
}
