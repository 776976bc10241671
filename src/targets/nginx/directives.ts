/** What both nginx targets have in common: everything but how a request finds its file. */
import {
  API_KEY_HEADER,
  ASSET_FOLDERS,
  COMMON_HEADERS,
  guardedCaching,
  MEDIA_TYPES,
  PROBLEM_TYPE,
  UNCACHED,
} from '../../contract/headers.ts';
import { ANY, LIST_PATH, PAGES_FOLDER } from '../../contract/keys.ts';
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE } from '../../contract/parameters.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import { accessPattern } from '../shared/path-regex.ts';
import { literal, plainPairs } from '../shared/query-regex.ts';
import { commands, listenerOf, SERVER_FOLDER } from '../shared/readme.ts';
import { serverProblem } from '../shared/server-problems.ts';
import type { TargetFile, TargetInput } from '../target.ts';

/** A value in double quotes, as nginx reads it. It must hold no `$`. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** The location of what nginx refuses before it looks for one; a URI, since nginx takes no named one for all of these. */
const REFUSED = '/-catalogue/refused';
/** The location of the answer to a part of a file that it has not. */
const OUT_OF_RANGE = '/-catalogue/out-of-range';
/** The location of the answer when a file is there and cannot be read, or nginx itself fails. */
const BROKEN = '@catalogue_broken';

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
    '# An answer to what follows from an error is judged like any other.',
    'recursive_error_pages on;',
    `error_page ${isGuarded ? '401 ' : ''}404 405 = ${fallback};`,
    `error_page 403 500 502 503 504 = ${BROKEN};`,
    `error_page 400 = ${REFUSED};`,
    `error_page ${REFUSED_STATUSES.join(' ')} ${REFUSED};`,
    `error_page 416 ${OUT_OF_RANGE};`,
    'log_not_found off;',
  ];
}

/** Statuses of requests that nginx refuses by itself, beside 400. 494 stands for a header that is too large. */
const REFUSED_STATUSES = [411, 412, 413, 414, 421, 429, 494, 501, 505];

/** The body of such an answer, by its status. */
export function refusalMap(): string[] {
  const rows = REFUSED_STATUSES.filter((status) => status !== 494).map((status): [string, string] => [
    String(status),
    quoted(serverProblem(status)),
  ]);
  return [
    '# What nginx refuses by itself.',
    ...map('$status', 'refusal', [...rows, ['default', quoted(serverProblem(400))]]),
  ];
}

/**
 * The locations of answers that nginx gives when something is wrong with the request or with a file.
 *
 * @param refuse what answers a request that is none, with 400 unless nginx says otherwise.
 */
export function errorLocations(input: TargetInput, refuse: readonly string[] = []): string[] {
  const [status, body] = problemReplies(input.problems)['list-unavailable']!;
  const uncached = [
    'types {}',
    `default_type ${PROBLEM_TYPE};`,
    `add_header Cache-Control ${UNCACHED} always;`,
    ...COMMON_HEADERS.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
  ];
  return [
    '# A file that cannot be read is not absent.',
    ...block(`location ${BROKEN}`, [...uncached, `return ${status} ${quoted(body)};`]),
    '',
    '# The headers of the file are there already, and this one beside them.',
    ...block(`location = ${OUT_OF_RANGE}`, [
      'internal;',
      'types {}',
      `default_type ${PROBLEM_TYPE};`,
      `add_header Cache-Control ${UNCACHED} always;`,
      `return 416 ${quoted(serverProblem(416))};`,
    ]),
    '',
    '# What nginx refuses before it looks for a location.',
    ...block(`location = ${REFUSED}`, [
      'internal;',
      ...(refuse.length > 0 ? refuse : [...uncached, 'return 400 $catalogue_refusal;']),
    ]),
  ];
}

