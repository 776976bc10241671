/**
 * Reads YAML fast, without positions. It takes only files that are fine: what it cannot read, or what turns out to
 * need a diagnostic, is read again by the exact reader, which is the authority.
 */
import { FAILSAFE_SCHEMA, load } from 'js-yaml';

/** The value of a document, every scalar as text, an empty value as null; undefined when it cannot be read. */
export function readQuickly(text: string): unknown {
  try {
    return load(text, { schema: FAILSAFE_SCHEMA });
  } catch {
    return undefined;
  }
}
