import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEDIA_FOLDER, mediaKey, propertyKey, scopeFolder } from '../../contract/object-keys.ts';
import { digestOf } from '../../release/digest.ts';
import { joinSummaries, type SequenceEntry } from '../../release/sequence.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { FileDigests, FileDigestsByGroup } from '../state/written-files.ts';
import { pageFilesOfScope } from './emit.ts';
import { type ReleaseFiles, strayKeys } from './gone-files.ts';

export type WrittenRelease = Pick<ReleaseFiles, 'pageScopes' | 'sizes'> & {
  readonly groups: FileDigestsByGroup;
  readonly sequence: readonly Pick<SequenceEntry, 'id' | 'summary' | 'detailDigest'>[];
};

/**
 * Compares the output files with what the last build recorded about them. Leaves out target configurations, since
 * owners may edit them.
 * @returns keys of damaged files in `dist/public`, sorted
 */
export function findDamagedOutput(folder: OutputFolder, release: WrittenRelease): string[] {
  const { groups, pageScopes, sizes } = release;
  // Details are files only in the pages layout, where even an empty catalogue has one scope.
  const hasFiles = pageScopes.length > 0;
  const media = Object.keys(groups.media);
  const files = Object.keys(groups.files);
  return [
    ...damagedIn(folder.public, groups.files),
    ...damagedIn(join(folder.public, MEDIA_FOLDER), groups.media).map(mediaKey),
    ...(hasFiles ? damagedDetails(folder.public, release) : []),
    ...damagedPages(folder.public, release),
    ...strayKeys(folder.public, {
      sequence: hasFiles ? release.sequence : [],
      pageScopes,
      sizes,
      media,
      files,
    }),
  ].sort();
}

function damagedIn(folder: string, group: FileDigests): string[] {
  return Object.keys(group).filter(
    (key) => !isIntact(() => digestOf(readFileSync(join(folder, key))) === group[key]),
  );
}

function damagedDetails(publicFolder: string, { sequence }: WrittenRelease): string[] {
  return sequence.flatMap(({ id, detailDigest }) => {
    const key = propertyKey(id);
    return isIntact(() => digestOf(readFileSync(join(publicFolder, key))) === detailDigest) ? [] : [key];
  });
}

function* damagedPages(
  publicFolder: string,
  { sequence, pageScopes, sizes }: WrittenRelease,
): Generator<string> {
  const read = (key: string) => readFileSync(join(publicFolder, key));
  const summaries = joinSummaries(sequence.map(({ summary }) => summary));
  for (const scope of pageScopes) {
    const all = { scope, folder: scopeFolder(scope.country, scope.city), before: 0, indexes: undefined };
    for (const { key, pieces } of pageFilesOfScope(summaries, all, sizes))
      if (!isIntact(() => read(key).equals(Buffer.concat(pieces)))) yield key;
  }
}

/** An unreadable file counts as damaged. */
function isIntact(compare: () => boolean): boolean {
  try {
    return compare();
  } catch {
    return false;
  }
}
