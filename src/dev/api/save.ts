/** Saves other values of fields. */
import * as z from 'zod';
import type { Authored, FieldValues, PropertyAnswer, SaveRequest } from '../../editor/api.ts';
import { replaceContentFile } from './content-folder.ts';
import type { Desk } from './desk.ts';
import { conflictAt, propertyAnswer, readProperty, textWith } from './property.ts';
import { Refused } from './refused.ts';

/** The schema of a value: a text, a list of texts, or a list of mappings of texts; null is no value. */
const name = z.string().min(1).max(200);
const scalar = z.union([z.string().max(100_000), z.null()]);
const item = z.union([scalar, z.record(name, scalar)]);
const value: z.ZodType<Authored> = z.union([item, z.array(item).max(10_000)]);

/** The schema of values by field. */
export const fieldValues: z.ZodType<FieldValues> = z.record(name, value);

/**
 * Writes the lines of the fields that differ, and has them built.
 *
 * @throws Refused `changed-meanwhile`, `not-editable`, `not-found`, `not-written`.
 */
export async function saveFields(
  desk: Desk,
  { path, version, fields }: SaveRequest,
): Promise<PropertyAnswer> {
  const { session } = desk;
  const { bytes, version: now } = await readProperty(desk, path);
  if (now !== version) throw await conflictAt(desk, path);
  const after = Buffer.from(textWith(desk, path, bytes, fields));
  if (!after.equals(bytes)) {
    try {
      replaceContentFile(session.content, path, version, after);
    } catch (error) {
      throw error instanceof Refused && error.code === 'changed-meanwhile'
        ? await conflictAt(desk, path)
        : error;
    }
    session.hear(path);
  }
  return propertyAnswer(desk, path);
}
