/** Imports from a service or a table. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openThreads } from '../build/threads/pool.ts';
import type { FieldTable } from '../contract/fields.ts';
import { KNOWN_FIELDS } from '../contract/known-fields.ts';
import type { Terms } from '../contract/terms.ts';
import { termsOf } from '../editing/repair-content.ts';
import { UsageError } from '../errors.ts';
import { readBoundedText } from '../folder.ts';

import type { Diagnostic } from '../source/diagnostic.ts';
import { writeWholeFile } from '../whole-file.ts';
import { type Declaring, declareFields, withKnownFields } from './declare.ts';
import { declaredColumns, mappingOf } from './declared-columns.ts';
import { adviceFor, type GapAdvice, gapSentence, gapsIn } from './gaps.ts';
import { type ImportOptions, type ImportResult, importProperties } from './import.ts';
import { countriesNamed, type ImportTasks, leftNotes, type PassedOver, preparedRows } from './mapped-rows.ts';
import { checkColumns, columnsOf, readMapping, type TableMapping } from './mapping.ts';
import { describe, fieldLine, looksLike, mappingText, missingFields, unusedColumns } from './mapping-text.ts';
import { findPresent } from './present.ts';
import { privateNotes } from './private-notes.ts';
import { type Column, type Profile, profileRows } from './profile.ts';
import { type Proposal, proposeMapping, referenceOf } from './propose.ts';
import type { SourceNote } from './row.ts';
import { openRows, type RowSource } from './rows.ts';
import { serviceProperties } from './service.ts';
import { soleCountry } from './sole-country.ts';
import { isTableAddress } from './source-bytes.ts';
import { mappingPath, nameOf } from './source-names.ts';

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
  /** Publishes texts that look like they hold an access code. @default false */
  readonly keepPrivate?: boolean;
  /** Declares the known fields that unused columns look like. @default false */
  readonly declare?: boolean;
  /** Requests in flight to a service. @default they adapt to it */
  readonly concurrency?: number | undefined;
  readonly apiKey?: string | undefined;
  /** Called with the number of processed candidates, and the total where it is known. */
  readonly listener?: (done: number, total: number | undefined) => void;
};

/** A column that was not imported. */
export type UnusedColumn = Pick<Column, 'name' | 'filled' | 'secret'> & {
  /** Its first values; empty for a private column. */
  readonly looks: string;
  /** The known field that it looks like and that the catalogue does not declare. */
  readonly field?: string | undefined;
};

/** A mapping file that was written, for the user to look at. */
export type ProposedMapping = {
  readonly path: string;
  readonly columns: readonly (readonly [field: string, columns: string])[];
  /** Required fields that it lacks. */
  readonly missing: readonly string[];
};

export type SourceResult = {
  /** Name of the source, for display. */
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Findings about the source as a whole. */
  readonly notes: readonly SourceNote[];
  /** Required fields that rows lack, about which the mapping does not decide. @default none */
  readonly gaps?: readonly GapAdvice[];
  readonly unused: readonly UnusedColumn[];
  /** Known fields that were declared in `catalogue.yaml`. */
  readonly declared?: readonly string[];
  /** Path of the mapping that was used. */
  readonly mapping?: string;
  readonly proposed?: ProposedMapping;
  /** Undefined when the mapping has errors or was only proposed, and when the user gave up. */
  readonly result?: ImportResult;
};

/**
 * Imports all properties of a source.
 *
 * @param source address of a service, or of a table: a path, a URL, or `-` for the standard input.
 * @throws UsageError when it is neither; errors of the source; the error of the file system.
 */
export function importSource(source: string, options: SourceOptions): Promise<SourceResult> {
  return isService(source, options) ? importService(source, options) : importTable(source, options);
}

function isService(source: string, { mapping }: SourceOptions): boolean {
  return /^https?:\/\//i.test(source) && mapping === undefined && !isTableAddress(source);
}

async function importService(source: string, options: SourceOptions): Promise<SourceResult> {
  const { apiKey, concurrency, listener, content } = options;
  const { origin, host, pathname } = new URL(source);
  const state = { total: undefined as number | undefined, isWhole: true, done: 0 };
  const undeclared = new Map<string, number>();
  const candidates = serviceProperties({
    ...{ url: source, apiKey, concurrency, fields: termsOf(resolve(content)).fields },
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
    ...{ name: `attributes.${name}`, filled, secret: undefined, looks: '' },
    field: Object.hasOwn(KNOWN_FIELDS, name) ? name : undefined,
  }));
  return { name: host, diagnostics: [], notes: [], unused, result };
}

