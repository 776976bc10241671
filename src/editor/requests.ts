/** Schemas and types of the request bodies that `api.ts` lists; `catalogue dev` parses with them. */
import * as z from 'zod';
import type { Authored, FieldValues } from '../editing/field-values.ts';
import type { CheckResponse, PropertyResponse, RemoveResponse } from './api.ts';
import type { CommitResponse } from './changes.ts';
import type { ReceiveResponse, RemoteResponse } from './remote.ts';

const text = z.string().max(2000);
/** A text that becomes an argument of a process, which U+0000 would end. */
const argument = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !value.includes('\0'), 'it has the character U+0000');
const file = { path: text, version: text };

/** A value: a text, a list of texts, or a list of mappings of texts; null for none. */
const name = z.string().min(1).max(200);
const scalar = z.union([z.string().max(100_000), z.null()]);
const item = z.union([scalar, z.record(name, scalar)]);
const value: z.ZodType<Authored> = z.union([item, z.array(item).max(10_000)]);
const fields: z.ZodType<FieldValues> = z.record(name, value);

/** Body schemas by the request's name. */
export const BODIES = {
  /** Checks other values without writing them. Path null: a property without a file, with an empty version. */
  check: z.strictObject({ ...file, path: text.nullable(), fields }),
  /** Accepts invalid values: the answer has the findings. With `isSeparating`, shared values are written out first. */
  save: z.strictObject({ ...file, fields, isSeparating: z.boolean().optional() }),
  /** Restores a property that this session removed, with its photos. */
  restore: z.strictObject({ path: text }),
  new: z.strictObject({ fields }),
  copy: z.strictObject({ ...file, title: text }),
  /** Renames a file to match its title, city and country. The id, and so the address in the API, stays. */
  rename: z.strictObject(file),
  /** With `isRehearsal`, only returns the photos that would be removed. */
  remove: z.strictObject({ ...file, isRehearsal: z.boolean().optional() }),
  /** Makes the maps of the catalogue show streets of OpenStreetMap. */
  streets: z.strictObject({}),
  /** Commits these files only, on a new branch if one is given. */
  commit: z.strictObject({
    message: argument(20_000),
    branch: argument(200).min(1).optional(),
    files: z.array(z.strictObject(file)).max(20_000).readonly(),
  }),
  look: z.strictObject({}),
  send: z.strictObject({}),
  /** Brings the records of colleagues in. `choices`: by the keys of the conflicts of an earlier answer, with its mark. */
  receive: z.strictObject({
    mark: text,
    choices: z.record(argument(3000), z.enum(['yours', 'theirs'])).readonly(),
  }),
  'open-branch': z.strictObject({ branch: argument(200).min(1) }),
  /** Takes back what is saved and not recorded: some fields, or the whole file. */
  'take-back': z.strictObject({ ...file, fields: z.array(name).max(100).readonly().optional() }),
};

export type PostRequestName = keyof typeof BODIES;

export type Body<Name extends PostRequestName> = z.infer<(typeof BODIES)[Name]>;

export type Answers = {
  readonly [Name in 'save' | 'restore' | 'new' | 'copy' | 'rename']: PropertyResponse;
} & {
  readonly [Name in 'look' | 'send' | 'open-branch']: RemoteResponse;
} & {
  readonly receive: ReceiveResponse;
  readonly 'take-back': object;
  readonly check: CheckResponse;
  readonly remove: RemoveResponse;
  readonly streets: object;
  readonly commit: CommitResponse;
};
