/** Words of an editor against those of the vocabulary. */
import leven from 'leven';
import { lettersOf } from '../contract/unicode.ts';
import type { TermList } from '../contract/vocabulary.ts';
import type { DiagnosticArgs } from './codes.ts';
import { nearest, surelyMeant } from './did-you-mean.ts';

/** The longest word that is compared with others, in UTF-16 units. */
const LONGEST = 100;
/** The fewest letters of a word that may have a slip: shorter ones are too often another word. */
const LONG_ENOUGH = 4;

/**
 * What is doubtful about a word: it is not in a vocabulary that names all words, or it seems to stand for one of an open
 * vocabulary. Undefined when nothing is.
 *
 * @param mayCompare whether it may be compared with every word, which takes longest.
 */
export function doubtOf(
  value: string,
  terms: TermList,
  mayCompare: () => boolean = () => true,
): DiagnosticArgs | undefined {
  if (Object.hasOwn(terms.labels, value)) return undefined;
  const near = terms.isOpen ? slipOf : nearestOf;
  const suggestion = synonymOf(value, terms) ?? (mayCompare() ? near(value, terms) : undefined);
  if (suggestion === undefined) return terms.isOpen ? undefined : { value };
  return { value, suggestion, name: terms.labels[suggestion] ?? suggestion };
}

/** The word that a word surely stands for; undefined when it is one itself, or in any doubt. */
export function meantBy(value: string, terms: TermList): string | undefined {
  if (Object.hasOwn(terms.labels, value)) return undefined;
  return synonymOf(value, terms) ?? surelyMeant(value, terms.words);
}

/** The word for which a synonym, a label or another spelling stands. */
export function synonymOf(value: string, { meanings }: TermList): string | undefined {
  if (value.length > LONGEST) return undefined;
  const letters = lettersOf(value);
  return Object.hasOwn(meanings, letters) ? meanings[letters] : undefined;
}

/** The words of a list that stand for what an earlier one does: the place of that one, by their own places. */
export function repetitions(words: readonly (string | undefined)[], terms: TermList): Map<number, number> {
  const first = new Map<string, number>();
  const repeated = new Map<number, number>();
  words.forEach((word, place) => {
    if (word === undefined) return;
    const meaning = Object.hasOwn(terms.labels, word) ? word : (synonymOf(word, terms) ?? word);
    const known = first.get(meaning);
    if (known === undefined) first.set(meaning, place);
    else repeated.set(place, known);
  });
  return repeated;
}

/** A list without repetitions. Of several words for the same, the one of the vocabulary stays, else the first. */
export function withoutRepetitions(words: readonly string[], terms: TermList): string[] {
  const repeated = repetitions(words, terms);
  const kept = [...words];
  for (const [place, first] of repeated)
    if (Object.hasOwn(terms.labels, words[place]!)) kept[first] = words[place]!;
  return kept.filter((_word, place) => !repeated.has(place));
}

function nearestOf(value: string, { words }: TermList): string | undefined {
  return nearest(value, words);
}

/** The only word that is one letter away. An owner has words of their own: a word farther away is not one of these. */
function slipOf(value: string, { words }: TermList): string | undefined {
  if (value.length < LONG_ENOUGH || value.length > LONGEST) return undefined;
  const wanted = value.toLowerCase();
  const near = words.filter(
    (word) => isComparable(wanted, word) && leven(wanted, word, { maxDistance: 2 }) === 1,
  );
  return near.length === 1 ? near[0] : undefined;
}

/** One slip leaves the length within one, and the first or the last letter. This is much cheaper than to compare all. */
function isComparable(one: string, other: string): boolean {
  return (
    Math.abs(one.length - other.length) <= 1 &&
    (one.charCodeAt(0) === other.charCodeAt(0) || one.at(-1) === other.at(-1))
  );
}
