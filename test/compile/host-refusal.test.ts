/** Every limit of a host: what exceeds it is refused before anything is written, and the message says what fits. */
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { check } from '../../src/compile/check.ts';
import { limitsAndCostsOf } from '../../src/compile/host-limits.ts';
import { hostRefusal } from '../../src/compile/host-refusal.ts';
import { outputFolder } from '../../src/compile/output-folder.ts';
import type { FileRecord } from '../../src/compile/read/file-record.ts';
import { HOST_NAMES, HOSTS, type Host } from '../../src/contract/hosts.ts';
import { photoName } from '../../src/media/image-name.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { createWorkspace, idOf } from './workspace.ts';

const configured = (text: string) => checkConfiguration(Buffer.from(text)).configuration!;

/** Properties in some cities, as a check leaves them. */
function properties(count: number, cities = 1): FileRecord[] {
  return Array.from({ length: count }, (_, n) => {
    const crossFileValues = { id: idOf(n), country: 'IE', city: `City ${n % cities}` };
    return { path: `${n}.yaml`, digest: '', diagnostics: [], crossFileValues, media: [] };
  });
}

function refusal(settings: string, records: readonly FileRecord[], out = join(temporaryFolder(), 'dist')) {
  return hostRefusal(configured(settings), records, { content: '', folder: outputFolder(out) })?.message;
}

/** An output folder with one published photo of this size, which takes no place on the disk. */
function withPhoto(settings: string, size: number): { records: FileRecord[]; out: string } {
  const out = join(temporaryFolder(), 'dist');
  const media = join(out, 'public/media');
  mkdirSync(media, { recursive: true });
  const digest = 'a'.repeat(64);
  const file = join(media, photoName(digest, configured(settings).photo));
  writeFileSync(file, '');
  truncateSync(file, size);
  const use = { path: 'a.jpg', digest, size: 1, modified: 1, index: 0, thumbnail: false };
  return { records: [{ ...properties(1)[0]!, media: [use as never] }], out };
}

it.each(['cloudflare-workers', 'cloudflare-pages'] as const)('%s: files in all', (host) => {
  const { title } = HOSTS[host];
  const settings = `host: ${host}\nlayout: pages\n`;
  expect(refusal(settings, properties(60, 60))).toBeUndefined();
  const message = refusal(settings, properties(110, 110))!;
  expect(message).toMatch(
    new RegExp(`^This catalogue makes 2\\d,\\d{3} files; ${title} takes 20,000\\. What fits: `),
  );
  expect(message).toMatch(/"page_sizes: \[25, 100\]", [\d,]+ files, .*"layout: packed", [\d,]+ files, /);
  expect(message).toContain('a paid plan and "max_files: 100000"; "host: ');
  expect(message).toContain('"host: s3-cloudfront" or "host: r2-worker"');
  expect(refusal(`${settings}max_files: 100000\n`, properties(110, 110))).toBeUndefined();
  // The largest plan is the limit, whatever the settings say; a lower limit is one's own.
  const raised = `${settings}max_files: 2000000\n`;
  expect(refusal(raised, properties(500, 500))).toMatch(
    /makes 10\d,\d{3} files; .* takes 100,000\. What fits/,
  );
  expect(refusal(`host: ${host}\n`, properties(100_001))).toBeUndefined();
  expect(refusal(`host: ${host}\nmax_files: 10\n`, properties(60))).toContain('; the limit is 10. ');
});

it.each(['cloudflare-workers', 'cloudflare-pages'] as const)('%s: bytes of one file', (host) => {
  const settings = `host: ${host}\n`;
  const fits = withPhoto(settings, HOSTS[host].limits.bytesPerFile);
  expect(refusal(settings, fits.records, fits.out)).toBeUndefined();
  const large = withPhoto(settings, HOSTS[host].limits.bytesPerFile + 1e6);
  expect(refusal(settings, large.records, large.out)).toMatch(
    /makes 26\.0 MiB in one photo; Cloudflare \w+ takes 25\.0 MiB\. What fits: "host: .*r2-worker/,
  );
});

it('netlify: files in one folder, of pages or of details', () => {
  expect(refusal('host: netlify\nlayout: pages\n', properties(10_000))).toBeUndefined();
  expect(refusal('host: netlify\nlayout: pages\n', properties(10_500))).toMatch(
    /^This catalogue makes 54,\d{3} files in one folder; Netlify takes 54,000\. What fits: "page_sizes: \[25, 100\]", .*"layout: packed", \d+ files/,
  );
  expect(refusal('host: netlify\n', properties(54_001))).toBeUndefined();
});

