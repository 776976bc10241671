import { decodeEntities, hasEntity } from './html-entities.ts';

const BLOCKS =
  'address|article|aside|blockquote|body|center|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|head|header|hr|html|li|main|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul';
const INLINES =
  'a|abbr|acronym|audio|b|bdi|bdo|big|button|caption|cite|code|col|colgroup|del|em|embed|font|i|iframe|img|input|ins|kbd|label|link|map|mark|meta|noscript|object|option|picture|q|s|samp|script|select|small|source|span|strike|strong|style|sub|sup|svg|td|textarea|th|time|title|tt|u|var|video|wbr|o:p|st1:\\w+';
/** Matches comments, CDATA, doctypes and tags of known elements. Does not match `<18 m>` and `<3`, so they stay. */
const TAG = new RegExp(
  `<(/?)(br|${BLOCKS}|${INLINES})(?:[\\s/](?:(?:"[^"<]*"|'[^'<]*'|[^<>"'])*|[^<>]*))?>|<!(?:--|\\[CDATA\\[|doctype\\b[^<>]*>)`,
  'gi',
);
const BLOCK = new RegExp(`^(?:${BLOCKS})$`, 'i');

export function hasHtml(text: string): boolean {
  return (text.includes('<') && text.search(TAG) >= 0) || hasEntity(text);
}

/**
 * A block element ends a line; a blank line separates paragraphs.
 * @param keepsLinks if true, writes a link's URL after its text
 */
export function plainTextOf(html: string, keepsLinks = false): string {
  if (html.search(TAG) < 0) return decodeEntities(html);
  let text = '';
  const pattern = new RegExp(TAG);
  let from = 0;
  let link = { address: '', start: 0 };
  /** Length of `text` right after the last link's URL. A word that follows there needs a space. */
  let linkEnd = -1;
  const add = (part: string) => {
    text += text.length === linkEnd && /^[\p{L}\p{N}]/u.test(part) ? ` ${part}` : part;
  };
  for (let tag = pattern.exec(html); tag; tag = pattern.exec(html)) {
    add(html.slice(from, tag.index));
    const [whole, slash = '', name = ''] = tag;
    from = pattern.lastIndex;
    if (name === '') from = endOfMarkup(html, tag.index, whole);
    else if (slash === '' && /^(?:script|style)$/i.test(name)) from = endOfElement(html, from, name);
    else if (/^p$/i.test(name)) text += text.trim() === '' ? '' : '\n\n';
    else if (/^br$/i.test(name) || (slash && BLOCK.test(name))) text += '\n';
    else if (BLOCK.test(name)) text += /(?:^|\n)[ \t]*$/.test(text.slice(-20)) ? '' : '\n';
    else if (/^a$/i.test(name)) {
      const label = text.slice(link.start).trimEnd();
      const address = slash ? addressBehind(label, link.address) : '';
      if (address !== '') {
        const gap = text.slice(link.start + label.length);
        text = text.slice(0, link.start) + label + address;
        linkEnd = text.length;
        text += gap;
      }
      link = { address: keepsLinks && !slash ? (ADDRESS.exec(whole)?.[2] ?? '') : '', start: text.length };
    } else if (/^t[dh]$/i.test(name)) text += ' ';
    if (whole.startsWith('<![')) {
      text += html.slice(tag.index + whole.length, from).replace(/\]\]>$/, '');
    }
    pattern.lastIndex = from;
  }
  add(html.slice(from));
  const lines = decodeEntities(text)
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const ADDRESS = /\shref\s*=\s*(["']?)(https?:\/\/[^\s"'<>]+)\1/i;

function addressBehind(label: string, address: string): string {
  const bare = (text: string) => text.replace(/^https?:\/\/|\/$/gi, '').trim();
  const isSaid = address === '' || bare(label.trim()) === '' || bare(label.trim()) === bare(address);
  return isSaid ? '' : ` (${address})`;
}

function endOfMarkup(html: string, start: number, opener: string): number {
  if (/^<!doctype/i.test(opener)) return start + opener.length;
  const closer = opener === '<!--' ? '-->' : ']]>';
  const end = html.indexOf(closer, start + opener.length);
  return end < 0 ? html.length : end + closer.length;
}

function endOfElement(html: string, from: number, name: string): number {
  const closer = new RegExp(`</${name}\\s*>`, 'gi');
  closer.lastIndex = from;
  return closer.exec(html) ? closer.lastIndex : html.length;
}
