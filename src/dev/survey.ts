/** What every file says, read without a build: while there are errors, a build says nothing of the sound files. */
import { readConfigurationBytes, scan } from '../build/inputs/scan.ts';
import { crossDiagnostics, readRecords } from '../build/read/catalogue.ts';
import type { FileRecord } from '../build/read/files.ts';
import { NOTHING_KNOWN } from '../build/state/reusable.ts';
import { openThreads } from '../build/threads/pool.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import type { Diagnostic } from '../source/diagnostic.ts';

export type Survey = {
  /**
   * Reads the files whose bytes differ from what is known of them.
   *
   * @param known records by path, with which the first reading begins.
   * @param changes number of changes heard of: with the same number, the answer is the same.
   */
  readonly read: (
    known: ReadonlyMap<string, FileRecord>,
    changes: number,
  ) => Promise<ReadonlyMap<string, FileRecord>>;
};

export function createSurvey(content: string): Survey {
  let last:
    | { readonly changes: number; readonly records: Promise<ReadonlyMap<string, FileRecord>> }
    | undefined;
  return {
    async read(known, changes) {
      if (last?.changes !== changes) {
        const before = (await last?.records.catch(() => undefined)) ?? known;
        last = { changes, records: readAll(content, before) };
      }
      return last.records;
    },
  };
}

async function readAll(
  content: string,
  before: ReadonlyMap<string, FileRecord>,
): Promise<ReadonlyMap<string, FileRecord>> {
  const { usable } = checkConfiguration(readConfigurationBytes(content));
  const { files } = scan(content, usable);
  // Of a file with photos or errors, more than its bytes decides what is wrong.
  const byBytes = new Map(
    [...before].filter(([, { media, diagnostics }]) => media.length + diagnostics.length === 0),
  );
  const records = await readRecords({
    content,
    configuration: usable,
    files,
    known: { ...NOTHING_KNOWN, byBytes },
    staging: undefined,
    threads: openThreads(1),
    listener: () => {},
  });
  const byPath = new Map(records.map((record) => [record.path, record]));
  return withCross(byPath, crossDiagnostics(content, records));
}

/** The records with what is wrong across files, each finding at its file. */
export function withCross(
  records: ReadonlyMap<string, FileRecord>,
  cross: readonly Diagnostic[],
): ReadonlyMap<string, FileRecord> {
  if (cross.length === 0) return records;
  const all = new Map(records);
  for (const diagnostic of cross) {
    const record = all.get(diagnostic.file);
    if (record) all.set(record.path, { ...record, diagnostics: [...record.diagnostics, diagnostic] });
  }
  return all;
}
