/** A field that many files have and nothing declares: one finding in place of one for each file. */
import { CONFIGURATION_FILE } from './content-path.ts';
import { type Diagnostic, diagnose, isError } from './diagnostic.ts';

/** Number of files from which a field is not a slip of one file. */
const MANY = 20;

/** Replaces the findings about an unknown field of a property, where more than {@link MANY} files have it, by one. */
export function withoutRepeatedFields(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byField = new Map<string, Diagnostic[]>();
  for (const found of diagnostics) {
    if (found.code !== 'unknown-key' || found.fieldPath?.length !== 1) continue;
    const field = String(found.fieldPath[0]);
    const same = byField.get(field);
    if (same) same.push(found);
    else byField.set(field, [found]);
  }
  const repeated = [...byField].filter(([, found]) => found.length > MANY);
  if (repeated.length === 0) return diagnostics;
  const replaced = new Set(repeated.flatMap(([, found]) => found));
  return [
    ...repeated.map(([field, found]) => summaryOf(field, found)),
    ...diagnostics.filter((one) => !replaced.has(one)),
  ];
}

function summaryOf(key: string, found: readonly Diagnostic[]): Diagnostic {
  const first = found.toSorted((a, b) => (a.file < b.file ? -1 : 1))[0]!;
  const fix =
    first.suggestion === undefined ? '' : ' "catalogue check --fix" renames it where that is certain.';
  const args = { count: found.length, key, first: first.file, advice: `${first.help}${fix}` };
  const severity = found.some(isError) ? 'error' : 'warning';
  return { ...diagnose('undeclared-field', CONFIGURATION_FILE, null, args), severity };
}
