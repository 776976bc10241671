import type { MakeImagesResult } from '../compile/images/make-images.ts';
import { shardText } from '../media/shard.ts';
import { findingsOf, hasErrors } from '../source/findings.ts';
import { countText, secondsText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { reportFindings, tallyOfFindings } from './diagnostics.ts';
import type { ReportFormat, Sink } from './sink.ts';

export function reportMedia(
  result: MakeImagesResult,
  format: ReportFormat,
  content: string,
  sink: Sink,
): void {
  const { diagnostics, shard, cache, counts } = result;
  const findings = findingsOf(diagnostics);
  // People count shards from 1.
  const named = shard && { number: shard.index + 1, count: shard.count, source: shard.source };
  if (!reportFindings({ ...result, shard: named }, findings, format, content, sink)) return;
  const colors = createColors(sink.color);
  const total = Object.values(result.seconds).reduce((sum, seconds) => sum + seconds, 0);
  const parts = [`${counts.made} made`, `${counts.present} were there`];
  if (counts.copied > 0) parts.push(`${counts.copied} copied from the output folder`);
  const share = shard ? ` of share ${printable(`${shardText(shard)} (${shard.source})`)}` : '';
  const place = cache === undefined ? '' : `, in ${printable(cache)}`;
  const mark = hasErrors(findings) ? colors.red : colors.green;
  sink.err(
    `${mark('Made')} the images${share}${place}: ${countText(counts.photos, 'photo')}, ${countText(counts.images, 'image')}; ${parts.join(', ')}, in ${secondsText(total)}.\n`,
  );
  if (counts.repaired > 0) sink.err(`${countText(counts.repaired, 'damaged object')} made again.\n`);
  if (diagnostics.length > 0) sink.err(`${tallyOfFindings(findings)}.\n`);
}
