/**
 * The explorer in an editing session, in Chromium: it reloads by itself, and shows errors. Screenshots
 * are left in `test-results/`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorkspace, idOf, sound, yaml } from '../../compile/workspace.ts';
import { findChromium, startChromium } from '../../docs/chromium.ts';
import { startDev } from '../dev-process.ts';

const PICTURES = fileURLToPath(new URL('../../../test-results/dev/', import.meta.url));

/** A session of three properties, and a page of it. */
async function startSession(configuration = 'page_sizes: [25]\ntargets: []\n') {
  const workspace = createWorkspace();
  workspace.configure(configuration);
  for (const n of [1, 2, 3]) workspace.add(n);
  const dev = await startDev(workspace.root);
  await expect.poll(dev.said).toContain('Updated');
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await browser.context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A page that is about to load again may ask for objects of the release that a build has just replaced.
    const isReplaced = /\/_catalogue\/(?:chunks|facets|roots)\//.test(message.location().url);
    if (isReplaced && message.text().includes('404')) return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  let loads = 0;
  page.on('load', () => loads++);
  return { ...dev, workspace, context: browser.context, page, complaints, loads: () => loads };
}

const titles = (page: Page) => page.locator('.cards h2').allTextContents();
const shows = (page: Page, expected: string[]) => expect.poll(() => titles(page)).toEqual(expected);

describe.skipIf(!findChromium() && process.env.CI !== 'true')('in Chromium', () => {
  it.each([
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ] as const)(
    '%s: the explorer reloads after a save, and shows an error until it is repaired',
    async (name, size) => {
      mkdirSync(PICTURES, { recursive: true });
      const { url, child, said, workspace, page, complaints, loads } = await startSession();
      await page.setViewportSize(size);
      await page.goto(`${url}/`);
      await shows(page, ['House 1', 'House 2', 'House 3']);

      let before = loads();
      workspace.add(1, { title: 'House 1b' });
      await shows(page, ['House 1b', 'House 2', 'House 3']);
      expect(loads()).toBeGreaterThan(before);

      before = loads();
      // A title is shown as text, whatever it contains.
      const broken = sound(1, { title: '<img src=x onerror=alert(1)>', country: 'Ireland' });
      workspace.write('house-1.yaml', yaml(broken));
      const alert = page.getByRole('alert').filter({ hasText: 'not shown until fixed' });
      await alert.waitFor();
      const text = await alert.innerText();
      expect(text).toContain('1 error');
      expect(text).toMatch(/house-1\.yaml:7:10\s+unknown-country/);
      expect(text).toContain('7 | country: "Ireland"');
      expect(text).toContain('Did you mean "IE" (Ireland)?');
      expect(said()).toMatch(/house-1\.yaml:7:10 {2}error unknown-country/);
      await shows(page, ['House 2', 'House 3']);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
      // Playwright runs this outside the policy of the page; the page itself could not.
      await page.evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
        // axe checks it within the page: two parts without problems may have one together.
        const { violations } = await page.evaluate(() =>
          (globalThis as unknown as { axe: typeof axe }).axe.run(),
        );
        expect(violations, `${name}, ${colorScheme}`).toEqual([]);
      }
      // It is small: the page stays in view (E14).
      const box = (await alert.boundingBox())!;
      expect((box.width * box.height) / (size.width * size.height)).toBeLessThan(
        name === 'phone' ? 0.45 : 0.16,
      );
      await alert.getByRole('button', { name: 'Hide' }).click();
      await alert.waitFor({ state: 'detached' });
      const count = page.getByRole('button', { name: '1 error' });
      expect(await count.getAttribute('aria-expanded')).toBe('false');
      await count.click();
      await alert.waitFor();
      await count.click();
      await alert.waitFor({ state: 'detached' });
      before = loads();
      workspace.add(1, { title: 'House 1c' });
      await shows(page, ['House 1c', 'House 2', 'House 3']);
      expect(loads()).toBeGreaterThan(before);
      expect(await page.locator('catalogue-errors').count()).toBe(0);
      expect(complaints).toEqual([]);

      const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
      child.kill('SIGINT');
      expect(await ended).toBe(0);
    },
    600_000,
  );

  it('counts warnings in the page, and opens them on request (E14)', async () => {
    const { url, workspace, page, complaints, said } = await startSession();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${url}/`);
    workspace.add(1, { title: 'House 1b', email: undefined });
    await shows(page, ['House 1b', 'House 2', 'House 3']);
    const count = page.getByRole('button', { name: '1 warning' });
    await count.waitFor();
    expect(await page.locator('catalogue-errors').getByText('no e-mail').count()).toBe(0);
    workspace.add(3, { draft: 'true' });
    const badge = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '::before').content`);
    await expect.poll(() => badge(`#property-${idOf(3)}`)).toContain('Draft');
    expect(await badge(`#property-${idOf(2)}`)).toBe('none');
    await page.getByText('Drafts are shown to you only: guests do not see them.').waitFor();
    await page.locator(`#property-${idOf(3)}`).click();
    await page.getByRole('heading', { level: 1, name: 'House 3' }).waitFor();
    expect(await badge('.property h1')).toContain('Draft');
    await page.getByText('A draft: guests do not see it.').waitFor();
    await page.goBack();
    await count.click();
    const panel = page.getByRole('region', { name: '1 warning' });
    expect(await panel.innerText()).toMatch(/house-1\.yaml:1:1\s+missing-email[\s\S]*1 \| id: "0000/);
    await page.evaluate(axe.source);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(PICTURES, `warnings-${colorScheme}.png`) });
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(),
      );
      expect(violations, colorScheme).toEqual([]);
    }
    // A panel of the same findings is not made again: it would lose its focus and how far it was scrolled.
    const made = await panel.elementHandle();
    const stated = page.waitForResponse('**/_dev/events');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await stated;
    await page.waitForTimeout(200);
    expect(await made!.evaluate((element) => element.isConnected)).toBe(true);
    // It stays open while the page reloads again and again.
    workspace.add(2, { title: 'House 2b' });
    await shows(page, ['House 1b', 'House 2b', 'House 3']);
    await panel.waitFor();
    workspace.add(1, { title: 'House 1c' });
    await shows(page, ['House 1c', 'House 2b', 'House 3']);
    await expect.poll(() => page.locator('catalogue-errors').count()).toBe(0);
    expect(said()).toContain('Fixed: content/house-1.yaml  missing-email\n');
    expect(said().match(/warning missing-email/g)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('reloads after a save that came before the page could listen', async () => {
    const { url, said, workspace, page } = await startSession();
    // The page has its list, and requests the events only after the save was shown.
    let listen = () => {};
    const saved = new Promise<void>((resolve) => {
      listen = resolve;
    });
    await page.route('**/_dev/events', async (route) => {
      await saved;
      await route.continue();
    });
    await page.goto(`${url}/`);
    await shows(page, ['House 1', 'House 2', 'House 3']);
    workspace.add(2, { title: 'House 2b' });
    await expect.poll(() => said().split('Updated').length).toBeGreaterThan(2);
    listen();
    await shows(page, ['House 1', 'House 2b', 'House 3']);
  });

  it('reloads in any number of tabs, and in a hidden one when it is shown', async () => {
    const { url, workspace, page, context } = await startSession();
    // The effect of switching to another tab; without a window no tab is hidden.
    const turn = (tab: Page, hidden: boolean) =>
      tab.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    // A browser has six connections to a server, for all tabs together (HTTP/1.1).
    const tabs = [page];
    while (tabs.length < 6) tabs.push(await context.newPage());
    for (const tab of tabs) {
      await tab.goto(`${url}/`);
      await shows(tab, ['House 1', 'House 2', 'House 3']);
      await turn(tab, true);
    }
    const last = await context.newPage();
    await last.goto(`${url}/`);
    await shows(last, ['House 1', 'House 2', 'House 3']);
    workspace.add(2, { title: 'House 2b' });
    await shows(last, ['House 1', 'House 2b', 'House 3']);
    expect(await titles(page)).toEqual(['House 1', 'House 2', 'House 3']);
    await turn(page, false);
    await shows(page, ['House 1', 'House 2b', 'House 3']);
  });
});

