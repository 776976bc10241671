/** Schemas of the files that consumers download. The keys of each object are in the published order. */
import * as z from 'zod';
import { publishedPropertySchema, summarySchema } from './property.ts';

const releaseId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({
    description:
      'Name of the release: it follows from the properties, the settings and the version of the tool, so the same ones have the same name.',
  });
const count = (description: string) => z.int().min(0).meta({ description });
const href = (description: string) => z.string().meta({ description });

/** One line of `properties.ndjson`. */
export const propertyRecordSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Identifier of the property.' }),
    ...publishedPropertySchema.shape,
  })
  .meta({ id: 'PropertyRecord', description: 'A property with its identifier: one line of the download.' });

const degrees = z.number();

/** `properties.geojson`: a feature collection (RFC 7946). */
export const featureCollectionSchema = z
  .strictObject({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z
        .strictObject({
          type: z.literal('Feature'),
          id: z.uuid().meta({ description: 'Identifier of the property.' }),
          geometry: z.strictObject({
            type: z.literal('Point'),
            coordinates: z
              .array(degrees)
              .min(2)
              .max(2)
              .meta({ description: 'Longitude, then latitude (RFC 7946, 3.1.1).' }),
          }),
          properties: summarySchema,
        })
        .meta({ id: 'Feature', description: 'A property as a point on the map.' }),
    ),
  })
  .meta({ id: 'FeatureCollection', description: 'Every property as a point (RFC 7946).' });

/** `_catalogue/countries.json`. */
export const countriesSchema = z
  .strictObject({
    properties: count('Number of all properties.'),
    countries: z.array(
      z
        .strictObject({
          code: z.string().meta({ description: 'ISO 3166-1 alpha-2 code: the value of `filter[country]`.' }),
          name: z.string().meta({ description: 'English name.' }),
          properties: count('Number of properties.'),
          cities: count('Number of cities of this country that have properties.'),
          href: href('The list of this country, relative to this file.'),
        })
        .meta({ id: 'Country', description: 'A country that has properties.' }),
    ),
  })
  .meta({
    id: 'Countries',
    description: 'The countries that have properties, in the order of the list of properties.',
  });

/** `_catalogue/countries/<country>.json`. */
export const cityListSchema = z
  .strictObject({
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2 code.' }),
    href: href(
      'The list of each of these cities, relative to this file: a URI template (RFC 6570) of `city`, its name.',
    ),
    cities: z.array(
      z
        .strictObject({
          name: z.string().meta({ description: 'The exact value of `filter[city]`.' }),
          properties: count('Number of properties.'),
        })
        .meta({ id: 'City', description: 'A city that has properties.' }),
    ),
  })
  .meta({
    id: 'CityList',
    description: 'The cities of a country that have properties, in the order of the list of properties.',
  });

/** `_catalogue/roots/<release>.json`: only the members that a client needs to download all properties. */
export const rootSchema = z
  .looseObject({
    total: count('Number of properties.'),
    details: z.array(z.array(z.string()).min(2).max(2)).meta({
      description:
        'The parts with every property, one a line, ordered by id. Each entry has the name of a part, which is at `_catalogue/parts/<name>.ndjson`: the first 32 hexadecimal digits of the SHA-256 of its bytes. Then it has the start of the first id.',
    }),
  })
  .meta({ id: 'Root', description: 'A release: it names everything that belongs to it.' });

