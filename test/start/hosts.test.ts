/** `init` for a host, followed to an answer: what it writes, builds and serves there. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { STORE_ENVIRONMENT, startStore } from '../../scripts/bench/store-server.ts';
import type { BuildResult } from '../../src/compile/context.ts';
import type { HostName } from '../../src/contract/hosts.ts';
import type { Page, Property } from '../../src/contract/property.ts';
import { startAssets } from '../conformance/cloudflare-assets/server.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { ROOT } from '../support/clone.ts';
import { runCli } from '../support/run-cli.ts';
import { serveFiles } from '../support/served-files.ts';
import { temporaryFolder } from '../support/temporary.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});

function run(...args: string[]) {
  const ran = runCli({ root } as Parameters<typeof runCli>[0], args, STORE_ENVIRONMENT);
  expect(ran.status, ran.stderr).toBe(0);
  return ran;
}

/** The page of `docs/hosting/` that the generated steps of a target name. */
function guideOf(target: string): string {
  const steps = readFileSync(join(root, 'dist/edge', target, 'README.md'), 'utf8');
  const [, page = ''] = /pipeline: https:\S+\/docs\/(hosting\/[\w-]+\.md)$/m.exec(steps)!;
  expect(existsSync(join(ROOT, 'docs', page)), page).toBe(true);
  return page;
}

/** Makes a catalogue for a host, and builds it. */
function start(host: HostName, baseUrl: string): { built: BuildResult; said: string } {
  run('init', '.', '--yes', '--no-install', '--host', host, '--base-url', baseUrl);
  expect(readFileSync(join(root, 'content/catalogue.yaml'), 'utf8')).toContain(`\nhost: ${host}\n`);
  run('check');
  const built = JSON.parse(run('build', '--format', 'json').stdout) as BuildResult;
  return { built, said: run('build', '--force').stderr };
}

const edge = () => (existsSync(join(root, 'dist/edge')) ? readdirSync(join(root, 'dist/edge')) : []);

it('cloudflare-workers: a worker over its files answers queries', async () => {
  const { built, said } = start('cloudflare-workers', 'https://stays.example');
  expect(edge()).toEqual(['cloudflare-assets']);
  expect(built.counts?.pages).toBe(0);
  expect(said).toContain(`${built.counts?.files} of 20,000 files`);
  const folder = join(root, 'dist/edge/cloudflare-assets');
  const { port, stop } = await startAssets(folder, join(root, 'dist/public'));
  onTestFinished(stop);
  const list = `http://127.0.0.1:${port}/api/v1/public/properties`;
  const { data, meta } = (await (await fetch(`${list}?filter[country]=IE`)).json()) as Page;
  expect([data[0]?.title, meta.pagination.total_entries]).toEqual(['Rose Cottage', 1]);
  expect(((await (await fetch(`${list}/${data[0]?.id}`)).json()) as Property).city).toBe('Seaview');
  expect((await fetch(`${list}?filter[contry]=IE`)).status).toBe(400);
  const steps = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(steps).toContain(
    '\ncatalogue build\nnpx wrangler deploy --config dist/edge/cloudflare-assets/wrangler.jsonc --name <worker>\ncatalogue verify https://stays.example --out dist\n',
  );
});

it('cloudflare-pages: the steps deploy a function for every path', () => {
  start('cloudflare-pages', 'https://stays.example');
  expect(guideOf('cloudflare-assets')).toBe('hosting/cloudflare-pages.md');
  const folder = join(root, 'dist/edge/cloudflare-assets');
  expect(readdirSync(folder).sort()).toEqual(['README.md', 'functions', 'worker.js']);
  expect(readFileSync(join(folder, 'functions/[[path]].js'), 'utf8')).toContain("from '../worker.js'");
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(
    'npx wrangler pages deploy ../../public ',
  );
});

it.skipIf(!findChromium() && process.env.CI !== 'true')(
  'github-pages: the explorer reads files, and the build says that no query is answered',
  async () => {
    const { said } = start('github-pages', 'https://owner.github.io/stays');
    expect(said).toContain('No queries: GitHub Pages cannot answer them');
    expect(said).toMatch(/about [\d.]+ KiB of 953\.7 MiB/);
    expect(edge()).toEqual([]);
    expect(readdirSync(join(root, 'dist/public/_catalogue/pages/-/-')).sort()).toEqual([
      ...['100-1.json', '25-1.json', 'total'],
    ]);
    const browser = await startChromium();
    onTestFinished(browser.close);
    const url = await serveFiles(join(root, 'dist/public'), '/stays');
    const page = await browser.context.newPage();
    await page.goto(`${url}/`);
    await page.getByText('Rose Cottage').first().waitFor();
    await page.goto(`${url}/?country=IE&city=Nowhere`);
    await page.getByText('Nothing found').first().waitFor();
    await page.goto(`${url}/?country=IE`);
    await page.locator('.cards a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Rose Cottage' }).waitFor();
    expect(browser.requests.filter((asked) => asked.includes('/api/'))).toEqual([]);
    expect((await fetch(`${url}/properties.ndjson`)).status).toBe(200);
  },
);

it('s3-cloudfront: a publication takes about the requests and the price that the build says', async () => {
  const { said } = start('s3-cloudfront', 'https://stays.example');
  expect(edge()).toEqual(['lambda-edge']);
  expect(guideOf('lambda-edge')).toBe('hosting/s3-cloudfront.md');
  const [, requests, dollars] = /to publish all: ([\d,]+) requests, about \$([\d.]+)/.exec(said)!;
  expect(Number(dollars)).toBeCloseTo((Number(requests) * 5) / 1e6, 4);
  const store = await startStore();
  onTestFinished(async () => void (await store.stop()));
  run('publish', 's3://stays', '--endpoint', store.endpoint);
  const asked = (await store.traffic()).requests - 1;
  expect(asked / Number(requests)).toBeGreaterThan(0.85);
  expect(asked / Number(requests)).toBeLessThan(1.15);
});

it('without a host, the steps of each target name a page about it', () => {
  run('init', '.', '--yes', '--no-install', '--base-url', 'https://stays.example');
  run('build');
  expect(Object.fromEntries(edge().map((target) => [target, guideOf(target)]))).toMatchObject({
    'nginx-njs': 'hosting/nginx.md',
    'fetch-handler': 'hosting/deno-vercel.md',
    'cloudfront-function': 'hosting/s3-cloudfront.md',
    'cloudflare-assets': 'hosting/cloudflare-workers.md',
  });
});
