import { normalizePhone } from '../contract/phone.ts';
import { correctorFor } from '../source/correction.ts';
import type { Mapping } from '../values/mapping.ts';

/** Separators of numbers in a cell, the surest first: "/" also occurs within a number. */
const BETWEEN = [/[;|\n]/, /\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s/i, /\s[/,]\s|,\s/, /[/,]/];

/** Splits a cell that has several phone numbers, if the first one can be repaired; otherwise undefined. */
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
