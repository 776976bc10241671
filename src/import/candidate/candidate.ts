import type { AuthoredPhoto, AuthoredProperty } from '../../contract/authored.ts';
import { normalizeEmail } from '../../contract/email.ts';
import { type FieldTable, fieldLabel } from '../../contract/fields.ts';
import { normalizePhone } from '../../contract/phone.ts';
import type { Terms } from '../../contract/terms.ts';
import type { PhotoEntry, PropertyValues } from '../../editing/property-text.ts';
import { repairValues } from '../../editing/repair.ts';
import type { ValueRepair } from '../../editing/value-repair.ts';
import { uuidFromName } from '../../release/uuid-v5.ts';
import { correctorFor } from '../../source/correction.ts';
import { findCountryByName } from '../../source/country-and-currency-aliases.ts';
import { type Diagnostic, isError } from '../../source/diagnostic.ts';
import { downgradeErrors } from '../../source/draft-severity.ts';
import {
  type CheckedPropertyValues,
  checkPropertyForErrors,
  checkPropertyValues,
} from '../../source/property-file.ts';
import { countText } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { type ImportFinding, type ImportRepair, warningFinding } from '../finding.ts';
import { isCoordinateField } from '../mapping/mapping.ts';

export type Candidate = {
  /** Where the candidate is in the source, such as "line 17". */
  readonly at: string;
  /** Undefined if the candidate could not be read. */
  readonly raw: Mapping | undefined;
  /** The unchecked id, used if `raw` is undefined. Undefined if even the id could not be read. */
  readonly id?: unknown;
  /** The row's cell in the column of the id; undefined if the id is made from several columns. */
  readonly key?: string | undefined;
  readonly findings: readonly ImportFinding[];
  /** For each field that the mapping converts with `decimal`: the original cell, which reports of repairs show. */
  readonly cells?: Readonly<Record<string, string>>;
  /** Statuses that make the property a draft. @default none, also if it is a draft for want of a value */
  readonly hiding?: readonly string[];
};

export type ValidatedProperty = ReturnType<typeof validated>;

export type ValidationOptions = {
  /** Refuses a property with an invalid optional value, instead of leaving the value out. @default false */
  readonly strict?: boolean | undefined;
  /** For a service with the catalogue API: repairs only properties with errors, makes no drafts. @default false */
  readonly verbatim?: boolean | undefined;
};

export function validateProperty(
  raw: Mapping,
  terms: Terms,
  { strict = false, verbatim = false }: ValidationOptions = {},
): ValidatedProperty {
  const texts = asTexts(raw) as Mapping;
  const untouched = verbatim ? checkPropertyValues(texts, terms) : undefined;
  if (untouched?.property) return validated(untouched.property, untouched);
  const { fields } = terms;
  const early = strict ? undefined : refusalByCountry(texts, terms);
  if (early) return early;
  const several = strict ? [] : CONTACTS.flatMap((field) => contactsIn(texts, field));
  const unused = [...several.map(severalContacts), ...roundedPhone(texts)];
  const contacts = Object.fromEntries(several.map(({ field, first }) => [field, first]));
  const { values, changes } = repairValues({ ...texts, ...contacts }, terms);
  const first = checkPropertyValues(values, terms);
  const repairs = repairsOf(changes);
  if (first.property) return validated(first.property, first, unused, withDomain(repairs, values, first));
  const optional = first.diagnostics.filter(
    (one) => !strict && isError(one) && isOptional(one.fieldPath?.[0], fields),
  );
  const refused = refusalOf(first, optional);
  if (refused) return refused;
  const paths = optional.map(({ fieldPath = [] }) => fieldPath);
  const rest = withoutValues(values, paths);
  const checked = optional.length === 0 ? first : checkPropertyValues(rest, terms);
  const { property, readable, diagnostics } = checked;
  const left = [...unused, ...optional.map((fault) => leftOut(fault, values, fields))];
  if (property || readable.id === undefined)
    return validated(property, checked, left, withDomain(repairs, values, checked));
  const errors = diagnostics.filter(isError);
  const damaged = errors.filter(({ code }) => code !== 'missing-key');
  if (readable.draft === 'true') {
    const misplaced = strict ? [] : damaged.filter(({ fieldPath: [name] = [] }) => isCoordinateField(name));
    left.push(...misplaced.map((one) => leftOut(one, rest, fields)));
    const warnings = downgradeErrors(diagnostics.filter((one) => !misplaced.includes(one)));
    const placed = withoutValues(
      rest,
      misplaced.map(({ fieldPath = [] }) => fieldPath),
    );
    return validated(unfinished(placed), { readable, diagnostics: warnings }, left, repairs);
  }
  const isUnplaced = errors.every(({ fieldPath: [name] = [] }) => isCoordinateField(name));
  if (verbatim || !isUnplaced || (strict && damaged.length > 0))
    return validated(undefined, checked, left, repairs);
  const { latitude: _north, longitude: _east, ...others } = rest;
  left.push(...damaged.map((one) => leftOut(one, rest, fields)), unfinishedDraftFinding(['coordinates']));
  const unfaulted = { readable, diagnostics: diagnostics.filter((one) => !isError(one)) };
  return validated(unfinished({ ...others, draft: 'true' }), unfaulted, left, repairs);
}

