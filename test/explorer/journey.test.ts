/** One visit of the explorer, from the search to a property, with axe on each page. */
import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/contract/property.ts';
import { findNothing } from './axe.ts';
import { heading, isPassedOver, titles, useExplorer } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the explorer', async () => {
  const explorer = await useExplorer();

  it('finds a property by country and city, turns the page, and shows it', async () => {
    const page = await explorer.visit('');
    await heading(page, /^\d+ properties$/);
    await page.getByLabel('Country').selectOption('IE');
    await heading(page, /properties in Ireland$/);
    await page.getByRole('link', { name: 'Next page' }).click();
    const { data } = await explorer.ask<Page>('?filter[country]=IE&page[number]=2');
    await page.getByText(data[0]!.title, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(data.map(({ title }) => title));
    await findNothing(page, 'journey-list');
    await page.locator('.cards a').first().click();
    await heading(page, data[0]!.title);
    await page.locator('.map .pin').first().waitFor();
    await findNothing(page, 'journey-property');
    expect(explorer.complaints).toEqual([]);
  });
});
