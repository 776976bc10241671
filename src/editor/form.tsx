import type { Finding } from './api.ts';
import type { CodeInfo, FieldInfo } from './catalogue-info.ts';
import { ChoiceField } from './choice-field.tsx';
import { useEditor } from './editing-context.ts';
import { EntriesField } from './entries-field.tsx';
import { FindingList } from './field.tsx';
import { FieldByKind } from './field-by-kind.tsx';
import { controlId, findingsAt, findingTally } from './findings.ts';
import { useForm } from './form-context.ts';
import { textAt } from './form-values.ts';
import { PhoneField } from './phone-field.tsx';
import { PhotosField } from './photos-field.tsx';
import { PlaceField } from './place-field.tsx';
import { type SectionInfo, sectionsOf } from './sections.ts';
import { correctedTownName, findTowns, useTowns } from './towns.ts';
import { LanguageSwitch, TranslationFields } from './translation-form.tsx';
import { WordListField } from './words-field.tsx';

export function PropertyForm() {
  const { catalogue } = useEditor();
  const { language } = useForm();
  return (
    <div class="form stack loose">
      <LanguageSwitch />
      {language ? (
        <TranslationFields key={language} language={language} />
      ) : (
        sectionsOf(catalogue).map((section) => <FormSection key={section.id} section={section} />)
      )}
    </div>
  );
}

function FormSection({ section: { id, title, lead, fields } }: { section: SectionInfo }) {
  const { findings, hidesUnvisited } = useForm();
  const own = hidesUnvisited ? [] : fields.flatMap(({ name }) => findingsAt(findings, [name], true));
  const tally = findingTally(own);
  return (
    <section class="form-section panel stack" id={`section-${id}`}>
      <header class="flow">
        <h2>{title}</h2>
        {tally && <span class={`badge ${tally.includes('error') ? 'error' : 'warning'}`}>{tally}</span>}
        <p class="quiet">{lead}</p>
      </header>
      <div class="form-fields">
        {fields.map((info) => (
          <FormField key={info.name} info={info} />
        ))}
      </div>
    </section>
  );
}

function FormField({ info }: { info: FieldInfo }) {
  const path = [info.name];
  switch (info.name) {
    case 'country':
      return <CountryField info={info} />;
    case 'city':
      return <CityField info={info} />;
    case 'currency':
      return <CurrencyField info={info} />;
    case 'phone':
      return <PhoneField path={path} info={info} />;
    case 'latitude':
      return <PlaceField />;
    case 'longitude':
      return null;
    case 'photo':
      return <PhotosField info={info} />;
  }
  if (info.kind === 'words') return <WordListField info={info} />;
  if (info.kind === 'entries') return <EntriesField info={info} />;
  return (
    <FieldByKind
      path={path}
      info={info.name === 'title' ? { ...info, help: '' } : info}
      className={info.kind === 'lines' || ['title', 'address', 'summary'].includes(info.name) ? 'wide' : ''}
    />
  );
}

function CountryField({ info }: { info: FieldInfo }) {
  const { values } = useForm();
  const { countries } = useEditor().catalogue;
  const choices = countries.map(choiceOf);
  return (
    <ChoiceField
      path={['country']}
      info={{ ...info, help: '' }}
      choices={choices}
      changesFor={(value) => {
        const currency = countries.find(({ code }) => code === value)?.currency;
        const isFree = textAt(values, ['currency']) === '' && currency;
        return [{ path: ['country'], value }, ...(isFree ? [{ path: ['currency'], value: currency }] : [])];
      }}
    />
  );
}

const MAX_SUGGESTIONS = 8;

function CityField({ info }: { info: FieldInfo }) {
  const { values, texts } = useForm();
  const { cities } = useEditor().catalogue;
  const country = textAt(values, ['country']);
  const towns = useTowns(country);
  const own = cities[country] ?? [];
  const typed = texts[controlId(['city'])];
  const found = towns && typed && typed.length > 2 ? findTowns(towns, typed, MAX_SUGGESTIONS) : [];
  const names = new Set([...own, ...found.map(({ name }) => name)]);
  const meant = typed === undefined ? correctedTownName(textAt(values, ['city']), own, towns) : undefined;
  return (
    <div class="stack tight">
      <ChoiceField
        path={['city']}
        info={{ ...info, help: 'Guests search by it: spell it as your other properties there do.' }}
        choices={[...names].map((city) => ({ value: city, label: city }))}
        isOpen
        changesFor={(value) => [{ path: ['city'], value }]}
      />
      {meant && <FindingList id="city-meant" findings={[otherCity(meant, own.includes(meant))]} />}
    </div>
  );
}

function otherCity(city: string, isOwn: boolean): Finding {
  return {
    code: 'similar-city',
    severity: 'warning',
    message: isOwn ? `Other properties are in ${city}.` : `There is a town called ${city}.`,
    help: 'Is it the same town?',
    field: ['city'],
    line: null,
    fix: { label: `Write "${city}"`, changes: [{ path: ['city'], value: city }] },
  };
}

function CurrencyField({ info }: { info: FieldInfo }) {
  const { currencies } = useEditor().catalogue;
  return (
    <ChoiceField
      path={['currency']}
      info={{ ...info, help: '' }}
      choices={currencies.map(choiceOf)}
      changesFor={(value) => [{ path: ['currency'], value }]}
    />
  );
}

function choiceOf({ code, name, synonyms }: CodeInfo) {
  return { value: code, label: name, synonyms };
}
