/** What every file says, read without a build: while there are errors, a build says nothing of the sound files. */
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import { crossDiagnostics, dateFindings } from '../build/read/catalogue.ts';
import type { FileRecord } from '../build/read/files.ts';
import { readFolder } from '../build/read/folder.ts';
import { NOTHING_KNOWN } from '../build/state/reusable.ts';
import type { Diagnostic } from '../source/diagnostic.ts';

export type Survey = {
  /**
   * Reads the files whose bytes differ from what is known of them.
   *
   * @param known records by path, with which the first reading begins.
   * @param changes number of changes heard of: with the same number, the answer is the same.
   * @param instant at which dates are judged.
   */
  readonly read: (
    known: ReadonlyMap<string, FileRecord>,
    changes: number,
    instant: number,
  ) => Promise<ReadonlyMap<string, FileRecord>>;
};

export function createSurvey(content: string): Survey {
  let last:
    | { readonly changes: number; readonly records: Promise<ReadonlyMap<string, FileRecord>> }
    | undefined;
  return {
    async read(known, changes, instant) {
      if (last?.changes !== changes) {
        const before = (await last?.records.catch(() => undefined)) ?? known;
        last = { changes, records: readAll(content, before, instant) };
      }
      return last.records;
    },
  };
}

async function readAll(
  content: string,
  before: ReadonlyMap<string, FileRecord>,
  instant: number,
): Promise<ReadonlyMap<string, FileRecord>> {
  const { usable: configuration } = readConfiguration(content);
  const { files } = scan(content, configuration);
  // Of a file with photos or errors, more than its bytes decides what is wrong.
  const byBytes = new Map(
    [...before].filter(([, { media, diagnostics }]) => media.length + diagnostics.length === 0),
  );
  const known = { ...NOTHING_KNOWN, byBytes };
  const records = await readFolder({ content, configuration, files, known, jobs: 1 });
  const byPath = new Map(records.map((record) => [record.path, record]));
  return withFindings(byPath, [
    ...crossDiagnostics(content, records),
    ...dateFindings(content, records, instant),
  ]);
}

/** The records with what was found besides, across files and at an instant, each finding at its file. */
export function withFindings(
  records: ReadonlyMap<string, FileRecord>,
  findings: readonly Diagnostic[],
): ReadonlyMap<string, FileRecord> {
  if (findings.length === 0) return records;
  const all = new Map(records);
  for (const diagnostic of findings) {
    const record = all.get(diagnostic.file);
    if (record) all.set(record.path, { ...record, diagnostics: [...record.diagnostics, diagnostic] });
  }
  return all;
}
