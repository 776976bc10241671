// Builds publish the explorer's files, so their names contain digests.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { replaceFile, writePreparedFiles } from './bundled-assets.ts';
import { townFiles } from './town-files.ts';
import { worldOutline } from './world-outline.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Libraries of both pages whose licences are included. The editor has one more. */
const LIBRARIES = ['preact', 'leaflet', 'supercluster', 'kdbush', 'world-atlas'];

const EDITOR_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Edit the catalogue</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="app.css">
<script type="module" src="app.js"></script>
</head>
<body>
<div id="editor"></div>
<noscript><p>The editor needs JavaScript.</p></noscript>
</body>
</html>
`;

export async function bundlePages(): Promise<void> {
  const outline = named('world', 'json', JSON.stringify(worldOutline()));
  const license = named('licenses', 'txt', licenses(LIBRARIES));
  const explorer = await bundled(
    'explorer',
    { outlineName: outline.name, licensesName: license.name },
    {
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      // All styles are in one file.
      assetFileNames: ({ names: [name = ''] }) =>
        name.endsWith('.css') ? 'app-[hash][extname]' : '[name]-[hash][extname]',
    },
  );
  const prepared = [outline, license].map(({ name, bytes }) => [name, bytes] as const);
  writePreparedFiles(join(ROOT, 'lib/explorer'), new Map([...prepared, ...explorer]));

  const editor = await bundled(
    'editor',
    { outlineName: 'world.json', licensesName: 'licenses.txt' },
    {
      entryFileNames: '[name].js',
      chunkFileNames: 'part-[name].js',
      assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') ? 'app.css' : '[name][extname]'),
    },
  );
  editor.set('index.html', Buffer.from(EDITOR_PAGE));
  const texts = `${licenses([...LIBRARIES, 'libphonenumber-js'])}\nTowns: GeoNames (https://www.geonames.org), CC BY 4.0\n`;
  editor.set('licenses.txt', Buffer.from(texts));
  const folder = join(ROOT, 'lib/editor');
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of [...editor, ...townFiles()]) replaceFile(join(folder, name), bytes);
}

/** @param names values of the module `virtual:prepared-names`: files next to the page */
async function bundled(
  page: 'explorer' | 'editor',
  names: Readonly<Record<string, string>>,
  output: Rolldown.OutputOptions,
): Promise<Map<string, Buffer>> {
  const root = join(ROOT, 'src', page);
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [preparedNames(names)],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: { input: { app: join(root, 'main.tsx') }, output },
    },
  });
  const files = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  return new Map(
    files.map((file) => [file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  );
}

function named(name: string, extension: string, text: string): { name: string; bytes: Buffer } {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  return { name: `${name}-${digest}.${extension}`, bytes: Buffer.from(text) };
}

function licenses(libraries: readonly string[]): string {
  const texts = libraries.map((name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(72)}\n\n`);
}

function preparedNames(names: Readonly<Record<string, string>>): Plugin {
  const id = '\0prepared-names';
  const lines = Object.entries(names).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
  );
  return {
    name: 'prepared-names',
    resolveId: (source) => (source === 'virtual:prepared-names' ? id : undefined),
    load: (source) => (source === id ? lines.join('\n') : undefined),
  };
}
