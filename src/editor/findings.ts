/** Assigns findings to the fields of the form. */
import { plural } from '../text/words.ts';
import type { Finding, ValuePath } from './api.ts';
import { isSame } from './snapshots.ts';
import { languageAt } from './translations.ts';

/** Returns the findings about a value. With `isWhole`, those about its inner values too. */
export function findingsAt(findings: readonly Finding[], path: ValuePath, isWhole = false): Finding[] {
  return findings.filter(
    ({ field }) =>
      field !== null && (isWhole ? isSame(field.slice(0, path.length), path) : isSame(field, path)),
  );
}

/**
 * Returns the findings about the whole file, and about fields that the form lacks or does not show.
 *
 * @param language language whose texts the form shows; empty for the default one.
 */
export function findingsElsewhere(
  findings: readonly Finding[],
  fields: ReadonlySet<string>,
  language = '',
): Finding[] {
  return findings.filter(
    ({ field }) => field === null || !fields.has(String(field[0])) || languageAt(field) !== language,
  );
}

export function controlId(path: ValuePath): string {
  return `field-${path.join('-')}`;
}

/** Scrolls to the first of the findings' controls in the order of the page, and focuses it. */
export function focusFirst(findings: readonly Finding[]): void {
  const controls = findings.flatMap(({ field }) => controlOf(field) ?? []);
  const [first] = controls.sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.scrollIntoView({ block: 'center' });
  first?.focus({ preventScroll: true });
}

function controlOf(field: ValuePath | null): HTMLElement | undefined {
  for (let length = field?.length ?? 0; field && length > 0; length--) {
    const control = document.getElementById(controlId(field.slice(0, length)));
    if (control) return control;
  }
  return undefined;
}

/** Counts the findings, as "2 errors, 1 warning"; empty without findings. */
export function findingTally(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')]
    .filter(Boolean)
    .join(', ');
}
