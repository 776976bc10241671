/** Questions that the page asks, and what is typed for a record: nothing is dropped, and nothing is done unseen. */
import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findChromium, interceptFromStart, startChromium } from '../docs/chromium.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { DESKTOP, findNothing, RESULTS, SIZES } from './axe.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';

const rose = (number: number) => `id: 00000000-0000-4000-8000-0000000000${10 + number}
title: Rose Cottage ${number}
currency: EUR
email: stay@rose.example
phone: +353 1 605 7700
city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`;
const pathOf = (number: number) => `properties/ie/rose-${number}.yaml`;
const FILES = Object.fromEntries(Array.from({ length: 9 }, (_, number) => [pathOf(number), rose(number)]));
const WRITTEN = 'latitude: 53.27194\nlongitude: -9.04889\n';

describe.skipIf(!findChromium() && process.env.CI !== 'true')('the page', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;
  let used = 0;

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([startEditedCatalogue(FILES), startChromium()]);
    await interceptFromStart(browser.context);
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });
  async function visit(query: string, size: { width: number; height: number } = DESKTOP) {
    await page?.close({ runBeforeUnload: false });
    page = await browser.context.newPage();
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address(query));
  }
  const open = (path: string, size?: { width: number; height: number }) =>
    visit(`?${new URLSearchParams({ property: path })}`, size);
  const { press, type } = keyboardOf(() => page);
  const textbox = (name: string) => page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const state = (words: string) => page.locator('.edit-state').getByText(words).waitFor();
  const place = () => textbox('Place on the map').inputValue();

  describe.each(SIZES)('a move of the mark over a long way, %s (C1)', (_width, size) => {
    let path: string;
    let pin: Locator;
    const question = () => page.getByRole('alertdialog');
    const isInSight = async () =>
      expect(
        await question().evaluate((element: HTMLElement) => {
          const { top, bottom, left, width } = element.getBoundingClientRect();
          const above = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
          return top >= 0 && bottom <= innerHeight && element.contains(above);
        }),
      ).toBe(true);

    beforeEach(async () => {
      path = pathOf(used++ % 9);
      catalogue.write(path, rose(used + 20));
      await open(path, size);
      pin = page.locator('.pick-map .pin');
      await pin.scrollIntoViewIfNeeded();
      const box = (await pin.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 100, box.y + 70, { steps: 4 });
      await page.mouse.up();
      await question().waitFor();
    });

    it('asks in sight, and writes nothing before the answer, which the save waits for', async () => {
      await isInSight();
      await state('Not saved yet');
      expect(await place()).toBe('53.27194, -9.04889');
      await findNothing(page, 'far-move');
      await page.setViewportSize(size);
      await page.evaluate('scrollTo(0, 0)');
      await button('Save').click();
      await expect
        .poll(() => button('Move it').evaluate((one: HTMLElement) => one === document.activeElement))
        .toBe(true);
      await isInSight();
      expect(catalogue.read(path)).toContain(WRITTEN);
      await page.keyboard.press('Enter');
      await state('All changes are saved');
      const [latitude, longitude] = (await place()).split(', ');
      expect(latitude).not.toBe('53.27194');
      expect(catalogue.read(path)).toContain(`latitude: ${latitude}\nlongitude: ${longitude}\n`);
    });

    it('puts the mark back at "no", and saves the rest', async () => {
      await textbox('E-mail (recommended)').fill('new@rose.example');
      await page.keyboard.press('Control+s');
      await isInSight();
      expect(catalogue.read(path)).toContain('stay@rose.example');
      await page.keyboard.press('Escape');
      await state('All changes are saved');
      expect(catalogue.read(path)).toContain(WRITTEN);
      expect(catalogue.read(path)).toContain('new@rose.example');
      expect(await question().count()).toBe(0);
    });

    it('is undone by a key, and asks before the page is left', async () => {
      await page.getByRole('link', { name: 'Properties', exact: true }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Unsaved changes' });
      await dialog.getByRole('button', { name: 'Save and leave' }).click();
      await dialog.waitFor({ state: 'detached' });
      await isInSight();
      await textbox('Title').focus();
      await page.keyboard.press('Control+z');
      await question().waitFor({ state: 'detached' });
      await state('All changes are saved');
      expect(catalogue.read(path)).toContain(WRITTEN);
    });

    it('is kept, and asked again after a reload', async () => {
      await page.reload();
      await button('Continue with what you typed').click();
      await question().waitFor();
      await state('Not saved yet');
      await button('Move it').click();
      await button('Save').click();
      await state('All changes are saved');
      expect(catalogue.read(path)).not.toContain(WRITTEN);
    });
  });

  it.each(SIZES)(
    'keeps what is typed for a record while files change, after leaving, and after a reload, %s (C2)',
    async (_, size) => {
      const message = () => textbox('What was changed, and why');
      const branch = () => textbox('Keep apart, under a name (optional)');
      const house = (number: number) => rose(number).replace('Cottage', `House of ${size.width}`);
      catalogue.git('add', '.');
      catalogue.git('commit', '--allow-empty', '--quiet', '--message=Before');
      catalogue.write(pathOf(0), house(30));
      await visit('?view=changes', size);
      await message().waitFor();
      const suggested = await message().inputValue();
      catalogue.write(pathOf(1), house(31));
      // Nobody typed yet: the suggestion follows.
      await expect.poll(() => message().inputValue()).not.toBe(suggested);
      await type('What was changed, and why', 'Prices of spring');
      await type('Keep apart, under a name (optional)', `spring-${size.width}`);
      catalogue.write(pathOf(2), house(32));
      await page.locator('.changed-file', { hasText: /House of \d+ 32/ }).waitFor();
      const isKept = async () => {
        await expect.poll(() => message().inputValue()).toBe('Prices of spring');
        await expect.poll(() => branch().inputValue()).toBe(`spring-${size.width}`);
      };
      await isKept();
      await press('Properties', 'Shift+Tab');
      await press(/^Changes/, 'Shift+Tab');
      await isKept();
      await page.getByText('You wrote this earlier').first().waitFor();
      await page.reload();
      await isKept();
      if (size === DESKTOP) await findNothing(page, 'record-kept');
      // A note is only where something was typed, and not where that was taken out again.
      const isThere = 'You wrote this earlier';
      await expect.poll(() => page.getByText(isThere).count()).toBe(2);
      await page.getByRole('button', { name: 'Start again' }).first().click();
      await expect.poll(() => message().inputValue()).not.toBe('Prices of spring');
      const own = await message().inputValue();
      await message().fill(`${own}!`);
      await message().fill(own);
      await page.reload();
      await expect.poll(() => branch().inputValue()).toBe(`spring-${size.width}`);
      await expect
        .poll(() => page.locator('.field', { hasText: isThere }).locator('label').allTextContents())
        .toEqual(['Keep apart, under a name (optional)']);
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.reload();
      await message().waitFor();
      expect(await page.getByText(isThere).count()).toBe(0);
      await type('What was changed, and why', 'Prices of spring');
      await type('Keep apart, under a name (optional)', `spring-${size.width}`);
      await press('Record');
      await page.getByRole('heading', { name: 'Recorded' }).waitFor();
      expect(catalogue.git('log', '-1', '--format=%s', `spring-${size.width}`).trim()).toBe(
        'Prices of spring',
      );
      catalogue.write(pathOf(3), house(33));
      await message().waitFor();
      await expect.poll(() => message().inputValue()).toMatch(/House of \d+ 33/);
      expect(await branch().inputValue()).toBe('');
    },
  );

  it.each(SIZES)('removes no version that nobody has seen, %s (C7)', async (_, size) => {
    const path = pathOf(size === DESKTOP ? 8 : 7);
    const first = catalogue.read(path).replace(/email: .*/, 'email: stay@rose.example');
    for (const isAsked of [false, true]) {
      catalogue.write(path, first);
      await open(path, size);
      await textbox('Title').waitFor();
      // The news of the change does not arrive.
      await page.route('**/property?**', (route) => route.abort());
      if (isAsked) await press('Remove');
      if (isAsked) await page.getByRole('dialog').waitFor();
      const theirs = first.replace('stay@rose.example', 'theirs@rose.example');
      catalogue.write(path, theirs);
      await press(isAsked ? 'Remove it' : 'Remove');
      await page.getByText('Nothing was done: look at the new version first.').waitFor();
      expect(catalogue.read(path)).toBe(theirs);
      await page.unrouteAll();
    }
    catalogue.write(path, first.replace('stay@rose.example', 'last@rose.example'));
    await expect.poll(() => textbox('E-mail (recommended)').inputValue()).toBe('last@rose.example');
    await press('Remove');
    await press('Remove it');
    await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
    expect(() => catalogue.read(path)).toThrow('ENOENT');
  });
});
