/** Built releases can be compared in every layout, and in every place. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Changes } from '../../src/contract/document-schemas.ts';
import { diffContent } from '../../src/diff/diff.ts';
import { changesBetween } from '../../src/history/changes.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { startServer } from '../../src/serve/server.ts';
import { createWorkspace, idOf, type Workspace } from '../compile/workspace.ts';
import { CLI } from '../support/run-cli.ts';

const TIME = '2026-11-20T09:00:00Z';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

/** Two releases that differ in the title of one property and the photo of another; the first is in `before`. */
async function createReleases(
  configuration: string,
  record?: (first: Workspace) => Promise<unknown>,
): Promise<{ workspace: Workspace; before: string }> {
  const workspace = createWorkspace();
  workspace.configure(`page_sizes: [25]\ndocs: false\n${configuration}`);
  for (let n = 1; n <= 40; n++) workspace.add(n);
  workspace.write('p.png', PIXEL);
  await workspace.build();
  await record?.(workspace);
  const before = join(workspace.root, 'before');
  cpSync(workspace.public, before, { recursive: true });
  workspace.add(30, { photo: [{ file: 'p.png' }] });
  workspace.add(31, { title: 'Rose Cottage' });
  await workspace.build();
  return { workspace, before };
}

/** `catalogue changes`, without blocking the servers of this process. */
async function run({ root }: Workspace, previous: string, key = '') {
  const child = spawn(process.execPath, [CLI, 'changes', '--time', TIME, '--previous', previous], {
    cwd: root,
    env: { ...process.env, CATALOGUE_API_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = (await once(child, 'close')) as [number];
  return { status, stderr };
}

it.each(['pages', 'packed'])('opens the layout "%s", in a folder and live behind a key', async (layout) => {
  const digest = createHash('sha256').update('k3y').digest('hex');
  const { workspace, before } = await createReleases(
    `layout: ${layout}\nbulk: true\napi_keys: [${digest}]\n`,
    (first) => run(first, first.public),
  );
  const done = { status: 0, stderr: '0 added, 2 changed, 0 removed\n' };
  const recorded = () => {
    const lines = readFileSync(join(workspace.public, 'changes/2026-11.ndjson'), 'utf8');
    rmSync(join(workspace.public, 'changes'), { recursive: true });
    return (JSON.parse(lines.trim().split('\n').at(-1)!) as Changes).changed;
  };
  const changed = expect.arrayContaining([
    { id: idOf(31), fields: ['title'] },
    { id: idOf(30), fields: ['photo', 'thumbnail'] },
  ]);
  expect(await run(workspace, before)).toEqual(done);
  expect(recorded()).toEqual(changed);

  const { url, close } = await startServer({ root: before, port: 0, apiKeys: [digest] });
  onTestFinished(close);
  for (const key of ['', 'other']) {
    expect(await run(workspace, url, key)).toEqual({
      status: 2,
      stderr: `invalid-api-key: ${url} asks for another key. Put it into CATALOGUE_API_KEY.\n`,
    });
  }
  expect(await run(workspace, url, 'k3y')).toEqual(done);
  expect(recorded()).toEqual(changed);
  const found = await diffContent({ content: workspace.content, base: url, apiKey: 'k3y', jobs: 1 });
  expect(found.changed.map(({ id }) => id).sort()).toEqual([idOf(30), idOf(31)]);
});

it.each([
  ['packed', '_catalogue/chunks'],
  ['packed', '_catalogue/roots'],
])('notices damaged or missing files: layout "%s", %s', async (layout, place) => {
  const { workspace, before } = await createReleases(`layout: ${layout}\n`);
  const compare = async () =>
    changesBetween((await openRelease(before))!, (await openRelease(workspace.public))!, TIME);
  await compare();
  const path = join(before, place);
  const files = statSync(path).isFile() ? [path] : readdirSync(path).map((name) => join(path, name));
  for (const file of files) {
    const bytes = readFileSync(file);
    const at = Math.max(0, bytes.indexOf('House 30'));
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(file, bytes);
  }
  await expect(compare()).rejects.toMatchObject({ code: 'file-differs' });
  for (const file of files) rmSync(file);
  await expect(compare()).rejects.toMatchObject({ code: 'file-missing' });
});
