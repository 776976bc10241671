/** HAProxy in front of a server of plain files. */
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
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, type ParameterKey } from '../contract/parameters.ts';
import type { ProblemName } from '../contract/problem.ts';
import { emptyPageTemplate, literal, longCityPattern, queryFaults, valuePattern } from './expressions.ts';
import { instructions } from './instructions.ts';
import { refusal } from './refusal.ts';
import { problemReplies } from './settings.ts';
import type { Target, TargetInput } from './target.ts';

/** HAProxy: expressions judge the query, converters compute the file, and a map knows the totals. */
export const haproxy: Target = {
  name: 'haproxy',
  title: 'HAProxy',
  generate: (input) =>
    refusal(input, 'HAProxy', { checksKeys: true }) ?? {
      files: [
        { path: 'haproxy.cfg', content: configuration(input) },
        { path: 'totals.map', content: totals(input) },
        instructions(input, { title: 'HAProxy', steps: STEPS }),
      ],
    },
};

/** What the README says. */
const STEPS = [
  'Serve `dist/public` as plain files, with entity tags, from any server (the origin) that others cannot reach.',
  'Copy `haproxy.cfg` and `totals.map` to one folder. The map changes with the catalogue: copy it after each build, after the files, and reload HAProxy.',
  'Set `CATALOGUE_BIND` (such as `:8080`) and `CATALOGUE_ORIGIN` (such as `127.0.0.1:8081`) in the environment of HAProxy, and start it: `haproxy -f haproxy.cfg`. To serve more than the catalogue, take its frontend and backend into your configuration.',
  'TLS, timeouts and limits of connections are yours: change `bind` and the `global` and `defaults` sections as you need.',
];

/** A line for every scope: its folder below the pages, and its total. */
function totals({ scopes }: TargetInput): string {
  const lines: string[] = [];
  for (const { folder, total } of scopes) lines.push(`${folder.slice(PAGES_FOLDER.length + 1)} ${total}\n`);
  return lines.join('');
}

