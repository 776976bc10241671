import * as z from 'zod';
import type { AuthoredValue, FieldValues } from '../editing/field-values.ts';
import type { CheckResponse, PropertyResponse, RemoveResponse } from './api.ts';
import type { CommitResponse, RevertResponse } from './changes.ts';
import type { MergeResponse, RemoteResponse } from './git-remote.ts';

const text = z.string().max(2000);
/** May become an argument of a process, so it must not contain U+0000. */
const argument = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((value) => !value.includes('\0'), 'it has the character U+0000');
const file = { path: text, version: text };

const name = z.string().min(1).max(200);
const scalar = z.union([z.string().max(100_000), z.null()]);
const item = z.union([scalar, z.record(name, scalar)]);
const value: z.ZodType<AuthoredValue> = z.union([item, z.array(item).max(10_000)]);
const fields: z.ZodType<FieldValues> = z.record(name, value);

export const REQUEST_BODY_SCHEMAS = {
  /** Writes nothing. `path`: null (with an empty version) until the property has a file. */
  check: z.strictObject({ ...file, path: text.nullable(), fields }),
  /**
   * Accepts invalid values; the response has the findings. `isSeparating`: if fields share a value by YAML aliases,
   * first writes the value into each of them. `isMerging`: the file has conflict markers, and `fields` change its first
   * version (`yours`).
   */
  save: z.strictObject({
    ...file,
    fields,
    isSeparating: z.boolean().optional(),
    isMerging: z.boolean().optional(),
  }),
  restore: z.strictObject({ path: text }),
  create: z.strictObject({ fields }),
  copy: z.strictObject({ ...file, title: text }),
  /** Names the file after title, city and country. The id does not change, so the published URLs stay. */
  rename: z.strictObject(file),
  remove: z.strictObject({ ...file, isRehearsal: z.boolean().optional() }),
  'set-street-map': z.strictObject({ areShown: z.boolean() }),
  commit: z.strictObject({
    message: argument(20_000),
    branch: argument(200).min(1).optional(),
    files: z.array(z.strictObject(file)).max(200_000).readonly(),
  }),
  fetch: z.strictObject({}),
  push: z.strictObject({}),
  /**
   * Merges the fetched commits. `choices`: side to keep of each conflict, by `key`. `mark`: copied from the response
   * that listed the conflicts; empty in the first request.
   */
  merge: z.strictObject({
    mark: text,
    choices: z.record(argument(3000), z.enum(['yours', 'theirs'])).readonly(),
  }),
  'switch-branch': z.strictObject({ branch: argument(200).min(1) }),
  /** Keeps one side of a file. Refused if the file or a side changed since the `version` of its `WholeFileChoice`. */
  'keep-side': z.strictObject({ ...file, side: z.enum(['yours', 'theirs']) }),
  /** Reverts the file, or only `fields`, to the last commit. */
  revert: z.strictObject({ ...file, fields: z.array(name).max(100).readonly().optional() }),
};

export type PostRequestName = keyof typeof REQUEST_BODY_SCHEMAS;

export type RequestBody<Name extends PostRequestName> = z.infer<(typeof REQUEST_BODY_SCHEMAS)[Name]>;

export type ResponseByRequestName = {
  readonly [Name in 'save' | 'create' | 'copy' | 'rename']: PropertyResponse;
} & {
  readonly [Name in 'fetch' | 'push' | 'switch-branch']: RemoteResponse;
} & {
  readonly merge: MergeResponse;
  readonly 'keep-side': object;
  readonly restore: object;
  readonly revert: RevertResponse;
  readonly check: CheckResponse;
  readonly remove: RemoveResponse;
  readonly 'set-street-map': object;
  readonly commit: CommitResponse;
};
