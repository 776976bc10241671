import { CAPITALIZED_NAME } from '../../source/similar-city.ts';
import type { Profile } from '../table/profile.ts';
import { conversionOf, type TableMapping } from './mapping.ts';

/** Maps AJACCIO and ajaccio to Ajaccio if the table has Ajaccio, and no other mixed-case form such as AJaccio. */
export function withCapitalizedCities(
  mapping: TableMapping,
  { columns }: Pick<Profile, 'columns'>,
): TableMapping {
  const city = conversionOf(mapping.city);
  const words = [...(columns.find(({ name }) => name === city.from)?.words?.keys() ?? [])];
  const forms = new Map<string, string[]>();
  for (const word of words.filter((one) => CAPITALIZED_NAME.test(one)))
    forms.set(word.toLowerCase(), [...(forms.get(word.toLowerCase()) ?? []), word]);
  const corrected = words.flatMap((word) => {
    const [form, other] = forms.get(word.toLowerCase()) ?? [];
    const isOfOneCase = word === word.toUpperCase() || word === word.toLowerCase();
    return isOfOneCase && form !== undefined && other === undefined ? [[word, form] as const] : [];
  });
  if (corrected.length === 0 || city.value !== undefined) return mapping;
  return { ...mapping, city: { ...city, map: { ...Object.fromEntries(corrected), ...city.map } } };
}
