import type { PruneResult } from '../publish/prune.ts';
import { countText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { noteTo, type PrettyOrJson, printJson, type Sink, truncatedListTexts } from './sink.ts';

export function reportPrune(result: PruneResult, format: PrettyOrJson, isDryRun: boolean, sink: Sink): void {
  if (format === 'json') {
    printJson({ ...result, outcome: isDryRun ? 'planned' : 'pruned' }, sink);
    return;
  }
  const colors = createColors(sink.color);
  const { pruned, forgotten, media, tree, assets, parts, previews, busy, strange, bucket } = result;
  const counts = [
    [pruned.length, 'earlier release'],
    [previews.length, 'preview'],
    [tree, 'tree file'],
    [parts, 'download part'],
    [assets, 'explorer file'],
  ] as const;
  const removed = [
    ...counts.flatMap(([count, noun]) => (count > 0 ? [countText(count, noun)] : [])),
    ...(media > 0 ? [countText(media, 'image')] : []),
    ...(forgotten.length > 0 ? [`the record of ${countText(forgotten.length, 'release')}`] : []),
  ];
  const what = isDryRun ? colors.yellow('Dry run, nothing was removed:') : colors.green('Pruned');
  sink.err(`${what} ${printable(bucket)}: ${removed.join(', ') || 'nothing to remove'}.\n`);
  if (busy.length > 0) {
    const names = truncatedListTexts(busy, 3, (name) => name, '').join(', ');
    const text = `Somebody is publishing to ${countText(busy.length, 'preview')}, so ${busy.length === 1 ? 'it was' : 'they were'} not removed: ${names}. Prune again when that has ended; a publish that was killed counts as ended after two minutes.`;
    noteTo(sink)(text);
  }
  if (strange.length > 0) {
    const about = `${countText(strange.length, 'object')} of previews ${strange.length === 1 ? 'is' : 'are'} not as a publish writes them, and nothing else was removed for them`;
    noteTo(sink)(`${about}: ${truncatedListTexts(strange, 3, (key) => key, '').join(', ')}.`);
  }
  for (const name of [...pruned, ...previews]) sink.out(`- ${printable(name)}\n`);
  if (!('keepsVersions' in result) || result.keepsVersions === false) return;
  const lead = result.keepsVersions
    ? `${bucket} keeps earlier versions`
    : `If ${bucket} keeps earlier versions`;
  const link = result.keepsVersions ? ': they' : ', they';
  const text = `${lead}${link} still hold what was removed. Remove them too: a lifecycle rule that expires noncurrent versions does so.`;
  noteTo(sink)(text);
}
