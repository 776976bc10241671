import { resolve } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { readTerms } from '../source/configuration-file.ts';
import {
  countriesNamed,
  countSkippedRows,
  createSkippedRows,
  privateColumnNotes,
  skippedRowNotes,
} from './candidate/candidate-mapper.ts';
import { hiddenReasonText, unknownHidingWords } from './candidate/hidden-reason.ts';
import { preparedRows } from './candidate/row-thread.ts';
import { refuseChangedIds } from './changed-ids.ts';
import { refuseChangedStatuses, refuseWholeCoordinates } from './changed-statuses.ts';
import { confirmEarlierTable, ledgerNameOf, mappingPath, sourceName } from './earlier-table.ts';
import { importPrepared, isRepeatImport } from './files/import.ts';
import { openLedger } from './files/ledger.ts';
import { mergedRepairs } from './files/tally.ts';
import type { SourceOptions, SourceResult } from './import-options.ts';
import { withCapitalizedCities } from './mapping/city-letter-case.ts';
import { ambiguousNumberNotes, withEvidentMarks, withProvenCommas } from './mapping/decimal-mark.ts';
import { declareLanguage, termsWithKnownFields } from './mapping/declare.ts';
import {
  type ColumnsByField,
  declarationsFor,
  describeUnusedColumns,
  findColumnsOfKnownFields,
  type UnusedColumn,
} from './mapping/declared-columns.ts';
import { unusedStatusNotes } from './mapping/draft-mapping.ts';
import { countConversions, findGaps, gapAdvice } from './mapping/gaps.ts';
import { idLine, idNotes, isIdOfTitle, withAdviceOnDuplicates } from './mapping/id-mapping.ts';
import { checkColumns, type Proposal, type TableMapping } from './mapping/mapping.ts';
import { mappingLineFor } from './mapping/mapping-slots.ts';
import { isColumnNewToProposal, unusedColumns, unusedPublicColumns } from './mapping/mapping-text.ts';
import {
  languageMismatch,
  languageNote,
  languageQuestion,
  translationNotes,
} from './mapping/text-language.ts';
import {
  mappingLinesForWords,
  sameTitleNotes,
  unclearYesNoNotes,
  unknownWords,
} from './mapping/unknown-words.ts';
import {
  type OpenedTable,
  openChosenSheet,
  proposeMappingForTable,
  readMappingFile,
} from './opened-table.ts';
import { declinedNotes, pickUnusedColumns } from './questions/pick-unused-columns.ts';
import { importFromService } from './service/import-from-service.ts';
import { extendMapping, type MappedResult, settleProposal } from './settled-mapping.ts';
import { type Column, profileRows, refuseEmptySource } from './table/profile.ts';
import { isTableUrl, isUrl } from './table/source-bytes.ts';
import { translationNamed } from './words/column-names.ts';
export async function importSource(source: string, options: SourceOptions): Promise<SourceResult> {
  const isAddress = isUrl(source);
  if (isAddress && !URL.canParse(source))
    throw new UsageError('invalid-source', `"${source}" is not the address of a table or a service.`);
  // Shows progress before the first row, since an address may take seconds to answer.
  if (isAddress) options.listener?.(0);
  const isService = isAddress && options.mapping === undefined && !isTableUrl(source);
  return isService ? importFromService(source, options) : importTable(source, options);
}

/** @param earlier the name of the imported table that `source` is a later export of; undefined for any other source */
async function importTable(source: string, options: SourceOptions, earlier?: string): Promise<SourceResult> {
  const nothing = { name: source, diagnostics: [], notes: [], unused: [] };
  const file = readMappingFile(
    options.mapping ?? mappingPath(earlier ?? source, source, options.content),
    options,
  );
  if (file.faults.length > 0) return { ...nothing, diagnostics: file.faults };
  const table = await openChosenSheet(source, file.given, options);
  if (!table) return nothing;
  try {
    const profile = await profileRows(table, options.listener);
    if (!options.allowShrink) refuseEmptySource(profile, table.name);
    const name = earlier ?? sourceName(source);
    const [content, terms] = [resolve(options.content), readTerms(options.content)];
    const initialMapping = file.given ?? (await proposeMappingForTable(table, profile, name, terms));
    const ledger = openLedger(content);
    const ledgerName = earlier ?? ledgerNameOf(ledger, sourceName(table.name), file.path, initialMapping);
    const opened = {
      ...file,
      source,
      content,
      table,
      profile,
      name,
      ledgerName,
      initialMapping,
      ledger,
      terms,
      options,
    };
    const isSure = options.mapping !== undefined || source === '-';
    const next = isSure ? '' : await confirmEarlierTable(opened);
    if (next) return await importTable(source, options, next);
    if (file.given && !options.allowShrink) {
      refuseChangedStatuses({ ...opened, given: file.given });
      refuseWholeCoordinates({ ...opened, given: file.given });
      await refuseChangedIds({ ...opened, given: file.given });
    }
    return { ...nothing, ...(next === '' && (await importOpened(opened))) };
  } finally {
    table.close();
  }
}

