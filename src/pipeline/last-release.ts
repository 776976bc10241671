/** What the last build published, as its state tells. */
import type { Lines, State } from '../emit/state.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { RememberedFiles } from './catalogue-files.ts';
import type { RememberedEdge } from './edge-stage.ts';
import type { FileRecord } from './read-stage.ts';

/** What a state remembers besides its stamps, diagnostics and records. */
export type Remembered = RememberedFiles & {
  /** Indices of the records that are published, in the order of the sequence. */
  readonly sequence: readonly number[];
  readonly media: readonly string[];
  readonly edge: RememberedEdge;
};

/** What the last build published. */
export type LastRelease = Remembered & {
  readonly stamps: string;
  /** Records in the order of the sequence. */
  readonly published: readonly FileRecord[];
  readonly diagnostics: readonly Diagnostic[];
  /** All records, in the order of their paths, and their lines in the state. */
  readonly records: readonly FileRecord[];
  readonly lines: Lines;
};

/** Reads what the last build published; undefined when there is nothing that can be relied upon. */
export function readLastRelease(state: State<Remembered, FileRecord> | undefined): LastRelease | undefined {
  const sections = state?.read();
  if (!state || !sections) return undefined;
  const { stamps } = state;
  const { rest, ...others } = sections;
  return { ...rest, ...others, stamps, published: rest.sequence.map((index) => others.records[index]!) };
}
