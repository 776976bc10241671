import { publishedPhone } from '../contract/phone.ts';
import { correctionFor } from '../source/correction.ts';
import type { Mapping } from '../values/mapping.ts';

/** Between two numbers of one cell, the surest first: within a number, people write "/" too. */
const BETWEEN = [/[;|\n]/, /\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s/i, /\s[/,]\s|,\s/, /[/,]/];

/** Splits a cell with several phone numbers, the first of which can be repaired; undefined for any other. */
export function splitPhones(values: Mapping): readonly [first: string, ...others: string[]] | undefined {
  const { phone } = values;
  const isPhone = (text: string) =>
    publishedPhone(text) !== undefined || correctionFor('phone', undefined)!(text, values) !== undefined;
  if (typeof phone !== 'string' || phone === '' || isPhone(phone)) return undefined;
  for (const sign of BETWEEN) {
    const [first = '', ...others] = phone.split(sign).flatMap((part) => part.trim() || []);
    if (others.length > 0 && isPhone(first)) return [first, ...others];
  }
  return undefined;
}
