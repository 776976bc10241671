/** Makes the shipped catalogue from open data. See `USAGE`. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { v5 as uuidV5 } from 'uuid';
import { COUNTRY_CURRENCIES } from '../src/contract/tables.ts';
import { propertyPaths } from '../src/editing/file-name.ts';
import { type PhotoEntry, type PropertyFile, propertyYaml } from '../src/editing/property-text.ts';
import { writeSchema } from '../src/editing/schema-file.ts';
import { isMain, readOptions, runScript, UsageError } from './command-line.ts';
import { fictionalPhone } from './fictional-phones.ts';
import { madeUpPayments, madeUpPolicies } from './policies.ts';
import { createRandom, integerBetween } from './random.ts';
import { attribution } from './shipped/attribution.ts';
import { shippedConfiguration } from './shipped/configuration.ts';
import { assignPhotos } from './shipped/photos.ts';
import { type Candidate, selectShipped } from './shipped/selection.ts';
import { readAirbnb } from './sources/airbnb.ts';
import type { Conversion, SourceName } from './sources/draft.ts';
import { readIreland } from './sources/ireland.ts';
import { readMadrid } from './sources/madrid.ts';
import { unifyCities } from './unify-cities.ts';

const USAGE = `Usage: npx tsx scripts/make-content.ts [--data <folder>] [--out <folder>] [--all] [--replace]

Makes a catalogue from the open data that ATTRIBUTION.md names. The same data give the same bytes. Its pictures are
those of scripts/draw-pictures.ts.

  --data <folder>  holds ireland, madrid and airbnb (default: ../shared/data)
  --out <folder>   the content folder to write (default: content)
  --all            every row of the data that can be a property, without photos, instead of a selection
  --replace        first remove properties, catalogue.yaml and ATTRIBUTION.md from the content folder`;

/** Every id is made of this and the source's own key of the row, so it never changes. */
const NAMESPACE = 'd2b5a8c4-6f0e-4b7a-9c53-1e8a7d40f26b';

const PARTS = ['properties', 'catalogue.yaml', 'property.schema.json', 'ATTRIBUTION.md'];

/** What to make. */
export interface ContentOptions {
  /** Folder that holds `ireland`, `madrid` and `airbnb`. */
  data: string;
  /** The content folder. */
  folder: string;
  /**
   * Every row that can be a property, instead of a selection.
   * @default false
   */
  all?: boolean;
  /**
   * Remove what an earlier run has written; without it the folder must be empty or absent.
   * @default false
   */
  replace?: boolean;
}

/** What was made. */
export interface MadeContent {
  properties: number;
  /** How many properties each source gave. */
  sources: Readonly<Record<SourceName, number>>;
  countries: number;
  /** Pairs of country and city. */
  cities: number;
  /** How many rows were left out, by reason. */
  rejected: ReadonlyMap<string, number>;
}

/** Writes a content folder, except its photos: `properties/<country>/<name>.yaml`, `catalogue.yaml` and `ATTRIBUTION.md`. */
export function makeContent({ data, folder, all = false, replace = false }: ContentOptions): MadeContent {
  const { candidates, rejected } = readCandidates(data);
  const chosen = unifyCities(all ? candidates : selectShipped(candidates));
  const paths = propertyPaths(
    chosen.map(({ id, draft }) => ({ id, title: draft.title, city: draft.city, country: draft.country })),
  );
  const photos: ReadonlyMap<string, readonly PhotoEntry[]> = all
    ? new Map()
    : assignPhotos(chosen, '../../photos');

  prepare(folder, replace);
  const write = createWriter(folder);
  for (const { id, draft } of chosen) {
    const { path, slug } = paths.get(id) as { path: string; slug: string };
    const property = propertyOf(
      { id, draft },
      slug,
      COUNTRY_CURRENCIES[draft.country] ?? 'EUR',
      photos.get(id) ?? [],
    );
    write(
      path,
      propertyYaml(property, {
        head: `# ${draft.credit}\n# What the source lacks is filled in: see ATTRIBUTION.md\n`,
      }),
    );
  }
  write('catalogue.yaml', shippedConfiguration(chosen.flatMap(({ draft }) => draft.facilities)));
  writeSchema(folder);
  write('ATTRIBUTION.md', attribution(chosen.map(({ draft }) => draft)));
  return { ...counts(chosen), rejected };
}

