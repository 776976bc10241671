import { JSON_TYPE, RELEASE_HEADER } from '../headers.ts';
import { LIST_PATH } from '../object-keys.ts';
import { PARAMETERS, type ParameterKey, type ValueRule, valueRule } from '../parameters.ts';
import type { JsonObject, OpenApiExample, OpenApiInput } from './input.ts';
import { hasReleaseHeader, PACKED_LIST_HEADER_REFS, RESPONSE_HEADER_REFS } from './responses.ts';

const COMPONENT_NAMES: Readonly<Record<ParameterKey, string>> = {
  country: 'Country',
  city: 'City',
  number: 'PageNumber',
  size: 'PageSize',
};
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });
const response = (name: string) => ({ $ref: `#/components/responses/${name}` });

export function openApiParameters({ settings, example }: OpenApiInput): JsonObject {
  return {
    ...Object.fromEntries(
      PARAMETERS.map(({ key, name, description, ...parameter }) => [
        COMPONENT_NAMES[key],
        {
          name,
          in: 'query',
          required: false,
          description,
          schema: {
            ...valueSchema(valueRule(key, settings.sizes)),
            ...(parameter.default === undefined ? {} : { default: parameter.default }),
          },
          example: ((key === 'country' || key === 'city') && example?.property[key]) || parameter.example,
        },
      ]),
    ),
    PropertyId: {
      name: 'property_id',
      in: 'path',
      required: true,
      description: 'The `id` of a property in the list. Upper and lower case make no difference.',
      schema: { type: 'string', format: 'uuid' },
      ...(example ? { example: example.id } : {}),
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description:
        'ETag of a stored response (RFC 9110, 13.1.2). If that is still current, the new response is 304.',
      schema: { type: 'string' },
    },
    Range: {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'The bytes of the file to send (RFC 9110, 14.2).',
      schema: { type: 'string', pattern: '^bytes=' },
      example: 'bytes=0-99',
    },
    ...(hasReleaseHeader(settings) ? { CatalogueRelease: RELEASE_PARAMETER } : {}),
  };
}

function valueSchema(rule: ValueRule | undefined): JsonObject {
  if (rule?.set) return { type: 'integer', enum: [...rule.set] };
  if (rule?.bounds) return { type: 'integer', ...rule.bounds };
  return { type: 'string', ...(rule ? { pattern: `^${rule.pattern}$` } : {}) };
}

const RELEASE_PARAMETER: JsonObject = {
  name: RELEASE_HEADER,
  in: 'header',
  required: false,
  description:
    'The release to answer from: the value of this header in the response with the first page. Send it with every further page, so that no entry is repeated or missing if the catalogue is published meanwhile. Once the release is no longer kept, the response is 410.',
  schema: { type: 'string' },
};

export function openApiOperations({ apiKeys, example, settings }: OpenApiInput): JsonObject {
  const namesRelease = hasReleaseHeader(settings);
  const listHeaders = namesRelease ? PACKED_LIST_HEADER_REFS : RESPONSE_HEADER_REFS;
  return {
    [LIST_PATH]: {
      get: {
        operationId: 'listProperties',
        summary: 'List properties',
        description:
          'One page of the properties, ordered by country, city, title and id. A parameter that is absent or empty has no effect. A repeated parameter is an error, and so is an unknown `filter[...]` or `page[...]` parameter. All other unknown parameters are ignored.',
        tags: ['Properties'],
        security: apiKeys ? [{ ApiKey: [] }] : [{}, { ApiKey: [] }],
        parameters: [
          ...Object.values(COMPONENT_NAMES),
          'IfNoneMatch',
          ...(namesRelease ? ['CatalogueRelease'] : []),
        ].map(parameter),
        responses: {
          200: success('A page of the list.', 'Page', pageExamples(example), listHeaders),
          304: notModified(listHeaders),
          400: response('InvalidRequest'),
          ...(apiKeys ? { 401: response('InvalidKey') } : {}),
          405: response('MethodNotAllowed'),
          ...(namesRelease ? { 410: response('ReleaseGone') } : {}),
          502: response('ListUnavailable'),
        },
      },
    },
    [`${LIST_PATH}/{property_id}`]: {
      get: {
        operationId: 'getProperty',
        summary: 'Get one property',
        description: 'All published data of one property. Every field is always present.',
        tags: ['Properties'],
        security: [],
        parameters: [parameter('PropertyId'), parameter('IfNoneMatch')],
        responses: {
          200: success(
            'The property.',
            'Property',
            example && {
              property: {
                summary: example.property.title,
                value: JSON.parse(JSON.stringify(example.property)),
              },
            },
          ),
          304: notModified(),
          404: response('PropertyNotFound'),
          405: response('MethodNotAllowed'),
          502: response('ListUnavailable'),
        },
      },
    },
  };
}

function pageExamples(example: OpenApiExample | undefined): JsonObject | undefined {
  if (!example) return undefined;
  const { city, country } = example.property;
  return {
    filtered: {
      summary: `${city}, ${country}`,
      value: JSON.parse(JSON.stringify(example.page)),
    },
  };
}

function success(
  description: string,
  schema: string,
  examples: JsonObject | undefined,
  headers: JsonObject = RESPONSE_HEADER_REFS,
): JsonObject {
  return {
    description,
    headers,
    content: {
      [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${schema}` }, ...(examples ? { examples } : {}) },
    },
  };
}

function notModified(headers: JsonObject = RESPONSE_HEADER_REFS): JsonObject {
  return { description: 'The stored response is still current. There is no body.', headers };
}
