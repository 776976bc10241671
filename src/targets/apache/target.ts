import { createHash } from 'node:crypto';
import { DATA_FOLDER, NO_FILTER, PAGES_FOLDER } from '../../contract/object-keys.ts';
import { accessPattern } from '../shared/path-regex.ts';
import { emptyPageTemplate, literalPattern } from '../shared/query-regex.ts';
import { readmeFile, SERVER_FOLDER, serverNameAndPort } from '../shared/readme.ts';
import { targetRefusal } from '../shared/refusal.ts';
import { serverProblemJson } from '../shared/server-problems.ts';
import { escapeForDoubleQuotes, renderTemplate } from '../shared/template.ts';
import { templateViewOf } from '../shared/template-view.ts';
import type { Target, TargetFile, TargetInput } from '../target.ts';

/**
 * Apache's expressions check the query. They cannot compute the name of a city's folder (the city in hexadecimal
 * digits), but they can compute a SHA-1 digest, so a symbolic link named by the city's digest leads to the folder. A
 * server-side include renders an empty page.
 */
export const apache: Target = {
  title: 'Apache',
  about: {
    use: 'shared hosting: `.htaccess` only',
    runs: 'configuration only',
    needs: 'a symbolic link for each city',
  },
  generate: (input) =>
    targetRefusal(input, 'Apache', { checksKeys: false }) ?? {
      files: [
        { path: '.htaccess', content: configuration(input) },
        { path: `${DATA_FOLDER}/empty-page.shtml`, content: emptyPageDocument() },
        ...links(input),
        { path: 'site.conf', content: site(input) },
        readmeFile(input, {
          target: 'apache',
          title: 'Apache',
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: [LINKS_COMMAND],
        }),
      ],
    },
};

/** Also deletes the links of removed cities. */
const LINKS_COMMAND = `rsync -a --delete-after --exclude /README.md --exclude /site.conf --filter 'R /_catalogue/pages/*/' --filter 'R ~*' --filter 'P *' dist/edge/apache/ ${SERVER_FOLDER}/public/`;

/** Has no `Listen` for port 80, since Debian's Apache already listens on it. */
function site(input: TargetInput): string {
  const listener = serverNameAndPort(input);
  const ownPort = listener.port === 80 ? undefined : listener.port;
  return renderTemplate('apache/site.conf', { listener, ownPort, folder: SERVER_FOLDER });
}

function* links({ scopes }: TargetInput): Generator<TargetFile> {
  for (const { folder } of scopes) {
    const [country, city = NO_FILTER] = folder.slice(PAGES_FOLDER.length + 1).split('/');
    if (city === NO_FILTER) continue;
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

/** Statuses that Apache sends itself, for requests that it rejects and files that it cannot read. */
const OWN_STATUSES = [403, 411, 412, 413, 414, 416, 417, 500, 501, 503] as const;

function configuration(input: TargetInput): string {
  const view = templateViewOf(input);
  const { problems, parameters } = view;
  const own = {
    problemNames: problems.map(({ name }) => literalPattern(name)).join('|'),
    problemStatuses: [...new Set(problems.map(({ status }) => status))],
    ownProblems: OWN_STATUSES.map((status) => ({ status, body: serverProblemJson(status) })),
    ownStatuses: OWN_STATUSES.map((status) => `'${status}'`).join(', '),
    /** Flags of a RewriteRule that make Apache send the problem's document as the ErrorDocument. */
    refuse: Object.fromEntries(
      problems.map(({ name, status }) => [name, `[E=CATALOGUE_PROBLEM:${name},R=${status},L]`]),
    ),
    parameters: parameters.map((parameter) => ({ ...parameter, variable: parameter.key.toUpperCase() })),
    relativeBasePattern: literalPattern(input.settings.base.slice(1)),
    internalKey: accessPattern('internal', ''),
  };
  return withCounts(renderTemplate('apache/htaccess', { ...view, ...own }, escapeForDoubleQuotes));
}

function withCounts(configuration: string): string {
  return configuration.replace(/\[S=rules\]((?:\n.+)*)/g, (_, rules: string) => {
    const count = rules.match(/^RewriteRule /gm)!.length;
    return `[S=${count}]${rules}`;
  });
}
