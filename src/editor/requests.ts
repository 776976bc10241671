/** The bodies of the requests that `api.ts` lists: the schemas that `catalogue dev` reads them with, and their types. */
import * as z from 'zod';
import type { Authored, FieldValues } from '../editing/field-values.ts';
import type { CheckAnswer, PropertyAnswer, RemoveAnswer } from './api.ts';
import type { CommitAnswer } from './changes.ts';

const text = z.string().max(2000);
/** A file as it was shown. */
const file = { path: text, version: text };

/** A value: a text, a list of texts, or a list of mappings of texts; null is no value. */
const name = z.string().min(1).max(200);
const scalar = z.union([z.string().max(100_000), z.null()]);
const item = z.union([scalar, z.record(name, scalar)]);
const value: z.ZodType<Authored> = z.union([item, z.array(item).max(10_000)]);
const fields: z.ZodType<FieldValues> = z.record(name, value);

/** The body of every request that has one, by the name of the request. */
export const BODIES = {
  /** Asks about other values of fields; nothing is written. Path null: a property without a file, whose version is empty. */
  check: z.strictObject({ ...file, path: text.nullable(), fields }),
  /** Is never refused for what a value says: the answer has the findings. */
  save: z.strictObject({ ...file, fields }),
  /** Brings back a property that this session removed, with its photos. */
  restore: z.strictObject({ path: text }),
  /** Writes a file for a new property, with a fresh id. Its name follows from title, city and country. */
  new: z.strictObject({ fields }),
  /** Copies a property: a fresh id, and everything else as it is. `title`: of the copy. */
  copy: z.strictObject({ ...file, title: text }),
  /** Gives a file the name that its title, city and country ask for now. Its id, thus its address in the API, stays. */
  rename: z.strictObject(file),
  /** `isRehearsal`: says what would be removed, and removes nothing. */
  remove: z.strictObject({ ...file, isRehearsal: z.boolean().optional() }),
  /** Commits these files and nothing else, on a new branch if one is named. */
  commit: z.strictObject({
    message: z.string().max(20_000),
    branch: z.string().min(1).max(200).optional(),
    files: z.array(z.strictObject(file)).max(20_000).readonly(),
  }),
};

/** The name of a request with a body. */
export type Posted = keyof typeof BODIES;

/** The body of a request. */
export type Body<Name extends Posted> = z.infer<(typeof BODIES)[Name]>;

/** The answers to them. */
export type Answers = {
  readonly [Name in Exclude<Posted, 'check' | 'remove' | 'commit'>]: PropertyAnswer;
} & {
  readonly check: CheckAnswer;
  readonly remove: RemoveAnswer;
  readonly commit: CommitAnswer;
};
