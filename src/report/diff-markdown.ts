import type { ContentDiff, IncomparableFile, NamedProperty } from '../diff/diff.ts';
import type { FieldChange } from '../diff/field-change.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { escapeMarkup } from '../text/markup.ts';
import { printable } from '../text/printable.ts';
import {
  fieldChangeLines,
  filesText,
  incompleteText,
  REASON_TEXTS,
  releasesText,
  summaryText,
} from './diff-sentences.ts';

/** First line of the Markdown. A workflow finds its previous comment by this line. */
export const COMMENT_MARK = '<!-- catalogue diff -->';

/** GitHub's limit for a comment is 65,536 characters. */
const MAX_COMMENT_LENGTH = 60_000;
/** A list with more entries than this is folded in `<details>`. `TAG_ROOM` characters are reserved for the tags. */
const FOLD_ABOVE = 10;
const TAG_ROOM = 500;

type MarkdownOptions = {
  /** Path of the content folder from the root of the repository. */
  readonly prefix: string;
  /** URL before the paths of photos. @default no photo is shown */
  readonly photos?: string | undefined;
};

/**
 * Values from the content are in code spans, where markup, links and mentions have no effect. Labels of
 * fields are in code spans too, unless they are plain words.
 */
export function markdownContentDiff(review: ContentDiff, { prefix, photos }: MarkdownOptions): string {
  const { incomparable, added, removed, hidden, shown, changed } = review;
  const count =
    incomparable.length === 0 ? '' : `${countText(incomparable.length, 'file')} cannot be compared; `;
  const summary = summaryText(review);
  const what = summary.charAt(0).toLowerCase() + summary.slice(1);
  const preview = review.preview ? [`Preview: <${review.preview}>`, ''] : [];
  const head = [COMMENT_MARK, `### Catalogue: ${count}${what}`, '', ...preview, ...countryTable(review)];
  const foot = [`${filesText(review)}.`, ...releasesText(review, codeSpan), ...incompleteText(review)];
  foot.unshift(...fieldChangeLines(review, labelSpan).map((line) => `${line}.`));
  if (review.settings.length > 0)
    foot.unshift(`Settings changed: ${review.settings.map(codeSpan).join(', ')}.`);
  const picture = (named: NamedProperty) => pictureText(named, prefix, photos);
  const name = (named: NamedProperty) => nameText(named, prefix);
  const sections: Section[] = [
    ['Cannot be compared', incomparable.map((one) => incomparableText(one, review.base, prefix))],
    ['Added', added.map((named) => name(named) + picture(named))],
    ['Removed', removed.map(name)],
    [
      'Shown from now on',
      shown.map((named) => `${name(named)}, was ${REASON_TEXTS[named.reason]}${picture(named)}`),
    ],
    ['No longer shown', hidden.map((named) => `${name(named)}: ${REASON_TEXTS[named.reason]}`)],
    [
      'Changed',
      changed.map((named) => {
        const lines = named.changes.map((change) => `\n  - ${changeText(change)}`);
        return `${name(named)}${picture(named)}${lines.join('')}`;
      }),
    ],
  ];
  const room = MAX_COMMENT_LENGTH - [...head, ...foot].join('\n').length;
  return `${[...head, '', ...sectionLines(sections, room), '', ...foot.flatMap((line) => [line, ''])]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

type Section = readonly [kind: string, items: readonly string[]];

function sectionLines(sections: readonly Section[], room: number): string[] {
  const lines: string[] = [];
  let left = room;
  let cut = 0;
  for (const [kind, items] of sections) {
    const kept: string[] = [];
    for (const item of items.map((text) => `- **${kind}** ${text}`)) {
      // An item that is too long does not hide the shorter ones behind it.
      if (left - item.length - 1 <= TAG_ROOM) cut++;
      else {
        left -= item.length + 1;
        kept.push(item);
      }
    }
    if (kept.length > FOLD_ABOVE) {
      lines.push(
        '',
        `<details><summary>${kind}: ${kept.length}</summary>`,
        '',
        ...kept,
        '',
        '</details>',
        '',
      );
    } else lines.push(...kept);
  }
  return cut > 0 ? [...lines, `- and ${formatNumber(cut)} more`] : lines;
}

function countryTable({ added, removed, changed, shown, hidden }: ContentDiff): string[] {
  const dated = Object.entries({ Shown: shown, Hidden: hidden }).filter(([, list]) => list.length > 0);
  const columns = Object.entries({ Added: added, Changed: changed, Removed: removed }).concat(dated);
  const kinds = columns.map(([, list]) => list);
  const all = kinds.flat();
  if (all.length < 2) return [];
  const countries = [...new Set(all.map(({ country }) => country))].sort();
  return [
    `| Country | ${columns.map(([name]) => name).join(' | ')} |`,
    `| --- |${' --: |'.repeat(columns.length)}`,
    ...countries.map((country) => {
      const counts = kinds.map((list) => list.filter((named) => named.country === country).length);
      return `| ${codeSpan(country)} | ${counts.map((count) => count || '').join(' | ')} |`;
    }),
    '',
  ];
}

function pictureText({ photo }: NamedProperty, prefix: string, photos: string | undefined): string {
  if (photos === undefined || !photo) return '';
  const path = `${prefix}${photo}`.split('/').map(encodeURIComponent).join('/');
  const url = /^https:/.test(photo) ? encodeURI(photo) : `${photos.replace(/\/+$/, '')}/${path}`;
  return `<br><img src="${escapeMarkup(url)}" width="160" alt="">`;
}

function incomparableText(
  { path, side, properties }: IncomparableFile,
  base: string,
  prefix: string,
): string {
  const where = side === 'content' ? 'has errors' : `has errors in ${codeSpan(base)}`;
  const names = properties.map(({ title, city }) => `${codeSpan(title)}, ${codeSpan(city)}`);
  const which =
    names.length === 0 ? '' : ` (${names.slice(0, 3).join('; ')}${names.length > 3 ? '; ...' : ''})`;
  return `${codeSpan(prefix + path)} ${where}${which}`;
}

function nameText({ title, city, country, path }: NamedProperty, prefix: string): string {
  const place = `${codeSpan(title)}, ${codeSpan(city)}, ${codeSpan(country)}`;
  return path ? `${place} in ${codeSpan(prefix + path)}` : place;
}

/** Labels of declared fields are free text. Words are shown as they are, anything else in a code span. */
function labelSpan(label: string): string {
  return /^\p{L}[\p{L}\p{M}\p{N} ,()'-]*$/u.test(label) ? label : codeSpan(label);
}

function changeText({ label: name, before, after }: FieldChange): string {
  const label = labelSpan(name);
  if (before === undefined) return `${label} added: ${codeSpan(after ?? '')}`;
  if (after === undefined) return `${label} removed: ${codeSpan(before)}`;
  return `${label}: ${codeSpan(before)} → ${codeSpan(after)}`;
}

/** CommonMark, 6.1: the fence is longer than any run of backticks inside, and there are no line breaks. */
export function codeSpan(value: string): string {
  if (value.trim() === '') return '*empty*';
  const text = printable(value);
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
