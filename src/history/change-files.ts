/**
 * The files below `changes/`: the history of a catalogue as a chain of records, each from one release to the next. A
 * record without a previous release starts a new chain: clients then have to download everything.
 */

import type { ZodType } from 'zod';
import { CHANGES_FEED_KEY, CHANGES_INDEX_KEY, changesKey } from '../contract/document-keys.ts';
import {
  type Changes,
  type ChangesIndex,
  changesIndexSchema,
  changesSchema,
} from '../contract/document-schemas.ts';
import { ID_PATTERN } from '../contract/object-keys.ts';
import { uuidFromName } from '../release/uuid-v5.ts';
import { atomFeed, type FeedSite, type HistoryEntry } from './feed.ts';

export type ChangeHistory = {
  /** Permanent name, a URN; undefined for a new history. */
  readonly id: string | undefined;
  /** Latest time of any record, even of one that was removed since; empty for a new history. */
  readonly updated: string;
  readonly months: readonly string[];
  /** Months whose files were read, oldest first. */
  readonly read: readonly string[];
  readonly entries: readonly HistoryEntry[];
};

export const FEED_LENGTH = 50;
const FEED_MONTHS = 12;
/** A random UUID, from which the ids of histories are derived. */
const NAMESPACE = '6d1f1a0e-0c0b-4f0e-9a5b-3a4d7b5f2c61';

/**
 * Reads the latest part of a history. Returns no entries if clients cannot follow the history: if a file is missing or
 * damaged, if a record does not continue the one before, or if the very first record names a previous release.
 * @param published function that reads a published file by its key; returns undefined if there is no such file
 */
export async function readHistory(
  published: (key: string) => Promise<string | undefined>,
): Promise<ChangeHistory> {
  const index = parseChangesIndex(await published(CHANGES_INDEX_KEY));
  const months = index?.months.map(({ month }) => month) ?? [];
  const read: string[] = [];
  let entries: HistoryEntry[] = [];
  let isWhole = true;
  for (const month of [...months].reverse()) {
    if (!isWhole || entries.length >= FEED_LENGTH || read.length >= FEED_MONTHS) break;
    const records = parseChangeRecords(await published(changesKey(month)));
    entries = [...records.map((changes) => ({ changes, month })), ...entries];
    read.unshift(month);
    isWhole = records.length > 0 && isChain(entries);
  }
  const updated = [index?.updated ?? '', ...entries.map(({ changes }) => changes.updated)].sort().at(-1)!;
  const hasBeginning = read.length < months.length || entries[0]?.changes.previous === null;
  return { id: index?.id, updated, months, read, entries: isWhole && hasBeginning ? entries : [] };
}

function isChain(entries: readonly HistoryEntry[]): boolean {
  return entries.every(
    ({ changes: { previous } }, place) =>
      place === 0 || previous === null || previous === entries[place - 1]!.changes.release,
  );
}

export function canContinueChain({ entries }: ChangeHistory, release: string): boolean {
  return endOfChain(entries, release) !== undefined;
}

/**
 * Adds a record to a history. Replaces the record of an interrupted publish, so that the history stays a chain.
 * Recording the same release again gives the same files.
 * @param changes record to add; its `previous` is null, or a release for which {@link canContinueChain} is true
 * @param site settings of the release that goes live
 * @returns texts by key, in the order to write them; an empty text means a file to remove
 */
