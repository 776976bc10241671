/** The findings of axe on a page of the editor, and the sizes of the pages. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const RESULTS = fileURLToPath(new URL('../../test-results/editor/', import.meta.url));
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const SIZES = [
  ['at 1280 px', DESKTOP],
  ['at 390 px', PHONE],
] as const;
const NARROWEST = { width: 360, height: 740 };
/** Both widths have the same colours, so light is checked once. */
const LOOKS = [
  ['desktop', DESKTOP, 'light'],
  ['phone', NARROWEST, 'dark'],
  ['desktop', DESKTOP, 'dark'],
] as const;

/** The findings of axe at both widths, light and dark; screenshots are left. */
export async function findNothing(page: Page, name: string): Promise<void> {
  // Playwright runs this outside the policy of the page; the page itself could not.
  await page.evaluate(axe.source);
  for (const [width, size, colorScheme] of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(RESULTS, `${name}-${width}-${colorScheme}.png`) });
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(),
    );
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect(found, `${name}, ${width}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(size.width);
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}
