/** Checks what is not part of a single release: the change history (`changes/`) and the list of kept releases. */
import { CHANGES_FEED_KEY, CHANGES_FOLDER, CHANGES_INDEX_KEY } from '../contract/document-keys.ts';
import {
  type Changes,
  type ChangesIndex,
  changesIndexSchema,
  changesSchema,
  keptReleasesSchema,
} from '../contract/document-schemas.ts';
import type { Header } from '../contract/headers.ts';
import { KEPT_RELEASES_KEY } from '../contract/object-keys.ts';
import { FEED_LENGTH } from '../history/change-files.ts';
import { atomFeed, type FeedSite, type HistoryEntry } from '../history/feed.ts';
import { offersDownloads, type Release, readDetail, readIds, storedHeadersOf } from '../release/release.ts';
import {
  apiKeyHeaders,
  checkETag,
  excerpt,
  expectHeaders,
  type ReportDifference,
  sendOrReport,
  type VerifyContext,
} from './response.ts';

/** A catalogue may have no history yet. A catalogue without downloads must have none. */
export async function verifyHistory(context: VerifyContext): Promise<void> {
  const { release } = context;
  const offered = offersDownloads(release);
  const index = await readFile(context, CHANGES_INDEX_KEY, offered ? 'maybe' : 'no');
  const feed = await readFile(context, CHANGES_FEED_KEY, index ? 'yes' : 'no');
  if (!index) return;
  const parsed = parseIndex(index.body);
  if (!parsed) {
    index.report('body', 'the months that have changes', excerpt(index.body));
    return;
  }
  const live = release.name;
  // A release without a build time is never in the history.
  if (parsed.release !== live && release.build.time !== null) index.report('release', live, parsed.release);
  const entries: HistoryEntry[] = [];
  for (const { month, href } of parsed.months) {
    const file = await readFile(context, `${CHANGES_FOLDER}/${href}`, 'yes');
    if (!file) return;
    const records = parseRecords(file.body);
    const fault = typeof records === 'string' ? records : chainFault(records, month, entries.at(-1)?.changes);
    if (typeof records === 'string' || fault) {
      file.report('body', fault ?? 'records of changes', excerpt(file.body));
      return;
    }
    entries.push(...records.map((changes) => ({ changes, month })));
  }
  const last = entries.at(-1);
  if (last && last.changes.release !== parsed.release) {
    index.report('release', `${last.changes.release}, as the last record`, parsed.release);
  }
  if (last?.changes.release === live) {
    const fault = await contentFault(last.changes, release);
    if (fault) index.report('last record', 'one that agrees with the release', fault);
  }
  if (feed && !isFeedOf(feed.body.toString('utf8'), parsed, entries, release.settings))
    feed.report('body', `the latest of ${entries.length} records`, excerpt(feed.body));
}

/** Accepts a missing list, since a catalogue may have none yet. The first entry must be the live release. */
export async function verifyKeptReleases(context: VerifyContext): Promise<void> {
  const file = await readFile(context, KEPT_RELEASES_KEY, 'maybe');
  if (!file) return;
  const { success, data } = keptReleasesSchema.safeParse(parse(file.body.toString('utf8')));
  if (!success) file.report('body', 'the releases that are kept', excerpt(file.body));
  else if (data.releases[0]?.release !== context.release.name)
    file.report('first release', context.release.name, data.releases[0]?.release ?? 'none');
}

type File = { readonly body: Buffer; readonly report: ReportDifference };

async function readFile(
  { client, release, origin, base, apiKey, report }: VerifyContext,
  key: string,
  isThere: 'yes' | 'no' | 'maybe',
): Promise<File | undefined> {
  const request = { method: 'GET', url: `${origin}${base}/${key}`, headers: apiKeyHeaders(apiKey) };
  const differ = report(`GET ${request.url}`);
  const answer = await sendOrReport(client, request, differ);
  if (!answer) return undefined;
  const status = String(answer.status);
  // S3 answers 403 for a missing object if the reader is not permitted to list the bucket.
  if (status === '404' || status === '403') {
    if (isThere === 'yes') differ('status', '200', status);
    return undefined;
  }
  if (status !== '200' || isThere === 'no') {
    differ('status', isThere === 'no' ? '404' : '200', status);
    return undefined;
  }
  const stored = storedHeadersOf(release, key);
  const expected: Header[] = [
    ['Content-Type', stored.contentType],
    ['Cache-Control', stored.cacheControl],
  ];
  expectHeaders(answer, expected, differ);
  await checkETag(client, request, answer, differ);
  return { body: answer.body, report: differ };
}

function parseIndex(body: Buffer): ChangesIndex | undefined {
  const { success, data } = changesIndexSchema.safeParse(parse(body.toString('utf8')));
  if (!success) return undefined;
  const isSound = data.months.every(
    ({ month, href }, place) =>
      /^\d{4}-\d\d$/.test(month) &&
      href === `${month}.ndjson` &&
      (place === 0 || data.months[place - 1]!.month < month),
  );
  return isSound ? data : undefined;
}

function parseRecords(body: Buffer): Changes[] | string {
  const lines = body.toString('utf8').split('\n');
  if (lines.pop() !== '' || lines.length === 0) return 'lines that end';
  const records: Changes[] = [];
  for (const [index, line] of lines.entries()) {
    const { success, data } = changesSchema.safeParse(parse(line));
    if (!success || JSON.stringify(data) !== line) return `a record of changes in line ${index + 1}`;
    records.push(data);
  }
  return records;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Checks that each record follows the previous record or starts a chain. A record's `updated` must be later than the
 * previous record's `updated`, not before the record's own `time`, and not after the file's month.
 */
function chainFault(
  records: readonly Changes[],
  month: string,
  before: Changes | undefined,
): string | undefined {
  let last = before;
  for (const [index, changes] of records.entries()) {
    const { previous, time, updated } = changes;
    if (updated.slice(0, 7) > month) return `in line ${index + 1} a time not later than ${month}`;
    if (updated < time || (last && updated <= last.updated))
      return `in line ${index + 1} a time of the record that is later than ${last?.updated ?? time}`;
    if (previous !== null && previous !== last?.release)
      return `in line ${index + 1} a record that follows ${last?.release ?? 'none'}`;
    last = changes;
  }
  return undefined;
}

async function contentFault(
  { previous, added, changed, removed }: Changes,
  release: Release,
): Promise<string | undefined> {
  const { total, chunks } = release.root;
  const named = [...added, ...changed.map(({ id }) => id)];
  // Looking up an id reads a part of the release. For many ids, reading all chunks once is cheaper.
  const ids = named.length + removed.length > chunks.length ? new Set(await readIds(release)) : undefined;
  const has = async (id: string) => ids?.has(id) ?? (await readDetail(release, id)) !== undefined;
  for (const id of named) if (!(await has(id))) return `${id}, which is not there`;
  for (const id of removed) if (await has(id)) return `${id} as removed, which is there`;
  if (previous === null && added.length !== total) return `${added.length} added, of ${total}`;
  return undefined;
}

/** The feed may be shorter than {@link FEED_LENGTH} after records were withdrawn. */
function isFeedOf(
  text: string,
  { id, updated }: ChangesIndex,
  entries: readonly HistoryEntry[],
  site: FeedSite,
): boolean {
  for (let count = Math.min(FEED_LENGTH, entries.length); count > 0; count--) {
    if (atomFeed(id, entries.slice(-count), updated, site) === text) return true;
  }
  return entries.length === 0 && atomFeed(id, [], updated, site) === text;
}
