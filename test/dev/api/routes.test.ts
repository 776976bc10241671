import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { expect, it } from 'vitest';
import { ROUTES } from '../../../src/dev/api/routes.ts';
import { createEditorClient } from '../../../src/editor/client.ts';
import { REQUEST_BODY_SCHEMAS } from '../../../src/editor/request-schemas.ts';

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url));
const read = (path: string) => readFileSync(SOURCE + path, 'utf8');
const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

it('gives a request one name: in its address, in the client, and at the beginning of its function', () => {
  const client = createEditorClient();
  const posted = Object.keys(ROUTES).filter((name) => ROUTES[name]!.POST);
  expect(Object.keys(REQUEST_BODY_SCHEMAS).filter((name) => !posted.includes(name))).toEqual([]);
  expect(posted.filter((name) => !(camelCase(name) in client))).toEqual([]);
  const functions = [...read('dev/api/routes.ts').matchAll(/postRoute\('([\w-]+)', (\w+)[,)]/g)];
  expect(functions.length).toBeGreaterThan(10);
  for (const [, name = '', act = ''] of functions)
    expect([act, act.startsWith(camelCase(name))]).toEqual([act, true]);
});

it('is asked by the page only, but for one question of the script in the catalogue', () => {
  const asking = fastGlob
    .sync('**/*.{ts,tsx,js}', { cwd: SOURCE })
    .filter((path) => !path.startsWith('editor/') && /EDIT_API_PATH|_edit\/api/.test(read(path)));
  expect(asking.sort()).toEqual(['dev/api/edit-api.ts', 'dev/api/editor-page.ts', 'dev/preview/overlay.js']);
});
