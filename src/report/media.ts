/** Prints the outcome of `catalogue media`. */
import type { MakeImagesResult } from '../build/images/make-images.ts';
import { shardText } from '../media/shard.ts';
import { printable } from '../printable.ts';
import { plural } from '../words.ts';
import { colorsOf } from './colors.ts';
import { contentPrefix } from './content.ts';
import { type Format, hasErrors, reportDiagnostics, tallyOf, withPrefix } from './diagnostics.ts';
import { printJson, type Sink } from './sink.ts';

export function reportMedia(result: MakeImagesResult, format: Format, content: string, sink: Sink): void {
  const { diagnostics, shard, cache, counts } = result;
  if (format === 'json') {
    // People count shares from 1.
    const named = shard && { number: shard.index + 1, count: shard.count, source: shard.source };
    const placed = withPrefix(diagnostics, contentPrefix(content));
    printJson({ ...result, shard: named, diagnostics: placed }, sink);
    return;
  }
  if (!reportDiagnostics(diagnostics, format, content, sink)) return;
  const colors = colorsOf(sink.color);
  const total = Object.values(result.seconds).reduce((sum, seconds) => sum + seconds, 0);
  const parts = [`${counts.made} made`, `${counts.present} were there`];
  if (counts.copied > 0) parts.push(`${counts.copied} copied from the output folder`);
  const share = shard ? ` of share ${printable(`${shardText(shard)} (${shard.source})`)}` : '';
  const place = cache === undefined ? '' : `, in ${printable(cache)}`;
  const mark = hasErrors(diagnostics) ? colors.red : colors.green;
  sink.err(
    `${mark('Made')} the images${share}${place}: ${plural(counts.photos, 'photo')}, ${plural(counts.images, 'image')}; ${parts.join(', ')}, in ${total.toFixed(2)} s.\n`,
  );
  if (counts.mended > 0) sink.err(`${plural(counts.mended, 'damaged object')} made again.\n`);
  if (diagnostics.length > 0) sink.err(`${tallyOf(diagnostics)}.\n`);
}
