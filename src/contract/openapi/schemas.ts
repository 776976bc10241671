/** Generates the schemas of the OpenAPI document from the zod schemas (JSON Schema 2020-12, as in OpenAPI 3.1). */
import * as z from 'zod';
import {
  changesIndexSchema,
  changesSchema,
  cityListSchema,
  countriesSchema,
  featureCollectionSchema,
  indexSchema,
  keptReleasesSchema,
  propertyRecordSchema,
  rootSchemaForOpenApi,
} from '../document-schemas.ts';
import { pageSchema, publishedPropertySchema } from '../property.ts';
import type { JsonObject } from './input.ts';

export const problemSchema = z
  .strictObject({
    type: z.string().meta({
      format: 'uri-reference',
      description:
        'Relative URL of a page that explains the error; its fragment is the permanent error code.',
    }),
    title: z.string().meta({ description: 'The kind of error, in a few words.' }),
    status: z.int().min(400).max(599).meta({ description: 'HTTP status code of the response.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, and how to correct it.' }),
    parameter: z.string().optional().meta({
      description: 'The invalid query parameter, if any; `filter[*]` or `page[*]` if its name is unknown.',
    }),
  })
  .meta({ id: 'Problem', description: 'The body of an error response (RFC 9457).' });

/**
 * Schemas by name. Objects allow additional properties, so that consumers do not break when a later release adds a
 * field.
 * @param bulk whether the catalogue offers downloads and changes
 */
export function openApiSchemas(bulk: boolean): JsonObject {
  const published = z.object({
    a: pageSchema,
    b: publishedPropertySchema,
    c: problemSchema,
    d: indexSchema,
    e: countriesSchema,
    k: cityListSchema,
    m: keptReleasesSchema,
    ...(bulk
      ? {
          f: propertyRecordSchema,
          g: featureCollectionSchema,
          h: changesSchema,
          i: changesIndexSchema,
          l: rootSchemaForOpenApi,
        }
      : {}),
  });
  const { $defs = {} } = z.toJSONSchema(published, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // zod adds the maximum of JavaScript's integers, which is not part of the contract.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  const text = JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/');
  const sorted = Object.entries(JSON.parse(text) as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
