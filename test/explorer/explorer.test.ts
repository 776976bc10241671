/** The explorer as a whole: what axe finds in its views, and the catalogue that asks for a key. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serveCatalogue } from '../served-catalogue.ts';
import { DESKTOP, heading, isPassedOver, PICTURES, useExplorer, WIDTHS } from './use-explorer.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(isPassedOver)('the explorer', () => {
  const explorer = useExplorer();

  const STATES = [
    ['list', async () => '?country=GR', '.pin'],
    ['property', async () => `?property=${(await explorer.withPhotos()).id}`, '.map .pin'],
    ['nothing', async () => '?city=Atlantis', '.notice'],
    ['error', async () => '?country=Ireland', '[role=alert]'],
  ] as const;

  it.each(STATES)('axe finds nothing on: %s', async (name, queryOf, ready) => {
    const page = await explorer.visit(await queryOf());
    await page.locator(ready).first().waitFor();
    for (const [width, size] of WIDTHS) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
        const { violations } = (await page.evaluate(`${AXE}\naxe.run()`)) as {
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        };
        const found = violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        );
        expect(found, `${name}, ${width}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  it('asks for the key of a catalogue that wants one, and keeps it in the tab', async () => {
    const key = 'correct horse';
    const digest = createHash('sha256').update(key).digest('hex');
    const guarded = await serveCatalogue(`api_keys:\n  - ${digest}\n`, [digest]);
    try {
      const page = await explorer.visit('?country=GR', DESKTOP, guarded.url);
      await page.getByLabel('API key').fill('wrong');
      await page.getByRole('button', { name: 'Use this key' }).click();
      await page.getByRole('alert').getByRole('heading', { name: 'Invalid API key' }).waitFor();
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
      await heading(page, /properties in Greece/);
      await page.reload();
      await heading(page, /properties in Greece/);
      await page.getByRole('button', { name: /^\d+ requests?$/ }).click();
      expect(await page.getByRole('dialog').textContent()).toContain('X-API-KEY: $API_KEY');
      expect(await page.content()).not.toContain(key);
    } finally {
      await guarded.close();
    }
  });
});
