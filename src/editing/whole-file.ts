/** New, copied and renamed property files, as plans: what to write where. Nothing is written here. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isMapping, type Mapping } from '../mapping.ts';
import { readExactly } from '../source/yaml-document.ts';
import type { Authored, FieldValues } from './field-values.ts';
import { folderOf, freePath } from './file-name.ts';
import type { Refusal } from './refusal.ts';
import { SCHEMA_FILE, schemaLine, withSchemaLine } from './schema-file.ts';
import { setFields } from './set-fields.ts';

/** A property file. `path`: relative to the content folder, with `/`. */
export type PropertyText = { readonly path: string; readonly text: string };

/**
 * Plans a file for a new property, with a fresh id. Its name follows from its title, and its folder from its country.
 *
 * @param content absolute path of the content folder.
 */
export function planNew(content: string, values: FieldValues): PropertyText | Refusal {
  const set = setFields('', { ...values, id: randomUUID() });
  if ('refused' in set) return set;
  const path = pathFor(content, set.text);
  const head = existsSync(join(content, SCHEMA_FILE)) ? `${schemaLine(path)}\n\n` : '';
  return { path, text: head + set.text };
}

/**
 * Plans a copy of a property: a fresh id, fresh ids of its photos, another title; everything else stays as it is.
 *
 * @param title of the copy. @default that of the property, with ` (copy)` behind
 */
export function planCopy(content: string, source: PropertyText, title?: string): PropertyText | Refusal {
  const { photo, title: before = '' } = valuesOf(source.text);
  const copied = setFields(source.text, {
    id: randomUUID(),
    title: title ?? `${String(before)} (copy)`,
    ...withPhotos(photo, (entry) => (typeof entry.id === 'string' ? { ...entry, id: randomUUID() } : entry)),
  });
  return 'refused' in copied
    ? copied
    : moved(source.path, copied.text, pathFor(content, copied.text, source.path));
}

/**
 * Plans the name that a file would get now: it follows from title, city and country. Paths of photos in it follow.
 *
 * @returns the file as it is, when its name fits
 */
export function planRename(content: string, source: PropertyText): PropertyText | Refusal {
  return moved(source.path, source.text, pathFor(content, source.text, source.path, source.path));
}

/** The text for another path: relative paths still lead to the same files. */
function moved(from: string, text: string, to: string): PropertyText | Refusal {
  const [before, after] = [posix.dirname(from), posix.dirname(to)];
  if (before === after) return { path: to, text };
  const fields = withPhotos(valuesOf(text).photo, (entry) => {
    const { file } = entry;
    if (typeof file !== 'string' || file.startsWith('/')) return entry;
    return { ...entry, file: posix.relative(after, posix.join(before, file.trim())) };
  });
  const set = setFields(text, fields);
  return 'refused' in set ? set : { path: to, text: withSchemaLine(set.text, to) };
}

/** The photos of a property with each entry changed; no field where there are none. */
function withPhotos(photo: unknown, change: (entry: Mapping) => Mapping): FieldValues {
  if (!Array.isArray(photo)) return {};
  return { photo: photo.map((entry) => (isMapping(entry) ? change(entry) : entry)) as Authored };
}

/**
 * The path for a property. One that lies elsewhere than new properties do stays in its folder.
 *
 * @param beside the file that it comes from.
 * @param own a path that counts as free.
 */
function pathFor(content: string, text: string, beside?: string, own?: string): string {
  const values = valuesOf(text);
  const textOf = (field: string) => (typeof values[field] === 'string' ? String(values[field]).trim() : '');
  const property = {
    id: textOf('id'),
    title: textOf('title'),
    city: textOf('city'),
    country: textOf('country'),
  };
  const extension = beside?.endsWith('.yml') ? '.yml' : '.yaml';
  const named = (path: string) => path.replace(/\.yaml$/, extension);
  const isTaken = (path: string) =>
    named(path).toLowerCase() !== own?.toLowerCase() &&
    ['.yaml', '.yml'].some((ending) => existsSync(join(content, path.replace(/\.yaml$/, ending))));
  return named(freePath(property, isTaken, folderFor(property, beside)).path);
}

function folderFor(property: { country: string }, beside: string | undefined): string {
  if (beside === undefined) return folderOf(property);
  const folder = posix.dirname(beside);
  const [, above] = /^(.*\/)?properties(?:\/[a-z]{2})?$/.exec(folder) ?? [];
  return /(?:^|\/)properties(?:\/[a-z]{2})?$/.test(folder) ? (above ?? '') + folderOf(property) : folder;
}

/** What a text says; empty where it cannot be read. */
function valuesOf(text: string): Mapping {
  const value = readExactly(text.replace(/^\ufeff/, ''), '').value;
  return isMapping(value) ? value : {};
}
