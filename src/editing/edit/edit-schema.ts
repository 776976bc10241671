/** Edits that come from outside, checked. */
import * as z from 'zod';
import type { Authored, Edit, Path } from './edit.ts';

const name = z.string().min(1).max(200);
const place = z.number().int().min(0).max(10_000);
const path: z.ZodType<Path> = z
  .array(z.union([name, place]))
  .min(1)
  .max(3);
const text = z.string().max(100_000);

/** A value of a property is a text, a list of texts, or a list of mappings of texts. */
const scalar = z.union([text, z.null()]);
const item = z.union([scalar, z.record(name, scalar)]);
const value: z.ZodType<Authored> = z.union([item, z.array(item).max(1_000)]);

/** The schema of one edit. */
export const editSchema: z.ZodType<Edit> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set'), path, value }),
  z.strictObject({ kind: z.literal('remove'), path }),
  z.strictObject({ kind: z.literal('insert'), path, value }),
  z.strictObject({ kind: z.literal('move'), path, to: place }),
  z.strictObject({ kind: z.literal('rename'), path, to: name }),
]);
