/** The points files of a release: only those of countries that differ are made, and only those that differ are written. */
import { pointsKey } from '../../contract/document-keys.ts';
import { type CountryRun, countryRuns } from '../../documents/countries.ts';
import { pointsBytes, publishedCoordinates } from '../../documents/points.ts';
import { writeDocument } from '../../folder.ts';
import { digestOf } from '../../release/digest.ts';
import type { Entry, JoinedSummaries, Scope } from '../../release/sequence.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { FileRecord } from '../read/files.ts';

/** A release, as far as these files depend on it, and what the last build wrote. */
export type PointsInput = {
  readonly sequence: readonly Entry[];
  readonly scopes: readonly Scope[];
  readonly summaries: JoinedSummaries;
  /** The entries of the last release. */
  readonly before: readonly Entry[];
  readonly folder: OutputFolder;
  /** Records of files that were read, by entry: their details may not be published yet. */
  readonly fresh: ReadonlyMap<Entry, FileRecord>;
  readonly last:
    | { readonly scopes: readonly Scope[]; readonly documents: Readonly<Record<string, string>> }
    | undefined;
};

/**
 * Writes the points files, one country in memory at a time.
 *
 * @param runs the countries of the sequence.
 * @param documents is filled in with the digests of all.
 * @returns the number of files written.
 */
export function writePoints(
  input: PointsInput,
  runs: readonly CountryRun[],
  documents: Map<string, string>,
): number {
  const { sequence, summaries, before, fresh, folder, last } = input;
  const root = folder.public;
  const old = new Map(countryRuns(last?.scopes ?? []).map((run) => [run.country, run]));
  let written = 0;
  for (const run of runs) {
    const key = pointsKey(run.country);
    const known = last?.documents[key];
    if (known !== undefined && isSameRun(run, sequence, old.get(run.country), before)) {
      documents.set(key, known);
      continue;
    }
    const published = publishedCoordinates(root, run.country, known);
    const bytes = pointsBytes(run, summaries, (index) => {
      const entry = sequence[index]!;
      return fresh.get(entry)?.coordinates ?? published(entry.id);
    });
    const digest = digestOf(bytes);
    documents.set(key, digest);
    if (digest === known) continue;
    writeDocument(root, key, bytes);
    written++;
  }
  return written;
}

/** Whether the entries of a country are those that the last build left, in the same order. */
function isSameRun<Item>(
  run: CountryRun,
  sequence: readonly Item[],
  old: CountryRun | undefined,
  before: readonly Item[],
): boolean {
  if (!old || old.end - old.start !== run.end - run.start) return false;
  for (let index = run.start; index < run.end; index++)
    if (sequence[index] !== before[old.start + index - run.start]) return false;
  return true;
}
