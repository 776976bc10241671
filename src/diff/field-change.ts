import { type Translation, valuesByField } from '../contract/detail-values.ts';
import { entryFields, type FieldTable, fieldLabel } from '../contract/fields.ts';
import type { Photo, Property } from '../contract/property.ts';
import { STANDARD_FIELD_TABLE } from '../contract/terms.ts';

export type FieldChange = {
  readonly label: string;
  /** Name in the property's file, such as `title@fr`. */
  readonly field: string;
  /** Shortened for display. Undefined if the field or entry is absent on that side. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

const MAX_SHOWN = 120;

export function fieldChanges(
  before: Property,
  after: Property,
  fields: readonly string[],
  table: FieldTable = STANDARD_FIELD_TABLE,
): FieldChange[] {
  const [olds, nows] = [valuesByField(before), valuesByField(after)];
  return fields.flatMap((field) => {
    const name = field.replace(/^attributes\./, '');
    const make = (old: string | undefined, now: string | undefined): FieldChange => ({
      label: fieldLabel(name, '', table),
      field: name,
      before: old === undefined ? undefined : shortened(old, now),
      after: now === undefined ? undefined : shortened(now, old),
    });
    if (field === 'thumbnail') return [make('the old one', 'another one')];
    // A release of another version may lack the field.
    if (field === 'photo') return photoChanges(before.photo ?? [], after.photo ?? [], make);
    const [one, other] = [olds.get(field), nows.get(field)];
    if (field.startsWith('translations.')) return translationChanges(field, one, other, table);
    if (!Array.isArray(one ?? other)) return [make(scalarText(one), scalarText(other))];
    const [texts, others] = [one, other].map((list) =>
      ((list ?? []) as unknown[]).map((entry) => textOf(field, entry)),
    );
    return listChanges(texts!, others!, make);
  });
}

function translationChanges(
  translation: string,
  one: unknown,
  other: unknown,
  table: FieldTable,
): FieldChange[] {
  const language = translation.slice('translations.'.length);
  const [before, after] = [textsOf(one as Translation), textsOf(other as Translation)];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === now) return [];
    const [base = '', part] = name.split('.');
    const field = part === undefined ? `${base}@${language}` : base;
    return [
      {
        label: part === undefined ? fieldLabel(field, '', table) : `${fieldLabel(base)} (${language})`,
        field,
        before: old === undefined ? undefined : shortened(old, now),
        after: now === undefined ? undefined : shortened(now, old),
      },
    ];
  });
}

/** Texts by name: `title`, `description`, `photo.<id>`, `hotel_policy.0`. */
function textsOf({
  title,
  attributes = {},
  photo = {},
  hotel_policy = [],
}: Translation = {}): Map<string, string> {
  const parts = (list: string, texts: object) =>
    Object.entries(texts).flatMap(([key, text]: [string, string | null]) =>
      text === null ? [] : [[`${list}.${key}`, text] as const],
    );
  return new Map([
    ...(title === undefined ? [] : [['title', title] as const]),
    ...Object.entries(attributes),
    ...parts('photo', photo),
    ...parts('hotel_policy', hotel_policy),
  ]);
}

function scalarText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

type Make = (before: string | undefined, after: string | undefined) => FieldChange;

function listChanges(before: readonly string[], after: readonly string[], make: Make): FieldChange[] {
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length + come.length === 0) return [make(before.join(', '), after.join(', '))];
  if (gone.length === 1 && come.length === 1) return [make(gone[0], come[0])];
  return [...gone.map((text) => make(text, undefined)), ...come.map((text) => make(undefined, text))];
}

function without(list: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return list.filter((text) => {
    const index = left.indexOf(text);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

function photoChanges(before: readonly Photo[], after: readonly Photo[], make: Make): FieldChange[] {
  const old = new Map(before.map((photo) => [photo.id, photo]));
  const changes: FieldChange[] = [];
  for (const photo of after) {
    const was = old.get(photo.id);
    old.delete(photo.id);
    if (!was) changes.push(make(undefined, photoText(photo)));
    else if (was.description !== photo.description) {
      changes.push(make(was.description ?? 'no description', photo.description ?? 'no description'));
    } else if (was.url !== photo.url) changes.push(make(was.url, photo.url));
    else if (was.position !== photo.position) {
      const name = photo.description ?? 'photo';
      changes.push(make(`${name}, at place ${was.position}`, `${name}, at place ${photo.position}`));
    } else changes.push(...otherChanges(was, photo, make));
  }
  return [...[...old.values()].map((photo) => make(photoText(photo), undefined)), ...changes];
}

function otherChanges(before: Photo, after: Photo, make: Make): FieldChange[] {
  return [...entryFields('photo')].flatMap(([key, { label }]) => {
    const [one, other] = [before, after].map((photo) => (photo as Readonly<Record<string, unknown>>)[key]);
    const text = (value: unknown) =>
      value === undefined ? undefined : `${photoText(after)}, ${label} ${value}`;
    return one === other ? [] : [make(text(one), text(other))];
  });
}

function photoText({ description, url }: Photo): string {
  return description ?? url;
}

function textOf(list: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = [...entryFields(list)].map(([key, field]) => ({
    ...field,
    value: (value as Record<string, unknown>)[key],
  }));
  const texts = fields.filter((field) => typeof field.value === 'string' || typeof field.value === 'number');
  const denied = fields.filter((field) => field.value === false);
  return [texts.map((field) => field.value).join(': '), ...denied.map(({ label }) => `not ${label}`)].join(
    ', ',
  );
}

function shortened(whole: string, another = ''): string {
  const [text, other] = [whole, another].map((value) => value.replaceAll('\n', ' ↵ ')) as [string, string];
  const characters = [...text];
  if (characters.length <= MAX_SHOWN) return text;
  const others = [...other];
  let same = 0;
  while (same < characters.length && characters[same] === others[same]) same++;
  const start = Math.max(0, Math.min(same - 30, characters.length - MAX_SHOWN));
  const end = start + MAX_SHOWN;
  return `${start > 0 ? '…' : ''}${characters.slice(start, end).join('')}${end < characters.length ? '…' : ''}`;
}
