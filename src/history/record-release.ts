import type { Changes } from '../contract/document-schemas.ts';
import type { OpenedRelease } from '../release/open-release.ts';
import { canContinueChain, historyFiles, readHistory } from './change-files.ts';
import { changesBetween } from './changes.ts';

export type RecordedChanges = {
  readonly changes: Changes;
  /** Texts by key, in the order to write them; an empty text means a file to remove. Some may be unchanged. */
  readonly files: ReadonlyMap<string, string>;
};

/**
 * Compares two releases and adds the result to the published history. Starts a new chain if the previous release is
 * unknown or not in the history: clients that follow the history would not notice a gap.
 * @param published function that reads a published file by its key; returns undefined if there is no such file
 * @param time as for {@link changesBetween}
 * @example
 * const release = await openRelease('dist/public');
 * const { files } = await recordRelease(undefined, release, async () => undefined, '2027-04-01T09:00:00Z');
 * files.has('changes/index.json') // true
 */
export async function recordRelease(
  before: Pick<OpenedRelease, 'release'> | undefined,
  after: Pick<OpenedRelease, 'release'>,
  published: (key: string) => Promise<string | undefined>,
  time?: string,
): Promise<RecordedChanges> {
  const history = await readHistory(published);
  const from = before && canContinueChain(history, before.release.name) ? before : undefined;
  const changes = await changesBetween(from, after, time);
  // After a changed declaration, clients have to read every property again, so no changed property is listed.
  const recorded = changes.declaration ? { ...changes, changed: [] } : changes;
  return { changes: recorded, files: historyFiles(recorded, history, after.release.settings) };
}
