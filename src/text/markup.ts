const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Makes a text safe inside an element, or inside an attribute in double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

export type Markup = { readonly markup: string };

/** Escapes the strings inserted into a template, joins lists, and leaves out undefined values. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Markup | readonly Markup[] | undefined)[]
): Markup {
  const texts = values.map((value) => {
    if (value === undefined) return '';
    if (typeof value === 'string') return escapeMarkup(value);
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  });
  return { markup: String.raw({ raw: parts }, ...texts) };
}
