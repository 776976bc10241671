import { expect, it } from 'vitest';
import type { ContentDiff } from '../../src/diff/diff.ts';
import { markdownContentDiff } from '../../src/report/diff-markdown.ts';
import { idOf } from '../compile/workspace.ts';

const named = (number: number, title = `House ${number}`) => ({
  id: idOf(number),
  title,
  city: 'Cork',
  country: 'IE',
  path: `properties/${number}.yaml`,
});

const review = (more: Partial<ContentDiff>): string =>
  markdownContentDiff(
    {
      base: 'HEAD',
      added: [],
      removed: [],
      hidden: [],
      shown: [],
      changed: [],
      settings: [],
      files: { written: { details: 0, pages: 0, totals: 0, photos: 0 }, removed: 0 },
      releases: { before: null, after: null },
      incomparable: [],
      ...more,
    },
    { prefix: '' },
  );

it('shows what stands behind an item that is too long', () => {
  const change = { field: 'description', label: 'Description', before: 'x'.repeat(70_000), after: 'short' };
  const text = review({
    changed: [
      { ...named(1), changes: [change] },
      { ...named(2), changes: [] },
    ],
  });
  expect(text).toContain('- **Changed** `House 2`');
  expect(text).toContain('- and 1 more');
  expect(text.length).toBeLessThan(60_000);
});

it.each([
  ['Price from', 'Price from'],
  ['Größe (m)', 'Größe (m)'],
  ['@everyone', '`@everyone`'],
  ['[here](https://evil.example)', '`[here](https://evil.example)`'],
  ['www.evil.example', '`www.evil.example`'],
  ['<img src=x>', '`<img src=x>`'],
  ['- list', '`- list`'],
])('gives the label %s of a declared field no effect', (label, shown) => {
  const text = review({
    changed: [{ ...named(1), changes: [{ field: 'price_from', label, before: undefined, after: '1' }] }],
    declaration: [{ label, before: undefined, after: 'price_from' }],
  });
  expect(text).toContain(`\n  - ${shown} added: \`1\``);
  expect(text).toContain(`New field in all properties: ${shown}.`);
});
