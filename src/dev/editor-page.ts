/** Serves the page that edits a property: the files of `lib/editor`. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaType } from '../contract/headers.ts';
import { PAGE_PATH } from '../editor/api.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

const [FOLDER, EXPLORER] = ['lib/editor/', 'lib/explorer/'].map((path) =>
  fileURLToPath(new URL(path, PACKAGE_ROOT)),
) as [string, string];

/** Name of the page itself. */
const PAGE = 'index.html';

/**
 * The Content-Security-Policy of the page (CSP level 3): its own scripts, styles and requests; pictures of its own, those
 * that it holds in memory, and those that properties link to. No other page may show it in a frame.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data: https:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer below {@link PAGE_PATH}: it is of no use to another site, nor to a cache. */
const EDITOR_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export function setEditorHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(EDITOR_HEADERS)) response.setHeader(name, value);
}

/** Answers a request for a file of the page. */
export function sendEditorFile(path: string, response: ServerResponse): void {
  const name = path.slice(PAGE_PATH.length) || PAGE;
  const file = fileOf(name);
  const bytes = file === undefined ? undefined : readFileSync(file);
  const type = bytes ? mediaType(name) : 'text/plain; charset=utf-8';
  response.writeHead(bytes ? 200 : 404, { 'Content-Type': type });
  response.end(bytes ?? 'There is no such file. Run "npm run compile" if the page itself is missing.\n');
}

/** Where a file of the page is. The name is one that a folder has, thus no path. The map is the explorer's own. */
function fileOf(name: string): string | undefined {
  if (namesIn(FOLDER).includes(name)) return join(FOLDER, name);
  const outline = name === 'world.json' && namesIn(EXPLORER).find((one) => one.startsWith('world-'));
  return outline ? join(EXPLORER, outline) : undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