/** The directives of a location whose answers, when they succeed, may be cached so; and all that they hide. */
function cachingDirectives(input: TargetInput, caching: string): string[] {
  return [
    `add_header Cache-Control ${quoted(caching)};`,
    ...(input.configuration.api_keys.length > 0 ? ['add_header Vary $catalogue_vary always;'] : []),
    ...COMMON_HEADERS.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`),
  ];
}

/** The directives of a location of the API: it answers with whole files. */
export function apiDirectives(input: TargetInput, isKeyed = false): string[] {
  const { api } = input.configuration.cache_control;
  return ['max_ranges 0;', ...cachingDirectives(input, isKeyed ? guardedCaching(api) : api)];
}

/** The directive that makes answers of the list vary with the key. */
export function varyDirectives(input: TargetInput): string[] {
  return input.configuration.api_keys.length > 0 ? [`set $catalogue_vary ${API_KEY_HEADER};`] : [];
}

/**
 * The locations of the files beside the API. nginx takes them from the path decoded, without dot segments and double
 * slashes.
 *
 * @param permitted the directives that refuse a request without a key.
 */
export function fileLocations(
  input: TargetInput,
  fallback: string,
  permitted: readonly string[] = [],
): string[] {
  const { base } = input.settings;
  const { api, media } = input.configuration.cache_control;
  const location = (path: string, caching: string, rules: readonly string[] = []) =>
    block(`location ${path}`, [
      ...cachingDirectives(input, caching),
      'if ($request_method !~ "^(?:GET|HEAD)$") {',
      '    return 405;',
      '}',
      ...rules,
      ...(base ? [`rewrite "(?s)^${base}(/.*)$" $1 break;`] : []),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of nginx
      `try_files $uri ${'${uri}'}index.html ${fallback};`,
    ]);
  const access = (access: 'internal' | 'guarded') =>
    `~ ${quoted(accessPattern(access, literal(`${base}/`)))}`;
  return [
    '# Never served.',
    ...block(`location ${access('internal')}`, ['return 404;']),
    '',
    ...(permitted.length > 0
      ? [
          '# Served with a key.',
          ...location(access('guarded'), guardedCaching(api), [...varyDirectives(input), ...permitted]),
          '',
        ]
      : []),
    ...ASSET_FOLDERS.flatMap((name) => [...location(`^~ ${base}/${name}/`, media), '']),
    ...location(`${base}/`, api),
    ...(base ? ['', ...block('location /', ['return 404;'])] : []),
  ];
}

/** A whole site with the target, and how to set it up on Debian. */
export function nginxSite(
  input: TargetInput,
  name: string,
  modules: readonly string[],
  directives: readonly string[] = [],
): { readonly site: TargetFile; readonly steps: readonly string[] } {
  const { host, port } = listenerOf(input);
  const folder = `${SERVER_FOLDER}/${name}`;
  const lines = [
    '# A site with the catalogue and nothing else. Copy it to /etc/nginx/sites-enabled/catalogue.',
    ...directives,
    `include ${folder}/http.conf;`,
    '# http.conf has more variables than nginx expects.',
    'variables_hash_max_size 4096;',
    ...block('server', [
      `listen ${port};`,
      `server_name ${host};`,
      `root ${SERVER_FOLDER}/public;`,
      `include ${folder}/server.conf;`,
    ]),
  ];
  const steps = [
    `Install nginx and what it needs (Debian and Ubuntu), and copy this folder to \`${SERVER_FOLDER}\`, beside the files and not into them:${commands(
      `apt-get install nginx ${modules.join(' ')}`,
      `mkdir -p ${SERVER_FOLDER}/public`,
      `cp -r dist/edge/${name} ${SERVER_FOLDER}/`,
    )}`,
    `Take the site into the configuration, and reload. \`site.conf\` has host, port and folders: change them there, or take its lines into a \`server\` block of your own, which must have no other locations. TLS is yours.${commands(
      `cp ${folder}/site.conf /etc/nginx/sites-enabled/catalogue`,
      "echo 'pcre_jit on;' >/etc/nginx/modules-enabled/90-pcre-jit.conf",
      'nginx -t && systemctl reload nginx',
    )}`,
    'The files of this folder change only with `catalogue.yaml`: copy them again then. A new catalogue needs no reload.',
  ];
  return { site: { path: 'site.conf', content: `${lines.join('\n')}\n` }, steps };
}

/** The path of the list. */
export function listPath(input: TargetInput): string {
  return input.settings.base + LIST_PATH;
}

/** A block of directives. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => (line ? `    ${line}` : line)), '}'];
}

/** The variables of most requests for the list: those with our parameters, as clients send them, and nothing else. */
export function plainListMaps(input: TargetInput): string[] {
  const list = literal(listPath(input));
  const pairs = plainPairs(input.settings, '[?&]', (key, pattern) => `(?<catalogue_plain_${key}>${pattern})`);
  return [
    '# Most requests for the list: our parameters, and nothing else.',
    ...map('$request_uri', 'plain', [[regex(`^${list}(?:\\??|${pairs}+)$`), '1']]),
    ...map('$catalogue_plain_country', 'plain_country_or_any', orDefault('plain_country', ANY)),
    ...map(
      '$catalogue_plain_number',
      'plain_number_or_first',
      orDefault('plain_number', DEFAULT_PAGE_NUMBER),
    ),
    ...map('$catalogue_plain_size', 'plain_size_or_default', orDefault('plain_size', DEFAULT_PAGE_SIZE)),
  ];
}

/** The path of the page that such a request names; `city` is the variable with the folder of its city. */
export function plainPage(city: string): string {
  return `/${PAGES_FOLDER}/$catalogue_plain_country_or_any/${city}/$catalogue_plain_size_or_default-$catalogue_plain_number_or_first.json`;
}

/** A map of nginx: the variable of that name, of the source. */
export function map(
  source: string,
  variable: string,
  rows: readonly (readonly [string, string])[],
): string[] {
  return [
    ...block(
      `map ${source} $catalogue_${variable}`,
      rows.map(([from, to]) => `${from} ${to};`),
    ),
    '',
  ];
}

/** The rows that give a variable this value when it is empty. */
export function orDefault(variable: string, value: string | number): [string, string][] {
  return [
    ['""', String(value)],
    ['default', `$catalogue_${variable}`],
  ];
}

/** A regular expression as the key of a row of a map. */
export function regex(pattern: string): string {
  return quoted(`~${pattern}`);
}
