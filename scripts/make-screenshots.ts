/**
 * Takes the pictures of the explorer that the README shows, from the catalogue in `content/`, into `docs/images/`.
 * Needs Chromium, and `npm run compile` before it.
 *
 *     npx tsx scripts/make-screenshots.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Page as ListPage } from '../src/contract/property.ts';
import { startChromium } from '../test/docs/chromium.ts';
import { serveCatalogue } from '../test/served-catalogue.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');
/** Largest picture, in bytes. */
const LIMIT = 200_000;
/** Nothing moves any more, and every picture is there. */
const SETTLED = `document.querySelector('.map path.land') && document.querySelector('.map .pin')
  && !document.querySelector('.to-come') && [...document.images].every((image) => image.loading === 'lazy' || image.complete)`;

type Shot = {
  readonly name: string;
  /** Query of the page. */
  readonly query: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
};

// One of its properties has no photos.
const server = await serveCatalogue();
const browser = await startChromium();
try {
  mkdirSync(IMAGES, { recursive: true });
  const list = await fetch(`${server.url}/api/v1/public/properties?filter[country]=GR`);
  const { data } = (await list.json()) as ListPage;
  const property = `?country=GR&property=${data.find(({ thumbnail }) => thumbnail)?.id}`;
  const irish = await fetch(`${server.url}/api/v1/public/properties?filter[country]=IE`);
  const bare = ((await irish.json()) as ListPage).data.find(({ thumbnail }) => !thumbnail)?.id;
  const desktop = { width: 1280, height: 800, colorScheme: 'light' } as const;
  const madrid = '?country=ES&city=Madrid';
  const shots: readonly Shot[] = [
    { name: 'explorer-home', query: '', ...desktop },
    { name: 'explorer-madrid', query: madrid, ...desktop, act: comeClosest },
    { name: 'explorer-bare', query: `?country=IE&property=${bare}`, ...desktop },
    { name: 'explorer-list', query: '?country=IE&page=2', ...desktop },
    { name: 'explorer-property', query: property, width: 1280, height: 1000, colorScheme: 'light' },
    { name: 'explorer-phone', query: property, width: 390, height: 844, colorScheme: 'dark' },
  ];
  for (const shot of shots) await take(shot);
} finally {
  await browser.close();
  await server.close();
}

/** Opens the largest group, then comes as close as the map can. */
async function comeClosest(page: Page): Promise<void> {
  for (let step = 0; step < 12; step++) {
    await page.evaluate(`(() => {
      const groups = [...document.querySelectorAll('.pin.cluster')];
      groups.sort((one, other) => Number(other.textContent) - Number(one.textContent))[0]?.click();
    })()`);
    await page.waitForTimeout(200);
  }
}

async function take({ name, query, width, height, colorScheme, act }: Shot): Promise<void> {
  const page: Page = await browser.context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(`${server.url}/${query}`);
  // The policy of the page forbids to evaluate within it, so it is asked from outside.
  while (!(await page.evaluate(SETTLED))) await page.waitForTimeout(100);
  await act?.(page);
  await page.waitForTimeout(300);
  const picture = await page.screenshot();
  await page.close();
  const compressed = await sharp(picture).webp({ quality: 84, effort: 6 }).toBuffer();
  if (compressed.length > LIMIT) throw new Error(`${name} has ${compressed.length} bytes.`);
  writeFileSync(join(IMAGES, `${name}.webp`), compressed);
  console.log(`docs/images/${name}.webp  ${compressed.length} bytes`);
}
