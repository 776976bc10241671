/** The maps of the explorer. */
import type { Page as BrowserPage } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/contract/property.ts';
import { serveLoopback } from '../support/loopback.ts';
import { SHIPPED, serveCatalogue } from '../support/served-catalogue.ts';
import { DESKTOP, heading, isPassedOver, PHONE, until, useExplorer, WIDTHS } from './use-explorer.ts';

/** Number of the properties of all marks. */
async function countedOnMap(page: BrowserPage): Promise<number> {
  await page.locator('.pin').first().waitFor();
  const marks = await page
    .locator('.pin:not([aria-hidden])')
    .evaluateAll((pins) => pins.map((pin) => [pin.className, pin.textContent] as const));
  return marks.reduce((sum, [kind, text]) => sum + (kind.includes('cluster') ? Number(text) : 1), 0);
}

/** Marks in view whose middle is covered by another mark, by their names. */
function hiddenMarks(page: BrowserPage): Promise<unknown> {
  return page.evaluate(`(() => {
    const map = document.querySelector('.map').getBoundingClientRect();
    const discs = [...document.querySelectorAll('.pin')].map((pin) => [pin, pin.getBoundingClientRect()]);
    const inView = discs.filter(([, { left, right, top, bottom }]) =>
      left > map.left && right < map.right && top > map.top && bottom < map.bottom);
    const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
    return inView.filter(([pin, disc], index) => inView.some(([, other], place) => {
      if (place === index) return false;
      const [[x, y], [a, b]] = [middle(disc), middle(other)];
      return Math.hypot(x - a, y - b) < (disc.width + other.width) / 2 - 0.5;
    })).map(([pin]) => pin.getAttribute('aria-label'));
  })()`);
}

