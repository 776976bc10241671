/** Caddy with its own templates as the router: exact, and slow. */
import {
  API_KEY_HEADER,
  ASSET_FOLDERS,
  COMMON_HEADERS,
  type Header,
  JSON_TYPE,
  MEDIA_TYPES,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemHeaders,
} from '../contract/headers.ts';
import {
  ANY,
  API_PATH,
  ID_PATTERN,
  LIST_PATH,
  NO_CITY,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
} from '../contract/layout.ts';
import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_PAGE_SIZE,
  FAMILIES,
  LONG_VALUE_PATTERN,
  PARAMETERS,
  sizePattern,
  spelling,
} from '../contract/parameters.ts';
import type { ProblemName } from '../contract/problem.ts';
import { emptyPageTemplate, encodedTextPattern, literal } from './expressions.ts';
import { instructions } from './instructions.ts';
import { refusal } from './refusal.ts';
import { problemReplies } from './settings.ts';
import type { Target, TargetInput } from './target.ts';

/**
 * Caddy: its matchers cannot judge a query, so Caddy asks itself, over a socket, for a template that tells the file
 * or the answer in headers.
 */
export const caddy: Target = {
  name: 'caddy',
  title: 'Caddy',
  generate: (input) =>
    refusal(input, 'Caddy', { checksKeys: true }) ?? {
      files: [
        { path: 'Caddyfile', content: configuration(input) },
        { path: 'router/router.txt', content: router(input) },
        instructions(input, { title: 'Caddy', steps: STEPS }),
      ],
    },
};

/** What the README says. */
const STEPS = [
  'Caddy answers some hundred requests of the API a second this way, since it runs templates for each; put a cache in front, or take another target.',
  'Copy `dist/public` to the server, and this folder beside it, not into it.',
  'Set in the environment of Caddy: `CATALOGUE_SITE` (such as `catalogue.example.com` or `http://:8080`), `CATALOGUE_ROOT` (the folder `public`), `CATALOGUE_ROUTER` (a socket that only Caddy can reach, such as `unix//run/caddy/router.sock`) and `CATALOGUE_ROUTER_FOLDER` (the folder `router`).',
  'Start it: `caddy run --config Caddyfile`. For certificates of its own, remove `auto_https off`.',
];

/** Scheme and host of a request in absolute form. */
const ORIGIN = '(?:https?://[^/?]*)?';

