/** Handles files of earlier imports whose properties the source no longer has, and guards against a damaged source. */

import { join } from 'node:path';
import { UsageError } from '../../errors/errors.ts';
import { removalLimit } from '../../release/removal-limit.ts';
import { countText, formatNumber } from '../../text/amounts.ts';
import { errorFinding, type ImportFinding } from '../finding.ts';
import { type SourcePlaces, sourcePlacesText } from '../table/source-places.ts';
import type { Ledger, PresentFiles } from './ledger.ts';
import { valuesIn } from './ledger.ts';

export const SHRINK = 'If that is meant, import with --allow-shrink.';

export type GoneFiles = {
  /** All files whose properties are gone, also those in `removed` and `edited`. Relative to the content folder. */
  readonly files: readonly string[];
  readonly removed: readonly string[];
  readonly edited: readonly string[];
  /** Titles of the properties in `files`, by file. */
  readonly titles: Readonly<Record<string, string>>;
  readonly refusal?: ImportFinding;
};

/**
 * `gone`: what to do with files whose properties are gone. `allowShrink`: lifts the limits that guard against a damaged
 * source.
 */
export type GoneOptions = {
  /** Name of the source in the ledger. @default gone files are not looked for */
  readonly source?: string | undefined;
  readonly gone?: 'list' | 'remove' | undefined;
  readonly allowShrink?: boolean | undefined;
};

/**
 * Refuses a source that has become too small. Must be called before anything is written.
 * @throws UsageError `empty-source` if the source has no properties any more; `source-shrunk` if it has fewer than half
 * as many properties as files came from it
 */
export function refuseShrunkSource(
  total: number | undefined,
  ledger: Pick<Ledger, 'filesOf'>,
  { source, allowShrink }: GoneOptions,
): void {
  if (total === undefined || allowShrink) return;
  const last = source === undefined ? 0 : ledger.filesOf(source).length;
  if (total * 2 >= last) return;
  const before = `${countText(last, 'file')} came from it before. Nothing was changed`;
  const few = `The source has ${countText(total, 'property')}; ${before}. ${SHRINK}`;
  if (total > 0) throw new UsageError('source-shrunk', few);
  const none = `The source has no properties; ${before}: look for what went wrong with it.`;
  throw new UsageError('empty-source', none);
}

/**
 * `arrived`: files whose property is in the source, even if its row was refused. `unknown`: places, such as `line 5`,
 * of refused rows that match no file, because their id is unreadable or is made from the title.
 */
type Attendance = { readonly arrived: ReadonlySet<string>; readonly unknown: SourcePlaces };
type Folder = { readonly content: string; readonly ledger: Ledger; readonly present: PresentFiles };

export function handleGoneFiles(
  { arrived, unknown }: Attendance,
  { content, ledger, present }: Folder,
  { source, gone, allowShrink }: GoneOptions,
): GoneFiles {
  if (source === undefined) return { files: [], titles: {}, removed: [], edited: [] };
  const all = ledger.filesOf(source);
  const files = all.filter((path) => !arrived.has(path));
  const titleIn = (path: string) => String(Object(valuesIn(join(content, path))).title ?? '');
  const titles = Object.fromEntries(files.map((path) => [path, titleIn(path)]));
  const edited = files.filter((path) => !ledger.isUntouched(path));
  const none = { removed: [], edited, titles };
  if (gone !== 'remove' || files.length === 0) return { files, ...none };
  if (unknown.count > 0) {
    const message = `${countText(unknown.count, 'row')} without a readable id (${sourcePlacesText(unknown)}) may be any of the ${countText(files.length, 'file')} to be removed. None was removed.`;
    return { files, ...none, refusal: errorFinding('unknown-rows', message, 'Correct those rows first.') };
  }
  const limit = removalLimit(all.length);
  if (files.length > limit && !allowShrink) {
    const message = `This would remove ${formatNumber(files.length)} of ${countText(all.length, 'file')} of this source; the limit is ${formatNumber(limit)}. None was removed.`;
    return { files, ...none, refusal: errorFinding('too-many-removed', message, SHRINK) };
  }
  const removed = files.filter((path) => !edited.includes(path));
  for (const path of removed) {
    const photos = photosOf(path, present).filter((photo) => ledger.isUntouched(photo));
    for (const one of [path, ...photos]) ledger.remove(one);
  }
  return { files, titles, removed, edited };
}

function photosOf(yaml: string, { photoUsers }: PresentFiles): string[] {
  return [...photoUsers].flatMap(([photo, users]) => (users.every((user) => user === yaml) ? [photo] : []));
}
