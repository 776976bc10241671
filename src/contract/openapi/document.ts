/**
 * The OpenAPI 3.1 document of a catalogue: both operations of the API (none on a static host), the files that can be
 * downloaded, and all problems.
 */
import type { Contact } from '../about-catalogue.ts';
import { COMMON_HEADERS, PREFLIGHT_HEADERS } from '../headers.ts';
import { isLoopbackUrl } from '../public-url.ts';
import { withDeclaredFields } from './declared-fields.ts';
import { openApiDownloads } from './downloads.ts';
import type { JsonObject, OpenApiInput } from './input.ts';
import { openApiOperations, openApiParameters } from './operations.ts';
import { hasReleaseHeader, headersAsMarkdown, openApiHeaders, openApiResponses } from './responses.ts';
import { openApiSchemas } from './schemas.ts';

/** The major version is the `v1` in the path. */
const API_VERSION = '1.0.0';

/**
 * Pure: the same input gives the same document, with keys in the same order.
 * @example
 * const settings = { base: '', sizes: 'all' };
 * const site = { about: { title: 'Stays' }, baseUrl: 'https://stays.example', cacheControl: 'max-age=60' };
 * const nothing = { apiKeys: false, bulk: true, license: undefined, example: undefined };
 * openApiDocument({ ...site, ...nothing, settings }).openapi // '3.1.0'
 */
export function openApiDocument(input: OpenApiInput): JsonObject {
  const { about, apiKeys, bulk, isStatic, settings } = input;
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: API_VERSION,
      summary: 'A public, read-only catalogue of holiday properties.',
      description: introduction(input),
      contact: contactOf(input),
      license: licenseOf(input),
      // An extension that viewers such as Redoc show.
      ...(about.logo ? { 'x-logo': { url: `${input.baseUrl}/${about.logo}`, altText: about.title } } : {}),
    },
    servers: [{ url: serverUrl(input), description: 'The catalogue.' }],
    tags: [
      ...(isStatic
        ? []
        : [{ name: 'Properties', description: 'Search the catalogue, then get one property.' }]),
      {
        name: 'Whole catalogue',
        description: bulk
          ? 'What the catalogue offers, downloads of all properties, and changes.'
          : 'What the catalogue offers.',
      },
    ],
    paths: { ...(isStatic ? {} : openApiOperations(input)), ...openApiDownloads(input) },
    components: {
      schemas: input.fields ? withDeclaredFields(openApiSchemas(bulk), input.fields) : openApiSchemas(bulk),
      parameters: openApiParameters(input),
      headers: openApiHeaders(input.cacheControl, apiKeys, hasReleaseHeader(settings)),
      responses: openApiResponses(settings, apiKeys),
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: apiKeys
            ? 'The list requires a key. A single property does not.'
            : 'Allowed and not checked: this catalogue is open to everyone.',
        },
      },
    },
  };
}

function introduction({ about, isStatic, settings }: OpenApiInput): string {
  const [common, preflight] = [COMMON_HEADERS, PREFLIGHT_HEADERS].map(headersAsMarkdown);
  return [
    ...(about.description ? [about.description] : []),
    isStatic
      ? 'This catalogue is on a host that only serves files: it answers no queries.'
      : 'Two operations: a list of properties, filtered by country and city and divided into pages, and one property by its id. Everything is a file: the same request gets the same bytes until the catalogue is published anew.',
    ...(isStatic
      ? []
      : [
          `Every path answers GET, HEAD and OPTIONS. Every answer, an error too, carries ${common}; a preflight is answered by 204 with ${preflight}.`,
          `Errors are problem documents (RFC 9457); the \`type\` of each leads to [a page that explains it](${settings.base}/problems.html). Objects may get more fields in later releases, so ignore those you do not know.`,
        ]),
  ].join('\n\n');
}

/** Returns a relative URL instead of a local address, so that clients call the host that serves the document. */
function serverUrl({ baseUrl, settings }: OpenApiInput): string {
  return isLoopbackUrl(baseUrl) ? settings.base || '/' : baseUrl;
}

function licenseOf({ license, baseUrl }: OpenApiInput): JsonObject {
  return license ? { ...license } : { name: 'Not stated', url: `${baseUrl}/index.json` };
}

function contactOf({ about: { contact }, baseUrl }: OpenApiInput): JsonObject {
  const { name, url, email }: Contact = contact ?? { name: 'The catalogue', url: `${baseUrl}/index.json` };
  return { ...(name ? { name } : {}), ...(url ? { url } : {}), ...(email ? { email } : {}) };
}
