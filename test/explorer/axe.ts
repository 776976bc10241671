/** The findings of axe on a page of the explorer. */
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { PICTURES, WIDTHS } from './use-explorer.ts';

/** Checks a page with axe at both widths, light and dark, and leaves screenshots. */
export async function findNothing(page: Page, name: string, act = async (_width: string) => {}) {
  for (const [width, size] of WIDTHS) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await act(width);
      await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
      const { violations } = (await page.evaluate(`${axe.source}\naxe.run()`)) as {
        violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
      };
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
      expect(found, `${name}, ${width}, ${colorScheme}`).toEqual([]);
    }
  }
}
