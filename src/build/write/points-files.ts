/** The points files of a release: only those of countries that differ are made, and only those that differ are written. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pointsKey } from '../../contract/document-keys.ts';
import { type CountryRun, countryRuns, pointsBytes, publishedCoordinates } from '../../documents/points.ts';
import { makeFolder } from '../../folder.ts';
import { digestOf } from '../../release/digest.ts';
import type { CatalogueFilesInput } from './documents.ts';

/**
 * Writes the points files, one country in memory at a time.
 *
 * @param documents is filled in with the digests of all.
 * @returns the number of files written.
 */
export function writePoints(input: CatalogueFilesInput, documents: Map<string, string>): number {
  const { sequence, scopes, summaries, before, fresh, folder, last } = input;
  const root = folder.public;
  const old = new Map(countryRuns(last?.scopes ?? []).map((run) => [run.country, run]));
  let written = 0;
  for (const run of countryRuns(scopes)) {
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
    const path = join(root, key);
    makeFolder(dirname(path));
    writeFileSync(path, bytes);
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
