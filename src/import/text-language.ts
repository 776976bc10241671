/** Guesses the language of a table: from a column that names it, else from frequent words. */
import { readConfiguration } from '../compile/inputs/configuration.ts';
import { languageName } from '../contract/words.ts';
import { caution } from './candidate.ts';
import { namesIn, squeezed } from './column-names.ts';
import type { Proposal } from './mapping.ts';
import { columnsOf, type TableMapping } from './mapping.ts';
import type { Profile } from './profile.ts';
import type { SourceNote } from './row.ts';
import TABLE from './tables/column-names.json' with { type: 'json' };

const COLUMNS = namesIn(TABLE.language);
const FREQUENT = Object.entries(TABLE.frequent).map(
  ([tag, words]) => [tag, new Set(words.split(' '))] as const,
);
/** A guess needs this many frequent words, and this many times as many as the next language has. */
const ENOUGH = 4;
const LEAD = 1.5;

export type LanguageMismatch = { readonly tag: string; readonly sentence: string };

export function languageMismatch(
  profile: Profile,
  mapping: Proposal | TableMapping,
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
  return caution('other-language', sentence, `Write there: "language: ${tag}".`);
}

function named({ columns }: Profile): string | undefined {
  const column = columns.find(({ name }) => COLUMNS.has(squeezed(name)));
  const [word = ''] = [...(column?.words ?? [])].sort(([, one], [, other]) => other - one)[0] ?? [];
  return /^([a-z]{2})(?:[-_][a-z]{2})?$/i.exec(word)?.[1]?.toLowerCase();
}

function guessed({ columns }: Profile, mapping: Proposal | TableMapping): string | undefined {
  const used = new Set(columnsOf(mapping));
  const texts = columns.filter(({ name, longest }) => used.has(name) && longest > 40);
  const words = texts.flatMap(({ samples }) =>
    samples
      .join(' ')
      .toLowerCase()
      .split(/[^\p{L}]+/u),
  );
  const [best, next] = FREQUENT.map(
    ([tag, frequent]) => [tag, words.filter((word) => frequent.has(word)).length] as const,
  ).sort(([, one], [, other]) => other - one);
  return best && best[1] >= ENOUGH && best[1] >= next![1] * LEAD ? best[0] : undefined;
}
