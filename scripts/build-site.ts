import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { build as buildSite } from 'vitepress';
import { DIAGNOSTIC_CODES } from '../src/source/diagnostic-codes.ts';
import { isMain, readOptions, runScript } from './command-line.ts';
import { diagnosticSection } from './make-docs.ts';
import { BASE, CODES_FOLDER, docPages, pageText } from './site/pages.ts';

const USAGE = `Usage: npx tsx scripts/build-site.ts [--url <origin>]

Builds the documentation, a page for each diagnostic code, and the shipped catalogue with its explorer into dist/site.

  --url <origin>  where the site will be (default: http://localhost:8080)`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(ROOT, 'scripts/site');
const PAGES = join(SITE, 'pages');
export const SITE_OUT = join(ROOT, 'dist/site');

/** @param origin such as `https://owner.github.io` */
export async function makeSite(origin: string): Promise<void> {
  writePages();
  await buildSite(SITE);
  await addExample(`${origin}${BASE}catalogue`);
}

function writePages(): void {
  rmSync(PAGES, { recursive: true, force: true });
  for (const folder of [CODES_FOLDER, 'hosting']) mkdirSync(join(PAGES, folder), { recursive: true });
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'images'), { recursive: true });
  cpSync(join(ROOT, 'docs/images'), join(PAGES, 'public/images'), { recursive: true });
  for (const name of docPages()) writeFileSync(join(PAGES, `${name}.md`), pageText(name));
  for (const name of ['index', 'example']) cpSync(join(SITE, `${name}.md`), join(PAGES, `${name}.md`));
  const codes = Object.entries(DIAGNOSTIC_CODES);
  for (const [code, entry] of codes) {
    writeFileSync(
      join(PAGES, CODES_FOLDER, `${code}.md`),
      `${diagnosticSection(code, entry).replace(/^## /, '# ')}\n[All diagnostic codes](index.md)\n`,
    );
  }
  const list = codes.map(([code, { severity }]) => `- [${code}](${code}.md) (${severity})`);
  writeFileSync(join(PAGES, CODES_FOLDER, 'index.md'), `# Diagnostic codes\n\n${list.join('\n')}\n`);
}

/** Builds the shipped catalogue with few page sizes, and the service worker that answers its API. */
async function addExample(baseUrl: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'catalogue-site-'));
  try {
    const content = join(work, 'content');
    cpSync(join(ROOT, 'content'), content, { recursive: true });
    const settings = join(content, 'catalogue.yaml');
    writeFileSync(settings, `${readFileSync(settings, 'utf8')}page_sizes: [25, 100]\n`);
    const out = join(work, 'dist');
    const cli = join(ROOT, 'lib/cli.js');
    execFileSync(
      process.execPath,
      [cli, 'build', '--content', content, '--out', out, '--base-url', baseUrl],
      {
        stdio: 'inherit',
      },
    );
    const example = join(SITE_OUT, 'catalogue');
    cpSync(join(out, 'public'), example, { recursive: true });
    await build({
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: { 'catalogue-handler': join(out, 'edge/fetch-handler/handler.js') } },
      build: {
        outDir: example,
        emptyOutDir: false,
        copyPublicDir: false,
        lib: {
          entry: join(SITE, 'service-worker.js'),
          formats: ['iife'],
          name: 'worker',
          fileName: () => 'service-worker.js',
        },
      },
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (isMain(import.meta.url)) {
  runScript(USAGE, async () => {
    const { url } = readOptions(process.argv.slice(2), {
      url: { type: 'string', default: 'http://localhost:8080' },
    });
    await makeSite(String(url));
  });
}
