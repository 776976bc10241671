import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { STANDARD_FIELD_TABLE } from '../src/contract/terms.ts';
import { fieldYaml } from '../src/editing/field-text.ts';
import { propertyYaml } from '../src/editing/property-text.ts';
import { slugOf } from '../src/editing/slug.ts';
import { isMain, readOptions, runScript, UsageError, wholeNumber } from './command-line.ts';
import { type City, citiesByCountry, withDistinctNames } from './sample-data/cities.ts';
import { FACILITIES, POLICY_TYPES } from './sample-data/facilities.ts';
import { DECLARATION, DECLARED_TABLE, madeUpDeclared } from './sample-data/made-up-fields.ts';
import { madeUpProperty } from './sample-data/made-up-property.ts';
import { POSTAL_CODES } from './sample-data/postal-codes.ts';
import { createRandom, type Random } from './sample-data/random.ts';

const USAGE = `Usage: npx tsx scripts/make-catalogue.ts --count <properties> --out <folder> [--seed <number>] [--fields]

Writes a content folder of that many properties which do not exist, in real cities of 50 countries, and a
catalogue.yaml. The same count and seed give the same bytes. The folder must be empty or absent.

  --fields  the same properties with eight declared fields, and their titles in a second language`;

const COUNTRIES_MADE: readonly string[] = Object.keys(POSTAL_CODES);

export interface CatalogueOptions {
  folder: string;
  count: number;
  seed?: number;
  /** Adds declared fields and a second language; everything else stays equal. */
  withFields?: boolean;
}

/** `cities`: pairs of country and city. */
export interface MadeCatalogue {
  properties: number;
  countries: number;
  cities: number;
  bytes: number;
}

/**
 * City sizes follow Zipf's law: the n-th largest has a share in proportion to 1/n. All properties are valid, without
 * warnings.
 */
export function makeCatalogue({
  folder,
  count,
  seed = 1,
  withFields = false,
}: CatalogueOptions): MadeCatalogue {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`${folder} is not empty: choose another folder, or empty it first`);
  }
  const random = createRandom(seed);
  // A separate generator, so that declared fields do not change the other fields.
  const declaredRandom = createRandom(seed);
  const cities = zipfCities(random, count);
  const folders = new Set<string>();
  const paths = new Set<string>();
  const places = new Set<City>();
  let bytes = 0;
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
    folders.add(parent);
    writeFileSync(file, text);
    bytes += Buffer.byteLength(text);
  };

  write('catalogue.yaml', withFields ? CONFIGURATION + DECLARATION : CONFIGURATION);
  while (paths.size < count) {
    const city = cities[paths.size] as City;
    const property = madeUpProperty(random, city);
    const name = `${slugOf(property.title) || 'property'}-${property.id.slice(0, 8)}`;
    const path = `properties/${city.country.toLowerCase()}/${name}.yaml`;
    if (paths.has(path)) continue;
    paths.add(path);
    places.add(city);
    const values = withFields ? { ...property, ...madeUpDeclared(declaredRandom, property) } : property;
    write(path, propertyYaml(values, { head: HEAD }, withFields ? DECLARED_TABLE : STANDARD_FIELD_TABLE));
  }
  const countries = new Set([...places].map((city) => city.country));
  return { properties: paths.size, countries: countries.size, cities: places.size, bytes };
}

const HEAD = '# Made by scripts/make-catalogue.ts: this property does not exist.\n';

const CONFIGURATION = [
  '# Made by scripts/make-catalogue.ts: none of these properties exists.\n',
  'base_url: https://catalogue.example\n\n',
  'vocabulary:\n',
  (
    fieldYaml('facilities', FACILITIES, STANDARD_FIELD_TABLE) +
    fieldYaml('policy_types', POLICY_TYPES, STANDARD_FIELD_TABLE)
  )
    .replace(/^/gm, '  ')
    .trimEnd(),
  '\n',
].join('');

/** Stratified: property i draws from the i-th of `count` equal slices, so small catalogues follow the distribution too. */
function zipfCities(random: Random, count: number): City[] {
  const ranked = rankedCities(Math.max(1, Math.round(count / 5)));
  const total = ranked.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
  const cities: City[] = [];
  let rank = 0;
  let upTo = 1;
  for (let index = 0; index < count; index++) {
    const place = ((index + random()) / count) * total;
    while (upTo < place && rank < ranked.length - 1) {
      rank++;
      upTo += 1 / (rank + 1);
    }
    cities.push(ranked[rank] as City);
  }
  for (let last = cities.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [cities[last], cities[other]] = [cities[other] as City, cities[last] as City];
  }
  return cities;
}

/** The largest city of each country, then the second largest of each, and so on. May return fewer than `count`. */
function rankedCities(count: number): City[] {
  const countries = [...citiesByCountry(COUNTRIES_MADE).values()].map(withDistinctNames);
  const ranked: City[] = [];
  for (let rank = 0; ranked.length < count; rank++) {
    const before = ranked.length;
    for (const cities of countries) {
      const city = cities[rank];
      if (city !== undefined && ranked.length < count) ranked.push(city);
    }
    if (ranked.length === before) break;
  }
  return ranked;
}

if (isMain(import.meta.url)) {
  runScript(USAGE, () => {
    const options = readOptions(process.argv.slice(2), {
      count: { type: 'string' },
      out: { type: 'string' },
      seed: { type: 'string', default: '1' },
      fields: { type: 'boolean' },
    });
    if (options.count === undefined || options.out === undefined) {
      throw new UsageError('--count and --out are needed');
    }
    const made = makeCatalogue({
      folder: String(options.out),
      count: wholeNumber('count', String(options.count), 0),
      seed: wholeNumber('seed', String(options.seed), 0),
      withFields: options.fields === true,
    });
    console.log(
      `wrote ${made.properties} properties in ${made.cities} cities of ${made.countries} countries, ` +
        `${made.bytes} bytes, into ${options.out}`,
    );
  });
}
