import { slugOf } from './slug.ts';

export type FileNameSource = {
  readonly id: string;
  readonly title: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
};

export type PropertyFileName = {
  /** Relative to the content folder, such as `properties/<country>/<slug>.yaml`. */
  readonly path: string;
  readonly slug: string;
};

/** In order of preference: the title; the title and the city; the title and the start of the id. */
const CANDIDATES: readonly ((property: FileNameSource) => string)[] = [
  ({ title }) => slugOf(title),
  ({ title, city }) => {
    const [name, place] = [slugOf(title), slugOf(city, 20)];
    return name && place ? `${name}-${place}` : '';
  },
  ({ id, title }) => `${slugOf(title) || 'property'}-${id.slice(0, 8)}`,
];

export function freeFileName(
  property: FileNameSource,
  isTaken: (path: string) => boolean,
  folder: string = propertyFolder(property),
): PropertyFileName {
  const named = (slug: string) => ({ path: `${folder}/${slug}.yaml`, slug });
  for (const slugFor of CANDIDATES) {
    const name = named(slugFor(property));
    if (name.slug !== '' && !isTaken(name.path)) return name;
  }
  return named(property.id);
}

export function propertyFolder({ country }: Pick<FileNameSource, 'country'>): string {
  return /^[a-z]{2}$/i.test(country) ? `properties/${country.toLowerCase()}` : 'properties';
}
