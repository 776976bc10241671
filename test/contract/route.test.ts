import { describe, expect, it } from 'vitest';
import { type ProblemName, problemDocuments } from '../../src/contract/problem.ts';
import { type Answer, type RouteSettings, route } from '../../src/contract/route.ts';
import type { Expectation } from '../conformance/case.ts';
import { PLAIN } from '../conformance/conformance.ts';
import { makeFixture } from '../conformance/fixture.ts';
import { randomQuery, randomSource } from '../conformance/fuzz.ts';
import { listExpectation } from '../conformance/oracle.ts';
import { processorTime } from '../support/processor-time.ts';

const OPEN: RouteSettings = { base: '', sizes: 'all' };
const LIST = '/api/v1/public/properties';
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const list = (query: string, settings = OPEN, authorized?: boolean) =>
  route('GET', settings.base + LIST, query, settings, authorized);

/** The answer that the oracle expects: a key from a country and a city. */
function answerOf(expectation: Expectation): Answer {
  if (expectation.kind === 'problem') return { kind: 'problem', name: expectation.name as ProblemName };
  if (expectation.kind !== 'page') throw new Error(expectation.kind);
  const { country = '-', city, number = 1, size = 25 } = expectation;
  // A single byte 0 stands for "too long" within the router; no catalogue has either city.
  const text = city === '\0' ? '\0\0' : city;
  const name = text === undefined ? '-' : Buffer.from(text, 'utf8').toString('hex');
  const folder = city === 'too long' ? '_catalogue/pages/-/~' : `_catalogue/pages/${country}/${name}`;
  return { kind: 'page', key: `${folder}/${size}-${number}.json`, folder, number, size };
}

describe('the list', () => {
  it('names the file of a page', () => {
    expect(list('')).toEqual({
      kind: 'page',
      key: '_catalogue/pages/-/-/25-1.json',
      folder: '_catalogue/pages/-/-',
      number: 1,
      size: 25,
    });
    expect(
      list('filter[country]=IE&filter%5Bcity%5D=D%C3%BAn+Laoghaire&page[number]=2&page[size]=10'),
    ).toMatchObject({
      key: '_catalogue/pages/IE/44c3ba6e204c616f676861697265/10-2.json',
    });
  });

  it('has pages of the published sizes alone', () => {
    const settings: RouteSettings = { base: '', sizes: [25, 100] };
    expect(list('', settings)).toMatchObject({ kind: 'page', size: 25 });
    expect(list('page[size]=100', settings)).toMatchObject({ kind: 'page', size: 100 });
    expect(list('page[size]=50', settings)).toEqual({ kind: 'problem', name: 'invalid-page-size' });
  });

  it('accepts the parameters in every order', () => {
    const parts = ['filter[country]=IE', 'filter[city]=Cork', 'page[number]=2', 'page[size]=10'];
    const answers = parts.flatMap((first) =>
      parts.flatMap((second) =>
        parts.flatMap((third) =>
          parts.map((fourth) => [first, second, third, fourth]).filter((order) => new Set(order).size === 4),
        ),
      ),
    );
    expect(answers).toHaveLength(24);
    for (const order of answers) expect(list(order.join('&'))).toEqual(list(parts.join('&')));
  });

  it('gives random queries the meaning that the oracle gives them', () => {
    const fixture = makeFixture(PLAIN);
    const random = randomSource(7);
    for (let index = 0; index < 30_000; index++) {
      const query = randomQuery(random, fixture);
      expect({ query, answer: list(query) }).toEqual({
        query,
        answer: answerOf(listExpectation(query, PLAIN)),
      });
    }
  });

  it('has only the sizes that are published', () => {
    const settings: RouteSettings = { base: '', sizes: [25, 100] };
    expect(list('page[size]=100', settings)).toMatchObject({ kind: 'page', size: 100 });
    for (const query of ['page[size]=99', '&page[size]=99', 'page[size]=%39%39']) {
      expect(list(query, settings)).toEqual({ kind: 'problem', name: 'invalid-page-size' });
    }
  });

  it('judges the method first, then the key, then the query', () => {
    const denied: Answer = { kind: 'problem', name: 'invalid-api-key' };
    expect(list('', OPEN, false)).toEqual(denied);
    expect(list('filter[contry]=IE', OPEN, false)).toEqual(denied);
    expect(list('', OPEN, true).kind).toBe('page');
    expect(route('POST', LIST, '', OPEN, false)).toEqual({ kind: 'problem', name: 'method-not-allowed' });
    expect(route('OPTIONS', LIST, '', OPEN, false)).toEqual({ kind: 'preflight' });
    expect(route('GET', `${LIST}/${ID}`, '', OPEN, false).kind).toBe('property');
  });

  it('takes a bounded time for long hostile queries', () => {
    const pieces = [
      '&',
      '%',
      '[',
      'filter[city]=',
      'page[size]=1&',
      'page[size]&',
      '%66ilter[',
      'a=%zz&',
      'filter[country]=+&',
    ];
    for (const piece of pieces) {
      const query = piece.repeat(100_000 / piece.length);
      expect(
        processorTime(() => list(query)),
        piece,
      ).toBeLessThan(5000);
    }
  });
});

