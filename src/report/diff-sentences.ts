/** Sentences that the terminal and the Markdown form of a review share. */
import type { ContentDiff, HiddenProperty } from '../diff/diff.ts';
import { countText } from '../text/amounts.ts';

export const REASON_TEXTS: Readonly<Record<HiddenProperty['reason'], string>> = {
  draft: 'a draft',
  early: 'before its live_from',
  over: 'after its live_until',
};

export function filesText({ files: { written, removed } }: ContentDiff): string {
  const { details, pages, totals, photos } = written;
  const sum = details + pages + totals + photos;
  const parts = [
    countText(details, 'detail'),
    countText(pages, 'page'),
    countText(totals, 'total'),
    countText(photos, 'image'),
  ];
  return `${countText(sum, 'file')} to publish (${parts.join(', ')}) and ${removed} to remove, apart from the documents`;
}

export function incompleteText({ incomparable }: ContentDiff): string[] {
  if (incomparable.length === 0) return [];
  const advice = incomparable.some(({ side }) => side === 'content')
    ? ' Run "catalogue check" to see the errors, and correct them.'
    : '';
  return [`These numbers leave out ${countText(incomparable.length, 'file')} with errors.${advice}`];
}

/** Such as "Nothing that is published changes" or "2 properties added, 1 changed, 0 removed". */
export function summaryText(review: ContentDiff): string {
  const { added, changed, removed, hidden, shown, settings, declaration = [], incomparable } = review;
  const lists = [added, changed, removed, hidden, shown, settings, declaration];
  if (lists.every((list) => list.length === 0))
    return `Nothing ${incomparable.length > 0 ? 'else ' : ''}that is published changes`;
  return [
    `${countText(added.length, 'property')} added, ${changed.length} changed, ${removed.length} removed`,
    ...(hidden.length > 0 ? [`${hidden.length} no longer shown`] : []),
    ...(shown.length > 0 ? [`${shown.length} shown from now on`] : []),
  ].join(', ');
}

export function releasesText(
  { releases: { before, after } }: ContentDiff,
  nameText = (name: string) => name,
): string[] {
  if (after === null) return [];
  if (before === null) return [`Release ${nameText(after)}.`];
  return [
    before === after
      ? `Release ${nameText(before)}, as before.`
      : `Release ${nameText(before)} becomes ${nameText(after)}.`,
  ];
}

export function fieldChangeLines(
  { declaration = [] }: ContentDiff,
  labelText = (label: string) => label,
): string[] {
  return declaration.map(({ label, before, after }) => {
    if (before === undefined) return `New field in all properties: ${labelText(label)}`;
    return after === undefined
      ? `Field removed from all properties: ${labelText(label)}`
      : `Field ${labelText(before)} is now ${labelText(after)}`;
  });
}
