import { differingFields, isOtherDeclaration } from '../contract/declarations.ts';
import { type Changes, TITLES } from '../contract/downloads.ts';
import type { Property, Summary } from '../contract/property.ts';
import { UsageError } from '../errors/errors.ts';
import type { Comparable } from '../release/comparison.ts';
import type { ReadableRelease } from '../release/open.ts';
import { loadPieces } from '../release/read.ts';
import { differingEntries } from '../release/release.ts';

/**
 * Compares two releases. The result depends only on them, except `updated`, which a history sets. Reads only changed
 * properties, one at a time in the order of their ids. Lists what changed even where the declaration did.
 *
 * @param before the previous release; undefined for the first one, which adds every property.
 * @param time time for a release whose manifest has none, RFC 3339.
 * @throws UsageError `no-release-time` without a time; errors of incomplete releases, such as EnvironmentError
 *   `file-missing`.
 *
 * @example
 * const release = await openRelease('dist/public');
 * (await changesBetween(undefined, release, '2027-04-01T09:00:00Z')).added.length // 1
 */
export async function changesBetween(
  before: ReadableRelease | undefined,
  after: ReadableRelease,
  time?: string,
): Promise<Changes> {
  const { build } = after.release.manifest;
  if (!before) await loadPieces(after.release.pieces);
  const differing = before
    ? differingEntries(before.release, after.release)
    : { before: [], after: after.release.sequence };
  const old = new Map<string, Comparable>();
  for (const entry of differing.before) old.set(entry.id, entry);
  const added: string[] = [];
  const changed = new Map<string, { was: Comparable; is: Comparable; fields: string[] }>();
  for (const is of differing.after) {
    const was = old.get(is.id);
    old.delete(is.id);
    if (!was) added.push(is.id);
    else if (was.summaryDigest !== is.summaryDigest || was.detailDigest !== is.detailDigest)
      changed.set(is.id, { was, is, fields: [] });
  }
  let isDeclared = false;
  for (const id of [...changed.keys()].sort()) {
    const { was, is, fields } = changed.get(id)!;
    if (was.detailDigest !== is.detailDigest) {
      const [old, now] = [JSON.parse(await before!.detail(id)), JSON.parse(await after.detail(id))];
      isDeclared ||= isOtherDeclaration(old, now);
      fields.push(...differingFields(old, now));
    }
    if (was.summaryDigest === is.summaryDigest) continue;
    if (thumbnailIn(await before!.summary(id)) !== thumbnailIn(await after.summary(id)))
      fields.push('thumbnail');
  }
  const commitTime = utc(build.time ?? time);
  const named = [...changed].flatMap(([id, { fields }]) => (fields.length > 0 ? [{ id, fields }] : []));
  const removed = [...old.keys()];
  return {
    release: after.release.name,
    previous: before ? before.release.name : null,
    time: commitTime,
    updated: commitTime,
    commit: build.commit,
    added,
    changed: named,
    removed,
    ...(isDeclared && { declaration: true as const }),
    titles: await titlesOf([
      ...[...added, ...named.map(({ id }) => id)].map((id) => ({ id, release: after })),
      ...removed.map((id) => ({ id, release: before! })),
    ]),
  };
}

async function titlesOf(
  properties: readonly { readonly id: string; readonly release: ReadableRelease }[],
): Promise<Record<string, string>> {
  const titles: Record<string, string> = {};
  for (const { id, release } of properties.slice(0, TITLES))
    titles[id] = (JSON.parse(await release.detail(id)) as Property).title;
  return titles;
}

/**
 * Tells whether both releases are the same.
 *
 * @example
 * const release = await openRelease('dist/public');
 * hasNoChanges(await changesBetween(undefined, release, '2027-04-01T09:00:00Z')) // false
 */
export function hasNoChanges({ release, previous }: Changes): boolean {
  return release === previous;
}

function thumbnailIn(summary: string): string | null {
  return (JSON.parse(summary) as Summary).thumbnail;
}

function utc(time: string | undefined): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) {
    throw new UsageError(
      'no-release-time',
      'The release has no time, since its content is in no git repository. Give it one with --time, such as 2026-11-20T09:00:00Z.',
    );
  }
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
