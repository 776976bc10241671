import { CHANGES_FEED_KEY, changesKey } from '../contract/document-keys.ts';
import { type Changes, MAX_TITLES_IN_CHANGES } from '../contract/document-schemas.ts';
import { LIST_PATH } from '../contract/object-keys.ts';
import type { ReleaseSettings } from '../release/root-contents.ts';
import { uuidFromName } from '../release/uuid-v5.ts';
import { escapeMarkup } from '../text/markup.ts';

export type HistoryEntry = { readonly changes: Changes; readonly month: string };

const COUNTED = ['added', 'changed', 'removed'] as const;

export type FeedSite = Pick<ReleaseSettings, 'about' | 'url'>;

/**
 * @param id permanent name of the feed, a URN
 * @param entries oldest first; those that change nothing are left out
 * @param updated in RFC 3339: the time of the latest entry, or a later time
 * @param site settings of the release that goes live
 */
export function atomFeed(
  id: string,
  entries: readonly HistoryEntry[],
  updated: string,
  { about = { title: 'Property catalogue' }, url }: FeedSite,
): string {
  const { title, description, contact, logo } = about;
  const link = (key: string) => escapeMarkup(`${url.replace(/\/+$/, '')}/${key}`);
  const shown = entries.filter(
    ({ changes }) => changes.declaration || COUNTED.some((what) => changes[what].length > 0),
  );
  const newestFirst = shown.map((entry) => entryText(id, entry, link)).reverse();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>${escapeMarkup(title)}: changes</title>
${description ? `<subtitle>${escapeMarkup(description)}</subtitle>\n` : ''}<updated>${updated}</updated>
<author>${[
    element('name', contact?.name ?? title),
    element('uri', contact?.url),
    element('email', contact?.email),
  ].join('')}</author>
${logo ? `<logo>${link(logo)}</logo>\n` : ''}<link rel="self" type="application/atom+xml" href="${link(CHANGES_FEED_KEY)}"/>
${newestFirst.join('')}</feed>
`;
}

/** Names of entries must be permanent and unique (RFC 4287, 4.2.6). No two records have the same `updated`. */
function nameOf(feed: string, { release, previous, updated }: Changes): string {
  return uuidFromName(`${previous} ${release} ${updated}`, feed.slice('urn:uuid:'.length));
}

function entryText(feed: string, { changes, month }: HistoryEntry, link: (key: string) => string): string {
  const { updated, added, changed, removed, declaration, titles = {} } = changes;
  const name = (id: string) => escapeMarkup(titles[id] ?? id);
  const linked = (id: string) => `<a href="${link(`${LIST_PATH.slice(1)}/${id}`)}">${name(id)}</a>`;
  const lines = [
    ...(declaration ? ['other declared fields or languages: every property'] : []),
    ...added.map((id) => `added ${linked(id)}`),
    ...changed.map(({ id, fields }) => `changed ${linked(id)}: ${escapeMarkup(fields.join(', '))}`),
    ...removed.map((id) => `removed ${name(id)}`),
  ];
  // The file of the month, to which the entry links, has all ids.
  const shown = lines.slice(0, MAX_TITLES_IN_CHANGES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  return `<entry>
<id>urn:uuid:${nameOf(feed, changes)}</id>
<title>${added.length} added, ${declaration ? 'all others' : changed.length} changed, ${removed.length} removed</title>
<updated>${updated}</updated>
<link rel="alternate" type="application/x-ndjson" href="${link(changesKey(month))}"/>
<content type="html">${escapeMarkup(`<ul>\n${shown.map((line) => `<li>${line}</li>\n`).join('')}</ul>`)}</content>
</entry>
`;
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escapeMarkup(text)}</${name}>`;
}
