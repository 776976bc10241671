/** What is new and what is mended from one round of findings to the next, for a session that goes on. */
import type { Diagnostic } from '../source/diagnostic.ts';

/** The difference of two rounds. */
export type Round = {
  /** Findings that the last round had not. */
  readonly fresh: readonly Diagnostic[];
  /** Findings of the last round that are gone. */
  readonly mended: readonly Diagnostic[];
};

/** Makes the function that takes a round of findings, and returns its difference from the one before. */
export function createRounds(): (diagnostics: readonly Diagnostic[]) => Round {
  let before: ReadonlyMap<string, readonly Diagnostic[]> = new Map();
  return (diagnostics) => {
    const now = new Map<string, Diagnostic[]>();
    for (const diagnostic of diagnostics) {
      const key = keyOf(diagnostic);
      now.set(key, [...(now.get(key) ?? []), diagnostic]);
    }
    const fresh = without(now, before);
    const mended = without(before, now);
    before = now;
    return { fresh, mended };
  };
}

/** What a finding is of, wherever lines above it moved it to. */
function keyOf({ file, code, message, span }: Diagnostic): string {
  return JSON.stringify([file, code, message, span?.text]);
}

/** The findings of a round that another has not, or has not as often. */
function without(
  round: ReadonlyMap<string, readonly Diagnostic[]>,
  other: ReadonlyMap<string, readonly Diagnostic[]>,
): Diagnostic[] {
  return [...round].flatMap(([key, list]) => list.slice(other.get(key)?.length ?? 0));
}
