/** What the API publishes. Made by scripts/make-client-types.ts: edit the schemas instead. */

/** Permanent code of a cause: the fragment of a problem's `type`. */
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

/** What differs between a release and the one before it. */
export type Changes = {
  /** Name of the release: it follows from the properties, the settings and the version of the tool, so the same ones have the same name. */
  release: string;
  /** The release that it follows; null for the first one. */
  previous: string | null;
  /**
   * Format: date-time
   * Time of the commit that it was built from, in UTC.
   */
  time: string;
  /**
   * Format: date-time
   * Time of the record, in UTC: that of the commit, but always later than the record before it, after a rollback too.
   */
  updated: string;
  /** That commit; null outside of a repository. */
  commit: string | null;
  /** Properties that are new, in the order of the list. */
  added: string[];
  /** Properties that differ, in the order of the list. */
  changed: {
    /** Format: uuid */
    id: string;
    /** Fields of the property, and `thumbnail` of its summary, that differ. */
    fields: string[];
  }[];
  /** Properties that have gone, in their former order. */
  removed: string[];
  /**
   * The declared fields or languages are others: read every property again.
   * @constant
   */
  declaration?: true | undefined;
  /** Titles of the first 200 properties above, for the feed: those that have gone have their last one. */
  titles?:
    | {
        [key: string]: string;
      }
    | undefined;
};

/** The months that have changes, oldest first. */
export type ChangesIndex = {
  /** Permanent name of this history: a URN. */
  id: string;
  /** Name of the release: it follows from the properties, the settings and the version of the tool, so the same ones have the same name. */
  release: string;
  /**
   * Format: date-time
   * Time of the latest record; never goes back.
   */
  updated: string;
  months: Month[];
};

/** A city that has properties. */
export type City = {
  /** The exact value of `filter[city]`. */
  name: string;
  /** Number of properties. */
  properties: number;
};

/** The cities of a country that have properties, in the order of the list of properties. */
export type CityList = {
  /** ISO 3166-1 alpha-2 code. */
  country: string;
  /** The list of each of these cities, relative to this file: a URI template (RFC 6570) of `city`, its name. */
  href: string;
  cities: City[];
};

/** The countries that have properties, in the order of the list of properties. */
export type Countries = {
  /** Number of all properties. */
  properties: number;
  countries: Country[];
};

/** A country that has properties. */
export type Country = {
  /** ISO 3166-1 alpha-2 code: the value of `filter[country]`. */
  code: string;
  /** English name. */
  name: string;
  /** Number of properties. */
  properties: number;
  /** Number of cities of this country that have properties. */
  cities: number;
  /** The list of this country, relative to this file. */
  href: string;
};

/** Every property in one format: a file, or the parts of the release, whose addresses hold their digests, so that what is there never changes. */
export type Download = {
  /** Name of the download: that of its file, relative to this one. */
  name: string;
  /** Media type. */
  type: string;
  title: string;
  /** Its size. */
  bytes: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  sha256?: string | undefined;
  /** In place of a file: a `Root`, relative to this one. Its parts, joined in order, are the download. */
  root?: string | undefined;
};

/** A property as a point on the map. */
export type Feature = {
  /** @constant */
  type: 'Feature';
  /**
   * Format: uuid
   * Identifier of the property.
   */
  id: string;
  geometry: {
    /** @constant */
    type: 'Point';
    /** Longitude, then latitude (RFC 7946, 3.1.1). */
    coordinates: number[];
  };
  properties: Summary;
};

/** Every property as a point (RFC 7946). */
export type FeatureCollection = {
  /** @constant */
  type: 'FeatureCollection';
  features: Feature[];
};

/** A release that can be read. */
export type KeptRelease = {
  /** Name of the release: it follows from the properties, the settings and the version of the tool, so the same ones have the same name. */
  release: string;
  /** Number of a signed release. */
  number?: number | undefined;
  /** Version of its root. */
  version: number;
  /**
   * Format: date-time
   * Time since which it is or was last live, in UTC.
   */
  since: string;
  /** Time until which it can be read, at least; null before it is replaced for the first time. */
  keptUntil: string | null;
};

/** The releases that readers are promised, the live one first. */
export type KeptReleases = {
  /** Days for which the live release is kept once it is replaced. */
  keptDays: number;
  releases: KeptRelease[];
};

