/** Apache with an `.htaccess` file and nothing else. */
import { createHash } from 'node:crypto';
import {
  ASSET_FOLDERS,
  COMMON_HEADERS,
  type Header,
  JSON_TYPE,
  MEDIA_TYPES,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemHeaders,
  UNCACHED,
} from '../../contract/headers.ts';
import {
  ANY,
  API_PATH,
  DATA_FOLDER,
  ID_PATTERN,
  LIST_PATH,
  NO_CITY,
  PAGES_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
} from '../../contract/keys.ts';
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE, type ParameterKey } from '../../contract/parameters.ts';
import type { ProblemName } from '../../contract/problem.ts';
import { problemReplies } from '../runtime/reply-settings.ts';
import { accessPattern } from '../shared/path-regex.ts';
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
import type { Target, TargetFile, TargetInput } from '../target.ts';

/**
 * Apache: expressions judge the query. Apache can write no hexadecimal, but SHA-1 digests, so every city has a link
 * of that name beside its folder. A page without entries is a server-side include.
 */
export const apache: Target = {
  name: 'apache',
  title: 'Apache',
  generate: (input) =>
    refusal(input, 'Apache', { checksKeys: false, instead: 'haproxy' }) ?? {
      files: [
        { path: '.htaccess', content: configuration(input) },
        { path: EMPTY_PAGE, content: emptyPageDocument() },
        ...links(input),
        siteConfiguration(input),
        instructions(input, {
          title: 'Apache',
          steps: STEPS,
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: [LINKS_COMMAND],
        }),
      ],
    },
};

/** Files of the target that have no place among those of the catalogue. */
const SITE = 'site.conf';

/** Brings the links and `.htaccess` to the files of the catalogue. */
const LINKS_COMMAND = `rsync -a --exclude README.md --exclude ${SITE} dist/edge/apache/ ${SERVER_FOLDER}/public/`;

/** What the README says. */
const STEPS = [
  `Install Apache, with the modules that the \`.htaccess\` file needs beside Debian's usual ones (\`mod_mime\`, \`mod_dir\`):${commands(
    'apt-get install apache2 rsync',
    'a2enmod rewrite headers include',
  )}`,
  `Take the site into the configuration. \`${SITE}\` has host, port and folder; TLS is yours. On shared hosting leave this out: \`AllowOverride All\`, or \`FileInfo Indexes Options\`, is all that is asked for.${commands(
    `mkdir -p ${SERVER_FOLDER}/public`,
    `cp dist/edge/apache/${SITE} /etc/apache2/sites-available/catalogue.conf`,
    'a2ensite catalogue',
    'systemctl restart apache2',
  )}`,
  'The content of this folder belongs over the files of the catalogue, in the folder whose URL is the base URL, or in the document root. Its symbolic links, one for each city, change with the catalogue: bring them along each time, as below. A city without its link has an empty list.',
  'Compression is left to the configuration of the server: `mod_deflate` breaks revalidation unless `DeflateAlterETag NoChange` is set there.',
];

/** A site with the catalogue and nothing else. */
function siteConfiguration(input: TargetInput): TargetFile {
  const { host, port } = listenerOf(input);
  const lines = [
    '# A site with the catalogue and nothing else. Copy it to /etc/apache2/sites-available/catalogue.conf.',
    ...(port === 80 ? [] : [`Listen ${port}`]),
    `<VirtualHost *:${port}>`,
    `    ServerName ${host}`,
    `    DocumentRoot ${SERVER_FOLDER}/public`,
    `    <Directory ${SERVER_FOLDER}/public>`,
    '        Require all granted',
    '        AllowOverride All',
    '    </Directory>',
    '</VirtualHost>',
  ];
  return { path: SITE, content: `${lines.join('\n')}\n` };
}

/** The document of a page without entries. */
const EMPTY_PAGE = `${DATA_FOLDER}/empty-page.shtml`;

/** A link for every scope that has a city. */
function* links({ scopes }: TargetInput): Generator<TargetFile> {
  for (const { folder } of scopes) {
    const [country, city = ANY] = folder.slice(PAGES_FOLDER.length + 1).split('/');
    if (city === ANY) continue;
    const digest = createHash('sha1').update(Buffer.from(city, 'hex')).digest('hex');
    yield { path: `${PAGES_FOLDER}/${country}/~${digest}`, link: city };
  }
}

