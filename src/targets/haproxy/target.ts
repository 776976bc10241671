/** HAProxy in front of a server of plain files. */
import {
  API_KEY_HEADER,
  ASSET_FOLDERS,
  COMMON_HEADERS,
  guardedCaching,
  type Header,
  JSON_TYPE,
  MEDIA_TYPES,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemCaching,
  problemHeaders,
  UNCACHED,
} from '../../contract/headers.ts';
import {
  ANY,
  API_PATH,
  ID_PATTERN,
  LIST_PATH,
  NO_CITY,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
} from '../../contract/keys.ts';
import { ABSENT_STATUSES, ORIGIN_TIME_LIMIT, PRESENT_STATUSES } from '../../contract/origin.ts';
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, type ParameterKey } from '../../contract/parameters.ts';
import type { ProblemName } from '../../contract/problem.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import { bucketStep, ORIGIN_PORT, ORIGIN_SITE, originStep } from '../shared/origin-site.ts';
import { accessPattern, PLAIN_PATH } from '../shared/path-regex.ts';
import {
  emptyPageTemplate,
  literal,
  longCityPattern,
  queryFaults,
  valuePattern,
} from '../shared/query-regex.ts';
import { commands, instructions, listenerOf, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import { serverProblem } from '../shared/server-problems.ts';
import type { Target, TargetInput } from '../target.ts';

/** HAProxy: expressions judge the query, converters compute the file, and a map knows the totals. */
export const haproxy: Target = {
  name: 'haproxy',
  title: 'HAProxy',
  generate: (input) =>
    refusal(input, 'HAProxy', { checksKeys: true }) ?? {
      files: [
        { path: 'haproxy.cfg', content: configuration(input) },
        { path: 'totals.map', content: totals(input) },
        ORIGIN_SITE,
        instructions(input, {
          title: 'HAProxy',
          steps: steps(input),
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: ['cp dist/edge/haproxy/totals.map /etc/haproxy/ && systemctl reload haproxy'],
        }),
      ],
    },
};

/** What the README says. */
function steps(input: TargetInput): string[] {
  const { port } = listenerOf(input);
  return [
    originStep('haproxy'),
    `Install HAProxy, 2.6 or newer, with this configuration. To serve more than the catalogue, take its frontend and its backend into your own.${commands(
      'apt-get install haproxy',
      'cp dist/edge/haproxy/haproxy.cfg dist/edge/haproxy/totals.map /etc/haproxy/',
      `printf '%s\\n' CATALOGUE_BIND=:${port} CATALOGUE_ORIGIN=127.0.0.1:${ORIGIN_PORT} >>/etc/default/haproxy`,
      'systemctl restart haproxy',
    )}`,
    'The map of totals changes with the catalogue: copy it after the files, and reload, as below. Until then a page that its total promises and that is gone is a 502.',
    bucketStep(
      'A bucket that is told by its name also needs `CATALOGUE_ORIGIN_HOST`, such as `stays.s3.eu-west-1.amazonaws.com`; with TLS, add `ssl verify required ca-file /etc/ssl/certs/ca-certificates.crt` to the `server` line.',
    ),
    'TLS, timeouts and limits of connections are yours: change `bind` and the `global` and `defaults` sections as you need. An answer that the origin begins later than `timeout server` is a 502.',
  ];
}

/** The scope of everything, as the map names it. */
const EVERYTHING = `${ANY}/${ANY}`;

/** A line for every scope: its folder below the pages, and its total. That of everything is always there. */
function totals({ scopes }: TargetInput): string {
  const lines: string[] = [];
  let hasEverything = false;
  for (const { folder, total } of scopes) {
    const scope = folder.slice(PAGES_FOLDER.length + 1);
    hasEverything ||= scope === EVERYTHING;
    lines.push(`${scope} ${total}\n`);
  }
  return (hasEverything ? '' : `${EVERYTHING} 0\n`) + lines.join('');
}

function configuration(input: TargetInput): string {
  const lines = [
    'global',
    '    default-path config',
    '    maxconn 4096',
    '',
    'defaults',
    ...indented([
      'mode http',
      '# An answer that begins later is as good as none.',
      `timeout connect ${ORIGIN_TIME_LIMIT}ms`,
      `timeout server ${ORIGIN_TIME_LIMIT}ms`,
      'timeout client 60s',
      'timeout http-request 30s',
      'retries 1',
      ...brokenErrors(input),
    ]),
    '',
    'frontend catalogue',
    ...indented([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
      'bind "${CATALOGUE_BIND}"',
      'compression algo gzip',
      'compression offload',
      `compression type ${JSON_TYPE} ${PROBLEM_TYPE}`,
      '',
      ...commonRules(input),
      '',
      ...methodAndPathRules(input),
      '',
      ...(input.configuration.api_keys.length > 0 ? [...keyRules(input), ''] : []),
      ...queryRules(input),
      '',
      ...fileRules(input),
      '',
      ...originRules(),
      '',
      ...answerRules(input),
      'default_backend origin',
    ]),
    '',
    'backend origin',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
    '    server origin "${CATALOGUE_ORIGIN}"',
  ];
  return `${lines.join('\n')}\n`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line && !line.startsWith('.') ? `    ${line}` : line));
}

