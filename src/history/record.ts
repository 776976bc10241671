/** One more release in the history of a catalogue. */
import type { Changes } from '../contract/downloads.ts';
import type { ReadableRelease } from '../release/open.ts';
import { changesBetween } from './difference.ts';
import { canFollow, changeFiles, readHistory } from './files.ts';

/** What is new, and the files below `changes/` that record it. */
export type Recorded = {
  readonly changes: Changes;
  /** By key, in the order in which they are to be written; some may be published as they are already. */
  readonly files: ReadonlyMap<string, string>;
};

/**
 * Compares two releases and adds the result to the published history. Where the history does not lead to the release
 * before, or that is not known, a new chain begins: a gap would mislead its followers.
 *
 * @param published the text of a file that is published now, by key; undefined when it is absent.
 * @param time as for {@link changesBetween}.
 *
 * @example
 * const release = await openRelease('dist/public');
 * const { files } = await recordRelease(undefined, release, async () => undefined, '2027-04-01T09:00:00Z');
 * files.has('changes/index.json') // true
 */
export async function recordRelease(
  before: ReadableRelease | undefined,
  after: ReadableRelease,
  published: (key: string) => Promise<string | undefined>,
  time?: string,
): Promise<Recorded> {
  const history = await readHistory(published);
  const from = before && canFollow(history, before.release.name) ? before : undefined;
  const changes = await changesBetween(from, after, time);
  return { changes, files: changeFiles(changes, history, after.release.manifest) };
}
