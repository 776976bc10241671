/** What differs between two releases, from their manifests, and from the content of those properties that differ. */
import type { Changes } from '../contract/downloads.ts';
import { UsageError } from '../errors.ts';
import type { ManifestEntry } from '../release/manifest.ts';
import type { EarlierRelease, PropertyContent, ReadableRelease } from '../release/open.ts';

/**
 * Compares two releases. `updated` is what a history without records gives it. The same two releases always give the same result. Only the content of properties that
 * differ is read, one property at a time.
 *
 * @param before undefined for the first release: every property is new.
 * @param time stands in for the time of the release when its manifest has none, RFC 3339.
 * @throws UsageError `no-release-time` when neither tells a time; EnvironmentError `file-missing` when a file of a
 *   release is missing.
 */
export async function changesBetween(
  before: EarlierRelease | undefined,
  after: ReadableRelease,
  time?: string,
): Promise<Changes> {
  const { build, sequence } = after.manifest;
  const old = new Map((before?.manifest.sequence ?? []).map((entry) => [entry[0], entry]));
  const added: string[] = [];
  const differing = new Map<string, { was: ManifestEntry; is: ManifestEntry; fields: string[] }>();
  for (const is of sequence) {
    const [id] = is;
    const was = old.get(id);
    old.delete(id);
    if (!was) added.push(id);
    else if (was[3] !== is[3] || was[4] !== is[4]) differing.set(id, { was, is, fields: [] });
  }
  if (before && differing.size > 0) {
    for await (const [id, content] of before.properties(new Set(differing.keys()))) {
      const { was, is, fields } = differing.get(id)!;
      fields.push(...(await differingFields(was, content, is, after.property(id))));
    }
  }
  const commitTime = utc(build.time ?? time);
  return {
    release: after.manifest.release,
    previous: before ? before.manifest.release : null,
    time: commitTime,
    updated: commitTime,
    commit: build.commit,
    added,
    changed: [...differing].flatMap(([id, { fields }]) => (fields.length > 0 ? [{ id, fields }] : [])),
    removed: [...old.keys()],
  };
}

/** Whether there is nothing to tell. */
export function isUnchanged({ release, previous }: Changes): boolean {
  return release === previous;
}

/** Names of the fields that differ, in the order of the specification. */
async function differingFields(
  was: ManifestEntry,
  one: PropertyContent,
  is: ManifestEntry,
  other: PropertyContent,
): Promise<string[]> {
  const fields: string[] = [];
  if (was[4] !== is[4]) {
    const [before, after] = [await one.detail(), await other.detail()];
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    for (const name of names) {
      if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) fields.push(name);
    }
  }
  if (was[3] !== is[3] && (await one.thumbnail()) !== (await other.thumbnail())) fields.push('thumbnail');
  return fields;
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
