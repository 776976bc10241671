/**
 * A file that leads the browser to the editor. Arguments of a process are visible to all users of a machine, so the
 * address with the token never is one. In the output folder: browsers that run in a sandbox cannot read temporary files.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../files/folder.ts';

export type Opener = { readonly path: string; readonly remove: () => void };

/** Milliseconds that a browser needs to start and read the file. */
const LIFETIME = 60_000;

/** Writes the file, which only this user may read. It is removed after a minute, or by `remove`. */
export function writeOpener(out: string, url: string): Opener {
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
