/** Finding what one means among known values. */
import { fold } from '../contract/order.ts';
import { lettersOf } from '../contract/unicode.ts';
import { inWords } from '../explorer/words.ts';
import type { CatalogueAnswer, FieldInfo } from './catalogue-info.ts';

/** A value that may be chosen. */
export type Choice = {
  readonly value: string;
  /** What people read. */
  readonly label: string;
  /** Other texts that stand for it, as {@link lettersOf} leaves them; signs such as `€` as they are. */
  readonly synonyms?: readonly string[];
};

/**
 * The choices that a text may mean, the likeliest first: those that are it, that begin with it, that have a word which
 * does, that contain it. An empty text means all of them.
 */
export function choicesFor<Of extends Choice>(choices: readonly Of[], text: string, limit: number): Of[] {
  const wanted = fold(text.trim());
  if (wanted === '') return choices.slice(0, limit);
  const ranks: Of[][] = [[], [], [], []];
  for (const choice of choices) ranks[rankOf(choice, wanted)]?.push(choice);
  return ranks.flat().slice(0, limit);
}

function rankOf({ value, label, synonyms = [] }: Choice, wanted: string): number {
  const [code, name, letters] = [fold(value), fold(label), lettersOf(wanted)];
  if (code === wanted || name === wanted || synonyms.includes(letters || wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.split(/[\s,()-]+/).some((word) => word.startsWith(wanted))) return 2;
  const isWithin =
    letters !== '' && [name, code, ...synonyms].some((one) => lettersOf(one).includes(letters));
  return name.includes(wanted) || isWithin ? 3 : 4;
}

/** The choice that a text surely means: it is one, or only one begins with it. */
export function choiceMeant<Of extends Choice>(choices: readonly Of[], text: string): Of | undefined {
  const wanted = fold(text.trim());
  if (wanted === '') return undefined;
  const exact = choices.filter((choice) => rankOf(choice, wanted) === 0);
  const begun = choices.filter((choice) => rankOf(choice, wanted) === 1);
  return exact[0] ?? (begun.length === 1 ? begun[0] : undefined);
}

/** The choices of a field: the words of its vocabulary, or its only values. */
export function choicesOf({ vocabulary, values }: FieldInfo, catalogue: CatalogueAnswer): readonly Choice[] {
  if (vocabulary)
    return catalogue.vocabulary[vocabulary].map(({ word, ...rest }) => ({ ...rest, value: word }));
  return (values ?? []).map((value) => ({ value, label: inWords(value) }));
}
