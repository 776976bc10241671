import {
  ALLOWED_METHODS,
  AUTHENTICATION_SCHEME,
  type Header,
  PROBLEM_TYPE,
  RELEASE_HEADER,
} from '../headers.ts';
import { type Problem, problemDocuments } from '../problem.ts';
import type { RouteSettings } from '../route.ts';
import type { JsonObject } from './input.ts';

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

export function hasReleaseHeader({ layout = 'pages' }: RouteSettings): boolean {
  return layout !== 'pages';
}

export function openApiHeaders(cacheControl: string, apiKeys: boolean, namesRelease: boolean): JsonObject {
  return {
    ETag: text(
      'Strong entity tag of the response (RFC 9110, 8.8.3). Send it in If-None-Match to get 304 if nothing has changed. An empty page may have no ETag.',
      '"qk2YyE0Zb3Qb6W1u"',
    ),
    CacheControl: text('How long caches may store the response (RFC 9111).', cacheControl),
    ...(namesRelease
      ? { CatalogueRelease: text('Release that the list comes from.', '0123456789abcdef0123456789abcdef') }
      : {}),
    ContentRange: text(
      'Which bytes of the file the response contains; with status 416, only the length of the file (RFC 9110, 14.4).',
      'bytes 0-99/12345',
    ),
    Allow: text('The methods that every path supports.', ALLOWED_METHODS),
    ...(apiKeys
      ? { WWWAuthenticate: text('How to authenticate (RFC 9110, 11.6.1).', AUTHENTICATION_SCHEME) }
      : {}),
  };
}

export const RESPONSE_HEADER_REFS: JsonObject = {
  ETag: reference('headers', 'ETag'),
  'Cache-Control': reference('headers', 'CacheControl'),
};

export const PARTIAL_RESPONSE_HEADER_REFS: JsonObject = {
  ...RESPONSE_HEADER_REFS,
  'Content-Range': reference('headers', 'ContentRange'),
};

export const PACKED_LIST_HEADER_REFS: JsonObject = {
  ...RESPONSE_HEADER_REFS,
  [RELEASE_HEADER]: reference('headers', 'CatalogueRelease'),
};

const RESPONSES = {
  InvalidRequest: [400, 'A parameter is invalid. The problem names it and its valid values.'],
  InvalidKey: [401, 'The request has no valid API key.'],
  PropertyNotFound: [404, 'The catalogue has no property with this id.'],
  NotFound: [404, 'There is nothing at this path.'],
  MethodNotAllowed: [405, 'The method is none of GET, HEAD and OPTIONS.'],
  ReleaseGone: [410, 'The requested release is no longer kept, or never existed.'],
  ListUnavailable: [502, 'Data for the response is missing or damaged, or cannot be read now.'],
} as const;

type ErrorResponse = keyof typeof RESPONSES;

export function openApiResponses(settings: RouteSettings, apiKeys: boolean): JsonObject {
  const problems = [...problemDocuments(settings)];
  const statuses = new Set(problems.map(([, { status }]) => status));
  const names = (Object.keys(RESPONSES) as ErrorResponse[]).filter(
    (name) => statuses.has(RESPONSES[name][0]) && (apiKeys || name !== 'InvalidKey'),
  );
  const responses = names.map((name) => {
    const [status, description] = RESPONSES[name];
    const examples = problems.filter(
      ([problem, { status: its }]) => its === status && (status !== 404 || problem === kebab(name)),
    );
    return [name, errorResponse(status, description, examples)];
  });
  return { ...Object.fromEntries(responses), RangeNotSatisfiable: RANGE_NOT_SATISFIABLE };
}

/** This response comes from a file server: it has a problem of type `about:blank` (RFC 9457, 4.2.1) or no body. */
const RANGE_NOT_SATISFIABLE: JsonObject = {
  description: 'The range begins after the end of the file.',
  headers: { 'Content-Range': reference('headers', 'ContentRange') },
  content: {
    [PROBLEM_TYPE]: {
      schema: {
        type: 'object',
        properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' } },
      },
      example: { type: 'about:blank', title: 'Range Not Satisfiable', status: 416 },
    },
  },
};

function errorResponse(status: number, description: string, problems: [string, Problem][]): JsonObject {
  const headers: JsonObject = { 'Cache-Control': reference('headers', 'CacheControl') };
  if (status === 405) headers.Allow = reference('headers', 'Allow');
  if (status === 401) headers['WWW-Authenticate'] = reference('headers', 'WWWAuthenticate');
  const examples = problems.map(([name, problem]) => [name, { summary: problem.title, value: problem }]);
  return {
    description,
    headers,
    content: {
      [PROBLEM_TYPE]: { schema: reference('schemas', 'Problem'), examples: Object.fromEntries(examples) },
    },
  };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter, place) => (place ? '-' : '') + letter.toLowerCase());
}

export function headersAsMarkdown(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `\`${name}: ${value}\``).join(', ');
}
