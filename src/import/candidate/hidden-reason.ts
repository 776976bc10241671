import { cutText } from '../../text/shorten.ts';
import {
  columnsOf,
  conversionOf,
  mappingPartsOf,
  type TableMapping,
  type ValueSource,
} from '../mapping/mapping.ts';
import type { Profile } from '../table/profile.ts';
import { draftValue } from './row-property.ts';

/** Says which values in this table make drafts, such as "online is 0 or no"; empty if there are none. */
export function hiddenReasonText({ draft }: Pick<TableMapping, 'draft'>, { columns, rows }: Profile): string {
  const reasons = mappingPartsOf(draft).flatMap((part) => {
    const { from, ...conversion } = conversionOf(part);
    const column = columns.find(({ name }) => name === from);
    if (!column?.words) return `${columnsOf({ part: [part] }).join(', ')} says so`;
    const isHidden = (word: string) =>
      draftValue({ '.': word }, { ...conversion, from: '.' } as ValueSource) === 'true';
    const words = [...column.words.keys(), ...(column.filled < rows ? [''] : [])].filter(isHidden);
    return words.length === 0
      ? []
      : `${column.name} is ${cutText(words.map((word) => word || 'empty').join(' or '), 40)}`;
  });
  return reasons.join(', or ');
}
