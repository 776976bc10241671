import { aboutCatalogue } from '../contract/about-catalogue.ts';
import { type Configuration, offersBulkDownloads, routeSettings } from '../contract/configuration.ts';
import { hostOf } from '../contract/hosts.ts';
import { openApiDocument } from '../contract/openapi/document.ts';
import type { OpenApiExample } from '../contract/openapi/input.ts';
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';
import { declaredTerms } from '../contract/terms.ts';
import { assemblePage } from '../release/page.ts';

export type ExampleTexts = {
  readonly id: string;
  readonly detail: string;
  /** Summaries of all properties in the example's city, in the order of the list. */
  readonly summaries: readonly string[];
};

export function openApiText(configuration: Configuration, texts: ExampleTexts | undefined): string {
  const document = openApiDocument({
    about: aboutCatalogue(configuration),
    baseUrl: configuration.base_url,
    settings: routeSettings(configuration),
    apiKeys: configuration.api_keys.length > 0,
    bulk: offersBulkDownloads(configuration),
    cacheControl: configuration.cache_control.api,
    isStatic: hostOf(configuration.host)?.isStatic,
    license: configuration.license,
    fields: declaredTerms(configuration).fields,
    // This document is public, so it must not contain what needs an API key.
    example: texts && configuration.api_keys.length === 0 ? exampleOf(texts) : undefined,
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

function exampleOf({ id, detail, summaries }: ExampleTexts): OpenApiExample {
  const entries = summaries.slice(0, DEFAULT_PAGE_SIZE).map((text) => Buffer.from(text));
  const page = Buffer.concat(assemblePage(entries, 1, DEFAULT_PAGE_SIZE, summaries.length));
  return { id, property: JSON.parse(detail), page: JSON.parse(page.toString('utf8')) };
}
