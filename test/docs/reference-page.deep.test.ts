/** The API reference page, and the client, in Chromium. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/clone.ts';
import { serveLoopback } from '../support/loopback.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';
import { findChromium, startChromium } from './chromium.ts';

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the reference page in Chromium', async () => {
  const catalogue = await serveCatalogue();
  let browser: Awaited<ReturnType<typeof startChromium>>;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it('the reference shows every operation, tries one, and contacts no other server', async () => {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${catalogue.url}/docs/`);
    await page.waitForSelector('.opblock');
    const operations = await page.locator('.opblock-summary-path').allTextContents();
    expect(operations.map((path) => path.replaceAll('\u200b', ''))).toEqual(
      expect.arrayContaining(['/api/v1/public/properties', '/api/v1/public/properties/{property_id}']),
    );
    expect(operations.length).toBeGreaterThan(5);

    const list = page.locator('#operations-Properties-listProperties');
    await list.locator('.opblock-summary-control').click();
    await list.locator('button.execute').click();
    const body = await list
      .locator('.live-responses-table .response-col_description pre')
      .first()
      .textContent();
    expect(body).toContain('"total_entries"');
    const url = await list.locator('.request-url pre').textContent();
    expect(url).toContain(`${catalogue.url}/api/v1/public/properties`);
    expect(complaints).toEqual([]);

    const hosts = new Set(
      browser.requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin),
    );
    expect([...hosts]).toEqual([catalogue.url]);
    await page.close();
  });

  it('the reference can be used without a mouse, and has a language, a title and a main part', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${catalogue.url}/docs/`);
    await page.waitForSelector('.opblock');
    expect(
      await page.evaluate(
        '[document.documentElement.lang, document.title, document.querySelectorAll("main").length]',
      ),
    ).toEqual(['en', 'API reference · Property catalogue', 1]);
    const control = page.locator('#operations-Properties-getProperty .opblock-summary-control');
    await control.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('#operations-Properties-getProperty .opblock-body');
    const unnamed = await page.evaluate(`[...document.querySelectorAll('button, input, select, a[href]')]
      .filter((element) => element.offsetParent && !(element.textContent.trim() || element.getAttribute('aria-label')
        || element.title || element.placeholder || element.labels?.length)).map((element) => element.outerHTML)`);
    expect(unnamed).toEqual([]);
    await page.close();
  });

  it('the reference has no lock for an open catalogue, no dead licence link, a dark mode, and a way back (F)', async () => {
    const page = await browser.context.newPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${catalogue.url}/docs/`);
    await page.waitForSelector('.opblock');
    const seen = await page.evaluate(
      `[document.querySelectorAll('.authorize, .authorization__btn').length,
        document.querySelectorAll('.info__license').length,
        document.documentElement.classList.contains('dark-mode')]`,
    );
    expect(seen).toEqual([0, 0, true]);
    await page.getByRole('link', { name: '← Property catalogue' }).click();
    await page.getByRole('heading', { level: 1, name: /^372 properties/ }).waitFor();
    await page.close();
  });

  it('axe finds no problem on the reference, light and dark (F)', async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const page = await browser.context.newPage();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${catalogue.url}/docs/`);
      await page.waitForSelector('.opblock');
      const { violations } = (await page.evaluate(`${axe}\naxe.run()`)) as {
        violations: { id: string; nodes: { html: string }[] }[];
      };
      const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect(found, colorScheme).toEqual([]);
    }
    await page.close();
  });

  it('the reference has a lock for a catalogue with keys (F)', async () => {
    const digest = '0'.repeat(64);
    const keyed = await serveCatalogue(`api_keys:\n  - "${digest}"\n`, [digest]);
    const page = await browser.context.newPage();
    await page.goto(`${keyed.url}/docs/`);
    await page.waitForSelector('.opblock');
    expect(await page.locator('.authorize').count()).toBeGreaterThan(0);
    await page.close();
  });

  it('problem types lead to a page that shows their section', async () => {
    const page = await browser.context.newPage();
    const { type } = (await (
      await fetch(`${catalogue.url}/api/v1/public/properties?page[size]=0`)
    ).json()) as { type: string };
    await page.goto(new URL(type, catalogue.url).href);
    expect(await page.locator(':target h2').textContent()).toBe('Invalid page size');
    await page.close();
  });

  it('the client works in a page and in a worker of another origin', async () => {
    const client = readFileSync(join(ROOT, 'lib/client/index.js'), 'utf8');
    const program = `import { createClient } from '/client.js';
      const client = createClient({ baseUrl: '${catalogue.url}', cache: new Map(), apiKey: 'k' });
      let count = 0;
      for await (const summary of client.iterateProperties({ country: 'ES' })) count++;
      await client.listProperties({ country: 'ES' });
      const again = await client.listProperties({ country: 'ES' });
      const code = await client.getProperty('x').catch((error) => error.code);
      const result = { count, total: again.meta.pagination.total_entries, code };`;
    const files: Record<string, string> = {
      '/client.js': client,
      '/page.js': `${program} document.title = JSON.stringify(result);`,
      '/worker.js': `${program} postMessage(JSON.stringify(result));`,
      '/with-worker.js': `new Worker('/worker.js', { type: 'module' }).onmessage = ({ data }) => { document.title = data; };`,
    };
    const origin = await serveLoopback((request, response) => {
      const script = files[request.url ?? ''];
      response.setHeader('Content-Type', script ? 'text/javascript' : 'text/html');
      response.end(
        script ??
          `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${request.url}.js"></script>`,
      );
    });
    for (const path of ['/page', '/with-worker']) {
      const page = await browser.context.newPage();
      await page.goto(origin + path);
      await page.waitForFunction('document.title !== ""');
      const { count, total, code } = JSON.parse(await page.title());
      expect([count, code]).toEqual([total, 'property-not-found']);
      expect(count).toBeGreaterThan(5);
      await page.close();
    }
  });
});
