/** Merges versions of a file: a property by fields, other text by lines, anything else by the user's choice. */
import { isUtf8 } from 'node:buffer';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldTable } from '../../contract/fields.ts';
import { refusalOf, setFields } from '../../editing/set-fields.ts';
import type { ConflictSide, ReceivedConflict } from '../../editor/git-remote.ts';
import { changedFields } from '../../editor/undo-history.ts';
import { compareVersions, mergedValues } from '../../editor/version-comparison.ts';
import { prepareUpload } from '../../media/prepare-upload.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { titleIn, valuesIn } from '../content/read-field-values.ts';
import { GitFailure, gitBytes } from './git.ts';

type FileVersions = {
  readonly base: Buffer | undefined;
  readonly yours: Buffer | undefined;
  readonly theirs: Buffer | undefined;
};

export type MergeRules = {
  /** By `key` of the conflict. */
  readonly choices: Readonly<Record<string, ConflictSide>>;
  readonly fields: FieldTable;
};

/** Result of a merge that can only go on once the user has chosen a side of each conflict. */
export type Conflicts = { readonly conflicts: readonly ReceivedConflict[] };

/** Undefined `bytes`: the merge removes the file. */
type MergedFile = { readonly bytes: Buffer | undefined } | Conflicts;

/** @param stage `recorded` merges commits; `saved` merges their result with uncommitted changes */
export async function mergeFile(
  stage: 'recorded' | 'saved',
  path: string,
  versions: FileVersions,
  { choices, fields }: MergeRules,
): Promise<MergedFile> {
  const { base, yours, theirs } = versions;
  if (isSameContent(yours, theirs) || isSameContent(theirs, base)) return { bytes: yours };
  if (isSameContent(yours, base)) return { bytes: theirs };
  const keyOf = (field: string | null) => JSON.stringify([stage, path, field]);
  const title = titleOf(yours) || titleOf(theirs) || path;
  if (yours && theirs && isPropertyFilePath(path) && isEditable(yours) && isEditable(theirs)) {
    const comparison = compareVersions(base ? valuesIn(base) : {}, valuesIn(yours), valuesIn(theirs));
    const conflicts = comparison.conflicts
      .map((difference) => ({ ...difference, key: keyOf(difference.field), path, title }))
      .filter(({ key }) => choices[key] === undefined);
    if (conflicts.length > 0) return { conflicts };
    const values = mergedValues(valuesIn(theirs), comparison, (field) => choices[keyOf(field)] === 'yours');
    const text = await mergedLines({ base: base ?? yours, yours, theirs }, '--ours');
    for (const start of [text, yours]) {
      if (!start || !isEditable(start)) continue;
      const merged = setFields(start.toString('utf8'), changedFields(valuesIn(start), values), fields);
      if (!('refused' in merged)) return { bytes: Buffer.from(merged.text) };
    }
  } else if (base && yours && theirs) {
    const bytes = await mergedLines({ base, yours, theirs });
    if (bytes && !isPropertyFilePath(path)) return { bytes };
  }
  const choice = choices[keyOf(null)];
  if (choice !== undefined) return { bytes: versions[choice] };
  const shown = { yours: await shownText(yours), theirs: await shownText(theirs) };
  return { conflicts: [{ key: keyOf(null), path, title, field: null, ...shown }] };
}

/**
 * Undefined if a version is not text, or if both sides changed the same lines and `how` does not say which to take.
 * @param how options of `git merge-file`, such as `--ours`
 */
async function mergedLines(
  { base, yours, theirs }: { readonly [Key in keyof FileVersions]: Buffer },
  ...how: readonly string[]
): Promise<Buffer | undefined> {
  if (![base, yours, theirs].every((bytes) => isUtf8(bytes))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-merge-'));
  try {
    const names = ['yours', 'base', 'theirs'];
    for (const [place, bytes] of [yours, base, theirs].entries())
      writeFileSync(join(folder, names[place]!), bytes);
    return await gitBytes(folder, ['merge-file', '-p', '--quiet', ...how, ...names]);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function isSameContent(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one && other ? one.equals(other) : one === other;
}

function isEditable(bytes: Buffer): boolean {
  return isUtf8(bytes) && refusalOf(bytes.toString('utf8')) === undefined;
}

function titleOf(bytes: Buffer | undefined): string {
  return bytes && isUtf8(bytes) ? titleIn(valuesIn(bytes)) : '';
}

const MAX_SHOWN = 2000;

/** Maximum width, in pixels, of a photo that is shown in a conflict. */
const SHOWN_WIDTH = 320;

async function shownText(bytes: Buffer | undefined): Promise<string | undefined> {
  if (!bytes) return undefined;
  if (isUtf8(bytes)) return bytes.toString('utf8').slice(0, MAX_SHOWN);
  const photo = await prepareUpload(bytes, { max_width: SHOWN_WIDTH });
  if ('code' in photo) return `${bytes.length} bytes`;
  const type = photo.extension === '.webp' ? 'webp' : 'jpeg';
  return `data:image/${type};base64,${photo.bytes.toString('base64')}`;
}
