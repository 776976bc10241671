import { resolve } from 'node:path';
import { undefinedIfMissing } from '../files/files-and-folders.ts';
import { findPropertyFiles } from '../source/find-property-files.ts';
import { readYamlQuickly } from '../source/simple-yaml.ts';
import { readSourceText } from './read-and-replace.ts';

/** Most frequent currency of the country's properties. Files that `readYamlQuickly` cannot read do not count. */
export function usualCurrency(content: string, country: string): string | undefined {
  const root = resolve(content);
  const currencies = createCountsByCountry();
  for (const file of undefinedIfMissing(() => findPropertyFiles(root).files) ?? []) {
    const source = readSourceText(root, file);
    const value = Object('text' in source ? readYamlQuickly(source.text) : undefined) as Record<
      string,
      unknown
    >;
    if (value.country === country && typeof value.currency === 'string')
      currencies.add(country, value.currency);
  }
  return currencies.of(country)[0];
}

export function createCountsByCountry() {
  const counts = new Map<string, Map<string, number>>();
  return {
    add(country: string, name: string) {
      const names = counts.get(country) ?? new Map<string, number>();
      counts.set(country, names.set(name, (names.get(name) ?? 0) + 1));
    },
    countries: () => [...counts.keys()],
    of: (country: string) =>
      [...(counts.get(country) ?? [])]
        .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
        .map(([name]) => name),
  };
}
