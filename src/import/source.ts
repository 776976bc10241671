import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FieldTable } from '../contract/fields.ts';
import { KNOWN_FIELDS } from '../contract/known-fields.ts';
import type { Terms } from '../contract/terms.ts';
import { languageName } from '../contract/words.ts';
import { termsOf } from '../editing/repair-content.ts';
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readBoundedText } from '../files/folder.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Declaring, declareLanguage, declareThoseOf, withKnownFields } from './declare.ts';
import { adviceOn, type GapAdvice, gapSentence, gapsIn, withoutGaps } from './gaps.ts';
import { type ImportOptions, type ImportResult, importProperties } from './import.ts';
import { countriesNamed, leftNotes, mappedRows, type PassedOver } from './mapped-rows.ts';
import { checkColumns, columnsOf, readMapping, type TableMapping } from './mapping.ts';
import { describe, isNewSince, mappingText, missingFields } from './mapping-text.ts';
import { nextOf, recordedName } from './next-export.ts';
import { findPresent } from './present.ts';
import { privateNotes } from './private-notes.ts';
import { type Profile, profileRows } from './profile.ts';
import { type Proposal, proposeMapping } from './propose.ts';
import type { SourceNote } from './row.ts';
import { openRows, type RowSource } from './rows.ts';
import { serviceProperties } from './service.ts';
import { soleCountry } from './sole-country.ts';
import { isTableAddress } from './source-bytes.ts';
import { earlierMapping, mappingPath, nameOf } from './source-names.ts';
import { languageMismatch, languageNote } from './text-language.ts';
import {
  declaringFor,
  type Looking,
  lookingLike,
  offerOf,
  type UnusedColumn,
  unusedIn,
  withColumns,
} from './unused-columns.ts';

export type SourceOptions = Pick<
  ImportOptions,
  'content' | 'force' | 'photos' | 'strict' | 'gone' | 'allowShrink' | 'keepOutcomes' | 'photoRules'
> & {
  /** Path of the mapping file for a table. @default the file beside the table, else one is proposed */
  readonly mapping?: string;
  /** Shows a proposal, and returns what the user makes of it; undefined ends the import. @default it is only written */
  readonly ask?: (
    proposal: Proposal,
    profile: Profile,
    name: string,
    terms: Terms,
  ) => Promise<Proposal | undefined>;
  /** Chooses a sheet of a workbook with several; undefined ends the import. @default the first with a table */
  readonly askSheet?: (name: string, sheets: readonly string[]) => Promise<string | undefined>;
  /** Asks a question of yes and no; undefined ends the import. @default what is sure is done */
  readonly confirm?: (question: string) => Promise<boolean | undefined>;
  /** Name of the earlier table of which this is the next export. @default none */
  readonly earlier?: string;
  readonly keepPrivate?: boolean;
  /** Declares the known fields that unused columns look like. @default false */
  readonly declare?: boolean;
  /** Requests in flight to a service. @default they adapt to it */
  readonly concurrency?: number | undefined;
  readonly apiKey?: string | undefined;
  /** Called with the number of processed candidates, and the total where it is known. */
  readonly listener?: (done: number, total: number | undefined) => void;
};

export type ProposedMapping = {
  readonly path: string;
  readonly columns: readonly (readonly [field: string, columns: string])[];
  readonly missing: readonly string[];
};

export type SourceResult = {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly SourceNote[];
  /** Required fields that rows lack, about which the mapping does not decide. @default none */
  readonly gaps?: readonly GapAdvice[];
  readonly unused: readonly UnusedColumn[];
  readonly declared?: readonly string[];
  readonly mapping?: string;
  readonly proposed?: ProposedMapping;
  readonly result?: ImportResult;
};

export function importSource(source: string, options: SourceOptions): Promise<SourceResult> {
  return isService(source, options) ? importService(source, options) : importTable(source, options);
}

function isService(source: string, { mapping }: SourceOptions): boolean {
  return /^https?:\/\//i.test(source) && mapping === undefined && !isTableAddress(source);
}

async function importService(source: string, options: SourceOptions): Promise<SourceResult> {
  const { apiKey, concurrency, listener } = options;
  const content = resolve(options.content);
  const { origin, host, pathname } = new URL(source);
  const declared = options.declare ? await declareThoseOf({ url: source, apiKey }, content) : [];
  const state = { total: undefined as number | undefined, isWhole: true, done: 0 };
  const undeclared = new Map<string, number>();
  const candidates = serviceProperties({
    ...{ url: source, apiKey, concurrency, fields: termsOf(content).fields },
    onUndeclared: (name) => undeclared.set(name, (undeclared.get(name) ?? 0) + 1),
    onProgress: (_listed, total) => {
      state.total = total;
    },
    onBroken: () => {
      state.isWhole = false;
    },
  });
  const result = await importProperties(candidates, findPresent(content), {
    ...options,
    ...{ verbatim: true, trusted: origin, source: origin + pathname.replace(/\/$/, '') },
    total: () => state.total,
    isWhole: () => state.isWhole,
    onDone: () => listener?.(++state.done, state.total),
  });
  const unused = [...undeclared].map(([name, filled]) => ({
    ...{ name, filled, secret: undefined, looks: '' },
    field: Object.keys(KNOWN_FIELDS).find((field) => name === `attributes.${field}`),
  }));
  const found = declared.length > 0 && { declared };
  return { name: host, diagnostics: [], notes: [], unused, result, ...found };
}

