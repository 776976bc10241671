import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { languageName } from '../contract/display-text.ts';
import { type LocalizedText, type LocalizedTexts, localized } from '../contract/localized.ts';
import { otherTextLanguages } from './attribute-rows.ts';
import { type ShownProperty, useCatalogue } from './catalogue.ts';
import { useNavigation } from './navigation.ts';
import { useStore } from './value-store.ts';

export const TextsContext = createContext<LocalizedTexts | undefined>(undefined);

export function useTexts(): LocalizedTexts {
  return useContext(TextsContext)!;
}

/** Prefers the language in the page's URL, then the browser's. */
export function useLocalized(property: ShownProperty | undefined): LocalizedTexts | undefined {
  const { languages, language = languages?.[0] } = useCatalogue().settings;
  const { lang } = useStore(useNavigation()).view;
  return useMemo(
    () =>
      property && localized(property, lang ? [lang, ...navigator.languages] : navigator.languages, language),
    [property, lang, language],
  );
}

export const languageProps = ({ language }: Pick<LocalizedText, 'language'>) =>
  ({ lang: language, dir: 'auto' }) as const;

/** Renders nothing if the property has texts in only one language. */
export function LanguageChoice({ property, texts }: { property: ShownProperty; texts: LocalizedTexts }) {
  const navigation = useNavigation();
  const { view } = useStore(navigation);
  const { languages: [first] = [] } = useCatalogue().settings;
  const offered = first === undefined ? [] : [first, ...Object.keys(property.translations ?? {})];
  if (offered.length < 2) return null;
  const chosen = chosenOf(offered, view.lang, texts);
  const others = otherTextLanguages(texts, chosen);
  return (
    <div class="language-choice">
      <label for="language">Language</label>
      <select
        id="language"
        value={chosen}
        aria-describedby="language-note"
        onChange={({ currentTarget: { value } }) => navigation.go({ ...view, lang: value }, 'stay')}
      >
        {offered.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languageName(tag, tag)}
          </option>
        ))}
      </select>
      <p class="quiet" id="language-note" aria-live="polite">
        {others.length > 0 &&
          `Some texts are only in ${others.map((tag) => languageName(tag ?? '')).join(', ')}.`}
      </p>
    </div>
  );
}

function chosenOf(offered: readonly string[], lang: string, texts: LocalizedTexts): string {
  const wanted = offered.find((tag) => tag.toLowerCase() === lang.toLowerCase());
  if (wanted !== undefined) return wanted;
  const all = [texts.title, ...Object.values(texts.attributes), ...texts.hotel_policy];
  const counts = offered.map((tag) => all.filter(({ language }) => language === tag).length);
  return offered[counts.indexOf(Math.max(...counts))]!;
}
