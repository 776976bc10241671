import { randomUUID } from 'node:crypto';
import { FIELD_NAMES, type FieldTable } from '../contract/fields.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import { fieldsIn, type Terms } from '../contract/terms.ts';
import { toNfc } from '../contract/unicode.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { type Corrector, correctorFor } from '../source/correction.ts';
import { repairedText } from '../source/damaged-text.ts';
import { certainMatch } from '../source/did-you-mean.ts';
import { findFieldBySynonym } from '../source/field-synonym.ts';
import { isNullWord } from '../source/null-word.ts';
import { type TextKind, textKindOf } from '../source/text-kind.ts';
import { correctedWord } from '../source/vocabulary-word.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { memoizeByObject } from '../values/memoize.ts';

export type ValueRepair = {
  readonly path: readonly (string | number)[];
  readonly from: string;
  readonly to: string;
};

export function withValueRepairs(values: Mapping, changes: readonly ValueRepair[]): Mapping {
  if (changes.length === 0) return values;
  const changed: Record<string, unknown> = { ...values };
  const change = (value: unknown, [step, ...rest]: ValueRepair['path'], to: string): unknown => {
    if (step === undefined) return to;
    if (Array.isArray(value)) return value.with(step as number, change(value[step as number], rest, to));
    return { ...(value as Mapping), [step]: change((value as Mapping)[step], rest, to) };
  };
  for (const { path, to } of changes) {
    const [field = '', ...rest] = path;
    changed[field] = change(changed[field], rest, to);
  }
  return changed;
}

type FieldRepair = { readonly fix: Corrector | undefined; readonly kind: TextKind | undefined };
type FieldRepairs = ReadonlyMap<string, FieldRepair & { readonly entries: ReadonlyMap<string, FieldRepair> }>;

/** Cached, because importing a table calls this for every row. */
const fieldRepairsOf = memoizeByObject((terms: Terms): FieldRepairs => {
  const { fields, vocabulary } = terms;
  return new Map(
    [...fields.all].map(([field, entry]) => {
      const entries = [...fieldsIn(fields, field).keys()].map((key) => {
        const repair = { fix: fixOf(key, vocabulary), kind: textKindOf(fields, key, field) };
        return [key, repair] as const;
      });
      const fix = field === 'id' ? uuidMeant : correctorFor(field, entry);
      return [field, { fix, kind: textKindOf(fields, field), entries: new Map(entries) }];
    }),
  );
});

export function valueRepairsOf(value: unknown, terms: Terms): ValueRepair[] {
  if (!isMapping(value)) return [];
  const { fields, vocabulary } = terms;
  const changes: ValueRepair[] = [];
  if (needsNewId(value, fields))
    changes.push({ path: ['id'], from: String(value.id ?? ''), to: randomUUID() });
  const add = (path: ValueRepair['path'], from: unknown, repair: FieldRepair) => {
    const to = typeof from === 'string' ? meant(from, repair, value) : undefined;
    if (to !== undefined) changes.push({ path, from: from as string, to });
    return to;
  };
  for (const [field, repair] of fieldRepairsOf(terms)) {
    const found = value[field];
    if (field === 'id' && changes.length > 0) continue;
    if (!Array.isArray(found)) {
      if (typeof found === 'string') add([field], found, repair);
      continue;
    }
    const present: unknown[] = [...found];
    const { kind } = repair;
    const fixWord: Corrector = (text) => {
      const word = correctedWord(text, vocabulary.facilities);
      return present.includes(word) ? undefined : word;
    };
    found.forEach((item: unknown, index) => {
      if (field === 'facilities') present.push(add([field, index], item, { kind, fix: fixWord }));
      else if (fields.all.get(field)!.declared) add([field, index], item, repair);
      if (typeof item !== 'object' || item === null) return;
      for (const [key, inner] of repair.entries) {
        const text = (item as Record<string, unknown>)[key];
        if (typeof text === 'string') add([field, index, key], text, inner);
      }
    });
  }
  return changes;
}

/** Matches undamaged ASCII texts (the usual case), which only the field's own `fix` can change. */
const SOUND = /^[!-%'-;=-~](?:[ -%'-;=-~]*[!-%'-;=-~])?$/;

function meant(from: string, { fix, kind }: FieldRepair, property: Mapping): string | undefined {
  const text = SOUND.test(from) ? from : repaired(toNfc(withoutEnds(from)), kind);
  const to = fix?.(text, property) ?? text;
  return to === '' || to === from || to === from.replace(/\n$/, '') ? undefined : to;
}

function repaired(text: string, kind: TextKind | undefined): string {
  return (kind && repairedText(text, kind)) ?? text;
}

const BIDI = /\p{Bidi_Control}/u;
const START = /^[\s\p{Bidi_Control}]+/u;
/** The lookbehind keeps the time linear. */
const END = /(?<![\s\p{Bidi_Control}])[\s\p{Bidi_Control}]+$/u;

/** Trims white space and directional marks. If there are directional marks within the text, trims only white space. */
function withoutEnds(text: string): string {
  if (!BIDI.test(text)) return text.trim();
  const inner = text.replace(START, '').replace(END, '');
  return BIDI.test(inner) ? text.trim() : inner;
}

export function needsNewId(value: Mapping, fields: FieldTable): boolean {
  const id = String(value.id ?? '');
  if (id !== '' && !isNullWord(id) && !NO_ID.test(uuidMeant(id))) return false;
  // A file that is not a property needs no id.
  if (!FIELD_NAMES.some((field) => field !== 'id' && Object.hasOwn(value, field))) return false;
  return Object.keys(value).every((key) => key === 'id' || findFieldBySynonym(key, '', fields) !== 'id');
}

const NO_ID = /^(?:0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/;

/** Corrects a UUID in capitals, in braces or parentheses, as a URN (RFC 9562, 4) or without hyphens. */
function uuidMeant(text: string): string {
  const [, digits] = /^(?:urn:uuid:)?[{(]?([\da-f]{32}|[\da-f-]{36})[)}]?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return text;
  const lower = digits.toLowerCase();
  return lower.length === 32 ? lower.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : lower;
}

function fixOf(key: string, { policy_types }: Vocabulary): Corrector | undefined {
  if (key === 'policy_type') return (text) => correctedWord(text, policy_types);
  if (key === 'method_type') return (text) => certainMatch(text, PAYMENT_METHOD_TYPES);
  // A spreadsheet adds the seconds to a time of day, such as that of a policy.
  if (key === 'detail') return (text) => /^(\d{1,2}:\d{2}):00$/.exec(text)?.[1];
  return key === 'id' ? uuidMeant : correctorFor(key, undefined);
}
