/** Reads the state of the last build, also while the next one is writing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import type { OutputFolder } from '../build/output-folder.ts';
import { crossDiagnostics } from '../build/read/catalogue.ts';
import type { FileRecord } from '../build/read/files.ts';
import { readFolder } from '../build/read/folder.ts';
import { readState, type StateSummary } from '../build/state/file.ts';
import { type Remembered, readLastRelease } from '../build/state/last-release.ts';
import type { Diagnostic } from '../source/diagnostic.ts';

/** Records of property files by path, each with every diagnostic of its file. */
export type Records = ReadonlyMap<string, FileRecord>;

export type LastBuild = {
  /** Undefined before the first build; the same object until the next one. */
  readonly shown: () => Pick<StateSummary, 'configuration' | 'release'> | undefined;
  /** Records of the last build; undefined before the first. */
  readonly records: () => Records | undefined;
  /** Ids of the drafts shown. */
  readonly drafts: () => readonly string[];
  /** Reads the output between two builds: waits while one writes, and repeats when one started meanwhile. */
  readonly read: <Result>(act: () => Promise<Result>) => Promise<Result>;
};

/** Milliseconds between checks for the end of writing. */
const POLL = 5;

/** @param writes the build thread's counter. */
export function createLastBuild(folder: OutputFolder, writes: () => number): LastBuild {
  type Known = { readonly at: number; readonly summary: StateSummary; records?: Records };
  let known: Known | undefined;
  const isOld = () => writes() % 2 === 0 && known?.at !== writes();

  function current(): Known | undefined {
    const at = writes();
    if (!isOld()) return known;
    const state = readState<Remembered>(folder.state);
    if (state && at === writes()) known = { at, summary: state.summary };
    return known;
  }

  function records(): Records | undefined {
    const now = current();
    if (!now || now.records || now.at !== writes()) return now?.records;
    const last = readLastRelease(readState<Remembered>(folder.state));
    if (last && now.at === writes()) now.records = byPath(last.records, last.diagnostics);
    return now.records;
  }

  return {
    shown: () => current()?.summary,
    records,
    drafts: () =>
      [...(records()?.values() ?? [])].flatMap(({ visibility, entry }) =>
        visibility?.draft && entry ? entry.id : [],
      ),
    async read(act) {
      for (;;) {
        while (writes() % 2 === 1) await sleep(POLL);
        const before = writes();
        const result = await act();
        if (writes() === before) return result;
      }
    },
  };
}

/** Reads all property files now, without a build. */
export async function readContent(content: string): Promise<Records> {
  const { usable: configuration } = readConfiguration(content);
  const { files } = scan(content, configuration);
  const records = await readFolder({ content, configuration, files, jobs: 1 });
  const found = records.flatMap(({ diagnostics }) => diagnostics);
  return byPath(records, [...found, ...crossDiagnostics(content, records)]);
}

function byPath(records: readonly FileRecord[], diagnostics: readonly Diagnostic[]): Records {
  const own = new Map<string, Diagnostic[]>(records.map(({ path }) => [path, []]));
  for (const diagnostic of diagnostics) own.get(diagnostic.file)?.push(diagnostic);
  return new Map(records.map((record) => [record.path, { ...record, diagnostics: own.get(record.path)! }]));
}
