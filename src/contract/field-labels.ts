/** Names of the fields for people. */

/** Names of the fields of a property, and of what its lists hold. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  id: 'Id',
  title: 'Title',
  currency: 'Currency',
  email: 'E-mail',
  phone: 'Phone',
  zip_code: 'Postal code',
  city: 'City',
  state: 'State',
  address: 'Address',
  country: 'Country',
  latitude: 'Latitude',
  longitude: 'Longitude',
  facilities: 'Facility',
  photo: 'Photo',
  hotel_policy: 'Policy',
  payment_method: 'Payment method',
  thumbnail: 'Thumbnail',
};

/** Names of the fields of an entry of a list, by list. */
export const ENTRY_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  photo: {
    file: 'Photo: file',
    url: 'Photo: link',
    thumbnail: 'Photo: thumbnail',
    description: 'Photo: description',
    id: 'Photo: id',
    position: 'Photo: position',
  },
  hotel_policy: { policy_type: 'Policy: type', detail: 'Policy: text' },
  payment_method: { is_enabled: 'Payment method: accepted', method_type: 'Payment method: type' },
};