function emptyPageDocument(): string {
  const echo = (name: string) => `<!--#echo encoding="none" var="REDIRECT_CATALOGUE_${name}" -->`;
  const folder = PAGES_FOLDER.slice(DATA_FOLDER.length + 1);
  const total = `<!--#config errmsg="0" --><!--#include file="${folder}/\${REDIRECT_CATALOGUE_SCOPE}/total" -->`;
  return emptyPageTemplate(echo('NUMBER'), echo('SIZE'), total);
}

function configuration(input: TargetInput): string {
  const lines = [
    '# Put this file into the folder that holds the content of dist/public.',
    'Options -Indexes -MultiViews +FollowSymLinks +IncludesNOEXEC',
    'AcceptPathInfo Off',
    'DirectorySlash Off',
    'DirectoryIndex index.html',
    'AddDefaultCharset Off',
    ...typeDirectives(input),
    ...headerDirectives(input),
    '',
    'RewriteEngine On',
    'RewriteCond %{IS_SUBREQ} =true',
    'RewriteRule ^ - [END]',
    '# A problem document on its way.',
    'RewriteCond %{ENV:REDIRECT_STATUS} ^[45]',
    `RewriteRule "(?:^|/)(${PROBLEMS_FOLDER}/[a-z.-]+\\.json)$" $1 [END]`,
    'RewriteRule ^ - [E=CATALOGUE_PROBLEM:not-found]',
    '',
    '# Second round: the file has a name, and is there or not. The total of everything is always there, and a first page',
    '# where its total is.',
    'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} =list',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    `RewriteCond %{REQUEST_FILENAME} "^(.*/${literal(PAGES_FOLDER)}/)"`,
    `RewriteCond %1${ANY}/${ANY}/total !-f`,
    refuse('list-unavailable', input),
    'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} =list',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    'RewriteCond %{REQUEST_FILENAME} "^(.*/)[0-9]+-1\\.json$"',
    'RewriteCond %1total -f',
    refuse('list-unavailable', input),
    'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} =list',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    `RewriteRule ^ ${EMPTY_PAGE} [${['NUMBER', 'SIZE', 'SCOPE'].map((name) => `E=CATALOGUE_${name}:%{ENV:REDIRECT_CATALOGUE_${name}}`).join(',')},END]`,
    'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} =property',
    'RewriteCond %{REQUEST_FILENAME} !-f',
    refuse('property-not-found', input),
    'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} ^(?:list|property)$',
    'RewriteRule ^ - [END]',
    '',
    '# First round, when the query has been judged.',
    ...onlyFor('list', fileRules()),
    '',
    '# First round: methods.',
    'RewriteCond %{REQUEST_METHOD} =OPTIONS',
    'RewriteRule ^ - [R=204,L]',
    'RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$',
    refuse('method-not-allowed', input),
    '',
    ...pathRules(input),
    '',
    '# The query: its first fault, or its values.',
    ...onlyFor('query', queryRules(input)),
    '',
    ...otherRules(input),
  ];
  return `${lines.join('\n')}\n`;
}

function typeDirectives({ settings, problems }: TargetInput): string[] {
  const replies = problemReplies(problems);
  const statuses = new Set(Object.values(replies).map(([status]) => status));
  return [
    ...Object.entries(MEDIA_TYPES).map(([extension, type]) => `AddType ${quoted(type)} .${extension}`),
    'AddType "text/plain; charset=utf-8" .txt',
    `<FilesMatch ${quoted(`^(?:${Object.keys(replies).map(literal).join('|')})\\.json$`)}>`,
    `    ForceType ${PROBLEM_TYPE}`,
    '</FilesMatch>',
    '<Files "total">',
    '    ForceType "text/plain; charset=utf-8"',
    '</Files>',
    `<Files "${EMPTY_PAGE.replace(/^.*\//, '')}">`,
    `    ForceType ${JSON_TYPE}`,
    '    SetOutputFilter INCLUDES',
    '    FileETag None',
    '</Files>',
    ...[...statuses].map(
      (status) =>
        `ErrorDocument ${status} "${settings.base}/${PROBLEMS_FOLDER}/%{reqenv:CATALOGUE_PROBLEM}.json"`,
    ),
    '# What Apache refuses by itself.',
    ...OWN_STATUSES.map((status) => `ErrorDocument ${status} ${quoted(serverProblem(status))}`),
  ];
}

