/** A disk that is full while one works, by keyboard alone in Chromium: no file is half written, and nothing is lost. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { findNothing, RESULTS, SIZES } from './axe.ts';
import { type EditedCatalogue, startEditedCatalogue } from './edited-catalogue.ts';

/** The folder that takes no more bytes; empty while there is room. */
const disk = vi.hoisted(() => ({ full: '' }));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    writeFileSync(file: Parameters<typeof fs.writeFileSync>[0], bytes: Buffer | string, ...rest: []) {
      const isFull =
        disk.full !== '' &&
        typeof file === 'number' &&
        fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(disk.full);
      if (!isFull) return fs.writeFileSync(file, bytes, ...rest);
      fs.writeSync(file, Buffer.from(bytes).subarray(0, 10));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
});

describe.skipIf(!findChromium() && process.env.CI !== 'true').each(SIZES)('a full disk, %s,', (_, size) => {
  let catalogue: EditedCatalogue;
  let browser: Awaited<ReturnType<typeof startChromium>>;
  let page: Page;

  beforeAll(async () => {
    mkdirSync(RESULTS, { recursive: true });
    [catalogue, browser] = await Promise.all([startEditedCatalogue(), startChromium()]);
    page = await browser.context.newPage();
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(size);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
    await page.goto(catalogue.address());
  });
  afterAll(async () => {
    disk.full = '';
    await browser?.close();
    await catalogue?.close();
  });
  const { press, type } = keyboardOf(() => page);
  const files = () =>
    readdirSync(catalogue.content, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(catalogue.content, name)).isFile())
      .sort();
  const isSaved = () => page.locator('.edit-state').getByText('All changes are saved').waitFor();
  const shown = () => new URL(page.url()).searchParams.get('property') ?? '';
  /** On the full disk an act is refused in words and leaves the files as they were. */
  async function refused(act: () => Promise<void>): Promise<void> {
    const before = files();
    disk.full = catalogue.content;
    await act();
    await page
      .getByRole('alert')
      .getByText(/the disk is full/)
      .waitFor();
    expect(files()).toEqual(before);
    if (size.width > 1000) await findNothing(page, 'full-disk');
    disk.full = '';
  }

  it('takes neither a new property, a copy, another name nor one that is restored, until there is room (C3)', async () => {
    await press('New property');
    await type('Title', 'Harbour rooms');
    await type('Country', 'Ireland');
    await page.keyboard.press('Enter');
    await type('City', 'Galway');
    await type('Place on the map', '53.27, -9.05');
    await refused(() => page.keyboard.press('Control+s'));
    await page.keyboard.press('Control+s');
    await isSaved();
    expect(parse(catalogue.read(shown()))).toMatchObject({ title: 'Harbour rooms', latitude: 53.27 });

    const first = shown();
    await press('Copy');
    await refused(() => press('Make a copy'));
    await press('Make a copy');
    await page.getByRole('heading', { level: 1, name: 'Harbour rooms (copy)' }).waitFor();
    expect(shown()).not.toBe(first);

    await type('Title', 'Mill rooms');
    await page.keyboard.press('Control+s');
    await isSaved();
    const copy = shown();
    const text = catalogue.read(copy);
    await refused(async () => {
      await press('Rename the file');
      await press('Rename');
    });
    expect(catalogue.read(copy)).toBe(text);
    await press('Rename the file');
    await press('Rename');
    await expect.poll(shown).not.toBe(copy);
    const renamed = shown();
    expect(catalogue.read(renamed)).toBe(text);

    await press('Remove');
    await press('Remove it');
    await page.getByText('Mill rooms is removed.').first().waitFor();
    await refused(() => press('Undo'));
    await press('Undo');
    await page.getByRole('heading', { level: 1, name: 'Mill rooms' }).waitFor();
    expect(catalogue.read(renamed)).toBe(text);
    expect(files().filter((name) => statSync(join(catalogue.content, name)).size === 0)).toEqual([]);
  });
});