describe('paths', () => {
  it('find a detail by its id, in any case', () => {
    const key = `_catalogue/properties/${ID}.json`;
    expect(route('GET', `${LIST}/${ID}`, '', OPEN)).toEqual({ kind: 'property', key });
    expect(route('HEAD', `${LIST}/${ID.toUpperCase()}`, 'x=%zz', OPEN)).toEqual({ kind: 'property', key });
  });

  it.each([`${LIST}/x`, `${LIST}/${ID}0`, `${LIST}/%00`, `${LIST}/..`, `${LIST}/${ID}\n`])(
    'have no property at %s',
    (path) => {
      expect(route('GET', path, '', OPEN)).toEqual({ kind: 'problem', name: 'property-not-found' });
    },
  );

  it.each([
    '/api/v1/public',
    '/api/v1/public/',
    `${LIST}/`,
    `${LIST}/${ID}/`,
    '/api/v1/public/Properties',
    `${LIST}x`,
    `${LIST}%20`,
  ])('have nothing at %s', (path) => {
    expect(route('GET', path, '', OPEN)).toEqual({ kind: 'problem', name: 'not-found' });
  });

  it.each(['', '/', '/api/v1/publicx', '/api/v1', '/API/v1/public', '/openapi.json', `/x${LIST}`, '*'])(
    'leave %s to files',
    (path) => {
      expect(route('GET', path, '', OPEN)).toEqual({ kind: 'file' });
    },
  );

  it.each([
    ['/_catalogue/log/00000001.json', true, 'not-found'],
    ['/_catalogue/log/00000001.json', false, 'not-found'],
    ['/properties.csv', false, 'invalid-api-key'],
    ['/properties.csv', true, 'file'],
    ['/openapi.json', false, 'file'],
  ])('leave %s, with a key that is valid: %s, to %s', (path, authorized, expected) => {
    const answer = route('GET', path, '', OPEN, authorized);
    expect(answer.kind === 'problem' ? answer.name : answer.kind).toBe(expected);
  });

  it('lie below the base', () => {
    const settings: RouteSettings = { base: '/stays', sizes: 'all' };
    expect(route('GET', `/stays${LIST}`, '', settings).kind).toBe('page');
    expect(route('GET', LIST, '', settings).kind).toBe('file');
  });

  it('accept only GET, HEAD and OPTIONS, everywhere', () => {
    for (const path of [LIST, `${LIST}/${ID}`, '/api/v1/public/nothing']) {
      expect(route('DELETE', path, 'page[size]=0', OPEN)).toEqual({
        kind: 'problem',
        name: 'method-not-allowed',
      });
      expect(route('OPTIONS', path, 'page[size]=0', OPEN)).toEqual({ kind: 'preflight' });
    }
  });
});

it('has a document for every problem that a route names', () => {
  const names = problemDocuments(OPEN);
  const fixture = makeFixture(PLAIN);
  const random = randomSource(11);
  const seen = new Set<ProblemName>();
  for (let index = 0; index < 20_000; index++) {
    const answer = list(randomQuery(random, fixture));
    if (answer.kind === 'problem') seen.add(answer.name);
  }
  expect(seen.size).toBe(13);
  for (const name of seen) expect(names.has(name), name).toBe(true);
});