/** Statuses of the answers that Apache makes by itself: to a request that it refuses, and for a file that it cannot read. */
const OWN_STATUSES = [403, 411, 412, 413, 414, 416, 417, 500, 501, 503] as const;

function headerDirectives({ configuration, settings }: TargetInput): string[] {
  const { api, media, problem } = configuration.cache_control;
  const set = ([name, value]: Header, condition?: string) =>
    `Header always set ${name} ${quoted(value)}${condition ? ` ${quoted(`expr=${condition}`)}` : ''}`;
  const own = `%{REQUEST_STATUS} in { ${OWN_STATUSES.map((status) => `'${status}'`).join(', ')} }`;
  const found = '%{REQUEST_STATUS} -lt 400 && %{REQUEST_STATUS} -ne 204';
  return [
    ...COMMON_HEADERS.map((header) => set(header)),
    set(['Cache-Control', api], found),
    set(
      ['Cache-Control', media],
      `${found} && %{REQUEST_URI} =~ m#^(?:${settings.base})?/(?:${ASSET_FOLDERS.join('|')})/#`,
    ),
    set(['Cache-Control', problem], '%{REQUEST_STATUS} -ge 400'),
    set(['Cache-Control', UNCACHED], `%{REQUEST_STATUS} -ge 500 || ${own}`),
    set(['Content-Type', PROBLEM_TYPE], own),
    ...PREFLIGHT_HEADERS.map((header) => set(header, '%{REQUEST_STATUS} -eq 204')),
    ...problemHeaders(405).map((header) => set(header, '%{REQUEST_STATUS} -eq 405')),
  ];
}

/** The rules that name the file of a list, from the values as they were sent. */
function fileRules(): string[] {
  const decoded = (name: string, expression: string) => [
    `RewriteCond expr ${argument(`${expression} =~ /^(.*)$/`)}`,
    `RewriteRule ^ - [E=CATALOGUE_${name}:%1]`,
  ];
  return [
    '# Spaces of a city, and slashes, which Apache would not decode: back to the first rule after each.',
    'RewriteCond %{ENV:CATALOGUE_CITY} ^([^+]*)\\+(.*)$',
    'RewriteRule ^ - [E=CATALOGUE_CITY:%1\\%20%2,N]',
    'RewriteCond %{ENV:CATALOGUE_CITY} ^(.*?)%2[Ff](.*)$',
    'RewriteRule ^ - [E=CATALOGUE_CITY:%1/%2,N]',
    ...['COUNTRY', 'NUMBER', 'SIZE'].flatMap((name) =>
      decoded(name, `unescape(reqenv('CATALOGUE_${name}'))`),
    ),
    `RewriteRule ^ - [E=CATALOGUE_SCOPE:%{ENV:CATALOGUE_COUNTRY}/${ANY}]`,
    'RewriteCond %{ENV:CATALOGUE_CITY} !^$',
    `RewriteCond expr ${argument("sha1(unescape(reqenv('CATALOGUE_CITY'))) =~ /^(.*)$/")}`,
    'RewriteRule ^ - [E=CATALOGUE_SCOPE:%{ENV:CATALOGUE_COUNTRY}/~%1]',
    'RewriteCond %{QUERY_STRING} '.concat(argument(longCityPattern())),
    `RewriteRule ^ - [E=CATALOGUE_SCOPE:%{ENV:CATALOGUE_COUNTRY}/${NO_CITY}]`,
    `RewriteRule ^ ${PAGES_FOLDER}/%{ENV:CATALOGUE_SCOPE}/%{ENV:CATALOGUE_SIZE}-%{ENV:CATALOGUE_NUMBER}.json [L]`,
  ];
}

