import type { ValuePath } from './api.ts';
import { controlId } from './findings.ts';

/** Brings a field into view, with the focus in it; where it has no control, the one around it. */
export function focusOn(field: ValuePath | null): void {
  for (let length = field?.length ?? 0; field && length > 0; length--) {
    const control = document.getElementById(controlId(field.slice(0, length)));
    if (!control) continue;
    control.scrollIntoView({ block: 'center' });
    control.focus({ preventScroll: true });
    return;
  }
}
