import * as z from 'zod';
import { authoredSchema } from '../contract/authored.ts';
import {
  fieldOf,
  NEW_COMMAND_FIELDS,
  type NewCommandFieldName,
  type RequiredFieldName,
  type ScalarFieldName,
} from '../contract/fields.ts';
import { DIAGNOSTIC_CODES } from '../source/diagnostic-codes.ts';
import { schemaIssues } from '../source/schema-issues.ts';
import type { PropertyValues } from './property-text.ts';

export const REQUIRED_NEW_COMMAND_FIELDS = NEW_COMMAND_FIELDS.filter(
  (name) => fieldOf(name).required,
) as readonly RequiredNewCommandFieldName[];

export type RequiredNewCommandFieldName = RequiredFieldName & NewCommandFieldName;

type NewPhoto = { readonly path: string; readonly description?: string };

export type PropertyAnswers = Omit<PropertyValues, 'id' | 'photo'> & { readonly photos: readonly NewPhoto[] };

/** Returns in one line what is wrong with a value and how to fix it; undefined for a valid value. */
export function answerProblem(field: ScalarFieldName, text: string): string | undefined {
  const value = { [field]: text };
  const result = z.object({ [field]: authoredSchema.shape[field] }).safeParse(value);
  const fault = result.success ? undefined : schemaIssues(result.error, value)[0];
  if (!fault) return undefined;
  const { message, help } = DIAGNOSTIC_CODES[fault.code];
  return `${message(fault.args)} ${help(fault.args)}`.trim();
}
