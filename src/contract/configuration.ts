import * as z from 'zod';
import { parseCacheControl } from './cache-control-faults.ts';
import { fieldsSchema, languagesSchema } from './field-declarations.ts';
import { HOST_NAMES } from './hosts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './parameters.ts';
import type { RouteSettings } from './route.ts';
import { booleanSetting, integerSetting, singleLineText } from './setting-schemas.ts';
import { TARGET_NAMES } from './target-names.ts';
import { vocabularySchema, wordSchema } from './vocabulary.ts';

const url = z.url({ protocol: /^https?$/, error: 'expected a URL that starts with https:// or http://' });

const httpUrl = url
  .refine((text) => !/[?#]/.test(text), { error: 'expected a URL without a query or a fragment' })
  // All other characters have several encodings, or a special meaning in the configuration of some server.
  .refine((url) => /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/*$/i.test(url), {
    error: 'expected a URL of a host and a path of ASCII letters, digits, ".", "_", "~" and "-"',
  })
  .transform((url) => url.replace(/\/+$/, ''));

const imageFormat = z.enum(['jpeg', 'webp', 'avif']);

const photo = z.strictObject({
  max_width: integerSetting(16, 16_384)
    .default(2560)
    .meta({ description: 'Maximum width of published photos, in pixels; wider ones are scaled down.' }),
  format: imageFormat.default('jpeg').meta({ description: 'Image format of published photos.' }),
  quality: integerSetting(1, 100)
    .default(82)
    .meta({ description: 'Encoder quality of published photos, 1 to 100.' }),
});

const thumbnail = z.strictObject({
  width: integerSetting(16, 2048).default(400).meta({ description: 'Width of thumbnails, in pixels.' }),
  height: integerSetting(16, 2048).default(300).meta({ description: 'Height of thumbnails, in pixels.' }),
  fit: z.enum(['cover', 'inside']).default('cover').meta({
    description: '`cover` crops to the exact shape, `inside` keeps the whole photo within it.',
  }),
  format: imageFormat.default('webp').meta({ description: 'Image format of thumbnails.' }),
  quality: integerSetting(1, 100)
    .default(75)
    .meta({ description: 'Encoder quality of thumbnails, 1 to 100.' }),
});

const pageSizes = z
  .union([z.literal('all'), z.array(integerSetting(1, MAX_PAGE_SIZE))], {
    error: `expected all, or a list of whole numbers from 1 to ${MAX_PAGE_SIZE}`,
  })
  .refine((sizes) => sizes === 'all' || sizes.includes(DEFAULT_PAGE_SIZE), {
    error: `expected the sizes to include ${DEFAULT_PAGE_SIZE}, the size of a request that names none`,
  })
  .transform((sizes) => (sizes === 'all' ? sizes : [...new Set(sizes)].sort((a, b) => a - b)));

const headerValue = z
  .string()
  .regex(/^[ -~]*$/, { error: 'expected printable ASCII', abort: true })
  .superRefine((text, context) => {
    const [message] = parseCacheControl(text).faults;
    if (message) context.addIssue({ code: 'custom', message });
  });

const cacheControl = z.strictObject({
  api: headerValue
    .default('public, max-age=60, stale-while-revalidate=600, stale-if-error=86400')
    .meta({ description: 'Cache-Control of lists and details.' }),
  media: headerValue
    .default('public, max-age=31536000, immutable')
    .meta({ description: 'Cache-Control of photos, thumbnails and the files that the explorer loads.' }),
  problem: headerValue.default('public, max-age=10').meta({ description: 'Cache-Control of errors.' }),
  release: headerValue.default('public, max-age=5, stale-while-revalidate=60, stale-if-error=86400').meta({
    description:
      'Cache-Control of `_catalogue/current.json`, which names the current release of the packed layout. A serving target uses its copy of this file for the same time.',
  }),
});

const cache = z.strictObject({
  location: z
    .string()
    .regex(/^(?:s3:\/\/|dir:.|\/)/, {
      error: 'expected s3://bucket, s3://bucket/prefix or the absolute path of a folder',
    })
    .optional()
    .meta({
      description:
        'Cache of published photos and thumbnails that several machines share: `s3://bucket/prefix` or a folder ([large catalogues](large-catalogues.md)).',
    }),
  endpoint: url.optional().meta({ description: "Server of the cache's bucket, if it is not AWS." }),
  region: wordSchema
    .optional()
    .meta({ description: "Region of the cache's bucket; `AWS_REGION` when absent." }),
});

const license = z.strictObject({
  name: z.string().trim().min(1).meta({ description: 'Name of the licence of the data.' }),
  url: url.meta({ description: 'URL of the text of the licence.' }),
});

/** A URL whose characters need no escaping in HTML or in a Content-Security-Policy. */
const plainUrl = z
  .string()
  .regex(/^https?:\/\/[^\s"'<>\\;,]+$/, { error: 'expected a URL that starts with https:// or http://' });

const tiles = z.strictObject({
  url: plainUrl
    .refine((url) => ['{z}', '{x}', '{y}'].every((part) => url.includes(part)), {
      error: 'expected a URL with {z}, {x} and {y}',
    })
    .refine((url) => /^https?:\/\/(?:\{s\}\.)?[A-Za-z0-9.-]+(?::\d+)?\//.test(url), {
      error: 'expected a URL whose host has no other place holder than {s}, as its first part',
    })
    .meta({
      description:
        'URL of map tiles, with `{z}`, `{x}` and `{y}`. The explorer replaces `{s}` by a, b or c. `tiles: openstreetmap` sets `url`, `attribution` and `attribution_url` at once ([terms](https://operations.osmfoundation.org/policies/tiles/)).',
    }),
  attribution: z.string().trim().min(1).meta({ description: 'Credit for the tiles, shown on the maps.' }),
  attribution_url: plainUrl.optional().meta({ description: 'URL that the credit for the tiles links to.' }),
});

/** What `tiles: openstreetmap` expands to. Terms of use: https://operations.osmfoundation.org/policies/tiles/ */
const OPENSTREETMAP = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
};

const contact = z
  .strictObject({
    name: singleLineText.optional().meta({ description: 'Person or office that answers questions.' }),
    email: z.email({ error: 'expected an e-mail address' }).optional().meta({
      description: 'E-mail address for questions.',
    }),
    url: plainUrl.optional().meta({ description: 'URL of a page for questions.' }),
  })
  .refine((one) => one.email !== undefined || one.url !== undefined, {
    error: 'expected an email or a url',
  });

const explorer = z.strictObject({
  enabled: booleanSetting
    .default(true)
    .meta({ description: 'Whether to publish the explorer, `index.html`.' }),
  tiles: z
    .preprocess((value) => (value === 'openstreetmap' ? OPENSTREETMAP : value), tiles)
    .optional()
    .meta({
      description:
        'Tiles for the maps. When absent, maps show the outline of the world, without any other host.',
    }),
  map_link: plainUrl
    .refine((url) => url.includes('{latitude}') && url.includes('{longitude}'), {
      error: 'expected a URL with {latitude} and {longitude}',
    })
    .default('https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}')
    .meta({
      description: 'URL of the map that each property links to, with `{latitude}` and `{longitude}`.',
    }),
  image_hosts: z
    .array(
      z.string().regex(/^https?:\/\/[A-Za-z0-9.-]+(?::\d+)?$/, {
        error: 'expected scheme and host, such as https://images.example',
      }),
    )
    .default([])
    .meta({ description: 'Other hosts whose photos the explorer shows; photos elsewhere become links.' }),
  sources: z
    .array(
      z.strictObject({
        text: z.string().trim().min(1).meta({
          description: 'Name of a source of the data, or the credit that it requires.',
        }),
        url: plainUrl.optional().meta({ description: 'URL that the text links to.' }),
      }),
    )
    .default([])
    .meta({
      description: 'Sources of the data to name at the foot of the page, each a `text` and maybe a `url`.',
    }),
});

export const DEFAULT_MAX_FILES = 2_000_000;

const filePattern = z
  .string()
  .trim()
  .regex(/^(?![/!])(?!(?:.*\/)?\.\.(?:\/|$))[^\\]+$/, {
    error: 'expected a glob pattern relative to the content folder, such as hotels/**/*.yaml',
  });

const oneLanguage: z.core.CheckFn<{ language?: unknown; languages?: unknown }> = ({ value, issues }) => {
  if (value.language === undefined || value.languages === undefined) return;
  const message = 'expected only one of language and languages, whose first is the default';
  issues.push({ code: 'custom', input: value, path: ['language'], message });
};

const settingsSchema = z.strictObject({
  title: singleLineText.default('Property catalogue').meta({
    description: 'Name of the catalogue in the explorer, `index.json`, the OpenAPI document and the feed.',
  }),
  description: z
    .string()
    .trim()
    .normalize('NFC')
    .min(1, { error: 'expected a text' })
    .max(2000, { error: 'expected at most 2000 characters' })
    .optional()
    .meta({ description: 'What the catalogue is about, in a sentence or two; shown with its title.' }),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, { error: 'expected a language tag such as en or pt-BR' })
    .optional()
    .meta({
      description: 'Language tag (BCP 47) of titles and texts, by which screen readers choose a voice.',
    }),
  languages: languagesSchema.optional().meta({
    description:
      'Language tags (BCP 47) of the titles and texts of properties, instead of `language`. The first is the language of fields such as `title`, and the others are the languages of translations such as `title@fr` ([translations](authoring.md#translations)).',
  }),
  fields: fieldsSchema.optional().meta({
    description:
      'Additional fields of properties, by name ([fields of your own](authoring.md#fields-of-your-own)).',
  }),
  accent: z
    .string()
    .regex(/^#?[0-9A-Fa-f]{6}$/, { error: 'expected a colour such as "#0b6b63", in quotes' })
    .transform((colour) => `#${colour.replace('#', '').toLowerCase()}`)
    .optional()
    .meta({
      description:
        'Colour of the explorer, `"#rrggbb"` in quotes. The explorer makes it lighter or darker where text would not be readable.',
    }),
  logo: singleLineText
    .regex(/^[^\\]+$/, { error: 'expected a path with "/", relative to the content folder' })
    .transform((file): { readonly file: string; readonly key?: string } => ({ file }))
    .optional()
    .meta({
      description:
        'Logo of the explorer: the path of a PNG, JPEG, WebP or AVIF file in the content folder, of 200 KB at most.',
    }),
  contact: contact.optional().meta({ description: 'Contact for questions about the catalogue.' }),
  base_url: httpUrl
    .default('http://localhost:8080')
    .meta({ description: 'Public URL of the API, without `/api/v1/public/properties` at its end.' }),
  host: z.enum(HOST_NAMES).optional().meta({
    description:
      'Platform that serves the catalogue. It sets the defaults of `layout`, `page_sizes`, `targets`, `max_files`, `origin` and `docs`. `check` and `build` refuse what the platform does not support ([hosts](targets.md#hosts)).',
  }),
  media_base_url: httpUrl
    .optional()
    .meta({ description: 'Public URL of photos, without `/media/` at its end; `base_url` when absent.' }),
  include: z.array(filePattern).default([]).meta({
    description:
      'Glob patterns of the YAML files to read, relative to the content folder. When absent, all YAML files are read, except `catalogue.yaml` and names that start with a dot, which are never read.',
  }),
  exclude: z.array(filePattern).default([]).meta({
    description: 'Glob patterns of files and folders not to read, such as `drafts/**`.',
  }),
  page_sizes: pageSizes.default('all').meta({
    description: 'Page sizes to publish: `all` for every size from 1 to 100, or a list that includes 25.',
  }),
  layout: z
    .enum(['pages', 'packed'], { error: 'expected pages or packed; pages has what "both" had' })
    .default('pages')
    .meta({
      description:
        '`pages` writes a file for each page and each property. `packed` writes only the release tree, from which a platform that can run code makes pages and properties on request (`docs/release-format.md`).',
    }),
  max_files: integerSetting(1, 1_000_000_000)
    .default(DEFAULT_MAX_FILES)
    .meta({ description: 'Maximum number of files. A build that would write more files fails.' }),
  thumbnail: thumbnail.prefault({}).meta({ description: 'How thumbnails are made.' }),
  photo: photo.prefault({}).meta({ description: 'How published photos are made.' }),
  cache: cache.prefault({}).meta({ description: 'Cache of images that several machines share.' }),
  vocabulary: vocabularySchema.prefault({}).meta({ description: 'Known facilities and policy types.' }),
  api_keys: z
    .array(
      z
        .string()
        .regex(/^[0-9a-f]{64}$/, { error: 'expected a SHA-256 digest: 64 lower-case hexadecimal digits' }),
    )
    .default([])
    .meta({
      description:
        'SHA-256 digests of the API keys. A request for the list needs one of the keys. Without digests, the list is open to everyone.',
    }),
  targets: z
    .union([z.literal('all'), z.array(z.enum(TARGET_NAMES))], {
      error: `expected all, or a list of: ${TARGET_NAMES.join(', ')}`,
    })
    .default('all')
    .meta({
      description:
        'Serving platforms for which a build writes a configuration to `dist/edge`. `all` skips platforms that cannot serve this catalogue.',
    }),
  origin: z.enum(['server', 'bucket']).default('server').meta({
    description:
      'From where `fetch-handler` gets files: `server` is a web server, which answers 404 for a missing file. `bucket` is an object store, which may also answer 403 or 410 for a missing file.',
  }),
  cache_control: cacheControl.prefault({}).meta({ description: 'Cache-Control by kind of response.' }),
  bulk: z
    .enum(['true', 'false', 'whole'])
    .transform((value) => (value === 'whole' ? value : value === 'true'))
    .optional()
    .meta({
      description:
        'Whether to offer downloads of all properties, and the changes. `true` writes `properties.ndjson`, `.geojson` and `.csv` for up to 1 MB of properties, and only parts for more. `whole` writes these files at any size. The default is `true`, but `false` with `api_keys`, since few holders of a key need everything at once. With `api_keys`, downloads need a key.',
    }),
  docs: booleanSetting
    .default(true)
    .meta({ description: 'Whether to publish an API reference in `docs/` that can send requests.' }),
  explorer: explorer.prefault({}).meta({ description: 'The page on which people browse the catalogue.' }),
  license: license
    .optional()
    .meta({ description: 'Licence of the data, named in the OpenAPI document and in `index.json`.' }),
});

export const configurationSchema = settingsSchema.check(oneLanguage);

export type Configuration = z.output<typeof configurationSchema>;
export type PhotoSettings = Configuration['photo'];
export type ThumbnailSettings = Configuration['thumbnail'];
export type License = NonNullable<Configuration['license']>;
/** If `bulk` is not set, downloads are offered unless the list requires an API key. */
export function offersBulkDownloads({ bulk, api_keys }: Configuration): boolean {
  return bulk === undefined ? api_keys.length === 0 : bulk !== false;
}

export function hasPages({ layout }: Pick<Configuration, 'layout'>): boolean {
  return layout !== 'packed';
}

export function routeSettings(configuration: Configuration): RouteSettings {
  return {
    base: new URL(configuration.base_url).pathname.replace(/\/$/, ''),
    sizes: configuration.page_sizes,
    layout: configuration.layout,
  };
}
