/** Varnish in front of a server of plain files. */
import {
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
  type ParameterKey,
} from '../contract/parameters.ts';
import {
  emptyPageTemplate,
  emptyPair,
  foreignPair,
  literal,
  longCityPattern,
  queryFaults,
  valuePattern,
} from './expressions.ts';
import { instructions } from './instructions.ts';
import { refusal } from './refusal.ts';
import { problemReplies } from './settings.ts';
import type { Target, TargetInput } from './target.ts';

/** Varnish: expressions judge the query, `vmod_blob` computes the file, and ESI puts a total in its place. */
export const varnish: Target = {
  name: 'varnish',
  title: 'Varnish',
  generate: (input) =>
    refusal(input, 'Varnish', { checksKeys: false, instead: 'haproxy' }) ?? {
      files: [
        { path: 'catalogue.vcl', content: configuration(input) },
        instructions(input, { title: 'Varnish', steps: STEPS }),
      ],
    },
};

/** What the README says. */
const STEPS = [
  'Serve `dist/public` as plain files, with entity tags and without compression, from any server (the origin) that others cannot reach.',
  'Start `varnishd` with a second listener, named `shell`, for itself: `-a :8080 -a shell=127.0.0.1:6082`.',
  'Write a main VCL that names both and includes `catalogue.vcl`: `vcl 4.1; backend catalogue_origin { .host = "127.0.0.1"; .port = "8081"; } backend catalogue_shell { .host = "127.0.0.1"; .port = "6082"; } include "/etc/varnish/catalogue.vcl";`.',
  'After a new catalogue, answers are as old as `cache_control` allows; `varnishadm ban req.url \\~ .` drops them at once.',
];

/** Request headers that stand for variables, of which VCL has none. */
const NAMES = [
  'Kind',
  'Problem',
  'Path',
  'Query',
  'Country',
  'City',
  'Number',
  'Size',
  'Scope',
  'Absent',
] as const;

