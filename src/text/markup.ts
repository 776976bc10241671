const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for an element, or for an attribute in double quotes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

export type Markup = { readonly markup: string };

/** Makes markup of a template: escapes its texts, joins lists, and leaves out what is undefined. */
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
