import {
  COUNTRY_CURRENCIES,
  COUNTRY_ROWS,
  CURRENCY_ROWS,
} from '../../contract/country-and-currency-tables.ts';
import { describeLimits } from '../../contract/declared-field-values.ts';
import { languageName } from '../../contract/display-text.ts';
import { explorerSettings } from '../../contract/explorer.ts';
import type { DeclaredOptions, EntryField, Field, FieldTable } from '../../contract/fields.ts';
import { declaredTerms, fieldsIn } from '../../contract/terms.ts';
import { foldToLetters } from '../../contract/unicode.ts';
import type { TermList } from '../../contract/vocabulary.ts';
import { createCountsByCountry } from '../../editing/frequent-values.ts';
import type { CatalogueResponse, FieldInfo, VocabularyWord } from '../../editor/catalogue-info.ts';
import { digestOf } from '../../release/digest.ts';
import { MAX_PHOTO_BYTES } from '../content/content-files.ts';
import { acceptedPhotoTypes } from '../content/photo.ts';
import type { EditContext } from './edit-context.ts';

export async function catalogueResponse(context: EditContext): Promise<CatalogueResponse> {
  const { session } = context;
  const configuration = session.shown()?.configuration ?? session.configuration();
  const { facilities, policy_types } = configuration.vocabulary;
  const table = declaredTerms(configuration).fields;
  return {
    title: configuration.title,
    storageId: digestOf(session.content),
    fields: [...table.all].map(([name, field]) => fieldInfo(name, field, table)),
    vocabulary: { facilities: wordsOf(facilities), policy_types: wordsOf(policy_types) },
    isOpen: { facilities: facilities.isOpen, policy_types: policy_types.isOpen },
    countries: sortedByName(COUNTRY_ROWS, 2).map((country) => ({
      ...country,
      currency: COUNTRY_CURRENCIES[country.code] ?? null,
    })),
    currencies: sortedByName(CURRENCY_ROWS, 3),
    cities: await citiesInUse(context),
    photos: {
      maxBytes: MAX_PHOTO_BYTES,
      types: acceptedPhotoTypes(),
      maxWidth: configuration.photo.max_width,
    },
    settings: explorerSettings(configuration),
  };
}

function fieldInfo(name: string, field: Field | EntryField, table: FieldTable): FieldInfo {
  const { kind, label, description, help = description, examples, required, vocabulary, choices } = field;
  const example = [examples?.[0]].flat()[0];
  const declared = 'declared' in field ? field.declared : undefined;
  const limits = declared ? describeLimits(limitsIn(declared)) : '';
  return {
    name,
    label,
    help: limits ? `${help.replace(/\.?$/, ';')} ${limits}.` : help,
    example: typeof example === 'string' ? example : '',
    kind,
    group: 'group' in field ? field.group : null,
    required: required ?? false,
    vocabulary: vocabulary ?? null,
    values: choices ?? (kind === 'boolean' ? ['true', 'false'] : null),
    choices: declared?.terms ? wordsOf(declared.terms) : declared?.areLanguageTags ? languageWords() : null,
    isDeclared: declared !== undefined,
    type: declared?.type ?? null,
    unit: declared?.unit ?? '',
    base: field.base ?? null,
    language: field.language ?? null,
    isTranslated: table.languages.length > 1 && field.translate === true,
    fields:
      kind === 'entries'
        ? [...fieldsIn(table, name)].map(([key, entry]) => fieldInfo(key, entry, table))
        : [],
  };
}

/** Omits `step`, so that the help of a field does not mention it: people who edit need not know it. */
const limitsIn = ({ step: _step, ...declared }: DeclaredOptions) => declared;

const SPOKEN =
  'ar be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gd gl he hi hr hu hy id is it ja ka ko lb lt lv mk ms mt nl no pl pt ro ru sk sl sq sr sv th tr uk ur vi zh';

function languageWords(): VocabularyWord[] {
  return SPOKEN.split(' ').map((word) => ({ word, label: languageName(word), synonyms: [] }));
}

function wordsOf({ words, labels, meanings }: TermList): VocabularyWord[] {
  const synonyms = new Map<string, string[]>(words.map((word) => [word, []]));
  for (const [letters, word] of Object.entries(meanings)) synonyms.get(word)?.push(letters);
  return words.map((word) => ({ word, label: labels[word] ?? word, synonyms: synonyms.get(word) ?? [] }));
}

/** Sorts by the first text of each row, the English name. The synonyms of a row start at the index `from`. */
function sortedByName(rows: Readonly<Record<string, readonly string[]>>, from: number) {
  const byName = new Intl.Collator('en');
  return Object.entries(rows)
    .map(([code, row]) => ({
      code,
      name: row[0]!,
      synonyms: row.slice(from).map((name) => foldToLetters(name) || name),
    }))
    .sort((a, b) => byName.compare(a.name, b.name));
}

async function citiesInUse({ session }: EditContext): Promise<Record<string, string[]>> {
  const cities = createCountsByCountry();
  for (const { country, city } of (await session.index()).files.values())
    if (country && city) cities.add(country, city);
  return Object.fromEntries(cities.countries().map((country) => [country, cities.of(country)]));
}
