/** The explorer's property page shows a field that is not listed here as a plain row. */
export const FIELDS_WITH_OWN_LAYOUT: readonly string[] =
  'title currency email phone zip_code city state address country latitude longitude facilities photo hotel_policy payment_method attributes translations'.split(
    ' ',
  );
