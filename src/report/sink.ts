/** Where a report goes. */
import { printableJson } from '../printable.ts';

/** Two streams, and what they can show. */
export type Sink = {
  /** Results: what a program reads. */
  readonly out: (text: string) => void;
  /** Diagnostics and progress: what a person reads. */
  readonly err: (text: string) => void;
  readonly color: boolean;
};

/** Prints a result as JSON. */
export function printJson(value: unknown, sink: Sink): void {
  sink.out(`${printableJson(value)}\n`);
}
