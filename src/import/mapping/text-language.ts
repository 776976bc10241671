/** Guesses the language of a table from a column that names it, or otherwise from frequent words and letters. */

import { languageName } from '../../contract/display-text.ts';
import type { FieldTable } from '../../contract/fields.ts';
import { readConfiguration } from '../../source/configuration-file.ts';
import { sortedByCount } from '../../values/sort-by-count.ts';
import { warningFinding } from '../finding.ts';
import type { Column, Profile } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';
import { squeezedName, squeezedNamesIn, translationNamed } from '../words/column-names.ts';
import TABLE from '../words/tables/column-names.json' with { type: 'json' };
import { isMember } from './declared-columns.ts';
import { columnsOf, type Proposal } from './mapping.ts';

const COLUMNS = squeezedNamesIn(TABLE.language);
const LETTERS = Object.entries(TABLE.letters).map(([tag, all]) => [tag, new RegExp(`[${all}]`)] as const);
/** Language of each frequent word; undefined for a word of several languages. */
const LANGUAGE_OF = new Map<string, string | undefined>();
for (const [tag, words] of Object.entries(TABLE.frequent))
  for (const word of words.split(' ')) LANGUAGE_OF.set(word, LANGUAGE_OF.has(word) ? undefined : tag);

/** The language is not guessed from these fields: their values are in the language of the place, not of the table. */
const NAMES: ReadonlySet<string> = new Set(['address', 'city', 'state']);
/** A language is guessed only from at least `ENOUGH` words, and `LEAD` times as many as the next language has. */
const ENOUGH = 4;
const LEAD = 1.5;

type LanguageMismatch = { readonly tag: string; readonly sentence: string };

export function languageMismatch(
  profile: Profile,
  mapping: Proposal,
  content: string,
): LanguageMismatch | undefined {
  const { language, languages } = readConfiguration(content).usable;
  const said = languages?.[0] ?? language;
  const tag = named(profile) ?? guessed(profile, mapping);
  if (said === undefined || tag === undefined || said.split('-')[0] === tag) return undefined;
  return {
    tag,
    sentence: `The texts look ${languageName(tag)}, and catalogue.yaml says that they are ${languageName(said)}.`,
  };
}

export function languageNote({ tag, sentence }: LanguageMismatch): SourceNote {
  return warningFinding('other-language', sentence, `Write there: "language: ${tag}".`);
}

export function languageQuestion({ tag, sentence }: LanguageMismatch): string {
  return `${sentence} Change that to ${languageName(tag)}, for screen readers and search engines? The words of the page itself stay English.`;
}

/** Warns about unused columns such as "omschrijving_en": the catalogue must declare languages to publish them. */
export function translationNotes(
  columns: readonly Column[],
  mapping: Proposal,
  content: string,
  fields: FieldTable,
  profile: Profile,
): SourceNote[] {
  const { language, languages = [] } = readConfiguration(content).usable;
  const found = columns.flatMap(({ name }) => {
    const one = translationNamed(name, fields);
    const isOpen = one && mapping[one.field] && !languages.includes(one.language);
    return isOpen && !isMember(name, profile.columns) ? [{ ...one, name }] : [];
  });
  const [first] = found;
  if (!first) return [];
  const [column = ''] = columnsOf({ value: mapping[first.field] });
  const named = languages[0] ?? translationNamed(column, fields)?.language ?? language;
  const hasEnglish = found.some((one) => one.language === 'en');
  const own = named ?? guessed(profile, mapping) ?? (hasEnglish ? '<language of the others>' : 'en');
  const all = new Set([own, ...languages, ...found.map((one) => one.language)]);
  const meanings = [...new Set(found.map(({ field }) => field))].map((field) => {
    const some = found.filter((one) => one.field === field);
    const languageNames = [...new Set(some.map((one) => languageName(one.language)))];
    return `${some.map(({ name }) => `"${name}"`).join(', ')} may be ${field} in ${languageNames.join(' and ')}`;
  });
  const message = `${meanings.join('; ')}, which catalogue.yaml does not declare.`;
  const help = `To publish it as a translation, write there: "languages: [${[...all].join(', ')}]", and import with --declare.`;
  return all.size < 2 ? [] : [warningFinding('other-language', message, help, first.field)];
}

function named({ columns }: Profile): string | undefined {
  const column = columns.find(({ name }) => COLUMNS.has(squeezedName(name)));
  const [word = ''] = sortedByCount(column?.words)[0] ?? [];
  return /^([a-z]{2})(?:[-_][a-z]{2})?$/i.exec(word)?.[1]?.toLowerCase();
}

function guessed({ columns }: Profile, mapping: Proposal): string | undefined {
  const fields = Object.entries(mapping).filter(([field]) => !NAMES.has(field) && !field.includes('@'));
  const used = new Set(columnsOf(Object.fromEntries(fields)));
  const texts = columns.flatMap(({ name, prose }) => (used.has(name) ? prose : []));
  const counts = new Map<string, number>();
  const plain = texts.join(' ').replace(MARKUP, ' ').toLowerCase();
  for (const word of plain.split(/[^\p{L}]+/u)) {
    const tag = LANGUAGE_OF.get(word) ?? LETTERS.find(([, letters]) => letters.test(word))?.[0];
    if (tag !== undefined) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const [best, next] = sortedByCount(counts);
  return best && best[1] >= ENOUGH && best[1] >= (next?.[1] ?? 0) * LEAD ? best[0] : undefined;
}

/** Matches HTML tags (perhaps cut off) and entities, links, and e-mail addresses. */
const MARKUP = /<[^<>]*(?:>|$)|&\w+;|\S+:\/\/\S+|www\.\S+|\S+@\S+/g;
