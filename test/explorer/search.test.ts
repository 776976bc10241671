/** Searching and paging in the explorer, and what it tells of its requests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../src/contract/property.ts';
import { heading, isPassedOver, titles, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the search', () => {
  const explorer = useExplorer();
  const titlesOf = ({ data }: Page) => data.map(({ title }) => title);

  it.each(WIDTHS)('%s: finds by country and city, with the keyboard', async (_name, size) => {
    const page = await explorer.visit('', size);
    await heading(page, /^\d+ properties$/);
    expect(await titles(page)).toEqual(titlesOf(await explorer.ask<Page>('?page[size]=25')));

    const irish = await explorer.ask<Page>('?filter[country]=IE');
    await page.getByLabel('Country').selectOption('IE');
    await heading(page, `${irish.meta.pagination.total_entries} properties in Ireland`);
    expect(await titles(page)).toEqual(titlesOf(irish));

    const dublin = await explorer.ask<Page>('?filter[country]=IE&filter[city]=Dublin');
    const field = page.getByRole('combobox', { name: 'City' });
    await field.focus();
    await field.pressSequentially('dubl');
    const option = page.locator('[role=option]').first();
    await option.waitFor();
    expect(await option.textContent()).toContain(String(dublin.meta.pagination.total_entries));
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
    await page.keyboard.press('Enter');
    await heading(page, `${dublin.meta.pagination.total_entries} properties in Dublin, Ireland`);
    expect(new URL(page.url()).search).toBe('?country=IE&city=Dublin');
    expect(await titles(page)).toEqual(titlesOf(dublin));
    expect(explorer.complaints).toEqual([]);
  });

  it.each(WIDTHS)('%s: goes through the pages, and back and forward', async (_name, size) => {
    const page = await explorer.visit('?country=IE', size);
    await heading(page, /properties in Ireland/);
    const first = await titles(page);
    await page.getByRole('link', { name: 'Next page' }).click();
    await until(page, 'location.search.includes("page=2")');
    const second = titlesOf(await explorer.ask<Page>('?filter[country]=IE&page[number]=2'));
    await page.getByText(second[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(second);
    expect(await page.locator('[aria-current=page]').textContent()).toContain('2');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');

    await page.goBack();
    await page.getByText(first[0]!, { exact: true }).first().waitFor();
    expect(await titles(page)).toEqual(first);
    await page.goForward();
    await page.getByText(second[0]!, { exact: true }).first().waitFor();

    // 26 to 50 of 25 are within 1 to 100 of 100.
    await page.getByLabel('Per page').selectOption('100');
    await until(page, 'document.querySelectorAll(".cards > li").length === 100');
    expect(new URL(page.url()).search).toBe('?country=IE&size=100');
    expect(await page.getByLabel('Per page').locator('option').allTextContents()).toEqual(['1', '25', '100']);
    expect(explorer.complaints).toEqual([]);
  });

  it('comes back to the card that was left', async () => {
    const page = await explorer.visit('?country=IE');
    const link = page.locator('.cards h2 a').nth(20);
    await link.waitFor();
    await link.scrollIntoViewIfNeeded();
    // It is written down when scrolling has ended.
    await until(page, 'history.state?.scroll > 0');
    const before = await page.evaluate('scrollY');
    await link.click();
    await page.getByRole('link', { name: 'All results' }).waitFor();
    await page.goBack();
    await until(page, `scrollY === ${before}`);
    await until(page, 'document.activeElement.matches(".cards h2 a")');
  });

  it('says that there is nothing, and where there is something', async () => {
    const page = await explorer.visit('?city=dublin');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('link', { name: /^Dublin, Ireland/ }).click();
    await heading(page, /properties in Dublin, Ireland/);
    await page.goto(`${explorer.url}/?country=GR&page=9`);
    await page.getByRole('link', { name: 'page 1' }).click();
    await heading(page, /properties in Greece/);
    expect(explorer.complaints).toEqual([]);
  });

  it('says in words what is wrong, and tries again', async () => {
    const page = await explorer.visit('?country=Ireland');
    const alert = page.getByRole('alert');
    await alert.getByRole('heading', { name: 'Invalid country' }).waitFor();
    const { detail } = await explorer.ask<{ detail: string }>('?filter[country]=Ireland');
    await alert.getByText(detail).waitFor();
    await alert.getByRole('link').click();
    await page.locator(':target h2').waitFor();

    await page.route('**/api/v1/public/properties?*', (route) => route.abort());
    await page.goto(`${explorer.url}/?country=GR`);
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.unroute('**/api/v1/public/properties?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, /properties in Greece/);
  });

  it('tells every request, as a URL and as a curl line that does the same', async () => {
    await explorer.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await explorer.visit('?country=GR&city=Αθήνα');
    const { data } = await explorer.ask<Page>('?filter[country]=GR&filter[city]=Αθήνα');
    await until(page, `document.querySelectorAll('.map .pin').length === ${data.length}`);
    await page.getByRole('button', { name: /^\d+ requests$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Requests of this page' });
    const told = await dialog.locator('.request-list li code:first-of-type').allTextContents();
    const made = explorer.requests.filter((url) => /\/api\/|countries\.json/.test(url));
    expect(told.sort()).toEqual(made.sort());
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Copy curl line' }).click();
    await page.getByText('Copied').first().waitFor({ state: 'attached' });
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(line).toMatch(/^curl /);
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --fail`]);
    expect(JSON.parse(stdout).data).toEqual(data);
    expect(explorer.complaints).toEqual([]);
  });
});
