import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeAtomically } from '../files/atomic-write.ts';
import { sourceName } from './earlier-table.ts';
import { photoDownloadQuestion } from './files/photos.ts';
import type { SourceResult } from './import-options.ts';
import { ambiguousNumberNotes, withGroupedPriceMark } from './mapping/decimal-mark.ts';
import { type DeclarationEdit, termsWithKnownFields } from './mapping/declare.ts';
import { declarationsFor, declaredFieldMapping, withMappedColumns } from './mapping/declared-columns.ts';
import { fillGaps, findGaps, gapAdvice, gapSentence } from './mapping/gaps.ts';
import { idNotes } from './mapping/id-mapping.ts';
import { type Proposal, readMapping, type TableMapping } from './mapping/mapping.ts';
import { describeProposal, isDeclined, mappingText, withDeclinedColumns } from './mapping/mapping-text.ts';
import { type OpenedTable, proposeMappingForTable } from './opened-table.ts';
import type { PickedColumns } from './questions/pick-unused-columns.ts';

/** `mapping`: undefined if it is only proposed; then `done` says what to report. */
type Settled = { readonly photos: boolean; readonly declared: readonly string[] | undefined } & (
  | { readonly mapping: TableMapping }
  | { readonly mapping: undefined; readonly decided: Proposal; readonly done: MappedResult }
);

export type MappedResult = Omit<SourceResult, 'unused'>;

export function extendMapping(
  given: TableMapping,
  { taken, declined }: PickedColumns,
  declaring: DeclarationEdit | undefined,
  { before, path, terms, options }: OpenedTable,
): Settled {
  const fields = declaring?.fields ?? terms.fields;
  const { mapping, text: mapped } = withMappedColumns(given, before, path, taken, fields);
  const text = withDeclinedColumns(
    mapped,
    declined.filter((column) => !isDeclined(before, column)),
  );
  declaring?.write();
  if (text !== before) writeAtomically(path, text);
  return { mapping, photos: options.photos, declared: declaring?.names };
}

/** Lets the user edit the proposed mapping (with `ask`), then writes its file. Undefined if the user cancels. */
export async function settleProposal(
  { taken, declined, newFieldOptions }: PickedColumns,
  proposed: DeclarationEdit | undefined,
  { source, content, table, profile, initialMapping, path, name, terms, options }: OpenedTable,
): Promise<Settled | undefined> {
  const shown = { fields: proposed?.fields ?? terms.fields, vocabulary: terms.vocabulary };
  const offered = [...taken].map(([field, column]) => [
    field,
    declaredFieldMapping(column, field, shown.fields),
  ]);
  const again = proposed && (await proposeMappingForTable(table, profile, name, shown));
  const proposal = again
    ? withGroupedPriceMark({ ...again, ...Object.fromEntries(offered) }, profile)
    : initialMapping;
  const offeredTerms = { ...shown, fields: termsWithKnownFields(content, newFieldOptions).fields };
  const chosen = options.ask
    ? await options.ask(proposal, profile, sourceName(table.name), offeredTerms)
    : proposal;
  if (!chosen) return undefined;
  // The user may have chosen columns for known fields that nobody declared yet.
  const kept = Object.fromEntries(
    Object.entries(newFieldOptions).filter(([field]) => chosen[field] !== undefined),
  );
  const declaring = options.ask ? declarationsFor(content, chosen, taken, terms.fields, kept) : proposed;
  const fields = declaring?.fields ?? terms.fields;
  const links =
    options.ask && !options.photos
      ? await photoDownloadQuestion(chosen, table, { ...shown, fields })
      : undefined;
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
  const text = mappingText(settings, profile, name, fields, notesOf, declined);
  declaring?.write();
  mkdirSync(dirname(path), { recursive: true });
  writeAtomically(path, text, { isNew: true });
  const { mapping } = readMapping(text, path, fields);
  const declared = declaring?.names;
  if (options.ask && mapping) return { mapping, photos: photos ?? false, declared };
  const notes = [...table.notes(), ...ambiguousNumberNotes(decided, profile, fields), ...ids];
  const done = {
    ...{ name: source, diagnostics: [], notes, gaps },
    proposed: describeProposal(path, decided, fields),
  };
  return { mapping: undefined, photos: false, decided, done, declared };
}
