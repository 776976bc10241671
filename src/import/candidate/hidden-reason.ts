import { cutText } from '../../text/shorten.ts';
import { isOffered } from '../mapping/draft-mapping.ts';
import {
  columnsOf,
  conversionOf,
  type MappingPart,
  mappingPartsOf,
  type TableMapping,
  type ValueSource,
} from '../mapping/mapping.ts';
import type { Column, Profile } from '../table/profile.ts';
import { draftValue } from './row-property.ts';

/** Says which of the `found` values make drafts, such as "online is 0 or no"; empty if there are none. */
export function hiddenReasonText(
  { draft }: Pick<TableMapping, 'draft'>,
  { columns }: Profile,
  found: ReadonlySet<string>,
): string {
  const reasons = mappingPartsOf(draft).flatMap((part) => {
    const column = columnOf(part, columns);
    if (!column?.words) return `${columnsOf({ part: [part] }).join(', ')} says so`;
    const words = hidingWords(part, column, ['']).filter((word) => found.has(word));
    return words.length === 0
      ? []
      : `${column.name} is ${cutText(words.map((word) => word || 'empty').join(' or '), 40)}`;
  });
  return reasons.join(', or ');
}

/** Returns the words that make drafts although nothing but the mapping says that they mean "not offered". */
export function unknownHidingWords({ draft }: Pick<TableMapping, 'draft'>, { columns }: Profile): string[] {
  return mappingPartsOf(draft).flatMap((part) => {
    const column = columnOf(part, columns);
    return column ? hidingWords(part, column).filter((word) => isOffered(word, false) === undefined) : [];
  });
}

export const columnOf = (part: MappingPart, columns: readonly Column[]) =>
  columns.find(({ name }) => name === conversionOf(part).from);

function hidingWords(part: MappingPart, { words }: Column, others: readonly string[] = []): string[] {
  const mapped = { ...conversionOf(part), from: '.' } as ValueSource;
  return [...(words?.keys() ?? []), ...others].filter((word) => draftValue({ '.': word }, mapped) === 'true');
}
