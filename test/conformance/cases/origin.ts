import { bytes, type Case, type Expectation, page, problem, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';
import type { Fault } from '../servers/faulty-origin.ts';

/** Every fault of an origin. */
export const FAULTS: readonly Fault[] = [
  ...[
    206, 301, 302, 304, 303, 307, 308, 400, 401, 403, 405, 408, 410, 418, 429, 431, 451, 500, 501, 502, 503,
    504,
  ].map((status) => ({ name: `status ${status}`, status })),
  { name: 'no such file anywhere', status: 404 },
  { name: 'no total anywhere', status: 404, keys: /\/total$|current\.json$/ },
  { name: 'a total that is cut', connection: 'cut', keys: /\/total$|current\.json$/ },
  { name: 'no connection', connection: 'reset' },
  { name: 'an answer too late', connection: 'slow' },
];

/** Whether the origin answers that it lacks the files, as an emptied one does, rather than that it is broken. */
export function isAbsence(fault: Fault, isBucket = false): boolean {
  return 'status' in fault && (isBucket ? [403, 404, 410] : [404]).includes(fault.status);
}

/** A row, its usual answer, and whether a target with all totals in its configuration may give it. */
export type FaultCase = {
  readonly test: Case;
  readonly usual: Expectation;
  readonly isUsualWithTotals: boolean;
};

const BROKEN = problem('list-unavailable');

/**
 * The requests during fault number `turn` of the origin: other pages and properties in each turn, so that no
 * cache has them. All of them need existing files: an empty list would be a wrong answer.
 */
export function faultCases(
  { base, summaries }: Fixture,
  fault: Fault,
  turn: number,
  isBucket = false,
): FaultCase[] {
  const row = rowOf('origin');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries[turn]!;
  const isAbsent = isAbsence(fault, isBucket);
  const name = (text: string) => `${fault.name}: ${text}`;
  const at = (text: string, target: string, usual: Expectation, isUsualWithTotals: boolean): FaultCase => ({
    test: row(name(text), target, BROKEN),
    usual,
    isUsualWithTotals,
  });
  const number = turn + 2;
  const nowhere = `Nowhere ${turn}`;
  const past = 900 + turn;
  const empty = [
    at('past the end', `${list}?page[number]=${past}`, page({ number: past }), isAbsent),
    at(
      'no such city',
      `${list}?filter[city]=${encodeURIComponent(nowhere)}`,
      page({ city: nowhere }),
      isAbsent,
    ),
  ];
  if (fault.keys) return empty;
  const cases = [
    ...empty,
    at('a page', `${list}?page[size]=1&page[number]=${number}`, page({ size: 1, number }), false),
    at('a property', `${list}/${id}`, problem('property-not-found'), isAbsent),
  ];
  const file = `${base}/media/absent-${turn}.jpg`;
  if (!isAbsent) cases.push(at('a file', file, problem('not-found'), false));
  return cases;
}

/** The same requests after the origin works again: no answer of the failure was cached. */
export function healedCases({ base, summaries }: Fixture, turn: number): Case[] {
  const row = rowOf('origin');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries[turn]!;
  const number = turn + 2;
  const nowhere = `Nowhere ${turn}`;
  const past = 900 + turn;
  return [
    row(`healed ${turn}: a page`, `${list}?page[size]=1&page[number]=${number}`, page({ size: 1, number })),
    row(`healed ${turn}: past the end`, `${list}?page[number]=${past}`, page({ number: past })),
    row(
      `healed ${turn}: no such city`,
      `${list}?filter[city]=${encodeURIComponent(nowhere)}`,
      page({ city: nowhere }),
    ),
    row(`healed ${turn}: a property`, `${list}/${id}`, { kind: 'property', id }),
    row(`healed ${turn}: a file`, `${base}/media/absent-${turn}.jpg`, problem('not-found')),
  ];
}

/** Requests with headers that the origin refuses, but that do not matter: the answers are the usual ones. */
export function foreignHeaderCases({ base, summaries }: Fixture): (Case & { host?: string })[] {
  const row = rowOf('origin');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries.at(-1)!;
  const refused: Expectation = { kind: 'refused' };
  const headers: [name: string, headers: [string, string][], host?: string][] = [
    ['a large header', [['X-Large', 'x'.repeat(3000)]]],
    ['many headers', Array.from({ length: 30 }, (_, index) => [`X-Many-${index}`, 'x'.repeat(100)])],
    ['a cookie', [['Cookie', 'session=1']]],
    ['a login', [['Authorization', 'Basic eDp5']]],
    ['a forwarded host', [['X-Forwarded-Host', 'elsewhere.example']]],
    ['an odd host', [], 'odd_host'],
    ['an upper-case host', [], 'UPPER.Example'],
    ['a host that is not ASCII', [], bytes('häuser.example')],
    ['a host with a large name', [], `${'x'.repeat(2500)}.example`],
  ];
  return headers.flatMap(([name, sent, host], index) => {
    const number = 100 + index;
    const size = 2;
    const or = host === undefined ? [] : [refused];
    const options = { headers: sent, or };
    const cases = [
      row(
        `${name}: a page`,
        `${list}?page[size]=${size}&page[number]=${number}`,
        page({ size, number }),
        options,
      ),
      row(
        `${name}: past the end`,
        `${list}?page[number]=${800 + index}`,
        page({ number: 800 + index }),
        options,
      ),
      row(`${name}: a property`, `${list}/${id}?${index}`, { kind: 'property', id }, options),
    ];
    return cases.map((test) => (host === undefined ? test : { ...test, host }));
  });
}

/** Requests to an object store that answers 403 for a missing file: the answers are the usual ones. */
export function bucketCases({ base, summaries }: Fixture): Case[] {
  const row = rowOf('origin');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries[0]!;
  return [
    row('bucket: a page', list, page()),
    row('bucket: past the end', `${list}?page[number]=99`, page({ number: 99 })),
    row('bucket: no such city', `${list}?filter[city]=Nowhere`, page({ city: 'Nowhere' })),
    row('bucket: a property', `${list}/${id}`, { kind: 'property', id }),
    row('bucket: no property', `${list}/00000000-0000-4000-8000-000000000000`, problem('property-not-found')),
    row('bucket: no file', `${base}/media/absent.jpg`, problem('not-found')),
  ];
}
