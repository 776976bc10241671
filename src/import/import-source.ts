import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FieldTable } from '../contract/fields.ts';
import type { Terms } from '../contract/terms.ts';
import { readTerms } from '../editing/repair-content.ts';
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readBoundedText } from '../files/folder.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import {
  countriesNamed,
  countSkippedRows,
  createSkippedRows,
  privateNotes,
  skippedRowNotes,
  soleCountry,
} from './candidate/mapped-rows.ts';
import { preparedRows } from './candidate/row-thread.ts';
import { type ImportOptions, type ImportResult, importPrepared, isNextImport } from './files/import.ts';
import { type Ledger, openLedger } from './files/ledger.ts';
import { linkedPhotos } from './files/photos.ts';
import { mergedRepairs } from './files/tally.ts';
import { ambiguousNumberNotes, withGroupedPrices, withProvenCommas } from './mapping/decimal-mark.ts';
import {
  configurationFaults,
  type DeclarationEdit,
  declareLanguage,
  withKnownFields,
} from './mapping/declare.ts';
import {
  declarationsFor,
  declaredMapping,
  describeUnusedColumns,
  findColumnsOfKnownFields,
  type LookalikeColumns,
  type UnusedColumn,
  withMappedColumns,
} from './mapping/declared-columns.ts';
import {
  countConversions,
  fillGaps,
  findGaps,
  type GapAdvice,
  gapAdvice,
  gapSentence,
} from './mapping/gaps.ts';
import { idLine, idNotes, isIdOfTitle } from './mapping/id-mapping.ts';
import { hiddenReasonText } from './mapping/liveness.ts';
import { checkColumns, columnsOf, type Proposal, readMapping, type TableMapping } from './mapping/mapping.ts';
import { mappingLineFor } from './mapping/mapping-slots.ts';
import {
  isColumnNewToProposal,
  mappingText,
  type ProposedMapping,
  proposedAt,
  unusedColumns,
  withDeclinedColumns,
} from './mapping/mapping-text.ts';
import { proposeMapping } from './mapping/propose.ts';
import { languageMismatch, languageNote, languageQuestion } from './mapping/text-language.ts';
import { constantNotes, linesForWords, unknownWords } from './mapping/unknown-words.ts';
import { type Confirm, confirmEarlierTable, mappingPath, recordedName, sourceName } from './next-export.ts';
import { type PickColumns, type PickedColumns, pickedColumns } from './questions/picked-columns.ts';
import { importService } from './service/import-service.ts';
import { checkRows, type Profile, profileRows } from './table/profile.ts';
import type { SourceNote } from './table/row.ts';
import { openRows, type RowSource } from './table/rows.ts';
import { isTableUrl } from './table/source-bytes.ts';

export type SourceOptions = Pick<
  ImportOptions,
  'content' | 'force' | 'photos' | 'strict' | 'gone' | 'allowShrink' | 'keepOutcomes' | 'photoRules'
> & {
  /** Mapping file of a table. @default the path from `mappingPath`; if it has no file, a mapping is proposed */
  readonly mapping?: string;
  /** Lets the user edit a proposed mapping; undefined if the user cancels. @default nothing is imported */
  readonly ask?: (...shown: [Proposal, Profile, name: string, Terms]) => Promise<Proposal | undefined>;
  /** Describes a table and its private columns. Called before the mapping is proposed to the user. @default nothing */
  readonly introduce?: (name: string, profile: Profile) => void;
  /** Asks which unused columns to publish. @default none */
  readonly pick?: PickColumns;
  /** @default the first sheet with a table */
  readonly askSheet?: (name: string, sheets: readonly string[]) => Promise<string | undefined>;
  /** Asks yes or no. @default no; throws `next-export` if the table looks like a later export of an imported one */
  readonly confirm?: Confirm;
  /** Name, in the ledger, of the earlier import that this table updates. @default none */
  readonly earlier?: string;
  readonly keepPrivate?: boolean;
  /** Whether to declare in catalogue.yaml the known fields that unused columns match. @default false */
  readonly declare?: boolean;
  /** Number of concurrent requests to a service. @default adapts to the service */
  readonly concurrency?: number | undefined;
  readonly apiKey?: string | undefined;
  /** `done`: the number of rows profiled so far, then, from 0 again, of candidates imported. `total`: if known. */
  readonly listener?: (done: number, total?: number) => void;
};

