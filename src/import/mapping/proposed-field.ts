/** Proposes new fields for columns that fit no known field. */
import anyAscii from 'any-ascii';
import { isValidValue } from '../../contract/declared-field-values.ts';
import { fieldsSchema } from '../../contract/field-declarations.ts';
import type { Field, FieldTable } from '../../contract/fields.ts';
import type { AuthoredValue } from '../../editing/field-values.ts';
import { correctorFor } from '../../source/correction.ts';
import { squareMetres } from '../../source/quantity.ts';
import { type Column, textsOf } from '../table/profile.ts';
import { translationNamed } from '../words/column-names.ts';
import { currencyInAmount, withDecimalPoint } from '../words/column-values.ts';
import { decimalMark } from './decimal-mark.ts';

export type ProposedField = {
  readonly name: string;
  readonly field: Field;
  readonly options: { readonly [option: string]: AuthoredValue };
};

/** A column with at most `MAX_CHOICES` values of at most `MAX_CHOICE` UTF-16 units each may become a choice. */
const MAX_CHOICES = 12;
const MAX_CHOICE = 30;
/** Matches sentences: four words, or three with a number. A column with a sentence has free text, not choices. */
const SENTENCE = /^\S+(?:\s+\S+){3}|^(?=.*\d)\S+\s+\S+\s+\S/;
/** Matches names such as "Jan de Vries". */
const PERSON = /^\p{Lu}[\p{L}.’'-]+(?: \p{Ll}{1,3}){0,2}(?: \p{Lu}[\p{L}.’'-]+){1,2}$/u;

/**
 * Proposes a new field for a column. Undefined if no valid field name can be made from the column's name, or if a field
 * with that name exists, or for a translation such as `description_fr`.
 */
export function proposedFieldOf(column: Column, table: FieldTable): ProposedField | undefined {
  const { all } = table;
  const name = fieldName(column.name);
  const label = name.replaceAll('_', ' ');
  const isLabel = label.toLowerCase() === column.name.replaceAll('_', ' ').toLowerCase();
  const options = { ...typeOf(column), ...(!isLabel && { label: column.name }) };
  const field =
    all.has(name) || translationNamed(column.name, table)
      ? undefined
      : fieldsSchema.safeParse({ [name]: options }).data?.[name];
  return field && { name, field, options };
}

function fieldName(text: string): string {
  return wordName(text)
    .replace(/^[_0-9]+/, '')
    .slice(0, 40);
}

function wordName(text: string): string {
  return anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/**
 * Minimum share of numbers, links or dates for a column to become a field of that type. An import then leaves out the
 * column's other texts.
 */
const NEARLY_ALL = 0.9;
/** A column with more than this share of prices becomes a field of prices. Others are words such as "on request". */
const MOST = 0.5;
const dateIn = correctorFor('', fieldsSchema.parse({ date: { type: 'date' } }).date)!;

function typeOf(column: Column): ProposedField['options'] {
  const { filled, placeholders, longest, share, list, words } = column;
  const texts = textsOf(column);
  const mark = decimalMark(column, { kind: 'decimal' });
  if (list) return { type: 'text', list: 'true' };
  if (share.boolean > 0.9) return { type: 'boolean' };
  const shareOf = (isIt: (text: string) => boolean) =>
    texts.reduce((sum, text) => sum + (isIt(text) ? (words?.get(text) ?? 1) : 0), 0) /
    (words ? filled - placeholders : texts.length);
  const shareAs = (type: 'integer' | 'decimal' | 'link') =>
    shareOf((text) => isValidValue(type, withDecimalPoint(text, mark)));
  // A text such as 0123 is a code, not a number.
  const isCode = texts.some((text) => /^0\d/.test(text));
  for (const type of isCode ? (['link'] as const) : (['integer', 'decimal', 'link'] as const))
    if (shareAs(type) >= NEARLY_ALL && shareAs(type) >= shareAs('decimal')) return { type };
  const unit = texts.flatMap((text) => currencyInAmount(text) ?? [])[0];
  if (unit && shareOf((text) => currencyInAmount(text) === unit) > MOST) return { type: 'decimal', unit };
  if (shareOf((text) => squareMetres(text) !== undefined) > MOST) return { type: 'decimal', unit: 'm²' };
  if (shareOf((text) => isValidValue('date', dateIn(text, {}) ?? text)) >= NEARLY_ALL)
    return { type: 'date' };
  const isFree = texts.some((text) => SENTENCE.test(text)) || texts.every((text) => PERSON.test(text));
  const isChoice =
    words &&
    words.size <= MAX_CHOICES &&
    words.size * 3 <= filled - placeholders &&
    longest <= MAX_CHOICE &&
    !isFree;
  const choices = Object.fromEntries(texts.map((text) => [wordName(text), text]));
  const isNamed = Object.keys(choices).every((choice) => /^[a-z]/.test(choice));
  if (isChoice && isNamed && Object.keys(choices).length === texts.length) return { type: 'choice', choices };
  return { type: longest > 300 || texts.some((text) => /\n./.test(text)) ? 'lines' : 'text' };
}
