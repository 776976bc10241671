/**
 * The explorer of the shipped catalogue in Chromium, for the tests of a file. Screenshots are left in
 * `test-results/`.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Page, Property, Summary } from '../../src/contract/property.ts';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';

export const PICTURES = fileURLToPath(new URL('../../test-results/explorer/', import.meta.url));
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const WIDTHS = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;

/** Whether the tests of the explorer are skipped: never in continuous integration. */
export const isPassedOver = !findChromium() && process.env.CI !== 'true';

export type Explorer = {
  /** Base URL of the catalogue, below a path. */
  readonly url: string;
  readonly context: BrowserContext;
  /** URLs that were requested since the last visit. */
  readonly requests: string[];
  /** Errors and warnings of the browser since the last visit. */
  readonly complaints: string[];
  /** Opens a view in a page of its own. */
  readonly visit: (query?: string, size?: typeof DESKTOP, at?: string) => Promise<BrowserPage>;
  /** Requests the list, or a property with a path after the list's. */
  readonly ask: <Body>(path: string) => Promise<Body>;
  /** A property with several photos. */
  readonly withPhotos: () => Promise<{ id: string; property: Property }>;
  /** Id of a property without photos. */
  readonly withoutPhotos: () => Promise<string>;
};

/** Starts both before the tests of a file, and ends them after. */
export async function useExplorer(): Promise<Explorer> {
  // Below a path, so that only relative links work.
  const catalogue = await serveCatalogue('', [], 'https://stays.example/some/where');
  const url = `${catalogue.url}/some/where`;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  const open: BrowserPage[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const ask: Explorer['ask'] = async (path) =>
    (await fetch(`${url}/api/v1/public/properties${path}`)).json() as Promise<never>;
  return {
    complaints,
    ask,
    url,
    get context() {
      return browser.context;
    },
    get requests() {
      return browser.requests;
    },
    async visit(query = '', size = DESKTOP, at = url) {
      for (const page of open.splice(0)) await page.close();
      complaints.length = 0;
      browser.requests.length = 0;
      const page = await browser.context.newPage();
      open.push(page);
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        complaints.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.setViewportSize(size);
      await page.goto(`${at}/${query}`);
      return page;
    },
    async withPhotos() {
      const { data } = await ask<Page>('?filter[country]=GR');
      const { id } = data.find(({ thumbnail }) => thumbnail) as Summary;
      return { id, property: await ask<Property>(`/${id}`) };
    },
    async withoutPhotos() {
      const { data } = await ask<Page>('?filter[country]=IE');
      return data.find(({ thumbnail }) => !thumbnail)!.id;
    },
  };
}

/** Waits for the heading of a view. */
export const heading = (page: BrowserPage, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Titles of the cards. */
export const titles = (page: BrowserPage) => page.locator('.cards h2').allTextContents();

/** Waits for a condition. The policy of the page forbids evaluation within it, so it is evaluated from outside. */
export const until = (page: BrowserPage, condition: string) =>
  expect.poll(() => page.evaluate(condition)).toBe(true);