export type SourceResult = {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly SourceNote[];
  /** Required fields without a value in some rows: what becomes of these rows, and how to change it. @default none */
  readonly gaps?: readonly GapAdvice[];
  readonly unused: readonly UnusedColumn[];
  /** By field: a line for the mapping, in which the user is to give unknown words a meaning. @default none */
  readonly wordLines?: Readonly<Record<string, string>>;
  readonly declared?: readonly string[];
  readonly mapping?: string;
  /** Why rows become drafts, such as "Status is paused"; empty if the mapping does not map `draft`. */
  readonly hidden?: string;
  /** Number of rows that were skipped, such as rows of totals. @default 0 */
  readonly passedOver?: number;
  readonly proposed?: ProposedMapping;
  readonly result?: ImportResult;
};

export async function importSource(source: string, options: SourceOptions): Promise<SourceResult> {
  const isUrl = /^https?:\/\//i.test(source);
  if (isUrl && !URL.canParse(source))
    throw new UsageError('invalid-source', `"${source}" is not the address of a table or a service.`);
  // A live line says at once that something is read, since an address may take seconds to answer.
  if (isUrl) options.listener?.(0);
  const isService = isUrl && options.mapping === undefined && !isTableUrl(source);
  return isService ? importService(source, options) : importTable(source, options);
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
  const sheet = await askSheet(sourceName(name), sheets);
  if (sheet === sheets[0]) return table;
  table.close();
  return sheet === undefined ? undefined : openRows(source, { sheet });
}

async function importTable(source: string, options: SourceOptions): Promise<SourceResult> {
  const content = resolve(options.content);
  const { earlier, mapping } = options;
  const path = mapping ?? mappingPath(earlier ?? source, source, options.content);
  const isThere = mapping !== undefined || existsSync(path);
  const all = withKnownFields(content).fields;
  const terms = readTerms(content);
  const before = isThere ? readBoundedText(path, MAX_MAPPING) : '';
  const read = isThere ? readMapping(before, path, options.declare ? all : terms.fields) : undefined;
  const nothing = { name: source, diagnostics: [], notes: [], unused: [] };
  const unknown = read && !read.mapping ? read.diagnostics.map(({ fieldPath = [] }) => fieldPath[0]) : [];
  const faults = configurationFaults(options.content, [...unknown, ...Object.keys(read?.mapping ?? {})]);
  if (faults.length > 0) return { ...nothing, diagnostics: faults };
  if (read && !read.mapping) return { ...nothing, diagnostics: read.diagnostics };
  const given = read?.mapping;
  const table = await openChosen(source, given, options);
  if (!table) return nothing;
  try {
    const profile = await profileRows(table, options.listener);
    if (!options.allowShrink) checkRows(profile, table.name);
    const name = earlier ?? sourceName(source);
    const plain = given ?? (await propose(table, profile, name, terms));
    const ledger = openLedger(content);
    const recorded = earlier ?? recordedName(ledger, sourceName(table.name), path, plain);
    const opened = { source, path, content, before, table, profile, name, recorded, ledger, terms, options };
    const isSure = mapping !== undefined || source === '-';
    const next = isSure ? '' : await confirmEarlierTable(opened, plain);
    if (next) return await importTable(source, { ...options, earlier: next });
    const done = next === undefined ? undefined : await importOpened(opened, given, plain, all);
    return { ...nothing, ...done };
  } finally {
    table.close();
  }
}

