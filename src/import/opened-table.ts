import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Terms } from '../contract/terms.ts';
import { UsageError } from '../errors/errors.ts';
import { readBoundedText } from '../files/files-and-folders.ts';
import { readTerms } from '../source/configuration-file.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { soleCountry } from './candidate/candidate-mapper.ts';
import { sourceName } from './earlier-table.ts';
import type { Ledger } from './files/ledger.ts';
import type { SourceOptions } from './import-options.ts';
import { configurationFaults, termsWithKnownFields } from './mapping/declare.ts';
import { columnsOf, type Proposal, readMapping, type TableMapping } from './mapping/mapping.ts';
import { proposeMapping } from './mapping/propose.ts';
import type { Profile } from './table/profile.ts';
import { openRows, type RowSource } from './table/row-source.ts';

const MAX_MAPPING = 1_000_000;

/** `given`: undefined if there is no file, or if it has faults. `before`: text of the file; empty if there is none. */
type MappingFile = {
  readonly path: string;
  readonly before: string;
  readonly given: TableMapping | undefined;
  readonly faults: readonly Diagnostic[];
};

export function readMappingFile(path: string, { content, declare, mapping }: SourceOptions): MappingFile {
  const isThere = mapping !== undefined || existsSync(path);
  if (isThere && !existsSync(path)) {
    const message = `There is no file ${path}. Correct --mapping, or leave it out: then a mapping is proposed.`;
    throw new UsageError('no-such-file', message);
  }
  const before = isThere ? readBoundedText(path, MAX_MAPPING) : '';
  const { fields } = declare ? termsWithKnownFields(resolve(content)) : readTerms(content);
  const read = isThere ? readMapping(before, path, fields) : { mapping: undefined, diagnostics: [] };
  const diagnostics = read.mapping ? [] : read.diagnostics;
  const named = [
    ...diagnostics.map(({ fieldPath = [] }) => fieldPath[0]),
    ...Object.keys(read.mapping ?? {}),
  ];
  const faults = configurationFaults(content, named);
  return { path, before, given: read.mapping, faults: faults.length > 0 ? faults : diagnostics };
}

export async function openChosenSheet(
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

/** `initialMapping`: the given mapping, or a proposed one. `ledgerName`: the name of the source in the ledger. */
export type OpenedTable = MappingFile & {
  readonly [Key in 'source' | 'content' | 'name' | 'ledgerName']: string;
} & {
  readonly table: RowSource;
  readonly profile: Profile;
  readonly initialMapping: Proposal;
  readonly ledger: Ledger;
  readonly terms: Terms;
  readonly options: SourceOptions;
};

export async function proposeMappingForTable(
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
