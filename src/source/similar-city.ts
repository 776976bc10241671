/**
 * Finds names of cities that are probably misspelt, since a similar name is more frequent.
 * Two names are one edit apart if they become equal when at most one letter of each is removed. Each common name
 * is therefore indexed under itself and under every text that is left after removing one letter, and each rare name is
 * looked up in the same way.
 */
import { foldText } from '../contract/sort-order.ts';
import type { CrossFileFinding, CrossFileInput } from './cross-file-finding.ts';
import type { DiagnosticArgs } from './diagnostic-codes.ts';

type Spelling = { readonly city: string; count: number };

/** One city, with all spellings that differ only in case, accents or spacing, the best written first. */
type City = {
  readonly country: string;
  readonly name: string;
  readonly spellings: Spelling[];
  count: number;
};

/** A city's name is doubtful if a name that differs by one letter is at least this many times as frequent. */
const DOUBTFUL_RATIO = 10;
/** Like {@link DOUBTFUL_RATIO}, for common typos: a letter wrongly doubled or not doubled, or two letters swapped. */
const TYPO_RATIO = 5;
/** Shorter names are not compared: two that are similar are often both real towns. */
const MIN_LETTERS = 5;

export function similarCities(properties: readonly CrossFileInput[]): CrossFileFinding[] {
  const cities = citiesOf(properties);
  const findCommon = indexCommon(cities);
  const rarer = new Map<string, DiagnosticArgs>();
  const report = ({ country }: City, { city, count }: Spelling, most: Spelling) =>
    rarer.set(keyOf(country, city), { city, count, country, other: most.city, otherCount: most.count });
  for (const city of cities) {
    const [most, ...others] = city.spellings as [Spelling, ...Spelling[]];
    for (const other of others) report(city, other, most);
    const common = findCommon(city);
    if (common) report(city, most, common.spellings[0]!);
  }
  if (rarer.size === 0) return [];
  return properties.flatMap(({ path, country = '', city = '' }): CrossFileFinding[] => {
    const args = rarer.get(keyOf(country, city));
    return args ? [{ code: 'similar-city', path, field: 'city', args }] : [];
  });
}

function keyOf(country: string, city: string): string {
  return `${country}\0${city}`;
}

function citiesOf(properties: readonly CrossFileInput[]): City[] {
  const spellings = new Map<string, Spelling>();
  const cities = new Map<string, City>();
  for (const { country, city } of properties) {
    if (country === undefined || city === undefined) continue;
    const key = keyOf(country, city);
    const same = spellings.get(key);
    if (same) {
      same.count++;
      continue;
    }
    const spelling = { city, count: 1 };
    spellings.set(key, spelling);
    const name = foldText(city).replace(/\s+/g, '');
    const folded = keyOf(country, name);
    const known = cities.get(folded);
    if (known) known.spellings.push(spelling);
    else cities.set(folded, { country, name, spellings: [spelling], count: 0 });
  }
  for (const city of cities.values()) {
    if (city.spellings.length > 1) city.spellings.sort(byForm);
    for (const { count } of city.spellings) city.count += count;
  }
  return [...cities.values()];
}

/** Matches "Ajaccio", but neither "AJACCIO" nor "ajaccio". */
export const CAPITALIZED_NAME = /^\P{L}*\p{Lu}.*\p{Ll}/u;

function byForm(a: Spelling, b: Spelling): number {
  const form = Number(CAPITALIZED_NAME.test(b.city)) - Number(CAPITALIZED_NAME.test(a.city));
  return form || b.count - a.count || (a.city < b.city ? -1 : 1);
}

function indexCommon(cities: readonly City[]): (city: City) => City | undefined {
  const common = new Map<string, City[]>();
  for (const city of cities) {
    if (city.count < TYPO_RATIO || !isComparable(city)) continue;
    for (const key of shortened(city)) {
      const same = common.get(key);
      if (same) same.push(city);
      else common.set(key, [city]);
    }
  }
  return (city) => {
    if (common.size === 0 || !isComparable(city)) return undefined;
    let best: City | undefined;
    for (const key of shortened(city)) {
      for (const other of common.get(key) ?? []) {
        if (other.count < TYPO_RATIO * city.count || (best && !isMoreFrequent(other, best))) continue;
        if (other.count >= doubtRatio(city.name, other.name) * city.count) best = other;
      }
    }
    return best;
  };
}

/** Names break ties, so that the result does not depend on the order of files. */
function isMoreFrequent(one: City, other: City): boolean {
  return one.count > other.count || (one.count === other.count && one.name < other.name);
}

/** Names with digits or Roman numerals are not compared: numbered towns and districts differ by one letter. */
const NUMBERED = /\d|(?:^|[ -])[IVXLCDM]+(?=[ .,-]|$)/;

function isComparable({ name, spellings }: City): boolean {
  return name.length >= MIN_LETTERS && !NUMBERED.test(spellings[0]!.city);
}

function shortened({ country, name }: City): string[] {
  const cut = Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1));
  return [name, ...cut].map((text) => `${country} ${text}`);
}

function doubtRatio(a: string, b: string): number {
  if (a === b || Math.abs(a.length - b.length) > 1) return Number.POSITIVE_INFINITY;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (inA.length === 2 && inB.length === 2 && inA[0] === inB[1] && inA[1] === inB[0]) return TYPO_RATIO;
  if (inA.length + inB.length === 1) return a[start - 1] === inA + inB ? TYPO_RATIO : DOUBTFUL_RATIO;
  return inA.length === 1 && inB.length === 1 ? DOUBTFUL_RATIO : Number.POSITIVE_INFINITY;
}
