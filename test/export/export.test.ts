/** One file of every property, from a folder and from a live catalogue. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { toSchemaOrg } from '../../src/client/schema-org.ts';
import { exportCatalogue, writeFileFromStream } from '../../src/export/export.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../src/export/formats.ts';
import { digestOf } from '../../src/release/digest.ts';
import type { SequenceColumns } from '../../src/release/sequence-columns.ts';
import { startServer } from '../../src/serve/server.ts';
import { rootText } from '../../src/tree/format/root.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

const PARTS = '_catalogue/parts';

async function built(configuration = '', fields: Readonly<Record<string, string>> = {}) {
  const workspace = createWorkspace();
  workspace.configure(`page_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\n${configuration}`);
  for (let n = 1; n <= 40; n++) workspace.add(n, { title: `"Houſe", №${n}`, ...fields });
  await workspace.build();
  return workspace;
}

async function exported(...args: Parameters<typeof exportCatalogue>): Promise<string> {
  const found: Buffer[] = [];
  for await (const part of exportCatalogue(...args)) found.push(Buffer.from(part));
  return Buffer.concat(found).toString('utf8');
}

const DIVIDED = { download: 1, part: 6000 };

/** Whether builds divide small catalogues as they do large ones. */
let isDivided = false;
vi.mock('../../src/compile/write/bulk-files.ts', async (original) => {
  const module = await original<typeof import('../../src/compile/write/bulk-files.ts')>();
  const limits = (given: typeof module.PART_LIMITS) => (isDivided ? DIVIDED : given);
  return {
    ...module,
    planParts: (columns: SequenceColumns, order: Uint32Array, given: typeof module.PART_LIMITS) =>
      module.planParts(columns, order, limits(given)),
    downloadInputsDigest: (columns: SequenceColumns, isWhole: boolean, given: typeof module.PART_LIMITS) =>
      module.downloadInputsDigest(columns, isWhole, limits(given)),
  };
});

const FIELDS = `fields:
  bedrooms: { type: integer }
  area: { type: decimal }
  garden: { type: boolean }
  opened: { type: date }
  motto: { type: text, translate: true }
languages: [en, fr]
`;

/** The lines or rows of an export, whose order is that of the list or of ids. */
function membersOf(format: ExportFormat, text: string): unknown {
  const json = ['geojson', 'schema.org'].includes(format);
  if (json) {
    const value = JSON.parse(text) as { features?: unknown[] };
    return (value.features ?? (value as unknown[])).map((one) => JSON.stringify(one)).sort();
  }
  const lines = text.split(/(?<=\r?\n)/);
  return format === 'csv' ? [lines[0], ...lines.slice(1).sort()] : lines.sort();
}

it.each(['pages', 'packed'])(
  'is the same from files and from parts, live behind a key too (%s)',
  async (layout) => {
    const digest = createHash('sha256').update('k3y').digest('hex');
    const more = `${FIELDS}layout: ${layout}\nbulk: true\napi_keys: [${digest}]\n`;
    const fields = {
      area: '-3.50',
      garden: 'true',
      opened: '2026-01-02',
      motto: '=1+1, "é"',
      'motto@fr': 'Où',
    };
    isDivided = false;
    const { public: small } = await built(more, fields);
    isDivided = true;
    const { public: large } = await built(more, fields);
    isDivided = false;
    expect([small, large].map((root) => existsSync(join(root, 'properties.csv')))).toEqual([true, false]);
    expect(readdirSync(join(large, PARTS)).length).toBeGreaterThan(3);
    for (const format of EXPORT_FORMATS) {
      const text = await exported(small, format);
      expect(membersOf(format, await exported(large, format)), format).toEqual(membersOf(format, text));
      if (format === 'schema.org') continue;
      const file = readFileSync(join(small, `properties.${format}`), 'utf8');
      expect(membersOf(format, text), format).toEqual(membersOf(format, file));
    }
    const { url, close } = await startServer({ root: large, port: 0, apiKeys: [digest] });
    onTestFinished(close);
    for (const format of EXPORT_FORMATS)
      expect(await exported(url, format, { apiKey: 'k3y' }), format).toBe(await exported(large, format));
    await expect(exported(url, 'csv', { apiKey: 'other' })).rejects.toMatchObject({
      code: 'invalid-api-key',
    });
    const lines = (await exported(small, 'ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(await exported(small, 'schema.org')).toBe(
      `[\n${lines.map((one) => JSON.stringify(toSchemaOrg(one))).join(',\n')}\n]\n`,
    );
    expect(lines).toHaveLength(40);
  },
);

it('needs downloads', async () => {
  const { public: root } = await built('bulk: false\n');
  await expect(exported(root, 'ndjson')).rejects.toMatchObject({ code: 'not-offered' });
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
  isDivided = true;
  const { public: root, root: folder } = await built();
  isDivided = false;
  const output = join(folder, 'all.ndjson');
  const run = () => writeFileFromStream(output, exportCatalogue(root, 'ndjson'));
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
  const { release } = JSON.parse(readFileSync(index, 'utf8')) as { release: string };
  const tree = join(root, `_catalogue/roots/${release}.json`);
  writeFileSync(tree, readFileSync(tree, 'utf8').replace('"total":40', '"total":41'));
  await expect(run()).rejects.toMatchObject({ code: 'file-differs' });
  for (const broken of [
    '{',
    'null',
    '{}',
    '{"release":"../../secret","downloads":[]}',
    `{"release":"${release}"}`,
  ]) {
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
  mkdirSync(join(root, '_catalogue/roots'));
  const columns = [{ name: 'id', type: 'string' }];
  writeFileSync(join(root, 'datapackage.json'), JSON.stringify({ resources: [], columns }));
  for (const line of ['null', '{', '{"id":1}', '[]']) {
    const content = `${line}\n`;
    const details = [{ digest: digestOf(content), from: '0' }];
    writeFileSync(join(root, PARTS, `${digestOf(content)}.ndjson`), content);
    const text = rootText({ contents: {}, countries: [], chunks: [], cityShards: [], details, facets: '' });
    const release = digestOf(text);
    writeFileSync(join(root, `_catalogue/roots/${release}.json`), text);
    writeFileSync(join(root, 'index.json'), JSON.stringify({ release, downloads: [] }));
    for (const format of ['schema.org', 'csv'] as const)
      await expect(exported(root, format), format).rejects.toMatchObject({ code: 'file-differs' });
  }
  writeFileSync(join(root, 'datapackage.json'), JSON.stringify({ resources: [] }));
  await expect(exported(root, 'csv')).rejects.toMatchObject({ code: 'file-differs' });
});

it('names the file that cannot be written', async () => {
  const path = join(temporaryFolder(), 'none/all.ndjson');
  await expect(writeFileFromStream(path, Readable.from(['{}\n']))).rejects.toMatchObject({
    code: 'ENOENT',
    path,
  });
});

it('is a command', async () => {
  const workspace = await built();
  const { public: root, root: folder } = workspace;
  const rows = readFileSync(join(root, 'properties.csv'), 'utf8');
  const { status, stdout } = runCli(workspace, ['export', '--format', 'csv']);
  expect([status, membersOf('csv', stdout)]).toEqual([0, membersOf('csv', rows)]);
  expect(runCli(workspace, ['export', root, '--output', 'all.ndjson']).status).toBe(0);
  expect(readFileSync(join(folder, 'all.ndjson'), 'utf8').split('\n')).toHaveLength(41);
  const failed = runCli(workspace, ['export', 'elsewhere', '--output', 'none']);
  expect([failed.status, existsSync(join(folder, 'none'))]).toEqual([2, false]);
});
