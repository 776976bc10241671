/** What is told of a property before it has a file. */
import { authoredSchema } from '../contract/authored.ts';
import type { METHOD_TYPES } from '../contract/method-types.ts';
import { CODES } from '../source/codes.ts';
import { schemaFaults } from '../source/schema-issues.ts';

/** The fields of one line each, as `catalogue new` asks for them. */
export const ASKED = [
  'title',
  'country',
  'city',
  'currency',
  'latitude',
  'longitude',
  'email',
  'phone',
  'zip_code',
  'state',
  'address',
] as const;

/** A way to pay. */
export type MethodType = (typeof METHOD_TYPES)[number];

/** Name of such a field. */
export type AskedField = (typeof ASKED)[number];

/** Those without which there is no property. */
export const REQUIRED = ['title', 'country', 'city', 'currency', 'latitude', 'longitude'] as const;

/** A photo for a new property: a file anywhere on this machine. */
export type NewPhoto = { readonly path: string; readonly description?: string };

/** A policy for a new property. */
export type NewPolicy = { readonly policy_type: string; readonly detail: string };

/** Answers. */
export type Answers = { readonly [Field in (typeof REQUIRED)[number]]: string } & {
  readonly [Field in AskedField]?: string;
} & {
  readonly facilities: readonly string[];
  readonly photos: readonly NewPhoto[];
  readonly policies: readonly NewPolicy[];
  /** Payment methods that are accepted. */
  readonly payments: readonly MethodType[];
};

/** What is wrong with the value of a field, and what to do, in one line; undefined when it is sound. */
export function problemOf(field: AskedField, text: string): string | undefined {
  const value = { [field]: text };
  const result = authoredSchema.pick({ [field]: true } as { title: true }).safeParse(value);
  const fault = result.success ? undefined : schemaFaults(result.error, value)[0];
  if (!fault) return undefined;
  const { message, help } = CODES[fault.code];
  return `${message(fault.args)} ${help(fault.args)}`.trim();
}
