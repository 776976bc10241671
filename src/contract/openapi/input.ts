/** What the OpenAPI document is made from. */
import type { About } from '../about.ts';
import type { License } from '../configuration.ts';
import type { Page, Property } from '../property.ts';
import type { RouteSettings } from '../route.ts';

/** A value of JSON (RFC 8259). */
type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** An object of JSON. */
export type JsonObject = { [key: string]: Json };

/** Something real to show in the document. */
export type OpenApiExample = {
  readonly id: string;
  readonly property: Property;
  /** The first page of the list of its city in its country. */
  readonly page: Page;
};

/** What the document depends on. */
export type OpenApiInput = {
  readonly about: About;
  /** URL of the catalogue, without a trailing slash. */
  readonly baseUrl: string;
  readonly settings: RouteSettings;
  /** Whether the list asks for a key. */
  readonly apiKeys: boolean;
  /** Whether there are downloads and changes. */
  readonly bulk: boolean;
  /** `Cache-Control` of lists and details. */
  readonly cacheControl: string;
  /** Licence of the data; undefined when the configuration has none. */
  readonly license: License | undefined;
  /** A property of the catalogue; undefined when it has none. */
  readonly example: OpenApiExample | undefined;
};
