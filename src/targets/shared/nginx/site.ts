/** Files of both nginx targets, which differ only in how a request finds its file. */
import type { TargetName } from '../../../contract/target-names.ts';
import type { TargetFile, TargetInput } from '../../target.ts';
import { accessPattern } from '../path-regex.ts';
import { literalPattern, plainParameterPattern } from '../query-regex.ts';
import { readmeFile, SERVER_FOLDER, serverNameAndPort } from '../readme.ts';
import { serverProblemJson } from '../server-problems.ts';
import { escapeForDoubleQuotes, renderTemplate } from '../template.ts';
import { templateViewOf } from '../template-view.ts';

export type NginxOptions = {
  readonly target: TargetName & `nginx${string}`;
  readonly title: string;
  /** Debian package of the module. */
  readonly module: string;
  /** Lines at the start of the `http` block. @default [] */
  readonly directives?: readonly string[];
  readonly view?: object;
};

/** Statuses with which nginx itself rejects requests, except 400. 494 (nginx's own): headers are too large. */
const REFUSED_STATUSES = [411, 412, 413, 414, 421, 429, 494, 501, 505];

export function nginxFiles(input: TargetInput, options: NginxOptions): TargetFile[] {
  const { target, title, module, directives = [] } = options;
  const view = { ...nginxView(input), ...options.view };
  const place = { target, directives, listener: serverNameAndPort(input), folder: SERVER_FOLDER };
  return [
    { path: 'http.conf', content: renderTemplate(`${target}/http.conf`, view, escapeForDoubleQuotes) },
    { path: 'server.conf', content: renderTemplate(`${target}/server.conf`, view, escapeForDoubleQuotes) },
    { path: 'site.conf', content: renderTemplate('shared/nginx/site.conf', place) },
    readmeFile(input, { target, title, publish: `dir:${SERVER_FOLDER}/public`, view: { module } }),
  ];
}

function nginxView(input: TargetInput) {
  const view = templateViewOf(input);
  const { base, caching, idPattern, isKeyed, listPattern, preflightHeaders, problems, types } = view;
  const pairs = plainParameterPattern(
    input.settings,
    '[?&]',
    (key, pattern) => `(?<catalogue_plain_${key}>${pattern})`,
  );
  const ownStatuses = REFUSED_STATUSES.filter((status) => status !== 494);
  return {
    ...view,
    plainListPattern: `^${listPattern}(?:\\??|${pairs}+)$`,
    // nginx always compresses HTML, and warns if `text/html` is listed.
    compressedTypes: view.textTypes.filter((type) => type !== 'text/html'),
    lowerCaseIdPattern: idPattern.replaceAll('A-F', ''),
    groupedIdPattern: idPattern.replace(/\[[^\]]+\]\{\d+\}/g, '($&)'),
    listCaching: isKeyed ? caching.keyedApi : caching.api,
    plainTypes: types.map(({ extension, type }) => ({ extension, type: type.replace(/;.*/, '') })),
    preflightHeaders: preflightHeaders.map((header) => ({ ...header, variable: variableOf(header.name) })),
    fileCaching: [
      { variable: '$catalogue_file_caching', value: caching.api },
      { variable: '$catalogue_asset_caching', value: caching.media },
    ],
    problemStatuses: [...new Set(problems.map(({ status }) => status))],
    refusedStatuses: REFUSED_STATUSES,
    ownProblems: ownStatuses.map((status) => ({ status, body: serverProblemJson(status) })),
    malformedRequest: serverProblemJson(400),
    internalPath: accessPattern('internal', literalPattern(`${base}/`)),
    guardedPath: accessPattern('guarded', literalPattern(`${base}/`)),
  };
}

function variableOf(header: string): string {
  return header.toLowerCase().replaceAll('-', '_');
}