it.skipIf(process.platform !== 'linux')(
  'opens the browser on request, and writes the catalogue of another day apart (E14)',
  async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ntargets: []\n');
    workspace.add(1);
    const seen = join(workspace.root, 'seen');
    const browser = join(workspace.root, 'browser.sh');
    writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${seen}'\n`, { mode: 0o755 });
    const { url, said } = await startDev(workspace.root, ['--open', '--edit', '--as-of', '2027-07-01'], {
      BROWSER: browser,
      DISPLAY: ':0',
      // The places where desktops name their browser: empty.
      HOME: workspace.root,
      ...Object.fromEntries(
        ['DATA_DIRS', 'DATA_HOME', 'CONFIG_DIRS', 'CONFIG_HOME'].map((name) => [
          `XDG_${name}`,
          workspace.root,
        ]),
      ),
    });
    const opened = () => (existsSync(seen) ? readFileSync(seen, 'utf8').split('\n').sort() : []);
    await expect.poll(opened).toHaveLength(3);
    const [, editor] = /Edit properties at\n {2}(\S+)/.exec(said()) ?? [];
    expect(editor).toMatch(/\/_edit\/#[\w-]{32}$/);
    const [, opener, catalogue] = opened();
    expect(catalogue).toBe(`${url}/`);
    expect(readFileSync(opener!, 'utf8')).toContain(`content="0;url=${editor}"`);
    // A publish would send neither the catalogue of another day nor a draft.
    await expect.poll(said).toContain('Updated');
    expect(said()).toContain('It is the catalogue as of 2027-07-01T00:00:00.000Z.\n');
    expect([existsSync(join(workspace.out, 'dev/public')), existsSync(workspace.public)]).toEqual([
      true,
      false,
    ]);
  },
);
