/** Reads a content folder without the state of the last build. */
import { withThreads } from '../threads/pool.ts';
import { type ReadOptions, readRecords } from './catalogue.ts';
import type { FileRecord } from './record.ts';

export type ReadFolderOptions = Pick<ReadOptions, 'content' | 'configuration' | 'files' | 'shard'> &
  Partial<Pick<ReadOptions, 'known' | 'standIns' | 'staging' | 'listener' | 'onTexts'>> & {
    /** Number of threads. @default as many as the work is worth, at most one per core */
    readonly jobs?: number | undefined;
  };

/** Reads all files. The records are sorted by path. */
export function readFolder({ jobs, ...options }: ReadFolderOptions): Promise<FileRecord[]> {
  const defaults = { staging: undefined, listener: () => {} };
  return withThreads(jobs, (threads) => readRecords({ ...defaults, ...options, threads }));
}
