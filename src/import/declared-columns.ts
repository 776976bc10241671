import { isValueOf } from '../contract/declared-values.ts';
import type { Field, FieldTable } from '../contract/fields.ts';
import { correctionFor } from '../source/correction.ts';
import { declaredNamed } from './column-names.ts';
import type { ValueMapping } from './mapping.ts';
import type { Column } from './profile.ts';

export function declaredColumns(columns: readonly Column[], table: FieldTable): ReadonlyMap<string, Column> {
  const found = columns.flatMap((column) => {
    const named = declaredNamed(column.name, table);
    const field = named && table.all.get(named.field);
    return field && fitsField(column, named.field, field) ? [{ ...named, column }] : [];
  });
  found.sort((a, b) => b.certainty - a.certainty);
  const chosen = new Map<string, Column>();
  for (const { field, column } of found) if (!chosen.has(field)) chosen.set(field, column);
  return chosen;
}

function fitsField({ list, words, samples, share }: Column, name: string, field: Field): boolean {
  if (name === 'reference' && share.uuid > 0.5) return false;
  if (list === 'objects' || (list === 'texts' && field.kind !== 'words')) return false;
  const values = words ? [...words.keys()] : samples;
  const fitting = values.filter(
    (value) => isOf(value, name, field) || (words && countIn(value, name, field) !== undefined),
  );
  return fitting.length > 0 && fitting.length >= values.length / 2;
}

function isOf(text: string, name: string, field: Field): boolean {
  const { type, terms } = field.declared ?? {};
  if (type === undefined || type === 'text' || type === 'lines') return true;
  const value = correctionFor(name, field)?.(text, {}) ?? text;
  return terms ? Object.hasOwn(terms.labels, value) : isValueOf(type, value);
}

const STAR = /[*★⭐]|star|stern|étoile|estrella|stell|sterr|estrela|gwiazd/i;

function countIn(text: string, name: string, { kind }: Field): string | undefined {
  if (kind !== 'integer' && (kind !== 'decimal' || name === 'price_from')) return undefined;
  if (name === 'stars' && /^[*★⭐]+$/u.test(text)) return String([...text].length);
  if (name === 'stars' && !STAR.test(text)) return undefined;
  if (name === 'bedrooms' && /^studio(?:\s|$)/i.test(text)) return '0';
  const [, most] = /^\d+\s*[-–]\s*(\d+)$/.exec(text) ?? [];
  if (name === 'max_guests' && most !== undefined) return most;
  const [, number] = /^[^\d-]*(\d+(?:[.,]\d+)?)[^\d]*$/.exec(text) ?? [];
  const count = number?.replace(',', '.');
  return count !== undefined && isValueOf(kind, count) ? count : undefined;
}

export function mappingOf(column: Column, name: string, { all }: FieldTable): ValueMapping {
  const field = all.get(name)!;
  const split = field.kind === 'words' ? splitOf(column) : undefined;
  if (split !== undefined) return { from: column.name, split };
  const pairs = [...(column.words?.keys() ?? [])].sort().flatMap((word) => {
    const count = isOf(word, name, field) ? undefined : countIn(word, name, field);
    return count === undefined ? [] : [[word, count] as const];
  });
  if (pairs.length > 0) return { from: column.name, map: Object.fromEntries(pairs) };
  return field.kind === 'decimal' ? numberOf(column) : column.name;
}

export function numberOf({ name, share }: Column): ValueMapping {
  return share.comma > 0.5 && share.dotted === 0 ? { from: name, decimal: ',' } : name;
}

/** The likelier ones first, which win where two divide the same texts. */
const SEPARATORS = ['|', ';', '\n', ','] as const;

export function splitOf({ samples, words, list }: Column): string | undefined {
  if (list !== undefined) return undefined;
  if (samples.some((text) => /^\s*[[{].*[\]}…]\s*$/s.test(text))) return 'json';
  const texts = words ? [...words.keys()] : samples;
  const divided = (separator: string) => texts.filter((text) => text.includes(separator)).length;
  const [best] = SEPARATORS.toSorted((one, other) => divided(other) - divided(one));
  return best !== undefined && divided(best) > 0 ? best : undefined;
}
