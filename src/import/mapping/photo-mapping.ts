import { type Column, isContainer } from '../table/profile.ts';
import { COLUMN_LANGUAGES, splitLanguage } from '../words/column-names.ts';
import { separatorOf } from './declared-columns.ts';
import type { EntryMapping } from './mapping.ts';

export function photoEntries(
  photos: readonly Column[],
  columns: readonly Column[],
  captions: readonly Column[] = [],
  languages: readonly string[] = [],
): EntryMapping[] {
  const numberIn = (name: string) => /(\d+)\D*$/.exec(name)?.[1] ?? '';
  return photos.flatMap((column): EntryMapping[] => {
    if (column.list === 'objects') return photosOfObjects(column, columns, languages);
    // A column inside a list of objects needs no entry of its own: the entry of the list uses it.
    if (photos.some((other) => other.list === 'objects' && column.name.startsWith(`${other.name}.`)))
      return [];
    const key = column.samples.some((text) => /https?:\/\//i.test(text)) ? 'url' : 'file';
    if (column.list === 'texts') return [{ each: column.name, [key]: '.' }];
    const split = separatorOf(column);
    // A comma may be part of a URL, so it separates links only if another link follows.
    const isList = split !== ',' || column.samples.some((text) => /,\s*https?:/.test(text));
    if (split !== undefined && isList) return [{ each: column.name, split, [key]: '.' }];
    const caption = captions.find(({ name }) => numberIn(name) === numberIn(column.name));
    return [{ [key]: column.name, ...(caption && { description: caption.name }) }];
  });
}

export function innerColumns({ name }: Column, columns: readonly Column[]): Column[] {
  return columns.filter((column) => column.name.startsWith(`${name}.`) && !isContainer(column));
}

function innerName({ name }: Column, inner: Column): string {
  return inner.name.slice(name.length + 1);
}

/** Finds a column such as `photos.title`, or for texts in several languages `photos.title.en`. */
export function innerText(
  list: Column,
  inner: readonly Column[],
  key: RegExp,
  languages: readonly string[],
): Column | undefined {
  const isIn = (all: readonly string[]) => (column: Column) =>
    key.test(splitLanguage(innerName(list, column), all)?.base ?? '');
  return (
    inner.find((column) => key.test(innerName(list, column))) ??
    inner.find(isIn(languages.slice(0, 1))) ??
    inner.find(isIn(COLUMN_LANGUAGES))
  );
}

const CAPTION = /^(?:caption|alt|description|title|text)$/i;

function photosOfObjects(
  list: Column,
  columns: readonly Column[],
  languages: readonly string[],
): EntryMapping[] {
  const inner = innerColumns(list, columns);
  const link = inner.find(({ share }) => share.image > 0.5) ?? inner.find(({ share }) => share.link > 0.5);
  if (!link) return [];
  const caption = innerText(list, inner, CAPTION, languages);
  const description = caption && innerName(list, caption);
  return [{ each: list.name, url: innerName(list, link), ...(caption && { description }) }];
}