function repairsOf(changes: readonly ValueRepair[]): ImportRepair[] {
  const [latitude, longitude] = ['latitude', 'longitude'].map((name) =>
    changes.find(({ path }) => path[0] === name),
  );
  const isMoved = (one?: ValueRepair, other?: ValueRepair) => Number(one?.from) === Number(other?.to);
  const isSwapped = isMoved(latitude, longitude) && isMoved(longitude, latitude);
  return changes.map((change) => {
    const repair = { field: String(change.path[0]), from: change.from, to: change.to };
    if (!isSwapped || (change !== latitude && change !== longitude)) return repair;
    return { ...repair, swappedWith: change === latitude ? 'longitude' : 'latitude' };
  });
}

function refusalOf(
  { readable, diagnostics }: Omit<CheckedPropertyValues, 'property'>,
  optional: readonly Diagnostic[],
) {
  const required = diagnostics.filter((one) => isError(one) && !optional.includes(one));
  const isDraft = readable.draft === 'true';
  // A row without coordinates becomes a draft, so missing coordinates never refuse it.
  const refusing = required.filter(
    ({ code, fieldPath: [name] = [] }) => !(code === 'missing-key' && isCoordinateField(name)),
  );
  if (isDraft || refusing.every(({ fieldPath: [name] = [] }) => isCoordinateField(name))) return undefined;
  return validated(undefined, { readable, diagnostics: refusing });
}

/**
 * In a damaged table, most rows have an unknown country. To refuse them here takes a third of the time of the full
 * check.
 */
function refusalByCountry(texts: Mapping, terms: Terms): ValidatedProperty | undefined {
  const { country } = texts;
  if (typeof country !== 'string' || findCountryByName(country) !== undefined) return undefined;
  const needed = Object.entries(texts).filter(([name]) => !isOptional(name, terms.fields));
  return refusalOf(checkPropertyForErrors(repairValues(Object.fromEntries(needed), terms).values, terms), []);
}

const CONTACTS = ['email', 'phone'] as const;

type Contacts = Readonly<{ field: (typeof CONTACTS)[number]; first: string; others: readonly string[] }>;

/** Separators of contacts in a cell. The last one is the least certain: "/" also occurs within a phone number. */
const BETWEEN = [/[;|\n]/, /\s(?:and|or|und|oder|et|ou|y|o|e|en|of)\s/i, /\s[/,]\s|,\s/, /[/,]/];

/**
 * Splits a cell with several e-mail addresses or phone numbers, the first of which must be valid. Empty for any other
 * cell.
 */
function contactsIn(values: Mapping, field: Contacts['field']): readonly Contacts[] {
  const cell = values[field];
  const normalize = field === 'email' ? normalizeEmail : normalizePhone;
  const isValid = (text: string) =>
    !/@.*@/s.test(text) &&
    (normalize(text) !== undefined || correctorFor(field, undefined)!(text, values) !== undefined);
  if (typeof cell !== 'string' || !BETWEEN.some((sign) => sign.test(cell)) || isValid(cell)) return [];
  const divisions = BETWEEN.map((sign) => cell.split(sign).flatMap((part) => part.trim() || []));
  const found = divisions.find(([first = '', ...others]) => others.length > 0 && isValid(first));
  return found ? [{ field, first: found[0]!, others: found.slice(1) }] : [];
}

