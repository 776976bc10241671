/** What Varnish makes of the answers of its origin, and what it answers by itself. */
import {
  ASSET_FOLDERS,
  COMMON_HEADERS,
  JSON_TYPE,
  MEDIA_TYPES,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemHeaders,
  UNCACHED,
} from '../../contract/headers.ts';
import { ANY, DATA_FOLDER, PAGES_FOLDER } from '../../contract/keys.ts';
import { ABSENT_STATUSES } from '../../contract/origin.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import { emptyPageTemplate, literal } from '../shared/query-regex.ts';
import { serverProblem } from '../shared/server-problems.ts';
import type { TargetInput } from '../target.ts';

import { headers, refuse, text } from './vcl.ts';

/** What the answer of the origin means, and how long Varnish keeps it. */
export function originRules({ configuration }: TargetInput): string[] {
  const { api, media, problem } = configuration.cache_control;
  const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`);
  const statuses = (all: readonly number[]) => all.map((status) => `beresp.status == ${status}`).join(' || ');
  return [
    'unset beresp.http.Cache-Control;',
    'unset beresp.http.Expires;',
    'unset beresp.http.Set-Cookie;',
    'unset beresp.http.Vary;',
    '# Only a bucket may say in other ways than by 404 that there is no file.',
    `if (${statuses(ABSENT_STATUSES[configuration.origin])}) { set beresp.status = 404; }`,
    '# A redirect to the same path with a slash is how servers name a folder.',
    `if (beresp.status >= 300 && beresp.status < 400 && regsub(beresp.http.Location, "^[a-z]+://[^/]*", "") == bereq.url + "/") { set beresp.status = 404; }`,
    '# It may be broken rather than empty, so the next request is to ask again.',
    `if (beresp.status == 404 && bereq.url ~ "^/${literal(DATA_FOLDER)}/" || bereq.url ~ "/total$") {`,
    '    set beresp.uncacheable = true;',
    '    set beresp.ttl = 10s;',
    '} elsif (beresp.status == 404) {',
    ...indent(lifetime(problem)),
    '} elsif (beresp.status != 200) {',
    '    unset beresp.http.Location;',
    '    # Nothing is known: no answer holds it, and an older file is better.',
    '    if (bereq.is_bgfetch) { return (abandon); }',
    '    set beresp.ttl = 0s;',
    '    set beresp.grace = 0s;',
    '    set beresp.uncacheable = true;',
    '    return (deliver);',
    `} elsif (bereq.url ~ "^/(?:${ASSET_FOLDERS.join('|')})/") {`,
    ...indent(lifetime(media)),
    '} else {',
    ...indent(lifetime(api)),
    '}',
    'if (bereq.http.X-Catalogue-Step == "shell") { set beresp.do_esi = true; }',
    ...Object.entries(MEDIA_TYPES).map(
      ([extension, type]) =>
        `if (bereq.url ~ "\\.${extension}$") { set beresp.http.Content-Type = ${text(type)}; }`,
    ),
    'return (deliver);',
  ];
}

/** What becomes of an answer: it is delivered, or is a step towards a page without entries, or is a problem. */
export function deliver(input: TargetInput): string[] {
  const { api, media } = input.configuration.cache_control;
  const step = (name: string, url: string) => [
    `set req.http.X-Catalogue-Step = "${name}";`,
    `set req.url = ${url};`,
    'return (restart);',
  ];
  const indent = (lines: readonly string[], by = '    ') => lines.map((line) => by + line);
  return [
    'if (req.esi_level > 0) { return (deliver); }',
    `if (resp.status != 200 && resp.status != 206 && resp.status != 304 && resp.status != 404) ${refuse(input, 'list-unavailable')}`,
    '# A page that is not there is empty when its scope has a total, or when only that of everything is there.',
    'if (req.http.X-Catalogue-Kind == "list" && req.http.X-Catalogue-Step != "shell") {',
    '    if (req.http.X-Catalogue-Step == "total" && resp.status == 200) {',
    `        if (req.http.X-Catalogue-Number == "1") ${refuse(input, 'list-unavailable')}`,
    ...indent(step('shell', 'req.http.X-Catalogue-Page'), '        '),
    '    }',
    '    if (req.http.X-Catalogue-Step == "total") {',
    `        if (req.url == "${EVERYTHING}/total") ${refuse(input, 'list-unavailable')}`,
    '        unset req.http.X-Catalogue-Scope;',
    ...indent(step('everything', `"${EVERYTHING}/total"`), '        '),
    '    }',
    '    if (req.http.X-Catalogue-Step == "everything") {',
    `        if (resp.status != 200) ${refuse(input, 'list-unavailable')}`,
    ...indent(step('shell', 'req.http.X-Catalogue-Page'), '        '),
    '    }',
    '    if (resp.status == 404) {',
    ...indent(step('total', 'req.http.X-Catalogue-Scope + "/total"'), '        '),
    '    }',
    '}',
    '# A property is absent only where the total of everything is there.',
    'if (req.http.X-Catalogue-Kind == "property" && req.http.X-Catalogue-Step == "everything") {',
    `    if (resp.status != 200) ${refuse(input, 'list-unavailable')}`,
    `    ${refuse(input, 'property-not-found').slice(2, -2)}`,
    '}',
    'if (req.http.X-Catalogue-Kind == "property" && resp.status == 404) {',
    ...indent(step('everything', `"${EVERYTHING}/total"`)),
    '}',
    'if (resp.status == 404) {',
    `    if (req.http.X-Catalogue-Kind == "property") ${refuse(input, 'property-not-found')}`,
    `    if (req.http.X-Catalogue-Kind == "file") ${refuse(input, 'not-found')}`,
    `    ${refuse(input, 'list-unavailable').slice(2, -2)}`,
    '}',
    '# Varnish cuts the part of a file after this, and would keep the headers of the file if there is none.',
    'if (!resp.http.Content-Length) { unset req.http.Range; }',
    `if (resp.status == 200 && req.http.Range ~ "^bytes=[0-9]{1,15}-[0-9]*$") {`,
    `    if (std.integer(regsub(req.http.Range, "^bytes=([0-9]+)-.*$", "\\1"), 0) >= std.integer(resp.http.Content-Length, 0)) {`,
    '        set req.http.X-Catalogue-Length = resp.http.Content-Length;',
    '        return (synth(416));',
    '    }',
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
    'if (req.http.X-Catalogue-Kind != "file") { unset resp.http.Accept-Ranges; }',
    'return (deliver);',
  ];
}

/** What Varnish answers by itself: preflights, problems, and to itself a page without entries. */
export function synthesise({ problems, configuration }: TargetInput): string[] {
  const replies = Object.entries(problemReplies(problems));
  return [
    'if (local.socket == "shell") {',
    `    set resp.body = "<!--esi" + ${shell('<esi:include src=""" + {"""} + req.http.X-Catalogue-Scope + "/total" + {"""} + """/>')} + "-->";`,
    `    if (!req.http.X-Catalogue-Scope) { set resp.body = ${shell('0')}; }`,
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
    `set resp.http.Cache-Control = ${text(configuration.cache_control.problem)};`,
    `if (resp.status >= 500 || resp.status == 416) { set resp.http.Cache-Control = ${text(UNCACHED)}; }`,
    ...[405, 401].flatMap((status) =>
      headers('resp', problemHeaders(status)).map((line) => `if (resp.status == ${status}) { ${line} }`),
    ),
    `if (resp.status == 416) {`,
    '    set resp.http.Content-Range = "bytes */" + req.http.X-Catalogue-Length;',
    `    set resp.body = """${serverProblem(416)}""";`,
    '    return (deliver);',
    '}',
    '# What failed on its way, without a problem of its own.',
    `if (!req.http.X-Catalogue-Problem) {`,
    '    set resp.status = 502;',
    `    set resp.http.Cache-Control = ${text(UNCACHED)};`,
    '    set req.http.X-Catalogue-Problem = "list-unavailable";',
    '}',
    ...replies.map(
      ([name, [, body]]) =>
        `if (req.http.X-Catalogue-Problem == "${name}") { set resp.body = """${body}"""; }`,
    ),
    'return (deliver);',
  ];
}

/** Folder of the scope of everything. */
const EVERYTHING = `/${PAGES_FOLDER}/${ANY}/${ANY}`;

/** A page without entries, as an expression of VCL; `total` is what stands for its total. */
function shell(total: string): string {
  return text(
    emptyPageTemplate(
      '""" + req.http.X-Catalogue-Number + """',
      '""" + req.http.X-Catalogue-Size + """',
      total,
    ),
  );
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