const MAX_MAPPING = 1_000_000;

async function openChosen(
  source: string,
  given: TableMapping | undefined,
  { askSheet }: SourceOptions,
): Promise<RowSource | undefined> {
  const table = await openRows(source, given ? { ...given, named: columnsOf(given) } : {});
  const { sheets = [], name } = table;
  if (given || !askSheet || sheets.length < 2) return table;
  const sheet = await askSheet(nameOf(name), sheets);
  if (sheet === sheets[0]) return table;
  table.close();
  return sheet === undefined ? undefined : openRows(source, { sheet });
}

async function importTable(source: string, options: SourceOptions): Promise<SourceResult> {
  const content = resolve(options.content);
  const { confirm, earlier } = options;
  const path =
    options.mapping ??
    (earlier === undefined
      ? mappingPath(source, options.content)
      : earlierMapping(earlier, source, options.content));
  const isThere = options.mapping !== undefined || existsSync(path);
  const all = withKnownFields(content).fields;
  const terms = termsOf(content);
  const before = isThere ? readBoundedText(path, MAX_MAPPING) : '';
  const read = isThere ? readMapping(before, path, options.declare ? all : terms.fields) : undefined;
  const nothing = { name: source, diagnostics: [], notes: [], unused: [] };
  if (read && !read.mapping) return { ...nothing, diagnostics: read.diagnostics };
  const given = read?.mapping;
  const table = await openChosen(source, given, options);
  if (!table) return nothing;
  try {
    const profile = await profileRows(table);
    checkRows(profile, table, options);
    const name = earlier ?? nameOf(source);
    const plain = given ?? (await propose(table, profile, name, terms.fields, options));
    const recorded = earlier ?? recordedName(content, nameOf(table.name), path, plain as TableMapping);
    const opened = { source, path, before, table, profile, name, recorded, terms, options };
    const isSure = options.mapping !== undefined || source === '-';
    const next = isSure ? '' : await nextOf(opened, plain);
    if (next === undefined) return nothing;
    if (next) return await importTable(source, { ...options, earlier: next });
    const looking = lookingLike(profile, plain, all);
    const taken = await takenColumns(opened, looking, given !== undefined);
    if (!taken) return nothing;
    const isDeclaring = options.declare || taken.size > 0;
    const other = languageMismatch(profile, plain, content);
    const isOther =
      other && (await confirm?.(`${other.sentence} Change that to ${languageName(other.tag)}?`));
    if (other && confirm && isOther === undefined) return nothing;
    const declaring = isDeclaring ? declaringFor(content, plain, taken, terms.fields) : undefined;
    const rest = new Map([...looking].filter(([field]) => !taken.has(field)));
    const unused = (mapping: Proposal | TableMapping) =>
      unusedIn(profile, mapping, { looking: rest, own: terms.fields, before });
    const context: MappedImport = { ...opened, unused };
    const done = given
      ? await importGiven(given, taken, declaring, context)
      : await importProposed(plain as Proposal, declaring, context);
    if (other && isOther && done?.result) declareLanguage(content, other.tag);
    const notes = [...(done?.notes ?? []), ...(other && !confirm ? [languageNote(other)] : [])];
    return { ...nothing, ...done, notes, ...(declaring && done && { declared: declaring.names }) };
  } finally {
    table.close();
  }
}

type Opened = {
  readonly source: string;
  readonly table: RowSource;
  readonly profile: Profile;
  readonly path: string;
  readonly before: string;
  readonly name: string;
  readonly recorded: string;
  readonly terms: Terms;
  readonly options: SourceOptions;
};

async function takenColumns(
  { before, terms, options: { confirm, declare } }: Opened,
  looking: Looking,
  isGiven: boolean,
): Promise<Looking | undefined> {
  const fresh = isGiven ? [...looking].filter(([, column]) => isNewSince(before, column)) : [...looking];
  if (declare) return looking;
  if (!confirm || fresh.length === 0) return new Map();
  const isWanted = await confirm(offerOf(fresh, terms.fields, isGiven));
  return isWanted === undefined ? undefined : new Map(isWanted ? fresh : []);
}

