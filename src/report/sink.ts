/** Output streams of reports. */
import { printableJson } from '../printable.ts';

/** Two streams, and whether they show colours. */
export type Sink = {
  /** Writes results, for programs. */
  readonly out: (text: string) => void;
  /** Writes diagnostics and progress, for people. */
  readonly err: (text: string) => void;
  readonly color: boolean;
};

export function printJson(value: unknown, sink: Sink): void {
  sink.out(`${printableJson(value)}\n`);
}
