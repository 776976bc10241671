/** nginx with the set-misc module: the rewrite is plain configuration, without JavaScript. */
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  JSON_TYPE,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
} from '../../contract/headers.ts';
import { ANY, API_PATH, ID_PATTERN, NO_CITY, PAGES_FOLDER, PROPERTIES_FOLDER } from '../../contract/keys.ts';
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE } from '../../contract/parameters.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import {
  emptyPageTemplate,
  literal,
  longCityPattern,
  queryFaults,
  valuePattern,
} from '../shared/query-regex.ts';
import { instructions, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import type { Target, TargetInput } from '../target.ts';
import {
  apiDirectives,
  block,
  errorLocations,
  fileLocations,
  listPath,
  map,
  nginxSite,
  orDefault,
  plainListMaps,
  plainPage,
  quoted,
  refusalMap,
  regex,
  serverDirectives,
} from './directives.ts';

/** nginx with set-misc: one expression tells the file of most requests, and the file is served as any other. */
export const nginx: Target = {
  name: 'nginx',
  title: 'nginx with set-misc',
  generate: (input) => {
    const refused = refusal(input, 'nginx with set-misc', { checksKeys: false, instead: 'nginx-njs' });
    if (refused) return refused;
    const { site, steps } = nginxSite(input, 'nginx', ['libnginx-mod-http-set-misc']);
    return {
      files: [
        { path: 'http.conf', content: httpConfiguration(input) },
        { path: 'server.conf', content: serverConfiguration(input) },
        site,
        instructions(input, {
          title: 'nginx with set-misc',
          steps: [
            ...steps,
            'Elsewhere than on Debian, build nginx with `ngx_devel_kit` and `set-misc-nginx-module`.',
          ],
          publish: `dir:${SERVER_FOLDER}/public`,
        }),
      ],
    };
  },
};

/** Variables, and what they are made from; nginx computes those that are asked for. */
function httpConfiguration(input: TargetInput): string {
  const { settings } = input;
  const list = literal(listPath(input));
  const property = (id: string) => regex(`^${list}/${id}(?:\\?|$)`);
  const problems = Object.entries(problemReplies(input.problems));
  const lines = [
    '# Include this file in the http block.',
    '',
    ...plainListMaps(input),
    ...map('$catalogue_hexadecimal', 'city_or_any', orDefault('hexadecimal', ANY)),
    '# The others: the values as they were sent, and the first fault of the query.',
    ...map('$args', 'sent_country', [
      [regex(valuePattern('country')), '$1'],
      ['default', ANY],
    ]),
    ...map('$args', 'sent_city', [
      [regex(longCityPattern()), '""'],
      [regex(valuePattern('city')), '$1'],
    ]),
    ...map('$args', 'city_or_none', [
      [regex(longCityPattern()), NO_CITY],
      ['default', '$catalogue_city_or_any'],
    ]),
    ...map('$args', 'sent_number', [
      [regex(valuePattern('number')), '$1'],
      ['default', String(DEFAULT_PAGE_NUMBER)],
    ]),
    ...map('$args', 'sent_size', [
      [regex(valuePattern('size')), '$1'],
      ['default', String(DEFAULT_PAGE_SIZE)],
    ]),
    ...map('$args', 'fault', [
      ...queryFaults(settings).map(({ pattern, problem }) => [regex(pattern), problem] as const),
      ['default', 'empty-page'],
    ]),
    '# The path as it was sent: nginx takes locations from the decoded one.',
    ...map('$request_uri', 'path', [
      [property(`(?<catalogue_id>${ID_PATTERN.replaceAll('A-F', '')})`), 'property'],
      [property(ID_PATTERN), 'upper-case'],
      [property('[^/?]+'), 'property-not-found'],
      [regex(`^${list}(?:\\?|$)`), 'list'],
      ['default', 'not-found'],
    ]),
    ...map('$request_uri', 'digits', [
      [property(ID_PATTERN.replace(/\[[^\]]+\]\{\d+\}/g, '($&)')), '$1$2$3$4$5'],
    ]),
    ...map('$catalogue_lower_digits', 'lower_id', [
      [regex('^(.{8})(.{4})(.{4})(.{4})(.{12})$'), '$1-$2-$3-$4-$5'],
    ]),
    '# What is answered when there is no file.',
    ...map('$request_method', 'answer', [
      ['GET', '$catalogue_path_answer'],
      ['HEAD', '$catalogue_path_answer'],
      ['OPTIONS', 'preflight'],
      ['default', 'method-not-allowed'],
    ]),
    ...map('$catalogue_path', 'path_answer', [
      ['list', '$catalogue_list_answer'],
      ['not-found', 'not-found'],
      ['default', 'property-not-found'],
    ]),
    ...map('$catalogue_plain', 'list_answer', [
      ['1', 'empty-page'],
      ['default', '$catalogue_fault'],
    ]),
    ...map('$catalogue_answer', 'status', [
      ['empty-page', '200'],
      ['preflight', '204'],
      ...problems.map(([name, [status]]) => [name, String(status)] as const),
    ]),
    ...map(
      '$catalogue_answer',
      'problem',
      problems.map(([name, [, body]]) => [name, quoted(body)] as const),
    ),
    ...map('$catalogue_answer', 'allow', [['method-not-allowed', quoted(ALLOWED_METHODS)]]),
    ...PREFLIGHT_HEADERS.flatMap(([name, value]) =>
      map('$catalogue_answer', variableOf(name), [['preflight', quoted(value)]]),
    ),
    ...map('$catalogue_answer', 'problem_caching', [
      ['preflight', '""'],
      ['default', quoted(input.configuration.cache_control.problem)],
    ]),
    ...refusalMap(),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function serverConfiguration(input: TargetInput): string {
  const { base } = input.settings;
  const caching = apiDirectives(input);
  const common = COMMON_HEADERS.map(([name, value]) => `add_header ${name} ${quoted(value)} always;`);
  const statuses = new Set(Object.values(problemReplies(input.problems)).map(([status]) => status));
  const lines = [
    '# Include this file in a server block whose root is dist/public.',
    ...serverDirectives(input, '@catalogue'),
    '',
    ...block(`location = ${listPath(input)}`, [
      ...caching,
      'if ($catalogue_plain = "") {',
      '    rewrite ^ /-catalogue/list last;',
      '}',
      'set_unescape_uri $catalogue_city $catalogue_plain_city;',
      'set_encode_hex $catalogue_hexadecimal $catalogue_city;',
      `rewrite ^ ${plainPage('$catalogue_city_or_any')} break;`,
    ]),
    '',
    ...block('location = /-catalogue/list', [
      'internal;',
      ...caching,
      'if ($catalogue_path_answer != empty-page) {',
      '    return 404;',
      '}',
      ...['country', 'city', 'number', 'size'].map(
        (key) => `set_unescape_uri $catalogue_${key} $catalogue_sent_${key};`,
      ),
      'set_encode_hex $catalogue_hexadecimal $catalogue_city;',
      `rewrite ^ /${PAGES_FOLDER}/$catalogue_country/$catalogue_city_or_none/$catalogue_size-$catalogue_number.json break;`,
    ]),
    '',
    ...block(`location ^~ ${base}${API_PATH}`, [
      ...caching,
      'if ($catalogue_path != property) {',
      '    rewrite ^ /-catalogue/upper-case last;',
      '}',
      `rewrite ^ /${PROPERTIES_FOLDER}/$catalogue_id.json break;`,
    ]),
    '',
    '# nginx has no lower case, but hexadecimal digits have, there and back.',
    ...block('location = /-catalogue/upper-case', [
      'internal;',
      ...caching,
      'if ($catalogue_path != upper-case) {',
      '    return 404;',
      '}',
      'set_decode_hex $catalogue_bytes $catalogue_digits;',
      'set_encode_hex $catalogue_lower_digits $catalogue_bytes;',
      `rewrite ^ /${PROPERTIES_FOLDER}/$catalogue_lower_id.json break;`,
    ]),
    '',
    ...block('location @catalogue', [
      'types {}',
      `default_type ${PROBLEM_TYPE};`,
      ...common,
      'add_header Cache-Control $catalogue_problem_caching always;',
      'add_header Allow $catalogue_allow always;',
      ...PREFLIGHT_HEADERS.map(([name]) => `add_header ${name} $catalogue_${variableOf(name)} always;`),
      'if ($catalogue_status = 200) {',
      `    rewrite "^/${PAGES_FOLDER}/(?<catalogue_scope>[^/]+/[^/]+)/(?<catalogue_page_size>[0-9]+)-(?<catalogue_page_number>[0-9]+)\\.json$" /-catalogue/empty-page last;`,
      '}',
      'if ($catalogue_status = 204) {',
      '    return 204;',
      '}',
      ...[...statuses].flatMap((status) => [
        `if ($catalogue_status = ${status}) {`,
        `    return ${status} $catalogue_problem;`,
        '}',
      ]),
    ]),
    '',
    '# A page without entries. The total is a file; that of everything is always there, and a first page with its total.',
    ...block('location = /-catalogue/empty-page', [
      'internal;',
      `default_type ${JSON_TYPE};`,
      ...caching,
      `if (!-f $document_root/${PAGES_FOLDER}/${ANY}/${ANY}/total) {`,
      '    return 503;',
      '}',
      `if (!-f $document_root/${PAGES_FOLDER}/$catalogue_scope/total) {`,
      `    return 200 '${emptyPageTemplate('$catalogue_page_number', '$catalogue_page_size', '0')}';`,
      '}',
      'if ($catalogue_page_number = 1) {',
      '    return 503;',
      '}',
      'ssi on;',
      `ssi_types ${JSON_TYPE};`,
      'ssi_value_length 1024;',
      `return 200 '${emptyPageTemplate('$catalogue_page_number', '$catalogue_page_size', '<!--# include virtual="/-catalogue/total/$catalogue_scope" -->')}';`,
    ]),
    '',
    ...block('location ^~ /-catalogue/total/', [
      'internal;',
      `rewrite "^/-catalogue/total/(.*)$" /${PAGES_FOLDER}/$1/total break;`,
    ]),
    '',
    ...errorLocations(input),
    '',
    ...fileLocations(input, '@catalogue'),
  ];
  return `${lines.join('\n')}\n`;
}

function variableOf(header: string): string {
  return header.toLowerCase().replaceAll('-', '_');
}
