/** Corrects `pt_br` to `pt-BR`. Undefined if the text is not a language tag. */
export function canonicalLanguageTag(text: string): string | undefined {
  const tag = text.trim().replaceAll('_', '-');
  // Refuses tags with more than five parts, which are for extensions and private use.
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,4}$/.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