it.each(['github-pages', 'gitlab-pages'] as const)('%s: bytes in all', (host) => {
  const settings = `host: ${host}\n`;
  const fits = withPhoto(settings, 0.99e9);
  expect(refusal(settings, fits.records, fits.out)).toBeUndefined();
  const large = withPhoto(settings, 1.2e9);
  const message = refusal(settings, large.records, large.out)!;
  expect(message).toMatch(/makes 1\.1 GiB in all, about; Git\w+ Pages takes 953\.7 MiB\. What fits: "host: /);
  // Neither answers queries, so packed lists are no use there.
  expect(message).not.toContain('packed');
});

it.each(['', 'host: netlify\n'])('counts images in its advice where they count for no limit: %j', (host) => {
  const settings = `${host}max_files: 200\nlayout: pages\n`;
  const { records, out } = withPhoto(settings, 1.2e9);
  const message = refusal(settings, records, out)!;
  expect(message).toMatch(/the limit is 200\. .*"layout: packed", \d+ files, 1\.1 GiB/);
  expect(message).not.toContain('host: git');
});

it('gitlab-pages: files and folders in all', () => {
  const settings = 'host: gitlab-pages\npage_sizes: all\n';
  expect(refusal(settings, properties(900, 900))).toBeUndefined();
  expect(refusal(settings, properties(1000, 1000))).toMatch(
    /makes 21\d,\d{3} files and folders; GitLab Pages takes 200,000\. What fits: "page_sizes: \[25, 100\]", [\d,]+ files/,
  );
});

it('has a test for each limit of each host, a source for each limit, and a price where writes cost', () => {
  const all: readonly (readonly [string, Host])[] = HOST_NAMES.map((name) => [name, HOSTS[name]]);
  expect(all.flatMap(([name, { limits }]) => Object.keys(limits).map((limit) => `${name} ${limit}`))).toEqual(
    [
      ...['cloudflare-workers files', 'cloudflare-workers bytesPerFile', 'cloudflare-pages files'],
      ...[
        'cloudflare-pages bytesPerFile',
        'netlify filesPerFolder',
        'github-pages bytes',
        'gitlab-pages filesAndFolders',
      ],
      'gitlab-pages bytes',
    ],
  );
  for (const [, { limits, dollarsPerMillionWrites, source }] of all)
    expect(source !== undefined).toBe(
      dollarsPerMillionWrites !== undefined || Object.keys(limits).length > 0,
    );
});

it('check and build refuse, and write nothing', async () => {
  const workspace = createWorkspace();
  workspace.configure('host: cloudflare-workers\nlayout: pages\n');
  for (let n = 0; n < 110; n++) workspace.add(n, { city: `City ${n}` });
  const { content, out } = workspace;
  const checked = await check({ content, out, jobs: 1 });
  const said = /^This catalogue makes 2[\d,]+ files; Cloudflare Workers takes 20,000\. What fits: /;
  expect(checked.unfit?.message).toMatch(said);
  expect(existsSync(out)).toBe(false);
  const { status, stderr } = runCli(workspace, ['check']);
  expect([status, stderr]).toEqual([2, expect.stringContaining('too-many-files: This catalogue makes 2')]);
  const inJson = runCli(workspace, ['check', '--format', 'json']);
  expect([inJson.status, JSON.parse(inJson.stdout)]).toMatchObject([
    2,
    { files: 110, diagnostics: [], error: { code: 'too-many-files', message: expect.stringMatching(said) } },
  ]);
  await expect(workspace.build()).rejects.toThrow(said);
  expect(existsSync(workspace.public)).toBe(false);
  // A build for `catalogue dev` is served by no host.
  expect((await workspace.build({ preview: true })).counts?.properties).toBe(110);
  // Errors of the content come first.
  workspace.add(1, { city: 'City 1', currency: 'EURO' });
  expect((await check({ content, out, jobs: 1 })).unfit).toBeUndefined();
});

it('a build with the advised setting succeeds, and its files are counted as planned', async () => {
  const workspace = createWorkspace();
  workspace.configure('host: cloudflare-workers\n');
  for (let n = 0; n < 110; n++) workspace.add(n, { city: `City ${n}` });
  await sleep(60);
  const { counts, host } = await workspace.build();
  expect([counts?.files, host?.files]).toEqual([workspace.tree().size, 20_000]);
  const again = await workspace.build();
  expect([again.outcome, again.host?.change.requests]).toEqual(['unchanged', 0]);
});

it('estimates the bytes of a release within a fifth', async () => {
  for (const settings of ['page_sizes: [25, 100]\n', 'layout: packed\n']) {
    const workspace = createWorkspace();
    workspace.configure(`${settings}docs: false\nexplorer: { enabled: false }\n`);
    for (let n = 0; n < 500; n++)
      workspace.add(n, { city: `City ${n % 40}`, address: 'Quay Street '.repeat(100) });
    const bytes = (await workspace.build()).counts?.bytes ?? 0;
    const written = [...workspace.tree().values()].reduce((sum, text) => sum + text.length, 0);
    expect(bytes / written).toBeGreaterThan(0.8);
    expect(bytes / written).toBeLessThan(1.2);
  }
});

it('prices a publication by its writes', () => {
  const use = (host: (typeof HOST_NAMES)[number]) =>
    limitsAndCostsOf(configured(`host: ${host}\n`), 999_965, 10)?.first;
  expect(use('s3-cloudfront')).toEqual({ requests: 1_000_000, dollars: 5 });
  expect(use('gcs')?.dollars).toBe(5);
  expect(use('r2-worker')?.dollars).toBe(4.5);
  expect(use('netlify')?.dollars).toBeUndefined();
});
