/** The list, the changes and a commit, in Chromium, against a real session. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { DESKTOP, findNothing, PHONE, RESULTS } from './axe.ts';
import { type EditedCatalogue, NEW_PHOTOS, startEditedCatalogue } from './edited-catalogue.ts';

const STUDIO = 'properties/be/cosy-studio-historic-centre.yaml';
const ROSE = 'properties/ie/rose.yaml';
const FILES = {
  [ROSE]: `id: 00000000-0000-4000-8000-000000000001
title: Rose Cottage
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700
city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`,
};

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the list of the editor', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;

  beforeAll(async () => {
    [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES), startChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  async function visit(query = '', size = DESKTOP): Promise<void> {
    await page?.close({ runBeforeUnload: false });
    page = await browser.context.newPage();
    page.setDefaultTimeout(120_000);
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address(query));
  }
  const property = (path: string) => `?${new URLSearchParams({ property: path })}`;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const titles = () => page.locator('.property-row h2').allTextContents();
  const isSaved = () => page.locator('.edit-state').getByText('All changes are saved').waitFor();

  it('has its header in one line on a wide window', async () => {
    await visit();
    const middle = async (place: string) => {
      const { y, height } = (await page.locator(`.editor-header ${place}`).boundingBox())!;
      return y + height / 2;
    };
    expect(Math.abs((await middle('.brand')) - (await middle('nav')))).toBeLessThan(10);
  });

  it('finds the name of a country, and keeps the search on the way back', async () => {
    await visit('', PHONE);
    await page.getByRole('searchbox').fill('greece');
    await expect.poll(titles).toHaveLength(2);
    await page.locator('.property-row a').first().click();
    await page.locator('.edit-bar').waitFor();
    await page.goBack();
    await expect.poll(titles).toHaveLength(2);
    expect(await page.getByRole('searchbox').inputValue()).toBe('greece');
    await page.locator('.property-row a').first().click();
    await page.locator('.edit-bar .back').click();
    await expect.poll(titles).toHaveLength(2);
    await page.reload();
    await expect.poll(titles).toHaveLength(2);
    expect(new URL(page.url()).searchParams.get('q')).toBe('greece');
    // The link in the header leads to all of them.
    await page.getByRole('navigation', { name: 'Editor' }).getByRole('link', { name: 'Properties' }).click();
    await expect.poll(titles).toHaveLength(4);
  });

  it('keeps its right to edit, whatever a link of another page says', async () => {
    await visit();
    await expect.poll(titles).toHaveLength(4);
    await page.goto('about:blank');
    await page.goto(`${catalogue.url}/_edit/#bogus`);
    await expect.poll(titles).toHaveLength(4);
    expect(new URL(page.url()).hash).toBe('');
    await page.goto(`${catalogue.url}/_edit/`);
    await expect.poll(titles).toHaveLength(4);
  });

  it('says what an error stops, shows the others, and makes a draft of it', async () => {
    await visit(property(ROSE));
    await page.locator('.edit-bar').waitFor();
    const text = catalogue.read(ROSE);
    catalogue.write(
      ROSE,
      text.replace('country: IE', 'country: Irland').replace('Rose Cottage', 'Rose House'),
    );
    const notice = () => page.locator('.notices').getByText(/1 error in this property.*whole catalogue/);
    await notice().waitFor();
    await visit();
    await page.getByText(/1 property has an error.*nothing new of the whole catalogue/).waitFor();
    await findNothing(page, 'list-error');
    await button('Show what to fix').click();
    await expect.poll(async () => (await titles())[0]).toBe('Rose House');
    // Another property's save is shown meanwhile.
    await visit(property(STUDIO));
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Studio above the square');
    await button(/^Save$/).click();
    await isSaved();
    const list = async () => (await fetch(`${catalogue.url}/api/v1/public/properties`)).text();
    await expect.poll(list).toContain('Studio above the square');
    expect(await list()).not.toContain('Rose');
    await visit(property(ROSE), PHONE);
    await notice().waitFor();
    await page.screenshot({ path: join(RESULTS, 'error-phone.png') });
    await button('Save as draft').click();
    await expect.poll(() => catalogue.read(ROSE)).toContain('draft: true');
    await notice().waitFor({ state: 'detached' });
    await expect.poll(list).not.toContain('Rose Cottage');
    catalogue.write(ROSE, text);
    await isSaved();
  });

  it('tells of settings that stop every preview', async () => {
    const settings = catalogue.read('catalogue.yaml');
    await visit();
    await expect.poll(titles).toHaveLength(4);
    catalogue.write('catalogue.yaml', 'page_sizes: none\n');
    const notice = page.getByRole('alert').filter({ hasText: /older catalogue.*catalogue\.yaml, line 1/s });
    await notice.waitFor();
    catalogue.write('catalogue.yaml', settings);
    await notice.waitFor({ state: 'detached' });
  });

  it('commits photos with their property, and counts alike everywhere', async () => {
    catalogue.git('add', '.');
    catalogue.git('commit', '--quiet', '--allow-empty', '--message=Before');
    await visit(property(STUDIO));
    const chooser = page.waitForEvent('filechooser');
    await button(/^Add photos/).click();
    await (await chooser).setFiles(NEW_PHOTOS.slice(0, 2));
    await button(/^Save$/).click();
    await isSaved();
    await page.getByRole('link', { name: /^Changes 1$/ }).click();
    await page.getByRole('heading', { name: 'Record 1 change' }).waitFor();
    await page.getByText('With 2 photos').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(1);
    await page.getByRole('checkbox').uncheck();
    await page.getByRole('heading', { name: 'Record 0 changes' }).waitFor();
    await page.getByRole('checkbox').check();

    catalogue.git('switch', '--quiet', '--detach');
    await page.reload();
    await page.getByText('An earlier state of the catalogue is open.', { exact: true }).waitFor();
    await page.getByLabel('Keep apart, under a name (optional)').fill('nora/spring prices');
    await button(/^Record$/).click();
    await page.getByText(/a space.*nora\/spring-prices/).waitFor();
    await page.getByLabel('Keep apart, under a name (optional)').fill('nora/spring-prices');
    await button(/^Record$/).click();
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    // Nothing is left, in the header neither.
    await page.getByRole('link', { name: /^Changes$/ }).waitFor();
    expect(catalogue.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toHaveLength(3);
    expect(catalogue.git('status', '--porcelain')).toBe('');
    // A removed property is a change, but has no row in the list.
    catalogue.git('rm', '--quiet', `content/${ROSE}`);
    await visit();
    await page.getByRole('link', { name: /^Changes 1$/ }).waitFor();
    await button(/^New or changed 0$/).waitFor();
  });
});
