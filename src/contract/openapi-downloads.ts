/** The files beside the API in the OpenAPI document. */
import {
  CHANGES_FEED_KEY,
  CHANGES_INDEX_KEY,
  COUNTRIES_KEY,
  changesKey,
  GEOJSON_KEY,
  INDEX_KEY,
  NDJSON_GZIP_KEY,
  NDJSON_KEY,
  pointsKey,
} from './files.ts';
import { mediaType } from './headers.ts';
import type { JsonObject } from './openapi.ts';
import { ANSWER_HEADERS } from './openapi-answers.ts';

type Download = {
  readonly key: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the schema of the file, or of a line of it; undefined: text or bytes. */
  readonly schema?: string;
  /** Part of the downloads that a catalogue may leave out. */
  readonly bulk?: true;
};

const DOWNLOADS: readonly Download[] = [
  {
    key: INDEX_KEY,
    operationId: 'getIndex',
    summary: 'What the catalogue offers',
    description: 'Links to everything that the catalogue offers, relative to this file.',
    schema: 'Index',
  },
  {
    key: COUNTRIES_KEY,
    operationId: 'getCountries',
    summary: 'Countries and cities',
    description: 'Every country and city with the number of its properties and the address of its list.',
    schema: 'Countries',
  },
  {
    key: pointsKey('{country}'),
    operationId: 'getPoints',
    summary: 'Where the properties of a country are',
    description:
      'Position, id and title of every property of a country that has any, in the order of the list; `Countries` names those countries.',
    schema: 'Points',
  },
  {
    key: NDJSON_KEY,
    operationId: 'downloadProperties',
    summary: 'All properties',
    description:
      'Every property with its id, one JSON object a line, in the order of the list. The schema is that of a line.',
    schema: 'PropertyRecord',
    bulk: true,
  },
  {
    key: NDJSON_GZIP_KEY,
    operationId: 'downloadCompressedProperties',
    summary: 'All properties, compressed',
    description: 'The same as `properties.ndjson`, compressed with gzip (RFC 1952).',
    bulk: true,
  },
  {
    key: GEOJSON_KEY,
    operationId: 'downloadPoints',
    summary: 'All properties as points',
    description: 'Every property as a point on the map (GeoJSON, RFC 7946), in the order of the list.',
    schema: 'FeatureCollection',
    bulk: true,
  },
  {
    key: CHANGES_INDEX_KEY,
    operationId: 'getChangesIndex',
    summary: 'Months that have changes',
    description: 'Which months have changes. It is there from the first publication that recorded changes.',
    schema: 'ChangesIndex',
    bulk: true,
  },
  {
    key: changesKey('{month}'),
    operationId: 'getChanges',
    summary: 'Changes of a month',
    description:
      'What each release of a month changed, one JSON object a line, oldest first. To follow the catalogue, find the last line whose `release` is the one at hand, and apply the lines after it; a line without `previous` begins a new history. The schema is that of a line.',
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

/** The paths of the files. */
export function openApiDownloads(bulk: boolean): JsonObject {
  const offered = DOWNLOADS.filter((download) => bulk || !download.bulk);
  return Object.fromEntries(offered.map((download) => [`/${download.key}`, pathItem(download)]));
}

function pathItem({ key, operationId, summary, description, schema }: Download): JsonObject {
  const content = schema
    ? { $ref: `#/components/schemas/${schema}` }
    : { type: 'string', ...(key.endsWith('.gz') ? { contentMediaType: 'application/gzip' } : {}) };
  return {
    get: {
      operationId,
      summary,
      description,
      tags: ['Whole catalogue'],
      security: [],
      ...parametersOf(key),
      responses: {
        200: {
          description: 'The file.',
          headers: ANSWER_HEADERS,
          content: { [mediaType(key)]: { schema: content } },
        },
        404: { $ref: '#/components/responses/NotFound' },
      },
    },
  };
}

/** The parameters that stand in a key. */
function parametersOf(key: string): JsonObject {
  const name = /\{(\w+)\}/.exec(key)?.[1];
  const parameter = PARAMETERS.find((one) => one.name === name);
  return parameter ? { parameters: [parameter] } : {};
}

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

const PARAMETERS: readonly JsonObject[] = [COUNTRY, MONTH];
