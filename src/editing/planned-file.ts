import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import * as z from 'zod';
import { readTerms } from '../source/configuration-file.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import type { AuthoredValue, FieldValues } from './field-values.ts';
import { freeFileName, propertyFolder } from './file-name.ts';
import { propertyYaml } from './property-text.ts';
import type { Refusal } from './refusal.ts';
import { SCHEMA_FILE, schemaLine, withSchemaLine } from './schema-file.ts';
import { setFields } from './set-fields.ts';

export type PropertyText = { readonly path: string; readonly text: string };

/** Uses the id among the values, or makes a new one. Writes nothing. @param content absolute path */
export function planNewFile(content: string, values: FieldValues): PropertyText {
  const text = propertyYaml({ ...values, id: uuidOf(values.id) }, {}, readTerms(content).fields);
  const path = pathFor(content, text);
  const head = existsSync(join(content, SCHEMA_FILE)) ? `${schemaLine(path)}\n\n` : '';
  return { path, text: head + text };
}

/** Gives new ids to the property and to photos that have one. Writes nothing. */
export function planCopy(content: string, source: PropertyText, title: string): PropertyText | Refusal {
  const { photo } = valuesOf(source.text);
  const copied = setFields(source.text, {
    id: randomUUID(),
    title,
    ...withPhotos(photo, (entry) => (typeof entry.id === 'string' ? { ...entry, id: randomUUID() } : entry)),
  });
  return 'refused' in copied
    ? copied
    : moved(source.path, copied.text, pathFor(content, copied.text, source.path));
}

/**
 * Names the file after title, city and country. Writes nothing.
 * @returns the file unchanged if it has that name already
 */
export function planRename(content: string, source: PropertyText): PropertyText | Refusal {
  return moved(source.path, source.text, pathFor(content, source.text, source.path, source.path));
}

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

function withPhotos(photo: unknown, change: (entry: Mapping) => Mapping): FieldValues {
  if (!Array.isArray(photo)) return {};
  return { photo: photo.map((entry) => (isMapping(entry) ? change(entry) : entry)) as AuthoredValue };
}

/**
 * A file outside the usual folders stays in its folder. `beside`: the path of the file that is copied or renamed.
 * `own`: the path of the file that is renamed; this path counts as free.
 */
function pathFor(content: string, text: string, beside?: string, own?: string): string {
  const values = valuesOf(text);
  const textOf = (field: string) => (typeof values[field] === 'string' ? String(values[field]).trim() : '');
  const property = {
    id: uuidOf(textOf('id')),
    title: textOf('title'),
    city: textOf('city'),
    country: textOf('country'),
  };
  const extension = beside?.endsWith('.yml') ? '.yml' : '.yaml';
  const named = (path: string) => path.replace(/\.yaml$/, extension);
  const isTaken = (path: string) =>
    named(path).toLowerCase() !== own?.toLowerCase() &&
    ['.yaml', '.yml'].some((ending) => existsSync(join(content, path.replace(/\.yaml$/, ending))));
  return named(freeFileName(property, isTaken, folderFor(property, beside)).path);
}

function folderFor(property: { country: string }, beside: string | undefined): string {
  if (beside === undefined) return propertyFolder(property);
  const folder = posix.dirname(beside);
  const [, above] = /^(.*\/)?properties(?:\/[a-z]{2})?$/.exec(folder) ?? [];
  return /(?:^|\/)properties(?:\/[a-z]{2})?$/.test(folder)
    ? (above ?? '') + propertyFolder(property)
    : folder;
}

/** Replaces a value that is not a UUID by a random UUID, since the id becomes a part of file names. */
function uuidOf(value: unknown): string {
  return z.uuid().safeParse(value).data ?? randomUUID();
}

function valuesOf(text: string): Mapping {
  const value = readYamlExactly(text.replace(/^\ufeff/, ''), '').value;
  return isMapping(value) ? value : {};
}