/** Undefined if the user cancels. */
async function importOpened(opened: OpenedTable): Promise<Partial<SourceResult> | undefined> {
  const { content, given, initialMapping, profile, terms, options } = opened;
  if (given) checkGiven(given, opened);
  else options.introduce?.(sourceName(opened.table.name), profile);
  const { fields: known } = termsWithKnownFields(content);
  const lookalikes = findColumnsOfKnownFields(profile, initialMapping, known);
  const texts = Object.fromEntries([...lookalikes].map(([field, { name }]) => [field, name]));
  const language = languageMismatch(profile, { ...initialMapping, ...texts }, content);
  const unusedBefore = unusedColumnsOf(opened, initialMapping, lookalikes);
  const picked = await pickUnusedColumns(opened, lookalikes, unusedBefore);
  if (!picked) return undefined;
  const isOther = language && (await options.confirm?.(languageQuestion(language)));
  if (language && options.confirm && isOther === undefined) return undefined;
  const declaring = declarationsFor(
    content,
    initialMapping,
    picked.taken,
    terms.fields,
    picked.newFieldOptions,
  );
  const settled = given
    ? extendMapping(given, picked, declaring, opened)
    : await settleProposal(picked, declaring, opened);
  if (!settled) return undefined;
  const rest = new Map([...lookalikes].filter(([field]) => !picked.taken.has(field)));
  const { mapping, photos } = settled;
  const done = mapping ? await importMapped(mapping, photos, opened) : settled.done;
  if (language && isOther && mapping) declareLanguage(content, language.tag);
  const used = { ...texts, ...(mapping ?? settled.decided) };
  const fresh = unusedPublicColumns(profile, used).filter(
    (column) =>
      !given ||
      isColumnNewToProposal(opened.before, column) ||
      picked.taken.has(translationNamed(column.name, known)?.field ?? ''),
  );
  const notes = [
    ...done.notes,
    ...(options.declare ? declinedNotes(picked.declined, opened.path) : []),
    ...(language && !options.confirm ? [languageNote(language)] : []),
    ...translationNotes(fresh, used, content, known, profile),
    ...unusedStatusNotes(fresh, used, profile.rows),
  ];
  const declined = new Set(options.pick ? picked.declined.map(({ name }) => name) : []);
  const unused = unusedColumnsOf(opened, mapping ?? settled.decided, rest).map((column) =>
    declined.has(column.name) ? { ...column, isDeclined: true } : column,
  );
  // A blank cell of the header is named like "column 3".
  const isEmpty = ({ name, filled }: Column) => filled === 0 && !/^column \d+$/.test(name);
  const empty = profile.columns.filter(isEmpty).map(({ name }) => name);
  return { ...done, notes, unused, empty, ...(settled.declared && { declared: settled.declared }) };
}

function checkGiven(given: TableMapping, { before, path, profile, table }: OpenedTable): void {
  const fresh = unusedColumns(profile, given).filter((one) => isColumnNewToProposal(before, one));
  const names = fresh.map(({ name }) => name);
  checkColumns(given, profile.paths, { path, before, fresh: names, notes: table.notes() });
}

function unusedColumnsOf(
  { profile, terms, before }: OpenedTable,
  mapping: Proposal,
  lookalikes: ColumnsByField,
): UnusedColumn[] {
  const lineOf = (column: Column) => mappingLineFor(column, mapping, terms);
  return describeUnusedColumns(profile, mapping, { lookalikes, own: terms.fields, before, lineOf });
}

async function importMapped(
  given: TableMapping,
  photos: boolean,
  opened: OpenedTable,
): Promise<MappedResult> {
  const { table, profile, path, name, content, ledgerName, ledger, options } = opened;
  const { listener, keepPrivate = false } = options;
  let done = 0;
  const skipped = createSkippedRows();
  const hidingStatuses = new Set<string>();
  const terms = readTerms(content);
  const mapping = withCapitalizedCities(
    withProvenCommas(withEvidentMarks(given, profile), profile, terms.fields),
    profile,
  );
  const task = {
    ...{ content, mapping, keepPrivate, strict: options.strict },
    ...{ countries: countriesNamed(profile, mapping), downloaded: photos || ledger.downloaded },
  };
  const candidates = preparedRows(table, task, { rows: profile.rows, skipped });
  const result = await importPrepared(candidates, {
    ...options,
    ...{ photos, from: table.folder, source: ledgerName, ledger, isIdOfTitle: isIdOfTitle(mapping) },
    hidingStatuses,
    total: () => profile.rows,
    onDone: () => listener?.(++done, profile.rows),
  });
  const gaps = findGaps(mapping, profile, terms.fields, sourceName(table.name));
  const repeated = result.causes.find(({ code }) => code === 'repeated-row');
  const isNext = isRepeatImport(result);
  const { written, replaced, present, conflict, drafts } = result;
  const areAllHidden = drafts > 0 && drafts === written + replaced + present + conflict;
  const ids = withAdviceOnDuplicates(idNotes(mapping, profile, name, path), result.causes);
  const repairs = [...table.repairs, ...countConversions(mapping, profile)];
  return {
    ...{
      name: table.name,
      diagnostics: [],
      mapping: path,
      hidden: hiddenReasonText(mapping, profile, hidingStatuses),
    },
    hidingWords: areAllHidden ? unknownHidingWords(mapping, profile) : [],
    result: {
      ...result,
      causes: ids.causes,
      repairs: mergedRepairs([
        ...(isNext ? repairs.map((one) => ({ ...one, fresh: 0, examples: [] })) : repairs),
        ...result.repairs,
      ]),
    },
    notes: [
      ...table.notes(),
      ...skippedRowNotes(skipped),
      ...ambiguousNumberNotes(mapping, profile, terms.fields),
      ...unclearYesNoNotes(mapping, profile),
      ...sameTitleNotes(mapping, profile),
      ...ids.notes,
      ...privateColumnNotes(mapping, profile, table),
    ],
    passedOver: countSkippedRows(skipped) + (repeated?.count ?? 0),
    gaps: gapAdvice(gaps, mapping),
    wordLines: {
      ...mappingLinesForWords(unknownWords(mapping, profile, terms.fields)),
      id: idLine(mapping, name),
    },
  };
}
