/** How much a page moves while it loads in Chromium on a slow connection (Cumulative Layout Shift). */
import type { Page } from 'playwright-core';

const SLOW = { offline: false, latency: 150, downloadThroughput: 400_000, uploadThroughput: 100_000 };

/** The sum of all shifts so far; the browser has kept them. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 500);
})`;

export async function layoutShift(page: Page, url: string, isWhole: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', SLOW);
  // An address that differs in its fragment alone loads nothing.
  await page.goto('about:blank');
  await page.goto(url);
  await isWhole();
  await page.waitForTimeout(1500);
  return Number(await page.evaluate(SHIFT));
}
