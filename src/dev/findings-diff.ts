import type { Diagnostic } from '../source/diagnostic.ts';

export type FindingsDiff = {
  readonly added: readonly Diagnostic[];
  readonly fixed: readonly Diagnostic[];
};

export function createFindingsDiff(): (diagnostics: readonly Diagnostic[]) => FindingsDiff {
  let before: ReadonlyMap<string, readonly Diagnostic[]> = new Map();
  return (diagnostics) => {
    const now = new Map<string, Diagnostic[]>();
    for (const diagnostic of diagnostics) {
      const key = keyOf(diagnostic);
      now.set(key, [...(now.get(key) ?? []), diagnostic]);
    }
    const added = without(now, before);
    const fixed = without(before, now);
    before = now;
    return { added, fixed };
  };
}

/** Leaves out the line number, which changes when lines above are edited. */
function keyOf({ file, code, message, span }: Diagnostic): string {
  return JSON.stringify([file, code, message, span?.text]);
}

function without(
  round: ReadonlyMap<string, readonly Diagnostic[]>,
  other: ReadonlyMap<string, readonly Diagnostic[]>,
): Diagnostic[] {
  return [...round].flatMap(([key, list]) => list.slice(other.get(key)?.length ?? 0));
}
