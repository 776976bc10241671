import type { PreviewResult } from '../publish/preview.ts';
import { bytesText, countText, secondsText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { type PrettyOrJson, printJson, type Sink } from './sink.ts';

export function reportPreview(
  result: PreviewResult & { readonly address: string },
  format: PrettyOrJson,
  isDryRun: boolean,
  sink: Sink,
): void {
  if (format === 'json') {
    printJson({ ...result, outcome: isDryRun ? 'planned' : 'published' }, sink);
    return;
  }
  const colors = createColors(sink.color);
  const { preview, release, bucket, written, bytes: size, expires, seconds, address } = result;
  const what = isDryRun ? colors.yellow('Dry run, nothing was written:') : colors.green('Published');
  const sent = `${countText(written, 'object')} ${isDryRun ? 'to write' : 'written'} (${bytesText(size)})`;
  const time = isDryRun ? '' : `, in ${secondsText(seconds)}`;
  sink.err(
    `${what} ${printable(`preview ${preview} of release ${release} ${isDryRun ? 'for' : 'to'} ${bucket}`)}: ${sent}${time}. It ends on ${expires.slice(0, 10)}.\n`,
  );
  sink.out(`${printable(address)}\n`);
}

export function reportEndedPreview(name: string, format: PrettyOrJson, isDryRun: boolean, sink: Sink): void {
  if (format === 'json') printJson({ preview: name, outcome: isDryRun ? 'planned' : 'ended' }, sink);
  else if (isDryRun) sink.err(`Dry run, nothing was removed: preview ${printable(name)} would end.\n`);
  else sink.err(`Preview ${printable(name)} has ended.\n`);
}
