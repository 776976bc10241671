import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import httpServer from 'http-server/lib/core/index.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeSite, SITE_OUT } from '../../scripts/build-site.ts';
import { BASE, docPages } from '../../scripts/site/pages.ts';
import { DIAGNOSTIC_CODES } from '../../src/source/diagnostic-codes.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { serveLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('the website', async () => {
  const root = temporaryFolder();
  const options = { headers: {}, mimeTypes: {}, contentType: 'application/octet-stream', weakCompare: true };
  const send = httpServer({
    root,
    cache: () => 'no-cache',
    weakEtags: false,
    showDir: false,
    handleError: true,
    ...options,
  });
  const origin = await serveLoopback(send);

  beforeAll(async () => {
    await makeSite(origin);
    // As GitHub Pages serves it: below the name of the repository.
    symlinkSync(SITE_OUT, join(root, BASE.replaceAll('/', '')));
  });

  test('has a page for each page of docs/, and for each diagnostic code', () => {
    for (const name of docPages()) expect(existsSync(join(SITE_OUT, `${name}.html`)), name).toBe(true);
    const codes = readdirSync(join(SITE_OUT, 'codes')).map((file) => file.replace('.html', ''));
    expect(codes.sort()).toEqual([...Object.keys(DIAGNOSTIC_CODES), 'index'].sort());
  });

  test.skipIf(!findChromium() && process.env.CI !== 'true')(
    'shows the example, whose API the edge code answers in a service worker',
    async () => {
      const { context, close } = await startChromium();
      try {
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('pageerror', (error) => complaints.push(String(error)));
        await page.goto(`${origin}${BASE}example.html`);
        const explorer = page.frameLocator('iframe');
        await explorer.getByRole('heading', { name: '372 properties' }).waitFor();
        const asked = `${origin}${BASE}catalogue/api/v1/public/properties?filter[country]=GR&page[size]=100`;
        const worker = page.frames().find((frame) => frame.url().includes('/catalogue/'))!;
        const answer = await worker.evaluate(
          `fetch(${JSON.stringify(asked)}).then((response) => response.json())`,
        );
        expect(answer).toMatchObject({ meta: { pagination: { total_entries: 6 } } });
        expect(complaints).toEqual([]);
      } finally {
        await close();
      }
    },
  );

  test.skipIf(!findChromium() && process.env.CI !== 'true')(
    'has an icon, links that lead somewhere, and no page wider than a phone (A15)',
    async () => {
      const { context, close } = await startChromium();
      try {
        const page = await context.newPage();
        await page.setViewportSize({ width: 375, height: 740 });
        await page.goto(`${origin}${BASE}example.html`);
        const links = await page
          .locator('.vp-doc a')
          .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
        for (const link of links.filter((url) => url.includes('/catalogue/')))
          expect([link, (await fetch(link)).status]).toEqual([link, 200]);
        const pages = [...docPages(), 'codes/unknown-country'];
        const wide: string[] = [];
        for (const name of pages) {
          await page.goto(`${origin}${BASE}${name}.html`);
          if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(name);
        }
        expect(wide).toEqual([]);
        expect(await page.locator('link[rel=icon]').count()).toBe(1);
        await page.getByRole('link', { name: 'All diagnostic codes' }).click();
        await page.getByRole('heading', { name: 'Diagnostic codes' }).waitFor();
      } finally {
        await close();
      }
    },
  );
});
