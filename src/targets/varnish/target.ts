import {
  ANY,
  API_PATH,
  ID_PATTERN,
  LIST_PATH,
  NO_CITY,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
} from '../../contract/keys.ts';
import { ORIGIN_TIME_LIMIT } from '../../contract/origin.ts';
import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_PAGE_SIZE,
  FAMILIES,
  type ParameterKey,
} from '../../contract/parameters.ts';
import { bucketStep, ORIGIN_PORT, ORIGIN_SITE, originStep } from '../shared/origin-site.ts';
import { accessPattern, PLAIN_PATH } from '../shared/path-regex.ts';
import {
  emptyPair,
  foreignPair,
  literal,
  longCityPattern,
  queryFaults,
  valuePattern,
} from '../shared/query-regex.ts';
import { commands, instructions, listenerOf, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import type { Target, TargetInput } from '../target.ts';

import { deliver, originRules, synthesise } from './answers.ts';
import { refuse, sub } from './vcl.ts';

/** Varnish: expressions judge the query, `vmod_blob` computes the file, and ESI puts a total in its place. */
export const varnish: Target = {
  name: 'varnish',
  title: 'Varnish',
  generate: (input) =>
    refusal(input, 'Varnish', { checksKeys: false, instead: 'haproxy' }) ?? {
      files: [
        { path: 'catalogue.vcl', content: configuration(input) },
        { path: 'default.vcl', content: MAIN },
        { path: 'service.conf', content: service(input) },
        ORIGIN_SITE,
        instructions(input, {
          title: 'Varnish',
          steps: STEPS,
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: ["varnishadm ban 'req.url ~ .'"],
        }),
      ],
    },
};

/** Where Varnish asks itself; not 6082, at which Debian's Varnish is administered. */
const SHELL_PORT = 6083;

/** What the README says. */
const STEPS = [
  originStep('varnish'),
  `Install Varnish, 7.1 or newer, with this configuration. \`default.vcl\` names the origin and includes \`catalogue.vcl\`. \`service.conf\` starts Varnish at the port of the base URL, and with a second listener, named \`shell\`, at which it asks itself.${commands(
    'apt-get install varnish',
    'cp dist/edge/varnish/catalogue.vcl dist/edge/varnish/default.vcl /etc/varnish/',
    'mkdir -p /etc/systemd/system/varnish.service.d',
    'cp dist/edge/varnish/service.conf /etc/systemd/system/varnish.service.d/catalogue.conf',
    'systemctl daemon-reload && systemctl restart varnish',
  )}`,
  'After a new catalogue, answers are as old as `cache_control` allows; `varnishadm`, below, drops them at once.',
  bucketStep(
    'A bucket that is told by its name also needs `.host_header` in `default.vcl`, such as `stays.s3.eu-west-1.amazonaws.com`.',
  ),
];

/** The VCL that Varnish is started with. */
const MAIN = `vcl 4.1;

backend catalogue_origin {
    .host = "127.0.0.1";
    .port = "${ORIGIN_PORT}";
}

# Varnish itself, at the listener named shell.
backend catalogue_shell {
    .host = "127.0.0.1";
    .port = "${SHELL_PORT}";
}

include "/etc/varnish/catalogue.vcl";
`;

/** What differs from Debian's service: the listeners. */
function service(input: TargetInput): string {
  const listeners = `-a :${listenerOf(input).port} -a shell=127.0.0.1:${SHELL_PORT} -T localhost:6082`;
  return `[Service]
ExecStart=
ExecStart=/usr/sbin/varnishd -j unix,user=vcache -F ${listeners} -f /etc/varnish/default.vcl -S /etc/varnish/secret -s malloc,256m
`;
}

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
  'Page',
  'Step',
  'Tags',
  'Length',
] as const;

