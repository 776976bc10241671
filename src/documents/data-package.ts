/**
 * `datapackage.json`: the downloads as a data package (Data Package v2,
 * https://datapackage.org/standard/data-package/).
 */

import { aboutCatalogue, type Contact } from '../contract/about-catalogue.ts';
import type { Configuration } from '../contract/configuration.ts';
import { CSV_KEY, GEOJSON_KEY, INDEX_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import type { Download } from '../contract/document-schemas.ts';
import type { FieldTable } from '../contract/fields.ts';
import { declaredTerms } from '../contract/terms.ts';
import { csvFormatOfFields } from './csv-format.ts';

type Resource = Readonly<Record<string, unknown>>;

const formatsOf = (fields: FieldTable): Readonly<Record<string, Resource>> => ({
  [CSV_KEY]: {
    type: 'table',
    format: 'csv',
    dialect: { lineTerminator: '\r\n' },
    schema: { fields: csvFormatOfFields(fields).fields, primaryKey: ['id'] },
  },
  [NDJSON_KEY]: { format: 'ndjson' },
  [GEOJSON_KEY]: { format: 'geojson' },
});

/** If the downloads are in parts, this is the only resource: the index names the root, which lists the parts. */
const PARTS_RESOURCE: Resource = {
  name: 'downloads',
  path: INDEX_KEY,
  title: 'The downloads',
  format: 'json',
  mediatype: 'application/json',
  encoding: 'utf-8',
};

/** If the downloads are in parts, the member `columns` describes the table of `catalogue export --format csv`. */
export function dataPackageText(configuration: Configuration, downloads: readonly Download[]): string {
  const { title, description, contact } = aboutCatalogue(configuration);
  const { license } = configuration;
  const { fields } = declaredTerms(configuration);
  const formats = formatsOf(fields);
  const isListed = downloads.some(({ root }) => root);
  const document = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'properties',
    title,
    ...(fields.languages.length > 0 && { languages: fields.languages }),
    ...(description ? { description } : {}),
    homepage: configuration.base_url,
    ...(contact ? { contributors: [contributorOf(contact)] } : {}),
    ...(license ? { licenses: [{ path: license.url, title: license.name }] } : {}),
    resources: isListed ? [PARTS_RESOURCE] : downloads.map((one) => resourceOf(one, formats[one.name]!)),
    ...(isListed ? { columns: csvFormatOfFields(fields).fields } : {}),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function contributorOf({ name, email, url }: Contact): Resource {
  return { title: name ?? email ?? url, email, path: url, roles: ['contact'] };
}

function resourceOf({ name, title, type, bytes, sha256 }: Download, about: Resource): Resource {
  return {
    name: `properties-${about.format as string}`,
    path: name,
    title,
    ...about,
    mediatype: type,
    encoding: 'utf-8',
    bytes,
    hash: `sha256:${sha256}`,
  };
}