export function historyFiles(changes: Changes, history: ChangeHistory, site: FeedSite): Map<string, string> {
  const { months, read, entries } = history;
  const [kept, isNew] = split(changes, entries);
  const record = { ...changes, updated: updatedOf(changes, history, kept.length) };
  const unread = months.filter((month) => !read.includes(month));
  // Records stay in the order of publication, even if an older release is published later.
  const newest = kept.at(-1)?.month ?? unread.at(-1) ?? '';
  const month = [record.updated.slice(0, 7), newest].sort().at(-1)!;
  const next = isNew ? [...kept, { changes: record, month }] : kept;
  const files = new Map<string, string>();
  if (next.length === 0 && history.id === undefined) return files;
  const named = new Set(next.map((entry) => entry.month));
  for (const one of named) {
    const text = linesOf(next, one);
    if (text !== linesOf(entries, one)) files.set(changesKey(one), text);
  }
  const isBegun = kept.length > 0 || unread.length > 0;
  const index: ChangesIndex = {
    id: (isBegun && history.id) || `urn:uuid:${uuidFromName(changes.release, NAMESPACE)}`,
    release: changes.release,
    updated: [history.updated, next.at(-1)?.changes.updated ?? changes.time].sort().at(-1)!,
    months: [...unread, ...named].map((month) => ({ month, href: `${month}.ndjson` })),
  };
  files.set(CHANGES_INDEX_KEY, `${JSON.stringify(index, null, 2)}\n`);
  files.set(CHANGES_FEED_KEY, atomFeed(index.id, next.slice(-FEED_LENGTH), index.updated, site));
  for (const one of read) if (!named.has(one)) files.set(changesKey(one), '');
  return files;
}

/**
 * The time of the commit, or one second after the latest recorded time if the commit is not later. So the feed never
 * goes back in time, and no two records have the same name. A record that exists already keeps its time.
 */
function updatedOf(changes: Changes, { entries, updated }: ChangeHistory, place: number): string {
  const present = entries[place]?.changes;
  const isSame = (['release', 'previous', 'time'] as const).every((key) => present?.[key] === changes[key]);
  if (present && isSame) return present.updated;
  if (changes.time > updated) return changes.time;
  return new Date(Date.parse(updated) + 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

function split(changes: Changes, entries: readonly HistoryEntry[]): [readonly HistoryEntry[], boolean] {
  const { previous, release } = changes;
  if (previous !== null) {
    return [entries.slice(0, endOfChain(entries, previous) ?? 0), release !== previous];
  }
  const last = entries.at(-1)?.changes;
  // If the last record is of this release already, keeps it. Exception: if that record starts a chain and has another
  // commit or time, replaces it, since its release was never live, or the root of that release was lost.
  const isSame = last?.previous !== null || (last.time === changes.time && last.commit === changes.commit);
  if (last?.release === release && isSame) return [entries, false];
  // The new record starts a chain. It replaces the last record if that starts a chain too.
  return [last?.previous === null ? entries.slice(0, -1) : entries, true];
}

/** Number of entries up to `release`; undefined if no entry names it. Releases of later entries were never live. */
function endOfChain(entries: readonly HistoryEntry[], release: string): number | undefined {
  for (let index = entries.length - 1; index >= 0; index--) {
    if (entries[index]!.changes.release === release) return index + 1;
    if (entries[index]!.changes.previous === release) return index;
  }
  return undefined;
}

const FEED_NAME = new RegExp(`^urn:uuid:${ID_PATTERN}$`);

export function parseChangesIndex(text: string | undefined): ChangesIndex | undefined {
  const index = text === undefined ? undefined : parse(text, changesIndexSchema);
  const isSound =
    index &&
    FEED_NAME.test(index.id) &&
    index.updated < '9999' &&
    index.months.every(({ month }) => /^\d{4}-\d\d$/.test(month));
  return isSound ? index : undefined;
}

/** Empty if a record is damaged. */
export function parseChangeRecords(text: string | undefined): Changes[] {
  const records: Changes[] = [];
  for (const line of (text ?? '').split('\n')) {
    if (line === '') continue;
    const record = parse(line, changesSchema);
    if (!record) return [];
    records.push(record);
  }
  return records;
}

/** Accepts unknown members, which a later version may have added. */
function parse<Value>(text: string, schema: ZodType<Value>): Value | undefined {
  try {
    const value = JSON.parse(text) as Value;
    const { error } = schema.safeParse(value);
    return !error || error.issues.every(({ code }) => code === 'unrecognized_keys') ? value : undefined;
  } catch {
    return undefined;
  }
}

function linesOf(entries: readonly HistoryEntry[], month: string): string {
  return entries
    .filter((entry) => entry.month === month)
    .map(({ changes }) => `${JSON.stringify(changes)}\n`)
    .join('');
}
