/** What is known of a property before it has a file. */
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

/** A way to pay. */
type MethodType = (typeof METHOD_TYPES)[number];

/** Those without which a property is not complete. */
export const REQUIRED_ANSWERS = ASKED_FIELDS.filter(
  (name) => fieldOf(name).required,
) as readonly RequiredAnswer[];

/** Name of such a text. */
export type RequiredAnswer = RequiredField & AskedField;

/** A photo for a new property: a file anywhere on this machine. */
export type NewPhoto = { readonly path: string; readonly description?: string };

/** A policy for a new property. */
type NewPolicy = { readonly policy_type: string; readonly detail: string };

/** Answers. */
export type Answers = { readonly [Field in RequiredAnswer]: string } & {
  readonly [Field in AskedField | DatedField]?: string;
} & {
  readonly facilities: readonly string[];
  readonly photos: readonly NewPhoto[];
  readonly policies: readonly NewPolicy[];
  /** Payment methods that are accepted. */
  readonly payments: readonly MethodType[];
};

/** What is wrong with the value of a field, and what to do, in one line; undefined when it is sound. */
export function problemOf(field: TextField, text: string): string | undefined {
  const value = { [field]: text };
  const result = z.object({ [field]: authoredSchema.shape[field] }).safeParse(value);
  const fault = result.success ? undefined : schemaIssues(result.error, value)[0];
  if (!fault) return undefined;
  const { message, help } = CODES[fault.code];
  return `${message(fault.args)} ${help(fault.args)}`.trim();
}