function readCandidates(data: string): { candidates: Candidate[]; rejected: Map<string, number> } {
  const candidates: Candidate[] = [];
  const rejected = new Map<string, number>();
  const conversions: Conversion[] = [...readIreland(data), ...readMadrid(data), ...readAirbnb(data)];
  for (const conversion of conversions) {
    if ('rejected' in conversion) {
      rejected.set(conversion.rejected, (rejected.get(conversion.rejected) ?? 0) + 1);
    } else {
      const id = uuidV5(`${conversion.source}/${conversion.row}`, NAMESPACE);
      candidates.push({ id, draft: conversion });
    }
  }
  return { candidates, rejected };
}

/** Fills in what the source lacks; the choices depend on the id alone. */
function propertyOf(
  { id, draft }: Candidate,
  slug: string,
  currency: string,
  photo: readonly PhotoEntry[],
): PropertyFile {
  const random = createRandom(Number.parseInt(id.slice(0, 8), 16));
  const phone = draft.phone ?? fictionalPhone(draft.country, integerBetween(random, 0, 9999));
  const { title, zip_code, city, state, address, country, latitude, longitude, facilities } = draft;
  return {
    id,
    title,
    currency,
    email: `bookings@${slug}.example`,
    ...(phone !== undefined && { phone }),
    ...(zip_code !== undefined && { zip_code }),
    city,
    ...(state !== undefined && { state }),
    ...(address !== undefined && { address }),
    country,
    latitude,
    longitude,
    facilities,
    photo,
    hotel_policy: madeUpPolicies(random, {
      strictness: draft.strictness,
      selfCheckIn: facilities.includes('self_check_in'),
    }),
    payment_method: madeUpPayments(random),
  };
}

function prepare(folder: string, replace: boolean): void {
  if (replace) {
    for (const part of PARTS) rmSync(join(folder, part), { recursive: true, force: true });
  } else if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(
      `${folder} is not empty: --replace removes its ${PARTS.join(', ')} first, or choose another folder`,
    );
  }
}

function createWriter(folder: string): (path: string, text: string) => void {
  const folders = new Set<string>();
  return (path, text) => {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
    folders.add(parent);
    writeFileSync(file, text);
  };
}

function counts(chosen: readonly Candidate[]): Omit<MadeContent, 'rejected'> {
  const from = (source: SourceName): number => chosen.filter(({ draft }) => draft.source === source).length;
  return {
    properties: chosen.length,
    sources: { ireland: from('ireland'), madrid: from('madrid'), airbnb: from('airbnb') },
    countries: new Set(chosen.map(({ draft }) => draft.country)).size,
    cities: new Set(chosen.map(({ draft }) => `${draft.country} ${draft.city}`)).size,
  };
}

if (isMain(import.meta.url)) {
  runScript(USAGE, () => {
    const options = readOptions(process.argv.slice(2), {
      data: { type: 'string', default: '../shared/data' },
      out: { type: 'string', default: 'content' },
      all: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
    });
    const made = makeContent({
      data: String(options.data),
      folder: String(options.out),
      all: options.all === true,
      replace: options.replace === true,
    });
    const { ireland, madrid, airbnb } = made.sources;
    console.log(
      `wrote ${made.properties} properties (Ireland ${ireland}, Madrid ${madrid}, Airbnb ${airbnb}) ` +
        `in ${made.cities} cities of ${made.countries} countries into ${options.out}`,
    );
    for (const [reason, rows] of made.rejected) console.log(`left out ${rows}: ${reason}`);
  });
}
