/** Reads a content folder as it is, whatever the last build left. */
import { withThreads } from '../threads/pool.ts';
import { type ReadOptions, readRecords } from './catalogue.ts';
import type { FileRecord } from './files.ts';

/** What to read; nothing is known, kept or reported unless it is given. */
export type ReadFolderOptions = Pick<ReadOptions, 'content' | 'configuration' | 'files' | 'shard'> &
  Partial<Pick<ReadOptions, 'known' | 'staging' | 'listener'>> & {
    /** Threads. @default what the work is worth, the cores of the machine at most */
    readonly jobs?: number | undefined;
  };

/** The records of all files, in the order of their paths. */
export function readFolder({ jobs, ...options }: ReadFolderOptions): Promise<FileRecord[]> {
  const defaults = { staging: undefined, listener: () => {} };
  return withThreads(jobs, (threads) => readRecords({ ...defaults, ...options, threads }));
}
