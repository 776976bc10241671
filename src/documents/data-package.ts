/** `datapackage.json`: the downloads as a data package (Data Package v2, https://datapackage.org/standard/data-package/). */

import { aboutOf, type Contact } from '../contract/about.ts';
import type { Configuration } from '../contract/configuration.ts';
import { CSV_KEY, GEOJSON_KEY, INDEX_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import type { Download } from '../contract/downloads.ts';
import type { FieldTable } from '../contract/fields.ts';
import { fieldsOf } from '../contract/terms.ts';
import { documentText } from './index.ts';
import { tableOf } from './table.ts';

type Resource = Readonly<Record<string, unknown>>;

const formatsOf = (fields: FieldTable): Readonly<Record<string, Resource>> => ({
  [CSV_KEY]: {
    type: 'table',
    format: 'csv',
    dialect: { lineTerminator: '\r\n' },
    schema: { fields: tableOf(fields).fields, primaryKey: ['id'] },
  },
  [NDJSON_KEY]: { format: 'ndjson' },
  [GEOJSON_KEY]: { format: 'geojson' },
});

/** The only resource where the downloads have too many parts to be named here. */
const LISTED: Resource = {
  name: 'downloads',
  path: INDEX_KEY,
  title: 'The downloads, with lists of their parts',
  format: 'json',
  mediatype: 'application/json',
  encoding: 'utf-8',
};

/**
 * Returns the text of `datapackage.json`. Parts that can be concatenated form one resource; each part of the GeoJSON is
 * a separate document, so it gets its own resource. Compressed downloads repeat the rows of another resource and are
 * left out.
 */
export function dataPackageText(
  configuration: Configuration,
  { release, downloads }: { readonly release: string; readonly downloads: readonly Download[] },
): string {
  const { title, description, contact } = aboutOf(configuration);
  const { license } = configuration;
  const { fields } = fieldsOf(configuration);
  const formats = formatsOf(fields);
  const isListed = downloads.some(({ lists }) => lists);
  const document = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: 'properties',
    // Lists have many parts: only `index.json` names the release, so that a change need not write two documents.
    ...(isListed ? {} : { version: release }),
    title,
    ...(fields.languages.length > 0 && { languages: fields.languages }),
    ...(description ? { description } : {}),
    homepage: configuration.base_url,
    ...(contact ? { contributors: [contributorOf(contact)] } : {}),
    ...(license ? { licenses: [{ path: license.url, title: license.name }] } : {}),
    resources: isListed
      ? [LISTED]
      : downloads.flatMap((download) => resourcesOf(download, formats[download.name])),
  };
  return documentText(document, downloads);
}

function contributorOf({ name, email, url }: Contact): Resource {
  return { title: name ?? email ?? url, email, path: url, roles: ['contact'] };
}

function resourcesOf(download: Download, about: Resource | undefined): Resource[] {
  if (!about) return [];
  const { title, type, parts, bytes } = download;
  const name = `properties-${about.format as string}`;
  const shared = { title, ...about, mediatype: type, encoding: 'utf-8' };
  const single = (own: string, { href, bytes, sha256 }: Download['parts'][number]): Resource => ({
    name: own,
    path: href,
    ...shared,
    bytes,
    hash: `sha256:${sha256}`,
  });
  if (parts.length === 1) return [single(name, parts[0]!)];
  if (download.name === GEOJSON_KEY) return parts.map((part, index) => single(`${name}-${index + 1}`, part));
  return [{ name, path: parts.map(({ href }) => href), ...shared, bytes }];
}
