/** The latest changes as an Atom feed (RFC 4287). */
import { nameUuid } from '../catalogue/name-uuid.ts';
import type { About } from '../contract/about.ts';
import type { HistoryEntry } from './history.ts';

/** Lines of a release in the feed; the file of the month has them all. */
const MAX_LINES = 200;

/**
 * The text of the feed.
 *
 * @param id its permanent name, a URN.
 * @param entries oldest first.
 * @param updated RFC 3339; when there is no entry, the time of the feed.
 * @param about what the catalogue says of itself.
 */
export function atomFeed(
  id: string,
  entries: readonly HistoryEntry[],
  updated: string,
  about: About = { title: 'Property catalogue' },
): string {
  const { title, description, contact, logo } = about;
  // Going back and forth repeats a step; a feed names each entry once (RFC 4287, 4.1.1).
  const newestFirst = new Map<string, string>();
  for (const entry of [...entries].reverse()) {
    const name = nameOf(id, entry);
    if (!newestFirst.has(name)) newestFirst.set(name, entryText(name, entry));
  }
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${id}</id>
<title>${escaped(title)}: changes</title>
${description ? `<subtitle>${escaped(description)}</subtitle>\n` : ''}<updated>${entries.at(-1)?.changes.time ?? updated}</updated>
<author>${[
    element('name', contact?.name ?? title),
    element('uri', contact?.url),
    element('email', contact?.email),
  ].join('')}</author>
${logo ? `<logo>../${logo}</logo>\n` : ''}<link rel="self" type="application/atom+xml" href="feed.xml"/>
${[...newestFirst.values()].join('')}</feed>
`;
}

function nameOf(feed: string, { changes: { release, previous, time } }: HistoryEntry): string {
  return nameUuid(`${previous} ${release} ${time}`, feed.slice('urn:uuid:'.length));
}

function entryText(name: string, { changes, month }: HistoryEntry): string {
  const { time, added, changed, removed } = changes;
  const lines = [
    ...added.map((id) => `added ${id}`),
    ...changed.map(({ id, fields }) => `changed ${id}: ${fields.join(', ')}`),
    ...removed.map((id) => `removed ${id}`),
  ];
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
  return `<entry>
<id>urn:uuid:${name}</id>
<title>${added.length} added, ${changed.length} changed, ${removed.length} removed</title>
<updated>${time}</updated>
<link rel="alternate" type="application/x-ndjson" href="${month}.ndjson"/>
<content type="text">${escaped(shown.join('\n'))}</content>
</entry>
`;
}

function element(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
