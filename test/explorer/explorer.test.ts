/** The explorer in Chromium, on the real catalogue. Pictures of what it looks like are left in `test-results/`. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page as BrowserPage } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page, Property, Summary } from '../../src/contract/property.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { type ServedCatalogue, serveCatalogue } from '../served-catalogue.ts';

const PICTURES = fileURLToPath(new URL('../../test-results/explorer/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the explorer', () => {
  let catalogue: ServedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  const open: BrowserPage[] = [];
  let complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    // Below a path, so that nothing works that is not relative.
    catalogue = await serveCatalogue('', [], 'https://stays.example/some/where');
    catalogue.url += '/some/where';
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  /** Opens a view; whatever the browser complains about is written down. */
  async function visit(query = '', at = catalogue.url, size = DESKTOP): Promise<BrowserPage> {
    for (const page of open.splice(0)) await page.close();
    complaints = [];
    browser.requests.length = 0;
    const page = await browser.context.newPage();
    open.push(page);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setViewportSize(size);
    await page.goto(`${at}/${query}`);
    return page;
  }

  async function ask<Body>(path: string): Promise<Body> {
    return (await fetch(`${catalogue.url}/api/v1/public/properties${path}`)).json() as Promise<Body>;
  }

  const heading = (page: BrowserPage, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const titles = (page: BrowserPage) => page.locator('.cards h2').allTextContents();
  const titlesOf = ({ data }: Page) => data.map(({ title }) => title);
  /** Waits until something is so. The page's policy lets nobody evaluate within it, so it is asked from outside. */
  const until = (page: BrowserPage, condition: string) =>
    expect.poll(() => page.evaluate(condition), { timeout: 15_000 }).toBe(true);

  /** A property with several photos. */
  async function withPhotos(): Promise<{ id: string; property: Property }> {
    const { data } = await ask<Page>('?filter[country]=GR');
    const { id } = data.find(({ thumbnail }) => thumbnail) as Summary;
    return { id, property: await ask<Property>(`/${id}`) };
  }

  it('finds by country and city, with the keyboard', async () => {
    const page = await visit();
    await heading(page, /^\d+ properties$/);
    expect(await titles(page)).toEqual(titlesOf(await ask<Page>('?page[size]=25')));

    const irish = await ask<Page>('?filter[country]=IE');
    await page.getByLabel('Country').selectOption('IE');
    await heading(page, `${irish.meta.pagination.total_entries} properties in Ireland`);
    expect(await titles(page)).toEqual(titlesOf(irish));

    const dublin = await ask<Page>('?filter[country]=IE&filter[city]=Dublin');
    const field = page.getByRole('combobox', { name: 'City' });
    await field.focus();
    await field.pressSequentially('dubl');
    const option = page.locator('[role=option]').first();
    await option.waitFor();
    expect(await option.textContent()).toContain(String(dublin.meta.pagination.total_entries));
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Enter');
    await heading(page, `${dublin.meta.pagination.total_entries} properties in Dublin, Ireland`);
    expect(new URL(page.url()).search).toBe('?country=IE&city=Dublin');
    expect(await titles(page)).toEqual(titlesOf(dublin));
    expect(complaints).toEqual([]);
  });

  it('goes through the pages, and back and forward', async () => {
    const page = await visit('?country=IE');
    await heading(page, /properties in Ireland/);
    const first = await titles(page);
    await page.getByRole('link', { name: 'Next page' }).click();
    await until(page, 'location.search.includes("page=2")');
    const second = titlesOf(await ask<Page>('?filter[country]=IE&page[number]=2'));
    await page.getByText(second[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(second);
    expect(await page.locator('[aria-current=page]').textContent()).toContain('2');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');

    await page.goBack();
    await page.getByText(first[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(first);
    await page.goForward();
    await page.getByText(second[0]!, { exact: true }).first().waitFor();

    // 26 to 50 of 25 are within 1 to 100 of 100.
    await page.getByLabel('Per page').selectOption('100');
    await until(page, 'document.querySelectorAll(".cards > li").length === 100');
    expect(new URL(page.url()).search).toBe('?country=IE&size=100');
    expect(await page.getByLabel('Per page').locator('option').allTextContents()).toEqual(['1', '25', '100']);
    expect(complaints).toEqual([]);
  });

  it('shows the results on a map; cards and marks belong together', async () => {
    const page = await visit('?country=GR');
    const { data } = await ask<Page>('?filter[country]=GR');
    await until(page, `document.querySelectorAll('.map .pin').length === ${data.length}`);
    const names = await page
      .locator('.map .pin')
      .evaluateAll((pins) => pins.map((pin) => pin.getAttribute('aria-label')));
    expect(names.sort()).toEqual(data.map(({ title }, index) => `${index + 1}: ${title}`).sort());

    await page.locator('.cards > li').nth(2).hover();
    await page.locator(`.pin.active[aria-label^="3: "]`).waitFor();
    const pin = page.locator('.pin[aria-label^="2: "]');
    await pin.focus();
    await page.locator('.cards > li:nth-child(2).active').waitFor();
    await page.keyboard.press('Enter');
    const popup = page.locator('.leaflet-popup a.popup');
    await popup.waitFor();
    expect(await popup.textContent()).toContain(data[1]!.title);
    await until(page, 'document.activeElement.matches("a.popup")');
    await page.keyboard.press('Enter');
    await heading(page, data[1]!.title);
    expect(page.url()).toContain(`property=${data[1]!.id}`);
    expect(complaints).toEqual([]);
  });

  it('draws the land without asking anybody else', async () => {
    const page = await visit('?country=IE');
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    const { id } = await withPhotos();
    await page.goto(`${catalogue.url}/?property=${id}`);
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    await until(page, 'document.querySelector(".gallery img").naturalWidth > 0');
    const origins = new Set(
      browser.requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin),
    );
    expect([...origins]).toEqual([new URL(catalogue.url).origin]);
    for (const url of browser.requests) expect(url).toMatch(/^data:|\/some\/where\//);
    expect(complaints).toEqual([]);
  });

  it('shows photos in the order of their positions, with the keyboard', async () => {
    const { id, property } = await withPhotos();
    const photos = property.photo.toSorted((one, other) => one.position - other.position);
    expect(photos.length).toBeGreaterThan(2);
    const page = await visit(`?property=${id}`);
    const opener = page.getByRole('button', { name: `Photo 1 of ${photos.length}` });
    await opener.focus();
    await page.keyboard.press('Enter');
    const viewer = page.getByRole('dialog');
    const shown = async (index: number) => {
      const { url, description } = photos[index]!;
      await viewer.getByText(`${index + 1} of ${photos.length}`).waitFor();
      const image = viewer.locator('figure img');
      expect(await image.getAttribute('src')).toBe(
        url.replace('https://stays.example/some/where', catalogue.url),
      );
      expect(await image.getAttribute('alt')).toBe(description);
      expect(await viewer.locator('figcaption').textContent()).toContain(description);
    };
    await shown(0);
    await page.keyboard.press('ArrowRight');
    await shown(1);
    await page.keyboard.press('End');
    await shown(photos.length - 1);
    await page.keyboard.press('ArrowRight');
    await shown(0);
    await page.keyboard.press('ArrowLeft');
    await shown(photos.length - 1);
    await page.screenshot({ path: join(PICTURES, 'photos.png') });
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    expect(await opener.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('opens a link to a property, with everything that the API tells of it', async () => {
    const { id, property } = await withPhotos();
    const page = await visit(`?country=GR&property=${id}`);
    await heading(page, property.title);
    expect(await page.title()).toContain(property.title);
    expect(await page.locator('.facilities li').count()).toBe(property.facilities.length);
    for (const { detail } of property.hotel_policy) await page.getByText(detail, { exact: true }).waitFor();
    expect(await page.locator('.payments li').count()).toBe(property.payment_method.length);
    await page.getByRole('link', { name: property.email }).waitFor();
    await page.getByRole('link', { name: property.phone }).waitFor();
    await page.getByText('Raw JSON', { exact: true }).first().click();
    expect(JSON.parse((await page.locator('.raw-json pre').textContent()) ?? '')).toEqual(property);
    await page.getByRole('link', { name: 'All results' }).click();
    await heading(page, /Greece/);
    await page.goBack();
    await heading(page, property.title);
    expect(complaints).toEqual([]);
  });

  it('leaves a property whose map is still on its way', async () => {
    const { id } = await withPhotos();
    let hasBegun = false;
    const slow = createServer(async (request, response) => {
      const answer = await fetch(new URL(request.url ?? '/', catalogue.url));
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
      if (!request.url?.includes('/world-')) response.end(bytes);
      else {
        response.write(bytes.subarray(0, 100));
        hasBegun = true;
      }
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    try {
      const origin = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
      const page = await visit(`?country=GR&property=${id}`, `${origin}${new URL(catalogue.url).pathname}`);
      await expect.poll(() => hasBegun).toBe(true);
      await page.locator('.map .pin').waitFor();
      await page.getByRole('link', { name: 'All results' }).click();
      await heading(page, /Greece/);
      await until(page, 'document.querySelectorAll(".map .pin").length > 1');
      expect(complaints).toEqual([]);
    } finally {
      slow.closeAllConnections();
      slow.close();
    }
  });

  it('comes back to the card that was left', async () => {
    const page = await visit('?country=IE');
    const link = page.locator('.cards h2 a').nth(20);
    await link.waitFor();
    await link.scrollIntoViewIfNeeded();
    // It is written down when scrolling has ended.
    await until(page, 'history.state?.scroll > 0');
    const before = await page.evaluate('scrollY');
    await link.click();
    await page.getByRole('link', { name: 'All results' }).waitFor();
    await page.goBack();
    await until(page, `scrollY === ${before}`);
    await until(page, 'document.activeElement.matches(".cards h2 a")');
  });

  it('tells every request, as a URL and as a curl line that does the same', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await visit('?country=GR&city=Αθήνα');
    const { data } = await ask<Page>('?filter[country]=GR&filter[city]=Αθήνα');
    await until(page, `document.querySelectorAll('.map .pin').length === ${data.length}`);
    await page.getByRole('button', { name: /^\d+ requests$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Requests of this page' });
    const told = await dialog.locator('.request-list li code:first-of-type').allTextContents();
    const made = browser.requests.filter((url) => /\/api\/|countries\.json/.test(url));
    expect(told.sort()).toEqual(made.sort());
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Copy curl line' }).click();
    await page.getByText('Copied').first().waitFor({ state: 'attached' });
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(line).toMatch(/^curl /);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --fail`]);
    expect(JSON.parse(stdout).data).toEqual(data);
    expect(complaints).toEqual([]);
  });

  it('says in words what is wrong, and tries again', async () => {
    const page = await visit('?country=Ireland');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'Invalid country' }).waitFor();
    const { detail } = await ask<{ detail: string }>('?filter[country]=Ireland');
    await alert.getByText(detail).waitFor();
    await alert.getByRole('link').click();
    await page.locator(':target h2').waitFor();

    await page.route('**/api/v1/public/properties?*', (route) => route.abort());
    await page.goto(`${catalogue.url}/?country=GR`);
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.unroute('**/api/v1/public/properties?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, /properties in Greece/);
  });

  it('says that there is nothing, and where there is something', async () => {
    const page = await visit('?city=dublin');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('link', { name: /^Dublin, Ireland/ }).click();
    await heading(page, /properties in Dublin, Ireland/);
    await page.goto(`${catalogue.url}/?country=GR&page=9`);
    await page.getByRole('link', { name: 'page 1' }).click();
    await heading(page, /properties in Greece/);
    expect(complaints).toEqual([]);
  });

  it('has a list and a map on a phone, and asks for places only for the map', async () => {
    const page = await visit('?country=GR', catalogue.url, PHONE);
    await heading(page, /Greece/);
    await page.locator('.cards img').first().waitFor();
    expect(browser.requests.filter((url) => /properties\/[0-9a-f-]{36}$/.test(url))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Map' }).click();
    await page.locator('.map .pin').first().waitFor();
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    await page.screenshot({ path: join(PICTURES, 'phone-map.png') });
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('.cards > li').first().waitFor();
    expect(complaints).toEqual([]);
  });

  const STATES = [
    ['list', async () => '?country=GR', '.pin'],
    ['property', async () => `?property=${(await withPhotos()).id}`, '.map .pin'],
    ['nothing', async () => '?city=Atlantis', '.notice'],
    ['error', async () => '?country=Ireland', '[role=alert]'],
  ] as const;

  it.each(STATES)('axe finds nothing on: %s', async (name, queryOf, ready) => {
    const page = await visit(await queryOf());
    await page.locator(ready).first().waitFor();
    for (const [width, size] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
        const { violations } = (await page.evaluate(`${AXE}\naxe.run()`)) as {
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        };
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        );
        expect(found, `${name}, ${width}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  it('asks for the key of a catalogue that wants one, and keeps it in the tab', async () => {
    const key = 'correct horse';
    const digest = createHash('sha256').update(key).digest('hex');
    const guarded = await serveCatalogue(`api_keys:\n  - ${digest}\n`, [digest]);
    try {
      const page = await visit('?country=GR', guarded.url);
      await page.getByLabel('API key').fill('wrong');
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByRole('alert').getByRole('heading', { name: 'Invalid API key' }).waitFor();
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await heading(page, /properties in Greece/);
      await page.reload();
      await heading(page, /properties in Greece/);
      await page.getByRole('button', { name: /^\d+ requests?$/ }).click();
      expect(await page.getByRole('dialog').textContent()).toContain('X-API-KEY: $API_KEY');
      expect(await page.content()).not.toContain(key);
    } finally {
      await guarded.close();
    }
  });

  it('shows tiles of the host that is configured, and whom to name', async () => {
    const asked: string[] = [];
    const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const tiles = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'Content-Type': 'image/gif' }).end(pixel);
    });
    await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
    // The configuration of the shipped catalogue has the explorer's settings already.
    const tiled = await serveCatalogue('', [], undefined, (text) =>
      text.replace(
        /^explorer:$/m,
        `explorer:\n  tiles:\n    url: ${origin}/{z}/{x}/{y}.gif\n    attribution: "Tiles by <b>somebody</b>"`,
      ),
    );
    try {
      const page = await visit('?country=GR', tiled.url);
      await page.getByText('Tiles by <b>somebody</b>').waitFor();
      await page.locator('.leaflet-tile-loaded').first().waitFor({ state: 'attached' });
      expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.gif$/);
      expect(browser.requests.filter((url) => url.includes('/world-'))).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await tiled.close();
      tiles.closeAllConnections();
      tiles.close();
    }
  });
});
