/** The text of a valid property, line by line, and the findings for another one. */
import type { Terms } from '../../src/contract/terms.ts';
import type { Diagnostic } from '../../src/source/diagnostic.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { termsFrom } from '../support/terms.ts';

/** Fields of a sound property without warnings, as they stand in a file. They are the lines 1 to 9, in this order. */
export const FIELDS = {
  id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  title: 'Rose Cottage',
  currency: 'EUR',
  email: 'stay@rose.example',
  phone: '+353 1 605 7700',
  city: 'Galway',
  country: 'IE',
  latitude: '53.27194',
  longitude: '-9.04889',
} as const;

type Changes = Partial<Record<keyof typeof FIELDS, string | undefined>>;

/**
 * The text of a property.
 *
 * @param changes the text after the colon of a field; undefined removes its line.
 * @param more lines for the end, from line 10 on.
 */
export function propertyText(changes: Changes = {}, more = ''): string {
  const lines = Object.entries({ ...FIELDS, ...changes }).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}: ${value}\n`,
  );
  return lines.join('') + more;
}

/** The same with a whole line in place of that of a field. */
export function withLine(key: keyof typeof FIELDS, line: string): string {
  return propertyText().replace(`${key}: ${FIELDS[key]}\n`, `${line}\n`);
}

/** Code, line, column and underlined text of what the checks find. */
export type Finding = [code: string, line: number, column: number, underlined: string] | [code: string];

export function findings(text: string | Buffer, terms: Terms = termsFrom()): Finding[] {
  return checkPropertyFile(Buffer.from(text), 'rose.yaml', terms).diagnostics.map(findingOf);
}

export function findingOf({ code, span }: Diagnostic): Finding {
  if (!span) return [code];
  const start = span.column - 1;
  return [code, span.line, span.column, span.text.slice(start, start + span.length)];
}
