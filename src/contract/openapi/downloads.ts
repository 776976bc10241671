import { accessOf } from '../access.ts';
import {
  CHANGES_FEED_KEY,
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  CSV_KEY,
  changesKey,
  cityListKey,
  DATA_PACKAGE_KEY,
  GEOJSON_KEY,
  INDEX_KEY,
  NDJSON_KEY,
} from '../document-keys.ts';
import { mediaType } from '../headers.ts';
import { KEPT_RELEASES_KEY, PARTS_FOLDER, rootKey } from '../object-keys.ts';
import type { JsonObject, OpenApiInput } from './input.ts';
import { PARTIAL_RESPONSE_HEADER_REFS, RESPONSE_HEADER_REFS } from './responses.ts';

type Download = {
  readonly key: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Schema of the file or, for `.ndjson`, of each line. Undefined for CSV, the feed and the data package. */
  readonly schema?: string;
  /** True if only catalogues that offer downloads and changes have this file. */
  readonly bulk?: true;
};

const ROOT_PATH = rootKey('{release}');
const PART_PATH = `${PARTS_FOLDER}/{part}`;

const PARTS_INSTEAD =
  'A catalogue with more than 1 MB of properties may offer parts instead of this file: see `downloads` of the index.';

const DOWNLOADS: readonly Download[] = [
  {
    key: INDEX_KEY,
    operationId: 'getIndex',
    summary: 'What the catalogue offers',
    description:
      'Links to everything that the catalogue offers, relative to this file. `downloads` lists the files with all properties. A large catalogue names a root there instead, which lists parts of at most 800 KB each.',
    schema: 'Index',
  },
  {
    key: COUNTRIES_KEY,
    operationId: 'getCountries',
    summary: 'Countries',
    description:
      'Every country that has properties, with the numbers of its properties and cities, and the URL of its list.',
    schema: 'Countries',
  },
  {
    key: cityListKey('{country}'),
    operationId: 'getCities',
    summary: 'Cities of a country',
    description:
      'Every city of a country that has properties, with the number of its properties. `Countries` lists the countries for which this file exists.',
    schema: 'CityList',
  },
  {
    key: KEPT_RELEASES_KEY,
    operationId: 'getKeptReleases',
    summary: 'Releases that can be read',
    description:
      'The live release and earlier releases, each with the time until which clients can read it. The file exists once the catalogue was published with such a promise.',
    schema: 'KeptReleases',
  },
  {
    key: NDJSON_KEY,
    operationId: 'downloadProperties',
    summary: 'All properties',
    description: `Every property with its id, one JSON object per line, in the order of the list. Each line is a \`PropertyRecord\`. ${PARTS_INSTEAD}`,
    schema: 'PropertyRecord',
    bulk: true,
  },
  {
    key: GEOJSON_KEY,
    operationId: 'downloadPoints',
    summary: 'All properties as points',
    description: `Every property as a point on the map (GeoJSON, RFC 7946), in the order of the list. ${PARTS_INSTEAD}`,
    schema: 'FeatureCollection',
    bulk: true,
  },
  {
    key: CSV_KEY,
    operationId: 'downloadTable',
    summary: 'All properties as a table',
    description: `Every property as a row, for spreadsheets (CSV, RFC 4180). A list is joined into one text. A text that a spreadsheet would take for a formula starts with an apostrophe. ${PARTS_INSTEAD}`,
    bulk: true,
  },
  {
    key: ROOT_PATH,
    operationId: 'getRoot',
    summary: 'What belongs to a release',
    description: 'Lists the parts that contain all properties. The index names the root of the live release.',
    schema: 'Root',
    bulk: true,
  },
  {
    key: PART_PATH,
    operationId: 'downloadPart',
    summary: 'A part of all properties',
    description:
      'Some of the properties with their ids, one JSON object per line. The parts of a root, joined in order, contain all properties. The content at this URL never changes.',
    schema: 'PropertyRecord',
    bulk: true,
  },
  {
    key: DATA_PACKAGE_KEY,
    operationId: 'getDataPackage',
    summary: 'The downloads as a data package',
    description: 'Describes the downloads and the columns of the table (Data Package v2).',
    bulk: true,
  },
  {
    key: CHANGES_INDEX_KEY,
    operationId: 'getChangesIndex',
    summary: 'Months that have changes',
    description: 'Lists the months that have changes. The file exists once a publication recorded changes.',
    schema: 'ChangesIndex',
    bulk: true,
  },
  {
    key: changesKey('{month}'),
    operationId: 'getChanges',
    summary: 'Changes of a month',
    description:
      'What each release of a month changed, one JSON object per line, oldest first. Each line is a `Changes`. To update a copy to the release that `index.json` names, read lines from the newest to the oldest, month by month. Skip lines until the `release` of a line is the one in `index.json`. Collect this line and the following ones. Stop after a line whose `previous` is the release of your copy, or before a line whose `release` is the release of your copy. Then apply the collected lines, oldest first. If you find neither, or if `previous` is null before that, download everything again.',
    schema: 'Changes',
    bulk: true,
  },
  {
    key: CHANGES_FEED_KEY,
    operationId: 'getChangesFeed',
    summary: 'Latest changes as a feed',
    description: 'The latest releases with their changes, as an Atom feed (RFC 4287).',
    bulk: true,
  },
];

