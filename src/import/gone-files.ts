/** Handles files of earlier imports whose properties the source no longer has, and guards against a damaged source. */
import { join } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { removalLimit } from '../release/removal-limit.ts';
import { formatNumber, plural } from '../text/words.ts';
import { errorFinding, type ImportFinding } from './candidate.ts';
import type { Ledger, PresentFiles } from './ledger.ts';
import { valuesIn } from './next-export.ts';

export type GoneFiles = {
  /** Relative to the content folder. */
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
 * @throws UsageError `empty-source`; `source-shrunk` if it has less than half as many properties as files came from it
 */
export function refuseShrunkSource(
  total: number | undefined,
  ledger: Pick<Ledger, 'filesOf'>,
  { source, allowShrink }: GoneOptions,
): void {
  if (total === undefined || allowShrink) return;
  const last = source === undefined ? 0 : ledger.filesOf(source).length;
  const before = `${plural(last, 'file')} came from it before. Nothing was changed`;
  if (total === 0 && last > 0)
    throw new UsageError(
      'empty-source',
      `The source has no properties; ${before}: look for what went wrong with it.`,
    );
  if (total * 2 < last)
    throw new UsageError(
      'source-shrunk',
      `The source has ${plural(total, 'property')}; ${before}. ${SHRINK}`,
    );
}

/**
 * `arrived`: files whose property is in the source, even if its row was refused. `unknown`: places, such as `line 5`,
 * of refused rows that match no file, because their id is unreadable or is made from the title.
 */
export function handleGoneFiles(
  {
    arrived,
    unknown,
    isWhole,
  }: { arrived: ReadonlySet<string>; unknown: readonly string[]; isWhole: boolean },
  {
    content,
    ledger,
    present,
  }: { readonly content: string; readonly ledger: Ledger; readonly present: PresentFiles },
  { source, gone, allowShrink }: GoneOptions,
): GoneFiles {
  if (source === undefined || !isWhole) return { files: [], titles: {}, removed: [], edited: [] };
  const all = ledger.filesOf(source);
  const files = all.filter((path) => !arrived.has(path));
  const titles = Object.fromEntries(files.map((path) => [path, titleIn(join(content, path))]));
  const edited = files.filter((path) => !ledger.isUntouched(path));
  const none = { removed: [], edited, titles };
  if (gone !== 'remove' || files.length === 0) return { files, ...none };
  if (unknown.length > 0) {
    const message = `${plural(unknown.length, 'row')} without a readable id (${unknown.slice(0, 3).join(', ')}${unknown.length > 3 ? ', ...' : ''}) may be any of the ${plural(files.length, 'file')} to be removed. None was removed.`;
    return { files, ...none, refusal: errorFinding('unknown-rows', message, 'Correct those rows first.') };
  }
  const limit = removalLimit(all.length);
  if (files.length > limit && !allowShrink) {
    const message = `This would remove ${formatNumber(files.length)} of ${plural(all.length, 'file')} of this source; the limit is ${formatNumber(limit)}. None was removed.`;
    return { files, ...none, refusal: errorFinding('too-many-removed', message, SHRINK) };
  }
  const removed = files.filter((path) => !edited.includes(path));
  for (const path of removed) {
    const photos = photosOf(path, present).filter((photo) => ledger.isUntouched(photo));
    for (const one of [path, ...photos]) ledger.remove(one);
  }
  return { files, titles, removed, edited };
}

function titleIn(path: string): string {
  const { title = '' } = valuesIn(path) as { readonly title?: unknown };
  return String(title);
}

const SHRINK = 'If that is meant, import with --allow-shrink.';

function photosOf(yaml: string, { photoUsers }: PresentFiles): string[] {
  return [...photoUsers].flatMap(([photo, users]) => (users.every((user) => user === yaml) ? [photo] : []));
}
