/** Prepares the API reference page in `lib/docs/`: Swagger UI and the page around it. Builds only copy it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFile, writePreparedFiles } from './bundled-assets.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PAGE = join(ROOT, 'src/documents/reference');
const RENDERER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

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

export function bundleDocs(): void {
  const files = Object.entries(FILES).map(([name, source]) => {
    // Source maps are not published, so nothing may request them.
    const text = readFileSync(source, 'latin1').replace(
      /\n?(?:\/\/|\/\*)# sourceMappingURL=\S+(?: \*\/)?\s*$/,
      '\n',
    );
    return [name, Buffer.from(text, 'latin1')] as const;
  });
  writePreparedFiles(join(ROOT, 'lib/docs'), new Map(files));
  mkdirSync(join(ROOT, 'lib/dev'), { recursive: true });
  replaceFile(join(ROOT, 'lib/dev/overlay.js'), readFileSync(join(ROOT, 'src/dev/preview/overlay.js')));
}