type Opened = {
  readonly [Key in 'source' | 'path' | 'content' | 'before' | 'name' | 'recorded']: string;
} & {
  readonly table: RowSource;
  readonly profile: Profile;
  readonly ledger: Ledger;
  readonly terms: Terms;
  readonly options: SourceOptions;
};

async function importOpened(
  opened: Opened,
  given: TableMapping | undefined,
  plain: Proposal,
  all: FieldTable,
): Promise<Partial<SourceResult> | undefined> {
  const { before, content, profile, terms, options } = opened;
  const { confirm } = options;
  if (given) {
    const fresh = unusedColumns(profile, given).filter((one) => isColumnNewToProposal(before, one));
    const names = fresh.map(({ name }) => name);
    const notes = opened.table.notes();
    checkColumns(given, profile.paths, { path: opened.path, before, fresh: names, notes });
  }
  const looking = findColumnsOfKnownFields(profile, plain, all);
  const texts = Object.fromEntries([...looking].map(([field, { name }]) => [field, name]));
  const other = languageMismatch(profile, { ...plain, ...texts }, content);
  if (!given) options.introduce?.(sourceName(opened.table.name), profile);
  const unused = (mapping: Proposal, left = looking) =>
    describeUnusedColumns(profile, mapping, {
      ...{ looking: left, own: terms.fields, before },
      lineOf: (column) => mappingLineFor(column, mapping, terms),
    });
  const picked = await pickedColumns(opened, looking, unused(plain), plain, !!given);
  if (!picked) return undefined;
  const { taken, own } = picked;
  const isOther = other && (await confirm?.(languageQuestion(other)));
  if (other && confirm && isOther === undefined) return undefined;
  const declaring = declarationsFor(content, plain, taken, terms.fields, own);
  const rest = new Map([...looking].filter(([field]) => !taken.has(field)));
  const context = { ...opened, unused: (mapping: Proposal) => unused(mapping, rest) };
  const done = given
    ? await importGiven(given, picked, declaring, context)
    : await importProposed(plain, taken, declaring, context);
  if (other && isOther && done?.result) declareLanguage(content, other.tag);
  const notes = [...(done?.notes ?? []), ...(other && !confirm ? [languageNote(other)] : [])];
  return { ...done, notes, ...(declaring && done && { declared: declaring.names }) };
}

async function importGiven(
  given: TableMapping,
  { taken, declined }: PickedColumns,
  declaring: DeclarationEdit | undefined,
  context: MappedImport,
): Promise<SourceResult> {
  const { before, path, terms } = context;
  const fields = declaring?.fields ?? terms.fields;
  const { mapping, text: mapped } = withMappedColumns(given, before, path, taken, fields);
  const text = withDeclinedColumns(mapped, declined);
  declaring?.write();
  if (text !== before) writeAtomically(path, text);
  return importMapped(mapping, context);
}

