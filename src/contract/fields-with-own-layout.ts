/** All other fields are plain rows of the explorer's property page. */
export const PLACED_FIELDS: readonly string[] =
  'title currency email phone zip_code city state address country latitude longitude facilities photo hotel_policy payment_method attributes translations'.split(
    ' ',
  );
