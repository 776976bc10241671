import type { ContentDiff, NamedProperty } from '../diff/diff.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import {
  fieldChangeLines,
  filesText,
  incompleteText,
  REASON_TEXTS,
  releasesText,
  summaryText,
} from './diff-sentences.ts';
import { truncatedListTexts } from './sink.ts';

/** Maximum number of entries listed for each kind of change. */
const MAX_LISTED = 200;

export function prettyContentDiff(review: ContentDiff, prefix: string, color: boolean): string {
  const colors = createColors(color);
  const heading = (mark: string, { title, city, country, path }: NamedProperty) =>
    `${mark} ${colors.bold(printable(title))}, ${printable(city)}, ${printable(country)}${path && colors.dim(`  ${printable(prefix + path)}`)}`;
  const lines = truncatedListTexts(review.incomparable, MAX_LISTED, ({ path, side, properties }) => {
    const where = side === 'content' ? 'has errors' : `has errors in ${printable(review.base)}`;
    const names = properties.slice(0, 3).map(({ title, city }) => printable(`${title}, ${city}`));
    const which = names.length > 0 ? ` (${names.join('; ')}${properties.length > 3 ? '; ...' : ''})` : '';
    return `${colors.red('! Cannot be compared:')} ${printable(prefix + path)} ${where}${which}`;
  });
  const group = <Of extends NamedProperty>(list: readonly Of[], mark: string, more = (_named: Of) => '') =>
    lines.push(...truncatedListTexts(list, MAX_LISTED, (named) => heading(mark, named) + more(named)));
  group(review.added, colors.green('+'));
  group(review.removed, colors.red('-'));
  group(review.shown, colors.green('+'), ({ reason }) => `: shown from now on, was ${REASON_TEXTS[reason]}`);
  group(review.hidden, colors.yellow('-'), ({ reason }) => `: no longer shown, ${REASON_TEXTS[reason]}`);
  group(review.changed, colors.yellow('~'), ({ changes }) =>
    changes
      .map(({ label, before, after }) => {
        const old = before === undefined ? 'new' : valueText(before);
        return `\n    ${label}: ${colors.dim(old)} → ${after === undefined ? 'gone' : valueText(after)}`;
      })
      .join(''),
  );
  lines.push(...fieldChangeLines(review).map((line) => `${printable(line)}.`));
  if (review.settings.length > 0) lines.push(`Settings changed: ${printable(review.settings.join(', '))}`);
  lines.push(
    `${summaryText(review)}.`,
    `${filesText(review)}.`,
    ...releasesText(review),
    ...incompleteText(review),
    ...(review.preview ? [`Preview: ${printable(review.preview)}`] : []),
  );
  return `${lines.join('\n')}\n`;
}

function valueText(value: string): string {
  return value === '' ? '(empty)' : printable(value);
}