const downloadSchema = z
  .strictObject({
    name: z.string().meta({ description: 'Name of the download: that of its file, relative to this one.' }),
    type: z.string().meta({ description: 'Media type.' }),
    title: z.string(),
    bytes: count('Its size.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: 'SHA-256 of its bytes, in hexadecimal digits.' }),
    root: href(
      'In place of a file: a `Root`, relative to this one. Its parts, joined in order, are the download.',
    ).optional(),
  })
  .meta({
    id: 'Download',
    description:
      'Every property in one format: a file, or the parts of the release, whose addresses hold their digests, so that what is there never changes.',
  });

/** `index.json`. */
export const indexSchema = z
  .strictObject({
    title: z.string().meta({ description: 'Name of the catalogue.' }),
    description: z.string().optional().meta({ description: 'What the catalogue is.' }),
    contact: z
      .strictObject({
        name: z.string().optional(),
        email: z.string().optional(),
        url: z.string().optional(),
      })
      .optional()
      .meta({ description: 'Whom to ask about the catalogue.' }),
    languages: z.array(z.string()).optional().meta({
      description: 'Languages of texts; the first is that of texts outside of `translations`.',
    }),
    release: releaseId,
    properties: count('Number of properties.'),
    countries: count('Number of countries.'),
    downloads: z
      .array(downloadSchema)
      .optional()
      .meta({ description: 'Files with every property; absent where the catalogue offers none.' }),
    links: z.array(
      z
        .strictObject({
          rel: z.string().meta({ description: 'Relation: registered by IANA, or a word of this catalogue.' }),
          href: href('Relative to this file; a URI template (RFC 6570) when `templated`.'),
          type: z.string().meta({ description: 'Media type.' }),
          title: z.string(),
          templated: z.literal(true).optional(),
        })
        .meta({ id: 'Link', description: 'Something that the catalogue offers.' }),
    ),
  })
  .meta({ id: 'Index', description: 'What the catalogue offers.' });

/** Maximum number of titles in one line of the changes: as many as an entry of the feed shows. */
export const MAX_TITLES = 200;

/** One line of `changes/<yyyy-mm>.ndjson`: the changes from one release to the next. */
export const changesSchema = z
  .strictObject({
    release: releaseId,
    previous: releaseId
      .nullable()
      .meta({ description: 'The release that it follows; null for the first one.' }),
    time: z.iso.datetime().meta({ description: 'Time of the commit that it was built from, in UTC.' }),
    updated: z.iso.datetime().meta({
      description:
        'Time of the record, in UTC: that of the commit, but always later than the record before it, after a rollback too.',
    }),
    commit: z.string().nullable().meta({ description: 'That commit; null outside of a repository.' }),
    added: z.array(z.uuid()).meta({ description: 'Properties that are new, in the order of the list.' }),
    changed: z
      .array(
        z.strictObject({
          id: z.uuid(),
          fields: z
            .array(z.string())
            .meta({ description: 'Fields of the property, and `thumbnail` of its summary, that differ.' }),
        }),
      )
      .meta({ description: 'Properties that differ, in the order of the list.' }),
    removed: z.array(z.uuid()).meta({ description: 'Properties that have gone, in their former order.' }),
    declaration: z.literal(true).optional().meta({
      description: 'The declared fields or languages are others: read every property again.',
    }),
    titles: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: `Titles of the first ${MAX_TITLES} properties above, for the feed: those that have gone have their last one.`,
      }),
  })
  .meta({ id: 'Changes', description: 'What differs between a release and the one before it.' });

/** `changes/index.json`. */
export const changesIndexSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Permanent name of this history: a URN.' }),
    release: releaseId,
    updated: z.iso.datetime().meta({ description: 'Time of the latest record; never goes back.' }),
    months: z.array(
      z
        .strictObject({
          month: z.string().meta({ description: 'Year and month, `yyyy-mm`.' }),
          href: href('The changes of the month, relative to this file.'),
        })
        .meta({ id: 'Month', description: 'A month that has changes.' }),
    ),
  })
  .meta({ id: 'ChangesIndex', description: 'The months that have changes, oldest first.' });

/** `_catalogue/releases.json`. */
export const keptReleasesSchema = z
  .strictObject({
    keptDays: z
      .number()
      .meta({ description: 'Days for which the live release is kept once it is replaced.' }),
    releases: z.array(
      z
        .strictObject({
          release: releaseId,
          number: z.int().optional().meta({ description: 'Number of a signed release.' }),
          version: z.int().meta({ description: 'Version of its root.' }),
          since: z.iso.datetime().meta({ description: 'Time since which it is or was last live, in UTC.' }),
          keptUntil: z.iso.datetime().nullable().meta({
            description:
              'Time until which it can be read, at least; null before it is replaced for the first time.',
          }),
        })
        .meta({ id: 'KeptRelease', description: 'A release that can be read.' }),
    ),
  })
  .meta({ id: 'KeptReleases', description: 'The releases that readers are promised, the live one first.' });

export type KeptReleases = z.output<typeof keptReleasesSchema>;
export type PropertyRecord = z.output<typeof propertyRecordSchema>;
export type CityList = z.output<typeof cityListSchema>;
export type Countries = z.output<typeof countriesSchema>;
export type Download = z.output<typeof downloadSchema>;
export type CatalogueIndex = z.output<typeof indexSchema>;
export type Changes = z.output<typeof changesSchema>;
export type ChangesIndex = z.output<typeof changesIndexSchema>;
