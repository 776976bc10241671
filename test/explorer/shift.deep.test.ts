import { describe, expect, it } from 'vitest';
import { layoutShift } from '../support/layout-shift.ts';
import { heading, isPassedOver, useExplorer, WIDTHS } from './use-explorer.ts';

describe.skipIf(isPassedOver)('the explorer while it loads', async () => {
  const explorer = await useExplorer();

  it.each(WIDTHS)('%s: pages of properties shift by at most 0.02 (D)', async (_name, size) => {
    const { id, property } = await explorer.withPhotos();
    const bare = await explorer.withoutPhotos();
    for (const [query, title] of [
      [`?property=${id}`, property.title],
      [`?property=${bare}`, /./],
      ['?country=GR', /Greece/],
    ] as const) {
      const page = await explorer.visit('openapi.json', size);
      const shift = await layoutShift(page, `${explorer.url}/${query}`, async () => {
        await heading(page, title);
        if (query.includes('property')) await page.locator('.map .pin').waitFor();
      });
      expect(shift, query).toBeLessThanOrEqual(0.02);
    }
  });
});