/** Whether an element is within another one. */
function isWithin(page: BrowserPage, inner: string, outer: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const [one, other] = ['${inner}', '${outer}'].map((name) => document.querySelector(name).getBoundingClientRect());
    return one.left >= other.left && one.right <= other.right && one.top >= other.top && one.bottom <= other.bottom;
  })()`);
}

describe.skipIf(isPassedOver)('the map', async () => {
  const explorer = await useExplorer();

  it('shows all results of the filter and their number, without a request per property (F)', async () => {
    const page = await explorer.visit('?country=IE');
    const { total_entries: total } = (await explorer.ask<Page>('?filter[country]=IE')).meta.pagination;
    await page.getByText(`${total} properties on the map`).waitFor();
    expect(await countedOnMap(page)).toBe(total);
    const details = explorer.requests.filter((url) => /properties\/[0-9a-f-]{36}$/.test(url));
    // Cards near the window ask for their facts.
    expect(details.length).toBeLessThanOrEqual(25);
    expect(explorer.requests.filter((url) => url.includes('/facets/')).length).toBe(1);
    await page.getByRole('link', { name: 'Next page' }).click();
    await until(page, 'location.search.includes("page=2")');
    expect(await countedOnMap(page)).toBe(total);
    expect(explorer.complaints).toEqual([]);
  });

  it('corresponds to the cards: it has the numbers of the page, and a card under the pointer highlights its mark (F)', async () => {
    const page = await explorer.visit('?country=GR&city=Αθήνα');
    const { data } = await explorer.ask<Page>('?filter[country]=GR&filter[city]=Αθήνα');
    await page.getByText(`${data.length} properties on the map`).waitFor();
    for (const [index, { title }] of data.entries()) {
      await page.locator('.cards > li').nth(index).hover();
      const active = page.locator('.pin.active');
      await active.waitFor();
      expect(await active.textContent(), title).toBe(String(index + 1));
    }
    expect(explorer.complaints).toEqual([]);
  });

  it('opens a group with the keyboard until each property can be chosen, and returns the focus (F)', async () => {
    const page = await explorer.visit('?country=ES&city=Madrid');
    await page.getByText('40 properties on the map').waitFor();
    await page.locator('.pin.cluster').first().focus();
    const marks = await page.locator('.pin').count();
    await page.keyboard.press('Enter');
    // It comes closer, and the focus stays on the map.
    await expect.poll(() => page.locator('.pin').count()).not.toBe(marks);
    await until(page, `document.activeElement.matches('.pin')`);
    for (let step = 0; step < 12 && !(await page.locator('.chosen').isVisible()); step++) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(400);
    }
    const chosen = page.getByRole('region', { name: 'Chosen on the map' });
    await chosen.waitFor();
    expect(await chosen.getByRole('link').count()).toBeGreaterThan(0);
    await until(page, `document.activeElement.closest('.chosen') !== null`);
    expect(await isWithin(page, '.chosen', '.results-map')).toBe(true);
    await page.keyboard.press('Escape');
    await until(page, `document.activeElement.matches('.pin')`);
    await page.keyboard.press('Enter');
    await until(page, `document.activeElement.closest('.chosen') !== null`);
    const title = (await chosen.locator('strong').first().textContent())!;
    await page.keyboard.press('Enter');
    await heading(page, title);
    expect(explorer.complaints).toEqual([]);
  });

  it.each(WIDTHS)('%s: no mark covers another, at any zoom up to the closest (F)', async (_name, size) => {
    const page = await explorer.visit('?country=ES&city=Madrid', size);
    await heading(page, /Madrid/);
    if (size === PHONE) await page.getByRole('button', { name: 'Map' }).click();
    await page.locator('.pin').first().waitFor();
    const closer = '.leaflet-control-zoom-in';
    for (let step = 0; step < 12; step++) {
      expect(await hiddenMarks(page)).toEqual([]);
      if (await page.locator(`${closer}.leaflet-disabled`).isVisible()) break;
      await page.evaluate(`document.querySelector('${closer}').click()`);
      await page.waitForTimeout(400);
    }
    expect(await page.locator(`${closer}.leaflet-disabled`).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('40 properties on the map').waitFor();
    expect(explorer.complaints).toEqual([]);
  });

  it.each(WIDTHS)('%s: names the town whose properties it shows (X3)', async (_name, size) => {
    const page = await explorer.visit('?country=IE&city=Galway', size);
    await heading(page, /Galway/);
    if (size === PHONE) await page.getByRole('button', { name: 'Map' }).click();
    await page.locator('.map .town', { hasText: /Galway|Gaillimh/ }).waitFor();
  });

  it('shows no place of the Antarctic, and the whole world of the catalogue (F)', async () => {
    const page = await explorer.visit('');
    await page.getByText('372 properties on the map').waitFor();
    expect(await countedOnMap(page)).toBe(372);
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    const [land, map] = await Promise.all(
      ['.map path.land', '.map'].map((selector) => page.locator(selector).boundingBox()),
    );
    expect(land!.y + land!.height).toBeLessThan(map!.y + map!.height * 0.75);
  });

  it('takes turns with the list on a phone, and requests places only when it is shown', async () => {
    const page = await explorer.visit('?country=GR', PHONE);
    await heading(page, /Greece/);
    await page.locator('.cards img').first().waitFor();
    expect(explorer.requests.filter((url) => url.includes('/facets/'))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Map' }).click();
    await page.locator('.map .pin').first().waitFor();
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('.cards > li').first().waitFor();
    expect(explorer.complaints).toEqual([]);
  });

  it('loads more than 50,000 places only on request, for the map and for names (F)', async () => {
    // Chunks that are never read: their places are of a country before all others.
    const more = Array.from({ length: 60 }, () => ['0'.repeat(32), 1000, '', 'A']);
    await explorer.context.route('**/_catalogue/roots/*.json', async (route) => {
      const response = await route.fetch();
      const root = (await response.json()) as {
        countries: unknown[];
        chunks: unknown[];
        facets: string;
        total: number;
      };
      const facets = Buffer.alloc(16 * more.length).toString('base64');
      const whole = Buffer.concat([Buffer.from(facets, 'base64'), Buffer.from(root.facets, 'base64')]);
      const json = {
        ...root,
        total: root.total + 60_000,
        countries: [['AA', 60_000], ...root.countries],
        chunks: [...more, ...root.chunks],
        facets: whole.toString('base64'),
      };
      await route.fulfill({ response, json });
    });
    try {
      const page = await explorer.visit('?name=house');
      await page.getByText('60,372 properties').first().waitFor();
      expect(explorer.requests.filter((url) => url.includes('/facets/'))).toEqual([]);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByRole('dialog').getByText('60,372 properties').waitFor();
      await page.keyboard.press('Escape');
      // The files of one country are few enough.
      await page.goto(`${explorer.url}/?country=GR`);
      await page.getByText('6 properties on the map').waitFor();
      await page.goto(`${explorer.url}/`);
      await page.locator('.map-note button').click();
      await expect
        .poll(() => explorer.requests.filter((url) => url.includes('/facets/')).length)
        .toBeGreaterThan(1);
    } finally {
      await explorer.context.unrouteAll();
    }
  });

  it('draws the land without contacting another server', async () => {
    const page = await explorer.visit('?country=IE');
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    const { id } = await explorer.withPhotos();
    await page.goto(`${explorer.url}/?property=${id}`);
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    await until(page, 'document.querySelector(".gallery img").naturalWidth > 0');
    const origins = new Set(
      explorer.requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin),
    );
    expect([...origins]).toEqual([new URL(explorer.url).origin]);
    for (const url of explorer.requests) expect(url).toMatch(/^data:|\/some\/where\//);
    expect(explorer.complaints).toEqual([]);
  });

  it('does not disturb a property whose map is still loading', async () => {
    const { id } = await explorer.withPhotos();
    let hasBegun = false;
    const slow = await serveLoopback(async (request, response) => {
      const answer = await fetch(new URL(request.url ?? '/', explorer.url));
      const bytes = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
      if (!request.url?.includes('/world-')) response.end(bytes);
      else {
        response.write(bytes.subarray(0, 100));
        hasBegun = true;
      }
    });
    const at = slow + new URL(explorer.url).pathname;
    const page = await explorer.visit(`?country=GR&property=${id}`, DESKTOP, at);
    await expect.poll(() => hasBegun).toBe(true);
    await page.locator('.map .pin').waitFor();
    await page.getByRole('link', { name: 'All results' }).click();
    await heading(page, /Greece/);
    await page.getByText('6 properties on the map').waitFor();
    expect(explorer.complaints).toEqual([]);
  });

  it('shows tiles of the configured host, with its attribution', async () => {
    const asked: string[] = [];
    const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const origin = await serveLoopback((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(200, { 'Content-Type': 'image/gif' }).end(pixel);
    });
    // The configuration of the shipped catalogue has the explorer's settings already.
    const tiles = `  tiles:\n    url: ${origin}/{z}/{x}/{y}.gif\n    attribution: "Tiles by <b>somebody</b>"`;
    const settings = SHIPPED.replace(/^explorer:$/m, `explorer:\n${tiles}`);
    const tiled = await serveCatalogue('', [], undefined, settings);
    const page = await explorer.visit('?country=GR', DESKTOP, tiled.url);
    await page.getByText('Tiles by <b>somebody</b>').waitFor();
    await page.locator('.leaflet-tile-loaded').first().waitFor({ state: 'attached' });
    expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.gif$/);
    expect(explorer.requests.filter((url) => url.includes('/world-'))).toEqual([]);
    expect(explorer.complaints).toEqual([]);
  });
});
