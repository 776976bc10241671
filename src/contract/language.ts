/**
 * Returns the canonical form of a tag; undefined for a text that is none.
 *
 * @example
 * canonicalTag('pt_br') // 'pt-BR'
 */
export function canonicalTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  // Longer ones are private use.
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
