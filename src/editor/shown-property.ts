import type { Attribute, Translation } from '../contract/detail-values.ts';
import { PAYMENT_METHOD_TYPES } from '../contract/payment-method-types.ts';
import type { ShownProperty } from '../explorer/catalogue.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { textAt } from './form-values.ts';
import { entriesAt, type FormValues } from './undo-history.ts';

type Entry = Readonly<Record<string, string | undefined>>;
const entriesOf = (values: FormValues, list: string) => entriesAt(values, list) as readonly Entry[];

export function toShownProperty(
  values: FormValues,
  fields: readonly FieldInfo[],
  languages: readonly string[] = [],
  urlOf: (file: string) => string | undefined,
): ShownProperty {
  const text = (name: string) => textAt(values, [name]);
  const coordinate = (name: string) => (Number.isFinite(Number(text(name))) ? text(name) : '');
  const attributes = fields.filter(({ isDeclared, base }) => isDeclared && base === null);
  const others = languages.slice(1).map((tag) => [tag, translationOf(values, attributes, tag)] as const);
  return {
    title: text('title'),
    currency: text('currency'),
    email: text('email'),
    phone: text('phone'),
    zip_code: text('zip_code'),
    city: text('city'),
    state: text('state'),
    address: text('address'),
    country: text('country'),
    latitude: coordinate('latitude'),
    longitude: coordinate('longitude'),
    facilities: entriesAt(values, 'facilities').map(String),
    photo: photosOf(values, urlOf),
    hotel_policy: entriesOf(values, 'hotel_policy').map(({ policy_type = '', detail = '' }) => ({
      policy_type,
      detail,
    })),
    payment_method: entriesOf(values, 'payment_method').map(({ is_enabled, method_type }) => ({
      is_enabled: is_enabled === 'true',
      method_type: PAYMENT_METHOD_TYPES.find((type) => type === method_type) ?? PAYMENT_METHOD_TYPES[0],
    })),
    ...(attributes.length > 0 && {
      attributes: Object.fromEntries(attributes.map((info) => [info.name, attributeOf(values, info)])),
    }),
    ...(languages.length > 1 && { translations: Object.fromEntries(others) }),
  } as ShownProperty;
}

function attributeOf(values: FormValues, { name, kind }: FieldInfo): Attribute {
  if (kind === 'words') return entriesAt(values, name).map(String);
  const text = textAt(values, [name]);
  if (text === '') return null;
  if (kind === 'boolean') return text === 'true';
  return kind === 'integer' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function translationOf(values: FormValues, attributes: readonly FieldInfo[], tag: string): Translation {
  const text = (name: string) => textAt(values, [`${name}@${tag}`]);
  return {
    title: text('title'),
    attributes: Object.fromEntries(attributes.map(({ name }) => [name, text(name)])),
    photo: Object.fromEntries(
      entriesOf(values, 'photo').map((entry, index) => [
        photoId(entry, index),
        entry[`description@${tag}`] ?? '',
      ]),
    ),
    hotel_policy: entriesOf(values, 'hotel_policy').map((entry) => entry[`detail@${tag}`] ?? null),
  };
}

const photoId = ({ file = '' }: Entry, index: number) => `${index + 1} ${file}`;

/** Photos get temporary URLs: published URLs exist only after the next build. */
function photosOf(values: FormValues, urlOf: (file: string) => string | undefined): ShownProperty['photo'] {
  return entriesOf(values, 'photo').flatMap((entry, index) => {
    const { file = '', url: link, description } = entry;
    const url = link && URL.canParse(link) ? link : urlOf(file);
    const position = index + 1;
    return url ? [{ id: photoId(entry, index), url, description: description || null, position }] : [];
  });
}
