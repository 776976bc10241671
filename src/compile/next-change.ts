import { resolve } from 'node:path';
import { hiddenReasonAt } from '../contract/visibility.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { scanContent } from '../source/scan-content.ts';
import { type AsOf, readAsOf } from './inputs/as-of.ts';
import { crossFileDiagnostics, recordsWithoutErrors } from './read/catalogue.ts';
import type { FileRecord } from './read/file-record.ts';
import { readFolder } from './read/folder.ts';

export type NextChangeOptions = {
  readonly content?: string;
  /** Searches after this instant. @default the commit's time; without Git, now */
  readonly asOf?: Date | undefined;
  /** Number of threads. @default as many as the work justifies, at most one per core */
  readonly jobs?: number | undefined;
};

export type NextChange = {
  readonly asOf: AsOf;
  /** Milliseconds since 1970; null if no date after `asOf` shows or hides a property. */
  readonly next: number | null;
  /** What changes at `next`, sorted by file. */
  readonly changes: readonly DatedChange[];
};

/** `file`: path relative to the content folder. */
type DatedChange = { readonly file: string; readonly change: 'shown' | 'hidden' };

/**
 * Finds the next instant at which a date shows or hides a property. Ignores properties with errors.
 * @throws UsageError if the folder does not exist
 */
export async function findNextChange(options: NextChangeOptions = {}): Promise<NextChange> {
  const content = resolve(options.content ?? 'content');
  const asked = readAsOf(content, options.asOf);
  const { usable: configuration } = readConfiguration(content);
  const { files } = scanContent(content, configuration);
  const records = await readFolder({ content, configuration, files, jobs: options.jobs });
  const asOf = await asked;
  return {
    asOf,
    ...nextAfter(recordsWithoutErrors(records, crossFileDiagnostics(content, records)), asOf.instant),
  };
}

function nextAfter(
  records: readonly Pick<FileRecord, 'path' | 'visibility'>[],
  instant: number,
): Omit<NextChange, 'asOf'> {
  const dated = records.filter(({ visibility }) => visibility && !visibility.draft);
  let next: number | null = null;
  for (const { visibility } of dated) {
    for (const time of [visibility?.from, visibility?.until])
      if (time !== undefined && time > instant) next = Math.min(next ?? time, time);
  }
  if (next === null) return { next, changes: [] };
  const at = next;
  const changes = dated.flatMap(({ path, visibility }): DatedChange[] => {
    const [before, then] = [instant, at].map((time) => hiddenReasonAt(visibility, time) === undefined);
    return before === then ? [] : [{ file: path, change: then ? 'shown' : 'hidden' }];
  });
  return { next, changes };
}
