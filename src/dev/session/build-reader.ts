import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputFolder } from '../../compile/output-folder.ts';
import type { FileRecord } from '../../compile/read/file-record.ts';
import type { StoredRelease } from '../../compile/state/last-release.ts';
import { readState, type StateSummary } from '../../compile/state/state-file.ts';
import { createFileIndex, type FileIndex } from './file-index.ts';

export type BuildReader = {
  /** Undefined before the first build. The object stays the same until the next build. */
  readonly shown: () => Pick<StateSummary, 'configuration' | 'release'> | undefined;
  readonly index: () => FileIndex | undefined;
  readonly fileRecord: (path: string) => FileRecord | undefined;
  readonly drafts: () => readonly string[];
  /** Runs `act` on the output of a single build: waits while a build writes, and repeats if one wrote meanwhile. */
  readonly readConsistently: <Result>(act: () => Promise<Result>) => Promise<Result>;
};

/** Milliseconds between two checks of whether a build is still writing. */
const POLL = 5;

/**
 * A sequence lock: reads of one build do not wait for each other. A read is repeated if a build wrote meanwhile.
 * @param writes returns a counter that is odd while a build writes
 */
export function createBuildReader(content: string, folder: OutputFolder, writes: () => number): BuildReader {
  /** What was read when the counter was `at`. */
  type Snapshot = { readonly at: number; readonly summary: StateSummary };
  let last: Snapshot | undefined;
  let indexed: { readonly of: Snapshot; readonly index: FileIndex } | undefined;
  /** Reads in progress, each with the value of the counter when it started. */
  const reads = new Map<Promise<unknown>, number>();

  function current(): Snapshot | undefined {
    const at = writes();
    if (at % 2 === 1 || last?.at === at) return last;
    const state = readState<StoredRelease>(folder.state);
    if (state && at === writes()) last = { at, summary: state.summary };
    return last;
  }

  function index(): FileIndex | undefined {
    const now = current();
    if (!now || indexed?.of === now || now.at !== writes()) return indexed?.index;
    const state = readState<StoredRelease>(folder.state);
    const next = state && createFileIndex(content, state, indexed?.index);
    if (next && now.at === writes()) indexed = { of: now, index: next };
    return indexed?.index;
  }

  return {
    shown: () => current()?.summary,
    index,
    fileRecord(path) {
      const piece = index()?.files.get(path)?.piece;
      const records = piece && readState<StoredRelease>(folder.state)?.piece(piece);
      return records ? records.find((record) => record.path === path) : undefined;
    },
    drafts: () =>
      [...(index()?.files.values() ?? [])].flatMap(({ visibility, isSound, id }) =>
        visibility?.draft && isSound && id !== undefined ? [id] : [],
      ),
    async readConsistently(act) {
      for (;;) {
        while (writes() % 2 === 1) await sleep(POLL);
        const before = writes();
        // Waits for reads that began before the latest build, since all reads share cached results.
        await Promise.allSettled([...reads].flatMap(([read, at]) => (at === before ? [] : [read])));
        if (writes() !== before) continue;
        const read = act();
        reads.set(read, before);
        try {
          const result = await read;
          if (writes() === before) return result;
        } catch (error) {
          // If a build wrote meanwhile, that may have caused the error, so `act` runs again.
          if (writes() === before) throw error;
        } finally {
          reads.delete(read);
        }
      }
    },
  };
}
