/** Schemas of the files that consumers download. The keys of each object are in the published order. */
import * as z from 'zod';
import { publishedPropertySchema, summarySchema } from './property.ts';

const releaseId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({
    description:
      'Name of the release; it depends only on the properties, the settings and the version of the tool.',
  });
const count = (description: string) => z.int().min(0).meta({ description });
const href = (description: string) => z.string().meta({ description });

export const propertyRecordSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Permanent identifier of the property.' }),
    ...publishedPropertySchema.shape,
  })
  .meta({
    id: 'PropertyRecord',
    description: 'A property with its id: one line of `properties.ndjson`, or of a part.',
  });

const degrees = z.number();

/** `properties.geojson`: a feature collection (RFC 7946). */
export const featureCollectionSchema = z
  .strictObject({
    type: z.literal('FeatureCollection'),
    features: z.array(
      z
        .strictObject({
          type: z.literal('Feature'),
          id: z.uuid().meta({ description: 'Permanent identifier of the property.' }),
          geometry: z.strictObject({
            type: z.literal('Point'),
            coordinates: z.array(degrees).min(2).max(2).meta({
              description: 'Longitude, then latitude (RFC 7946, 3.1.1).',
            }),
          }),
          properties: summarySchema,
        })
        .meta({ id: 'Feature', description: 'A property as a point on the map.' }),
    ),
  })
  .meta({ id: 'FeatureCollection', description: 'All properties as points on the map (GeoJSON, RFC 7946).' });

/** `_catalogue/countries.json`. */
export const countriesSchema = z
  .strictObject({
    properties: count('Number of properties in all countries.'),
    countries: z.array(
      z
        .strictObject({
          code: z.string().meta({ description: 'ISO 3166-1 alpha-2 code, for use in `filter[country]`.' }),
          name: z.string().meta({ description: 'Name of the country in English.' }),
          properties: count('Number of properties in the country.'),
          cities: count('Number of cities in the country that have properties.'),
          href: href('URL of the list of the country, relative to this file.'),
        })
        .meta({ id: 'Country', description: 'A country with at least one property.' }),
    ),
  })
  .meta({
    id: 'Countries',
    description: 'The countries that have properties, sorted as in the list of properties.',
  });

/** `_catalogue/countries/<country>.json`. */
export const cityListSchema = z
  .strictObject({
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2 code of the country.' }),
    href: href(
      'URI template (RFC 6570) of the list of a city, relative to this file; `city` is the name of the city.',
    ),
    cities: z.array(
      z
        .strictObject({
          name: z.string().meta({ description: 'Name of the city, exactly as `filter[city]` expects it.' }),
          properties: count('Number of properties in the city.'),
        })
        .meta({ id: 'City', description: 'A city with at least one property.' }),
    ),
  })
  .meta({
    id: 'CityList',
    description: 'The cities of one country that have properties, sorted as in the list of properties.',
  });

/** `_catalogue/roots/<release>.json`: only the members that a client needs to download all properties. */
export const rootSchemaForOpenApi = z
  .looseObject({
    total: count('Number of properties in the release.'),
    details: z.array(z.array(z.string()).min(2).max(2)).meta({
      description:
        'The parts that contain all properties, one property per line, ordered by id. Each entry is a pair: the name of a part, and the beginning of the first id in the part. The URL of a part is `_catalogue/parts/<name>.ndjson`. The name is the first 32 hexadecimal digits of the SHA-256 of the part.',
    }),
  })
  .meta({
    id: 'Root',
    description: 'The root of a release. Only the members that a download needs are described here.',
  });

