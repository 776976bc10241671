import type { FieldTable } from '../../contract/fields.ts';
import { NOT_PRINTABLE, scalarText } from '../../editing/scalar.ts';
import { documentationUrl } from '../../package/documentation.ts';
import { correctorFor } from '../../source/correction.ts';
import { countText } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import { AVAILABILITY_NAMES } from '../table/list-value.ts';
import { type Column, isContainer, type Profile } from '../table/profile.ts';
import { columnMeaning } from '../words/column-names.ts';
import { type ValueKind, withDecimalPoint } from '../words/column-values.ts';
import {
  type Conversion,
  columnsOf,
  conversionOf,
  isAtOrBelow,
  isCoordinateField,
  type MappingPart,
  mappingPartsOf,
  type Proposal,
  type ValueSource,
} from './mapping.ts';

export function missingFields(proposal: Proposal, { all }: FieldTable): string[] {
  return [...all].flatMap(([name, { required }]) => (required && proposal[name] === undefined ? [name] : []));
}

export function unusedColumns({ columns }: Profile, mapping: Proposal): Column[] {
  const named = columnsOf(mapping);
  const isRead = (name: string) => named.some((one) => isAtOrBelow(name, one));
  const denials = columns.flatMap(({ name, list }) =>
    list === 'objects' && isRead(name) ? AVAILABILITY_NAMES.map((denial) => `${name}.${denial}`) : [],
  );
  const used = [...named, ...denials];
  // If a mapping names only some members of a list's objects, such as the links of photos, the others are unused.
  const isWhole = (list: string) => !named.some((one) => one.startsWith(`${list}.`));
  const isUsed = ({ name }: Column) =>
    used.some((one) => isAtOrBelow(name, one) || (isAtOrBelow(one, name) && isWhole(one)));
  const isOffered = (column: Column) =>
    column.list || !isContainer(column) || columnMeaning(column.name)?.meaning === 'facilities';
  return columns.filter((column) => column.filled > 0 && !isUsed(column) && isOffered(column));
}

export function unusedPublicColumns(profile: Profile, mapping: Proposal): Column[] {
  return unusedColumns(profile, mapping).filter(({ secret }) => secret === undefined);
}

function samplesOf(value: unknown, { columns }: Profile): string {
  const names = columnsOf({ value });
  const found = names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  return found.map(sampleText).filter(Boolean).join(' and ');
}

/** Returns samples of the mapped columns. With `decimal`, also says what each is read as: `"95,50" → 95.50`. */
export function samplesText(
  field: string,
  value: MappingPart,
  profile: Profile,
  { all }: FieldTable,
): string {
  const { decimal, from } = conversionOf(value);
  const column = decimal && profile.columns.find(({ name }) => name === from);
  if (!column) return samplesOf([value], profile);
  const shown = column.samples.map((text) => {
    const plain = withDecimalPoint(text, decimal);
    const read = correctorFor(field, all.get(field))?.(plain, {}) ?? plain;
    return `"${cutText(text, 30)}"${read === text ? '' : ` → ${read}`}`;
  });
  return shown.join(', ');
}

export function sampleText({ samples, list }: Pick<Column, 'samples' | 'list'>): string {
  if (samples.length === 0) return list === 'objects' ? 'a list of objects' : '';
  return samples.map((text) => `"${cutText(text, 30)}"`).join(', ');
}

const KINDS = {
  boolean: 'yes or no',
  number: 'numbers',
  email: 'e-mail addresses',
  image: 'links of images',
  link: 'links',
  phone: 'phone numbers',
} as const satisfies Partial<Record<ValueKind, string>>;

/** Describes a column without its values, since others can read the committed mapping. */
function kindOf({ filled, share, list }: Column): string {
  const [, name = 'texts'] = Object.entries(KINDS).find(([kind]) => share[kind as ValueKind] > 0.9) ?? [];
  const kind = list ? 'lists' : name;
  return `${kind} in ${countText(filled, 'row')}`;
}

const FIRST = 'Which column of ';

/**
 * Whether the mapping was proposed, but its comments do not list this unused column: either the column was absent or
 * empty at that time, or the owner has deleted its line to be asked about the column.
 */
export function isColumnNewToProposal(text: string, { name }: Column): boolean {
  return text.startsWith(yamlComment(FIRST)) && !text.includes(`${yamlComment(`  ${name}:`)} `);
}

const DECLINED = 'Declined. Delete a line to be asked again:';

/** Whether the mapping lists the column among those that were declined when it was proposed. */
export function isDeclined(text: string, { name }: Column): boolean {
  const place = text.indexOf(yamlComment(DECLINED));
  return place !== -1 && text.slice(place).includes(`${yamlComment(`  ${name}:`)} `);
}

const NOT_USED = 'Not used. Delete a line, and the next import in a terminal asks about the column:';

export function withoutListedColumns(text: string, columns: readonly Column[]): string {
  const starts = columns.map(({ name }) => `${yamlComment(`  ${name}:`)} `);
  const lines = text.split('\n').filter((line) => !starts.some((start) => line.startsWith(start)));
  const isBare = (line: string, place: number) =>
    line === yamlComment(NOT_USED) && !lines[place + 1]?.startsWith('#   ');
  return lines.filter((line, place) => !isBare(line, place)).join('\n');
}