function severalContacts({ field, first, others }: Contacts): ImportFinding {
  const what = field === 'email' ? 'e-mail addresses' : 'phone numbers';
  const message = `The cell has several ${what}: "${first}" is taken, and "${others.join('", "')}" left out.`;
  return warningFinding(`several-${field}s`, message, '', field);
}

/** A spreadsheet reads a phone number without a plus sign as a number, and may round it. */
function roundedPhone({ phone }: Mapping): ImportFinding[] {
  if (typeof phone !== 'string' || !/^[1-9]\d*0{6}$/.test(phone)) return [];
  const message = `"${phone}" ends in six zeros or more: a spreadsheet may have rounded it.`;
  return [
    { code: 'doubtful-phone', severity: 'warning', field: 'phone', message, help: 'Check the digits.' },
  ];
}

export function unfinishedDraftFinding(fields: readonly string[]): ImportFinding {
  const what = fields[0] === 'coordinates' ? 'Place it on the map' : 'Fill it in';
  const message = `The row has no ${fields.join(' and no ')}, and becomes a draft, which guests do not see.`;
  const help = `${what}: "catalogue dev --edit" lists the drafts.`;
  return warningFinding('unfinished-draft', message, help, fields.join(', '));
}

function validated(
  property: AuthoredProperty | undefined,
  {
    readable,
    diagnostics,
  }: { readable: CheckedPropertyValues['readable']; diagnostics: readonly Diagnostic[] },
  left: readonly ImportFinding[] = [],
  repairs: readonly ImportRepair[] = [],
) {
  const isLeft = new Set(left.map(({ field }) => `missing-${field}`));
  const findings = diagnostics.filter(({ code }) => !isLeft.has(code)).map(findingOf);
  // For a refused row, only the errors that refused it matter, not what was left out or repaired.
  const errors = findings.filter(({ severity }) => severity === 'error');
  const told = property ? [...left, ...findings] : errors;
  return { property, id: readable.id, findings: told, repairs: property ? repairs : [] };
}

/** Adds a repair if parsing converted the domain of the e-mail address to ASCII. */
function withDomain(
  repairs: readonly ImportRepair[],
  { email }: Mapping,
  { property }: Pick<CheckedPropertyValues, 'property'>,
): readonly ImportRepair[] {
  const isChanged = typeof email === 'string' && property?.email && property.email !== email;
  return isChanged ? [...repairs, { field: 'email', from: email, to: property.email }] : repairs;
}

/**
 * Whether a row can be imported without its value of this field. False for a visibility field (dates, draft mark):
 * without the field, a property that its owner hides would become public.
 */
function isOptional(name: unknown, { all }: FieldTable): boolean {
  const field = all.get(String(name));
  return field !== undefined && !field.required && field.group !== 'visibility';
}

function withoutValues(values: Mapping, paths: readonly (readonly (string | number)[])[]): Mapping {
  const rest: Record<string, unknown> = { ...values };
  for (const [field = '', index, key] of paths) {
    const list = rest[field];
    if (!Array.isArray(list) || typeof index !== 'number') {
      delete rest[field];
      continue;
    }
    const entry: unknown = list[index];
    const { [String(key)]: _omitted, ...others } = Object(entry) as Mapping;
    const isKept = isMapping(entry) && isDispensable([field, index, key]);
    rest[field] = list.with(index, isKept ? others : undefined);
  }
  for (const [field = ''] of paths) {
    const list = rest[field];
    if (Array.isArray(list)) rest[field] = list.filter((entry) => entry !== undefined);
  }
  return rest;
}

function isDispensable([field, , key]: readonly unknown[]): boolean {
  return DISPENSABLE.has(`${field}.${key}`) || String(key).includes('@');
}

