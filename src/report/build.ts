import type { BuildResult } from '../compile/context.ts';
import { HOSTS, hostOf } from '../contract/hosts.ts';
import { isPublicUrl } from '../contract/public-url.ts';
import { bytesText, countText, formatNumber, secondsText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { NO_FINDINGS_TEXT, noFilesText, reportFindings, tallyOfFindings } from './diagnostics.ts';
import { contentPrefix } from './path-prefix.ts';
import { MAX_LIST_LINES, type ReportFormat, type Sink, truncatedListTexts } from './sink.ts';
import { timeText } from './time-text.ts';

export function reportBuild(result: BuildResult, format: ReportFormat, content: string, sink: Sink): void {
  const { findings, outcome, counts } = result;
  if (!reportFindings(result, findings, format, content, sink)) return;
  const colors = createColors(sink.color);
  if (outcome === 'refused') {
    sink.err(`${colors.red('Nothing was written:')} ${tallyOfFindings(findings)}.\n`);
    return;
  }
  if (!counts) return;
  if (counts.properties + result.leftOut.length === 0) sink.err(noFilesText(content));
  printRemarks(result, contentPrefix(content), sink);
  const lines = [
    ...countLines(counts, result.host),
    `release ${result.release}`,
    ...workLines(result, counts),
    ...costLines(result),
  ];
  sink.err(`${colors.green('Built')} ${lines.join('\n      ')}\n`);
  const tally = tallyOfFindings(findings);
  if (tally !== NO_FINDINGS_TEXT) sink.err(`${tally}.\n`);
}

function printRemarks(result: BuildResult, prefix: string, { err, color }: Sink): void {
  const { leftOut, damaged, kept, refusedTargets, advice, host } = result;
  const colors = createColors(color);
  err(hiddenText(result));
  const list = (title: string, paths: readonly string[], folder = '') => {
    if (paths.length === 0) return;
    const lines = truncatedListTexts(paths, MAX_LIST_LINES, (path) => printable(folder + path));
    err(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  };
  list(`Left out ${countText(leftOut.length, 'file')} with errors:`, leftOut, prefix);
  list(`${countText(damaged.length, 'file')} of the output had been changed, now repaired:`, damaged);
  list(
    `${colors.yellow('Kept')} ${countText(kept.length, 'generated file')} that you changed. To get a new one, move yours away and build again:`,
    kept,
  );
  for (const { name, message } of refusedTargets) {
    err(`${colors.yellow('Passed over')} the target ${name}: ${printable(message)}\n`);
  }
  if (host && !isPublicUrl(host.baseUrl)) {
    err(
      `${colors.yellow('Do not deploy yet:')} the catalogue says that it is at ${printable(host.baseUrl)}, which guests cannot reach. Set base_url in catalogue.yaml, and build again.\n`,
    );
  }
  if (host?.isStatic) {
    const { title } = HOSTS[host.host];
    err(
      `${colors.yellow('No queries:')} ${title} cannot answer them, so the API's addresses do not work there. The page, the downloads and the files of lists and properties do.\n`,
    );
  }
  if (advice) err(`${colors.yellow('Many pages:')} ${adviceText(advice, host)}\n`);
}

function adviceText(
  { pages, packed, few }: NonNullable<BuildResult['advice']>,
  host: BuildResult['host'],
): string {
  const price = hostOf(host?.host)?.dollarsPerMillionWrites;
  const filesText = (files: number) => {
    const cost = price ? `, about $${((files * price) / 1e6).toFixed(4)}` : '';
    return countText(files, 'file') + cost;
  };
  const now = `lists are ${filesText(pages.files)}, ${bytesText(pages.bytes)}.`;
  const then = `they would be ${filesText(packed.files)}, about ${bytesText(packed.bytes)}, for a platform with compute at the edge`;
  const fewer = few === undefined ? '' : `, with "page_sizes: [25, 100]" ${filesText(few)}`;
  return `${now} With "layout: packed" ${then}${fewer}.`;
}

const SOURCES: Readonly<Record<BuildResult['asOf']['from'], string>> = {
  option: '',
  commit: ', the time of the commit',
  clock: ', the present time, since no commit has the content',
};

function hiddenText({ hidden: { draft, early, over }, asOf }: BuildResult): string {
  const parts = [
    ...(early > 0 ? [`${early} not live yet`] : []),
    ...(over > 0 ? [`${over} no longer live`] : []),
  ];
  const drafts = draft > 0 ? `Not published: ${countText(draft, 'draft')}.\n` : '';
  if (parts.length === 0) return drafts;
  return `${drafts}Not published as of ${timeText(asOf.instant)}${SOURCES[asOf.from]}: ${parts.join(', ')}.\n`;
}

type Counts = NonNullable<BuildResult['counts']>;

function countLines(
  { properties, cities, countries, pages, tree, files, pageBytes, bytes: size }: Counts,
  host: BuildResult['host'],
): string[] {
  const hasPages = pages > 0;
  return [
    `${countText(properties, 'property')}, ${countText(cities, 'city')}, ${countText(countries, 'country')}`,
    [
      hasPages ? countText(pages, 'page') : countText(tree, 'tree file'),
      host?.files ? `${formatNumber(files)} of ${countText(host.files, 'file')}` : countText(files, 'file'),
      ...(hasPages ? [`${bytesText(pageBytes)} of lists`] : []),
      ...(host?.bytes ? [`about ${bytesText(size)} of ${bytesText(host.bytes)}`] : []),
    ].join(', '),
  ];
}

function workLines({ outcome, work, seconds }: BuildResult, counts: Counts): string[] {
  const times = Object.entries(seconds);
  const total = secondsText(times.reduce((sum, [, time]) => sum + time, 0));
  if (outcome === 'unchanged') return [`nothing changed, in ${total}`];
  return [
    `${countText(counts.images, 'image')}: ${work.made} made, ${work.reused} from the cache`,
    `${countText(work.written, 'file')} written, ${work.removed} removed, in ${total}`,
    times.map(([stage, time]) => `${stage} ${secondsText(time)}`).join(', '),
  ];
}

function costLines({ host, outcome }: BuildResult): string[] {
  if (!host || host.isStatic || host.first.dollars === undefined) return [];
  const text = ({ requests, dollars = 0 }: typeof host.first) =>
    `${countText(requests, 'request')}, about $${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
  const change = outcome === 'unchanged' ? [] : [`this change ${text(host.change)}`];
  return [[`to publish all: ${text(host.first)}`, ...change].join('; ')];
}
