/** One file of every property, from a folder and from a live catalogue. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { toSchemaOrg } from '../../src/client/schema-org.ts';
import type { CatalogueIndex, Download } from '../../src/contract/downloads.ts';
import { exportCatalogue, writeParts } from '../../src/export/export.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../src/export/formats.ts';
import { startServer } from '../../src/serve/server.ts';
import { createWorkspace } from '../build/workspace.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PARTS = '_catalogue/parts';

async function built(configuration = '') {
  const workspace = createWorkspace();
  workspace.configure(`page_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\n${configuration}`);
  for (let n = 1; n <= 40; n++) workspace.add(n, { title: `"Houſe", №${n}` });
  await workspace.build();
  return workspace;
}

async function exported(...args: Parameters<typeof exportCatalogue>): Promise<string> {
  const found: Buffer[] = [];
  for await (const part of exportCatalogue(...args)) found.push(Buffer.from(part));
  return Buffer.concat(found).toString('utf8');
}

/** Puts the downloads into parts of 15 properties, listed by files of their own, as a large catalogue has them. */
function divide(root: string): void {
  mkdirSync(join(root, PARTS), { recursive: true });
  const index = JSON.parse(readFileSync(join(root, 'index.json'), 'utf8')) as CatalogueIndex;
  const put = (text: string, end: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const href = `${PARTS}/${sha256.slice(0, 32)}.${end}`;
    writeFileSync(join(root, href), text);
    return { href, sha256, bytes: Buffer.byteLength(text), properties: 15 };
  };
  const downloads = index.downloads!.flatMap((download): Download[] => {
    const [, end = ''] = /^properties\.(ndjson|csv|geojson)$/.exec(download.name) ?? [];
    if (end === '') return [];
    const isPoints = end === 'geojson';
    const lines = readFileSync(join(root, download.name), 'utf8')
      .split('\n')
      .slice(isPoints ? 1 : 0, isPoints ? -2 : -1);
    const parts = [0, 15, 30].map((start) => {
      const own = lines.slice(start, start === 30 ? undefined : start + 15);
      const points = own.join('\n').replace(/,$/, '');
      return put(
        isPoints ? `{"type":"FeatureCollection","features":[\n${points}\n]}\n` : `${own.join('\n')}\n`,
        end,
      );
    });
    const lists = [parts.slice(0, 2), parts.slice(2)].map((some) => ({
      ...{ href: put(JSON.stringify({ parts: some }), 'json').href, parts: some.length, properties: 30 },
    }));
    rmSync(join(root, download.name));
    return [{ ...download, parts: [], lists }];
  });
  writeFileSync(join(root, 'index.json'), JSON.stringify({ ...index, downloads }));
}

it('is what a build writes, whole or in parts, in a folder or live behind a key', async () => {
  const digest = createHash('sha256').update('k3y').digest('hex');
  const { public: root } = await built(`bulk: true\napi_keys: [${digest}]\n`);
  const files = new Map<ExportFormat, string>(
    (['ndjson', 'csv', 'geojson'] as const).map((format) => [
      format,
      readFileSync(join(root, `properties.${format}`), 'utf8'),
    ]),
  );
  const records = files
    .get('ndjson')!
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  files.set('schema.org', `[\n${records.map((one) => JSON.stringify(toSchemaOrg(one))).join(',\n')}\n]\n`);
  expect(JSON.parse(files.get('schema.org')!)).toHaveLength(40);
  const { url, close } = await startServer({ root, port: 0, apiKeys: [digest] });
  onTestFinished(close);
  for (const isDivided of [false, true]) {
    if (isDivided) divide(root);
    expect(existsSync(join(root, 'properties.csv'))).toBe(!isDivided);
    for (const format of EXPORT_FORMATS) {
      expect(await exported(root, format), format).toBe(files.get(format));
      expect(await exported(url, format, { apiKey: 'k3y' }), format).toBe(files.get(format));
    }
  }
  await expect(exported(url, 'csv', { apiKey: 'other' })).rejects.toMatchObject({ code: 'invalid-api-key' });
});

