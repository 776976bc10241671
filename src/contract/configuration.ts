import * as z from 'zod';
import { parseCacheControl } from './cache-control-faults.ts';
import { fieldsSchema, languagesSchema } from './declaration.ts';
import { HOST_NAMES } from './hosts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './parameters.ts';
import type { RouteSettings } from './route.ts';
import { booleanSetting, integerSetting, singleLineText } from './setting-schemas.ts';
import { TARGET_NAMES } from './target-names.ts';
import { vocabularySchema, wordSchema } from './vocabulary.ts';

const url = z.url({ protocol: /^https?$/, error: 'expected a URL that starts with https:// or http://' });

const httpUrl = url
  .refine((text) => !/[?#]/.test(text), { error: 'expected a URL without a query or a fragment' })
  // Other characters have several encodings, or a special meaning in some server's configuration.
  .refine((url) => /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/(?!\.\.?(?:\/|$))[\w.~-]+)*\/*$/i.test(url), {
    error: 'expected a URL of a host and a path of ASCII letters, digits, ".", "_", "~" and "-"',
  })
  .transform((url) => url.replace(/\/+$/, ''));

const imageFormat = z.enum(['jpeg', 'webp', 'avif']);

const photo = z.strictObject({
  max_width: integerSetting(16, 16_384)
    .default(2560)
    .meta({ description: 'Widest published photo, in pixels; wider ones are scaled down.' }),
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
    .meta({ description: 'Cache-Control of photos, thumbnails and what the explorer loads.' }),
  problem: headerValue.default('public, max-age=10').meta({ description: 'Cache-Control of errors.' }),
  release: headerValue.default('public, max-age=5, stale-while-revalidate=60, stale-if-error=86400').meta({
    description:
      'Cache-Control of `_catalogue/current.json`, which names the current release of the packed layout. A serving target keeps a release for this time.',
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
        'Cache of photos and thumbnails that machines share: `s3://bucket/prefix` or a folder ([large catalogues](large-catalogues.md)).',
    }),
  endpoint: url.optional().meta({ description: 'Server of the bucket of that cache, when it is not AWS.' }),
  region: wordSchema
    .optional()
    .meta({ description: 'Region of the bucket of that cache; `AWS_REGION` when absent.' }),
});

const license = z.strictObject({
  name: z.string().trim().min(1).meta({ description: 'Name of the licence of the data.' }),
  url: url.meta({ description: 'Address of its text.' }),
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
        'URL of the tiles of the maps, with `{z}`, `{x}`, `{y}`, and `{s}` for a, b or c. In place of all three: `tiles: openstreetmap` ([terms](https://operations.osmfoundation.org/policies/tiles/)).',
    }),
  attribution: z.string().trim().min(1).meta({ description: 'Source of the tiles, as the maps name it.' }),
  attribution_url: plainUrl.optional().meta({ description: 'Link of that source.' }),
});

/** What `tiles: openstreetmap` expands to. Terms of use: https://operations.osmfoundation.org/policies/tiles/ */
const OPENSTREETMAP = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
};

const contact = z
  .strictObject({
    name: singleLineText.optional().meta({ description: 'Whom to ask about the catalogue.' }),
    email: z
      .email({ error: 'expected an e-mail address' })
      .optional()
      .meta({ description: 'E-mail address for questions.' }),
    url: plainUrl.optional().meta({ description: 'Page for questions.' }),
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
        'Tiles for the maps. When absent, maps show the outline of the world and ask no other host.',
    }),
  map_link: plainUrl
    .refine((url) => url.includes('{latitude}') && url.includes('{longitude}'), {
      error: 'expected a URL with {latitude} and {longitude}',
    })
    .default('https://www.openstreetmap.org/?mlat={latitude}&mlon={longitude}#map=17/{latitude}/{longitude}')
    .meta({
      description: 'Where a property links to a map of another host, with `{latitude}` and `{longitude}`.',
    }),
  image_hosts: z
    .array(
      z.string().regex(/^https?:\/\/[A-Za-z0-9.-]+(?::\d+)?$/, {
        error: 'expected scheme and host, such as https://images.example',
      }),
    )
    .default([])
    .meta({ description: 'Other hosts whose photos the page shows; photos of the rest are shown as links.' }),
  sources: z
    .array(
      z.strictObject({
        text: z.string().trim().min(1).meta({ description: 'What is to be said of a source of the data.' }),
        url: plainUrl.optional().meta({ description: 'Where it leads.' }),
      }),
    )
    .default([])
    .meta({
      description: 'Sources of the data, each a `text` and perhaps a `url`, named at the foot of the page.',
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
    description: 'Name of the catalogue: in the explorer, `index.json`, the OpenAPI document and the feed.',
  }),
  description: z
    .string()
    .trim()
    .normalize('NFC')
    .min(1, { error: 'expected a text' })
    .max(2000, { error: 'expected at most 2000 characters' })
    .optional()
    .meta({ description: 'What the catalogue is, in a sentence or two; shown in the same places.' }),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, { error: 'expected a language tag such as en or pt-BR' })
    .optional()
    .meta({
      description: 'Language of titles and texts of properties (BCP 47): screen readers read them in it.',
    }),
  languages: languagesSchema.optional().meta({
    description:
      'Languages of titles and texts, in place of `language`: the first is that of texts without a mark, the others that of `title@fr` ([translations](authoring.md#translations)).',
  }),
  fields: fieldsSchema.optional().meta({
    description:
      'Fields of properties beyond those of the interface, by name ([fields of your own](authoring.md#fields-of-your-own)).',
  }),
  accent: z
    .string()
    .regex(/^#?[0-9A-Fa-f]{6}$/, { error: 'expected a colour such as "#0b6b63", in quotes' })
    .transform((colour) => `#${colour.replace('#', '').toLowerCase()}`)
    .optional()
    .meta({
      description:
        'Colour of the explorer, `"#rrggbb"` in quotes. It is made lighter or darker where text would not be readable.',
    }),
  logo: singleLineText
    .regex(/^[^\\]+$/, { error: 'expected a path with "/", relative to the content folder' })
    .transform((file): { readonly file: string; readonly key?: string } => ({ file }))
    .optional()
    .meta({
      description:
        'Logo of the explorer: the path of a PNG, JPEG, WebP or AVIF file in the content folder, of 200 KB at most.',
    }),
  contact: contact.optional().meta({ description: 'Whom to ask about the catalogue.' }),
  base_url: httpUrl.default('http://localhost:8080').meta({
    description: 'URL in front of `/api/v1/public/properties`.',
  }),
  host: z.enum(HOST_NAMES).optional().meta({
    description:
      'Where the catalogue is served: sets the defaults of `layout`, `page_sizes`, `targets`, `max_files`, `origin` and `docs`, and lets `check` and `build` refuse what does not fit there ([hosts](targets.md#hosts)).',
  }),
  media_base_url: httpUrl.optional().meta({
    description: 'URL in front of `/media/`; the base URL when absent.',
  }),
  include: z.array(filePattern).default([]).meta({
    description:
      'Glob patterns of the YAML files to read, relative to the content folder; all of them when absent. `catalogue.yaml` and names that start with a dot are never among them.',
  }),
  exclude: z
    .array(filePattern)
    .default([])
    .meta({ description: 'Glob patterns of files and folders that are not read, such as `drafts/**`.' }),
  page_sizes: pageSizes.default('all').meta({
    description: '`all` publishes every page size from 1 to 100; a list publishes only those, 25 among them.',
  }),
  layout: z
    .enum(['pages', 'packed'], { error: 'expected pages or packed; pages has what "both" had' })
    .default('pages')
    .meta({
      description:
        'What a platform serves: `pages` has a file for each page and each property, `packed` only the release tree, from which a platform with compute cuts them (`docs/release-format.md`).',
    }),
  max_files: integerSetting(1, 1_000_000_000).default(DEFAULT_MAX_FILES).meta({
    description: 'A build that would write more files than this is refused.',
  }),
  thumbnail: thumbnail.prefault({}).meta({ description: 'How thumbnails are made.' }),
  photo: photo.prefault({}).meta({ description: 'How published photos are made.' }),
  cache: cache.prefault({}).meta({ description: 'A cache of images that machines share.' }),
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
        'SHA-256 digests of the API keys: the list needs one of the keys. Without any, the list is open.',
    }),
  targets: z
    .union([z.literal('all'), z.array(z.enum(TARGET_NAMES))], {
      error: `expected all, or a list of: ${TARGET_NAMES.join(', ')}`,
    })
    .default('all')
    .meta({
      description:
        'Serving platforms to generate a configuration for in `dist/edge`; `all` skips those that cannot serve this catalogue.',
    }),
  origin: z.enum(['server', 'bucket']).default('server').meta({
    description:
      'What holds the files behind `fetch-handler`: `server` is a web server, where only 404 means that a file does not exist; `bucket` is an object store, where 403 and 410 mean it too.',
  }),
  cache_control: cacheControl.prefault({}).meta({ description: 'Cache-Control headers by kind of answer.' }),
  bulk: z
    .enum(['true', 'false', 'whole'])
    .transform((value) => (value === 'whole' ? value : value === 'true'))
    .optional()
    .meta({
      description:
        'Whether to offer the whole catalogue, and the changes: up to 1 MB of properties as `properties.ndjson`, `.geojson` and `.csv`, above as parts. `whole` writes these files at any size. When absent: `true`, but `false` with `api_keys`, since few holders of a key need everything at once. Downloads then need a key.',
    }),
  docs: booleanSetting
    .default(true)
    .meta({ description: 'Whether to publish a page in `docs/` that shows the API and tries requests.' }),
  explorer: explorer.prefault({}).meta({ description: 'The page to look at the catalogue with.' }),
  license: license.optional().meta({
    description: 'Licence of the data, named in the OpenAPI document and in `index.json`.',
  }),
});

export const configurationSchema = settingsSchema.check(oneLanguage);

export type Configuration = z.output<typeof configurationSchema>;
export type PhotoSettings = Configuration['photo'];
export type ThumbnailSettings = Configuration['thumbnail'];
export type License = NonNullable<Configuration['license']>;
/** If `bulk` is not set, downloads are offered unless the list requires a key. */
export function hasDownloads({ bulk, api_keys }: Configuration): boolean {
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
