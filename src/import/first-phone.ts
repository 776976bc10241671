import { normalizePhone } from '../contract/phone.ts';
import { correctorFor } from '../source/correction.ts';
import type { Mapping } from '../values/mapping.ts';

/** Separators of phone numbers in a cell. The last one is the least certain: "/" also occurs within a number. */
const BETWEEN = [/[;|\n]/, /\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s/i, /\s[/,]\s|,\s/, /[/,]/];

/** Splits a cell at the separators. Returns undefined for a single number, or if the first part is no phone number. */
export function splitPhones(values: Mapping): readonly [first: string, ...others: string[]] | undefined {
  const { phone } = values;
  const isPhone = (text: string) =>
    normalizePhone(text) !== undefined || correctorFor('phone', undefined)!(text, values) !== undefined;
  if (typeof phone !== 'string' || !BETWEEN.some((sign) => sign.test(phone)) || isPhone(phone))
    return undefined;
  for (const sign of BETWEEN) {
    const [first = '', ...others] = phone.split(sign).flatMap((part) => part.trim() || []);
    if (others.length > 0 && isPhone(first)) return [first, ...others];
  }
  return undefined;
}
