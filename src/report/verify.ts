import { countText, formatNumber, secondsText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import type { VerifyResult } from '../verify/verify.ts';
import { createColors } from './colors.ts';
import { MAX_LIST_LINES, type PrettyOrJson, printJson, type Sink, truncatedListTexts } from './sink.ts';

export function reportVerify(result: VerifyResult, format: PrettyOrJson, sink: Sink): void {
  if (format === 'json') {
    printJson(result, sink);
    return;
  }
  const { baseUrl, release, requests, differences, seconds, looked, isStatic, hasSeenLists } = result;
  const colors = createColors(sink.color);
  // `printable`: a server's response must not control the terminal.
  const lineOf = ({ request, what, expected, actual }: (typeof differences)[number]) =>
    `${colors.bold(printable(request))}\n  ${printable(what)}: expected ${printable(expected)}, got ${printable(actual)}`;
  for (const line of truncatedListTexts(differences, MAX_LIST_LINES, lineOf)) sink.err(`${line}\n`);
  const isWhole = differences.length === 0 && hasSeenLists;
  const verb = hasSeenLists ? 'Verified' : 'Verified in part:';
  const mark = isWhole ? colors.green(verb) : colors.red(verb);
  const what = differences.length === 0 ? 'no differences' : countText(differences.length, 'difference');
  const name = release === null ? '' : `release ${release} at `;
  sink.err(
    `${mark} ${printable(`${name}${baseUrl}`)}: ${countText(requests, 'request')}, ${what}, in ${secondsText(seconds)}.\n`,
  );
  if (looked) sink.err(`${lookedText(looked)}\n`);
  if (isStatic && hasSeenLists) {
    sink.err(
      'This host only serves files, so properties and pages were checked by their paths. Queries are not answered there.\n',
    );
  } else if (isStatic) {
    sink.err(
      'No list was looked at: this host only serves files, and the release has no pages. Set layout: pages in catalogue.yaml, and publish again.\n',
    );
  } else if (looked && !hasSeenLists) {
    sink.err(
      'No list was looked at, since the catalogue asks for a key: put one into CATALOGUE_API_KEY, and verify again.\n',
    );
  }
}

function lookedText(looked: NonNullable<VerifyResult['looked']>): string {
  const parts = Object.entries(looked).map(
    ([kind, { at, of }]) => `${formatNumber(at)} of ${formatNumber(of)} ${kind}`,
  );
  const isAll = Object.values(looked).every(({ at, of }) => at === of);
  return `Looked at ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}${isAll ? '' : '; --all looks at every one'}.`;
}
