// DCAT and schema.org descriptions depend only on the configuration, so they stay the same when properties change.
import { aboutCatalogue } from '../contract/about-catalogue.ts';
import { type Configuration, offersBulkDownloads } from '../contract/configuration.ts';
import { DATA_PACKAGE_KEY, INDEX_KEY, OPENAPI_JSON_KEY } from '../contract/document-keys.ts';
import { hostOf } from '../contract/hosts.ts';
import { LIST_PATH } from '../contract/object-keys.ts';

const urlOf = (base: string, key: string) => `${base.replace(/\/+$/, '')}/${key}`;
const languagesOf = ({ language, languages }: Configuration) => languages ?? (language ? [language] : []);

export function dcatText(configuration: Configuration): string {
  const { base_url, license } = configuration;
  const { title, description, contact } = aboutCatalogue(configuration);
  const languages = languagesOf(configuration);
  const rights = license ? { 'dct:license': { '@id': license.url } } : {};
  const distribution = (key: string, name: string) => ({
    '@type': 'dcat:Distribution',
    'dct:title': name,
    'dcat:accessURL': { '@id': urlOf(base_url, key) },
    'dcat:mediaType': { '@id': 'https://www.iana.org/assignments/media-types/application/json' },
    ...rights,
  });
  const document = {
    '@context': {
      dcat: 'http://www.w3.org/ns/dcat#',
      dct: 'http://purl.org/dc/terms/',
      foaf: 'http://xmlns.com/foaf/0.1/',
      vcard: 'http://www.w3.org/2006/vcard/ns#',
    },
    '@id': urlOf(base_url, '#dataset'),
    '@type': 'dcat:Dataset',
    'dct:title': title,
    ...(description ? { 'dct:description': description } : {}),
    ...(languages.length > 0 ? { 'dct:language': languages } : {}),
    'dcat:landingPage': { '@id': urlOf(base_url, '') },
    ...(contact
      ? {
          'dcat:contactPoint': {
            '@type': 'vcard:Organization',
            ...(contact.name ? { 'vcard:fn': contact.name } : {}),
            ...(contact.email ? { 'vcard:hasEmail': { '@id': `mailto:${contact.email}` } } : {}),
            ...(contact.url ? { 'vcard:hasURL': { '@id': contact.url } } : {}),
          },
        }
      : {}),
    ...rights,
    'dcat:distribution': [
      {
        ...distribution(INDEX_KEY, 'All files'),
        ...(hostOf(configuration.host)?.isStatic
          ? {}
          : {
              'dcat:accessService': {
                '@type': 'dcat:DataService',
                'dct:title': title,
                'dcat:endpointURL': { '@id': urlOf(base_url, LIST_PATH.slice(1)) },
                'dcat:endpointDescription': { '@id': urlOf(base_url, OPENAPI_JSON_KEY) },
              },
            }),
      },
      distribution(DATA_PACKAGE_KEY, 'The downloads as a data package'),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

export function schemaOrgDataset(configuration: Configuration): object {
  const { base_url, license } = configuration;
  const { title, description = title, contact } = aboutCatalogue(configuration);
  const languages = languagesOf(configuration);
  const file = (key: string) => ({
    '@type': 'DataDownload',
    encodingFormat: 'application/json',
    contentUrl: urlOf(base_url, key),
  });
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: title,
    description,
    url: urlOf(base_url, ''),
    ...(languages.length > 0 ? { inLanguage: languages } : {}),
    ...(license ? { license: license.url } : {}),
    ...(contact ? { creator: { '@type': 'Organization', ...contact } } : {}),
    distribution: [INDEX_KEY, ...(offersBulkDownloads(configuration) ? [DATA_PACKAGE_KEY] : [])].map(file),
  };
}