/** Most bytes of a mapping. */
const MAX_MAPPING = 1_000_000;

/** Opens a source: of a workbook with several sheets, the one that the user chooses, if any. */
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
  const path = options.mapping ?? mappingPath(source, options.content);
  const isThere = options.mapping !== undefined || existsSync(path);
  const all = withKnownFields(content).fields;
  const own = termsOf(content).fields;
  const read = isThere
    ? readMapping(readBoundedText(path, MAX_MAPPING), path, options.declare ? all : own)
    : undefined;
  const nothing = { name: source, diagnostics: [], notes: [], unused: [] };
  if (read && !read.mapping) return { ...nothing, diagnostics: read.diagnostics };
  const given = read?.mapping;
  const table = await openChosen(source, given, options);
  if (!table) return nothing;
  try {
    const profile = await profileRows(table);
    checkRows(profile, table, options);
    const plain = given ?? (await propose(table, profile, source, own, options));
    const looking = lookingLike(profile, plain, all);
    const declaring = options.declare ? declaringFor(content, plain, looking, own) : undefined;
    const fields = declaring?.fields ?? own;
    const context: MappedImport = { table, profile, path, looking: declaring ? new Map() : looking, options };
    if (given) {
      const { mapping, text } = withColumns(given, path, looking, declaring, fields);
      checkColumns(mapping, table.columns ?? profile.columns.map(({ name }) => name));
      declaring?.write();
      if (text !== undefined) writeWholeFile(path, text);
      return { ...(await importMapped(mapping, context)), ...said(declaring) };
    }
    const proposal = declaring ? await propose(table, profile, source, fields, options) : (plain as Proposal);
    const { vocabulary } = termsOf(content);
    const chosen = options.ask
      ? await options.ask(proposal, profile, nameOf(table.name), { fields, vocabulary })
      : proposal;
    if (!chosen) return nothing;
    const gaps = adviceFor(gapsIn(chosen, profile, fields, nameOf(table.name)), chosen);
    const notesOf = (name: string) =>
      gaps.filter(({ field }) => field === name).flatMap((gap) => [`${gapSentence(gap)}. ${gap.advice}`]);
    const [sheet] = (table.sheets?.length ?? 0) > 1 ? table.sheets! : [];
    const text = mappingText(
      { ...(sheet !== undefined && { sheet }), ...chosen },
      profile,
      nameOf(source),
      fields,
      notesOf,
    );
    declaring?.write();
    mkdirSync(dirname(path), { recursive: true });
    writeWholeFile(path, text, { isNew: true });
    const { mapping } = readMapping(text, path, fields);
    if (options.ask && mapping) return { ...(await importMapped(mapping, context)), ...said(declaring) };
    return {
      ...{ ...nothing, notes: table.notes(), ...said(declaring) },
      unused: unusedIn(profile, chosen, context.looking),
      gaps,
      proposed: proposedAt(path, chosen, fields),
    };
  } finally {
    table.close();
  }
}

const said = (declaring: Declaring | undefined) => (declaring ? { declared: declaring.names } : {});

/** Finds the unused columns that look like known fields which are not declared, by field. */
function lookingLike(profile: Profile, mapping: Proposal | TableMapping, all: FieldTable): Looking {
  const unused = unusedColumns(profile, mapping).filter(({ secret }) => secret === undefined);
  const found = declaredColumns(unused, all);
  return new Map([...found].filter(([field]) => mapping[field as 'title'] === undefined));
}

type Looking = ReadonlyMap<string, Column>;

/** Prepares the declaration of the known fields that a mapping names, or that unused columns look like. */
function declaringFor(
  content: string,
  mapping: Proposal | TableMapping,
  looking: Looking,
  { attributes }: FieldTable,
): Declaring | undefined {
  const isKey = referenceOf(mapping.id as Proposal[string]) !== undefined && Object(mapping.id).uuid;
  const named = new Set([...Object.keys(mapping), ...looking.keys(), ...(isKey ? ['reference'] : [])]);
  const names = Object.keys(KNOWN_FIELDS).filter((name) => named.has(name) && !attributes.has(name));
  return names.length === 0 ? undefined : declareFields(content, names);
}

