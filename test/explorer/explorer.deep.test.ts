/** The explorer as a whole: the findings of axe in its views, and a protected catalogue. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyboardOf } from '../support/keyboard.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';
import { findNothing } from './axe.ts';
import { DESKTOP, heading, isPassedOver, PHONE, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the explorer', async () => {
  const explorer = await useExplorer();

  const STATES = [
    ['home', async () => '', '.pin'],
    ['madrid', async () => '?country=ES&city=Madrid', '.pin'],
    ['name', async () => '?name=hotel', '.cards .card'],
    ['property', async () => `?property=${(await explorer.withPhotos()).id}`, '.map .pin'],
    ['bare', async () => `?property=${await explorer.withoutPhotos()}`, '.map .pin'],
    ['nothing', async () => '?city=Atlantis', '.notice'],
    ['error', async () => '?country=Ireland', '[role=alert]'],
  ] as const;

  it.each(STATES)('has no problem for axe: %s', async (name, queryOf, ready) => {
    const page = await explorer.visit(await queryOf());
    await page.locator(ready).first().waitFor();
    await findNothing(page, name);
  });

  it('has no problem for axe: a chosen place on the map (F)', async () => {
    const page = await explorer.visit('?country=HK');
    await findNothing(page, 'chosen', async (width) => {
      if (width === 'phone') {
        // The page gets its new width with its next frame, and has this button from then on.
        const other = page.getByRole('button', { name: /^(Map|List)$/ });
        if ((await other.textContent()) === 'Map') await other.click();
      }
      await page.locator('.pin').first().waitFor();
      for (let step = 0; step < 12 && !(await page.locator('.chosen').isVisible()); step++) {
        await page.locator('.pin').first().focus();
        await page.keyboard.press('Enter');
        await page.waitForTimeout(100);
      }
      await page.locator('.chosen').waitFor();
    });
  });

  it('has no problem for axe: suggestions', async () => {
    const page = await explorer.visit('');
    await findNothing(page, 'suggestions', async () => {
      await page.getByRole('combobox', { name: 'City' }).focus();
      await page.locator('[role=option]').first().waitFor();
      await page.keyboard.press('ArrowDown');
    });
  });

  it('shows the accent, the title and the logo of the configuration, in readable colours (F)', async () => {
    const branded = await serveCatalogue(
      'title: Stays by the sea\ndescription: Houses and rooms.\nlogo: photos/seaside-day-1.jpg\naccent: "#ffdd00"\ncontact:\n  email: anna@stays.example\n',
    );
    const page = await explorer.visit('?country=GR', DESKTOP, branded.url);
    await heading(page, /Greece/);
    await expect.poll(() => page.title()).toBe('6 properties in Greece · Stays by the sea');
    await page.getByRole('link', { name: 'Stays by the sea' }).waitFor();
    await until(page, `document.querySelector('header .brand-logo').naturalWidth > 0`);
    await page.getByRole('link', { name: 'anna@stays.example' }).waitFor();
    await findNothing(page, 'branded');
    expect(explorer.complaints).toEqual([]);
  });

  it.each(WIDTHS)(
    '%s: can be used with the keyboard alone: search, list, map, property and back (F, X4)',
    async (_name, size) => {
      const page = await explorer.visit('', size);
      await heading(page, /^372/);
      const tabTo = async (selector: string, key = 'Tab', most = 80) => {
        for (let step = 0; step <= most; step++) {
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
          await page.keyboard.press(key);
          expect(await page.evaluate('document.activeElement !== document.body'), selector).toBe(true);
        }
        throw new Error(`Tab does not come to ${selector}`);
      };
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await tabTo('.cards a', 'Tab', 5);
      await tabTo('.field:has(#country) + .combobox input', 'Shift+Tab');
      await page.keyboard.type('madrid');
      await page.keyboard.press('Enter');
      await heading(page, /40 properties in Madrid/);
      await tabTo('.cards a');
      const first = (await page.evaluate('document.activeElement.textContent')) as string;
      await page.keyboard.press('Enter');
      await heading(page, first);
      // The browser itself has the key for it.
      await page.goBack();
      await heading(page, /40 properties in Madrid/);
      await until(page, `document.activeElement.matches('.cards a')`);
      if (size === PHONE) await keyboardOf(() => page).press('Map');
      await tabTo('.pin');
      for (let step = 0; step < 12 && !(await page.locator('.chosen').isVisible()); step++) {
        await page.keyboard.press('Enter');
        await page.waitForTimeout(400);
      }
      await until(page, `document.activeElement.matches('.chosen a')`);
      const title = (await page.locator('.chosen a strong').first().textContent())!;
      await page.keyboard.press('Enter');
      await heading(page, title);
      await tabTo('.back', 'Shift+Tab');
      await page.keyboard.press('Enter');
      await heading(page, /40 properties in Madrid/);
      expect(explorer.complaints).toEqual([]);
    },
  );

  it('asks for the key of a protected catalogue, and keeps it in the tab', async () => {
    const key = 'correct horse';
    const digest = createHash('sha256').update(key).digest('hex');
    const guarded = await serveCatalogue(`api_keys:\n  - ${digest}\n`, [digest]);
    const page = await explorer.visit('?country=GR', DESKTOP, guarded.url);
    await page.getByLabel('API key').waitFor();
    await findNothing(page, 'key-form');
    await page.setViewportSize(DESKTOP);
    const [field, button] = await Promise.all(
      ['.api-key input', '.api-key button'].map((one) => page.locator(one).boundingBox()),
    );
    expect(field!.y + field!.height).toBeCloseTo(button!.y + button!.height, 0);
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('alert').getByRole('heading', { name: 'Invalid API key' }).waitFor();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await heading(page, /properties in Greece/);
    await page.getByText('6 properties on the map').waitFor();
    expect(await page.getByLabel('Country').locator('option').count()).toBe(13);
    await page.reload();
    await heading(page, /properties in Greece/);
    await page.getByText('For developers', { exact: true }).click();
    await page.getByRole('button', { name: /^\d+ requests?$/ }).click();
    expect(await page.getByRole('dialog').textContent()).toContain('X-API-KEY: $API_KEY');
    expect(await page.content()).not.toContain(key);
  });
});
