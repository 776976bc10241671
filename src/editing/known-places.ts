/** What a catalogue has already, to offer it for one more property. */
import { resolve } from 'node:path';
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
  const cities = new Map<string, Map<string, number>>();
  const currencies = new Map<string, Map<string, number>>();
  for (const file of filesOf(root)) {
    const source = readSourceText(root, file);
    const value = 'text' in source ? readQuickly(source.text) : undefined;
    const { country, city, currency } = (value ?? {}) as Record<string, unknown>;
    if (typeof country !== 'string') continue;
    if (typeof city === 'string') count(cities, country, city);
    if (typeof currency === 'string') count(currencies, country, currency);
  }
  const sorted = (counts: Map<string, number> | undefined) =>
    [...(counts ?? [])].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  return {
    citiesOf: (country) => sorted(cities.get(country)),
    currencyOf: (country) => sorted(currencies.get(country))[0],
  };
}

function filesOf(content: string) {
  try {
    return findSourceFiles(content).files;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function count(counts: Map<string, Map<string, number>>, country: string, name: string): void {
  const names = counts.get(country) ?? new Map<string, number>();
  counts.set(country, names.set(name, (names.get(name) ?? 0) + 1));
}