/** Statuses of the answers that HAProxy makes by itself when the origin gives none that it can read. */
const BROKEN_STATUSES = [500, 502, 503, 504] as const;

function brokenErrors(input: TargetInput): string[] {
  const [, body] = problemReplies(input.problems)['list-unavailable']!;
  return BROKEN_STATUSES.map(
    (status) =>
      `http-error status ${status} content-type ${PROBLEM_TYPE} string ${quoted(body)} hdr Cache-Control ${UNCACHED}`,
  );
}

/** An answer that HAProxy gives by itself, on this condition. */
function answer(status: number, headers: readonly Header[], content: string, condition: string): string {
  return [
    `return status ${status}`,
    content,
    ...headers.map(([name, value]) => `hdr ${name} ${quoted(value.replaceAll('%', '%%'))}`),
    condition,
  ].join(' ');
}

/** The answer with a problem. */
function problem({ problems, configuration }: TargetInput, name: ProblemName, condition: string): string {
  const [status, body] = problemReplies(problems)[name]!;
  const caching = problemCaching(status, configuration.cache_control.problem);
  const headers: Header[] = [...problemHeaders(status), ['Cache-Control', caching]];
  return answer(status, headers, `content-type ${PROBLEM_TYPE} string ${quoted(body)}`, condition);
}

/** Sets a variable to a text. */
function constant(variable: string, text: string): string {
  return `http-request set-var(txn.${variable}) ${quoted(`str("${text}")`)}`;
}

/** The kinds of paths, and what every answer has. */
function commonRules(input: TargetInput): string[] {
  const { base } = input.settings;
  const { api_keys, cache_control } = input.configuration;
  const list = base + LIST_PATH;
  const below = base ? `path,regsub("^${literal(base)}","")` : 'path';
  return [
    '# Paths of the API, as they were sent. Other paths are decoded.',
    `acl is_list path -m str ${list}`,
    `acl is_property path -m reg ${quoted(`^${literal(list)}/${ID_PATTERN}$`)}`,
    `http-request set-var(txn.file) ${quoted(`${below},url_dec(0)`)} if !is_list !is_property`,
    '',
    '# Every answer. What depends on a key is for no cache that people share.',
    ...COMMON_HEADERS.map(([name, value]) => `http-after-response set-header ${name} ${quoted(value)}`),
    `http-after-response set-status 502 if { status ${BROKEN_STATUSES.join(' ')} }`,
    ...(api_keys.length > 0
      ? [
          'acl is_keyed var(txn.keyed) -m bool',
          `http-request set-var(txn.keyed) bool(true) if is_list or { var(txn.file) -m reg ${quoted(accessPattern('guarded'))} }`,
          `http-after-response add-header Vary ${API_KEY_HEADER} if is_keyed`,
          `http-after-response set-header Cache-Control ${quoted(guardedCaching(cache_control.problem))} if is_keyed { status 400:499 }`,
        ]
      : []),
  ];
}

