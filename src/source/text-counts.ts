/** Counts texts and their translations. */
import { type FieldTable, LIST_FIELDS } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { rememberOf } from '../remember.ts';

/**
 * Numbers of texts by field (`title`, `photo.description`): of those that exist in any language, then of those in each
 * language but the first.
 */
export type TextCounts = Readonly<Record<string, readonly number[]>>;

/** Where a text and its translations are: the list whose entries have them, and the key of each language. */
type TextPlace = {
  readonly key: string;
  readonly list: string;
  readonly name: string;
  readonly others: readonly string[];
};

const placesOf = rememberOf((fields: FieldTable): readonly TextPlace[] => {
  const others = fields.languages.slice(1);
  return ['', ...LIST_FIELDS].flatMap((list) =>
    [...fieldsIn(fields, list)]
      .filter(([, { translate, base }]) => translate && base === undefined && others.length > 0)
      .map(([name]) => {
        const key = list === '' ? name : `${list}.${name}`;
        return { key, list, name, others: others.map((language) => `${name}@${language}`) };
      }),
  );
});

type Texts = Readonly<Record<string, unknown>>;

/** Counts the texts of a property; undefined for a catalogue with one language. */
export function countTexts(property: object, fields: FieldTable): TextCounts | undefined {
  const places = placesOf(fields);
  if (places.length === 0) return undefined;
  const counts: Record<string, number[]> = {};
  for (const { key, list, name, others } of places) {
    const entries =
      list === '' ? [property as Texts] : (((property as Texts)[list] ?? []) as readonly Texts[]);
    if (entries.length === 0) continue;
    const sum = new Array<number>(others.length + 1).fill(0);
    for (const texts of entries) {
      if (!texts) continue;
      let exists = texts[name] ? 1 : 0;
      others.forEach((other, index) => {
        if (!texts[other]) return;
        sum[index + 1]!++;
        exists = 1;
      });
      sum[0]! += exists;
    }
    counts[key] = sum;
  }
  return counts;
}

export function sumTexts(all: Iterable<TextCounts | undefined>): TextCounts {
  const sum: Record<string, number[]> = {};
  for (const counts of all) for (const [name, own] of Object.entries(counts ?? {})) add(sum, name, own);
  return sum;
}

function add(sum: Record<string, number[]>, name: string, counts: readonly number[]): void {
  const before = sum[name];
  sum[name] = before ? before.map((one, index) => one + counts[index]!) : [...counts];
}
