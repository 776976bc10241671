/** Problem documents (RFC 9457) are constant, so that a platform without code can serve the same bytes from a file. */
import { PROBLEMS_PAGE } from './document-keys.ts';
import type { Layout } from './object-keys.ts';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_NUMBER,
  MAX_PAGE_SIZE,
  PARAMETERS,
  type PageSizes,
  parameterOf,
  parametersOf,
  QUERY_RULES,
  type QueryRule,
  type ValueRule,
  valueRule,
} from './parameters.ts';

/** Permanent. Also the fragment of the problem's `type`. */
export type ProblemCode =
  | ValueRule['problem']
  | 'repeated-parameter'
  | 'unknown-parameter'
  | 'malformed-encoding'
  | 'property-not-found'
  | 'not-found'
  | 'method-not-allowed'
  | 'invalid-api-key'
  | 'release-gone'
  | 'list-unavailable';

export type Problem = {
  /** Relative URL of the page that explains the cause. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The invalid parameter, if the status is 400; `filter[*]` or `page[*]` for unknown names. */
  parameter?: string;
};

export const PROBLEMS: Readonly<Record<ProblemCode, { status: number; title: string; explanation: string }>> =
  {
    'invalid-page-size': {
      status: 400,
      title: 'Invalid page size',
      explanation: `page[size] is a plain decimal integer from 1 to ${MAX_PAGE_SIZE}, without sign, leading zero or space. Some catalogues publish only certain sizes; the detail of the problem names them. Leave it out for ${DEFAULT_PAGE_SIZE}.`,
    },
    'invalid-page-number': {
      status: 400,
      title: 'Invalid page number',
      explanation: `page[number] is a plain decimal integer from 1 to ${MAX_PAGE_NUMBER}, without sign, leading zero or space. A page past the end is no error: its data is empty.`,
    },
    'invalid-country': {
      status: 400,
      title: 'Invalid country',
      explanation:
        'filter[country] is an ISO 3166-1 alpha-2 code: exactly two upper-case letters, such as IE. A well-formed code without properties is no error: the list is empty.',
    },
    'repeated-parameter': {
      status: 400,
      title: 'Repeated parameter',
      explanation:
        'A parameter of the list may have one value. A repetition with an empty value counts as absent and is no error.',
    },
    'unknown-parameter': {
      status: 400,
      title: 'Unknown parameter',
      explanation: `The list takes ${PARAMETERS.map(({ name }) => name).join(', ')}. Any other filter[...] or page[...] is refused, since ignoring it would return a list that was not asked for. Parameters of other names are ignored.`,
    },
    'malformed-encoding': {
      status: 400,
      title: 'Malformed encoding',
      explanation:
        'Values are percent-encoded UTF-8 (RFC 3986): a % is followed by two hexadecimal digits, and the bytes are well-formed UTF-8. A space is + or %20.',
    },
    'property-not-found': {
      status: 404,
      title: 'Property not found',
      explanation:
        'The catalogue has no property with this id. Ids come from the list; upper and lower case are the same.',
    },
    'not-found': {
      status: 404,
      title: 'Not found',
      explanation:
        'There is nothing at this path. The API has the paths /api/v1/public/properties and /api/v1/public/properties/{property_id}, without a trailing slash.',
    },
    'method-not-allowed': {
      status: 405,
      title: 'Method not allowed',
      explanation: 'The catalogue is read-only: it answers GET, HEAD and OPTIONS.',
    },
    'invalid-api-key': {
      status: 401,
      title: 'Invalid API key',
      explanation:
        'This catalogue asks for a key: send it once, in the X-API-KEY header, with every request for the list and for what shows it, such as downloads, changes and countries. A single property and its photos need none.',
    },
    'release-gone': {
      status: 410,
      title: 'Release gone',
      explanation:
        'Catalogue-Release asks for a release that the catalogue does not keep, or that never was. Begin at the first page again, without the header, and send the release that its answer names.',
    },
    'list-unavailable': {
      status: 502,
      title: 'List unavailable',
      explanation:
        'What the answer needs is missing or damaged, or could not be read just now; a wrong or empty list is never given instead. Ask again later. The answer is kept by no cache.',
    },
  };

type SplitCode = 'repeated-parameter' | 'unknown-parameter' | 'malformed-encoding';

/** The code, followed by a parameter or family if several problems have the code: `repeated-parameter.city`. */
export type ProblemName = QueryRule['problem'] | Exclude<ProblemCode, SplitCode>;

export function problemDocuments(settings: {
  readonly base: string;
  readonly sizes: PageSizes;
  /** @default 'pages' */
  readonly layout?: Layout | undefined;
}): Map<ProblemName, Problem> {
  const { base, sizes, layout = 'pages' } = settings;
  const documents = new Map<ProblemName, Problem>();
  const add = (name: ProblemName, detail: string, parameter?: string) => {
    const code = name.replace(/\..*/, '') as ProblemCode;
    const { status, title } = PROBLEMS[code];
    documents.set(name, {
      type: `${base}/${PROBLEMS_PAGE}#${code}`,
      title,
      status,
      detail,
      ...(parameter ? { parameter } : {}),
    });
  };
  for (const check of QUERY_RULES) add(check.problem, detailOf(check, sizes), parameterAtFault(check));
  add('property-not-found', 'The catalogue has no property with this id.');
  add('not-found', 'There is nothing at this path. The list is at /api/v1/public/properties.');
  add('method-not-allowed', 'The catalogue is read-only. Use GET, HEAD or OPTIONS.');
  add('invalid-api-key', 'The list, and what shows it, need a valid key in the X-API-KEY header.');
  add('list-unavailable', 'What the answer needs is missing, damaged or out of reach. Ask again later.');
  if (layout !== 'pages')
    add('release-gone', 'This release is not kept. Begin at the first page, without Catalogue-Release.');
  return documents;
}

function parameterAtFault(check: QueryRule): string {
  return check.fault === 'unknown-name' ? `${check.family}[*]` : parameterOf(check.key).name;
}

function detailOf(check: QueryRule, sizes: PageSizes): string {
  if (check.fault === 'unknown-name') {
    const names = parametersOf(check.family).map(({ name }) => name);
    return `The list knows ${names.join(' and ')}, and no other ${check.family}[...] parameter. Correct the name, or leave it out.`;
  }
  const { key, name } = parameterOf(check.key);
  if (check.fault === 'repetition') return `${name} has more than one value. Send it once.`;
  if (check.fault === 'bad-encoding')
    return `The value of ${name} is not percent-encoded UTF-8. Encode it as encodeURIComponent does.`;
  return `${name} must be ${expectation(valueRule(key, sizes)!)}.`;
}

function expectation({ set, bounds }: ValueRule): string {
  if (set) return `one of ${set.join(', ')}, in plain decimal digits`;
  if (bounds) return `an integer from ${bounds.minimum} to ${bounds.maximum}, in plain decimal digits`;
  return 'two upper-case letters, an ISO 3166-1 alpha-2 code such as IE';
}
