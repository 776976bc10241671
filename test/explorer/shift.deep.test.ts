/** How much the explorer's pages move while they load, in Chromium on a slow connection (Cumulative Layout Shift). */
import { describe, expect, it } from 'vitest';
import { heading, isPassedOver, useExplorer, WIDTHS } from './use-explorer.ts';

/** The sum of all shifts so far; the browser has kept them. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 500);
})`;

describe.skipIf(isPassedOver)('the explorer while it loads', async () => {
  const explorer = await useExplorer();

  it.each(WIDTHS)('%s: pages of properties shift by at most 0.02 (D)', async (name, size) => {
    const { id, property } = await explorer.withPhotos();
    const bare = await explorer.withoutPhotos();
    for (const [query, title] of [
      [`?property=${id}`, property.title],
      [`?property=${bare}`, /./],
      ['?country=GR', /Greece/],
    ] as const) {
      const page = await explorer.visit('openapi.json', size);
      const devtools = await page.context().newCDPSession(page);
      const slow = { offline: false, latency: 150, downloadThroughput: 400_000, uploadThroughput: 100_000 };
      await devtools.send('Network.emulateNetworkConditions', slow);
      await page.goto(`${explorer.url}/${query}`);
      await heading(page, title);
      if (query.includes('property')) await page.locator('.map .pin').waitFor();
      await page.waitForTimeout(1500);
      const shift = Number(await page.evaluate(SHIFT));
      if (process.env.SHOW_SHIFT) console.log(name, query, shift.toFixed(4));
      expect(shift, query).toBeLessThanOrEqual(0.02);
    }
  });
});