const downloadSchema = z
  .strictObject({
    name: z
      .string()
      .meta({ description: 'Name of the file, and its URL relative to `index.json` unless `root` is set.' }),
    type: z.string().meta({ description: 'Media type of the file.' }),
    title: z.string(),
    bytes: count('Size of the file, or of all parts together.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ description: 'SHA-256 of the file, in hexadecimal digits; absent if `root` is set.' }),
    root: href(
      'URL of a `Root`, relative to `index.json`. Its parts, joined in order, are the download.',
    ).optional(),
  })
  .meta({
    id: 'Download',
    description:
      'All properties in one format: either a single file or, if `root` is set, the parts of a release.',
  });

/** `index.json`. */
export const indexSchema = z
  .strictObject({
    title: z.string().meta({ description: 'Name of the catalogue.' }),
    description: z.string().optional().meta({
      description: 'What the catalogue is about, in a sentence or two.',
    }),
    contact: z
      .strictObject({
        name: z.string().optional(),
        email: z.string().optional(),
        url: z.string().optional(),
      })
      .optional()
      .meta({ description: 'Contact for questions about the catalogue.' }),
    languages: z.array(z.string()).optional().meta({
      description:
        'Language tags (BCP 47), the default first; absent if the catalogue has only one language.',
    }),
    release: releaseId,
    properties: count('Number of properties in the catalogue.'),
    countries: count('Number of countries that have properties.'),
    downloads: z.array(downloadSchema).optional().meta({
      description: 'Downloads of all properties, by format; absent if the catalogue offers none.',
    }),
    links: z.array(
      z
        .strictObject({
          rel: z.string().meta({
            description:
              'Link relation (RFC 8288): registered by IANA, except `countries`, `cities`, `changes`.',
          }),
          href: href('URL, relative to `index.json`; if `templated`, a URI template (RFC 6570).'),
          type: z.string().meta({ description: 'Media type of the target.' }),
          title: z.string(),
          templated: z.literal(true).optional(),
        })
        .meta({ id: 'Link', description: 'A link to a file, a page or an operation of the catalogue.' }),
    ),
  })
  .meta({ id: 'Index', description: 'Describes the catalogue and links to everything that it offers.' });

/** Maximum number of titles in one record of changes, and of properties in one entry of the Atom feed. */
export const MAX_TITLES_IN_CHANGES = 200;

/** One line of `changes/<yyyy-mm>.ndjson`: the changes from one release to the next. */
export const changesSchema = z
  .strictObject({
    release: releaseId,
    previous: releaseId.nullable().meta({
      description:
        'The previous release; null in the first record of a history, which has every property in `added`.',
    }),
    time: z.iso.datetime().meta({
      description:
        'UTC time of the commit that the release was built from, or a time that the publisher gave.',
    }),
    updated: z.iso.datetime().meta({
      description:
        'UTC time of this record: `time`, but at least one second after the latest earlier record.',
    }),
    commit: z.string().nullable().meta({
      description: 'Git commit of the release; null without a git repository.',
    }),
    added: z.array(z.uuid()).meta({ description: 'Ids of new properties, in the order of the list.' }),
    changed: z
      .array(
        z.strictObject({
          id: z.uuid(),
          fields: z
            .array(z.string())
            .meta({ description: 'Names of the changed fields, including `thumbnail` of the summary.' }),
        }),
      )
      .meta({ description: 'Properties whose content changed, in the order of the list.' }),
    removed: z
      .array(z.uuid())
      .meta({ description: 'Ids of removed properties, in the order of the previous list.' }),
    declaration: z.literal(true).optional().meta({
      description:
        'True if declared fields or languages changed. Then read every property again: `changed` may be empty.',
    }),
    titles: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: `Titles, by id, of the first ${MAX_TITLES_IN_CHANGES} properties in \`added\`, \`changed\` and \`removed\`.`,
      }),
  })
  .meta({ id: 'Changes', description: 'The changes from one release to the next.' });

/** `changes/index.json`. */
export const changesIndexSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Permanent name of this history: a URN (`urn:uuid:`).' }),
    release: releaseId,
    updated: z.iso.datetime().meta({ description: 'Time of the latest record, in UTC. It never decreases.' }),
    months: z.array(
      z
        .strictObject({
          month: z.string().meta({ description: 'Year and month, `yyyy-mm`.' }),
          href: href('URL of the changes in this month, relative to this file.'),
        })
        .meta({ id: 'Month', description: 'A month with at least one record of changes.' }),
    ),
  })
  .meta({ id: 'ChangesIndex', description: 'Lists the months that have changes, oldest first.' });

/** `_catalogue/releases.json`. */
export const keptReleasesSchema = z
  .strictObject({
    keptDays: z
      .number()
      .meta({ description: 'Days for which the live release stays readable after it is replaced.' }),
    releases: z.array(
      z
        .strictObject({
          release: releaseId,
          number: z.int().optional().meta({
            description: 'Number of the signed statement; absent if the release is unsigned.',
          }),
          version: z.int().meta({ description: 'Format version of the root of the release.' }),
          since: z.iso.datetime().meta({ description: 'Time at which the release last went live, in UTC.' }),
          keptUntil: z.iso.datetime().nullable().meta({
            description:
              'UTC time until which the release can be read, at least; null if it was never replaced.',
          }),
        })
        .meta({ id: 'KeptRelease', description: 'A release that clients can still read.' }),
    ),
  })
  .meta({ id: 'KeptReleases', description: 'The releases that clients can read, the live one first.' });

export type KeptReleases = z.output<typeof keptReleasesSchema>;
export type PropertyRecord = z.output<typeof propertyRecordSchema>;
export type CityList = z.output<typeof cityListSchema>;
export type Countries = z.output<typeof countriesSchema>;
export type Download = z.output<typeof downloadSchema>;
export type CatalogueIndex = z.output<typeof indexSchema>;
export type Changes = z.output<typeof changesSchema>;
export type ChangesIndex = z.output<typeof changesIndexSchema>;