async function importProposed(
  plain: Proposal,
  taken: LookalikeColumns,
  declaring: DeclarationEdit | undefined,
  context: MappedImport,
): Promise<SourceResult | undefined> {
  const { source, table, profile, path, name, terms, unused, options } = context;
  const fields = declaring?.fields ?? terms.fields;
  const offered = [...taken].map(([field, column]) => [field, declaredMapping(column, field, fields)]);
  const shown = { fields, vocabulary: terms.vocabulary };
  const again = declaring && (await propose(table, profile, name, shown));
  const proposal = again ? withGroupedPrices({ ...again, ...Object.fromEntries(offered) }, profile) : plain;
  const chosen = options.ask ? await options.ask(proposal, profile, sourceName(table.name), shown) : proposal;
  if (!chosen) return undefined;
  const isAsked = options.ask && !options.photos;
  const links = isAsked && (await linkedPhotos(chosen, table, shown));
  const photos = links ? await options.confirm?.(links.question, !links.isLarge) : options.photos;
  if (links && options.confirm && photos === undefined) return undefined;
  const found = findGaps(chosen, profile, fields, sourceName(table.name));
  const { mapping: decided, advice: gaps } = options.ask
    ? { mapping: chosen, advice: gapAdvice(found, chosen) }
    : fillGaps(chosen, found);
  const ids = idNotes(decided, profile, name);
  const notesOf = (one: string) => [
    ...gaps
      .filter(({ field }) => field === one)
      .map((gap) => `${gapSentence(gap)}. ${gap.done} ${gap.advice}`),
    ...ids.flatMap(({ code, help }) => (one === 'id' && code === 'id-from-title' ? [help] : [])),
  ];
  const [sheet] = (table.sheets?.length ?? 0) > 1 ? table.sheets! : [];
  const settings = { ...(sheet !== undefined && { sheet }), ...decided };
  const text = mappingText(settings, profile, name, fields, notesOf);
  declaring?.write();
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, text, { isNew: true });
  const { mapping } = readMapping(text, path, fields);
  if (options.ask && mapping)
    return importMapped(mapping, { ...context, options: { ...options, photos: photos ?? false } });
  const notes = [...table.notes(), ...ambiguousNumberNotes(decided, profile, fields), ...ids];
  const proposed = proposedAt(path, decided, fields);
  return { name: source, diagnostics: [], notes, unused: unused(decided), gaps, proposed };
}

async function propose(
  table: RowSource,
  profile: Profile,
  name: string,
  { fields, vocabulary: { facilities } }: Terms,
): Promise<Proposal> {
  const context = { name, fields, facilities };
  const proposal = proposeMapping(profile, context);
  if (profile.rows === 0 || proposal.country !== undefined) return proposal;
  return proposeMapping(profile, { ...context, country: await soleCountry(table, proposal) });
}

type MappedImport = Opened & { readonly unused: (mapping: Proposal) => UnusedColumn[] };

async function importMapped(given: TableMapping, context: MappedImport): Promise<SourceResult> {
  const { table, profile, path, content, recorded, ledger, unused, options } = context;
  const { listener, keepPrivate = false } = options;
  let done = 0;
  const left = createSkippedRows();
  const terms = readTerms(content);
  const mapping = withProvenCommas(given, profile, terms.fields);
  const task = {
    ...{ content, mapping, keepPrivate, strict: options.strict },
    ...{ countries: countriesNamed(profile, mapping), downloaded: options.photos || ledger.downloaded },
  };
  const candidates = preparedRows(table, task, { rows: profile.rows, left });
  const result = await importPrepared(candidates, {
    ...options,
    ...{ from: table.folder, source: recorded, ledger, isIdOfTitle: isIdOfTitle(mapping) },
    total: () => profile.rows,
    onDone: () => listener?.(++done, profile.rows),
  });
  const gaps = findGaps(mapping, profile, terms.fields, sourceName(table.name));
  const isNext = isNextImport(result);
  const repairs = [...table.repairs, ...countConversions(mapping, profile)];
  return {
    ...{ name: table.name, diagnostics: [], mapping: path, hidden: hiddenReasonText(mapping) },
    result: {
      ...result,
      repairs: mergedRepairs([
        ...(isNext ? repairs.map((one) => ({ ...one, fresh: 0 })) : repairs),
        ...result.repairs,
      ]),
    },
    notes: [
      ...table.notes(),
      ...skippedRowNotes(left),
      ...ambiguousNumberNotes(mapping, profile, terms.fields),
      ...constantNotes(mapping, profile),
      ...idNotes(mapping, profile, context.name, path),
      ...privateNotes(mapping, profile, table),
    ],
    passedOver: countSkippedRows(left),
    gaps: gapAdvice(gaps, mapping),
    wordLines: {
      ...linesForWords(unknownWords(mapping, profile, terms.fields)),
      id: idLine(mapping, context.name),
    },
    unused: unused(mapping),
  };
}
