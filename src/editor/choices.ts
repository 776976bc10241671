import { identifierToWords } from '../contract/display-text.ts';
import { foldText } from '../contract/sort-order.ts';
import { foldToLetters } from '../contract/unicode.ts';
import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';

export type Choice = {
  readonly value: string;
  readonly label: string;
  /** Folded by {@link foldToLetters}, except symbols such as `€`. */
  readonly synonyms?: readonly string[];
};

/**
 * Best matches first: choices that equal the text, start with it, have a word that starts with it, or contain it. An
 * empty text matches all.
 */
export function matchingChoices<Of extends Choice>(
  choices: readonly Of[],
  text: string,
  limit: number,
): Of[] {
  const wanted = foldText(text.trim());
  if (wanted === '') return choices.slice(0, limit);
  const ranks: Of[][] = [[], [], [], []];
  for (const choice of choices) ranks[rankOf(choice, wanted)]?.push(choice);
  return ranks.flat().slice(0, limit);
}

function rankOf({ value, label, synonyms = [] }: Choice, wanted: string): number {
  const [code, name, letters] = [foldText(value), foldText(label), foldToLetters(wanted)];
  if (code === wanted || name === wanted || synonyms.includes(letters || wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.split(/[\s,()-]+/).some((word) => word.startsWith(wanted))) return 2;
  const isWithin =
    letters !== '' && [name, code, ...synonyms].some((one) => foldToLetters(one).includes(letters));
  return name.includes(wanted) || isWithin ? 3 : 4;
}

/** Returns the choice that equals the text, or else the only choice that starts with it. */
export function matchChoice<Of extends Choice>(choices: readonly Of[], text: string): Of | undefined {
  const wanted = foldText(text.trim());
  if (wanted === '') return undefined;
  const exact = choices.filter((choice) => rankOf(choice, wanted) === 0);
  const begun = choices.filter((choice) => rankOf(choice, wanted) === 1);
  return exact[0] ?? (begun.length === 1 ? begun[0] : undefined);
}

export function fieldChoices(
  { vocabulary, values, choices }: FieldInfo,
  catalogue: CatalogueResponse,
): readonly Choice[] {
  const words = choices ?? (vocabulary && catalogue.vocabulary[vocabulary]);
  if (words) return words.map(({ word, ...rest }) => ({ ...rest, value: word }));
  return (values ?? []).map((value) => ({ value, label: identifierToWords(value) }));
}