/** Appends a comment that lists the columns, so that the user is not asked about them again. */
export function withDeclinedColumns(text: string, columns: readonly Column[]): string {
  if (columns.length === 0) return text;
  const lines = [DECLINED, ...columns.map((column) => `  ${column.name}: ${kindOf(column)}`)].map(
    yamlComment,
  );
  return `${text}${text.endsWith('\n') ? '' : '\n'}\n${lines.join('\n')}\n`;
}

export function mappingText(
  proposal: Proposal,
  profile: Profile,
  name: string,
  fields: FieldTable,
  notesOf: (field: string) => readonly string[],
  declined: readonly Column[],
): string {
  const lines = [
    `${FIRST}${name} is which field, as proposed from its columns. Change what is wrong.`,
    'This file is never replaced: delete it for another proposal.',
    `All keys: ${documentationUrl('mapping')}`,
  ].map(yamlComment);
  lines.push('');
  for (const field of missingFields(proposal, fields)) {
    const what = isCoordinateField(field)
      ? `No ${field}: rows become drafts, which "catalogue dev --edit" places on the map.`
      : `Missing: ${field}. Write "${field}: <column>", or "${field}: { value: ... }" for all rows.`;
    lines.push(yamlComment(what));
  }
  for (const [field, value] of Object.entries(proposal)) {
    const [samples, notes] = Array.isArray(value) ? ['', []] : [samplesOf(value, profile), notesOf(field)];
    const shown = samples === '' ? '' : ` ${yamlComment(samples)}`;
    lines.push(`${entryLines(field, value, false)}${shown}`, ...notes.map(yamlComment));
  }
  const { id: _id, ...others } = proposal;
  const left = declined.filter(({ name }) => !columnsOf(others).includes(name));
  const unused = unusedColumns(profile, proposal).filter((column) => !left.includes(column));
  const list = (title: string, described: readonly string[]) => {
    if (described.length > 0)
      lines.push('', yamlComment(title), ...described.map((one) => yamlComment(`  ${one}`)));
  };
  const open = unused.flatMap((one) => (one.secret === undefined ? [`${one.name}: ${kindOf(one)}`] : []));
  const secret = unused.flatMap((one) => (one.secret === undefined ? [] : [`${one.name}: ${one.secret}`]));
  list(NOT_USED, open);
  list('Private, as it seems, and not for a public catalogue:', secret);
  return withDeclinedColumns(`${lines.join('\n')}\n`, left);
}

const DECISIONS = {
  draft: 'else a draft',
  skip: 'only rows that have one',
  point: 'else by the coordinates, or a draft',
  country: 'else by the country',
} as const;

export function describeMappedValue(one: MappingPart): string {
  if (typeof one === 'string') return one;
  const { default: other, else: second, missing, value, true: yes = [] } = one as Conversion;
  const { policy_type: type = { value } } = one as { readonly policy_type?: { readonly value?: string } };
  const columns = columnsOf({ part: [one] }).filter((column) => column !== second);
  if (columns.length === 0 && value !== undefined) return `"${value}" for all`;
  if (columns.length === 0) return missing ? DECISIONS[missing].replace('else ', '') : '';
  const parts = [
    type.value === undefined ? columns.join(', ') : `${columns.join(', ')} as ${type.value}`,
    second !== undefined && `else ${second}`,
    other !== undefined && `else "${other}"`,
    missing !== undefined && DECISIONS[missing],
    yes.length > 0 && value === undefined && `if ${cutText(yes.join(', '), 40)}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

export function fieldLine(field: string, value: ValueSource): string {
  return `${field}: ${yamlFlowText(value)}`;
}

/** Returns lines to paste into a mapping. `isThere`: whether the mapping already has a list for this field. */
export function entryLines(field: string, value: Proposal[string], isThere: boolean): string {
  if (!Array.isArray(value)) return fieldLine(field, value as ValueSource);
  const entries = value.map((entry) => `  - ${yamlFlowText(entry)}`);
  return isThere ? `${entries.join('\n')}  # below "${field}:"` : [`${field}:`, ...entries].join('\n');
}

export type ProposalDescription = {
  readonly path: string;
  readonly columns: readonly (readonly [field: string, columns: string])[];
  readonly missing: readonly string[];
};

export function describeProposal(path: string, proposal: Proposal, fields: FieldTable): ProposalDescription {
  const columns = Object.entries(proposal).map(
    ([field, value]) => [field, mappingPartsOf(value).map(describeMappedValue).join(', ')] as const,
  );
  return { path, columns, missing: missingFields(proposal, fields) };
}

/** Replaces characters that YAML comments cannot contain. */
function yamlComment(text: string): string {
  return `# ${text.replace(new RegExp(NOT_PRINTABLE, 'gu'), '?')}`.trimEnd();
}

export function yamlFlowText(value: unknown, isInner = false): string {
  if (typeof value === 'string') return scalarText(value, { flow: isInner });
  if (Array.isArray(value)) return `[${value.map((entry) => yamlFlowText(entry, true)).join(', ')}]`;
  const entries = Object.entries(value as object).map(
    ([key, entry]) => `${scalarText(key, { flow: true })}: ${yamlFlowText(entry, true)}`,
  );
  return `{ ${entries.join(', ')} }`;
}