const DISPENSABLE = new Set(['photo.thumbnail', 'photo.description', 'photo.id', 'photo.position']);

/** In characters. If a longer text is left out, the message names the field, the property and the text's length. */
const SHORT = 40;

function leftOut(diagnostic: Diagnostic, values: Mapping, fields: FieldTable): ImportFinding {
  const finding = findingOf(diagnostic);
  const { fieldPath: path = [] } = diagnostic;
  const isPhoto = finding.code === 'invalid-url' && finding.field === 'photo';
  const isHttp = isPhoto && /"http:/i.test(finding.message);
  const value = path.reduce<unknown>((found, step) => Object(found)[step], values);
  const isLong = typeof value === 'string' && value.length > SHORT && value.includes(' ');
  const label = fieldLabel(String(path.at(-1)), path.length > 1 ? finding.field : '', fields);
  const what = `${label} of "${cutText(String(values.title), SHORT)}", ${countText(String(value).length, 'character')}`;
  const lossSentence = isLong ? `The whole text is left out (${what}).` : 'It is left out.';
  return {
    ...finding,
    help: isHttp ? HTTP_PHOTO : finding.help,
    severity: 'warning',
    ...(isDispensable(path) ? { message: `${finding.message} ${lossSentence}` } : { lossSentence }),
    ...(!isDispensable(path) && typeof path[1] === 'number' && { entry: path[1] }),
  };
}

const HTTP_PHOTO = 'To have such photos, import with --photos, which downloads them.';

const HELP: Readonly<Record<string, string>> = {
  'missing-key': 'Fill the column, or give all rows without a value the same one in the mapping: "default".',
  'missing-key id': 'Fill the column.',
  'reserved-id id': 'Give the row an id of its own, or make the ids of a column with "uuid" in the mapping.',
  // Needs no help: only the id is left out, and the photo gets one that is made from its file or link.
  'reserved-id photo': '',
  'missing-key latitude': 'Fill the column.',
  'missing-key longitude': 'Fill the column.',
  'unknown-country':
    'Say in the mapping which country it is, such as country: { from: land, map: { Bayern: DE } }, or choose another column.',
  'duplicate-id': 'One property is in two rows, or the mapping makes the id of columns that two rows share.',
};

function unfinished(values: Mapping): AuthoredProperty {
  return { facilities: [], photo: [], hotel_policy: [], payment_method: [], ...values } as never;
}

export function findingOf({ code, severity, fieldPath, message, help }: Diagnostic): ImportFinding {
  const field = String(fieldPath?.[0] ?? '');
  // This help names values of the row, so it becomes part of the message, which is shown for each row.
  if (code === 'doubtful-coordinates')
    return { code, severity, field, message: `${message} ${help}`, help: '' };
  return { code, severity, field, message, help: HELP[`${code} ${field}`] ?? HELP[code] ?? help };
}

function areTexts(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string';
  return Array.isArray(value) ? value.every(areTexts) : Object.values(value).every(areTexts);
}

function asTexts(value: unknown): unknown {
  // Cells of a table are texts already. Copying them here would take a fifth of the time of an import.
  if (areTexts(value)) return value;
  if (Array.isArray(value)) return value.flatMap((one) => (one === null ? [] : [asTexts(one)]));
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, asTexts(entry)]));
}

export function toPropertyFile(property: AuthoredProperty): PropertyValues {
  const isInOrder = property.photo.every(({ position }, index) => (position ?? index + 1) === index + 1);
  const photo = property.photo.map((one, index) => toEntry(one, index, property.id, isInOrder));
  return { ...property, photo };
}

function toEntry(
  { file, url = '', thumbnail, description, id, position, ...translations }: AuthoredPhoto,
  index: number,
  propertyId: string,
  isInOrder: boolean,
): PhotoEntry {
  const isMade = id === undefined || id === uuidFromName(file ?? url, propertyId);
  return {
    ...(file !== undefined ? { file } : { url, ...(thumbnail !== undefined && { thumbnail }) }),
    ...(description ? { description } : {}),
    ...translations,
    ...(isMade ? {} : { id }),
    ...(isInOrder ? {} : { position: position ?? index + 1 }),
  };
}
