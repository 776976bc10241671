/** A row, as far as it is used. Some fields are given by some of the samples only. */
export interface AirbnbRow {
  /** `insideairbnb/<sample>`. */
  source: string;
  id: string;
  title?: string;
  street?: string;
  city?: string;
  zip_code?: string;
  /** An official district or municipality. */
  neighbourhood: string;
  /** What the listing calls its area: place, region, country. */
  host_area?: string;
  latitude: string;
  longitude: string;
  cancellation_policy?: string;
  facilities: string[];
}
