/** The list, the changes and a commit, in Chromium, against a real session. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findChromium, interceptFromStart, startChromium } from '../docs/chromium.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { DESKTOP, findNothing, PHONE, RESULTS, SIZES } from './axe.ts';
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

  it('has a link to the form on the page of a property with an error, and none if the property is gone', async () => {
    const text = catalogue.read(ROSE);
    const id = /^id: (\S+)/.exec(text)![1]!;
    const show = async (which: string) => {
      await page.goto(`${catalogue.url}/?${new URLSearchParams({ property: which })}`);
      await page.getByRole('heading', { name: 'This property cannot be shown' }).waitFor();
    };
    const link = () => page.getByRole('link', { name: 'Edit this property' });
    await visit();
    await expect.poll(titles).toHaveLength(4);
    await show(id.replace('0001', '0099'));
    await expect.poll(() => link().count()).toBe(0);
    // The page would reload itself after the change, in the middle of the next visit.
    await page.goto('about:blank');
    catalogue.write(ROSE, text.replace('country: IE', 'country: Irland'));
    const isThere = async () => (await fetch(`${catalogue.url}/api/v1/public/properties/${id}`)).status;
    await expect.poll(isThere).not.toBe(200);
    const answer = page.waitForResponse(/_edit\/api\/property/);
    await show(id);
    expect((await answer).status()).toBe(200);
    await link().click();
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor();
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

/** A photo as iPhones make them. */
const TELEPHONE = fileURLToPath(new URL('../media/telephone.heic', import.meta.url));

