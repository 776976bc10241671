import type { HiddenProperty, Incomparable, NamedProperty, Review } from '../diff/diff.ts';
import type { FieldChange } from '../diff/field-change.ts';
import { escapeMarkup } from '../text/markup.ts';
import { printable } from '../text/printable.ts';
import { plural } from '../text/words.ts';
import { colorsOf } from './colors.ts';
import { contentPrefix } from './content.ts';
import { printJson, type Sink } from './sink.ts';

/** First line of the Markdown, by which a workflow finds its previous comment. */
export const COMMENT_MARK = '<!-- catalogue diff -->';

/** Most properties shown per kind. GitHub's limit for a comment is 65,536 characters. */
const SHOWN = 200;
const LONGEST = 60_000;
/** Length above which a list is folded, and characters reserved for folding. */
const LONG = 10;
const FOLD_ROOM = 500;

function tally({ added, changed, removed, hidden, shown }: Review): string {
  return [
    `${plural(added.length, 'property')} added, ${changed.length} changed, ${removed.length} removed`,
    ...(hidden.length > 0 ? [`${hidden.length} no longer shown`] : []),
    ...(shown.length > 0 ? [`${shown.length} shown from now on`] : []),
  ].join(', ');
}

const REASONS: Readonly<Record<HiddenProperty['reason'], string>> = {
  draft: 'a draft',
  early: 'before its live_from',
  over: 'after its live_until',
};

function filesText({ files: { written, removed } }: Review): string {
  const { details, pages, totals, photos } = written;
  const sum = details + pages + totals + photos;
  const parts = [
    plural(details, 'detail'),
    plural(pages, 'page'),
    plural(totals, 'total'),
    plural(photos, 'image'),
  ];
  return `${plural(sum, 'file')} to publish (${parts.join(', ')}) and ${removed} to remove, besides the documents`;
}

function incompleteText({ incomparable }: Review): string[] {
  if (incomparable.length === 0) return [];
  const advice = incomparable.some(({ side }) => side === 'content')
    ? ' Run "catalogue check" to see the errors, and correct them.'
    : '';
  return [`These numbers leave out ${plural(incomparable.length, 'file')} with errors.${advice}`];
}

function isEmpty({ added, changed, removed, hidden, shown, settings, declaration = [] }: Review): boolean {
  return [added, changed, removed, hidden, shown, settings, declaration].every((list) => list.length === 0);
}

function nothingText({ incomparable }: Review): string {
  return incomparable.length > 0
    ? 'Nothing else that is published changes'
    : 'Nothing that is published changes';
}

function releasesText({ releases: { before, after } }: Review, shown = (name: string) => name): string[] {
  if (after === null) return [];
  if (before === null) return [`Release ${shown(after)}.`];
  return [
    before === after
      ? `Release ${shown(before)}, as before.`
      : `Release ${shown(before)} becomes ${shown(after)}.`,
  ];
}

export function reportReview(
  review: Review,
  { format, content, photos }: ReviewFormat,
  { out, err, color }: Sink,
): void {
  const prefix = contentPrefix(content);
  if (format === 'json') printJson(review, { out, err, color });
  else if (format === 'markdown') out(markdownReview(review, { prefix, photos }));
  else out(prettyReview(review, prefix, color));
}

type ReviewFormat = {
  readonly format: 'pretty' | 'markdown' | 'json';
  readonly content: string;
  readonly photos?: MarkdownOptions['photos'];
};

export function prettyReview(review: Review, prefix: string, color: boolean): string {
  const colors = colorsOf(color);
  const lines: string[] = [];
  const heading = (mark: string, { title, city, country, path }: NamedProperty) =>
    `${mark} ${colors.bold(printable(title))}, ${printable(city)}, ${printable(country)}${path && colors.dim(`  ${printable(prefix + path)}`)}`;
  for (const { path, side, properties } of review.incomparable.slice(0, SHOWN)) {
    const where = side === 'content' ? 'has errors' : `has errors in ${printable(review.base)}`;
    const names = properties.slice(0, 3).map(({ title, city }) => printable(`${title}, ${city}`));
    const which = names.length > 0 ? ` (${names.join('; ')}${properties.length > 3 ? '; ...' : ''})` : '';
    lines.push(`${colors.red('! Cannot be compared:')} ${printable(prefix + path)} ${where}${which}`);
  }
  if (review.incomparable.length > SHOWN) lines.push(`! and ${review.incomparable.length - SHOWN} more`);
  const group = <Of extends NamedProperty>(list: readonly Of[], mark: string, more = (_named: Of) => '') => {
    for (const named of list.slice(0, SHOWN)) lines.push(heading(mark, named) + more(named));
    if (list.length > SHOWN) lines.push(`${mark} and ${list.length - SHOWN} more`);
  };
  group(review.added, colors.green('+'));
  group(review.removed, colors.red('-'));
  group(review.shown, colors.green('+'), ({ reason }) => `: shown from now on, was ${REASONS[reason]}`);
  group(review.hidden, colors.yellow('-'), ({ reason }) => `: no longer shown, ${REASONS[reason]}`);
  for (const named of review.changed.slice(0, SHOWN)) {
    lines.push(heading(colors.yellow('~'), named));
    for (const { label, before, after } of named.changes) {
      const old = before === undefined ? 'new' : shown(before);
      lines.push(`    ${label}: ${colors.dim(old)} → ${after === undefined ? 'gone' : shown(after)}`);
    }
  }
  if (review.changed.length > SHOWN) lines.push(`~ and ${review.changed.length - SHOWN} more`);
  lines.push(...fieldLines(review).map((line) => `${printable(line)}.`));
  if (review.settings.length > 0) lines.push(`Settings changed: ${printable(review.settings.join(', '))}`);
  lines.push(
    `${isEmpty(review) ? nothingText(review) : tally(review)}.`,
    `${filesText(review)}.`,
    ...releasesText(review),
    ...incompleteText(review),
    ...(review.preview ? [`Preview: ${printable(review.preview)}`] : []),
  );
  return `${lines.join('\n')}\n`;
}

