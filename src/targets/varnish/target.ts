/** Target `varnish`: Varnish before a static file server. */
import { lifetimeOf } from '../../contract/cache-control.ts';
import { ANY, PAGES_FOLDER } from '../../contract/keys.ts';
import { FAMILIES } from '../../contract/parameters.ts';
import { emptyPageTemplate, emptyPair, foreignPair } from '../shared/query-regex.ts';
import { listenerOf, ORIGIN_PORT, originSite, readme, SERVER_FOLDER } from '../shared/readme.ts';
import { refusal } from '../shared/refusal.ts';
import { fill } from '../shared/template.ts';
import { type ProblemView, viewOf } from '../shared/view.ts';
import type { Target, TargetInput } from '../target.ts';

/** Expressions check the query, `vmod_blob` computes the file's path, and ESI inserts a total. */
export const varnish: Target = {
  title: 'Varnish',
  about: { use: 'a cache of your own before a server of files', runs: 'configuration only' },
  generate: (input) =>
    refusal(input, 'Varnish', { checksKeys: false, instead: 'haproxy' }) ?? {
      files: [
        { path: 'catalogue.vcl', content: configuration(input) },
        { path: 'default.vcl', content: fill('varnish/default.vcl', { ...PORTS }) },
        {
          path: 'service.conf',
          content: fill('varnish/service.conf', { ...PORTS, listener: listenerOf(input) }),
        },
        originSite(),
        readme(input, {
          target: 'varnish',
          title: 'Varnish',
          publish: `dir:${SERVER_FOLDER}/public`,
          afterwards: ["varnishadm ban 'req.url ~ .'"],
        }),
      ],
    },
};

/** Varnish requests itself on port 6083, since 6082 is the administration port of Debian's Varnish. */
const PORTS = { originPort: ORIGIN_PORT, shellPort: 6083 };

/** Request headers used as variables, which VCL lacks. */
const VARIABLES = 'Kind Problem Path Query Country City Number Size Scope Page Step Tags Length'.split(' ');

function configuration(input: TargetInput): string {
  const view = viewOf(input);
  const { problems, faults, parameters } = view;
  const refuse = ({ name, status }: ProblemView) =>
    `set req.http.X-Catalogue-Problem = "${name}"; return (synth(${status}));`;
  const judged = faults.map((fault) => ({ ...fault, answer: refuse(fault) }));
  const { api, media, problem } = input.configuration.cache_control;
  const page = (total: string) => emptyPageTemplate(spliced('Number'), spliced('Size'), total);
  const own = {
    shellPort: PORTS.shellPort,
    variables: VARIABLES,
    refuse: Object.fromEntries(problems.map((one) => [one.name, refuse(one)])),
    nameFaults: judged.slice(0, FAMILIES.length),
    valueFaults: judged.slice(FAMILIES.length),
    foreignPair: foreignPair(),
    emptyPair: emptyPair(),
    parameters: parameters.map((parameter) => ({ ...parameter, header: capitalised(parameter.key) })),
    lifetime: { api: lifetime(api), media: lifetime(media), problem: lifetime(problem) },
    everything: `/${PAGES_FOLDER}/${ANY}/${ANY}`,
    emptyPage: page('0'),
    pageWithTotal: page(
      `<esi:include src=""" + {"""} + req.http.X-Catalogue-Scope + "/total" + {"""} + """/>`,
    ),
  };
  return fill('varnish/catalogue.vcl', { ...view, ...own });
}

/** Inserts a variable into a long string of VCL, which has no escapes. */
function spliced(variable: string): string {
  return `""" + req.http.X-Catalogue-${variable} + """`;
}

function capitalised(key: string): string {
  return key[0]!.toUpperCase() + key.slice(1);
}

/** Seconds for which Varnish caches an answer, and serves it stale while revalidating: the same as for other caches. */
function lifetime(caching: string): { seconds: number; grace: number } {
  const { shared: seconds = 0, stale: grace } = lifetimeOf(caching);
  return { seconds, grace };
}
