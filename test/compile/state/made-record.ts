/** Records for tests of the state. */
import { type FileRecord, type RecordEntry, recordWith } from '../../../src/compile/read/file-record.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { uuidFromDigits } from '../../../src/release/uuid-v5.ts';
import { entry } from '../../release/made-up-sequence.ts';

/** An entry as a build makes it: its id is a UUID. */
export function madeEntry(name: string, city: string, title: string): RecordEntry {
  const made = entry(uuidFromDigits(digestOf(name)), 'IE', city, title, digestOf(title));
  return {
    ...made,
    path: '',
    summaryDigest: digestOf(made.summary),
    latitude: 53.27,
    longitude: -0.1,
    facets: '[[0,"böat"],3]',
  };
}

/** Reads every value of a record. */
export function plainRecord(record: FileRecord): FileRecord {
  return recordWith(record, { entry: record.entry && plainEntry(record.entry) });
}

function plainEntry({
  id,
  country,
  city,
  title,
  summary,
  summaryBytes,
  summaryDigest,
  detailDigest,
  detailBytes,
  latitude,
  longitude,
  facets,
  spooled,
}: RecordEntry): RecordEntry {
  const digests = { summaryDigest, detailDigest };
  const sizes = { summaryBytes, detailBytes };
  const place = { latitude, longitude };
  return { path: '', id, country, city, title, summary, ...digests, ...sizes, ...place, facets, spooled };
}
