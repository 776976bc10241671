import type { Attribute, DetailValues } from '../contract/detail-values.ts';
import { languageName, priceText } from '../contract/display-text.ts';
import type { ShownField } from '../contract/explorer.ts';
import { isWebLink } from '../contract/link.ts';
import type { LocalizedText, LocalizedTexts } from '../contract/localized.ts';
import { countText } from '../text/amounts.ts';

type Fields = Readonly<Record<string, ShownField>>;
type Attributes = NonNullable<DetailValues['attributes']>;

/**
 * `language`: undefined if it is unknown, or if the text comes from the explorer, such as "Yes". `href`: an http or
 * https URL.
 */
export type AttributeText = {
  readonly text: string;
  readonly language?: string | undefined;
  readonly href?: string;
};
export type AttributeRow = {
  readonly name: string;
  readonly label: string;
  readonly texts: readonly AttributeText[];
};

const FACTS = {
  property_type: '',
  max_guests: 'guest',
  bedrooms: 'bedroom',
  beds: 'bed',
  bathrooms: 'bathroom',
  floor_area: 'm²',
} as const;

/** Fields with a fixed place on the page, unless the catalogue changes their label. */
const PLACED: ReadonlySet<string> = new Set([
  ...Object.keys(FACTS),
  ...['check_in_from', 'check_in_until', 'check_out_until', 'price_from'],
]);

const FIXED: ReadonlySet<string> = new Set([
  ...['description', 'summary', 'website', 'booking_url', 'registration_number'],
]);

const isPlain = (fields: Fields, name: string) => fields[name] !== undefined && !fields[name].isRenamed;

export function attributeFacts(attributes: Attributes, fields: Fields): string[] {
  return Object.entries(FACTS).flatMap(([name, unit]) => {
    const value = attributes[name];
    if (value === null || value === undefined || !isPlain(fields, name)) return [];
    const count = Number(value);
    if (name === 'property_type') return [fields[name]?.choices?.[String(value)] ?? String(value)];
    // The editor's preview may show text that is not a number yet.
    if (Number.isNaN(count)) return [];
    if (name === 'floor_area') return [`${count} ${unit}`];
    if (count === 0) return name === 'bedrooms' && attributes.property_type !== 'studio' ? ['Studio'] : [];
    return [countText(count, unit)];
  });
}

export function hasFactFields(fields: Fields): boolean {
  return Object.keys(FACTS).some((name) => isPlain(fields, name));
}

export function arrivalAndDepartureTexts(
  attributes: Attributes,
  fields: Fields,
): ReadonlyMap<string, string> {
  const time = (name: string) => {
    const value = attributes[name];
    return typeof value !== 'string' || !isPlain(fields, name) ? '' : value === '24:00' ? 'midnight' : value;
  };
  const [from, until, out] = [time('check_in_from'), time('check_in_until'), time('check_out_until')];
  const arrival =
    from && until ? `From ${from} to ${until}` : from ? `From ${from}` : until && `Until ${until}`;
  const times = [
    ['check_in', arrival],
    ['check_out', out && `Until ${out}`],
  ] as const;
  return new Map(times.filter(([, text]) => text !== ''));
}

export function attributePriceText(
  { price_from: value }: Attributes,
  fields: Fields,
  currency: string,
): string | undefined {
  return typeof value === 'string' && isPlain(fields, 'price_from') ? priceText(value, currency) : undefined;
}

export function attributeLink(attributes: Attributes, name: string): string | undefined {
  const value = attributes[name];
  return typeof value === 'string' && isWebLink(value) ? value : undefined;
}

export function registrationRow(attributes: Attributes, fields: Fields): AttributeRow | undefined {
  return rowOf('registration_number', attributes.registration_number ?? null, fields, {});
}

export function attributeRows(
  attributes: Attributes,
  fields: Fields,
  texts: LocalizedTexts['attributes'],
): AttributeRow[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (FIXED.has(name) || (PLACED.has(name) && isPlain(fields, name))) return [];
    return rowOf(name, value, fields, texts) ?? [];
  });
}

function rowOf(
  name: string,
  value: Attribute,
  fields: Fields,
  texts: LocalizedTexts['attributes'],
): AttributeRow | undefined {
  const field = fields[name] ?? { label: name, type: 'text' };
  const values = [value].flat().filter((one) => one !== null && one !== '');
  const isText = field.type === 'text' || field.type === 'lines';
  const own = isText && !Array.isArray(value) ? texts[name] : undefined;
  if (own) return { name, label: field.label, texts: [own] };
  const each = values.map((one) => textOf(name, one as string | number | boolean, field));
  const isJoined = field.type !== 'link' && each.length > 1;
  const shown = isJoined ? [{ text: each.map(({ text }) => text).join(', ') }] : each;
  return shown.length > 0 ? { name, label: field.label, texts: shown } : undefined;
}

function textOf(name: string, value: string | number | boolean, field: ShownField): AttributeText {
  const text = String(value);
  const { type, unit, choices } = field;
  if (type === 'boolean') return { text: value ? 'Yes' : 'No' };
  if (type === 'choice') return { text: choices?.[text] ?? text };
  if (type === 'date') return { text: dateText(text) };
  if (type === 'link') return isWebLink(text) ? { text: shortLink(text), href: text } : { text };
  if (name === 'spoken_languages') return { text: languageName(text) };
  return { text: unit ? `${text} ${text === '1' && unit === 'nights' ? 'night' : unit}` : text };
}

const shortLink = (link: string) => link.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

function dateText(text: string): string {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

export function otherTextLanguages(
  { title, attributes, photo, hotel_policy }: LocalizedTexts,
  chosen: string | undefined,
) {
  const all: readonly LocalizedText[] = [
    title,
    ...Object.values(attributes),
    ...Object.values(photo),
    ...hotel_policy,
  ];
  const shown = all.filter(({ text }) => text !== '');
  return [...new Set(shown.map(({ language }) => language))].filter((language) => language !== chosen);
}