function fieldLines({ declaration = [] }: Review): string[] {
  return declaration.map(({ label, before, after }) => {
    if (before === undefined) return `New field in all properties: ${label}`;
    return after === undefined
      ? `Field removed from all properties: ${label}`
      : `Field ${before} is now ${after}`;
  });
}

function shown(value: string): string {
  return value === '' ? '(empty)' : printable(value);
}

type MarkdownOptions = {
  /** Path of the content folder from the root of the repository. */
  readonly prefix: string;
  /** URL in front of paths, for photos; without it, no photo is shown. */
  readonly photos?: string | undefined;
};

/** All values of the content are in code spans, where markup, links and mentions have no effect. */
export function markdownReview(review: Review, { prefix, photos }: MarkdownOptions): string {
  const { incomparable, added, removed, hidden, shown, changed } = review;
  const count =
    incomparable.length === 0 ? '' : `${plural(incomparable.length, 'file')} cannot be compared; `;
  const what = isEmpty(review) ? nothingText(review).replace('N', 'n') : tally(review);
  const preview = review.preview ? [`Preview: <${review.preview}>`, ''] : [];
  const head = [COMMENT_MARK, `### Catalogue: ${count}${what}`, '', ...preview, ...countryTable(review)];
  const foot = [`${filesText(review)}.`, ...releasesText(review, codeSpan), ...incompleteText(review)];
  foot.unshift(...fieldLines(review).map((line) => `${escapeMarkup(line)}.`));
  if (review.settings.length > 0)
    foot.unshift(`Settings changed: ${review.settings.map(codeSpan).join(', ')}.`);
  const picture = (named: NamedProperty) => pictureText(named, prefix, photos);
  const sections = [
    incomparable.map((one) => `- **Cannot be compared** ${incomparableText(one, review.base, prefix)}`),
    added.map((named) => `- **Added** ${nameText(named, prefix)}${picture(named)}`),
    removed.map((named) => `- **Removed** ${nameText(named, prefix)}`),
    shown.map((named) => {
      const was = `was ${REASONS[named.reason]}`;
      return `- **Shown from now on** ${nameText(named, prefix)}, ${was}${picture(named)}`;
    }),
    hidden.map((named) => `- **No longer shown** ${nameText(named, prefix)}: ${REASONS[named.reason]}`),
    changed.map((named) =>
      [
        `- **Changed** ${nameText(named, prefix)}${picture(named)}`,
        ...named.changes.map((change) => `  - ${changeText(change)}`),
      ].join('\n'),
    ),
  ];
  const room = LONGEST - [...head, ...foot].join('\n').length;
  return `${[...head, '', ...sectionLines(sections, room), '', ...foot.flatMap((line) => [line, ''])]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}

function sectionLines(sections: readonly (readonly string[])[], room: number): string[] {
  const lines: string[] = [];
  let left = room;
  let cut = 0;
  for (const items of sections) {
    const kept: string[] = [];
    for (const item of items) {
      left -= item.length + 1;
      if (left > FOLD_ROOM) kept.push(item);
      else cut++;
    }
    if (kept.length > LONG) {
      const [, kind = ''] = /\*\*(.+?)\*\*/.exec(kept[0]!) ?? [];
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
  return cut > 0 ? [...lines, `- and ${cut} more`] : lines;
}

function countryTable({ added, removed, changed, shown, hidden }: Review): string[] {
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

function incomparableText({ path, side, properties }: Incomparable, base: string, prefix: string): string {
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

function changeText({ label, before, after }: FieldChange): string {
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