it('of the packed layout has the lines of all parts', async () => {
  const { public: root } = await built('layout: packed\nbulk: true\n');
  const ids = (await exported(root, 'ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(new Set(ids).size).toBe(40);
  expect(JSON.parse(await exported(root, 'schema.org'))).toHaveLength(40);
  await expect(exported(root, 'csv')).rejects.toMatchObject({ code: 'not-offered' });
});

it('of nothing is empty in each format', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ndocs: false\nbulk: true\n');
  mkdirSync(workspace.content, { recursive: true });
  await workspace.build();
  expect(await exported(workspace.public, 'ndjson')).toBe('');
  expect(await exported(workspace.public, 'geojson')).toBe(
    readFileSync(join(workspace.public, 'properties.geojson'), 'utf8'),
  );
  expect(JSON.parse(await exported(workspace.public, 'schema.org'))).toEqual([]);
});

it('leaves no half file, and the one before as it was, when a part is broken, missing or elsewhere', async () => {
  const { public: root, root: folder } = await built();
  divide(root);
  const output = join(folder, 'all.ndjson');
  const run = () => writeParts(output, exportCatalogue(root, 'ndjson'));
  await run();
  const whole = readFileSync(output, 'utf8');
  expect(whole.split('\n')).toHaveLength(41);
  const before = readdirSync(folder);
  const part = readdirSync(join(root, PARTS))
    .filter((name) => name.endsWith('.ndjson'))
    .at(-1)!;
  const path = join(root, PARTS, part);
  writeFileSync(path, `${readFileSync(path, 'utf8')} `);
  await expect(run()).rejects.toMatchObject({ code: 'file-differs' });
  rmSync(path);
  await expect(run()).rejects.toMatchObject({ code: 'file-missing' });
  const index = join(root, 'index.json');
  const text = readFileSync(index, 'utf8');
  writeFileSync(index, text.replace(/_catalogue\/parts\/[0-9a-f]+\.json/g, '../content/secret.json'));
  await expect(run()).rejects.toMatchObject({ code: 'file-differs' });
  for (const broken of ['{', 'null', '{"downloads":[{"name":"properties.ndjson"}]}']) {
    writeFileSync(index, broken);
    await expect(run()).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:file-differs|not-offered)$/),
    });
  }
  rmSync(index);
  await expect(run()).rejects.toMatchObject({ code: 'nothing-built' });
  expect([readFileSync(output, 'utf8'), readdirSync(folder)]).toEqual([whole, before]);
});

it('of what something else made is an error, even where digests fit', async () => {
  const folder = temporaryFolder();
  const root = join(folder, 'public');
  mkdirSync(join(root, PARTS), { recursive: true });
  const offer = (href: string, content: string) => {
    writeFileSync(join(root, href), content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const downloads = [{ name: 'properties.ndjson', parts: [{ href, sha256 }] }];
    writeFileSync(join(root, 'index.json'), JSON.stringify({ downloads }));
  };
  offer(`${PARTS}/../../../secret.ndjson`, '{}\n');
  await expect(exported(root, 'ndjson')).rejects.toMatchObject({ code: 'file-differs' });
  for (const line of ['null', '{', '{"id":1}', '[]']) {
    offer('properties.ndjson', `${line}\n`);
    await expect(exported(root, 'schema.org')).rejects.toMatchObject({ code: 'file-differs' });
  }
});

it('names the file that cannot be written', async () => {
  const path = join(temporaryFolder(), 'none/all.ndjson');
  await expect(writeParts(path, Readable.from(['{}\n']))).rejects.toMatchObject({ code: 'ENOENT', path });
});

it('is a command', async () => {
  const workspace = await built();
  const { public: root, root: folder } = workspace;
  const rows = readFileSync(join(root, 'properties.csv'), 'utf8');
  const { status, stdout } = runCli(workspace, ['export', '--format', 'csv']);
  expect([status, stdout]).toEqual([0, rows]);
  expect(runCli(workspace, ['export', root, '--output', 'all.ndjson']).status).toBe(0);
  expect(readFileSync(join(folder, 'all.ndjson'), 'utf8').split('\n')).toHaveLength(41);
  const failed = runCli(workspace, ['export', 'elsewhere', '--output', 'none']);
  expect([failed.status, existsSync(join(folder, 'none'))]).toEqual([2, false]);
});
