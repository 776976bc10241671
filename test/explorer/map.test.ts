/** The maps of the explorer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/contract/property.ts';
import { serveCatalogue } from '../served-catalogue.ts';
import { DESKTOP, heading, isPassedOver, PHONE, PICTURES, until, useExplorer } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the map', () => {
  const explorer = useExplorer();

  it('shows the results on a map; cards and marks belong together', async () => {
    const page = await explorer.visit('?country=GR');
    const { data } = await explorer.ask<Page>('?filter[country]=GR');
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
    expect(explorer.complaints).toEqual([]);
  });

  it('has a list and a map on a phone, and asks for places only for the map', async () => {
    const page = await explorer.visit('?country=GR', PHONE);
    await heading(page, /Greece/);
    await page.locator('.cards img').first().waitFor();
    expect(explorer.requests.filter((url) => /properties\/[0-9a-f-]{36}$/.test(url))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.getByRole('button', { name: 'Map' }).click();
    await page.locator('.map .pin').first().waitFor();
    await page.locator('.map path.land').waitFor({ state: 'attached' });
    await page.screenshot({ path: join(PICTURES, 'phone-map.png') });
    await page.getByRole('button', { name: 'List' }).click();
    await page.locator('.cards > li').first().waitFor();
    expect(explorer.complaints).toEqual([]);
  });

  it('draws the land without asking anybody else', async () => {
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

  it('leaves a property whose map is still on its way', async () => {
    const { id } = await explorer.withPhotos();
    let hasBegun = false;
    const slow = createServer(async (request, response) => {
      const answer = await fetch(new URL(request.url ?? '/', explorer.url));
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
      const page = await explorer.visit(
        `?country=GR&property=${id}`,
        DESKTOP,
        `${origin}${new URL(explorer.url).pathname}`,
      );
      await expect.poll(() => hasBegun).toBe(true);
      await page.locator('.map .pin').waitFor();
      await page.getByRole('link', { name: 'All results' }).click();
      await heading(page, /Greece/);
      await until(page, 'document.querySelectorAll(".map .pin").length > 1');
      expect(explorer.complaints).toEqual([]);
    } finally {
      slow.closeAllConnections();
      slow.close();
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
      const page = await explorer.visit('?country=GR', DESKTOP, tiled.url);
      await page.getByText('Tiles by <b>somebody</b>').waitFor();
      await page.locator('.leaflet-tile-loaded').first().waitFor({ state: 'attached' });
      expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.gif$/);
      expect(explorer.requests.filter((url) => url.includes('/world-'))).toEqual([]);
      expect(explorer.complaints).toEqual([]);
    } finally {
      await tiled.close();
      tiles.closeAllConnections();
      tiles.close();
    }
  });
});
