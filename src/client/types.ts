/** What the API publishes. Made by scripts/make-client-types.ts: edit the schemas instead. */

/** Permanent code of an error: the fragment of the `type` of a problem. */
export type ProblemCode =
  | 'invalid-page-size'
  | 'invalid-page-number'
  | 'invalid-country'
  | 'repeated-parameter'
  | 'unknown-parameter'
  | 'malformed-encoding'
  | 'property-not-found'
  | 'not-found'
  | 'method-not-allowed'
  | 'invalid-api-key'
  | 'release-gone'
  | 'list-unavailable';

/** The changes from one release to the next. */
export type Changes = {
  /** Name of the release; it depends only on the properties, the settings and the version of the tool. */
  release: string;
  /** The previous release; null in the first record of a history, which has every property in `added`. */
  previous: string | null;
  /**
   * Format: date-time
   * UTC time of the commit that the release was built from, or a time that the publisher gave.
   */
  time: string;
  /**
   * Format: date-time
   * UTC time of this record: `time`, but at least one second after the latest earlier record.
   */
  updated: string;
  /** Git commit of the release; null without a git repository. */
  commit: string | null;
  /** Ids of new properties, in the order of the list. */
  added: string[];
  /** Properties whose content changed, in the order of the list. */
  changed: {
    /** Format: uuid */
    id: string;
    /** Names of the changed fields, including `thumbnail` of the summary. */
    fields: string[];
  }[];
  /** Ids of removed properties, in the order of the previous list. */
  removed: string[];
  /**
   * True if declared fields or languages changed. Then read every property again: `changed` may be empty.
   */
  declaration?: true | undefined;
  /** Titles, by id, of the first 200 properties in `added`, `changed` and `removed`. */
  titles?:
    | {
        [key: string]: string;
      }
    | undefined;
};

/** Lists the months that have changes, oldest first. */
export type ChangesIndex = {
  /** Permanent name of this history: a URN (`urn:uuid:`). */
  id: string;
  /** Name of the release; it depends only on the properties, the settings and the version of the tool. */
  release: string;
  /**
   * Format: date-time
   * Time of the latest record, in UTC. It never decreases.
   */
  updated: string;
  months: Month[];
};

/** A city with at least one property. */
export type City = {
  /** Name of the city, exactly as `filter[city]` expects it. */
  name: string;
  /** Number of properties in the city. */
  properties: number;
};

/** The cities of one country that have properties, sorted as in the list of properties. */
export type CityList = {
  /** ISO 3166-1 alpha-2 code of the country. */
  country: string;
  /** URI template (RFC 6570) of the list of a city, relative to this file; `city` is the name of the city. */
  href: string;
  cities: City[];
};

/** The countries that have properties, sorted as in the list of properties. */
export type Countries = {
  /** Number of properties in all countries. */
  properties: number;
  countries: Country[];
};

/** A country with at least one property. */
export type Country = {
  /** ISO 3166-1 alpha-2 code, for use in `filter[country]`. */
  code: string;
  /** Name of the country in English. */
  name: string;
  /** Number of properties in the country. */
  properties: number;
  /** Number of cities in the country that have properties. */
  cities: number;
  /** URL of the list of the country, relative to this file. */
  href: string;
};

/** All properties in one format: either a single file or, if `root` is set, the parts of a release. */
export type Download = {
  /** Name of the file, and its URL relative to `index.json` unless `root` is set. */
  name: string;
  /** Media type of the file. */
  type: string;
  title: string;
  /** Size of the file, or of all parts together. */
  bytes: number;
  /** SHA-256 of the file, in hexadecimal digits; absent if `root` is set. */
  sha256?: string | undefined;
  /** URL of a `Root`, relative to `index.json`. Its parts, joined in order, are the download. */
  root?: string | undefined;
};

