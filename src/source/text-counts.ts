/** Counts texts and their translations. */
import { type FieldTable, LIST_FIELDS } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';

/**
 * Numbers of texts by field (`title`, `photo.description`): of those that exist in any language, then of those in each
 * language but the first.
 */
export type TextCounts = Readonly<Record<string, readonly number[]>>;

/** Counts the texts of a property; undefined for a catalogue with one language. */
export function countTexts(property: object, fields: FieldTable): TextCounts | undefined {
  const others = fields.languages.slice(1);
  if (others.length === 0) return undefined;
  const counts: Record<string, number[]> = {};
  const count = (texts: Readonly<Record<string, unknown>>, list: string) => {
    for (const [name, { translate, base }] of fieldsIn(fields, list)) {
      if (!translate || base !== undefined) continue;
      const has = others.map((language) => (texts[`${name}@${language}`] ? 1 : 0));
      const key = list === '' ? name : `${list}.${name}`;
      add(counts, key, [texts[name] || has.includes(1) ? 1 : 0, ...has]);
    }
  };
  const texts = property as Readonly<Record<string, unknown>>;
  count(texts, '');
  for (const list of LIST_FIELDS)
    for (const entry of (texts[list] ?? []) as (Readonly<Record<string, unknown>> | undefined)[])
      if (entry) count(entry, list);
  return counts;
}

/** Sums the counts of properties. */
export function sumTexts(all: Iterable<TextCounts | undefined>): TextCounts {
  const sum: Record<string, number[]> = {};
  for (const counts of all) for (const [name, own] of Object.entries(counts ?? {})) add(sum, name, own);
  return sum;
}

function add(sum: Record<string, number[]>, name: string, counts: readonly number[]): void {
  const before = sum[name];
  sum[name] = before ? before.map((one, index) => one + counts[index]!) : [...counts];
}
