/** What both nginx targets have in common: everything but how a request finds its file. */
import { API_KEY_HEADER, ASSET_FOLDERS, COMMON_HEADERS, MEDIA_TYPES } from '../contract/headers.ts';
import { LIST_PATH } from '../contract/layout.ts';
import type { TargetInput } from './target.ts';

/** A value in double quotes, as nginx reads it. It must hold no `$`. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The directives of the server block that every answer needs; `fallback` is the location that answers errors. */
export function serverDirectives(input: TargetInput, fallback: string): string[] {
  const isGuarded = input.configuration.api_keys.length > 0;
  return [
    'etag on;',
    'charset utf-8;',
    'charset_types text/plain;',
    'gzip on;',
    'gzip_types application/json application/problem+json;',
    'gzip_vary on;',
    'default_type text/plain;',
    'types {',
    ...Object.entries(MEDIA_TYPES).map(([extension, type]) => `    ${type.replace(/;.*/, '')} ${extension};`),
    '}',
    ...(isGuarded ? ['set $catalogue_vary "";', 'add_header Vary $catalogue_vary always;'] : []),
    ...COMMON_HEADERS.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
    `error_page 404 405 = ${fallback};`,
  ];
}

/** The directives of a location whose answers, when they succeed, may be cached so; and all that they hide. */
export function cachingDirectives(input: TargetInput, caching: string): string[] {
  return [
    `add_header Cache-Control ${quoted(caching)};`,
    ...(input.configuration.api_keys.length > 0 ? ['add_header Vary $catalogue_vary always;'] : []),
    ...COMMON_HEADERS.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
  ];
}

/** The directive that makes answers of the list vary with the key. */
export function varyDirectives(input: TargetInput): string[] {
  return input.configuration.api_keys.length > 0 ? [`set $catalogue_vary ${API_KEY_HEADER};`] : [];
}

/** The locations of the files beside the API. */
export function fileLocations(input: TargetInput, fallback: string): string[] {
  const { base } = input.settings;
  const { api, media } = input.configuration.cache_control;
  const location = (path: string, caching: string) =>
    block(`location ${path}`, [
      ...cachingDirectives(input, caching),
      'if ($request_method !~ "^(?:GET|HEAD)$") {',
      '    return 405;',
      '}',
      ...(base ? [`rewrite "(?s)^${base}(/.*)$" $1 break;`] : []),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of nginx
      `try_files $uri ${'${uri}'}index.html ${fallback};`,
    ]);
  return [
    ...ASSET_FOLDERS.flatMap((name) => [...location(`^~ ${base}/${name}/`, media), '']),
    ...location(`${base}/`, api),
    ...(base ? ['', ...block('location /', ['return 404;'])] : []),
  ];
}

/** The path of the list. */
export function listPath(input: TargetInput): string {
  return input.settings.base + LIST_PATH;
}

/** A block of directives. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line ? `    ${line}` : line)), '}'];
}