function configuration(input: TargetInput): string {
  const lines = [
    'vcl 4.1;',
    '',
    'import blob;',
    'import std;',
    '',
    '# Include this file after two backends: catalogue_origin, which serves dist/public as plain files, and',
    `# catalogue_shell, which is Varnish itself at a listener named shell (-a shell=127.0.0.1:${SHELL_PORT}).`,
    '',
    ...sub('vcl_recv', receive(input)),
    '',
    ...sub('catalogue_list', listRules(input)),
    '',
    ...sub('catalogue_file', fileRules(input)),
    '',
    ...sub('vcl_hash', [
      'if (req.esi_level == 0 && req.http.X-Catalogue-Step) { hash_data(req.http.X-Catalogue-Step + req.http.X-Catalogue-Scope); }',
    ]),
    '',
    ...sub('vcl_backend_fetch', [
      "# The origin hears of nothing that a client may send but the path; the name of the host is the backend's.",
      ...UNNEEDED.map((name) => `unset bereq.http.${name};`),
      ...['connect_timeout', 'first_byte_timeout', 'between_bytes_timeout'].map(
        (name) => `set bereq.${name} = ${ORIGIN_TIME_LIMIT}ms;`,
      ),
      'if (bereq.http.X-Catalogue-Step == "shell") {',
      '    set bereq.backend = catalogue_shell;',
      '} else {',
      ...NAMES.map((name) => `    unset bereq.http.X-Catalogue-${name};`),
      '}',
    ]),
    '',
    ...sub('vcl_backend_response', originRules(input)),
    '',
    ...sub('vcl_backend_error', ['set beresp.ttl = 0s;', 'set beresp.grace = 0s;', 'return (deliver);']),
    '',
    ...sub('vcl_deliver', deliver(input)),
    '',
    ...sub('vcl_synth', synthesise(input)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Headers by which the answer of an origin may depend on a client. VCL can unset a header only by its name. */
const UNNEEDED = [
  'Accept',
  'Accept-Charset',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cache-Control',
  'Connection',
  'Cookie',
  'Expect',
  'Forwarded',
  'From',
  'Host',
  'If-Match',
  'If-Unmodified-Since',
  'Origin',
  'Pragma',
  'Proxy-Authorization',
  'Referer',
  'TE',
  'Upgrade',
  'User-Agent',
  'Via',
  'X-API-KEY',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'X-Real-IP',
  'X-Requested-With',
  'X-Rewrite-URL',
] as const;

function receive(input: TargetInput): string[] {
  const { base } = input.settings;
  const list = base + LIST_PATH;
  const path = 'req.http.X-Catalogue-Path';
  return [
    'set req.backend_hint = catalogue_origin;',
    '# Only what was fetched may hold an ESI element: Varnish asks itself for a page without entries.',
    'if (local.socket == "shell") { return (synth(200)); }',
    '# The total within a page without entries, or another step towards such a page.',
    'if (req.esi_level > 0 || (req.restarts > 0 && req.http.X-Catalogue-Step)) { return (hash); }',
    ...NAMES.map((name) => `unset req.http.X-Catalogue-${name};`),
    '# What is kept is the same for every host.',
    'unset req.http.Host;',
    'unset req.http.Accept-Encoding;',
    'unset req.http.Cookie;',
    'unset req.http.Authorization;',
    'if (req.method == "OPTIONS") { return (synth(204)); }',
    `if (req.method != "GET" && req.method != "HEAD") ${refuse(input, 'method-not-allowed')}`,
    `set ${path} = regsub(req.url, "\\?.*$", "");`,
    `if (${path} == "${list}") {`,
    '    unset req.http.Range;',
    '    call catalogue_list;',
    `} elsif (${path} ~ "^${literal(list)}/${ID_PATTERN}$") {`,
    '    unset req.http.Range;',
    '    set req.http.X-Catalogue-Kind = "property";',
    `    set req.url = "/${PROPERTIES_FOLDER}/" + std.tolower(regsub(${path}, "^.*/", "")) + ".json";`,
    `} elsif (${path} ~ "^${literal(list)}/[^/]+$") ${refuse(input, 'property-not-found')}`,
    `elsif (${path} ~ "^${literal(base + API_PATH)}(?:/|$)") ${refuse(input, 'not-found')}`,
    `elsif (${path} !~ "^${literal(base)}/") ${refuse(input, 'not-found')}`,
    'else { call catalogue_file; }',
    'return (hash);',
  ];
}

/** The page of a list: the first fault of its query, or its values. */
function listRules(input: TargetInput): string[] {
  const value = (key: ParameterKey, name: string, absent: string | number) => [
    `set req.http.X-Catalogue-${name} = "${absent}";`,
    `if (req.http.X-Catalogue-Query ~ "${valuePattern(key)}") {`,
    `    set req.http.X-Catalogue-${name} = ${decodedValue(key, 'IDENTITY')};`,
    '}',
  ];
  const faults = queryFaults(input.settings).map(
    ({ pattern, problem }) => `if (req.http.X-Catalogue-Query ~ "${pattern}") ${refuse(input, problem)}`,
  );
  return [
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
    'set req.http.X-Catalogue-Page = req.http.X-Catalogue-Scope + "/" + req.http.X-Catalogue-Size + "-" + req.http.X-Catalogue-Number + ".json";',
    'set req.url = req.http.X-Catalogue-Page;',
    'unset req.http.X-Catalogue-Query;',
  ];
}

/** A file beside the API: its path is decoded, and what is not plain then is no file. */
function fileRules(input: TargetInput): string[] {
  const { base } = input.settings;
  const path = 'req.http.X-Catalogue-Path';
  return [
    `if (${path} ~ "%(?:7[Ff]|(?![2-7][0-9A-Fa-f]))") ${refuse(input, 'not-found')}`,
    `set ${path} = blob.transcode(encoded=regsub(${path}, "^${literal(base)}", ""), decoding=URL, encoding=IDENTITY);`,
    `if (${path} !~ "${PLAIN_PATH}" || ${path} ~ "${accessPattern('internal')}") ${refuse(input, 'not-found')}`,
    'set req.http.X-Catalogue-Kind = "file";',
    `set req.url = regsub(${path}, "/$", "/index.html");`,
  ];
}

/** The decoded value of a parameter that is there. */
function decodedValue(key: ParameterKey, encoding: string): string {
  const raw = `regsub(req.http.X-Catalogue-Query, "^.*?${valuePattern(key)}.*$", "\\1")`;
  return `blob.transcode(encoded=regsuball(${raw}, "\\+", "%20"), decoding=URL, encoding=${encoding})`;
}
