import { CONFIGURATION_FILE } from './content-path.ts';
import { compareDiagnostics, type Diagnostic, isError } from './diagnostic.ts';

export type CodeCounts = Readonly<Record<string, number>>;

export type FindingCounts = { readonly errors: CodeCounts; readonly warnings: CodeCounts };

/** Maximum number of findings in a report for people. */
export const MAX_SHOWN_FINDINGS = 100;

export type Findings = Iterable<Diagnostic> &
  FindingCounts & { readonly first?: readonly Diagnostic[] | undefined };

/** Not in `configuration-file.ts`, since a build without changes must not load the schema of the configuration. */
export function isBrokenConfiguration({ code, file }: Diagnostic): boolean {
  return file === CONFIGURATION_FILE && code === 'yaml-syntax';
}

export function findingsOf(diagnostics: readonly Diagnostic[]): Findings {
  const counter = createFindingCounter();
  for (const { code, severity } of diagnostics) counter.add(code, severity, 1);
  return { ...counter.counts, [Symbol.iterator]: () => diagnostics[Symbol.iterator]() };
}

export function createFindingCounter(): {
  readonly counts: FindingCounts;
  readonly add: (code: string, severity: Diagnostic['severity'], count: number) => void;
} {
  const counts = { error: {} as Record<string, number>, warning: {} as Record<string, number> };
  return {
    counts: { errors: counts.error, warnings: counts.warning },
    add(code, severity, count) {
      const own = counts[severity];
      own[code] = (own[code] ?? 0) + count;
      if (own[code] === 0) delete own[code];
    },
  };
}

export function totalCount(counts: CodeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function hasErrors({ errors }: Pick<FindingCounts, 'errors'>): boolean {
  return Object.keys(errors).length > 0;
}

/** At most {@link MAX_SHOWN_FINDINGS}: warnings only if there is room after the errors. Sorted as in reports. */
export function firstFindings(findings: Findings): readonly Diagnostic[] {
  if (findings.first) return findings.first;
  const most = Math.min(MAX_SHOWN_FINDINGS, totalCount(findings.errors) + totalCount(findings.warnings));
  const needed = Math.min(most, totalCount(findings.errors));
  const [errors, warnings]: Diagnostic[][] = [[], []];
  for (const found of findings) {
    if (!isError(found)) {
      if (warnings!.length + needed < most) warnings!.push(found);
    } else if (errors!.length < needed) errors!.push(found);
    if (errors!.length === needed && warnings!.length + needed >= most) break;
  }
  return [...errors!, ...warnings!].sort(compareDiagnostics);
}

export function hasFaultySettings(findings: Findings): boolean {
  if (!hasErrors(findings)) return false;
  for (const found of findings) if (isError(found) && found.file === CONFIGURATION_FILE) return true;
  return false;
}
