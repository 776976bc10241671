/** Filters and names with typos, as guests use them. */
import { describe, expect, it } from 'vitest';
import { findNothing } from './axe.ts';
import { heading, isPassedOver, titles, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the filters of the explorer', async () => {
  const explorer = await useExplorer();

  it.each(WIDTHS)('%s: are chosen with the keyboard, and are in the address', async (_name, size) => {
    const page = await explorer.visit('?country=ES', size);
    await heading(page, /properties in Spain$/);
    const button = page.getByRole('button', { name: /^Filters/ });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Filters' });
    const show = dialog.getByRole('button', { name: /^Show \d+ propert/ });
    const shown = async () => Number(/\d+/.exec((await show.textContent()) ?? '')?.[0]);
    await show.waitFor();
    const all = await shown();
    const check = dialog.getByRole('group', { name: 'Facilities' }).getByRole('checkbox').first();
    const text = (await dialog
      .getByRole('group', { name: 'Facilities' })
      .locator('label')
      .first()
      .textContent())!;
    const count = Number(/\d+$/.exec(text)?.[0]);
    await check.focus();
    await page.keyboard.press('Space');
    await expect.poll(shown).toBe(count);
    expect(count).toBeLessThanOrEqual(all);
    expect(await dialog.getByRole('status').textContent()).toMatch(new RegExp(`^${count} propert`));
    await dialog.getByRole('radio', { name: /^1\+ Bedrooms/ }).check({ force: true });
    await show.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL(/\?country=ES&facilities=[a-z_]+&filter\.bedrooms=1\.\.$/);
    // Loaded again, the page shows the result of the address alone, and no earlier one.
    const result = page.getByRole('heading', { name: /^\d+ propert/ });
    await page.reload();
    const total = Number(/^\d+/.exec((await result.textContent())!)?.[0]);
    expect(total).toBeLessThanOrEqual(count);
    // The list and the map have the same result.
    const before = await titles(page);
    await page.reload();
    await heading(page, new RegExp(`^${total} propert`));
    expect(await titles(page)).toEqual(before);
    const switchToMap = page.getByRole('button', { name: 'Map', exact: true });
    if (await switchToMap.isVisible()) await switchToMap.click();
    if (total > 0) await page.getByText(`${total} propert`).last().waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await heading(page, new RegExp(`^${all} properties in Spain`));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
    expect(explorer.complaints).toEqual([]);
  });

  it('give back the focus, and nothing changes, when they are closed', async () => {
    const page = await explorer.visit('');
    await heading(page, /^372 properties/);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('checkbox').first().check();
    await page.keyboard.press('Escape');
    await until(page, 'document.activeElement.textContent === "Filters"');
    expect(new URL(page.url()).search).toBe('');
  });

  it.each(WIDTHS)('%s: a name with typos is found, and what was meant is a link', async (_name, size) => {
    const page = await explorer.visit('?name=apartmant', size);
    await heading(page, /^\d+ properties with a name like “apartmant”$/);
    await page.getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: 'apartment', exact: true }).click();
    await heading(page, /^\d+ properties named “apartment”$/);
    expect(await page.getByText('Did you mean').count()).toBe(0);
    expect((await titles(page))[0]).toMatch(/apartment/i);
    await page.locator('.card-picture img').first().waitFor();
    expect(explorer.complaints).toEqual([]);
  });

  it('say which of them to leave out where nothing has all', async () => {
    const page = await explorer.visit('?country=IE&facilities=wifi&facilities=nothing_has_it');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('link', { name: /^Without Nothing has it: \d+ propert/ }).click();
    await heading(page, /^\d+ properties in Ireland$/);
    expect(new URL(page.url()).search).toBe('?country=IE&facilities=wifi');
    expect(explorer.complaints).toEqual([]);
  });

  it('have no barrier', async () => {
    const page = await explorer.visit('?facilities=wifi&filter.bedrooms=1..');
    await heading(page, /^\d+ properties$/);
    await findNothing(page, 'filters-chosen');
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.getByRole('button', { name: /^Show \d+ propert/ }).waitFor();
    await findNothing(page, 'filters-sheet');
    expect(explorer.complaints).toEqual([]);
  });
});
