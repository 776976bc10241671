import { setTimeout as sleep } from 'node:timers/promises';
import type { OutputFolder } from '../compile/output-folder.ts';
import type { FileRecord } from '../compile/read/record.ts';
import type { StoredRelease } from '../compile/state/last-release.ts';
import { readState, type StateSummary } from '../compile/state/state-file.ts';
import { createFileIndex, type FileIndex } from './file-index.ts';

export type BuildReader = {
  /** Undefined before the first build. The object stays the same until the next build. */
  readonly shown: () => Pick<StateSummary, 'configuration' | 'release'> | undefined;
  readonly index: () => FileIndex | undefined;
  readonly record: (path: string) => FileRecord | undefined;
  readonly drafts: () => readonly string[];
  /** Runs `act` on the output of a single build: waits while a build writes, and repeats if one wrote meanwhile. */
  readonly read: <Result>(act: () => Promise<Result>) => Promise<Result>;
};

/** Milliseconds between two checks of whether a build is still writing. */
const POLL = 5;

/** @param writes a counter that is odd while a build writes */
export function createBuildReader(content: string, folder: OutputFolder, writes: () => number): BuildReader {
  type Known = { readonly at: number; readonly summary: StateSummary };
  let known: Known | undefined;
  /** Reads in progress, each with the value of the counter when it started. */
  const acts = new Map<Promise<unknown>, number>();
  let indexed: { readonly of: Known; readonly index: FileIndex } | undefined;
  const isOld = () => writes() % 2 === 0 && known?.at !== writes();

  function current(): Known | undefined {
    const at = writes();
    if (!isOld()) return known;
    const state = readState<StoredRelease>(folder.state);
    if (state && at === writes()) known = { at, summary: state.summary };
    return known;
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
    record(path) {
      const piece = index()?.files.get(path)?.piece;
      const records = piece && readState<StoredRelease>(folder.state)?.piece(piece);
      return records ? records.find((record) => record.path === path) : undefined;
    },
    drafts: () =>
      [...(index()?.files.values() ?? [])].flatMap(({ visibility, isSound, id }) =>
        visibility?.draft && isSound && id !== undefined ? [id] : [],
      ),
    async read(act) {
      for (;;) {
        while (writes() % 2 === 1) await sleep(POLL);
        const before = writes();
        // Waits for reads that began before this build, since all reads share cached results.
        await Promise.allSettled([...acts].flatMap(([work, at]) => (at === before ? [] : [work])));
        if (writes() !== before) continue;
        const work = act();
        acts.set(work, before);
        const result = await work.finally(() => acts.delete(work));
        if (writes() === before) return result;
      }
    },
  };
}
