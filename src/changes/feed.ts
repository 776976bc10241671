/** The latest changes as an Atom feed (RFC 4287). */
import { v5 as uuidv5 } from 'uuid';
import type { Changes } from '../contract/downloads.ts';

/** A release, and the month whose file holds it. */
type Entry = { readonly changes: Changes; readonly month: string };

/** Lines of a release in the feed; the file of the month has them all. */
const MAX_LINES = 200;

/**
 * The text of the feed.
 *
 * @param id its permanent name, a URN.
 * @param entries oldest first, at least one.
 */
export function atomFeed(id: string, entries: readonly Entry[]): string {
  const newestFirst = [...entries].reverse();
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>Changes of the property catalogue</title>
<updated>${newestFirst[0]!.changes.time}</updated>
<author><name>The property catalogue</name></author>
<link rel="self" type="application/atom+xml" href="feed.xml"/>
${newestFirst.map((entry) => entryText(id, entry)).join('')}</feed>
`;
}

function entryText(feed: string, { changes, month }: Entry): string {
  const { release, previous, time, added, changed, removed } = changes;
  const lines = [
    ...added.map((id) => `added ${id}`),
    ...changed.map(({ id, fields }) => `changed ${id}: ${fields.join(', ')}`),
    ...removed.map((id) => `removed ${id}`),
  ];
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  const id = uuidv5(`${previous} ${release} ${time}`, feed.slice('urn:uuid:'.length));
  return `<entry>
<id>urn:uuid:${id}</id>
<title>${added.length} added, ${changed.length} changed, ${removed.length} removed</title>
<updated>${time}</updated>
<link rel="alternate" type="application/x-ndjson" href="${month}.ndjson"/>
<content type="text">${shown.join('\n').replace(/&/g, '&amp;').replace(/</g, '&lt;')}</content>
</entry>
`;
}