describe.skipIf(!findChromium() && process.env.CI !== 'true').each(SIZES)(
  'a catalogue that is a repository itself, by keyboard alone, %s,',
  (_, size) => {
    let catalogue: EditedCatalogue;
    let browser: Awaited<ReturnType<typeof startChromium>>;
    let page: Page;

    beforeAll(async () => {
      mkdirSync(RESULTS, { recursive: true });
      [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES, true), startChromium()]);
      await interceptFromStart(browser.context);
      page = await browser.context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('filechooser', () => {});
      page.on('dialog', (dialog) => dialog.accept());
      await page.setViewportSize(size);
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
      await page.goto(catalogue.address('?view=changes'));
    });
    afterAll(async () => {
      await browser?.close();
      await catalogue?.close();
    });
    const { press, tabTo, type } = keyboardOf(() => page);
    const files = () => page.locator('.changed-file');
    const title = () => page.getByRole('textbox', { name: 'Title', exact: true });
    const nothingChanged = () =>
      page.getByRole('heading', { name: 'Nothing has changed since the last record' }).waitFor();
    const show = async (name: string) => {
      if (size === DESKTOP) await findNothing(page, name);
    };

    it('has no change where nothing changed (C8), and none for a file that came and went (C9)', async () => {
      await nothingChanged();
      await page.getByRole('link', { name: 'Changes', exact: true }).waitFor();
      catalogue.write('properties/ie/new.yaml', FILES[ROSE]!.replace('0001', '0002'));
      catalogue.git('add', '.');
      await files().waitFor();
      rmSync(join(catalogue.content, 'properties/ie/new.yaml'));
      await nothingChanged();
      expect(catalogue.git('status', '--porcelain')).toMatch(/^AD /);
      await show('changes-none');
      await press('Properties', 'Shift+Tab');
      await press('Rose Cottage');
      await type('Title', 'Rose House');
      await page.keyboard.press('Control+s');
      await page.locator('.edit-state').getByText('All changes are saved').waitFor();
      await press(/^Changes/, 'Shift+Tab');
      // All counts agree (C14).
      await page.getByText('1 change saved here, not recorded yet.').waitFor();
      await page.getByRole('heading', { name: 'Record 1 change' }).waitFor();
      await page.getByRole('link', { name: 'Changes 1', exact: true }).waitFor();
      expect(await files().count()).toBe(1);
      await press('Record');
      await page.getByRole('heading', { name: 'Recorded' }).waitFor();
      await expect.poll(() => catalogue.git('log', '-1', '--format=%s')).toContain('Rose House');
    });

    it('names a merge that was not finished, and offers nothing that drops a version (C10)', async () => {
      const text = catalogue.read(ROSE);
      const both = '<<<<<<< HEAD\ntitle: Rose House\n=======\ntitle: Rose Inn\n>>>>>>> lena';
      catalogue.write(ROSE, text.replace('title: Rose House', both));
      await files().getByText('1 error').waitFor();
      expect(await files().locator('del').count()).toBe(0);
      await page.getByText('Recorded like this, nothing new').waitFor();
      await press('Rose House');
      await page.getByText('Two people changed the same').waitFor();
      await page.getByRole('radio', { name: /^Second version, lena/ }).waitFor();
      await show('merge');
      expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(0);
      catalogue.write(ROSE, text);
      await title().waitFor();
    });

    it('lets one choose by field in a merge that was not finished (C10)', async () => {
      const text = catalogue.read(ROSE);
      // Without a common version: a field that only one of them has stays.
      const first = 'title: Rose House\nphone: +353 1 605 7701\n';
      const second = 'title: Rose Inn\nphone: +353 1 605 7702 # of Lena\naddress: Quay 1\n';
      const lines = /title:.*\n/.exec(text)![0];
      const both = `<<<<<<< HEAD\n${first}=======\n${second}>>>>>>> lena\n`;
      catalogue.write(ROSE, text.replace(/^phone:.*\n/m, '').replace(lines, both));
      await page.getByRole('heading', { name: 'A merge was not finished' }).waitFor();
      await page
        .getByText('Changed only in the second version, and kept:')
        .getByText('Address: Quay 1')
        .waitFor();
      await page.getByRole('heading', { level: 1, name: 'Rose House' }).waitFor();
      const done = page.getByRole('button', { name: 'Save these' });
      expect(await done.getAttribute('aria-disabled')).toBe('true');
      await tabTo('Title');
      await page.keyboard.press('ArrowDown');
      await tabTo('Phone');
      await page.keyboard.press('Space');
      await press('Save these');
      await title().waitFor();
      expect(await title().inputValue()).toBe('Rose Inn');
      expect(parse(catalogue.read(ROSE))).toEqual({
        ...parse(text),
        ...{ title: 'Rose Inn', phone: '+353 1 605 7701', address: 'Quay 1' },
      });
      expect(catalogue.read(ROSE)).toContain('# of Lena');
      catalogue.write(ROSE, text);
      await expect.poll(() => title().inputValue()).toBe('Rose House');
    });

    it('offers what was typed in the words of the form, and asks before it is discarded (C13)', async () => {
      await type('Title', 'Typed and not saved');
      await type('Country', 'Portugal');
      await page.keyboard.press('Enter');
      await type('Add a facility', 'internet');
      await page.keyboard.press('Enter');
      await page.reload();
      const offer = page.locator('section', { has: page.locator('#draft-title') });
      for (const words of ['Typed and not saved', 'Country', 'Portugal', 'Wi-Fi'])
        await offer.getByText(words, { exact: true }).first().waitFor();
      expect(await offer.innerText()).not.toMatch(/\bPT\b|\bwifi\b|Nov \d|AM\b/);
      await show('offer');
      await press('Discard');
      await offer.getByText('What you typed cannot be brought back then.').waitFor();
      await press('Discard it for good');
      await expect.poll(() => title().inputValue()).toBe('Rose House');
      await page.reload();
      await title().waitFor();
    });

    it('has suggestions in sight, a low bar, photos of iPhones, and a map after a restart (C14)', async () => {
      expect((await page.locator('.edit-bar').boundingBox())!.height).toBeLessThan(130);
      await tabTo('Add a facility');
      await page.keyboard.type('a');
      const option = page.getByRole('option').first();
      await option.waitFor();
      const { y, height } = (await option.boundingBox())!;
      expect([y >= 0, y + height <= size.height]).toEqual([true, true]);
      await page.keyboard.press('Escape');
      await type('Add a facility', '');
      await tabTo(/^Add photos/, 'Shift+Tab');
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Enter');
      const buffer = readFileSync(TELEPHONE);
      await (await chooser).setFiles([{ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer }]);
      await page.locator('.photo-card img').waitFor();
      await page.keyboard.press('Control+s');
      await expect.poll(() => catalogue.read(ROSE)).toContain('img-1.jpg');
      await press('Properties', 'Shift+Tab');
      await page.locator('.property-row').first().waitFor();
      await page.reload();
      await page.locator('.property-row').first().waitFor();
      await catalogue.stop();
      await catalogue.startAgain();
      await page.goto(catalogue.address());
      await press('Rose House');
      await page.locator('.pick-map .pin').waitFor();
    });

    it('forgets an error that is over (C14)', async () => {
      await page.route('**/changes', (route) => route.abort());
      await press(/^Changes/, 'Shift+Tab');
      const failure = page.getByRole('alert').getByText('The editor does not answer');
      await failure.waitFor();
      await page.unrouteAll();
      catalogue.write(ROSE, catalogue.read(ROSE).replace('7700', '7711'));
      await files().waitFor();
      await failure.waitFor({ state: 'detached' });
    });
  },
);