/** Adds columns for declared fields to a mapping, and to the text of its file. */
function withColumns(
  given: TableMapping,
  path: string,
  looking: Looking,
  declaring: Declaring | undefined,
  fields: FieldTable,
): { readonly mapping: TableMapping; readonly text?: string } {
  const reference = referenceOf(given.id as Proposal[string]);
  const lines = (declaring?.names ?? []).flatMap((name) => {
    const column = looking.get(name);
    if (Object.hasOwn(given, name)) return [];
    if (column) return [fieldLine(name, mappingOf(column, name, fields))];
    return name === 'reference' && reference !== undefined ? [fieldLine(name, reference)] : [];
  });
  if (lines.length === 0) return { mapping: given };
  const before = readBoundedText(path, MAX_MAPPING);
  const text = `${before}${before.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  const { mapping } = readMapping(text, path, fields);
  // A mapping between braces has no lines to add to.
  return mapping ? { mapping, text } : { mapping: given };
}

async function propose(
  table: RowSource,
  profile: Profile,
  source: string,
  fields: FieldTable,
  { content }: SourceOptions,
): Promise<Proposal> {
  const { facilities } = termsOf(resolve(content)).vocabulary;
  const context = { name: nameOf(source), facilities, fields };
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

type MappedImport = {
  readonly table: RowSource;
  readonly profile: Profile;
  readonly path: string;
  readonly looking: Looking;
  readonly options: SourceOptions;
};

// A worker cannot load TypeScript: when run from source, rows are mapped on this thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./import-worker.js', import.meta.url);
/** Rows for which it is worth to start a thread, and most threads, since one has to write. */
const ROWS_OF_THREAD = 2_000;
const MAX_THREADS = 3;

/** Imports the rows. The source was read once, to its end, before. */
async function importMapped(mapping: TableMapping, context: MappedImport): Promise<SourceResult> {
  const { table, profile, path, looking, options } = context;
  const { content, listener } = options;
  const { rows } = profile;
  // JSON without rows has no columns either; that it is empty matters more.
  if (table.columns || rows > 0)
    checkColumns(mapping, table.columns ?? profile.columns.map(({ name }) => name));
  let done = 0;
  const left: PassedOver = { fields: new Map(), totals: [] };
  const terms = termsOf(resolve(content));
  const { keepPrivate = false, strict, photos } = options;
  const countries = countriesNamed(profile, mapping);
  const settings = { content: resolve(content), mapping, keepPrivate, countries, strict, photos };
  const threads = openThreads<ImportTasks>(undefined, WORKER);
  threads.prepare('map', Math.min(rows / ROWS_OF_THREAD, MAX_THREADS));
  const result = await importProperties(
    preparedRows(table, settings, { threads, left }),
    findPresent(content),
    {
      ...options,
      ...{ from: table.folder, source: nameOf(table.name) },
      total: () => rows,
      onDone: () => listener?.(++done, rows),
    },
  ).finally(() => threads.stop());
  return {
    ...{ name: table.name, diagnostics: [], mapping: path },
    result: { ...result, repairs: [...table.repairs, ...result.repairs] },
    notes: [...table.notes(), ...leftNotes(left), ...privateNotes(mapping, profile, table)],
    gaps: adviceFor(
      gapsIn(mapping as Proposal, profile, terms.fields, nameOf(table.name)),
      mapping as Proposal,
    ),
    unused: unusedIn(profile, mapping, looking),
  };
}

function checkRows({ rows }: Profile, { name }: RowSource, { allowShrink }: SourceOptions): void {
  if (rows > 0 || allowShrink) return;
  throw new UsageError('empty-source', `${name} has no rows. Nothing was changed.`);
}

function unusedIn(profile: Profile, mapping: Proposal | TableMapping, looking: Looking): UnusedColumn[] {
  const fields = new Map([...looking].map(([field, column]) => [column.name, field]));
  return unusedColumns(profile, mapping).map((column) => {
    const { name, filled, secret } = column;
    return { name, filled, secret, looks: looksLike(column), field: fields.get(name) };
  });
}
