// Run with `npx tsx scripts/make-screenshots.ts`, after `npm run compile`. Needs Chromium.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import type { Page as ListPage } from '../src/contract/property.ts';
import { startServer } from '../src/serve/server.ts';
import { startChromium } from '../test/docs/chromium.ts';
import { startEditedCatalogue } from '../test/editor/edited-catalogue.ts';
import { buildCatalogue } from '../test/support/served-catalogue.ts';
import { temporaryFolder } from '../test/support/temporary.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMAGES = join(ROOT, 'docs/images');
/** Bytes. */
const LIMIT = 200_000;
/** The map is drawn and all pictures are loaded. */
const SETTLED = `document.querySelector('.map path.land') && document.querySelector('.map .pin')
  && !document.querySelector('.to-come') && [...document.images].every((image) => image.loading === 'lazy' || image.complete)`;

type Shot = {
  readonly name: string;
  readonly query: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly act?: (page: Page) => Promise<void>;
};

const folder = temporaryFolder();
await buildCatalogue(folder);
const server = await startServer({ root: join(folder, 'dist/public'), port: 0 });
const browser = await startChromium();
try {
  mkdirSync(IMAGES, { recursive: true });
  const list = await fetch(`${server.url}/api/v1/public/properties?filter[country]=GR`);
  const { data } = (await list.json()) as ListPage;
  const property = `?country=GR&property=${data.find(({ thumbnail }) => thumbnail)?.id}`;
  const desktop = { width: 1280, height: 800, colorScheme: 'light' } as const;
  const madrid = '?country=ES&city=Madrid';
  const shots: readonly Shot[] = [
    { name: 'explorer-home', query: '', ...desktop },
    { name: 'explorer-madrid', query: madrid, ...desktop, act: comeClosest },
    { name: 'explorer-list', query: '?country=IE&page=2', ...desktop },
    { name: 'explorer-property', query: property, width: 1280, height: 1000, colorScheme: 'light' },
    { name: 'explorer-phone', query: property, width: 390, height: 844, colorScheme: 'dark' },
  ];
  for (const shot of shots) await take(shot);
  await takeEditor();
} finally {
  await browser.close();
  await server.close();
}

/** Opens the largest cluster repeatedly until the map cannot zoom in. */
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
  // Polled: the page's policy forbids Playwright's `waitForFunction`.
  while (!(await page.evaluate(SETTLED))) await page.waitForTimeout(100);
  await act?.(page);
  await keep(page, name);
}

async function keep(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(300);
  const picture = await page.screenshot();
  await page.close();
  const compressed = await sharp(picture).webp({ quality: 84, effort: 6 }).toBuffer();
  if (compressed.length > LIMIT) throw new Error(`${name} has ${compressed.length} bytes.`);
  writeFileSync(join(IMAGES, `${name}.webp`), compressed);
  console.log(`docs/images/${name}.webp  ${compressed.length} bytes`);
}

async function takeEditor(): Promise<void> {
  const edited = await startEditedCatalogue();
  const path = 'properties/gr/central-athens-apartment.yaml';
  const open = async (query: string, ready: string): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(edited.address(query));
    await page.locator(ready).first().waitFor();
    return page;
  };
  const property = `?${new URLSearchParams({ property: path })}`;
  /** Otherwise the next page would offer the draft. */
  const discard = async () => {
    const page = await open(property, 'main section');
    for (const name of ['Discard', 'Discard it for good'])
      await page.getByRole('button', { name, exact: true }).click();
    await page.close();
  };
  try {
    await keep(await open(property, '.gallery img'), 'editor-property');
    const finding = await open(property, '.gallery img');
    const phone = finding.getByRole('textbox', { name: 'Phone (recommended)' });
    await phone.fill('0030 210 123 4567');
    await finding.locator('.findings button').waitFor();
    await finding.evaluate(`document.getElementById('field-phone').scrollIntoView({ block: 'center' })`);
    await keep(finding, 'editor-finding');
    await discard();
    const conflict = await open(property, '.gallery img');
    await conflict.getByRole('textbox', { name: 'Title' }).fill('Apartment in the centre of Athens');
    edited.write(path, edited.read(path).replace(/^title: .*$/m, 'title: Sunny apartment in Athens'));
    await conflict.getByRole('heading', { name: 'This property was saved meanwhile' }).waitFor();
    await keep(conflict, 'editor-conflict');
    await discard();
    const other = 'properties/gr/konta-sto-kentro.yaml';
    edited.write(other, edited.read(other).replace(/^state: .*$/m, 'state: Attica'));
    await keep(await open('?view=changes', '.changed-file'), 'editor-changes');
    await keep(await open('', '.property-row'), 'editor-list');
  } finally {
    await edited.close();
  }
}