/** Methods, and paths at which there is nothing. */
function methodAndPathRules(input: TargetInput): string[] {
  const { base } = input.settings;
  const list = base + LIST_PATH;
  const root = base + API_PATH;
  const notFound = (condition: string) => `http-request ${problem(input, 'not-found', condition)}`;
  return [
    '# Methods.',
    `http-request ${answer(204, PREFLIGHT_HEADERS, '', 'if METH_OPTIONS')}`,
    `http-request ${problem(input, 'method-not-allowed', 'if !{ method GET HEAD }')}`,
    '',
    '# Paths of the API, as they were sent.',
    `http-request ${problem(input, 'property-not-found', `if !is_property { path -m reg ${quoted(`^${literal(list)}/[^/]+$`)} }`)}`,
    notFound(
      `if !is_list !is_property { path -m str ${root} } or !is_list !is_property { path -m beg ${root}/ }`,
    ),
    ...(base ? [notFound(`if !{ path -m beg ${base}/ }`)] : []),
    '',
    '# Other paths: what is not plain is no file, and some files are for no one.',
    notFound(`if !is_list !is_property !{ var(txn.file) -m reg ${quoted(PLAIN_PATH)} }`),
    notFound(`if { var(txn.file) -m reg ${quoted(accessPattern('internal'))} }`),
  ];
}

/** The key, by its digest. */
function keyRules(input: TargetInput): string[] {
  const { api_keys } = input.configuration;
  return [
    '# The key, by its digest.',
    `http-request set-var(txn.digest) req.fhdr(${API_KEY_HEADER}),sha2(256),hex,lower if is_keyed`,
    ...api_keys.flatMap((digest, index) => [
      `http-request set-var(txn.digest_${index}) str(${digest}) if is_keyed`,
      `http-request set-var(txn.authorized) bool(true) if is_keyed { var(txn.digest),secure_memcmp(txn.digest_${index}) -m bool }`,
    ]),
    `http-request ${problem(input, 'invalid-api-key', 'if is_keyed !{ var(txn.authorized) -m bool }')}`,
  ];
}

/** The query: its first fault, or its values. */
function queryRules(input: TargetInput): string[] {
  const value = (key: ParameterKey, then = '') => {
    const pattern = valuePattern(key);
    const whole = `^(?:.*?&)??${pattern.replace('(?:^|&)', '')}.*$`;
    return `http-request set-var(txn.${key}) ${quoted(`query,regsub("${whole}","\\1"),url_dec(1)${then}`)} if is_list { query -m reg ${quoted(pattern)} }`;
  };
  return [
    '# The query: its first fault, or its values.',
    ...queryFaults(input.settings).map(
      ({ pattern, problem: name }) =>
        `http-request ${problem(input, name, `if is_list { query -m reg ${quoted(pattern)} }`)}`,
    ),
    constant('country', ANY),
    constant('city', ANY),
    constant('number', String(DEFAULT_PAGE_NUMBER)),
    constant('size', String(DEFAULT_PAGE_SIZE)),
    value('country'),
    value('number'),
    value('size'),
    `acl is_long query -m reg ${quoted(longCityPattern())}`,
    `${constant('city', NO_CITY)} if is_list is_long`,
    `${value('city', ',hex,lower')} !is_long`,
    'http-request set-var-fmt(txn.scope) %[var(txn.country)]/%[var(txn.city)] if is_list',
    'http-request set-var(txn.total) var(txn.scope),map_str_int(totals.map,0) if is_list',
    `http-request set-var(txn.all) str(${EVERYTHING}),map_str_int(totals.map) if is_list`,
    '# How many entries are before the page, less all that there are.',
    'http-request set-var(txn.before) var(txn.number),sub(1),mul(txn.size),sub(txn.total) if is_list',
  ];
}

