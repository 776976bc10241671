/** What differs between two releases, from their manifests, and from the files of those properties that differ. */
import { releaseId } from '../catalogue/release-id.ts';
import type { Changes } from '../contract/downloads.ts';
import { pageKey, propertyKey, scopeFolder } from '../contract/layout.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import type { Page } from '../contract/property.ts';
import type { Manifest, ManifestEntry } from '../emit/manifest.ts';
import { EnvironmentError, UsageError } from '../report/failure.ts';

/** A release that can be read, wherever it is. */
export type ReadableRelease = {
  readonly manifest: Manifest;
  /** The text of a file of this release by its key; undefined when there is none. */
  readonly read: (key: string) => Promise<string | undefined>;
};

/**
 * Compares two releases. The same two releases always give the same result. Only details that differ are read, and
 * pages of the unfiltered list where a summary differs.
 *
 * @param before undefined for the first release: every property is new.
 * @param time stands in for the time of the release when its manifest has none, RFC 3339.
 * @throws UsageError `no-release-time` when neither tells a time; EnvironmentError `file-missing` when a file of a
 *   release is missing.
 */
export async function changesBetween(
  before: ReadableRelease | undefined,
  after: ReadableRelease,
  time?: string,
): Promise<Changes> {
  const { build, sequence } = after.manifest;
  const old = new Map((before?.manifest.sequence ?? []).map((entry, place) => [entry[0], { entry, place }]));
  const readers = { before: before && createReader(before), after: createReader(after) };
  const added: string[] = [];
  const changed: Changes['changed'] = [];
  for (const [place, entry] of sequence.entries()) {
    const [id] = entry;
    const was = old.get(id);
    old.delete(id);
    if (!was || !readers.before) {
      added.push(id);
      continue;
    }
    const fields: string[] = [];
    if (was.entry[4] !== entry[4]) {
      fields.push(...differing(await readers.before.detail(id), await readers.after.detail(id)));
    }
    if (was.entry[3] !== entry[3]) {
      const [one, other] = [await readers.before.summary(was.place), await readers.after.summary(place)];
      if (one.thumbnail !== other.thumbnail) fields.push('thumbnail');
    }
    if (fields.length > 0) changed.push({ id, fields });
  }
  return {
    release: idOf(after.manifest),
    previous: before ? idOf(before.manifest) : null,
    time: utc(build.time ?? time),
    commit: build.commit,
    added,
    changed,
    removed: [...old.keys()],
  };
}

/** Whether there is nothing to tell. */
export function isUnchanged({ release, previous }: Changes): boolean {
  return release === previous;
}

/** The name of the release of a manifest, as `index.json` has it. */
function idOf({ sequence }: Manifest): string {
  return releaseId(sequence.map(digests));
}

function digests([id, , , summaryDigest, detailDigest]: ManifestEntry) {
  return { id, summaryDigest, detailDigest };
}

/** Names of the fields whose values differ, in the order of the specification. */
function differing(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(other), ...Object.keys(one)]);
  return [...names].filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]));
}

function createReader({ manifest, read }: ReadableRelease) {
  const { page_sizes } = manifest.api;
  const size = page_sizes === 'all' ? MAX_PAGE_SIZE : Math.max(...page_sizes);
  const pages = new Map<number, Promise<Page>>();
  const json = async (key: string) => {
    const text = await read(key);
    if (text === undefined) {
      throw new EnvironmentError(
        'file-missing',
        `${key} of a release is missing. Changes are found by comparing complete releases.`,
      );
    }
    return JSON.parse(text);
  };
  return {
    detail: (id: string): Promise<Record<string, unknown>> => json(propertyKey(id)),
    /** The summary at a place of the sequence. */
    async summary(place: number) {
      const number = Math.floor(place / size) + 1;
      let page = pages.get(number);
      if (!page) {
        page = json(pageKey(scopeFolder('', ''), size, number)) as Promise<Page>;
        pages.set(number, page);
      }
      return (await page).data[place % size]!;
    },
  };
}

function utc(time: string | undefined): string {
  const date = new Date(time ?? '');
  if (Number.isNaN(date.getTime())) {
    throw new UsageError(
      'no-release-time',
      'The release has no time, since its content is in no git repository. Give it one with --time, such as 2026-11-20T09:00:00Z.',
    );
  }
  return date.toISOString().replace('.000Z', 'Z');
}
