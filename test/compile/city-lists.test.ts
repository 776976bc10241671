/** The countries and the city lists of a release: their content, and when they are written again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CityList, Countries } from '../../src/contract/document-schemas.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const SETTINGS = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\nbulk: false\n';
const COUNTRIES = '_catalogue/countries.json';
const listKey = (country: string) => `_catalogue/countries/${country}.json`;

/** Countries with their cities, and the number of properties of each, from the page of everything. */
function published(workspace: Workspace): Record<string, Record<string, number>> {
  const found: Record<string, Record<string, number>> = {};
  const { data } = workspace.json('_catalogue/pages/-/-/25-1.json') as {
    data: { country: string; city: string }[];
  };
  for (const { country, city } of data) {
    found[country] ??= {};
    found[country][city] = (found[country][city] ?? 0) + 1;
  }
  return found;
}

/** The same, from the files; checks that the totals agree. */
function listed(workspace: Workspace): Record<string, Record<string, number>> {
  const { properties, countries } = workspace.json(COUNTRIES) as Countries;
  const found = countries.map((one) => {
    const { country, cities } = workspace.json(listKey(one.code)) as CityList;
    expect([country, cities.length]).toEqual([one.code, one.cities]);
    expect(cities.reduce((sum, city) => sum + city.properties, 0)).toBe(one.properties);
    return [country, Object.fromEntries(cities.map((city) => [city.name, city.properties]))];
  });
  expect(countries.reduce((sum, one) => sum + one.properties, 0)).toBe(properties);
  return Object.fromEntries(found);
}

const place = fc.constantFrom(
  { country: 'IE', city: 'Galway' },
  { country: 'IE', city: 'A "b" & {c}' },
  { country: 'FR', city: 'Galway' },
  { country: 'FR', city: 'Aÿ-Champagne' },
  { country: 'JP', city: '東京' },
);

describe('countries.json and the city lists', () => {
  it('agree with the list after any change, and a change of one property writes what has it', async () => {
    const first = fc.uniqueArray(fc.record({ n: fc.integer({ min: 2, max: 9 }), place }), {
      selector: ({ n }) => n,
      maxLength: 8,
    });
    const then = fc.array(fc.option(place), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(first, then, async (properties, edits) => {
        const workspace = createWorkspace();
        workspace.configure(SETTINGS);
        for (const { n, place } of properties) workspace.add(n, place);
        await workspace.build();
        for (const edit of edits) {
          const before = listed(workspace);
          const tree = workspace.tree();
          if (edit) workspace.add(1, edit);
          else if (existsSync(join(workspace.content, 'house-1.yaml'))) workspace.remove('house-1.yaml');
          await workspace.build();
          const after = listed(workspace);
          expect(after).toEqual(published(workspace));
          const now = workspace.tree();
          const differing = (key: string) => tree.get(key) !== now.get(key);
          const countries = [...new Set([...Object.keys(before), ...Object.keys(after)])];
          const isSame = (code: string) => JSON.stringify(before[code]) === JSON.stringify(after[code]);
          expect(countries.filter((code) => differing(listKey(code)))).toEqual(
            countries.filter((code) => !isSame(code)),
          );
          expect([...now.keys()].filter((key) => key.startsWith('_catalogue/countries/')).sort()).toEqual(
            Object.keys(after).map(listKey).sort(),
          );
        }
      }),
      { numRuns: 6 },
    );
  });

  it('are two small documents where the number of properties of one city differs', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    for (let n = 1; n <= 40; n++)
      workspace.add(n, { country: n % 2 === 0 ? 'IE' : 'FR', city: `City ${'x'.repeat(40)} ${n}` });
    await workspace.build();
    const before = workspace.tree();
    workspace.add(41, { country: 'FR', city: `City ${'x'.repeat(40)} 1`, title: 'One more' });
    await workspace.build();
    const after = workspace.tree();
    const made = [...after.keys()].filter(
      (key) => key.startsWith('_catalogue/countries') && before.get(key) !== after.get(key),
    );
    expect(made).toEqual([COUNTRIES, listKey('FR')]);
    expect(after.get(COUNTRIES)).not.toContain('City');
    expect(after.get(listKey('FR'))).toContain(' 1"');
    expect(after.get(listKey('FR'))).not.toContain(' 2"');
  });

  it('leave nothing behind of a country that has gone', async () => {
    const workspace = createWorkspace();
    workspace.configure(SETTINGS);
    workspace.add(1);
    workspace.add(2, { country: 'FR', city: 'Paris' });
    await workspace.build();
    workspace.remove('house-2.yaml');
    const { counts } = await workspace.build();
    expect(existsSync(join(workspace.public, listKey('FR')))).toBe(false);
    expect(counts?.files).toBe(workspace.tree().size);
  });
});
