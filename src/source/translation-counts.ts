import { ENTRY_LIST_FIELDS, type FieldTable } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { memoizeByObject } from '../values/memoize.ts';

/**
 * Numbers of texts by field, such as `photo.description`. The first number counts texts in at least one language, the
 * others count texts in the second language, the third, …
 */
export type TextCounts = Record<string, number[]>;

type TextPlace = {
  readonly key: string;
  readonly list: string;
  readonly name: string;
  readonly others: readonly string[];
};

const placesOf = memoizeByObject((fields: FieldTable): readonly TextPlace[] => {
  const others = fields.languages.slice(1);
  return ['', ...ENTRY_LIST_FIELDS].flatMap((list) =>
    [...fieldsIn(fields, list)]
      .filter(([, { translate, base }]) => translate && base === undefined && others.length > 0)
      .map(([name]) => {
        const key = list === '' ? name : `${list}.${name}`;
        return { key, list, name, others: others.map((language) => `${name}@${language}`) };
      }),
  );
});

type Texts = Readonly<Record<string, unknown>>;

export function countTexts(property: object, fields: FieldTable, sum: TextCounts): void {
  for (const { key, list, name, others } of placesOf(fields)) {
    sum[key] ??= new Array<number>(others.length + 1).fill(0);
    const counts = sum[key];
    const entries =
      list === '' ? [property as Texts] : (((property as Texts)[list] ?? []) as readonly Texts[]);
    for (const texts of entries) {
      if (!texts) continue;
      let exists = texts[name] ? 1 : 0;
      for (let index = 0; index < others.length; index++) {
        if (!texts[others[index]!]) continue;
        counts[index + 1]!++;
        exists = 1;
      }
      counts[0]! += exists;
    }
  }
}

export function addCounts(sum: TextCounts, counts: TextCounts): void {
  for (const [name, own] of Object.entries(counts)) {
    const before = sum[name];
    sum[name] = before ? before.map((one, index) => one + own[index]!) : own;
  }
}