async function importGiven(
  given: TableMapping,
  taken: Looking,
  declaring: Declaring | undefined,
  context: MappedImport,
): Promise<SourceResult> {
  const { before, path, table, profile, terms } = context;
  const { mapping, text } = withColumns(given, before, path, taken, declaring?.fields ?? terms.fields);
  checkColumns(mapping, table.columns ?? pathsOf(profile));
  declaring?.write();
  if (text !== undefined) writeAtomically(path, text);
  return importMapped(mapping, context);
}

async function importProposed(
  plain: Proposal,
  declaring: Declaring | undefined,
  context: MappedImport,
): Promise<SourceResult | undefined> {
  const { source, table, profile, path, name, terms, unused, options } = context;
  const fields = declaring?.fields ?? terms.fields;
  const proposal = declaring ? await propose(table, profile, name, fields, options) : plain;
  const shown = { fields, vocabulary: terms.vocabulary };
  const chosen = options.ask ? await options.ask(proposal, profile, nameOf(table.name), shown) : proposal;
  if (!chosen) return undefined;
  const found = gapsIn(chosen, profile, fields, nameOf(table.name));
  const { mapping: decided, advice: gaps } = options.ask
    ? { mapping: chosen, advice: adviceOn(found, chosen) }
    : withoutGaps(chosen, found);
  const notesOf = (one: string) =>
    gaps.filter(({ field }) => field === one).map((gap) => `${gapSentence(gap)}. ${gap.done} ${gap.advice}`);
  const [sheet] = (table.sheets?.length ?? 0) > 1 ? table.sheets! : [];
  const settings = { ...(sheet !== undefined && { sheet }), ...decided };
  const text = mappingText(settings, profile, name, fields, notesOf);
  declaring?.write();
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, text, { isNew: true });
  const { mapping } = readMapping(text, path, fields);
  if (options.ask && mapping) return importMapped(mapping, context);
  return {
    ...{ name: source, diagnostics: [], notes: table.notes(), unused: unused(decided), gaps },
    proposed: proposedAt(path, decided, fields),
  };
}

async function propose(
  table: RowSource,
  profile: Profile,
  name: string,
  fields: FieldTable,
  { content }: SourceOptions,
): Promise<Proposal> {
  const { facilities } = termsOf(resolve(content)).vocabulary;
  const context = { name, facilities, fields };
  const proposal = proposeMapping(profile, context);
  if (profile.rows === 0 || proposal.country !== undefined) return proposal;
  return proposeMapping(profile, { ...context, country: await soleCountry(table, proposal) });
}

function proposedAt(path: string, proposal: Proposal, fields: FieldTable): ProposedMapping {
  const columns = Object.entries(proposal).map(([field, value]) => {
    return [field, [value].flat().map(describe).join(', ')] as const;
  });
  return { path, columns, missing: missingFields(proposal, fields) };
}

type MappedImport = Opened & {
  readonly unused: (mapping: Proposal | TableMapping) => UnusedColumn[];
};

async function importMapped(mapping: TableMapping, context: MappedImport): Promise<SourceResult> {
  const { table, profile, path, recorded, unused, options } = context;
  const { content, listener } = options;
  const { rows } = profile;
  // JSON without rows has no columns either; that it is empty matters more.
  if (table.columns || rows > 0) checkColumns(mapping, table.columns ?? pathsOf(profile));
  let done = 0;
  const left: PassedOver = { fields: new Map(), totals: [] };
  const terms = termsOf(resolve(content));
  const { keepPrivate = false } = options;
  const candidates = mappedRows(table, mapping, terms, {
    ...{ keepPrivate, left },
    countries: countriesNamed(profile, mapping),
  });
  const result = await importProperties(candidates, findPresent(content), {
    ...options,
    ...{ from: table.folder, source: recorded },
    total: () => rows,
    onDone: () => listener?.(++done, rows),
  });
  return {
    ...{ name: table.name, diagnostics: [], mapping: path },
    result: { ...result, repairs: [...table.repairs, ...result.repairs] },
    notes: [...table.notes(), ...leftNotes(left), ...privateNotes(mapping, profile, table)],
    gaps: adviceOn(
      gapsIn(mapping as Proposal, profile, terms.fields, nameOf(table.name)),
      mapping as Proposal,
    ),
    unused: unused(mapping),
  };
}

function pathsOf({ columns, isGeoJson }: Profile): string[] {
  const names = columns.map(({ name }) => name);
  if (!isGeoJson) return names;
  return [...names, 'geometry.type', ...GEOJSON_POINT, ...names.map((name) => `properties.${name}`)];
}

const GEOJSON_POINT = ['geometry.coordinates.0', 'geometry.coordinates.1', 'geometry.coordinates.2'];

function checkRows({ rows }: Profile, { name }: RowSource, { allowShrink }: SourceOptions): void {
  if (rows > 0 || allowShrink) return;
  throw new UsageError('empty-source', `${name} has no rows. Nothing was changed.`);
}