/** The rules of paths below the API, as they were sent. */
function pathRules(input: TargetInput): string[] {
  const { base } = input.settings;
  const list = literal(base + LIST_PATH);
  const sent = (path: string) =>
    `RewriteCond %{THE_REQUEST} ${argument(`^[^ ]+ (?:https?://[^/?# ]*)?${path}`)}`;
  return [
    '# Paths, as they were sent.',
    sent(`${list}[? ]`),
    'RewriteRule ^ - [E=CATALOGUE_KIND:query]',
    sent(`${list}/${ID_PATTERN}[? ]`),
    `RewriteCond expr ${argument(`tolower(%{THE_REQUEST}) =~ m#^[^? ]+ [^? ]*/([0-9a-f-]{36})[? ]#`)}`,
    `RewriteRule ^ ${PROPERTIES_FOLDER}/%1.json [E=CATALOGUE_KIND:property,L]`,
    sent(`${list}/[^/? ]+[? ]`),
    refuse('property-not-found', input),
    'RewriteCond %{ENV:CATALOGUE_KIND} !=query',
    sent(`${literal(base + API_PATH)}[/? ]`),
    refuse('not-found', input),
  ];
}

/** The rules that refuse a query, or take its values; back to the first rule then. */
function queryRules(input: TargetInput): string[] {
  const value = (key: ParameterKey, absent: string | number) => [
    `RewriteRule ^ - [E=CATALOGUE_${key.toUpperCase()}:${absent}]`,
    `RewriteCond %{QUERY_STRING} ${argument(valuePattern(key))}`,
    `RewriteRule ^ - [E=CATALOGUE_${key.toUpperCase()}:%1]`,
  ];
  return [
    ...queryFaults(input.settings).flatMap(({ pattern, problem }) => [
      `RewriteCond %{QUERY_STRING} ${argument(pattern)}`,
      refuse(problem, input),
    ]),
    ...value('country', ANY),
    ...value('number', DEFAULT_PAGE_NUMBER),
    ...value('size', DEFAULT_PAGE_SIZE),
    'RewriteCond %{QUERY_STRING} '.concat(argument(`!${longCityPattern()}`)),
    `RewriteCond %{QUERY_STRING} ${argument(valuePattern('city'))}`,
    'RewriteRule ^ - [E=CATALOGUE_CITY:%1]',
    'RewriteRule ^ - [E=CATALOGUE_KIND:list,N]',
  ];
}

/** The rules of everything beside the API. */
function otherRules(input: TargetInput): string[] {
  const { base } = input.settings;
  const notFound = refuse('not-found', input);
  return [
    '# Files beside the API.',
    ...(base
      ? [
          `RewriteRule ${argument(`^${literal(base.slice(1))}/(.*)$`)} $1 [E=CATALOGUE_KIND:file,L]`,
          'RewriteCond %{ENV:REDIRECT_CATALOGUE_KIND} ^$',
          `RewriteCond %{REQUEST_URI} ${argument(`!^${literal(base)}/`)}`,
          notFound,
        ]
      : []),
    `RewriteRule ${argument(accessPattern('internal', ''))} ${notFound.replace('RewriteRule ^ ', '')}`,
    `RewriteRule ${argument(`(?:^|/)\\.|^${literal(EMPTY_PAGE)}$`)} ${notFound.replace('RewriteRule ^ ', '')}`,
    'RewriteCond %{REQUEST_FILENAME} -d',
    'RewriteCond %{REQUEST_FILENAME}/index.html !-f',
    notFound,
    'RewriteCond %{REQUEST_FILENAME} -d',
    `RewriteRule ${argument('[^/]$')} ${notFound.replace('RewriteRule ^ ', '')}`,
  ];
}

/** Rules that are passed over unless the request is of this kind. */
function onlyFor(kind: string, rules: readonly string[]): string[] {
  const count = rules.filter((rule) => rule.startsWith('RewriteRule ')).length;
  return [`RewriteCond %{ENV:CATALOGUE_KIND} !=${kind}`, `RewriteRule ^ - [S=${count}]`, ...rules];
}

/** The rule that answers with a problem; its document follows as error document. */
function refuse(name: ProblemName, { problems }: TargetInput): string {
  return `RewriteRule ^ - [E=CATALOGUE_PROBLEM:${name},R=${problems.get(name)!.status},L]`;
}

/** An argument of mod_rewrite, which takes a backslash for what it is. It holds no quotes. */
function argument(text: string): string {
  return `"${text}"`;
}

/** A word in double quotes, as the rest of Apache reads it. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