/** A property as a point on the map. */
export type Feature = {
  type: 'Feature';
  /**
   * Format: uuid
   * Permanent identifier of the property.
   */
  id: string;
  geometry: {
    type: 'Point';
    /** Longitude, then latitude (RFC 7946, 3.1.1). */
    coordinates: number[];
  };
  properties: Summary;
};

/** All properties as points on the map (GeoJSON, RFC 7946). */
export type FeatureCollection = {
  type: 'FeatureCollection';
  features: Feature[];
};

/** A release that clients can still read. */
export type KeptRelease = {
  /** Name of the release; it depends only on the properties, the settings and the version of the tool. */
  release: string;
  /** Number of the signed statement; absent if the release is unsigned. */
  number?: number | undefined;
  /** Format version of the root of the release. */
  version: number;
  /**
   * Format: date-time
   * Time at which the release last went live, in UTC.
   */
  since: string;
  /** UTC time until which the release can be read, at least; null if it was never replaced. */
  keptUntil: string | null;
};

/** The releases that clients can read, the live one first. */
export type KeptReleases = {
  /** Days for which the live release stays readable after it is replaced. */
  keptDays: number;
  releases: KeptRelease[];
};

/** A link to a file, a page or an operation of the catalogue. */
export type Link = {
  /** Link relation (RFC 8288): registered by IANA, except `countries`, `cities`, `changes`. */
  rel: string;
  /** URL, relative to `index.json`; if `templated`, a URI template (RFC 6570). */
  href: string;
  /** Media type of the target. */
  type: string;
  title: string;
  templated?: true | undefined;
};

/** A month with at least one record of changes. */
export type Month = {
  /** Year and month, `yyyy-mm`. */
  month: string;
  /** URL of the changes in this month, relative to this file. */
  href: string;
};

/** One page of the list of properties. */
export type Page = {
  /** The properties of the requested page. */
  data: Summary[];
  meta: {
    pagination: {
      /** Number of this page, from 1. */
      current_page: number;
      /** Maximum number of entries per page. */
      per_page: number;
      /** Number of matching entries on all pages. */
      total_entries: number;
    };
  };
};

/** A way to pay for a stay, and whether it is currently accepted. */
export type PaymentMethod = {
  /** Whether the method is currently accepted. */
  is_enabled: boolean;
  /**
   * `direct`: payment handled directly, for example through a payment gateway; `property`: payment handled on site or through the property owner.
   * @enum {string}
   */
  method_type: 'direct' | 'property';
};

/** A photo of a property, with its public URL. */
export type Photo = {
  /**
   * Format: uuid
   * Unique identifier of the image.
   */
  id: string;
  /**
   * Format: uri
   * Publicly accessible direct link to the image file.
   */
  url: string;
  /** Alternative text or caption; null if there is none. */
  description: string | null;
  /** Display order, from 1; lower numbers come first. */
  position: number;
};

/** A rule for guests, such as cancellation terms. */
export type Policy = {
  /**
   * Short code of the policy type. Other codes than the examples may occur.
   * @example check_in
   * @example check_out
   * @example cancellation
   * @example no_show
   */
  policy_type: string;
  /** Human-readable explanation of the policy. */
  detail: string;
};

/** The body of an error response (RFC 9457). */
export type Problem = {
  /**
   * Format: uri-reference
   * Relative URL of a page that explains the error; its fragment is the permanent error code.
   */
  type: string;
  /** The kind of error, in a few words. */
  title: string;
  /** HTTP status code of the response. */
  status: number;
  /** What is wrong with this request, and how to correct it. */
  detail: string;
  /** The invalid query parameter, if any; `filter[*]` or `page[*]` if its name is unknown. */
  parameter?: string | undefined;
};

