/** The page of an editing session in Chromium: it loads anew by itself, and shows what is wrong. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findChromium, startChromium } from '../docs/chromium.ts';
import { createWorkspace } from '../pipeline/workspace.ts';

const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

async function startDev(
  content: string,
  out: string,
): Promise<{ url: string; child: ChildProcess; said: () => string }> {
  const args = [CLI, 'dev', '--content', content, '--out', out, '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk;
      const [found] = /http:\/\/127\.0\.0\.1:\d+(?=\/)/.exec(text) ?? [];
      if (found && text.includes('Ctrl+C')) resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
  return { url, child, said: () => text };
}

describe.skipIf(!findChromium() && process.env.CI !== 'true')('in Chromium', () => {
  it('a page loads anew after a save, and shows an error until it is mended', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ntargets: []\n');
    workspace.add(1);
    const { url, child, said } = await startDev(workspace.content, workspace.out);
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    await expect.poll(async () => (await fetch(`${url}/openapi.json`)).status, { timeout: 20_000 }).toBe(200);
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
    });
    let loads = 0;
    page.on('load', () => loads++);
    await page.goto(`${url}/problems.html`);
    await expect.poll(said).toContain('Fresh');

    const before = loads;
    workspace.add(1, { title: 'House 1b' });
    await expect.poll(() => loads, { timeout: 20_000 }).toBeGreaterThan(before);

    // What a title says is text, whatever it looks like.
    workspace.add(1, { title: '<img src=x onerror=alert(1)>', country: 'Ireland' });
    const alert = page.getByRole('alert').filter({ hasText: 'last good catalogue' });
    await alert.waitFor({ timeout: 20_000 });
    const text = await alert.innerText();
    expect(text).toContain('1 error');
    expect(text).toMatch(/house-1\.yaml:7:10\s+unknown-country/);
    expect(text).toContain('7 | country: "Ireland"');
    expect(text).toContain('Did you mean "IE" (Ireland)?');
    expect(said()).toMatch(/house-1\.yaml:7:10 {2}error unknown-country/);
    // Playwright runs this outside the page's policy; the page itself could not.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run('catalogue-errors'),
    );
    expect(violations).toEqual([]);
    const list = (await (await fetch(`${url}/api/v1/public/properties`)).json()) as {
      data: { title: string }[];
    };
    expect(list.data.map(({ title }) => title)).toEqual(['House 1b']);

    const broken = loads;
    workspace.add(1, { title: 'House 1c' });
    await expect.poll(() => loads, { timeout: 20_000 }).toBeGreaterThan(broken);
    await expect.poll(() => page.locator('catalogue-errors').count()).toBe(0);
    expect(complaints).toEqual([]);

    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  }, 600_000);
});
