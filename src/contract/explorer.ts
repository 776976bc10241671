import { type AboutCatalogue, aboutCatalogue } from './about-catalogue.ts';
import { accentColours } from './accent-colours.ts';
import type { Configuration } from './configuration.ts';
import { type Field, type FieldType, fieldLabel, PUBLISHED_FIELDS } from './fields.ts';
import { FIELDS_WITH_OWN_LAYOUT } from './fields-with-own-layout.ts';
import { hostOf } from './hosts.ts';
import { knownField } from './known-fields.ts';

export type ExplorerSettings = {
  readonly about: AboutCatalogue;
  readonly language?: string;
  readonly colours?: ReturnType<typeof accentColours>;
  /** Template of a URL, with `{latitude}` and `{longitude}`. */
  readonly mapLink: string;
  readonly baseUrl: string;
  readonly pageSizes: 'all' | readonly number[];
  /** Whether the host ignores queries, so that the explorer reads lists and properties as files. @default false */
  readonly isStatic?: boolean;
  readonly apiKeys: boolean;
  readonly docs: boolean;
  /** If undefined, maps show only the outline of the world. */
  readonly tiles?: Configuration['explorer']['tiles'];
  /** Origins from which the page may load photos, in addition to its own origin. */
  readonly imageOrigins: readonly string[];
  readonly sources: Configuration['explorer']['sources'];
  readonly license?: Configuration['license'];
  /** Labels by field name, for fields that the property page shows as plain rows. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Languages of texts, the default first; undefined if there is only one. */
  readonly languages?: readonly string[];
  readonly fields?: Readonly<Record<string, ShownField>>;
};

export type ShownField = {
  readonly label: string;
  readonly type: FieldType;
  readonly unit?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly isRenamed?: true;
  readonly filter?: true;
};

const ROWS = PUBLISHED_FIELDS.filter((name) => !FIELDS_WITH_OWN_LAYOUT.includes(name));

export function explorerSettings(configuration: Configuration): ExplorerSettings {
  const { base_url, media_base_url, page_sizes, api_keys, docs, license, explorer } = configuration;
  const { accent, languages = [], language = languages[0], fields = {} } = configuration;
  const media = media_base_url === undefined ? [] : [new URL(media_base_url).origin];
  return {
    about: aboutCatalogue(configuration),
    ...(language ? { language } : {}),
    ...(accent ? { colours: accentColours(accent) } : {}),
    mapLink: explorer.map_link,
    baseUrl: base_url,
    pageSizes: page_sizes,
    ...(hostOf(configuration.host)?.isStatic ? { isStatic: true } : {}),
    apiKeys: api_keys.length > 0,
    docs,
    ...(explorer.tiles ? { tiles: explorer.tiles } : {}),
    imageOrigins: [...new Set([...media, ...explorer.image_hosts])],
    sources: explorer.sources,
    ...(license ? { license } : {}),
    ...(ROWS.length > 0 ? { labels: Object.fromEntries(ROWS.map((name) => [name, fieldLabel(name)])) } : {}),
    ...(languages.length > 1 ? { languages } : {}),
    ...(Object.keys(fields).length > 0 ? { fields: shownFields(fields) } : {}),
  };
}

function shownFields(fields: Readonly<Record<string, Field>>): Record<string, ShownField> {
  const shown = Object.entries(fields).map(([name, { label, declared }]) => {
    const { type, unit, terms, filter } = declared!;
    const known = knownField(name);
    const field: ShownField = {
      label,
      type,
      ...(unit ? { unit } : {}),
      ...(terms ? { choices: terms.labels } : {}),
      ...(known && known.label !== label ? { isRenamed: true } : {}),
      ...(filter ? { filter } : {}),
    };
    return [name, field] as const;
  });
  return Object.fromEntries(shown);
}

/**
 * Content-Security-Policy (CSP level 3). Allows scripts, styles and requests only from the page's own origin. Allows
 * images from that origin, from `data:` URLs, and from the configured hosts of photos and map tiles.
 */
export function explorerContentSecurityPolicy({ tiles, imageOrigins }: ExplorerSettings): string {
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
