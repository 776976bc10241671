/** Values of a new property, before it has a file. */
import * as z from 'zod';
import { authoredSchema } from '../contract/authored.ts';
import {
  ASKED_FIELDS,
  type AskedField,
  type DatedField,
  fieldOf,
  type RequiredField,
  type TextField,
} from '../contract/fields.ts';
import type { METHOD_TYPES } from '../contract/method-types.ts';
import { CODES } from '../source/codes.ts';
import { schemaIssues } from '../source/schema-issues.ts';

type MethodType = (typeof METHOD_TYPES)[number];

/** Names of the text fields that a property requires. */
export const REQUIRED_ANSWERS = ASKED_FIELDS.filter(
  (name) => fieldOf(name).required,
) as readonly RequiredAnswer[];

export type RequiredAnswer = RequiredField & AskedField;

/** A photo for a new property: any file on this machine. */
export type NewPhoto = { readonly path: string; readonly description?: string };

type NewPolicy = { readonly policy_type: string; readonly detail: string };

export type Answers = { readonly [Field in RequiredAnswer]: string } & {
  readonly [Field in AskedField | DatedField]?: string;
} & {
  readonly facilities: readonly string[];
  readonly photos: readonly NewPhoto[];
  readonly policies: readonly NewPolicy[];
  readonly payments: readonly MethodType[];
};

/** Describes the fault of a field's value, with advice, in one line; undefined for a valid value. */
export function problemOf(field: TextField, text: string): string | undefined {
  const value = { [field]: text };
  const result = z.object({ [field]: authoredSchema.shape[field] }).safeParse(value);
  const fault = result.success ? undefined : schemaIssues(result.error, value)[0];
  if (!fault) return undefined;
  const { message, help } = CODES[fault.code];
  return `${message(fault.args)} ${help(fault.args)}`.trim();
}
