/** Converts diagnostics to the editor's findings, with automatic corrections. */
import type { Vocabulary } from '../../contract/vocabulary.ts';
import { repairText } from '../../editing/repair.ts';
import type { Authored, Finding, ValuePath } from '../../editor/api.ts';
import { visible } from '../../printable.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { coordinatesDoubt } from '../../source/warnings.ts';
import { cut } from '../../words.ts';

/** The file from which corrections are computed. */
type Source = {
  readonly text: string;
  readonly values: { readonly [field: string]: Authored };
  readonly vocabulary: Vocabulary;
};

/** Returns findings, errors first, then in the order of the file. */
export function findingsOf(diagnostics: readonly Diagnostic[], source: Source): Finding[] {
  const repairs = diagnostics.length > 0 ? (repairText(source.text, source.vocabulary)?.repairs ?? []) : [];
  const ranked = [...diagnostics].sort((a, b) =>
    a.severity < b.severity ? -1 : a.severity > b.severity ? 1 : 0,
  );
  return ranked.map((diagnostic) => {
    const { code, severity, message, help, span, fieldPath: field = null } = diagnostic;
    const repair = field && repairs.find(({ path }) => isSamePath(path, field));
    const fix = repair ? setting(field, repair.to) : fixOf(diagnostic, source);
    return {
      code,
      severity,
      message: visible(message),
      help: visible(help),
      field,
      line: span?.line ?? null,
      fix,
    };
  });
}

function isSamePath(one: ValuePath, other: ValuePath): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index]);
}

/** Returns a diagnostic's correction; null without one. */
function fixOf({ code, fieldPath: path, suggestion }: Diagnostic, { values }: Source): Finding['fix'] {
  if (!path) return null;
  if (code === 'doubtful-coordinates') return otherPlace(values);
  if (code === 'null-text') return { label: 'Remove it', changes: [{ path, value: null }] };
  if (suggestion === undefined) return null;
  if (code === 'unknown-key') return renaming(path, suggestion, values);
  return setting(path, suggestion);
}

function setting(path: ValuePath, value: string): Finding['fix'] {
  return { label: `Write "${cut(value, 60)}"`, changes: [{ path, value }] };
}

/** Renames a field, keeping its value. */
function renaming(path: ValuePath, to: string, values: Source['values']): Finding['fix'] {
  let value: unknown = values;
  for (const step of path) value = (value as Record<string | number, unknown> | null | undefined)?.[step];
  const changes = [
    { path: [...path.slice(0, -1), to], value: (value ?? '') as Authored },
    { path, value: null },
  ];
  return { label: `Rename it to "${to}"`, changes };
}

/** Corrects coordinates that are swapped or have a wrong sign. */
function otherPlace(values: Source['values']): Finding['fix'] {
  const { country, latitude, longitude } = values;
  if (typeof country !== 'string' || typeof latitude !== 'string' || typeof longitude !== 'string')
    return null;
  const { meantLatitude, meantLongitude } = coordinatesDoubt(country, { latitude, longitude }) ?? {};
  if (meantLatitude === undefined || meantLongitude === undefined) return null;
  const changes = [
    { path: ['latitude'], value: String(meantLatitude) },
    { path: ['longitude'], value: String(meantLongitude) },
  ];
  return { label: `Write ${meantLatitude}, ${meantLongitude}`, changes };
}
