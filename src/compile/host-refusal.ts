import type { Configuration } from '../contract/configuration.ts';
import { UsageError } from '../errors/errors.ts';
import { orderCatalogue } from './order.ts';
import { planRelease } from './plan.ts';
import { type CrossFileValues, type FileRecord, type RecordEntry, recordWith } from './read/file-record.ts';
import type { BuildFolders } from './write/documents.ts';

/**
 * Returns undefined if the host accepts the catalogue. Details, summaries and missing images count as 0 bytes, since a
 * check does not make them.
 */
export function hostRefusal(
  configuration: Configuration,
  records: readonly FileRecord[],
  folders: BuildFolders,
): UsageError | undefined {
  const published = records.flatMap((record) =>
    record.crossFileValues
      ? [recordWith(record, { entry: entryOf(record.path, record.crossFileValues) })]
      : [],
  );
  try {
    planRelease(configuration, orderCatalogue(published, undefined), folders, undefined);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

function entryOf(path: string, { id = '', country = '', city = '' }: CrossFileValues): RecordEntry {
  return {
    path,
    id,
    country,
    city,
    ...{ title: '', summary: '', summaryBytes: 0, summaryDigest: '' },
    ...{ detailDigest: '', detailBytes: 0, latitude: 0, longitude: 0, facets: '[[]]' },
  };
}
