/** Decides which values of a property file survive when an import overwrites it. */

import type { Terms } from '../contract/terms.ts';
import type { PropertyFile } from '../editing/property-text.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { cutText } from '../text/words.ts';
import type { ImportFinding } from './candidate.ts';
import { isCoordinateField } from './mapping.ts';
import { holdsPrivate } from './private-text.ts';

/** Values kept from the file, by field. */
export type Held = ReadonlyMap<string, unknown>;

/** Keeps the owner's draft mark and dates, and the file's value where the import left out the source's value. */
export function withOwnValues(
  text: string,
  said: PropertyFile,
  found: readonly ImportFinding[],
  { fields }: Terms,
): { readonly file: PropertyFile; readonly held: Held } {
  const lost = found.flatMap(({ field, lost }) => (lost === undefined ? [] : [field]));
  if (lost.length === 0 && !VISIBILITY_FIELDS.some((name) => text.includes(name)))
    return { file: said, held: new Map() };
  const own = Object(readYamlExactly(text, '').value) as Record<string, unknown>;
  const isNew = (name: string) => !own[name] && said[name as 'city'];
  const isCompleted = [...fields.all].some(([name, { required }]) => required && isNew(name));
  const isKept = (name: 'draft' | 'live_from' | 'live_until') =>
    typeof own[name] === 'string' && !said[name] && !(isCompleted && name === 'draft');
  const isUnplaced = lost.some(isCoordinateField) && own.latitude && own.longitude;
  const names = isUnplaced
    ? [...lost, 'latitude', 'longitude']
    : lost.filter((name) => !isCoordinateField(name));
  const held = new Map<string, unknown>();
  for (const name of names) {
    const value = completed(said[name as 'photo'], own[name], found, name);
    if (value !== undefined && !holdsPrivate(value, name)) held.set(name, value);
  }
  const kept = VISIBILITY_FIELDS.filter(isKept).map((name) => [name, own[name]]);
  // The file's coordinates complete the property, so the file's own draft mark replaces the import's.
  const draft = isUnplaced && found.some(isUnfinished) ? { draft: own.draft } : {};
  return { file: { ...said, ...draft, ...Object.fromEntries([...held, ...kept]) }, held };
}
/** Undefined if the file has no value, or if its entries cannot be matched with the source's. */
function completed(said: unknown, own: unknown, found: readonly ImportFinding[], name: string): unknown {
  if (!own || [own].flat().length === 0) return undefined;
  if (!said || [said].flat().length === 0) return own;
  if (!Array.isArray(said) || !Array.isArray(own)) return undefined;
  const places = found.flatMap(({ field, entry }) => (field === name && entry !== undefined ? [entry] : []));
  if (places.length + said.length !== own.length) return undefined;
  const rest = [...said];
  return own.map((entry, place) => (places.includes(place) ? entry : rest.shift()));
}

const isUnfinished = ({ code, field }: ImportFinding) =>
  code === 'unfinished-draft' && field === 'coordinates';

/** Rewords the message to say what the file keeps. Undefined if coordinates are missing that the file still has. */
export function withHeld({ lost, entry, ...finding }: ImportFinding, held: Held): ImportFinding | undefined {
  if (held.has('latitude') && isUnfinished(finding)) return undefined;
  const value = held.get(finding.field);
  if (lost === undefined || value === undefined) return finding;
  const kept = entry === undefined ? [value].flat() : Object.values((value as readonly object[])[entry]!);
  const text = cutText(kept.join(', ').replace(/\s+/g, ' '), 40);
  const message = finding.message.slice(0, -lost.length);
  return { ...finding, message: `${message}The file keeps "${text}".`, isKept: true };
}

const VISIBILITY_FIELDS = ['draft', 'live_from', 'live_until'] as const;
