import { guessBoolean } from '../../source/correction.ts';
import { cutText } from '../../text/shorten.ts';
import type { Column } from '../table/profile.ts';
import { squeezedName, squeezedNamesIn } from '../words/column-names.ts';
import TABLE from '../words/tables/column-names.json' with { type: 'json' };
import { columnsOf, conversionOf, mappingPartsOf, type Proposal, type ValueSource } from './mapping.ts';

const OFFERED = squeezedNamesIn(TABLE.liveness.offered);
const NOT_OFFERED = squeezedNamesIn(TABLE.liveness.not_offered);
/** Columns in which "yes" means that the property is not offered. */
const REVERSED = squeezedNamesIn(TABLE.liveness.reversed);

function isOffered(text: string, isReversed: boolean): boolean | undefined {
  const word = squeezedName(text);
  if (OFFERED.has(word)) return true;
  if (NOT_OFFERED.has(word)) return false;
  const meant = guessBoolean(text);
  return meant === undefined ? undefined : (meant === 'true') !== isReversed;
}

export function tellsIfOffered({ name, filled, words }: Column): boolean {
  const known = [...(words ?? [])].filter(([text]) => isOffered(text, isReversed(name)) !== undefined);
  return known.reduce((sum, [, count]) => sum + count, 0) > filled / 2;
}

/** Maps a status column to `draft`: each value that does not mean "offered" makes the property a draft. */
export function draftFieldMapping({ name, words }: Column): ValueSource {
  const texts = [...(words?.keys() ?? [])].sort();
  // The draft field understands yes and no, so the values need no conversion.
  if (isReversed(name) && texts.every((text) => guessBoolean(text) !== undefined)) return name;
  const [offered, others] = [true, false].map((is) =>
    texts.filter((text) => (isOffered(text, isReversed(name)) === true) === is),
  );
  return { from: name, true: others, false: offered };
}

function isReversed(name: string): boolean {
  return REVERSED.has(squeezedName(name));
}

export function hiddenReasonText({ draft }: Proposal): string {
  const reasons = mappingPartsOf(draft).map((value) => {
    const [names, words] = [columnsOf({ value: [value] }).join(', '), conversionOf(value).true ?? []];
    return words.length === 0 ? `${names} says so` : `${names} is ${cutText(words.join(' or '), 40)}`;
  });
  return reasons.join(', or ');
}
