/** What differs between two forms of a property, in words. */
import { FIELD_LABELS } from '../contract/field-labels.ts';
import type { Photo, Property } from '../contract/property.ts';

/** One thing that differs. */
export type FieldChange = {
  /** What it is about, for people: "Title", "Photo". */
  readonly label: string;
  /** Field of the API. */
  readonly field: string;
  /** Values before and after; undefined when it came or went. Shortened to what is shown. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Characters of a value that are shown. */
const SHOWN = 120;

/** @param fields names of the fields that differ, as `changesBetween` tells them. */
export function fieldChanges(before: Property, after: Property, fields: readonly string[]): FieldChange[] {
  return fields.flatMap((field) => {
    const make = (old: string | undefined, now: string | undefined): FieldChange => ({
      label: FIELD_LABELS[field] ?? field,
      field,
      before: old === undefined ? undefined : shortened(old, now),
      after: now === undefined ? undefined : shortened(now, old),
    });
    if (field === 'thumbnail') return [make('the old one', 'another one')];
    if (field === 'photo') return photoChanges(before.photo, after.photo, make);
    const [one, other] = [before, after].map((property) => property[field as keyof Property] as unknown);
    if (!Array.isArray(one) || !Array.isArray(other)) return [make(scalarText(one), scalarText(other))];
    return listChanges(one.map(textOf), other.map(textOf), make);
  });
}

/** A value that is no list; undefined where a release of another version has no such field. */
function scalarText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

type Make = (before: string | undefined, after: string | undefined) => FieldChange;

/** What went and what came; the order, when nothing did. */
function listChanges(before: readonly string[], after: readonly string[], make: Make): FieldChange[] {
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length + come.length === 0) return [make(before.join(', '), after.join(', '))];
  // One that went and one that came is one that changed.
  if (gone.length === 1 && come.length === 1) return [make(gone[0], come[0])];
  return [...gone.map((text) => make(text, undefined)), ...come.map((text) => make(undefined, text))];
}

/** The texts of a list that another one has not, as often as they stand there. */
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
    }
  }
  return [...[...old.values()].map((photo) => make(photoText(photo), undefined)), ...changes];
}

function photoText({ description, url }: Photo): string {
  return description ?? url;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const entry = value as Record<string, unknown>;
  if ('policy_type' in entry) return `${entry.policy_type}: ${entry.detail}`;
  return `${entry.method_type}${entry.is_enabled ? '' : ', not accepted'}`;
}

/** A text on one line; a long one around the place where it differs from another one. */
function shortened(whole: string, another = ''): string {
  const [text, other] = [whole, another].map((value) => value.replaceAll('\n', ' ↵ ')) as [string, string];
  const characters = [...text];
  if (characters.length <= SHOWN) return text;
  const others = [...other];
  let same = 0;
  while (same < characters.length && characters[same] === others[same]) same++;
  const start = Math.max(0, Math.min(same - 30, characters.length - SHOWN));
  const end = start + SHOWN;
  return `${start > 0 ? '…' : ''}${characters.slice(start, end).join('')}${end < characters.length ? '…' : ''}`;
}
