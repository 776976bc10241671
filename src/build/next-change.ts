/** When what is published changes next although no file does: a property's time comes, or is over. */
import { resolve } from 'node:path';
import { hiddenBecause } from '../contract/visibility.ts';
import { type AsOf, readAsOf } from './inputs/as-of.ts';
import { readConfiguration } from './inputs/configuration.ts';
import { scan } from './inputs/scan.ts';
import { crossDiagnostics, withoutErrors } from './read/catalogue.ts';
import type { FileRecord } from './read/files.ts';
import { readFolder } from './read/folder.ts';

/** What to look at. */
export type NextChangeOptions = {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The instant after which the change is looked for. @default the time of the commit; outside git, now */
  readonly asOf?: Date | undefined;
  /** Threads. @default what the work is worth, the cores of the machine at most */
  readonly jobs?: number | undefined;
};

/** The next change. */
export type NextChange = {
  readonly asOf: AsOf;
  /** Milliseconds since 1970; null when no date will change anything. */
  readonly next: number | null;
  /** What changes then, in the order of the paths. */
  readonly changes: readonly DatedChange[];
};

/** A property that comes or goes. Its path is relative to the content folder. */
type DatedChange = { readonly file: string; readonly change: 'shown' | 'hidden' };

/**
 * Finds the next change. A property with errors counts as absent.
 *
 * @throws UsageError when there is no such folder.
 */
export async function findNextChange(options: NextChangeOptions = {}): Promise<NextChange> {
  const content = resolve(options.content ?? 'content');
  const asked = readAsOf(content, options.asOf);
  const { usable: configuration } = readConfiguration(content);
  const { files } = scan(content, configuration);
  const records = await readFolder({ content, configuration, files, jobs: options.jobs });
  const found = [...crossDiagnostics(content, records), ...records.flatMap(({ diagnostics }) => diagnostics)];
  const asOf = await asked;
  return { asOf, ...nextAfter(withoutErrors(records, found), asOf.instant) };
}

function nextAfter(
  records: readonly Pick<FileRecord, 'path' | 'visibility'>[],
  instant: number,
): Omit<NextChange, 'asOf'> {
  const dated = records.filter(({ visibility }) => visibility && !visibility.draft);
  let next: number | null = null;
  for (const { visibility } of dated) {
    for (const time of [visibility?.from, visibility?.until])
      if (time !== undefined && time > instant) next = Math.min(next ?? time, time);
  }
  if (next === null) return { next, changes: [] };
  const at = next;
  const changes = dated.flatMap(({ path, visibility }): DatedChange[] => {
    const [before, then] = [instant, at].map((time) => hiddenBecause(visibility, time) === undefined);
    return before === then ? [] : [{ file: path, change: then ? 'shown' : 'hidden' }];
  });
  return { next, changes };
}
