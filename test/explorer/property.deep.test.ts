/** The page of a property in the explorer. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { phoneText } from '../../src/contract/display-text.ts';
import type { Property } from '../../src/contract/property.ts';
import { heading, isPassedOver, PICTURES, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the page of a property', async () => {
  const explorer = await useExplorer();

  it.each(WIDTHS)(
    '%s: shows photos in the order of their positions, and works with the keyboard',
    async (name, size) => {
      const { id, property } = await explorer.withPhotos();
      const photos = property.photo.toSorted((one, other) => one.position - other.position);
      expect(photos.length).toBeGreaterThan(2);
      const page = await explorer.visit(`?property=${id}`, size);
      const opener = page.getByRole('button', { name: `Photo 1 of ${photos.length}` });
      await opener.focus();
      await page.keyboard.press('Enter');
      const viewer = page.getByRole('dialog');
      const shown = async (index: number) => {
        const { url, description } = photos[index]!;
        await viewer.getByText(`${index + 1} of ${photos.length}`).waitFor();
        const image = viewer.locator('figure img');
        expect(await image.getAttribute('src')).toBe(
          url.replace('https://stays.example/some/where', explorer.url),
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
      await page.screenshot({ path: join(PICTURES, `photos-${name}.png`) });
      await page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      expect(await opener.evaluate((element) => element.matches(':focus'))).toBe(true);
      expect(explorer.complaints).toEqual([]);
    },
  );

  it.each(WIDTHS)('%s: opens a link to a property, with all data of the API', async (_name, size) => {
    const { id, property } = await explorer.withPhotos();
    const page = await explorer.visit(`?country=GR&property=${id}`, size);
    await heading(page, property.title);
    expect(await page.title()).toContain(property.title);
    expect(await page.locator('.facilities li').count()).toBe(property.facilities.length);
    for (const { detail } of property.hotel_policy) await page.getByText(detail, { exact: true }).waitFor();
    expect(await page.locator('.payments li').count()).toBe(property.payment_method.length);
    await page.getByRole('link', { name: property.email }).waitFor();
    await page.getByRole('link', { name: phoneText(property.phone) }).waitFor();
    await page.getByText('For developers', { exact: true }).click();
    expect(JSON.parse((await page.locator('.developers pre').textContent()) ?? '')).toEqual(property);
    await page.getByRole('link', { name: 'All results' }).click();
    await heading(page, /Greece/);
    await page.goBack();
    await heading(page, property.title);
    expect(explorer.complaints).toEqual([]);
  });

  it('shows the location of a property: with its country, in short form, and on other maps (F)', async () => {
    const { id, property } = await explorer.withPhotos();
    const page = await explorer.visit(`?property=${id}`);
    await heading(page, property.title);
    expect(await page.locator('.address').textContent()).toMatch(/, Greece$/);
    const [latitude, longitude] = [property.latitude, property.longitude].map((text) =>
      Number(text).toFixed(5),
    );
    expect(await page.locator('.coordinates').textContent()).toMatch(/^-?\d+\.\d{1,5}, -?\d+\.\d{1,5}/);
    const links = await page
      .locator('.property-side .links a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual([
      `https://www.openstreetmap.org/?mlat=${Number(latitude)}&mlon=${Number(longitude)}#map=17/${Number(latitude)}/${Number(longitude)}`,
      `geo:${Number(latitude)},${Number(longitude)}`,
    ]);
  });

  it.each(WIDTHS)('%s: leaves out absent values, and keeps line breaks (F)', async (_name, size) => {
    const id = await explorer.withoutPhotos();
    const bare = {
      ...(await explorer.ask<Property>(`/${id}`)),
      facilities: [],
      hotel_policy: [],
      payment_method: [],
    };
    const first = await explorer.visit(`?country=IE&property=${id}`, size);
    await heading(first, bare.title);
    expect(await first.locator('.gallery').count()).toBe(0);
    await first.route(`**/${id}`, (route) => route.fulfill({ json: { ...bare, email: '', phone: '' } }));
    await first.reload();
    await heading(first, bare.title);
    await first.getByRole('heading', { name: 'Location' }).waitFor();
    expect(await first.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Location',
      'Sources of the data',
    ]);
    expect(await first.getByText(/none/i).count()).toBe(0);
    const widthOf = async (name: string) => (await first.locator(name).boundingBox())!.width;
    expect(await widthOf('.property-side')).toBeCloseTo(await widthOf('.property-body'), 0);
    await first.screenshot({ path: join(PICTURES, `bare-property-${size.width}.png`) });
    const lines = [{ policy_type: 'house_rules', detail: 'No shoes.\n\nNo parties.' }];
    await first.unroute(`**/${id}`);
    await first.route(`**/${id}`, (route) => route.fulfill({ json: { ...bare, hotel_policy: lines } }));
    await first.reload();
    const detail = first.locator('.policies dd');
    await detail.waitFor();
    const { height } = (await detail.boundingBox())!;
    expect(height).toBeGreaterThan(60);
  });

  it.each([1680, 1280, 390])('shows an only photo across the page, at %i px', async (width) => {
    const { id, property } = await explorer.withPhotos();
    const page = await explorer.visit('', { width, height: 900 });
    const photo = property.photo.slice(0, 1);
    await page.route(`**/${id}`, (route) => route.fulfill({ json: { ...property, photo } }));
    await page.goto(`${explorer.url}/?property=${id}`);
    const shown = page.locator('.gallery img');
    await until(page, 'document.querySelector(".gallery img")?.naturalWidth > 0');
    const [one, all] = await Promise.all([shown.boundingBox(), page.locator('.property').boundingBox()]);
    expect(one!.width).toBeCloseTo(all!.width, 0);
    expect(one!.height).toBeLessThan(520);
    await page.screenshot({ path: join(PICTURES, `only-photo-${width}.png`) });
  });

  it('shows a field that has no place of its own under "Details"', async () => {
    const { id, property } = await explorer.withPhotos();
    const { attributes: _, ...bare } = property as typeof property & { attributes?: unknown };
    const page = await explorer.visit();
    await page.route(`**/${id}`, (route) => route.fulfill({ json: { ...bare, languages: ['el', 'en'] } }));
    await page.goto(`${explorer.url}/?property=${id}`);
    await heading(page, property.title);
    const details = page.locator('.section', { has: page.getByRole('heading', { name: 'Details' }) });
    expect(await details.locator('dl > div').allTextContents()).toEqual(['languagesel, en']);
  });

  it('lists its requests below the cards, not between the heading and the cards (F)', async () => {
    const page = await explorer.visit('?country=GR');
    await heading(page, /Greece/);
    const [cards, strip] = await Promise.all(
      ['.cards', '.developers'].map((one) => page.locator(one).boundingBox()),
    );
    expect(strip!.y).toBeGreaterThan(cards!.y + cards!.height);
  });

  it.each(WIDTHS)(
    '%s: a property that does not exist is no failure, and offers no second try (D)',
    async (_name, size) => {
      const page = await explorer.visit('?country=GR&property=00000000-0000-4000-8000-000000000000', size);
      await heading(page, 'This property cannot be shown');
      await page.getByText('The catalogue has no such property.').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('link', { name: 'All results' }).click();
      await heading(page, /Greece/);
    },
  );

  it('a path without a file shows a page that leads to the catalogue (D)', async () => {
    const page = await explorer.visit('guests/cottage');
    await heading(page, 'This page does not exist');
    await page.getByRole('link', { name: 'Go to the catalogue' }).click();
    await heading(page, /properties/);
  });

  it.each(WIDTHS)('%s: prints what a guest needs, without requests and controls (D)', async (name, size) => {
    const { id, property } = await explorer.withPhotos();
    const page = await explorer.visit(`?property=${id}`, size);
    await heading(page, property.title);
    await page.locator('.map .pin').waitFor();
    expect(await page.locator('.request-strip').isVisible()).toBe(false);
    await page.getByText('For developers', { exact: true }).click();
    await page.getByText('Raw JSON', { exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    const isShown = (text: string) => page.getByText(text, { exact: true }).first().isVisible();
    const hidden = ['For developers', 'Raw JSON', 'All results', 'OpenAPI', 'Copy', 'Skip to content'];
    for (const text of hidden) expect(await isShown(text), text).toBe(false);
    for (const text of [property.title, phoneText(property.phone)])
      expect(await isShown(text), text).toBe(true);
    await page.pdf({ path: join(PICTURES, `print-${name}.pdf`), format: 'A4' });
  });
});
