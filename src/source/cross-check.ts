/** What can only be seen with all files at hand. */
import { fold } from '../contract/order.ts';
import type { DiagnosticCode } from './codes.ts';
import type { DiagnosticArgs } from './diagnostic.ts';

/** What the checks need of a property. */
export type Placed = {
  readonly path: string;
  readonly id: string;
  readonly country: string;
  readonly city: string;
};

/** A finding, and the field that it is about. */
export type CrossFinding = {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly field: 'id' | 'city';
  readonly args: DiagnosticArgs;
};

/** The codes of all findings. */
export const CROSS_CODES: ReadonlySet<string> = new Set<DiagnosticCode>(['duplicate-id', 'similar-city']);

/** Finds ids that stand twice (in every file that has one), and cities that are spelled in several ways. */
export function crossCheck(properties: readonly Placed[]): CrossFinding[] {
  return [...duplicateIds(properties), ...similarCities(properties)];
}

/** How many of the other files a message names. */
const NAMED = 3;

function duplicateIds(properties: readonly Placed[]): CrossFinding[] {
  const first = new Map<string, Placed | Placed[]>();
  for (const property of properties) {
    const same = first.get(property.id);
    if (!same) first.set(property.id, property);
    else if (Array.isArray(same)) same.push(property);
    else first.set(property.id, [same, property]);
  }
  const findings: CrossFinding[] = [];
  for (const same of first.values()) {
    if (!Array.isArray(same)) continue;
    const first = same.slice(0, NAMED + 1).map((property) => property.path);
    for (const { path, id } of same) {
      const named = first.filter((other) => other !== path).slice(0, NAMED);
      const more = same.length - 1 - named.length;
      const other = named.join(', ') + (more > 0 ? ` and ${more} more` : '');
      findings.push({ code: 'duplicate-id', path, field: 'id', args: { id, other } });
    }
  }
  return findings;
}

/** Cities of one country that differ only in case, accents or spacing: the rarer spelling is the doubtful one. */
function similarCities(properties: readonly Placed[]): CrossFinding[] {
  const spellings = new Map<string, Map<string, Placed[]>>();
  const counted = new Map<string, Placed[]>();
  for (const property of properties) {
    const key = `${property.country}\0${property.city}`;
    const same = counted.get(key);
    if (same) {
      same.push(property);
      continue;
    }
    const list = [property];
    counted.set(key, list);
    const folded = `${property.country}\0${fold(property.city).replace(/\s+/g, '')}`;
    const cities = spellings.get(folded) ?? new Map<string, Placed[]>();
    spellings.set(folded, cities.set(property.city, list));
  }
  const findings: CrossFinding[] = [];
  for (const cities of spellings.values()) {
    if (cities.size < 2) continue;
    const [[other, most], ...rarer] = [...cities].sort(
      ([a, listA], [b, listB]) => listB.length - listA.length || (a < b ? -1 : 1),
    ) as [[string, Placed[]], ...[string, Placed[]][]];
    for (const [city, list] of rarer) {
      for (const { path, country } of list) {
        const args = { city, count: list.length, country, other, otherCount: most.length };
        findings.push({ code: 'similar-city', path, field: 'city', args });
      }
    }
  }
  return findings;
}
