/**
 * Opens the editor through a temporary page that holds the token: a browser's arguments are visible to all users of the
 * computer. The page is in the output folder, since sandboxed browsers cannot read the system's temporary files.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../files/files-and-folders.ts';

export type LaunchPage = { readonly path: string; readonly remove: () => void };

const LIFETIME = 60_000;

/** Only this user may read the file. It is removed after a minute, or by `remove`. */
export function writeLaunchPage(out: string, url: string): LaunchPage {
  const folder = resolve(out, 'dev');
  makeFolder(folder);
  const path = join(folder, `open-${randomUUID()}.html`);
  const page = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>Opening the editor</title>
`;
  writeFileSync(path, page, { mode: 0o600, flag: 'wx' });
  const remove = () => rmSync(path, { force: true });
  setTimeout(remove, LIFETIME).unref();
  return { path, remove };
}
