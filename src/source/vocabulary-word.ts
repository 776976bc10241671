import { foldToLetters } from '../contract/unicode.ts';
import type { TermList } from '../contract/vocabulary.ts';
import { memoizeBounded, memoizeByObject } from '../values/memoize.ts';
import { ownValue } from '../values/own-value.ts';
import type { DiagnosticArgs } from './diagnostic-codes.ts';
import { certainMatch, differByOneLetter, nearestWord } from './did-you-mean.ts';

const MAX_LENGTH = 100;
const MIN_LENGTH = 4;

/**
 * Arguments of the message about an unknown word. Undefined if the word is known, or allowed because the vocabulary is
 * open and the word resembles no known one.
 * @param mayCompare returns false to skip the slow search for similar words
 */
export function unknownWordArgs(
  value: string,
  terms: TermList,
  mayCompare: () => boolean = () => true,
): DiagnosticArgs | undefined {
  if (Object.hasOwn(terms.labels, value)) return undefined;
  const near = terms.isOpen ? slipOf : nearestOf;
  const suggestion = findWordBySynonym(value, terms) ?? (mayCompare() ? near(value, terms) : undefined);
  if (suggestion === undefined) return terms.isOpen && !isSeveral(value, terms) ? undefined : { value };
  return { value, suggestion, name: terms.labels[suggestion] ?? suggestion };
}

/** True for several entries in one: `wifi - tv` results from a second list line that is indented too far. */
function isSeveral(value: string, terms: TermList): boolean {
  const words = value.split(/\s+-\s+|\s*[,;]\s*/);
  const isKnown = (word: string) =>
    Object.hasOwn(terms.labels, word) || findWordBySynonym(word, terms) !== undefined;
  return words.length > 1 && words.every(isKnown);
}

/** Undefined for a word that is known, ambiguous or too different. */
export function correctedWord(value: string, terms: TermList): string | undefined {
  if (Object.hasOwn(terms.labels, value)) return undefined;
  return findWordBySynonym(value, terms) ?? matchesOf(terms)(value);
}

/** Cached, since comparing with all words would take most of the time of an imported row. */
const matchesOf = memoizeByObject((terms: TermList) =>
  memoizeBounded((value): string | undefined => certainMatch(value, terms.words)),
);

export function findWordBySynonym(value: string, terms: TermList): string | undefined {
  return value.length > MAX_LENGTH ? undefined : synonymsOf(terms)(value);
}

const synonymsOf = memoizeByObject(({ meanings }: TermList) =>
  memoizeBounded((value): string | undefined => ownValue(meanings, foldToLetters(value))),
);

export function duplicateWords(words: readonly (string | undefined)[], terms: TermList): Map<number, number> {
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  words.forEach((word, place) => {
    if (word === undefined) return;
    const meaning = Object.hasOwn(terms.labels, word) ? word : (findWordBySynonym(word, terms) ?? word);
    const known = first.get(meaning);
    if (known === undefined) first.set(meaning, place);
    else repeated.set(place, known);
  });
  return repeated;
}

/** Of several words with the same meaning, keeps the vocabulary's own word, otherwise the first one. */
export function withoutDuplicateWords(words: readonly string[], terms: TermList): string[] {
  const repeated = duplicateWords(words, terms);
  const kept = [...words];
  for (const [place, first] of repeated)
    if (Object.hasOwn(terms.labels, words[place]!)) kept[first] = words[place]!;
  return kept.filter((_word, place) => !repeated.has(place));
}

function nearestOf(value: string, { words }: TermList): string | undefined {
  return nearestWord(value, words);
}

/** In an open vocabulary, only a word one letter away from a known one is a typo. Other words are the owner's own. */
function slipOf(value: string, { words }: TermList): string | undefined {
  if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return undefined;
  const wanted = value.toLowerCase();
  const near = words.filter((word) => differByOneLetter(wanted, word));
  return near.length === 1 ? near[0] : undefined;
}