function configuration(input: TargetInput): string {
  const { base } = input.settings;
  const { api, media, problem: problemCaching } = input.configuration.cache_control;
  const digests = input.configuration.api_keys;
  const replies = problemReplies(input.problems);
  const list = base + LIST_PATH;
  const root = base + API_PATH;
  const answer = (status: number, headers: readonly Header[], content: string, condition: string) =>
    [
      `return status ${status}`,
      content,
      ...headers.map(([name, value]) => `hdr ${name} ${quoted(value.replaceAll('%', '%%'))}`),
      condition,
    ].join(' ');
  const problem = (name: ProblemName, condition: string) => {
    const [status, body] = replies[name]!;
    const headers: Header[] = [...problemHeaders(status), ['Cache-Control', problemCaching]];
    return answer(status, headers, `content-type ${PROBLEM_TYPE} string ${quoted(body)}`, condition);
  };
  const value = (key: ParameterKey, then = '') => {
    const pattern = valuePattern(key);
    const whole = `^(?:.*?&)??${pattern.replace('(?:^|&)', '')}.*$`;
    return `http-request set-var(txn.${key}) ${quoted(`query,regsub("${whole}","\\1"),url_dec(1)${then}`)} if is_list { query -m reg ${quoted(pattern)} }`;
  };
  const constant = (variable: string, text: string) =>
    `http-request set-var(txn.${variable}) ${quoted(`str("${text}")`)}`;
  const lines = [
    'global',
    '    default-path config',
    '    maxconn 4096',
    '',
    'defaults',
    '    mode http',
    '    timeout connect 5s',
    '    timeout client 60s',
    '    timeout server 60s',
    '',
    'frontend catalogue',
    ...[
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
      'bind "${CATALOGUE_BIND}"',
      'compression algo gzip',
      `compression type ${JSON_TYPE} ${PROBLEM_TYPE}`,
      '',
      '# Every answer.',
      ...COMMON_HEADERS.map(([name, value]) => `http-after-response set-header ${name} ${quoted(value)}`),
      ...(digests.length > 0
        ? [
            `http-request set-var(txn.vary) bool(true) if { path -m str ${list} }`,
            `http-after-response add-header Vary ${API_KEY_HEADER} if { var(txn.vary) -m bool }`,
          ]
        : []),
      '',
      '# Methods.',
      `http-request ${answer(204, PREFLIGHT_HEADERS, '', 'if METH_OPTIONS')}`,
      `http-request ${problem('method-not-allowed', 'if !{ method GET HEAD }')}`,
      '',
      '# Paths of the API, as they were sent.',
      `acl is_list path -m str ${list}`,
      `acl is_property path -m reg ${quoted(`^${literal(list)}/${ID_PATTERN}$`)}`,
      `http-request ${problem('property-not-found', `if !is_property { path -m reg ${quoted(`^${literal(list)}/[^/]+$`)} }`)}`,
      `http-request ${problem('not-found', `if !is_list !is_property { path -m str ${root} } or !is_list !is_property { path -m beg ${root}/ }`)}`,
      ...(base ? [`http-request ${problem('not-found', `if !{ path -m beg ${base}/ }`)}`] : []),
      '',
      ...(digests.length > 0
        ? [
            '# The key, by its digest.',
            `http-request set-var(txn.digest) req.fhdr(${API_KEY_HEADER}),sha2(256),hex,lower if is_list`,
            ...digests.flatMap((digest, index) => [
              `http-request set-var(txn.digest_${index}) str(${digest}) if is_list`,
              `http-request set-var(txn.authorized) bool(true) if is_list { var(txn.digest),secure_memcmp(txn.digest_${index}) -m bool }`,
            ]),
            `http-request ${problem('invalid-api-key', 'if is_list !{ var(txn.authorized) -m bool }')}`,
            '',
          ]
        : []),
      '# The query: its first fault, or its values.',
      ...queryFaults(input.settings).map(
        ({ pattern, problem: name }) =>
          `http-request ${problem(name, `if is_list { query -m reg ${quoted(pattern)} }`)}`,
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
      'http-request set-var(txn.total) var(txn.scope),map_str(totals.map,0) if is_list',
      '',
      '# The file.',
      constant('kind', 'file'),
      `${constant('kind', 'list')} if is_list`,
      `${constant('kind', 'property')} if is_property`,
      constant('caching', api),
      `${constant('caching', media)} if { path -m beg ${ASSET_FOLDERS.map((name) => `${base}/${name}/`).join(' ')} }`,
      `http-request set-path /${PAGES_FOLDER}/%[var(txn.scope)]/%[var(txn.size)]-%[var(txn.number)].json if { var(txn.kind) -m str list }`,
      `http-request set-path /${PROPERTIES_FOLDER}/%[path,regsub("^.*/",""),lower].json if { var(txn.kind) -m str property }`,
      ...(base
        ? [`http-request set-path %[path,regsub("^${literal(base)}","")] if { var(txn.kind) -m str file }`]
        : []),
      'http-request set-path %[path]index.html if { path_end / }',
      'http-request set-pathq %[path]',
      ...Object.entries(MEDIA_TYPES).map(
        ([extension, type]) => `${constant('type', type)} if { path_end .${extension} }`,
      ),
      '',
      '# No file: a page without entries, or a problem. An origin may say so in many ways.',
      'acl is_absent status 300:303 305:411 413:415 417:499',
      `http-response ${answer(200, [['Cache-Control', api]], `content-type ${JSON_TYPE} lf-string ${quoted(emptyPageTemplate('%[var(txn.number)]', '%[var(txn.size)]', '%[var(txn.total)]'))}`, 'if is_absent { var(txn.kind) -m str list }')}`,
      `http-response ${problem('property-not-found', 'if is_absent { var(txn.kind) -m str property }')}`,
      `http-response ${problem('not-found', 'if is_absent')}`,
      'http-response set-header Cache-Control %[var(txn.caching)]',
      'http-response set-header Content-Type %[var(txn.type)] if { status 200 206 } { var(txn.type) -m found }',
      'default_backend origin',
    ].map((line) => (line ? `    ${line}` : line)),
    '',
    'backend origin',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the environment
    '    server origin "${CATALOGUE_ORIGIN}"',
  ];
  return `${lines.join('\n')}\n`;
}

/** A word in single quotes, in which HAProxy reads every character as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
