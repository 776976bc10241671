import { aboutCatalogue } from '../contract/about-catalogue.ts';
import type { Configuration } from '../contract/configuration.ts';
import {
  CHANGES_FEED_KEY,
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  CSV_KEY,
  cityListKey,
  DATA_PACKAGE_KEY,
  DCAT_KEY,
  DOCS_FOLDER,
  type DownloadName,
  EXPLORER_KEY,
  GEOJSON_KEY,
  INDEX_KEY,
  NDJSON_KEY,
  OPENAPI_JSON_KEY,
  OPENAPI_YAML_KEY,
  PROBLEMS_PAGE,
} from '../contract/document-keys.ts';
import type { CatalogueIndex, Download } from '../contract/document-schemas.ts';
import { JSON_TYPE, mediaType } from '../contract/headers.ts';
import { hostOf } from '../contract/hosts.ts';
import { LIST_PATH, rootKey } from '../contract/object-keys.ts';
import { declaredTerms } from '../contract/terms.ts';

type Link = CatalogueIndex['links'][number];

export type IndexedRelease = Pick<CatalogueIndex, 'release' | 'properties' | 'countries' | 'downloads'>;

const DOWNLOAD_TITLES: Readonly<Record<DownloadName, string>> = {
  [NDJSON_KEY]: 'All properties, one a line',
  [GEOJSON_KEY]: 'All properties as points',
  [CSV_KEY]: 'All properties as a table',
};

const API_LINKS: readonly Link[] = [
  { rel: 'collection', href: LIST_PATH.slice(1), type: JSON_TYPE, title: 'List of properties' },
  {
    rel: 'item',
    href: `${LIST_PATH.slice(1)}/{property_id}`,
    type: JSON_TYPE,
    title: 'One property',
    templated: true,
  },
];

type WrittenDownloads = {
  readonly parts: readonly { readonly bytes: number }[];
  readonly downloads:
    | { readonly files: readonly { readonly key: string; readonly bytes: number; readonly sha256: string }[] }
    | undefined;
};

/**
 * Returns one entry for each download of all properties. If the release has only parts, returns a single entry: its
 * `root` is the key of the root, which lists the parts.
 */
export function indexedDownloads({ parts, downloads }: WrittenDownloads, release: string): Download[] {
  const about = (name: DownloadName) => ({ name, type: bareType(name), title: DOWNLOAD_TITLES[name] });
  if (downloads)
    return downloads.files.map(({ key, bytes, sha256 }) => ({
      ...about(key as DownloadName),
      bytes,
      sha256,
    }));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return [{ ...about(NDJSON_KEY), bytes, root: rootKey(release) }];
}

/** Uses link relations of the IANA registry wherever the registry has a suitable one. */
export function catalogueIndexText(
  configuration: Configuration,
  { release, properties, countries, downloads }: IndexedRelease,
): string {
  const about = aboutCatalogue(configuration);
  const { languages } = declaredTerms(configuration).fields;
  const links: Link[] = [
    link('self', INDEX_KEY, 'What the catalogue offers'),
    ...(hostOf(configuration.host)?.isStatic ? [] : API_LINKS),
    link('countries', COUNTRIES_KEY, 'Countries'),
    { ...link('cities', cityListKey('{country}'), 'Cities of a country'), templated: true },
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
  if (downloads) {
    for (const { name, title, root } of downloads) if (!root) links.push(link('enclosure', name, title));
    links.push(
      link('describedby', DATA_PACKAGE_KEY, 'Data package of the downloads'),
      link('describedby', DCAT_KEY, 'Description for portals of open data'),
      link('changes', CHANGES_INDEX_KEY, 'Changes by month, once there are any'),
      link('changes', CHANGES_FEED_KEY, 'Latest changes as a feed, once there are any'),
    );
  }
  if (about.logo) links.push(link('icon', about.logo, 'Logo'));
  const { license } = configuration;
  if (license) links.push({ rel: 'license', href: license.url, type: 'text/html', title: license.name });
  const document: CatalogueIndex = {
    title: about.title,
    ...(about.description ? { description: about.description } : {}),
    ...(about.contact ? { contact: about.contact } : {}),
    ...(languages.length > 0 ? { languages: [...languages] } : {}),
    release,
    properties,
    countries,
    ...(downloads ? { downloads } : {}),
    links,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function link(rel: string, key: string, title: string): Link {
  return { rel, href: key, type: bareType(key), title };
}

function bareType(key: string): string {
  return mediaType(key).replace(/;.*/, '');
}

function page(rel: string, href: string, title: string): Link {
  return { rel, href, type: 'text/html', title };
}
