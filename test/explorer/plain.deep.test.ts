/** The pages for people without JavaScript, in Chromium. */
import { describe, expect, it } from 'vitest';
import { findNothing } from './axe.ts';
import { heading, isPassedOver, until, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the explorer without JavaScript', async () => {
  const explorer = await useExplorer();

  it.each(WIDTHS)('%s: leads by keyboard from the start to a property (X5)', async (_, size) => {
    const page = await explorer.visit('properties.html', size);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setScriptExecutionDisabled', { value: true });
    await page.goto(`${explorer.url}/`);
    await heading(page, 'Property catalogue');
    // The name of the catalogue comes first.
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await heading(page, '372 properties');
    await until(page, `document.querySelectorAll('.cards .card').length === 100`);
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await heading(page, 'Huxley House, King Island');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/^\.\/\?property=/);
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(/^https:/);
    expect(await page.getByRole('link', { name: /^\+61 / }).getAttribute('href')).toMatch(/^tel:\+61\d+$/);
    await until(page, `document.querySelector('.plain-photo img').naturalWidth > 0`);
    expect(explorer.complaints).toEqual([]);
  });

  it('has no problem for axe: the start, the plain list, a list, a property, and a path without a file', async () => {
    for (const [name, path, title] of [
      ['plain-start', '', 'Property catalogue'],
      ['plain-list', 'properties.html', '372 properties'],
      ['plain-country', '?country=GR&page=2&size=1', '6 properties in Greece'],
      ['plain-property', `?property=${(await explorer.withPhotos()).id}`, /./],
      ['plain-lost', 'no/such', 'This page does not exist'],
    ] as const) {
      const url = `${explorer.url}/${path}`;
      const text = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
      // Axe itself is a script, so the page is shown as a browser without any reads it.
      const body = text.replaceAll(/<\/?noscript>|<script.*?<\/script>/g, '');
      const page = await explorer.visit('openapi.json');
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
      await page.goto(url);
      await heading(page, title);
      await findNothing(page, name);
    }
  });

  it('keeps what is for developers behind one link of each page (X6)', async () => {
    for (const query of ['', `?property=${(await explorer.withPhotos()).id}`]) {
      const page = await explorer.visit(query);
      await page.getByText('For developers', { exact: true }).waitFor();
      const link = page.getByRole('link', { name: /API|OpenAPI|Everything/ });
      expect(await link.count()).toBe(0);
      await page.getByText('For developers', { exact: true }).click();
      expect(await link.count()).toBe(4);
    }
  });
});
