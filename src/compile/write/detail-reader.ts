/** Reads changed details from this build's temporary files (spools), and all others from the last build's parts. */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partKey } from '../../contract/document-keys.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import { idAt, type SequenceColumns } from '../../release/sequence-columns.ts';
import { findDetail, findDetailPart, type ParsedPart, parsePart } from '../../tree/format/detail-part.ts';
import type { DetailPart } from '../../tree/format/root.ts';
import type { RecordEntry } from '../read/file-record.ts';
import { readRange, spoolPath } from '../read/spool.ts';
import { DamagedStateError, damagedStateIfMissing } from '../state/damage.ts';

/** By index in the sequence. `spool`: number of the spool, or -1 for an unchanged detail. */
export type SpoolLocations = {
  readonly spool: Int32Array;
  readonly offset: Float64Array;
  readonly length: Int32Array;
};

export function spoolLocationsOf(sequence: readonly Pick<RecordEntry, 'spooled'>[]): SpoolLocations {
  const spool = new Int32Array(sequence.length).fill(-1);
  const offset = new Float64Array(sequence.length);
  const length = new Int32Array(sequence.length);
  sequence.forEach(({ spooled }, index) => {
    if (!spooled) return;
    spool[index] = spooled.spool;
    offset[index] = spooled.offset;
    length[index] = spooled.length;
  });
  return { spool, offset, length };
}

export type DetailReader = ReturnType<typeof createDetailReader>;

/** `columns`, `summaries` and `spooled` have values by index in the sequence. */
export type DetailSource = {
  readonly publicFolder: string;
  readonly staging: string;
  readonly columns: Pick<SequenceColumns, 'ids'>;
  /** Undefined if only details are read. Pages and downloads also need summaries. */
  readonly summaries: JoinedSummaries | undefined;
  readonly spooled: SpoolLocations;
  readonly lastParts: readonly DetailPart[];
};

/** Keeps in memory only the part that it read last. */
function createPartReader(publicFolder: string, parts: readonly DetailPart[]): (id: string) => Buffer {
  let held: { readonly digest: string; readonly details: ParsedPart } | undefined;
  return (id) => {
    const digest = findDetailPart(parts, id)?.digest ?? '';
    if (held?.digest !== digest) {
      const details = parsePart(
        damagedStateIfMissing(() => readFileSync(join(publicFolder, partKey(digest)))),
      );
      if (!details) throw new DamagedStateError(`The part ${digest} is damaged.`);
      held = { digest, details };
    }
    const detail = findDetail(held.details, id);
    if (!detail) throw new DamagedStateError(`No part has the detail of ${id}.`);
    return Buffer.from(detail.buffer);
  };
}

export function createDetailReader(source: DetailSource) {
  const { columns, summaries, spooled } = source;
  const inParts = createPartReader(source.publicFolder, source.lastParts);
  const spools = new Map<number, number>();
  const spoolOf = (number: number) => {
    const file = spools.get(number) ?? openSync(spoolPath(source.staging, number), 'r');
    spools.set(number, file);
    return file;
  };
  const id = (index: number) => idAt(columns, index);
  return {
    id,
    summary: (index: number) =>
      summaries!.bytes.subarray(summaries!.offsets[index], summaries!.offsets[index + 1]! - 1),
    detail(index: number): Buffer {
      const spool = spooled.spool[index]!;
      if (spool >= 0) return readRange(spoolOf(spool), spooled.offset[index]!, spooled.length[index]!);
      return inParts(id(index));
    },
    close(): void {
      for (const file of spools.values()) closeSync(file);
    },
  };
}
