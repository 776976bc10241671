/** The latest changes as an Atom feed (RFC 4287). */

import type { About } from '../contract/about.ts';
import type { Changes } from '../contract/downloads.ts';
import { nameUuid } from '../release/uuid-v5.ts';

/** A record, and the month whose file holds it. */
export type HistoryEntry = { readonly changes: Changes; readonly month: string };

const COUNTED = ['added', 'changed', 'removed'] as const;
/** Lines of a release in the feed; the file of the month has them all. */
const MAX_LINES = 200;

/**
 * The text of the feed.
 *
 * @param id its permanent name, a URN.
 * @param entries oldest first; those that changed no property are left out.
 * @param updated time of the feed, RFC 3339: that of its latest entry, or later.
 * @param about what the catalogue says of itself.
 */
export function atomFeed(
  id: string,
  entries: readonly HistoryEntry[],
  updated: string,
  about: About = { title: 'Property catalogue' },
): string {
  const { title, description, contact, logo } = about;
  const shown = entries.filter(({ changes }) => COUNTED.some((what) => changes[what].length > 0));
  const newestFirst = shown.map((entry) => entryText(id, entry)).reverse();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>${escaped(title)}: changes</title>
${description ? `<subtitle>${escaped(description)}</subtitle>\n` : ''}<updated>${updated}</updated>
<author>${[
    element('name', contact?.name ?? title),
    element('uri', contact?.url),
    element('email', contact?.email),
  ].join('')}</author>
${logo ? `<logo>../${logo}</logo>\n` : ''}<link rel="self" type="application/atom+xml" href="feed.xml"/>
${newestFirst.join('')}</feed>
`;
}

/** The permanent name of an entry (RFC 4287, 4.2.6): times of records only grow, so no two steps share one. */
function nameOf(feed: string, { release, previous, updated }: Changes): string {
  return nameUuid(`${previous} ${release} ${updated}`, feed.slice('urn:uuid:'.length));
}

function entryText(feed: string, { changes, month }: HistoryEntry): string {
  const { updated, added, changed, removed } = changes;
  const lines = [
    ...added.map((id) => `added ${id}`),
    ...changed.map(({ id, fields }) => `changed ${id}: ${fields.join(', ')}`),
    ...removed.map((id) => `removed ${id}`),
  ];
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  return `<entry>
<id>urn:uuid:${nameOf(feed, changes)}</id>
<title>${added.length} added, ${changed.length} changed, ${removed.length} removed</title>
<updated>${updated}</updated>
<link rel="alternate" type="application/x-ndjson" href="${month}.ndjson"/>
<content type="text">${escaped(shown.join('\n'))}</content>
</entry>
`;
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
