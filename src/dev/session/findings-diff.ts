import { type Diagnostic, diagnosticKey } from '../../source/diagnostic.ts';

export type FindingsDiff = {
  readonly added: readonly Diagnostic[];
  readonly fixed: readonly Diagnostic[];
};

export function createFindingsDiff(): (diagnostics: readonly Diagnostic[]) => FindingsDiff {
  let before: readonly Diagnostic[] = [];
  return (now) => {
    const diff = { added: addedFindings(now, before), fixed: addedFindings(before, now) };
    before = now;
    return diff;
  };
}

/**
 * A finding that only moved to another line is not new. If a finding is in `now` more often than in `before`, the last
 * ones are new.
 */
export function addedFindings(now: readonly Diagnostic[], before: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map<string, number>();
  for (const key of before.map(diagnosticKey)) known.set(key, (known.get(key) ?? 0) + 1);
  return now.filter((diagnostic) => {
    const key = diagnosticKey(diagnostic);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}
