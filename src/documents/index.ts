/** `index.json`: links to everything that a catalogue offers. */

import { aboutOf } from '../contract/about.ts';
import { type Configuration, hasBulk } from '../contract/configuration.ts';
import {
  CHANGES_FEED_KEY,
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  DOCS_FOLDER,
  EXPLORER_KEY,
  GEOJSON_KEY,
  INDEX_KEY,
  NDJSON_GZIP_KEY,
  NDJSON_KEY,
  OPENAPI_JSON_KEY,
  OPENAPI_YAML_KEY,
  pointsKey,
} from '../contract/document-keys.ts';
import type { CatalogueIndex } from '../contract/downloads.ts';
import { JSON_TYPE, mediaType } from '../contract/headers.ts';
import { LIST_PATH, MANIFEST_KEY } from '../contract/keys.ts';
import { PROBLEMS_PAGE } from '../contract/problem.ts';

type Link = CatalogueIndex['links'][number];

/** What the file says of a release: its name, and how much it has. */
export type IndexedRelease = Pick<CatalogueIndex, 'release' | 'properties' | 'countries'>;

/** The text of the file. Relations are those of IANA's registry where it has one. */
export function indexText(
  configuration: Configuration,
  { release, properties, countries }: IndexedRelease,
): string {
  const bulk = hasBulk(configuration);
  const about = aboutOf(configuration);
  const links: Link[] = [
    link('self', INDEX_KEY, 'What the catalogue offers'),
    { rel: 'collection', href: LIST_PATH.slice(1), type: JSON_TYPE, title: 'List of properties' },
    {
      rel: 'item',
      href: `${LIST_PATH.slice(1)}/{property_id}`,
      type: JSON_TYPE,
      title: 'One property',
      templated: true,
    },
    link('countries', COUNTRIES_KEY, 'Countries and cities'),
    { ...link('points', pointsKey('{country}'), 'Points of a country'), templated: true },
    {
      rel: 'service-desc',
      href: OPENAPI_JSON_KEY,
      type: 'application/vnd.oai.openapi+json;version=3.1',
      title: 'OpenAPI document',
    },
    {
      rel: 'service-desc',
      href: OPENAPI_YAML_KEY,
      type: 'application/vnd.oai.openapi;version=3.1',
      title: 'OpenAPI document as YAML',
    },
  ];
  if (configuration.docs) links.push(page('service-doc', `${DOCS_FOLDER}/`, 'API reference'));
  if (configuration.explorer.enabled) links.push(page('alternate', EXPLORER_KEY, 'Explorer'));
  links.push(page('help', PROBLEMS_PAGE, 'Problems of the API'));
  if (bulk) {
    links.push(
      link('enclosure', NDJSON_KEY, 'All properties, one a line'),
      link('enclosure', NDJSON_GZIP_KEY, 'All properties, one a line, compressed'),
      link('enclosure', GEOJSON_KEY, 'All properties as points'),
      link('changes', CHANGES_INDEX_KEY, 'Changes by month, once there are any'),
      link('changes', CHANGES_FEED_KEY, 'Latest changes as a feed, once there are any'),
    );
  }
  if (about.logo) links.push(link('icon', about.logo, 'Logo'));
  links.push(link('manifest', MANIFEST_KEY, 'Digests of everything in this release'));
  const { license } = configuration;
  if (license) links.push({ rel: 'license', href: license.url, type: 'text/html', title: license.name });
  const document: CatalogueIndex = {
    title: about.title,
    ...(about.description ? { description: about.description } : {}),
    ...(about.contact ? { contact: about.contact } : {}),
    release,
    properties,
    countries,
    links,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function link(rel: string, key: string, title: string): Link {
  return { rel, href: key, type: mediaType(key), title };
}

function page(rel: string, href: string, title: string): Link {
  return { rel, href, type: 'text/html', title };
}