/** Something that the catalogue offers. */
export type Link = {
  /** Relation: registered by IANA, or a word of this catalogue. */
  rel: string;
  /** Relative to this file; a URI template (RFC 6570) when `templated`. */
  href: string;
  /** Media type. */
  type: string;
  title: string;
  /** @constant */
  templated?: true | undefined;
};

/** A month that has changes. */
export type Month = {
  /** Year and month, `yyyy-mm`. */
  month: string;
  /** The changes of the month, relative to this file. */
  href: string;
};

/** One page of a list. */
export type Page = {
  /** The properties of the requested page. */
  data: Summary[];
  meta: {
    pagination: {
      /** Current page. */
      current_page: number;
      /** Results per page. */
      per_page: number;
      /** Total number of matching entries. */
      total_entries: number;
    };
  };
};

/** A payment method of a property. */
export type PaymentMethod = {
  /** Whether the method is currently accepted. */
  is_enabled: boolean;
  /**
   * `direct`: payment handled directly, for example through a payment gateway; `property`: payment handled on site or through the property owner.
   * @enum {string}
   */
  method_type: 'direct' | 'property';
};

/** A photo of a property. */
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
  /** Alternative text or caption; null when the data source gives none. */
  description: string | null;
  /** Display order from 1; lower numbers display first. */
  position: number;
};

/** A policy of a property. */
export type Policy = {
  /**
   * Short code of the policy type.
   * @example check_in
   * @example check_out
   * @example cancellation
   * @example no_show
   */
  policy_type: string;
  /** Human-readable explanation of the policy. */
  detail: string;
};

/** An error (RFC 9457). */
export type Problem = {
  /**
   * Format: uri-reference
   * Relative URL of the page that explains the cause; its fragment is the code of the cause.
   */
  type: string;
  /** The cause, in a few words. */
  title: string;
  /** Status of the answer. */
  status: number;
  /** What is wrong and what to do. */
  detail: string;
  /** The parameter at fault; `filter[*]` or `page[*]` when there is none of that name. */
  parameter?: string | undefined;
};

/** All that the catalogue holds about one property. */
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
  /** City. */
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
  /** Facility identifiers or names. */
  facilities: string[];
  /** Photos, in ascending position order. */
  photo: Photo[];
  /** Policies. */
  hotel_policy: Policy[];
  /** Supported payment methods. */
  payment_method: PaymentMethod[];
};

/** A property with its identifier: one line of the download. */
export type PropertyRecord = {
  /**
   * Format: uuid
   * Identifier of the property.
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
  /** City. */
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
  /** Facility identifiers or names. */
  facilities: string[];
  /** Photos, in ascending position order. */
  photo: Photo[];
  /** Policies. */
  hotel_policy: Policy[];
  /** Supported payment methods. */
  payment_method: PaymentMethod[];
};

/** A release: it names everything that belongs to it. */
export type Root = {
  /** Number of properties. */
  total: number;
  /** The parts with every property, one a line, ordered by id. Each entry has the name of a part, which is at `_catalogue/parts/<name>.ndjson`: the first 32 hexadecimal digits of the SHA-256 of its bytes. Then it has the start of the first id. */
  details: string[][];
} & {
  [key: string]: unknown;
};

/** One property, as the list shows it. */
export type Summary = {
  /**
   * Format: uuid
   * Identifier of the property, for the detail operation.
   */
  id: string;
  /** Name of the property. */
  title: string;
  /** City. */
  city: string;
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Thumbnail link; null when there is none. */
  thumbnail: string | null;
};

/** What the catalogue offers. */
export type CatalogueIndex = {
  /** Name of the catalogue. */
  title: string;
  /** What the catalogue is. */
  description?: string | undefined;
  /** Whom to ask about the catalogue. */
  contact?:
    | {
        name?: string | undefined;
        email?: string | undefined;
        url?: string | undefined;
      }
    | undefined;
  /** Languages of texts; the first is that of texts outside of `translations`. */
  languages?: string[] | undefined;
  /** Name of the release: it follows from the properties, the settings and the version of the tool, so the same ones have the same name. */
  release: string;
  /** Number of properties. */
  properties: number;
  /** Number of countries. */
  countries: number;
  /** Files with every property; absent where the catalogue offers none. */
  downloads?: Download[] | undefined;
  links: Link[];
};