export function openApiDownloads({ bulk, apiKeys }: OpenApiInput): JsonObject {
  const offered = DOWNLOADS.filter((download) => bulk || !download.bulk);
  return Object.fromEntries(offered.map((download) => [`/${download.key}`, pathItem(download, apiKeys)]));
}

/** Describes lines of JSON as text, as client generators expect. `contentSchema` is the schema of one line. */
function schemaOf({ key, schema }: Download): JsonObject {
  const reference = { $ref: `#/components/schemas/${schema}` };
  if (key.endsWith('.ndjson')) {
    const description = `Lines of JSON. Each line is a \`${schema}\` and ends with a line feed.`;
    return { type: 'string', description, contentMediaType: mediaType(key), contentSchema: reference };
  }
  if (schema) return reference;
  if (key === DATA_PACKAGE_KEY) return { type: 'object' };
  return { type: 'string' };
}

function contentOf(download: Download): JsonObject {
  const key = download.key === PART_PATH ? NDJSON_KEY : download.key;
  return { [mediaType(key).replace(/;.*/, '')]: { schema: schemaOf({ ...download, key }) } };
}

const PART = 'The bytes that `Range` requests. A part of a JSON file is usually not valid JSON.';

function pathItem(download: Download, apiKeys: boolean): JsonObject {
  const { key, operationId, summary, description } = download;
  const content = contentOf(download);
  const isGuarded = apiKeys && accessOf(key) === 'guarded';
  const response = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    get: {
      operationId,
      summary,
      description,
      tags: ['Whole catalogue'],
      security: isGuarded ? [{ ApiKey: [] }] : [],
      parameters: [...parametersOf(key), ...['IfNoneMatch', 'Range'].map(parameter)],
      responses: {
        200: { description: 'The file.', headers: RESPONSE_HEADER_REFS, content },
        // The same schema as for 200. With another one, generated clients would have no type for the body.
        206: { description: PART, headers: PARTIAL_RESPONSE_HEADER_REFS, content },
        304: {
          description: 'The stored file is still current. There is no body.',
          headers: RESPONSE_HEADER_REFS,
        },
        ...(isGuarded ? { 401: response('InvalidKey') } : {}),
        404: response('NotFound'),
        405: response('MethodNotAllowed'),
        416: response('RangeNotSatisfiable'),
        502: response('ListUnavailable'),
      },
    },
  };
}

function parametersOf(key: string): JsonObject[] {
  const name = /\{(\w+)\}/.exec(key)?.[1];
  return PARAMETERS.filter((one) => one.name === name);
}

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

const COUNTRY: JsonObject = {
  name: 'country',
  in: 'path',
  required: true,
  description: 'ISO 3166-1 alpha-2 code.',
  schema: { type: 'string', pattern: '^[A-Z]{2}$' },
  example: 'IE',
};

const MONTH: JsonObject = {
  name: 'month',
  in: 'path',
  required: true,
  description: 'Year and month, `yyyy-mm`.',
  schema: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$' },
  example: '2026-11',
};

const PART_NAME: JsonObject = {
  name: 'part',
  in: 'path',
  required: true,
  description: 'Name of a part, with the extension `.ndjson`.',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}[.]ndjson$' },
  example: '0123456789abcdef0123456789abcdef.ndjson',
};

const RELEASE: JsonObject = {
  name: 'release',
  in: 'path',
  required: true,
  description: 'Name of a release.',
  schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  example: '0123456789abcdef0123456789abcdef',
};

const PARAMETERS: readonly JsonObject[] = [COUNTRY, MONTH, PART_NAME, RELEASE];
