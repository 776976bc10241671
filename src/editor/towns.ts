/** Finds towns by name in the files that `scripts/town-files.ts` makes. */
import { useEffect, useState } from 'preact/hooks';
import { foldText } from '../contract/sort-order.ts';
import type { MapTown } from '../explorer/map-places.ts';
import { differByOneLetter, hasSameLetters, nearestWord } from '../source/did-you-mean.ts';
import { memoizeByObject } from '../values/memoize.ts';

export type Towns = {
  readonly names: readonly string[];
  /** Thousandths of degrees, about 100 m. */
  readonly latitudes: readonly number[];
  readonly longitudes: readonly number[];
  /** Number of digits of each population. */
  readonly sizes: readonly number[];
};

export type Town = {
  readonly name: string;
  /** Name of the nearest larger town; empty for the largest one. */
  readonly near: string;
  readonly latitude: string;
  readonly longitude: string;
};

export async function loadTowns(country: string): Promise<Towns | undefined> {
  const response = await fetch(`towns-${country}.json`).catch(() => undefined);
  return response?.ok ? ((await response.json()) as Towns) : undefined;
}

/** Undefined while loading, and for a country without a file. */
export function useTowns(country: string): Towns | undefined {
  const [towns, setTowns] = useState<Towns>();
  useEffect(() => {
    setTowns(undefined);
    if (country === '') return;
    let isGone = false;
    void loadTowns(country).then((known) => isGone || setTowns(known));
    return () => {
      isGone = true;
    };
  }, [country]);
  return towns;
}

const foldedOf = memoizeByObject(({ names }: Towns) =>
  names.map((name) => foldText(name).split('|').map(withoutSpellingMarks)),
);

/**
 * Looks for names of towns in the parts of an address, the last part first. If the text has a single part, it may be
 * the start of a name. Larger towns come first.
 * @example
 * findTowns(towns, '12 High Street, Galway H91 TX0Y', 8) // [{ name: 'Galway', near: 'Dublin', … }]
 */
export function findTowns(towns: Towns, text: string, limit: number): Town[] {
  const folded = foldedOf(towns);
  const pick = (isMeant: (name: string) => boolean) => {
    const places = [...folded.keys()].filter((place) => folded[place]!.some(isMeant));
    const sorted = places.toSorted((one, other) => towns.sizes[other]! - towns.sizes[one]!);
    return sorted.slice(0, limit).map((place) => {
      const meant = towns.names[place]!.split('|').filter((_, index) => isMeant(folded[place]![index]!));
      // Of several names, people write the shortest: "Galway" rather than "Galway city".
      const [name = ''] = meant.sort((one, other) => one.length - other.length);
      return townAt(towns, place, name);
    });
  };
  const parts = text
    .split(/[,;\n]/)
    .map((part) => withoutSpellingMarks(foldText(part).replace(/\S*\d\S*/g, ' ')));
  for (const part of parts.reverse()) {
    const found = part === '' ? [] : pick((name) => name === part);
    if (found.length > 0) return found;
  }
  const [only = '', ...others] = parts;
  return only.length < 3 || others.length > 0 ? [] : pick((name) => name.startsWith(only));
}

export function similarTowns(towns: Towns, text: string, limit: number): Town[] {
  const meant = nearestWord(withoutSpellingMarks(foldText(text)), new Set(foldedOf(towns).flat()));
  return meant === undefined ? [] : findTowns(towns, meant, limit);
}

/**
 * Returns a town whose name differs from `name` by one letter, or only in the order of the letters. Tries the
 * catalogue's own towns first. Undefined if there is none, if `name` is in `towns`, or if `name` has fewer than
 * {@link MIN_LETTERS} letters.
 */
export function correctedTownName(
  name: string,
  own: readonly string[],
  towns: Towns | undefined,
): string | undefined {
  const typed = withoutSpellingMarks(foldText(name));
  if (typed.length < MIN_LETTERS || (towns && foldedOf(towns).some((names) => names.includes(typed))))
    return undefined;
  const isMeant = (other: string) =>
    differByOneLetter(typed, other) || (typed !== other && hasSameLetters(typed, other));
  const known = own.find((other) => isMeant(withoutSpellingMarks(foldText(other))));
  if (known !== undefined || !towns) return known;
  const folded = foldedOf(towns);
  const place = folded.findIndex((names) => names.some(isMeant));
  return place < 0 ? undefined : towns.names[place]!.split('|')[folded[place]!.findIndex(isMeant)];
}

const MIN_LETTERS = 5;

export function largestTowns({ names, latitudes, longitudes, sizes }: Towns): MapTown[] {
  return [...names.keys()]
    .sort((one, other) => sizes[other]! - sizes[one]!)
    .map((place) => ({
      name: names[place]!.split('|')[0]!,
      latitude: latitudes[place]! / 1000,
      longitude: longitudes[place]! / 1000,
    }));
}

/** Removes what differs between spellings: apostrophes, full stops, hyphens and short forms of "Saint". */
function withoutSpellingMarks(name: string): string {
  return name
    .replace(/['’‘.]/g, '')
    .replace(/[\s()-]+/g, ' ')
    .replace(/\bst(?=e? )/g, 'saint')
    .trim();
}

function townAt(towns: Towns, place: number, name: string): Town {
  const { names, latitudes, longitudes, sizes } = towns;
  const [north, east] = [latitudes[place]!, longitudes[place]!];
  const narrow = Math.cos((north / 1000) * (Math.PI / 180));
  let [near, least] = ['', Number.POSITIVE_INFINITY];
  for (const [other, size] of sizes.entries()) {
    if (size <= sizes[place]!) continue;
    const distance = (latitudes[other]! - north) ** 2 + ((longitudes[other]! - east) * narrow) ** 2;
    if (distance < least) [near, least] = [names[other]!.split('|')[0]!, distance];
  }
  const degrees = (thousandths: number) => (thousandths / 1000).toFixed(3);
  return { name, near, latitude: degrees(north), longitude: degrees(east) };
}
