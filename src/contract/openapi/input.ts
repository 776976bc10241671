import type { AboutCatalogue } from '../about-catalogue.ts';
import type { License } from '../configuration.ts';
import type { FieldTable } from '../fields.ts';
import type { Page, Property } from '../property.ts';
import type { RouteSettings } from '../route.ts';

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export type OpenApiExample = {
  readonly id: string;
  readonly property: Property;
  readonly page: Page;
};

export type OpenApiInput = {
  readonly about: AboutCatalogue;
  /** URL of the catalogue, without a trailing slash. */
  readonly baseUrl: string;
  readonly settings: RouteSettings;
  readonly apiKeys: boolean;
  /** Whether the catalogue offers downloads and changes. */
  readonly bulk: boolean;
  readonly cacheControl: string;
  /** True if the host ignores queries: then the document has only files, no operations. @default false */
  readonly isStatic?: boolean | undefined;
  /** @default {@link FIELDS} */
  readonly fields?: FieldTable;
  readonly license: License | undefined;
  /** Undefined if the catalogue has no properties. */
  readonly example: OpenApiExample | undefined;
};
