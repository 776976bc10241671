import type { DetailValues, Translation } from './detail-values.ts';

/** Texts of a property in the default language. Declared by hand, so that the client does not depend on the schema. */
type Texts = {
  readonly title: string;
  readonly photo: readonly { readonly id: string; readonly description: string | null }[];
  readonly hotel_policy: readonly { readonly detail: string }[];
};

/** `language`: undefined if the text is in the default language and the catalogue does not name that language. */
export type LocalizedText = { readonly text: string; readonly language: string | undefined };

export type LocalizedTexts = {
  readonly title: LocalizedText;
  /** By name of a field that the catalogue declares; an absent text has no entry. */
  readonly attributes: Readonly<Record<string, LocalizedText>>;
  /** Descriptions by photo id; a photo without a description has no entry. */
  readonly photo: Readonly<Record<string, LocalizedText>>;
  /** In the order of the policies; an absent text is empty. */
  readonly hotel_policy: readonly LocalizedText[];
};

/**
 * Chooses a language for each text. Tries the tags of `wanted` in order: the exact tag, then shorter ones (`de` for
 * `de-AT`; RFC 4647, lookup), then any tag of the same primary language. If no tag matches, chooses the default
 * language, or the first translation if there is no text in the default language.
 * @param language the default language, in which all texts outside of `translations` are written: the first of
 * `languages` in `index.json`
 * @example
 * const house = { title: 'Rose Cottage', photo: [], hotel_policy: [], translations: { fr: { title: 'Le cottage' } } };
 * const { title } = localized(house, ['de-AT', 'fr'], 'en');
 * title // { text: 'Le cottage', language: 'fr' }
 */
export function localized(
  property: Texts & DetailValues,
  wanted: readonly string[],
  language?: string,
): LocalizedTexts {
  const { attributes = {}, translations = {} } = property;
  const choose = (
    own: string | null | undefined,
    of: (translation: Translation) => string | null | undefined,
  ) => {
    const texts = new Map<string | undefined, string>(own ? [[language, own]] : []);
    for (const [tag, translation] of Object.entries(translations)) {
      const text = of(translation);
      if (text) texts.set(tag, text);
    }
    const tags = [...texts.keys()];
    const found = tags.length > 0 ? wantedOf(tags, wanted) : undefined;
    // `tags[0]` is the default language if that has a text, otherwise the first translation.
    const chosen = found ?? tags[0];
    return tags.length === 0 ? undefined : { text: texts.get(chosen)!, language: chosen };
  };
  const nothing = { text: '', language };
  const names = new Set([
    ...Object.keys(attributes),
    ...Object.values(translations).flatMap((translation) => Object.keys(translation.attributes ?? {})),
  ]);
  const entries = <Name extends string>(from: Iterable<readonly [Name, LocalizedText | undefined]>) =>
    Object.fromEntries([...from].filter(([, text]) => text !== undefined)) as Record<Name, LocalizedText>;
  return {
    title: choose(property.title, ({ title }) => title) ?? nothing,
    attributes: entries(
      [...names].map((name) => {
        const own = attributes[name];
        return [name, choose(typeof own === 'string' ? own : null, (one) => one.attributes?.[name])] as const;
      }),
    ),
    photo: entries(
      property.photo.map(
        ({ id, description }) => [id, choose(description, ({ photo }) => photo?.[id])] as const,
      ),
    ),
    hotel_policy: property.hotel_policy.map(
      ({ detail }, index) => choose(detail, ({ hotel_policy }) => hotel_policy?.[index]) ?? nothing,
    ),
  };
}

function wantedOf(tags: readonly (string | undefined)[], wanted: readonly string[]): string | undefined {
  const folded = new Map(
    tags.flatMap((tag) => (tag === undefined ? [] : [[tag.toLowerCase(), tag] as const])),
  );
  for (const range of wanted) {
    const parts = range.toLowerCase().split('-');
    for (let length = parts.length; length > 0; length--) {
      const found = folded.get(parts.slice(0, length).join('-'));
      if (found !== undefined) return found;
    }
    const [, near] = [...folded].find(([tag]) => tag.split('-')[0] === parts[0]) ?? [];
    if (near !== undefined) return near;
  }
  return undefined;
}
