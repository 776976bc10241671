/** What the page of the explorer contains about its catalogue. */
import { type About, aboutOf } from './about.ts';
import { accentColours } from './accent.ts';
import type { Configuration } from './configuration.ts';
import { labelOf, PUBLISHED_FIELDS } from './fields.ts';

/** Settings of the explorer. */
export type ExplorerSettings = {
  readonly about: About;
  /** Language of the texts of properties (BCP 47). */
  readonly language?: string;
  /** Colours that differ from those of the style sheet. */
  readonly colours?: ReturnType<typeof accentColours>;
  /** Where a property links to a map, with `{latitude}` and `{longitude}`. */
  readonly mapLink: string;
  /** URL in front of the API: where the catalogue is meant to be. */
  readonly baseUrl: string;
  /** The page sizes that the catalogue publishes. */
  readonly pageSizes: 'all' | readonly number[];
  /** Whether the list asks for a key. */
  readonly apiKeys: boolean;
  /** Whether there is a page that shows the API. */
  readonly docs: boolean;
  /** Tiles for the maps; when absent, they show the outline of the world. */
  readonly tiles?: Configuration['explorer']['tiles'];
  /** Origins of photos, besides the catalogue's own, that the page may show. */
  readonly imageOrigins: readonly string[];
  /** Sources of the data, to be named. */
  readonly sources: Configuration['explorer']['sources'];
  /** Licence of the data. */
  readonly license?: Configuration['license'];
  /** Labels of the fields that the page of a property shows as plain rows, by name. */
  readonly labels?: Readonly<Record<string, string>>;
};

/** The fields that have a place of their own on the page of a property. */
const PLACED =
  'title currency email phone zip_code city state address country latitude longitude facilities photo hotel_policy payment_method';
const ROWS = PUBLISHED_FIELDS.filter((name) => !PLACED.split(' ').includes(name));

/**
 * The settings that follow from a configuration.
 *
 * @example
 * explorerSettings(configuration).imageOrigins // []
 */
export function explorerSettings(configuration: Configuration): ExplorerSettings {
  const { base_url, media_base_url, page_sizes, api_keys, docs, license, explorer } = configuration;
  const { accent, language } = configuration;
  const media = media_base_url === undefined ? [] : [new URL(media_base_url).origin];
  return {
    about: aboutOf(configuration),
    ...(language ? { language } : {}),
    ...(accent ? { colours: accentColours(accent) } : {}),
    mapLink: explorer.map_link,
    baseUrl: base_url,
    pageSizes: page_sizes,
    apiKeys: api_keys.length > 0,
    docs,
    ...(explorer.tiles ? { tiles: explorer.tiles } : {}),
    imageOrigins: [...new Set([...media, ...explorer.image_hosts])],
    sources: explorer.sources,
    ...(license ? { license } : {}),
    ...(ROWS.length > 0 ? { labels: Object.fromEntries(ROWS.map((name) => [name, labelOf(name)])) } : {}),
  };
}

/**
 * The Content-Security-Policy of the page (CSP level 3): its own scripts, styles and requests, and pictures of its own
 * and of the hosts that the configuration names.
 *
 * @example
 * explorerPolicy(explorerSettings(configuration)).split('; ')[0] // "default-src 'none'"
 */
export function explorerPolicy({ tiles, imageOrigins }: ExplorerSettings): string {
  const tileOrigin = tiles && /^https?:\/\/[^/]+/.exec(tiles.url)?.[0].replace('{s}', '*');
  const images = ["'self'", 'data:', ...imageOrigins, ...(tileOrigin ? [tileOrigin] : [])];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images.join(' ')}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
