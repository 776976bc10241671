import {
  type DetailValues,
  differingFields,
  haveFieldDeclarationsChanged,
} from '../contract/detail-values.ts';
import { type Changes, MAX_TITLES_IN_CHANGES } from '../contract/document-schemas.ts';
import type { Property, Summary } from '../contract/property.ts';
import { sortKey } from '../contract/sort-order.ts';
import { UsageError } from '../errors/errors.ts';
import { compareReleases, differingDetails } from '../release/compare-releases.ts';
import type { OpenedRelease } from '../release/open-release.ts';
import { detailText, type Release } from '../release/release.ts';

type Opened = Pick<OpenedRelease, 'release'>;

/**
 * Compares two releases, reading only the objects that differ. `updated` of the result is the time of `after`; a
 * history may replace it by a later time. If the declaration of fields or languages changed, the result has
 * `declaration`, and `changed` lists only the properties that changed themselves.
 * @param before undefined for the first release, which adds every property
 * @param time RFC 3339; used if `after` has no time
 * @throws UsageError `no-release-time` without a time; errors of incomplete releases, such as EnvironmentError
 * `file-missing`
 * @example
 * const release = await openRelease('dist/public');
 * (await changesBetween(undefined, release, '2027-04-01T09:00:00Z')).added.length // 1
 */
export async function changesBetween(
  before: Opened | undefined,
  after: Opened,
  time?: string,
): Promise<Changes> {
  const { build } = after.release;
  const { added, removed, changed } = await compareReleases(before?.release, after.release);
  const found: { id: string; key: string; fields: string[] }[] = [];
  const find = (id: string, place: Placed, fields: string[]) => {
    const summary = changed.get(id);
    if (summary && thumbnailIn(summary.was) !== thumbnailIn(summary.is)) fields.push('thumbnail');
    if (fields.length > 0) found.push({ id, key: sortKey({ ...place, id }), fields });
  };
  let isDeclared = false;
  const seen = new Set<string>();
  for await (const { id, was, is } of before ? differingDetails(before.release, after.release) : []) {
    if (!was || !is) continue;
    const [old, now] = [parsed(was), parsed(is)];
    isDeclared ||= haveFieldDeclarationsChanged(old, now);
    seen.add(id);
    find(id, now, differingFields(old, now));
  }
  for (const [id, { is }] of changed) if (!seen.has(id)) find(id, JSON.parse(is) as Summary, []);
  // Sorts as lists do. Positions in lists are unknown, since objects that both releases share were not read.
  const named = found
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ id, fields }) => ({ id, fields }));
  const commitTime = utc(build.time ?? time);
  return {
    release: after.release.name,
    previous: before ? before.release.name : null,
    time: commitTime,
    updated: commitTime,
    commit: build.commit,
    added: [...added],
    changed: named,
    removed: [...removed],
    ...(isDeclared && { declaration: true as const }),
    titles: await titlesOf([
      ...[...added, ...named.map(({ id }) => id)].map((id) => ({ id, release: after.release })),
      ...removed.map((id) => ({ id, release: before!.release })),
    ]),
  };
}

async function titlesOf(
  properties: readonly { readonly id: string; readonly release: Release }[],
): Promise<Record<string, string>> {
  const titles: Record<string, string> = {};
  for (const { id, release } of properties.slice(0, MAX_TITLES_IN_CHANGES))
    titles[id] = (JSON.parse(await detailText(release, id)) as Property).title;
  return titles;
}

type Placed = Pick<Summary, 'country' | 'city' | 'title'>;

function parsed(detail: Uint8Array): Property & DetailValues {
  return JSON.parse(Buffer.from(detail.buffer).toString('utf8')) as Property & DetailValues;
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
