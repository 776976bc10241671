/**
 * Prepares the API reference page in `lib/docs/`, once for the package: the renderer, our page around it, and a list
 * of the files with their digests. A build only copies them.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PAGE = join(ROOT, 'scripts/reference');
const RENDERER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Name in `docs/`, and where it comes from. */
const FILES: Readonly<Record<string, string>> = {
  'index.html': join(PAGE, 'page.html'),
  'page.css': join(PAGE, 'page.css'),
  'page.js': join(PAGE, 'page.js'),
  'swagger-ui.css': join(RENDERER, 'swagger-ui.css'),
  'swagger-ui.js': join(RENDERER, 'swagger-ui-bundle.js'),
  'swagger-ui.LICENSE.txt': join(RENDERER, 'LICENSE'),
  'swagger-ui.js.LICENSE.txt': join(RENDERER, 'swagger-ui-bundle.js.LICENSE.txt'),
  'swagger-ui.NOTICE.txt': join(RENDERER, 'NOTICE'),
};

/** Writes the page into `folder`. */
export function bundleDocs(folder = join(ROOT, 'lib/docs')): void {
  mkdirSync(folder, { recursive: true });
  const digests: Record<string, string> = {};
  for (const [name, source] of Object.entries(FILES)) {
    // The maps are not published, so nobody should ask for them.
    const bytes = Buffer.from(
      readFileSync(source, 'latin1').replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: \*\/)?\s*$/, '\n'),
      'latin1',
    );
    replace(join(folder, name), bytes);
    digests[name] = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  }
  replace(join(folder, 'files.json'), Buffer.from(`${JSON.stringify(digests, null, 2)}\n`));
}

/** Leaves a file alone that is as it should be: a build may be reading it. */
function replace(path: string, bytes: Buffer): void {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}

/** Copies the script that `catalogue dev` puts into pages. */
function bundlePageScript(): void {
  mkdirSync(join(ROOT, 'lib/dev'), { recursive: true });
  replace(join(ROOT, 'lib/dev/overlay.js'), readFileSync(join(ROOT, 'scripts/dev/overlay.js')));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  bundleDocs();
  bundlePageScript();
}
