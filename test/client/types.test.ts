/** The types of the client are self-contained, and agree with the schemas (B6). */
import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { clientTypes } from '../../scripts/make-client-types.ts';
import type * as client from '../../src/client/types.ts';
import type * as downloads from '../../src/contract/document-schemas.ts';
import type { problemSchema } from '../../src/contract/openapi/schemas.ts';
import type * as problem from '../../src/contract/problem.ts';
import type * as property from '../../src/contract/property.ts';

it('types are current (npx tsx scripts/make-client-types.ts) (B6)', async () => {
  const text = readFileSync(new URL('../../src/client/types.ts', import.meta.url), 'utf8');
  expect(text).toBe(await clientTypes());
  expect(text).not.toContain('import');
});

it('types agree with the schemas (B6)', () => {
  expectTypeOf<client.Page>().toEqualTypeOf<property.Page>();
  expectTypeOf<client.Property>().toEqualTypeOf<property.Property>();
  expectTypeOf<client.PropertyRecord>().toEqualTypeOf<downloads.PropertyRecord>();
  expectTypeOf<client.CatalogueIndex>().toEqualTypeOf<downloads.CatalogueIndex>();
  expectTypeOf<client.CityList>().toEqualTypeOf<downloads.CityList>();
  expectTypeOf<client.Countries>().toEqualTypeOf<downloads.Countries>();
  expectTypeOf<client.FeatureCollection>().toEqualTypeOf<
    z.output<typeof downloads.featureCollectionSchema>
  >();
  expectTypeOf<client.Changes>().toEqualTypeOf<downloads.Changes>();
  expectTypeOf<client.ChangesIndex>().toEqualTypeOf<downloads.ChangesIndex>();
  expectTypeOf<client.Problem>().toEqualTypeOf<z.output<typeof problemSchema>>();
  expectTypeOf<client.ProblemCode>().toEqualTypeOf<problem.ProblemCode>();
});