/** All published data of one property. */
export type Property = {
  /** Human-readable name of the property. */
  title: string;
  /** ISO 4217 currency code for price-related fields. */
  currency: string;
  /** Primary contact e-mail for booking inquiries; empty when unknown. */
  email: string;
  /** Primary contact phone number, including country code; empty when unknown. */
  phone: string;
  /** Postal code; empty when unknown. */
  zip_code: string;
  /** Name of the city, exactly as `filter[city]` expects it. */
  city: string;
  /** State, region or province; empty when unknown. */
  state: string;
  /** Street-level address or neighborhood; empty when unknown. */
  address: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Latitude in decimal degrees, carried as a string for precision. */
  latitude: string;
  /** Longitude in decimal degrees, carried as a string for precision. */
  longitude: string;
  /** Identifiers or names of facilities; empty if there are none. */
  facilities: string[];
  /** Photos in ascending order of position; empty if there are none. */
  photo: Photo[];
  /** Policies in the order to show them; empty if there are none. */
  hotel_policy: Policy[];
  /** Payment methods; `is_enabled` tells which ones are accepted. Empty if there are none. */
  payment_method: PaymentMethod[];
};

/** A property with its id: one line of `properties.ndjson`, or of a part. */
export type PropertyRecord = {
  /**
   * Format: uuid
   * Permanent identifier of the property.
   */
  id: string;
  /** Human-readable name of the property. */
  title: string;
  /** ISO 4217 currency code for price-related fields. */
  currency: string;
  /** Primary contact e-mail for booking inquiries; empty when unknown. */
  email: string;
  /** Primary contact phone number, including country code; empty when unknown. */
  phone: string;
  /** Postal code; empty when unknown. */
  zip_code: string;
  /** Name of the city, exactly as `filter[city]` expects it. */
  city: string;
  /** State, region or province; empty when unknown. */
  state: string;
  /** Street-level address or neighborhood; empty when unknown. */
  address: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Latitude in decimal degrees, carried as a string for precision. */
  latitude: string;
  /** Longitude in decimal degrees, carried as a string for precision. */
  longitude: string;
  /** Identifiers or names of facilities; empty if there are none. */
  facilities: string[];
  /** Photos in ascending order of position; empty if there are none. */
  photo: Photo[];
  /** Policies in the order to show them; empty if there are none. */
  hotel_policy: Policy[];
  /** Payment methods; `is_enabled` tells which ones are accepted. Empty if there are none. */
  payment_method: PaymentMethod[];
};

/** The root of a release. Only the members that a download needs are described here. */
export type Root = {
  /** Number of properties in the release. */
  total: number;
  /** The parts that contain all properties, one property per line, ordered by id. Each entry is a pair: the name of a part, and the beginning of the first id in the part. The URL of a part is `_catalogue/parts/<name>.ndjson`. The name is the first 32 hexadecimal digits of the SHA-256 of the part. */
  details: string[][];
} & {
  [key: string]: unknown;
};

/** The data of a property that the list shows. */
export type Summary = {
  /**
   * Format: uuid
   * Permanent identifier: `property_id` of the detail operation.
   */
  id: string;
  /** Human-readable name of the property. */
  title: string;
  /** Name of the city, exactly as `filter[city]` expects it. */
  city: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** URL of a small photo; null if there is none. */
  thumbnail: string | null;
};

/** Describes the catalogue and links to everything that it offers. */
export type CatalogueIndex = {
  /** Name of the catalogue. */
  title: string;
  /** What the catalogue is about, in a sentence or two. */
  description?: string | undefined;
  /** Contact for questions about the catalogue. */
  contact?:
    | {
        name?: string | undefined;
        email?: string | undefined;
        url?: string | undefined;
      }
    | undefined;
  /** Language tags (BCP 47), the default first; absent if the catalogue has only one language. */
  languages?: string[] | undefined;
  /** Name of the release; it depends only on the properties, the settings and the version of the tool. */
  release: string;
  /** Number of properties in the catalogue. */
  properties: number;
  /** Number of countries that have properties. */
  countries: number;
  /** Downloads of all properties, by format; absent if the catalogue offers none. */
  downloads?: Download[] | undefined;
  links: Link[];
};