/** The file that is asked for. */
function fileRules(input: TargetInput): string[] {
  const { api, media } = input.configuration.cache_control;
  const isKeyed = input.configuration.api_keys.length > 0;
  return [
    '# The file.',
    constant('kind', 'file'),
    `${constant('kind', 'list')} if is_list`,
    `${constant('kind', 'property')} if is_property`,
    `http-request set-path /${PAGES_FOLDER}/%[var(txn.scope)]/%[var(txn.size)]-%[var(txn.number)].json if { var(txn.kind) -m str list }`,
    `http-request set-path /${PROPERTIES_FOLDER}/%[path,regsub("^.*/",""),lower].json if { var(txn.kind) -m str property }`,
    'http-request set-path %[var(txn.file)] if { var(txn.kind) -m str file }',
    'http-request set-path %[path]index.html if { path_end / }',
    'http-request set-pathq %[path]',
    'http-request set-var-fmt(txn.folder) %[path]/',
    constant('caching', api),
    `${constant('caching', media)} if { path -m beg ${ASSET_FOLDERS.map((name) => `/${name}/`).join(' ')} }`,
    ...(isKeyed ? [`${constant('caching', guardedCaching(api))} if is_keyed`] : []),
    ...Object.entries(MEDIA_TYPES).map(
      ([extension, type]) => `${constant('type', type)} if { path_end .${extension} }`,
    ),
  ];
}

/** What the origin is asked: nothing of the request but its path, whether a file changed, and a part of it. */
function originRules(): string[] {
  return [
    '# The origin hears of nothing else that a client may send.',
    'http-request del-header ^(?!if-none-match$|if-range$|range$|accept-encoding$|content-length$|transfer-encoding$) -m reg',
    'http-request del-header ^(?:if-)?range$ -m reg if !{ var(txn.kind) -m str file }',
    '.if defined(CATALOGUE_ORIGIN_HOST)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
    'http-request set-header Host "${CATALOGUE_ORIGIN_HOST}"',
    '.else',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
    'http-request set-header Host "${CATALOGUE_ORIGIN}"',
    '.endif',
  ];
}

/** What the answer of the origin means: a file, that there is none, or nothing. */
function answerRules(input: TargetInput): string[] {
  const { api } = input.configuration.cache_control;
  const caching = input.configuration.api_keys.length > 0 ? guardedCaching(api) : api;
  const empty = emptyPageTemplate('%[var(txn.number)]', '%[var(txn.size)]', '%[var(txn.total)]');
  const broken = (condition: string) => `http-response ${problem(input, 'list-unavailable', condition)}`;
  return [
    '# No file: a page without entries, or a problem. Only a bucket may say so in other ways than by 404.',
    `acl is_present status ${PRESENT_STATUSES.join(' ')}`,
    `acl is_absent status ${ABSENT_STATUSES[input.configuration.origin].join(' ')}`,
    'http-response set-var(txn.range) res.fhdr(Content-Range) if { status 416 }',
    `http-response return status 416 content-type ${PROBLEM_TYPE} string ${quoted(serverProblem(416))} hdr Content-Range %[var(txn.range)] hdr Cache-Control ${UNCACHED} if { status 416 } { var(txn.kind) -m str file }`,
    '# A redirect to the same path with a slash is how servers name a folder.',
    `acl is_folder ${quoted('res.fhdr(Location),regsub("^[a-z]+://[^/]*",""),strcmp(txn.folder)')} eq 0`,
    `http-response ${problem(input, 'not-found', 'if { status 300:308 } is_folder { var(txn.kind) -m str file }')}`,
    broken('if !is_present !is_absent'),
    '# A page that must be there, by its total; or nothing is known of totals.',
    broken(
      'if is_absent { var(txn.before) -m int lt 0 } or is_absent { var(txn.kind) -m str list } !{ var(txn.all) -m found }',
    ),
    `http-response ${answer(200, [['Cache-Control', caching]], `content-type ${JSON_TYPE} lf-string ${quoted(empty)}`, 'if is_absent { var(txn.kind) -m str list }')}`,
    `http-response ${problem(input, 'property-not-found', 'if is_absent { var(txn.kind) -m str property }')}`,
    `http-response ${problem(input, 'not-found', 'if is_absent')}`,
    'http-response del-header ^(?!etag$|last-modified$|date$|content-length$|content-range$|accept-ranges$|content-type$|transfer-encoding$) -m reg',
    'http-response del-header Accept-Ranges if !{ var(txn.kind) -m str file }',
    'http-response set-header Cache-Control %[var(txn.caching)]',
    'http-response set-header Content-Type %[var(txn.type)] if { status 200 206 } { var(txn.type) -m found }',
  ];
}

/** A word in single quotes, in which HAProxy reads every character as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
