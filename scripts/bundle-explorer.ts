/**
 * Builds the explorer (`src/explorer`) into `lib/explorer/`, once for the package. A build of a catalogue only copies
 * the files. Their names have a digest of their content.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { writePreparedFiles } from './prepared-files.ts';
import { worldOutline } from './world-outline.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** Libraries that the explorer is made with: their licences go with it. */
const LIBRARIES = ['preact', 'leaflet', 'supercluster', 'kdbush', 'world-atlas'];

/** A file of the explorer, named by its content. */
function asset(name: string, extension: string, text: string): { name: string; bytes: Buffer } {
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  return { name: `${name}-${digest}.${extension}`, bytes: Buffer.from(text) };
}

/** The licences of libraries, as their packages have them. */
export function licenses(libraries: readonly string[]): string {
  const texts = libraries.map((name) => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  return texts.join(`\n${'-'.repeat(72)}\n\n`);
}

/** Builds the explorer into `folder`. */
export async function bundleExplorer(folder = join(ROOT, 'lib/explorer')): Promise<void> {
  const outline = asset('world', 'json', JSON.stringify(worldOutline()));
  const license = asset('licenses', 'txt', licenses(LIBRARIES));
  const result = await build({
    root: join(ROOT, 'src/explorer'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    plugins: [addresses({ outlineName: outline.name, licensesName: license.name })],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: { app: join(ROOT, 'src/explorer/main.tsx') },
        output: {
          entryFileNames: '[name]-[hash].js',
          chunkFileNames: '[name]-[hash].js',
          // Styles are one file, and belong to the page.
          assetFileNames: ({ names: [name = ''] }) =>
            name.endsWith('.css') ? 'app-[hash][extname]' : '[name]-[hash][extname]',
        },
      },
    },
  });
  const output = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const files = new Map([outline, license].map(({ name, bytes }) => [name, bytes]));
  for (const file of output)
    files.set(file.fileName, Buffer.from(file.type === 'chunk' ? file.code : file.source));
  writePreparedFiles(folder, files);
}

/** Gives the explorer the names of the files beside it. */
export function addresses(names: Readonly<Record<string, string>>): Plugin {
  const id = '\0prepared-names';
  return {
    name: 'prepared-names',
    resolveId: (source) => (source === 'virtual:prepared-names' ? id : undefined),
    load: (source) =>
      source === id
        ? Object.entries(names)
            .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
            .join('\n')
        : undefined,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleExplorer();
