/** Other names of the fields, as other programs, other languages of the trade and haste have them. */

/** Names in lower case with `_` between words, by the field that they mean. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

const PROPERTY: Synonyms = {
  id: ['uuid', 'guid', 'property_id', 'identifier'],
  title: ['name', 'property_name', 'hotel_name', 'hotel', 'heading', 'label'],
  currency: ['currency_code', 'price_currency', 'iso_currency'],
  email: ['mail', 'e_mail', 'email_address', 'e_mail_address', 'contact_email', 'contact_mail'],
  phone: ['telephone', 'tel', 'mobile', 'phone_number', 'telephone_number', 'contact_phone', 'phone_no'],
  zip_code: [
    'zip',
    'zipcode',
    'postcode',
    'post_code',
    'postal_code',
    'postalcode',
    'plz',
    'eircode',
    'pin_code',
  ],
  city: ['town', 'locality', 'village', 'municipality', 'place'],
  state: ['region', 'province', 'county', 'district', 'department', 'canton', 'prefecture'],
  address: ['street', 'street_address', 'addr', 'address_line', 'address_line_1', 'address1', 'location'],
  country: ['country_code', 'nation', 'iso_country'],
  latitude: ['lat', 'geo_lat', 'y'],
  longitude: ['lng', 'lon', 'long', 'geo_lng', 'geo_lon', 'x'],
  facilities: ['amenities', 'amenity', 'facility', 'features', 'services', 'equipment'],
  photo: ['photos', 'image', 'images', 'picture', 'pictures', 'gallery', 'media'],
  hotel_policy: ['policies', 'policy', 'hotel_policies', 'property_policy', 'rules', 'house_rules', 'terms'],
  payment_method: ['payment_methods', 'payment', 'payments', 'payment_options'],
};

const PHOTO: Synonyms = {
  file: ['path', 'filename', 'file_name', 'file_path', 'local', 'image', 'photo'],
  url: ['link', 'href', 'uri', 'src', 'image_url', 'photo_url', 'remote'],
  thumbnail: ['thumb', 'preview', 'thumbnail_url', 'small'],
  description: ['caption', 'alt', 'alt_text', 'title', 'text', 'label', 'desc'],
  id: ['uuid', 'photo_id'],
  position: ['order', 'sort', 'sort_order', 'index', 'rank', 'pos', 'number'],
};

const POLICY: Synonyms = {
  policy_type: ['type', 'kind', 'name', 'code', 'policy'],
  detail: ['details', 'text', 'description', 'content', 'value', 'rule'],
};

const PAYMENT: Synonyms = {
  is_enabled: ['enabled', 'active', 'is_active', 'accepted', 'available'],
  method_type: ['type', 'method', 'kind', 'name', 'payment_type', 'payment_method'],
};

/** By the list that an entry stands in; the empty text for the property itself. */
const SYNONYMS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries({ '': PROPERTY, photo: PHOTO, hotel_policy: POLICY, payment_method: PAYMENT }).map(
    ([list, fields]) => [
      list,
      new Map(
        Object.entries(fields).flatMap(([field, names]) => names.map((name) => [name, field] as const)),
      ),
    ],
  ),
);

/** Policies that are written as fields, by their type. */
const POLICY_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    check_in: ['check_in', 'checkin', 'check_in_time', 'arrival'],
    check_out: ['check_out', 'checkout', 'check_out_time', 'departure'],
    cancellation: ['cancellation', 'cancellation_policy', 'cancelation'],
    no_show: ['no_show', 'noshow'],
  }).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** The field that a name means; undefined for one that means none. `list`: empty for the property itself. */
export function fieldMeantBy(name: string, list: string): string | undefined {
  return SYNONYMS.get(list)?.get(snakeCase(name));
}

/** The type of the policy that a field of a property means: it would be an entry of `hotel_policy`. */
export function policyMeantBy(name: string): string | undefined {
  return POLICY_FIELDS.get(snakeCase(name));
}

/** A name in lower case, with `_` between its words: `zipCode`, `Zip-Code` and `ZIP code` are `zip_code`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[ .-]/g, '_')
    .toLowerCase();
}
