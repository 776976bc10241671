import { accessOf } from '../../contract/access.ts';
import {
  ALLOWED_METHODS,
  API_KEY_HEADER,
  COMMON_HEADERS,
  type Header,
  IMMUTABLE_FOLDERS,
  JSON_TYPE,
  MEDIA_TYPES,
  NO_STORE,
  PROBLEM_TYPE,
  preflightHeaders,
  privateCacheControl,
  problemCacheControl,
  problemHeaders,
} from '../../contract/headers.ts';
import {
  API_PATH,
  DATA_FOLDER,
  ID_PATTERN,
  IMPOSSIBLE_CITY,
  LIST_PATH,
  NO_FILTER,
  PAGES_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
} from '../../contract/object-keys.ts';
import { RANGE_PATTERN } from '../../contract/origin-status.ts';
import { PARAMETERS } from '../../contract/parameters.ts';
import { edgeConfigurationName } from '../../release/edge-configuration-name.ts';
import type { TargetInput } from '../target.ts';
import { accessPattern } from './path-regex.ts';
import { literalPattern, longCityPattern, parameterValuePattern, queryFaultPatterns } from './query-regex.ts';
import { serverProblemJson } from './server-problems.ts';

export type ProblemView = {
  readonly name: string;
  readonly status: number;
  readonly body: string;
  readonly headers: readonly HeaderView[];
  readonly caching: string;
};

type HeaderView = { readonly name: string; readonly value: string };

/** Values that all templates use. Patterns are PCRE without flags. */
export function templateViewOf(input: TargetInput) {
  const { configuration } = input;
  const problems = problemViews(input);
  return {
    ...pathsView(input),
    ...assetsView(input),
    ...answersView(input),
    ...queryView(input, problems),
    problems,
    /** For templates that name a problem; only names without a dot can be used. */
    problem: Object.fromEntries(problems.map((view) => [view.name, view])),
    isKeyed: configuration.api_keys.length > 0,
    rangePattern: RANGE_PATTERN,
  };
}

function pathsView({ settings: { base } }: TargetInput) {
  return {
    /** Path of the base URL: empty, or such as `/stays`. */
    base,
    basePattern: literalPattern(base),
    list: base + LIST_PATH,
    listPattern: literalPattern(base + LIST_PATH),
    api: base + API_PATH,
    apiPattern: literalPattern(base + API_PATH),
    idPattern: ID_PATTERN,
    data: DATA_FOLDER,
    pages: PAGES_FOLDER,
    properties: PROPERTIES_FOLDER,
    problemsFolder: PROBLEMS_FOLDER,
    /** `any`: folder name that stands for no filter. `noCity`: folder name of a city that cannot exist. */
    any: NO_FILTER,
    noCity: IMPOSSIBLE_CITY,
    internalPath: accessPattern('internal'),
    guardedPath: accessPattern('guarded'),
  };
}

function assetsView({ configuration }: TargetInput) {
  const isKeyed = configuration.api_keys.length > 0;
  const isGuarded = (folder: string) => isKeyed && accessOf(folder) === 'guarded';
  const open = IMMUTABLE_FOLDERS.filter((folder) => !isGuarded(folder));
  const patternOf = (folders: readonly string[]) => `(?:${folders.join('|')})`;
  const guarded = IMMUTABLE_FOLDERS.filter(isGuarded);
  return {
    assets: open,
    assetsPattern: patternOf(open),
    guardedAssets: guarded,
    guardedAssetsPattern: patternOf(guarded),
  };
}

function answersView({ configuration }: TargetInput) {
  const { api, media, problem } = configuration.cache_control;
  return {
    types: Object.entries(MEDIA_TYPES).map(([extension, type]) => ({ extension, type })),
    textTypes: [...new Set([...Object.values(MEDIA_TYPES), PROBLEM_TYPE, 'text/plain'])]
      .map((type) => type.replace(/;.*/, ''))
      .filter((type) => !/^image\/|gzip$/.test(type)),
    jsonType: JSON_TYPE,
    problemType: PROBLEM_TYPE,
    /** `Cache-Control` values. `keyed...`: for responses that depend on an API key. */
    caching: {
      api,
      media,
      problem,
      none: NO_STORE,
      keyedApi: privateCacheControl(api),
      keyedMedia: privateCacheControl(media),
    },
    commonHeaders: headerViews(COMMON_HEADERS),
    preflightHeaders: headerViews(preflightHeaders(edgeConfigurationName(configuration))),
    allowedMethods: ALLOWED_METHODS,
    keyHeader: API_KEY_HEADER,
    outOfRange: serverProblemJson(416),
  };
}

function queryView({ settings }: TargetInput, problems: readonly ProblemView[]) {
  return {
    faults: queryFaultPatterns(settings).map((fault) => ({
      pattern: fault.pattern,
      ...problems.find(({ name }) => name === fault.problem)!,
    })),
    /** All parameters except the city. Group 1 of `pattern` is the raw value; `absent` is the default. */
    parameters: PARAMETERS.filter(({ value }) => value).map(({ key, default: absent = NO_FILTER }) => ({
      key,
      pattern: parameterValuePattern(key),
      absent: String(absent),
    })),
    cityPattern: parameterValuePattern('city'),
    longCityPattern: longCityPattern(),
  };
}

function problemViews({ problems, configuration }: TargetInput): ProblemView[] {
  return [...problems].map(([name, problem]) => ({
    name,
    status: problem.status,
    body: JSON.stringify(problem),
    headers: headerViews(problemHeaders(problem.status)),
    caching: problemCacheControl(problem.status, configuration.cache_control.problem),
  }));
}

function headerViews(headers: readonly Header[]): HeaderView[] {
  return headers.map(([name, value]) => ({ name, value }));
}
