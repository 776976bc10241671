import * as z from 'zod';
import { ownValue } from '../values/own-value.ts';
import { DEFAULT_FACILITIES, DEFAULT_POLICY_TYPES, type DefaultTerm } from './default-vocabulary.ts';
import { foldToLetters, toNfc } from './unicode.ts';

/** Plain data, so that it can be sent to threads and stored in the state of a build. */
export type TermList = {
  /** In display order, without repetitions. */
  readonly words: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /**
   * Maps each word, label and synonym, folded by {@link foldToLetters}, to its word. Look up with `Object.hasOwn`,
   * since an author may write `constructor`.
   */
  readonly meanings: Readonly<Record<string, string>>;
  /** Whether other words are allowed. If so, only words that are similar to known ones raise a warning. */
  readonly isOpen: boolean;
};

export type Vocabulary = { readonly facilities: TermList; readonly policy_types: TermList };

export const wordSchema = z.string().trim().overwrite(toNfc).min(1, { error: 'expected a word' });

const FORM =
  'expected a list of words, or a mapping with "extend" or "replace": a list of words, or of words with their labels';

const term = z.strictObject({ label: wordSchema.optional(), synonyms: z.array(wordSchema).default([]) });
const terms = z.union([z.array(wordSchema), z.record(wordSchema, z.union([wordSchema, term]))]);
const choice = z.union(
  [z.array(wordSchema), z.strictObject({ extend: terms.optional(), replace: terms.optional() })],
  { error: FORM },
);

type Terms = z.output<typeof terms>;
type Choice = z.output<typeof choice>;

/** @default the vocabulary of this package */
export const vocabularySchema = z.strictObject({
  facilities: choice
    .optional()
    .transform((chosen) => resolve(chosen, DEFAULT_FACILITIES))
    .meta({
      description:
        'Known facilities: a list to replace the default ones, or `extend` to add to them ([authoring](authoring.md#facilities-and-policies)).',
    }),
  policy_types: choice
    .optional()
    .transform((chosen) => resolve(chosen, DEFAULT_POLICY_TYPES))
    .meta({
      description: 'Known policy types: a list to replace the default ones, or `extend` to add to them.',
    }),
});

type Own = { readonly label?: string | undefined; readonly synonyms?: readonly string[] };

export type Term = { readonly word: string; readonly label: string; readonly synonyms: readonly string[] };

function resolve(chosen: Choice | undefined, usual: Readonly<Record<string, DefaultTerm>>): TermList {
  const { extend = [], replace = undefined } = Array.isArray(chosen) ? { replace: chosen } : (chosen ?? {});
  const base = replace ?? Object.keys(usual);
  const all = [...termsOf(base, usual), ...termsOf(extend, usual)];
  // The last definition of a word wins, since `extend` may relabel an existing word.
  const byWord = new Map(all.map((one) => [one.word, one]));
  return termList([...byWord.values()], replace === undefined);
}

function termsOf(given: Terms, usual: Readonly<Record<string, DefaultTerm>>): Term[] {
  const entries: [string, Own][] = Array.isArray(given)
    ? given.map((name) => [name, {}])
    : Object.entries(given).map(([name, own]) => [name, typeof own === 'string' ? { label: own } : own]);
  return entries.map(([name, own]) => {
    const [label, ...synonyms] = ownValue(usual, name) ?? [termFromName(name).label];
    return { word: name, label: own.label ?? label, synonyms: [...synonyms, ...(own.synonyms ?? [])] };
  });
}

/** A word always means itself, even if it is a synonym of another. */
export function termList(all: readonly Term[], isOpen: boolean): TermList {
  const meanings: Record<string, string> = {};
  const add = (text: string, meant: string) => {
    const letters = foldToLetters(text);
    if (letters !== '' && !Object.hasOwn(meanings, letters)) meanings[letters] = meant;
  };
  for (const { word: meant } of all) add(meant, meant);
  for (const { word: meant, label, synonyms } of all)
    for (const text of [label, ...synonyms]) add(text, meant);
  return {
    words: all.map((one) => one.word),
    labels: Object.fromEntries(all.map((one) => [one.word, one.label])),
    meanings,
    isOpen,
  };
}

/** Derives the label from the word: `boat_hire` becomes "Boat hire". */
export function termFromName(name: string): Term {
  const text = name.replaceAll('_', ' ');
  return { word: name, label: text.charAt(0).toUpperCase() + text.slice(1), synonyms: [] };
}

/** If `chosen` lacks facilities or policy types, this package's own are used. */
export function vocabularyFrom(chosen: z.input<typeof vocabularySchema> = {}): Vocabulary {
  return vocabularySchema.parse(chosen);
}
