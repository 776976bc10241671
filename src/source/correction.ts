/** Values that are wrong and can only be meant one way. */
import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { isPossiblePhone } from '../contract/phone.ts';

/** The value that a text must stand for; undefined when it is in any doubt. */
export type Correction = (text: string) => string | undefined;

/** Corrections, by field. */
export const CORRECTIONS: Readonly<Record<string, Correction>> = {
  latitude: latitudeMeant,
  longitude: longitudeMeant,
  phone,
  is_enabled: (text) => {
    const word = text.trim().toLowerCase();
    return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : undefined;
  },
};

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'on', '1', 'enabled']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'n', 'off', '0', 'disabled']);

/** `00` for `+`, the country in brackets, and the `(0)` that is not dialled from abroad. */
function phone(text: string): string | undefined {
  const meant = text
    .trim()
    .replace(/^00 ?(?=[1-9])/, '+')
    .replace(/^\((?:\+|00)(\d{1,3})\)/, '+$1')
    .replace(/^(\+\d{1,3}) ?\(0\) ?/, '$1 ');
  return meant !== text && isPossiblePhone(meant) ? meant : undefined;
}
