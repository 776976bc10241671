import { languageName } from '../contract/display-text.ts';
import { useEditor } from './editing-context.ts';
import { TextInput } from './field.tsx';
import { useForm } from './form-context.ts';
import { textAt } from './form-values.ts';
import { countMissingTranslations, type TranslatableText, translatableTexts } from './translations.ts';

export function LanguageSwitch() {
  const { settings, fields } = useEditor().catalogue;
  const { values, language, setLanguage } = useForm();
  const [first, ...others] = settings.languages ?? [];
  if (first === undefined) return null;
  const noteOf = (tag: string) => {
    const { all, missing } = countMissingTranslations(values, fields, tag);
    if (all === 0) return 'nothing to translate yet';
    return missing === 0 ? 'complete' : `${missing} of ${all} missing`;
  };
  return (
    <fieldset class="language-switch flow">
      <legend>Language of the texts</legend>
      {[['', first, 'main language'], ...others.map((tag) => [tag, tag, noteOf(tag)])].map(
        ([value = '', tag = '', note]) => (
          <label key={tag} class={`box beside${language === value ? ' chosen-version' : ''}`}>
            <input
              type="radio"
              name="language"
              checked={language === value}
              onChange={() => setLanguage(value)}
            />
            <span>
              {languageName(tag)} <span class="quiet">{note}</span>
            </span>
          </label>
        ),
      )}
    </fieldset>
  );
}

export function TranslationFields({ language }: { language: string }) {
  const { values } = useForm();
  const { catalogue } = useEditor();
  const name = languageName(language);
  return (
    <section class="form-section panel stack" id={`section-${language}`}>
      <header class="flow">
        <h2>{name}</h2>
        <p class="quiet">
          A text that is missing here is shown to guests in{' '}
          {languageName(catalogue.settings.languages?.[0] ?? '')}.
        </p>
      </header>
      {translatableTexts(values, catalogue.fields, language).map((one) => (
        <TranslatedText key={one.path.join(' ')} text={one} language={language} />
      ))}
    </section>
  );
}

function TranslatedText({
  text: { info, defaultPath, path, entry, list },
  language,
}: {
  text: TranslatableText;
  language: string;
}) {
  const { values } = useForm();
  const { language: first } = useEditor().catalogue.settings;
  const original = textAt(values, defaultPath);
  const label = entry === undefined ? info.label : `${list} ${entry}: ${info.label}`;
  const translated = {
    ...info,
    label: `${label} in ${languageName(language)}`,
    help: '',
    example: '',
    required: true,
  };
  return (
    <div class="translated">
      <div class="original">
        <span class="original-label quiet">{label}</span>
        {original === '' ? (
          <p class="quiet">Nothing yet.</p>
        ) : (
          <p class="version-text" lang={first} dir="auto">
            {original}
          </p>
        )}
      </div>
      <TextInput path={path} info={translated} lang={language} isRemovable />
    </div>
  );
}
