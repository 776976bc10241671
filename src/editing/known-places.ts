/** What a catalogue has already, to offer it for one more property. */
import { resolve } from 'node:path';
import { ifThere } from '../folder.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { readQuickly } from '../source/simple-yaml.ts';
import { readSourceText } from './property-source.ts';

/** Cities and currencies in use, the commonest first. */
export type KnownPlaces = {
  readonly citiesOf: (country: string) => string[];
  readonly currencyOf: (country: string) => string | undefined;
};

/** Reads them from a content folder, from the files that can be read at a glance. None, where there is no folder. */
export function readKnownPlaces(content: string): KnownPlaces {
  const root = resolve(content);
  const cities = createNameCounts();
  const currencies = createNameCounts();
  for (const file of ifThere(() => findSourceFiles(root).files) ?? []) {
    const source = readSourceText(root, file);
    const value = 'text' in source ? readQuickly(source.text) : undefined;
    const { country, city, currency } = (value ?? {}) as Record<string, unknown>;
    if (typeof country !== 'string') continue;
    if (typeof city === 'string') cities.add(country, city);
    if (typeof currency === 'string') currencies.add(country, currency);
  }
  return { citiesOf: cities.of, currencyOf: (country) => currencies.of(country)[0] };
}

/** Names, by country and by how often they were added. */
export function createNameCounts() {
  const counts = new Map<string, Map<string, number>>();
  return {
    add(country: string, name: string) {
      const names = counts.get(country) ?? new Map<string, number>();
      counts.set(country, names.set(name, (names.get(name) ?? 0) + 1));
    },
    countries: () => [...counts.keys()],
    /** Those of a country, the commonest first. */
    of: (country: string) =>
      [...(counts.get(country) ?? [])]
        .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
        .map(([name]) => name),
  };
}
