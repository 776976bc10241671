/** Names property files: `properties/<country>/<slug>.yaml`. */
import { slugOf } from './slug.ts';

/** Fields of a property that its file name is made from. */
export type NameSource = {
  readonly id: string;
  readonly title: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string;
};

export type FileName = {
  /** Relative to the content folder. */
  readonly path: string;
  /** Last part of the path, without extension; usable in a host name too. */
  readonly slug: string;
};

/**
 * Candidate slugs of a property, in order of preference: title; title and city; title and the first digits of the id.
 */
const CANDIDATES: readonly ((property: NameSource) => string)[] = [
  ({ title }) => slugOf(title),
  ({ title, city }) => {
    const [name, place] = [slugOf(title), slugOf(city, 20)];
    return name && place ? `${name}-${place}` : '';
  },
  ({ id, title }) => `${slugOf(title) || 'property'}-${id.slice(0, 8)}`,
];

/** Assigns each property a path, by id: its first candidate that no other property of the country has. */
export function propertyPaths(properties: readonly NameSource[]): ReadonlyMap<string, FileName> {
  const names = new Map<string, FileName>();
  let left = properties;
  const taken = new Set<string>();
  for (const slugFor of CANDIDATES) {
    const named = left.map((property) => ({ property, ...fileName(property, slugFor(property)) }));
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

/**
 * Returns the first free candidate path of a new property.
 *
 * @param isTaken tells whether a path is in use.
 * @param folder folder of the file. @default the folder of its country
 */
export function freePath(
  property: NameSource,
  isTaken: (path: string) => boolean,
  folder: string = folderOf(property),
): FileName {
  for (const slugFor of CANDIDATES) {
    const name = fileName(property, slugFor(property), folder);
    if (name.slug !== '' && !isTaken(name.path)) return name;
  }
  return fileName(property, property.id, folder);
}

function fileName(property: NameSource, slug: string, folder: string = folderOf(property)): FileName {
  return { path: `${folder}/${slug}.yaml`, slug };
}

export function folderOf({ country }: Pick<NameSource, 'country'>): string {
  return /^[a-z]{2}$/i.test(country) ? `properties/${country.toLowerCase()}` : 'properties';
}
