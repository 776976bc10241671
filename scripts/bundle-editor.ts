/**
 * Builds the page that edits a property (`src/editor`) into `lib/editor/`, once for the package. `catalogue dev` serves the
 * files under their names. `tsc` puts modules for other rooms into the same folder.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { addresses, licenses } from './bundle-explorer.ts';
import { replaceFile } from './prepared-files.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Libraries that the page is made with: their licences go with it. */
const LIBRARIES = ['preact', 'leaflet', 'supercluster', 'kdbush', 'world-atlas', 'libphonenumber-js'];

const PAGE = `<!doctype html>
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

/** Builds the page into `folder`. */
export async function bundleEditor(folder = join(ROOT, 'lib/editor')): Promise<void> {
  const result = await build({
    root: join(ROOT, 'src/editor'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [addresses({ outlineName: 'world.json', licensesName: 'licenses.txt' })],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { app: join(ROOT, 'src/editor/main.tsx') },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'part-[name].js',
          assetFileNames: ({ names: [name = ''] }) => (name.endsWith('.css') ? 'app.css' : '[name][extname]'),
        },
      },
    },
  });
  const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string | Uint8Array) =>
    replaceFile(join(folder, name), Buffer.from(text));
  for (const file of output) write(file.fileName, file.type === 'chunk' ? file.code : file.source);
  write('index.html', PAGE);
  write('licenses.txt', licenses(LIBRARIES));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleEditor();
