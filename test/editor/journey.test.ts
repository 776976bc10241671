/** A property from nothing to a commit, in Chromium, against a real session, with axe on two pages. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { DESKTOP, findNothing, RESULTS } from './axe.ts';
import { type EditedCatalogue, NEW_PHOTOS, startEditedCatalogue } from './edited-catalogue.ts';

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the editor', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([startEditedCatalogue(), startChromium()]);
    page = await browser.context.newPage();
    // From the beginning on, the browser hands file choosers to the test.
    page.on('filechooser', () => {});
    page.on('console', (message) => {
      // The first visit has no cookie yet.
      if (message.text().includes('status of 401')) return;
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address(''));
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });
  const textbox = (name: string) => page.getByRole('textbox', { name, exact: true });
  const combobox = (name: string) => page.getByRole('combobox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('creates a property with three photos, from nothing to a commit, in at most 25 actions of the mouse', async () => {
    let actions = 0;
    const act = async (action: Promise<unknown>) => {
      actions++;
      await action;
    };
    const choose = async (name: string, text: string, option: string) => {
      await act(combobox(name).fill(text));
      await act(page.getByRole('option', { name: option }).first().click());
    };
    await act(page.getByRole('link', { name: 'New property' }).click());
    await act(textbox('Title').fill('The cottage above the sea'));
    await choose('Country', 'irel', 'Ireland');
    await act(combobox('City').fill('Westport'));
    await act(textbox('Address (optional)').fill('Quay Road 4'));
    await act(
      textbox('Place on the map').fill(
        'https://www.openstreetmap.org/?mlat=53.8&mlon=-9.5333#map=15/53.8/-9.5',
      ),
    );
    const chooser = page.waitForEvent('filechooser');
    await act(button('Add photos Choose files, drop them here, or paste a picture.').click());
    await act(chooser.then((files) => files.setFiles(NEW_PHOTOS)));
    await act(textbox('Caption of photo 1 (optional)').fill('The cottage in the evening'));
    await act(textbox('Caption of photo 2 (optional)').fill('The living room'));
    await act(textbox('Caption of photo 3 (optional)').fill('The terrace'));
    await act(button('Wi-Fi').click());
    await act(button('Kitchen').click());
    await act(button('Check-in').click());
    await act(textbox('Text of policy 1').fill('From 15:00 to 20:00.\n\nLater arrivals: ring the bell.'));
    await act(textbox('E-mail (recommended)').fill('stay@cottage.example'));
    await act(textbox('Phone (recommended)').fill('01 605 7700'));
    await act(page.locator('.chip', { hasText: 'At the property' }).click());
    // The country set the currency.
    expect(await combobox('Currency').inputValue()).toBe('Euro');
    await page.screenshot({ path: join(RESULTS, 'new-desktop.png'), fullPage: true });
    await act(button('Create').click());
    await page.locator('.edit-state').getByText('All changes are saved').waitFor();
    const path = 'properties/ie/the-cottage-above-the-sea.yaml';
    expect(new URL(page.url()).searchParams.get('property')).toBe(path);
    await act(page.getByRole('link', { name: /^Changes/ }).click());
    await page.getByRole('heading', { name: /^Record 1 change$/ }).waitFor();
    await act(button('Record').click());
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    expect(actions).toBeLessThanOrEqual(25);

    const text = catalogue.read(path);
    expect(text).toContain('title: The cottage above the sea\n');
    expect(text).toContain('latitude: 53.8\nlongitude: -9.5333\n');
    expect(text).toContain('phone: +353 1 605 7700\n');
    expect(text.match(/- file: /g)).toHaveLength(3);
    expect(text).toContain('description: The terrace\n');
    expect(catalogue.git('status', '--porcelain')).toBe('');
    expect(catalogue.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toHaveLength(4);
    await page.getByRole('link', { name: 'Properties' }).first().click();
    await page.locator('.property-row').first().waitFor();
    await findNothing(page, 'journey');
    expect(complaints).toEqual([]);
  });

  it('says which photo is missing, and offers no undo of a removal once that is recorded', async () => {
    const path = 'properties/ie/the-cottage-above-the-sea.yaml';
    catalogue.write(path, catalogue.read(path).replace('2-the-living-room.jpg', 'lost.jpg'));
    await page.goto(catalogue.address(`?property=${path}`));
    await page.locator('.photo-foot').getByText('The photo "lost.jpg" is not there.').waitFor();
    await button('Remove').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove it/ })
      .click();
    const notice = page.locator('.notice', { hasText: 'The cottage above the sea is removed.' });
    await notice.waitFor();
    await page.getByRole('link', { name: /^Changes/ }).click();
    await notice.waitFor();
    await button('Record').click();
    await page.getByRole('heading', { name: 'Recorded', exact: true }).waitFor();
    expect(await notice.count()).toBe(0);
    await page.getByRole('link', { name: 'Properties' }).first().click();
    await page.locator('.property-row').first().waitFor();
    expect(await notice.count()).toBe(0);
  });

  it('offers no undo of a removal where the file is there again', async () => {
    const path = 'properties/be/cosy-studio-historic-centre.yaml';
    const text = catalogue.read(path);
    await page.goto(catalogue.address(`?property=${path}`));
    await button('Remove').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove it/ })
      .click();
    const notice = page.locator('.notice', { hasText: 'is removed.' });
    await notice.waitFor();
    catalogue.write(path, text);
    await expect.poll(() => notice.count()).toBe(0);
  });
});
