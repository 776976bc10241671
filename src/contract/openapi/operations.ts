import { JSON_TYPE, RELEASE_HEADER } from '../headers.ts';
import { LIST_PATH } from '../object-keys.ts';
import { PARAMETERS, type ParameterKey, type ValueRule, valueRule } from '../parameters.ts';
import type { JsonObject, OpenApiExample, OpenApiInput } from './input.ts';
import { hasReleaseHeader, RELEASE_LIST_HEADER_REFS, RESPONSE_HEADER_REFS } from './responses.ts';

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
      description: 'Identifier of the property, as the list gives it; upper and lower case are the same.',
      schema: { type: 'string', format: 'uuid' },
      ...(example ? { example: example.id } : {}),
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The ETag of an answer that is at hand (RFC 9110, 13.1.2): 304 when it still holds.',
      schema: { type: 'string' },
    },
    Range: {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'The part of the file that is wanted (RFC 9110, 14.2).',
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
    'The release that an earlier page named: this page is then of the same release, for as long as it is kept, and 410 afterwards. Send it with every page after the first, and entries neither repeat nor go missing when the catalogue is published meanwhile.',
  schema: { type: 'string' },
};

export function openApiOperations({ apiKeys, example, settings }: OpenApiInput): JsonObject {
  const namesRelease = hasReleaseHeader(settings);
  const listHeaders = namesRelease ? RELEASE_LIST_HEADER_REFS : RESPONSE_HEADER_REFS;
  return {
    [LIST_PATH]: {
      get: {
        operationId: 'listProperties',
        summary: 'List properties',
        description:
          'One page of the properties, ordered by country, city, title and id. A parameter that is left out or empty is not applied; one that comes twice, and an unknown `filter[...]` or `page[...]`, is an error; others are ignored.',
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
        description: 'All that the catalogue holds about one property. Every field is always there.',
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
  return { description: 'The answer at hand still holds; there is no body.', headers };
}
