import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mediaType } from '../../contract/headers.ts';
import { EDIT_API_PATH, TOKEN_HEADER } from '../../editor/api.ts';
import { PACKAGE_ROOT } from '../../package/package-root.ts';

const [FOLDER, EXPLORER] = ['lib/editor/', 'lib/explorer/'].map((path) =>
  fileURLToPath(new URL(path, PACKAGE_ROOT)),
) as [string, string];

const PAGE = 'index.html';

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

/**
 * Runs in the browser and exchanges the token for a cookie. Only a script can do that: the token is in the fragment of
 * the URL, and browsers do not send fragments.
 */
const ENTER = `
// A URL that differs only in its fragment does not load the page again.
addEventListener('hashchange', () => location.reload());
const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname + location.search);
const headers = { '${TOKEN_HEADER}': token };
const answer = token && (await fetch('${EDIT_API_PATH}enter', { method: 'POST', headers }).catch(() => {}));
if (answer && answer.ok) location.replace(location.pathname + location.search);
else document.querySelector('main').hidden = false;
`;
const ENTRANCE_POLICY = POLICY.replace(
  "script-src 'self'",
  `script-src 'sha256-${createHash('sha256').update(ENTER).digest('base64')}'`,
);

export function sendTokenExchangePage(response: ServerResponse, problem: string): void {
  response.setHeader('Content-Security-Policy', ENTRANCE_POLICY);
  response.writeHead(401, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Properties</title>
<link rel="icon" href="data:,">
</head>
<body>
<main hidden><h1>The editor cannot go on</h1><p>${problem}</p></main>
<script type="module">${ENTER}</script>
</body>
</html>
`);
}

export function sendEditorFile(path: string, response: ServerResponse): void {
  const name = path || PAGE;
  const file = fileOf(name);
  const bytes = file === undefined ? undefined : readFileSync(file);
  if (file?.endsWith('.gz')) response.setHeader('Content-Encoding', 'gzip');
  const type = bytes ? mediaType(name) : 'text/plain; charset=utf-8';
  response.writeHead(bytes ? 200 : 404, { 'Content-Type': type });
  response.end(bytes ?? 'There is no such file. Run "npm run compile" if the page itself is missing.\n');
}

/**
 * Searches the folder's listing, so that no name leads out of the folder. `world.json` stands for the explorer's
 * `world-<hash>` file.
 */
function fileOf(name: string): string | undefined {
  const own = namesIn(FOLDER).find((one) => one === name || one === `${name}.gz`);
  if (own) return join(FOLDER, own);
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