function configuration(input: TargetInput): string {
  const { base } = input.settings;
  const { api, media, problem } = input.configuration.cache_control;
  const replies = Object.entries(problemReplies(input.problems));
  const list = base + LIST_PATH;
  const statusOf = new Map(replies.map(([name, [status]]) => [name, status]));
  const refuse = (name: string) =>
    `{ set req.http.X-Catalogue-Problem = "${name}"; return (synth(${statusOf.get(name)})); }`;
  const faults = queryFaults(input.settings).map(
    ({ pattern, problem: name }) => `if (req.http.X-Catalogue-Query ~ "${pattern}") ${refuse(name)}`,
  );
  const headers = (target: string, all: readonly Header[]) =>
    all.map(([name, value]) => `set ${target}.http.${name} = ${text(value)};`);
  const value = (key: ParameterKey, name: string, absent: string | number) => [
    `set req.http.X-Catalogue-${name} = "${absent}";`,
    `if (req.http.X-Catalogue-Query ~ "${valuePattern(key)}") {`,
    `    set req.http.X-Catalogue-${name} = ${decodedValue(key, 'IDENTITY')};`,
    '}',
  ];
  const lines = [
    'vcl 4.1;',
    '',
    'import blob;',
    'import std;',
    '',
    '# Include this file after two backends: catalogue_origin, which serves dist/public as plain files, and',
    '# catalogue_shell, which is Varnish itself at a listener named shell (-a shell=127.0.0.1:6082).',
    '',
    ...sub('vcl_recv', [
      'set req.backend_hint = catalogue_origin;',
      '# Only what was fetched may hold an ESI element: Varnish asks itself for a page without entries.',
      'if (local.socket == "shell") { return (synth(200)); }',
      '# A total, or a page without entries: the rest was done before.',
      'if (req.esi_level > 0 || (req.restarts > 0 && req.http.X-Catalogue-Absent)) {',
      '    return (hash);',
      '}',
      ...NAMES.map((name) => `unset req.http.X-Catalogue-${name};`),
      'unset req.http.Accept-Encoding;',
      'if (req.method == "OPTIONS") { return (synth(204)); }',
      `if (req.method != "GET" && req.method != "HEAD") ${refuse('method-not-allowed')}`,
      'set req.http.X-Catalogue-Path = regsub(req.url, "\\?.*$", "");',
      `if (req.http.X-Catalogue-Path == "${list}") {`,
      '    call catalogue_list;',
      `} elsif (req.http.X-Catalogue-Path ~ "^${literal(list)}/${ID_PATTERN}$") {`,
      '    set req.http.X-Catalogue-Kind = "property";',
      `    set req.url = "/${PROPERTIES_FOLDER}/" + std.tolower(regsub(req.http.X-Catalogue-Path, "^.*/", "")) + ".json";`,
      `} elsif (req.http.X-Catalogue-Path ~ "^${literal(list)}/[^/]+$") ${refuse('property-not-found')}`,
      `elsif (req.http.X-Catalogue-Path ~ "^${literal(base + API_PATH)}(?:/|$)") ${refuse('not-found')}`,
      `elsif (req.http.X-Catalogue-Path !~ "^${literal(base)}/") ${refuse('not-found')}`,
      'else {',
      '    set req.http.X-Catalogue-Kind = "file";',
      `    set req.url = regsub(regsub(req.http.X-Catalogue-Path, "^${literal(base)}", ""), "/$", "/index.html");`,
      '}',
      'unset req.http.Cookie;',
      'unset req.http.Authorization;',
      'return (hash);',
    ]),
    '',
    ...sub('catalogue_list', [
      '# Only what counts is kept: Varnish gives up on a long query that an expression has to search again and again.',
      `set req.http.X-Catalogue-Query = regsuball(regsub(req.url, "^[^?]*\\??", "&"), "${foreignPair()}", "");`,
      ...faults.slice(0, FAMILIES.length),
      `set req.http.X-Catalogue-Query = regsuball(req.http.X-Catalogue-Query, "${emptyPair()}", "");`,
      ...faults.slice(FAMILIES.length),
      ...value('country', 'Country', ANY),
      ...value('number', 'Number', DEFAULT_PAGE_NUMBER),
      ...value('size', 'Size', DEFAULT_PAGE_SIZE),
      `set req.http.X-Catalogue-City = "${ANY}";`,
      `if (req.http.X-Catalogue-Query ~ "${longCityPattern()}") {`,
      `    set req.http.X-Catalogue-City = "${NO_CITY}";`,
      `} elsif (req.http.X-Catalogue-Query ~ "${valuePattern('city')}") {`,
      `    set req.http.X-Catalogue-City = ${decodedValue('city', 'HEX, case=LOWER')};`,
      '}',
      'set req.http.X-Catalogue-Kind = "list";',
      `set req.http.X-Catalogue-Scope = "/${PAGES_FOLDER}/" + req.http.X-Catalogue-Country + "/" + req.http.X-Catalogue-City;`,
      'set req.url = req.http.X-Catalogue-Scope + "/" + req.http.X-Catalogue-Size + "-" + req.http.X-Catalogue-Number + ".json";',
      'unset req.http.X-Catalogue-Query;',
    ]),
    '',
    ...sub('vcl_hash', ['if (req.esi_level == 0 && req.http.X-Catalogue-Absent) { hash_data("absent"); }']),
    '',
    ...sub('vcl_backend_fetch', [
      'unset bereq.http.Accept-Encoding;',
      'if (bereq.http.X-Catalogue-Absent && bereq.url !~ "/total$") { set bereq.backend = catalogue_shell; }',
    ]),
    '',
    ...sub('vcl_backend_response', [
      'if (bereq.http.X-Catalogue-Absent && bereq.url !~ "/total$") { set beresp.do_esi = true; }',
      'unset beresp.http.Cache-Control;',
      'unset beresp.http.Expires;',
      'unset beresp.http.Set-Cookie;',
      'if (beresp.status != 200) {',
      ...lifetime(problem).map((line) => `    ${line}`),
      `} elsif (bereq.url ~ "^/(?:${ASSET_FOLDERS.join('|')})/") {`,
      ...lifetime(media).map((line) => `    ${line}`),
      '} else {',
      ...lifetime(api).map((line) => `    ${line}`),
      '}',
      ...Object.entries(MEDIA_TYPES).map(
        ([extension, type]) =>
          `if (bereq.url ~ "\\.${extension}$") { set beresp.http.Content-Type = ${text(type)}; }`,
      ),
      'return (deliver);',
    ]),
    '',
    ...sub('vcl_deliver', [
      'if (req.esi_level > 0) {',
      '    if (resp.status != 200) { return (synth(200)); }',
      '    return (deliver);',
      '}',
      'if (resp.status >= 300 && resp.status < 500 && resp.status != 304 && resp.status != 412 && resp.status != 416) {',
      '    if (req.http.X-Catalogue-Kind == "list") {',
      '        set req.http.X-Catalogue-Absent = "1";',
      '        return (restart);',
      '    }',
      `    if (req.http.X-Catalogue-Kind == "property") ${refuse('property-not-found')}`,
      '    set req.http.X-Catalogue-Problem = "not-found";',
      '    return (synth(404));',
      '}',
      '# Varnish itself knows a single tag, but neither a list of them nor the asterisk.',
      'if (resp.status == 200 && resp.http.ETag && req.http.If-None-Match ~ "^.{1,1000}$") {',
      '    set req.http.X-Catalogue-Tags = req.http.If-None-Match + "|" + resp.http.ETag;',
      `    if (req.http.X-Catalogue-Tags ~ {"^\\*\\||(?:^|[ ,])(?:W/)?("[^"]*").*\\|(?:W/)?\\1$"}) { set resp.status = 304; }`,
      '}',
      ...headers('resp', COMMON_HEADERS),
      `set resp.http.Cache-Control = ${text(api)};`,
      `if (req.url ~ "^/(?:${ASSET_FOLDERS.join('|')})/") { set resp.http.Cache-Control = ${text(media)}; }`,
      `if (req.http.X-Catalogue-Kind != "file" && resp.status == 200) { set resp.http.Content-Type = ${text(JSON_TYPE)}; }`,
      'return (deliver);',
    ]),
    '',
    ...sub('vcl_synth', [
      'if (req.esi_level > 0) {',
      '    set resp.body = "0";',
      '    return (deliver);',
      '}',
      'if (local.socket == "shell") {',
      `    set resp.body = "<!--esi" + ${SHELL} + "-->";`,
      '    return (deliver);',
      '}',
      ...headers('resp', COMMON_HEADERS),
      'unset resp.http.Server;',
      'unset resp.http.Retry-After;',
      'if (resp.status == 204) {',
      ...headers('resp', PREFLIGHT_HEADERS).map((line) => `    ${line}`),
      '    return (deliver);',
      '}',
      `set resp.http.Content-Type = ${text(PROBLEM_TYPE)};`,
      `set resp.http.Cache-Control = ${text(problem)};`,
      ...[405, 401].flatMap((status) =>
        headers('resp', problemHeaders(status)).map((line) => `if (resp.status == ${status}) { ${line} }`),
      ),
      ...replies.map(
        ([name, [, body]]) =>
          `if (req.http.X-Catalogue-Problem == "${name}") { set resp.body = """${body}"""; }`,
      ),
      'return (deliver);',
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** A page without entries, with an ESI element for its total, as an expression of VCL. */
const SHELL = text(
  emptyPageTemplate(
    '""" + req.http.X-Catalogue-Number + """',
    '""" + req.http.X-Catalogue-Size + """',
    '<esi:include src=""" + {"""} + req.http.X-Catalogue-Scope + "/total" + {"""} + """/>',
  ),
);

/** The decoded value of a parameter that is there. */
function decodedValue(key: ParameterKey, encoding: string): string {
  const raw = `regsub(req.http.X-Catalogue-Query, "^.*?${valuePattern(key)}.*$", "\\1")`;
  return `blob.transcode(encoded=regsuball(${raw}, "\\+", "%20"), decoding=URL, encoding=${encoding})`;
}

/** How long Varnish keeps an answer: as long as others may. */
function lifetime(caching: string): string[] {
  const seconds = (name: string) => Number(new RegExp(`(?:^|[ ,])${name}=([0-9]+)`).exec(caching)?.[1] ?? 0);
  return [
    `set beresp.ttl = ${seconds('s-maxage') || seconds('max-age')}s;`,
    `set beresp.grace = ${seconds('stale-while-revalidate')}s;`,
    'set beresp.keep = 0s;',
  ];
}

function sub(name: string, lines: readonly string[]): string[] {
  return [`sub ${name} {`, ...lines.map((line) => `    ${line}`), '}'];
}

/** A string of VCL, which has no escapes; the text holds no line end. */
function text(value: string): string {
  return `"""${value}"""`;
}
