import { isDeepStrictEqual } from 'node:util';
import { COUNTRIES, CURRENCIES } from '../../contract/country-and-currency-tables.ts';
import { identifierToWords } from '../../contract/display-text.ts';
import { fieldLabel } from '../../contract/fields.ts';
import { fieldsIn, type Terms } from '../../contract/terms.ts';
import { repairText } from '../../editing/repair.ts';
import type { AuthoredValue, Finding, ValuePath } from '../../editor/api.ts';
import { type Diagnostic, isError } from '../../source/diagnostic.ts';
import { DIAGNOSTIC_CODES } from '../../source/diagnostic-codes.ts';
import { coordinatesWarning } from '../../source/warnings.ts';
import { escapeControls } from '../../text/printable.ts';
import { cutText } from '../../text/shorten.ts';
import { ownValue } from '../../values/own-value.ts';

type Source = {
  readonly text: string;
  readonly values: { readonly [field: string]: AuthoredValue };
  readonly terms: Terms;
};

/** Errors come first, then warnings, each in the order of `diagnostics`. */
export function editorFindings(diagnostics: readonly Diagnostic[], source: Source): Finding[] {
  const repairs = diagnostics.length > 0 ? (repairText(source.text, source.terms)?.repairs ?? []) : [];
  const ranked = [...diagnostics].sort((a, b) => Number(isError(b)) - Number(isError(a)));
  return ranked.map((diagnostic) => {
    const { code, severity, span, fieldPath: field = null } = diagnostic;
    const repair = field && repairs.find(({ path }) => isDeepStrictEqual(path, field));
    // `fixOf` corrects latitude and longitude together.
    const isPair = code === 'doubtful-coordinates';
    const fix = repair && !isPair ? setting(field, repair.to, source) : fixOf(diagnostic, source);
    const [message, help] = formWords(diagnostic, source);
    return {
      code,
      severity,
      message: escapeControls(message),
      help: escapeControls(help ?? ''),
      field,
      line: span?.line ?? null,
      fix,
    };
  });
}

function formWords(
  { code, message, help, fieldPath: path = [], suggestion }: Diagnostic,
  source: Source,
): readonly [message: string, help?: string] {
  const { form } = DIAGNOSTIC_CODES[code];
  if (!form) return [message, help];
  const value = valueAt(path, source.values);
  // Shows only the file name of a photo, without its folder.
  const text = typeof value === 'string' ? cutText(value.replace(/^\.\.?\/.*\//, ''), 60) : '';
  const isName = code === 'unknown-key' && suggestion !== undefined;
  const meant = isName
    ? fieldLabel(suggestion, listOf(path), source.terms.fields)
    : suggestion && nameOf(path, suggestion, source.terms);
  const label = code === 'unknown-key' ? String(path.at(-1)) : labelAt(path, source.terms);
  return form({ label, value: text, meant: meant ?? '', message, help, isEntry: path.length > 1 });
}

function labelAt(path: ValuePath, { fields }: Terms): string {
  const [name = '', index, inner] = path;
  if (name === 'latitude' || name === 'longitude') return 'The place on the map';
  const label = fieldLabel(String(name), '', fields);
  if (typeof index !== 'number') return label;
  const entry = `${label} ${index + 1}`;
  const field = fieldsIn(fields, String(name)).get(String(inner));
  return field && inner !== 'file' ? `${identifierToWords(field.label)} of ${entry.toLowerCase()}` : entry;
}

function listOf([list, index]: ValuePath): string {
  return typeof index === 'number' ? String(list) : '';
}

function nameOf(path: ValuePath, value: string, { fields, vocabulary }: Terms): string {
  const { facilities, policy_types } = vocabulary;
  const declared = fields.all.get(String(path[0]))?.declared;
  if (declared) return ownValue(declared.terms?.labels ?? {}, value) ?? value;
  const names: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    country: COUNTRIES,
    currency: CURRENCIES,
    facilities: facilities.labels,
    policy_type: policy_types.labels,
    method_type: { [value]: identifierToWords(value) },
  };
  const own = ownValue(names, String(path.findLast((step) => typeof step === 'string')));
  return ownValue(own ?? {}, value) ?? value;
}

function fixOf({ code, fieldPath: path, suggestion }: Diagnostic, source: Source): Finding['fix'] {
  if (!path) return null;
  if (code === 'doubtful-coordinates') return otherPlace(source.values);
  if (code === 'null-text' || (code === 'unknown-key' && suggestion === undefined))
    return { label: 'Remove it', changes: [{ path, value: null }] };
  if (suggestion === undefined) return null;
  if (code === 'unknown-key') return renaming(path, suggestion, source);
  return setting(path, suggestion, source);
}

function setting(path: ValuePath, value: string, { terms }: Source): Finding['fix'] {
  return { label: `Write "${cutText(nameOf(path, value, terms), 60)}"`, changes: [{ path, value }] };
}

function valueAt(path: ValuePath, values: Source['values']): unknown {
  let value: unknown = values;
  for (const step of path) value = (value as Record<string | number, unknown> | null | undefined)?.[step];
  return value;
}

function renaming(path: ValuePath, to: string, { values, terms }: Source): Finding['fix'] {
  const changes = [
    { path: [...path.slice(0, -1), to], value: (valueAt(path, values) ?? '') as AuthoredValue },
    { path, value: null },
  ];
  return { label: `Take it as the ${fieldLabel(to, listOf(path), terms.fields).toLowerCase()}`, changes };
}

function otherPlace(values: Source['values']): Finding['fix'] {
  const { country, latitude, longitude } = values;
  if (typeof country !== 'string' || typeof latitude !== 'string' || typeof longitude !== 'string')
    return null;
  const { meantLatitude, meantLongitude } = coordinatesWarning(country, { latitude, longitude }) ?? {};
  if (meantLatitude === undefined || meantLongitude === undefined) return null;
  const changes = [
    { path: ['latitude'], value: String(meantLatitude) },
    { path: ['longitude'], value: String(meantLongitude) },
  ];
  return { label: `Write ${meantLatitude}, ${meantLongitude}`, changes };
}
