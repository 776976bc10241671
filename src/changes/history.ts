/** The files below `changes/`: one more release in the history of a catalogue. */
import { v5 as uuidv5 } from 'uuid';
import type { Changes, ChangesIndex } from '../contract/downloads.ts';
import { CHANGES_FEED_KEY, CHANGES_INDEX_KEY, changesKey } from '../contract/files.ts';
import { isUnchanged } from './difference.ts';
import { atomFeed } from './feed.ts';

/** Releases in the feed. */
const FEED_LENGTH = 50;
/** Namespace of the names of feeds, made for this purpose. */
const NAMESPACE = '6d1f1a0e-0c0b-4f0e-9a5b-3a4d7b5f2c61';

/**
 * The files to write when a release is published, by key; none when it changes nothing.
 *
 * A record that a publication left behind which did not end is replaced, so that the history stays a chain; publishing
 * the same again gives the same bytes.
 *
 * @param published the text of a file that is published now, by key; undefined when there is none.
 */
export async function changeFiles(
  changes: Changes,
  published: (key: string) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  if (isUnchanged(changes)) return files;
  const indexText = await published(CHANGES_INDEX_KEY);
  const index = indexText === undefined ? undefined : (JSON.parse(indexText) as ChangesIndex);
  const months = index?.months.map(({ month }) => month) ?? [];
  const newest = months.at(-1);
  const records = await readMonth(newest, published);
  const kept = records.slice(0, endOfChain(records, changes.previous));
  // History goes one way: an older release that is published later comes later.
  const month = [changes.time.slice(0, 7), newest ?? ''].sort().at(-1)!;
  const ofMonth = month === newest ? [...kept, changes] : [changes];
  if (newest !== undefined && month !== newest && kept.length < records.length) {
    files.set(changesKey(newest), linesOf(kept));
  }
  files.set(changesKey(month), linesOf(ofMonth));
  const all = month === newest ? months : [...months, month];
  const next: ChangesIndex = {
    id: index?.id ?? `urn:uuid:${uuidv5(changes.release, NAMESPACE)}`,
    release: changes.release,
    months: all.map((month) => ({ month, href: `${month}.ndjson` })),
  };
  const earlier = month === newest ? await readMonth(months.at(-2), published) : kept;
  files.set(CHANGES_INDEX_KEY, `${JSON.stringify(next, null, 2)}\n`);
  files.set(CHANGES_FEED_KEY, atomFeed(next.id, monthOf(earlier, ofMonth, all).slice(-FEED_LENGTH)));
  return files;
}

/** Records with the month whose file they are in, oldest first. */
function monthOf(earlier: readonly Changes[], latest: readonly Changes[], months: readonly string[]) {
  const inMonth = (month: string) => (changes: Changes) => ({ changes, month });
  return [...earlier.map(inMonth(months.at(-2) ?? '')), ...latest.map(inMonth(months.at(-1) ?? ''))];
}

async function readMonth(
  month: string | undefined,
  published: (key: string) => Promise<string | undefined>,
): Promise<Changes[]> {
  const text = month === undefined ? undefined : await published(changesKey(month));
  return (text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Number of records up to the one that led to `previous`; what follows it was never live. */
function endOfChain(records: readonly Changes[], previous: string | null): number {
  for (let index = records.length - 1; index >= 0; index--) {
    if (records[index]!.release === previous) return index + 1;
    if (records[index]!.previous === previous) return index;
  }
  return records.length;
}

function linesOf(records: readonly Changes[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
