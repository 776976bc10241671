/** Chromium, when it is installed, with a fresh profile and no network but the loopback interface. */
import { existsSync } from 'node:fs';
import { type BrowserContext, chromium } from 'playwright-core';
import { missingPrograms } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Path of Chromium; undefined when this machine has none. */
export function findChromium(): string | undefined {
  const paths = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  return paths.find((path) => path && existsSync(path));
}

// The importing tests need it.
if (!findChromium()) await missingPrograms([{ program: '/usr/bin/chromium', package: 'chromium' }]);

/** Starts Chromium, and records every request of every page. */
export async function startChromium(more: readonly string[] = []): Promise<{
  context: BrowserContext;
  requests: string[];
  close: () => Promise<void>;
}> {
  const profile = temporaryFolder();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium() as string,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', ...more],
    viewport: { width: 1200, height: 900 },
  });
  context.setDefaultTimeout(120_000);
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  return {
    context,
    requests,
    close: () => context.close(),
  };
}

/**
 * Lets a test that routes requests of an open page see the very next one: Chromium turns interception on in the page's process after
 * `page.route()` has returned, unless it was on when the page was opened.
 */
export const interceptFromStart = (context: BrowserContext): Promise<unknown> =>
  context.route('**/never-requested', (route) => route.abort());
