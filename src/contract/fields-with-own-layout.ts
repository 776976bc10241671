/** Fields that the property page of the explorer shows with a specific design; all others are plain rows. */
export const PLACED_FIELDS: readonly string[] =
  'title currency email phone zip_code city state address country latitude longitude facilities photo hotel_policy payment_method attributes translations'.split(
    ' ',
  );
