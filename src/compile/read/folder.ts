import { withThreads } from '../threads/pool.ts';
import { type ReadRecordsOptions, readRecords } from './catalogue.ts';
import type { FileRecord } from './file-record.ts';

export type ReadFolderOptions = Pick<ReadRecordsOptions, 'content' | 'configuration' | 'files' | 'shard'> &
  Partial<Pick<ReadRecordsOptions, 'reusable' | 'standIns' | 'staging' | 'listener' | 'onTexts'>> & {
    /** Number of threads. @default as many as the work justifies, at most one per core */
    readonly jobs?: number | undefined;
  };

/** Does not read the state of the last build. Returns the records in the order of `files`. */
export function readFolder({ jobs, ...options }: ReadFolderOptions): Promise<FileRecord[]> {
  const defaults = { staging: undefined, listener: () => {} };
  return withThreads(jobs, (threads) => readRecords({ ...defaults, ...options, threads }));
}
