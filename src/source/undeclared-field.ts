/** Reports an undeclared field of many files once, instead of once for each file. */
import { CONFIGURATION_FILE } from './content-path.ts';
import { createDiagnostic, type Diagnostic, isError } from './diagnostic.ts';
import { createFindingCounter, type FindingCounts } from './findings.ts';

/** A field that is in more files than this is not a typo. */
const MAX_TYPO_FILES = 20;

type Repeated = { readonly first: Diagnostic; readonly errors: number; readonly warnings: number };

export type SummarizedFindings = {
  readonly summaries: readonly Diagnostic[];
  readonly isReplaced: (found: Diagnostic) => boolean;
  readonly countChange: FindingCounts;
};

/**
 * `all`: every finding, in the order of files. Read only if many findings are about unknown fields.
 * @param areDeclarationsUnreadable if true, no unknown field is reported
 */
export function summarizeUndeclaredFields(
  counts: FindingCounts,
  all: Iterable<Diagnostic>,
  areDeclarationsUnreadable: boolean,
): SummarizedFindings | undefined {
  const { errors, warnings } = counts;
  const most = areDeclarationsUnreadable ? 0 : MAX_TYPO_FILES;
  if ((errors[CODE] ?? 0) + (warnings[CODE] ?? 0) <= most) return undefined;
  const byField = new Map<string, Repeated>();
  for (const found of all) {
    const field = unknownField(found);
    if (field === undefined) continue;
    const same = byField.get(field) ?? { first: found, errors: 0, warnings: 0 };
    const own = isError(found) ? { errors: same.errors + 1 } : { warnings: same.warnings + 1 };
    byField.set(field, { ...same, ...own });
  }
  const counter = createFindingCounter();
  const summaries: Diagnostic[] = [];
  const replaced = new Set<string>();
  for (const [field, repeated] of byField) {
    if (repeated.errors + repeated.warnings <= most) continue;
    const summary = summaryOf(field, repeated);
    if (!areDeclarationsUnreadable) {
      summaries.push(summary);
      counter.add(summary.code, summary.severity, 1);
    }
    replaced.add(field);
    counter.add(CODE, 'error', -repeated.errors);
    counter.add(CODE, 'warning', -repeated.warnings);
  }
  if (replaced.size === 0) return undefined;
  return {
    summaries,
    isReplaced(found) {
      const field = unknownField(found);
      return field !== undefined && replaced.has(field);
    },
    countChange: counter.counts,
  };
}

const CODE = 'unknown-key';

function unknownField({ code, fieldPath }: Diagnostic): string | undefined {
  return code === CODE && fieldPath?.length === 1 ? String(fieldPath[0]) : undefined;
}

function summaryOf(key: string, { first, errors, warnings }: Repeated): Diagnostic {
  const fix =
    first.suggestion === undefined ? '' : ' "catalogue check --fix" renames it where that is certain.';
  const args = { count: errors + warnings, key, first: first.file, advice: `${first.help}${fix}` };
  const severity = errors > 0 ? 'error' : 'warning';
  return { ...createDiagnostic('undeclared-field', CONFIGURATION_FILE, null, args), severity };
}