function configuration(input: TargetInput): string {
  const { base } = input.settings;
  const { api, media, problem } = input.configuration.cache_control;
  const replies = problemReplies(input.problems);
  const header = ([name, value]: Header) => `header ${name} ${quoted(value)}`;
  const respond = (name: ProblemName) => {
    const [status, body] = replies[name]!;
    return [
      header(['Content-Type', PROBLEM_TYPE]),
      header(['Cache-Control', problem]),
      ...problemHeaders(status).map(header),
      `respond ${quoted(body)} ${status}`,
    ];
  };
  const types = Object.entries(MEDIA_TYPES).flatMap(([extension, type]) => [
    `@${extension} path *.${extension}`,
    `header @${extension} Content-Type ${quoted(type)}`,
  ]);
  const files = [
    ...types,
    ...block('file_server', ['index index.html', 'hide .*', 'disable_canonical_uris']),
  ];
  const lines = [
    ...block('', ['admin off', 'auto_https off']),
    '',
    ...block('{$CATALOGUE_SITE}', [
      'root * {$CATALOGUE_ROOT}',
      ...block('route', [
        ...COMMON_HEADERS.map(header),
        'request_header X-Catalogue-Target {http.request.orig_uri}',
        ...(input.configuration.api_keys.length > 0
          ? [
              `@list header_regexp X-Catalogue-Target ${quoted(`^${ORIGIN}${literal(base + LIST_PATH)}(?:[?]|$)`)}`,
              `header @list Vary ${API_KEY_HEADER}`,
            ]
          : []),
        '@preflight method OPTIONS',
        ...block('handle @preflight', [...PREFLIGHT_HEADERS.map(header), 'respond 204']),
        '@other not method GET HEAD',
        ...block('handle @other', respond('method-not-allowed')),
        `@api header_regexp X-Catalogue-Target ${quoted(`^${ORIGIN}${literal(base + API_PATH)}(?:[/?]|$)`)}`,
        ...block('handle @api', [
          ...block('reverse_proxy {$CATALOGUE_ROUTER}', [
            'method GET',
            'rewrite /router.txt',
            'header_up Host catalogue-router',
            ...[
              'If-Match',
              'If-None-Match',
              'If-Modified-Since',
              'If-Unmodified-Since',
              'If-Range',
              'Range',
              'Accept-Encoding',
            ].map((name) => `header_up -${name}`),
            '@file header X-Catalogue-File *',
            ...block('handle_response @file', [
              header(['Cache-Control', api]),
              header(['Content-Type', JSON_TYPE]),
              'rewrite * {http.reverse_proxy.header.X-Catalogue-File}',
              'file_server',
            ]),
            ...block('handle_response', [
              'header Content-Type {http.reverse_proxy.header.X-Catalogue-Type}',
              'header Cache-Control {http.reverse_proxy.header.X-Catalogue-Caching}',
              '@denied vars {http.reverse_proxy.header.X-Catalogue-Status} 401',
              ...problemHeaders(401).map(([name, value]) => `header @denied ${name} ${quoted(value)}`),
              'respond {http.reverse_proxy.header.X-Catalogue-Body} {http.reverse_proxy.header.X-Catalogue-Status}',
            ]),
          ]),
        ]),
        '# No file has such a name, and Caddy would fail.',
        '@zero header_regexp X-Catalogue-Target ^[^?]*%00',
        ...block('handle @zero', respond('not-found')),
        ...(base
          ? [
              `@outside not header_regexp X-Catalogue-Target ${quoted(`^${ORIGIN}${literal(base)}/`)}`,
              ...block('handle @outside', respond('not-found')),
              `uri strip_prefix ${base}`,
            ]
          : []),
        header(['Cache-Control', api]),
        `@immutable path ${ASSET_FOLDERS.map((name) => `/${name}/*`).join(' ')}`,
        `header @immutable Cache-Control ${quoted(media)}`,
        ...files,
      ]),
      ...block('handle_errors', [
        '@absent expression {http.error.status_code} < 500',
        ...block('handle @absent', respond('not-found')),
      ]),
    ]),
    '',
    '# The router: templates judge the query.',
    ...block('http://catalogue-router', [
      'bind {$CATALOGUE_ROUTER}',
      'root * {$CATALOGUE_ROUTER_FOLDER}',
      ...block('route', [
        ...block('templates', ['mime text/plain', 'root {$CATALOGUE_ROOT}']),
        'file_server',
      ]),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The template: tells in headers what is to be answered. Expressions of RE2, which has no lookahead. */
function router(input: TargetInput): string {
  const { settings, configuration } = input;
  const { api, problem: problemCaching } = configuration.cache_control;
  const list = literal(settings.base + LIST_PATH);
  const replies = problemReplies(input.problems);
  const lines: string[] = [
    '{{- $target := regexReplaceAll "^https?://[^/?]*" (.Req.Header.Get "X-Catalogue-Target") "" }}',
    '{{- $path := regexFind "^[^?]*" $target }}',
    '{{- $query := $target | trimPrefix $path | trimPrefix "?" | replace "&" "&&" | printf "&%s&" }}',
    `{{- $query = regexFindAll ${raw(`&(?:${FAMILIES.map((family) => spelling(family[0]!)).join('|')})[^&]*&`)} $query -1 | join "" }}`,
    '{{- $problem := "" }}{{ $file := "" }}{{ $body := "" }}',
    `{{- if regexMatch ${raw(`^${list}/${ID_PATTERN}$`)} $path }}`,
    `{{- $file = printf "/${PROPERTIES_FOLDER}/%s.json" ($path | regexFind "[^/]*$" | lower) }}`,
    '{{- if not (fileExists $file) }}{{ $problem = "property-not-found" }}{{ end }}',
    `{{- else if regexMatch ${raw(`^${list}/[^/]+$`)} $path }}{{ $problem = "property-not-found" }}`,
    `{{- else if ne $path ${raw(settings.base + LIST_PATH)} }}{{ $problem = "not-found" }}`,
    '{{- else }}',
    ...(configuration.api_keys.length > 0
      ? [
          `{{- if not (has (sha256sum (.Req.Header.Get "${API_KEY_HEADER}")) (list ${configuration.api_keys.map((digest) => `"${digest}"`).join(' ')})) }}{{ $problem = "invalid-api-key" }}{{ end }}`,
        ]
      : []),
    ...FAMILIES.map((family) => {
      const known = PARAMETERS.filter(({ name }) => name.startsWith(`${family}[`)).map(({ name }) =>
        spelling(name),
      );
      return `{{- if and (not $problem) (gt (len (regexFindAll ${raw(`&${spelling(`${family}[`)}`)} $query -1)) (len (regexFindAll ${raw(`&(?:${known.join('|')})[=&]`)} $query -1))) }}{{ $problem = "unknown-parameter.${family}" }}{{ end }}`;
    }),
    ...PARAMETERS.flatMap(({ key, name }) => [
      `{{- $${key}s := regexFindAll ${raw(`&${spelling(name)}=[^&]+`)} $query -1 }}`,
      `{{- if and (not $problem) (gt (len $${key}s) 1) }}{{ $problem = "repeated-parameter.${key}" }}{{ end }}`,
    ]),
    ...PARAMETERS.flatMap(({ key }) => [
      `{{- $${key} := "" }}`,
      `{{- if and (not $problem) $${key}s }}`,
      // Every byte that is not plain becomes percent-encoded, so that characters are bytes.
      `{{- $${key} = first $${key}s | regexFind "=.*" | trimPrefix "=" | replace "+" "%20" | urlquery | replace "%25" "%" }}`,
      `{{- if regexMatch ${raw(LONG_VALUE_PATTERN)} $${key} }}{{ $${key} = "${NO_CITY}" }}`,
      `{{- else if not (regexMatch ${raw(`^(?:${encodedTextPattern()})*$`)} $${key}) }}{{ $problem = "malformed-encoding.${key}" }}`,
      `{{- else }}{{ $${key} = printf "=%s" (trimPrefix "/" (get (urlParse (printf "http://h/%s" $${key})) "path")) }}{{ end }}`,
      '{{- end }}',
    ]),
    ...[
      ['country', 'invalid-country', '[A-Z][A-Z]'],
      ['number', 'invalid-page-number', PARAMETERS.find(({ key }) => key === 'number')!.value!],
      ['size', 'invalid-page-size', sizePattern(settings.sizes)],
    ].map(
      ([key, name, pattern]) =>
        `{{- if and (not $problem) $${key} (not (regexMatch ${raw(`^=(?:${pattern})$`)} $${key})) }}{{ $problem = "${name}" }}{{ end }}`,
    ),
    '{{- if not $problem }}',
    `{{- $country = default "${ANY}" (trimPrefix "=" $country) }}`,
    `{{- $number = default "${DEFAULT_PAGE_NUMBER}" (trimPrefix "=" $number) }}`,
    `{{- $size = default "${DEFAULT_PAGE_SIZE}" (trimPrefix "=" $size) }}`,
    `{{- if hasPrefix "=" $city }}{{ $city = printf "%x" (trimPrefix "=" $city) }}{{ else if not $city }}{{ $city = "${ANY}" }}{{ end }}`,
    `{{- $folder := printf "/${PAGES_FOLDER}/%s/%s" $country $city }}`,
    '{{- $file = printf "%s/%s-%s.json" $folder $size $number }}',
    '{{- if not (fileExists $file) }}',
    '{{- $total := "0" }}{{ $file_of_total := printf "%s/total" $folder }}',
    '{{- if fileExists $file_of_total }}{{ $total = include $file_of_total }}{{ end }}',
    `{{- $file = "" }}{{ $body = printf ${raw(emptyPageTemplate('%s', '%s', '%s'))} $number $size $total }}`,
    '{{- end }}',
    '{{- end }}',
    '{{- end }}',
    '{{- if $problem }}',
    `{{- $void := .RespHeader.Set "X-Catalogue-Type" "${PROBLEM_TYPE}" }}`,
    `{{- $void := .RespHeader.Set "X-Catalogue-Caching" ${raw(problemCaching)} }}`,
    ...Object.entries(replies).map(
      ([name, [status, body]]) =>
        `{{- if eq $problem "${name}" }}{{ $void := .RespHeader.Set "X-Catalogue-Status" "${status}" }}{{ $void := .RespHeader.Set "X-Catalogue-Body" ${raw(body)} }}{{ end }}`,
    ),
    '{{- else if $file }}',
    '{{- $void := .RespHeader.Set "X-Catalogue-File" $file }}',
    '{{- else }}',
    `{{- $void := .RespHeader.Set "X-Catalogue-Type" "${JSON_TYPE}" }}`,
    `{{- $void := .RespHeader.Set "X-Catalogue-Caching" ${raw(api)} }}`,
    '{{- $void := .RespHeader.Set "X-Catalogue-Status" "200" }}',
    '{{- $void := .RespHeader.Set "X-Catalogue-Body" $body }}',
    '{{- end }}',
  ];
  return `${lines.join('\n')}\n`;
}

/** A string of Go as it is; it holds no backquote. */
function raw(text: string): string {
  return `\`${text}\``;
}

/** A word of a Caddyfile as it is; it holds no backquote. */
function quoted(text: string): string {
  return `\`${text}\``;
}

function block(head: string, lines: readonly string[]): string[] {
  return [head ? `${head} {` : '{', ...lines.map((line) => (line ? `\t${line}` : line)), '}'];
}
