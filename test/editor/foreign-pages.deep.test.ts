/** What a page of another origin gets from the editor in Chromium, while the editor is open beside it: nothing. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { serveLoopback } from '../support/loopback.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';

const PATHS = ['', 'app.js', 'towns-IE.json', 'api/catalogue', 'api/properties', 'api/thumbnail?path=a'];

describe.skipIf(!findChromium() && process.env.CI !== 'true')('pages beside the editor', () => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let editor: Page;
  let foreign: string;

  beforeAll(async () => {
    [catalogue, browser] = await Promise.all([startEditedCatalogue(), startChromium()]);
    foreign = await serveLoopback((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>Foreign</title>');
    });
    editor = await browser.context.newPage();
    await editor.goto(catalogue.address());
    await editor.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await catalogue?.close();
  });

  it('keeps the token out of the address, the storage and the reach of scripts', async () => {
    const cookies = await browser.context.cookies(`${catalogue.url}/_edit/`);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/_edit/', expires: -1 });
    const token = cookies[0]!.value;
    expect(catalogue.address()).toContain(token);
    const page = await browser.context.newPage();
    await page.goto(`${catalogue.url}/`);
    for (const one of [editor, page]) {
      const known = await one.evaluate(
        'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }])',
      );
      expect(known).not.toContain(token);
    }
    // The catalogue's own requests go without it.
    expect(await browser.context.cookies(`${catalogue.url}/api/v1/public/properties`)).toEqual([]);
    await page.close();
  });

  it.each(['another port of the host', 'another host'])(
    '%s reads, changes and shows nothing',
    async (which) => {
      const page = await browser.context.newPage();
      await page.goto(which === 'another host' ? foreign.replace('127.0.0.1', 'localhost') : foreign);
      const statuses: number[] = [];
      page.on('response', (response) => {
        if (response.url().includes('/_edit/')) statuses.push(response.status());
      });
      const before = catalogue.git('status', '--porcelain');
      const got = await page.evaluate(
        async ([base, paths]) => {
          const outcomes: string[] = [];
          const loaded = (tag: string, url: string) =>
            new Promise<string>((resolve) => {
              const element = document.createElement(tag) as HTMLImageElement;
              element.onload = () => resolve(tag === 'iframe' ? '' : `${tag} ${url}`);
              element.onerror = () => resolve('');
              element.src = url;
              document.body.append(element);
            });
          for (const path of paths!) {
            const url = `${base}/_edit/${path}`;
            for (const mode of ['cors', 'no-cors'] as const)
              for (const method of ['GET', 'POST']) {
                const answer = await fetch(url, { mode, method, credentials: 'include' }).catch(
                  () => undefined,
                );
                if (answer?.ok || (await answer?.text())) outcomes.push(`${mode} ${url}`);
              }
            outcomes.push(await loaded('img', url), await loaded('script', url), await loaded('iframe', url));
          }
          return outcomes.filter((one) => one !== '');
        },
        [catalogue.url, PATHS] as [string, string[]],
      );
      expect(got).toEqual([]);
      expect(statuses.filter((status) => status < 400)).toEqual([]);
      // A link of it leads to the editor at most, with or without a wrong token.
      await page.evaluate(`document.body.innerHTML = '<a href="${catalogue.url}/_edit/#bogus">Here</a>'`);
      await page.getByRole('link', { name: 'Here' }).click();
      await page
        .getByRole('heading', { level: 1, name: /^(?:Properties|The editor cannot go on)$/ })
        .waitFor();
      expect(catalogue.git('status', '--porcelain')).toBe(before);
      await page.close();
    },
  );

  it('a browser without the cookie learns what to do, and enters with the address', async () => {
    const other = await startChromium();
    try {
      const page = await other.context.newPage();
      for (const hash of ['', '#bogus']) {
        await page.goto('about:blank');
        await page.goto(`${catalogue.url}/_edit/${hash}`);
        await page.getByText('Open the whole address').waitFor();
      }
      // The whole address, in the same tab.
      await page.goto(catalogue.address());
      await page.getByRole('heading', { level: 1, name: 'Properties' }).waitFor();
      expect(page.url()).toBe(`${catalogue.url}/_edit/`);
      await page.goto(catalogue.address('?view=changes'));
      await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
      expect(page.url()).toBe(`${catalogue.url}/_edit/?view=changes`);
    } finally {
      await other.close();
    }
  });
});
