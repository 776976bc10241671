/** Target `haproxy`: HAProxy before a static file server. */
import { ANY, PAGES_FOLDER } from '../../contract/keys.ts';
import { emptyPageTemplate, withoutPairStart } from '../shared/query-regex.ts';
import { originSite, readme, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import { fill } from '../shared/template.ts';
import { type ProblemView, viewOf } from '../shared/view.ts';
import type { Target, TargetInput } from '../target.ts';

/** Expressions check the query, converters compute the file's path, and a map has the totals. */
export const haproxy: Target = {
  title: 'HAProxy',
  about: {
    use: 'a balancer of your own before a server of files',
    runs: 'configuration only',
    needs: 'a map of totals',
  },
  generate: (input) =>
    refusal(input, 'HAProxy', { checksKeys: true }) ?? {
      files: [
        { path: 'haproxy.cfg', content: configuration(input) },
        { path: 'totals.map', content: totals(input) },
        originSite(),
        readme(input, {
          target: 'haproxy',
          title: 'HAProxy',
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: ['cp dist/edge/haproxy/totals.map /etc/haproxy/ && systemctl reload haproxy'],
        }),
      ],
    },
};

function configuration(input: TargetInput): string {
  const view = viewOf(input);
  const { base, basePattern, caching, isKeyed, problem, problemType } = view;
  const answer = ({ status, body, headers, caching }: ProblemView) =>
    [
      `return status ${status} content-type ${problemType} string '${inQuotes(body)}'`,
      ...headers.map(({ name, value }) => `hdr ${name} '${value}'`),
      `hdr Cache-Control '${caching}'`,
    ].join(' ');
  const own = {
    /** Statuses of HAProxy's own answers when it cannot read the origin's. */
    brokenStatuses: [500, 502, 503, 504],
    below: base ? `path,regsub("^${basePattern}","")` : 'path',
    refuse: Object.fromEntries(Object.entries(problem).map(([name, one]) => [name, answer(one)])),
    faults: view.faults.map((fault) => ({ ...fault, answer: answer(fault) })),
    parameters: view.parameters.map((parameter) => ({
      ...parameter,
      pairPattern: withoutPairStart(parameter.pattern),
    })),
    cityPairPattern: withoutPairStart(view.cityPattern),
    emptyPage: emptyPageTemplate('%[var(txn.number)]', '%[var(txn.size)]', '%[var(txn.total)]'),
    listCaching: isKeyed ? caching.keyedApi : caching.api,
  };
  return fill('haproxy/haproxy.cfg', { ...view, ...own }, inQuotes);
}

/** Escapes a text for single quotes, in which HAProxy reads every other character literally. */
function inQuotes(text: string): string {
  return String(text).replaceAll("'", "'\\''");
}

/** Key of the unfiltered scope in the map. */
const EVERYTHING = `${ANY}/${ANY}`;

/**
 * Makes the map: a line per scope, with its folder below the pages and its total. The unfiltered scope always has a
 * line.
 */
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
