import type { PublishEvent, PublishListener, PublishStage } from '../publish/progress.ts';
import type { PublishResult } from '../publish/publish.ts';
import { COUNTED_KINDS } from '../publish/traffic-count.ts';
import { bytesText, countText, secondsText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { createLiveLine } from './live-line.ts';
import { moreText, noteTo, type PrettyOrJson, printJson, type Sink } from './sink.ts';

/** Maximum number of keys that a dry run prints; `--format json` lists all. */
const MAX_SHOWN = 200;

const STAGES: Readonly<Record<PublishStage, string>> = {
  compare: 'Comparing',
  check: 'Checking files',
  write: 'Writing objects',
  remove: 'Removing objects',
  purge: 'Invalidating caches',
};

type Operation = { readonly operation: 'add' | 'change' | 'remove'; readonly key: string };

export type RecordedEvents = {
  readonly notes: string[];
  /** The first operations, in order: as many as the report needs. */
  readonly operations: Operation[];
  /** Number of all operations, including those that were not kept. */
  count: number;
};

export type PublishReportOptions = {
  readonly format: PrettyOrJson;
  readonly isDryRun: boolean;
  /** `Published` or `Restored`. */
  readonly verb: string;
};

export async function withPublishReport(
  options: PublishReportOptions,
  sink: Sink & { readonly live: boolean },
  run: (listener: PublishListener) => Promise<PublishResult>,
): Promise<void> {
  const { format, isDryRun } = options;
  const keeps = isDryRun ? (format === 'json' ? Number.POSITIVE_INFINITY : MAX_SHOWN) : 0;
  const line = createLiveLine(sink.err, sink.live && format === 'pretty');
  const recorded: RecordedEvents = { notes: [], operations: [], count: 0 };
  const remember = (operation: Operation) => {
    recorded.count++;
    if (recorded.operations.length < keeps) recorded.operations.push(operation);
  };
  const listener = (event: PublishEvent) => {
    if (event.kind === 'note' && format === 'pretty') {
      // Printed at once, since the note may say what the publish waits for.
      line.clear();
      noteTo(sink)(event.text);
    } else if (event.kind === 'note') recorded.notes.push(event.text);
    else if (event.kind === 'stage') line.draw(STAGES[event.stage]);
    else if (event.kind === 'write') remember({ operation: event.isNew ? 'add' : 'change', key: event.key });
    else if (event.kind === 'remove') remember({ operation: 'remove', key: event.key });
    else line.count(`${STAGES.write}  ${event.done} of ${event.total}`);
  };
  const result = await run(listener).finally(line.clear);
  reportPublish(result, recorded, options, sink);
}

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

export function reportPublish(
  result: PublishResult,
  { notes, operations, count }: RecordedEvents,
  { format, isDryRun, verb }: PublishReportOptions,
  sink: Sink,
): void {
  if (format === 'json') {
    const outcome = isDryRun && result.outcome === 'published' ? 'planned' : result.outcome;
    const value = { ...result, outcome, notes, ...(isDryRun ? { operations } : {}) };
    printJson(value, sink);
    return;
  }
  const colors = createColors(sink.color);
  for (const note of notes) noteTo(sink)(note);
  const purged = () => {
    for (const [cache, paths] of Object.entries(result.invalidated))
      sink.err(`${printable(cache)}: ${countText(paths.length, 'path')} purged or updated.\n`);
  };
  if (result.outcome === 'unchanged') {
    sink.err(
      `${colors.green('Nothing to publish:')} ${printable(`${result.bucket} holds release ${result.release}`)}.\n`,
    );
    purged();
    return;
  }
  for (const { operation, key } of operations) sink.out(`${SIGNS[operation]} ${printable(key)}\n`);
  const hidden = count - operations.length;
  if (isDryRun && hidden > 0) sink.out(`${moreText(hidden)}\n`);
  const what = isDryRun ? colors.yellow('Dry run, nothing was written:') : colors.green(verb);
  const place = isDryRun ? 'for' : 'to';
  sink.err(
    `${what} ${printable(`release ${result.release} ${place} ${result.bucket}`)}: ${summaryOf(result, isDryRun)}.\n`,
  );
  purged();
}

const NOUNS: { readonly [Name in (typeof COUNTED_KINDS)[number]]?: string } = {
  details: 'detail',
  pages: 'page',
  totals: 'total',
  tree: 'tree file',
  problems: 'problem',
  documents: 'document',
};

function summaryOf(
  { written, removed, retired, unchanged, bytes: size, seconds }: PublishResult,
  isDryRun: boolean,
): string {
  const kinds = COUNTED_KINDS.filter((name) => written[name] > 0).map((name) => {
    const noun = NOUNS[name];
    return noun ? countText(written[name], noun) : `${written[name]} ${name}`;
  });
  const total = COUNTED_KINDS.reduce((sum, name) => sum + written[name], 0);
  const parts = [
    `${countText(total, 'object')} ${isDryRun ? 'to write' : 'written'}${total > 0 ? ` (${kinds.join(', ')}; ${bytesText(size)})` : ''}`,
    `${removed} ${isDryRun ? 'to remove' : 'removed'}`,
    `${unchanged} unchanged`,
    // Retired details are kept because cached lists may still name them.
    ...(retired > 0 ? [`${countText(retired, 'detail')} kept until a later publish`] : []),
  ];
  return isDryRun ? parts.join(', ') : `${parts.join(', ')}, in ${secondsText(seconds)}`;
}
