import { slugOf } from './slug.ts';

/** Where a property's file goes. */
export interface FileName {
  /** Relative to the content folder. */
  path: string;
  /** The path's own part, usable as a host name too. */
  slug: string;
}

/**
 * A path `properties/<country>/<slug>.yaml` for each property, by id. The slug is that of the title; properties of a
 * country that share it add their city, and if they share that too, the first eight digits of their id.
 */
export function propertyPaths(
  properties: readonly { id: string; title: string; city: string; country: string }[],
): ReadonlyMap<string, FileName> {
  const names = new Map<string, FileName>();
  let left = properties;
  const candidates: readonly ((property: (typeof properties)[number]) => string)[] = [
    ({ title }) => slugOf(title),
    ({ title, city }) => (slugOf(title) && slugOf(city, 20) ? `${slugOf(title)}-${slugOf(city, 20)}` : ''),
    ({ id, title }) => `${slugOf(title) || 'property'}-${id.slice(0, 8)}`,
  ];
  const taken = new Set<string>();
  for (const slugFor of candidates) {
    const named = left.map((property) => {
      const slug = slugFor(property);
      return { property, slug, path: `properties/${property.country.toLowerCase()}/${slug}.yaml` };
    });
    const uses = new Map<string, number>();
    for (const { path } of named) uses.set(path, (uses.get(path) ?? 0) + 1);
    const unique = named.filter(({ path, slug }) => slug !== '' && uses.get(path) === 1 && !taken.has(path));
    for (const { property, path, slug } of unique) names.set(property.id, { path, slug });
    for (const { path } of named) taken.add(path);
    left = left.filter(({ id }) => !names.has(id));
  }
  if (left.length > 0) throw new Error(`No file name for ${left.map(({ id }) => id).join(', ')}`);
  return names;
}
