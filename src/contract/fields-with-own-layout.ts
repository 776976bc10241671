/** Fields for which the explorer's property page has its own layout. It shows every other field as a plain row. */
export const FIELDS_WITH_OWN_LAYOUT: readonly string[] =
  'title currency email phone zip_code city state address country latitude longitude facilities photo hotel_policy payment_method attributes translations'.split(
    ' ',
  );
