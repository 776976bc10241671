import type { DescribedRelease } from '../publish/list-releases.ts';
import { countText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { type PrettyOrJson, printJson, type Sink } from './sink.ts';

export function reportReleases(
  bucket: string,
  releases: readonly DescribedRelease[],
  format: PrettyOrJson,
  sink: Sink,
): void {
  if (format === 'json') {
    printJson({ bucket, releases }, sink);
    return;
  }
  if (releases.length === 0) sink.err(`${printable(bucket)} keeps no release.\n`);
  for (const { name, published, isLive, isRestorable, isUnfinished, commit, properties } of releases) {
    const others = isUnfinished ? 'failed' : 'pruned';
    const state = isLive ? 'live' : isRestorable ? 'kept' : others;
    const columns = [
      name,
      state.padEnd(6),
      `${published.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      commit === null ? 'no commit' : `commit ${commit.slice(0, 12)}`,
      ...(properties === undefined ? [] : [countText(properties, 'property')]),
      // Without its root, a release has no number of properties. Only pruning removes a root on purpose.
      ...(properties === undefined && state !== 'pruned' ? ['damaged'] : []),
    ];
    sink.out(`${printable(columns.join('  '))}\n`);
  }
}
