import { describe, expect, it } from 'vitest';
import { PROBLEMS_PAGE } from '../../src/contract/document-keys.ts';
import { PROBLEMS, type Problem, problemDocuments } from '../../src/contract/problem.ts';

const SETTINGS = { base: '/stays', sizes: 'all', layout: 'packed' } as const;
const documents = problemDocuments(SETTINGS);

describe('the problem documents', () => {
  it('are exactly these', () => {
    expect(
      [...problemDocuments(SETTINGS)].map(([name, { status, parameter }]) => [name, status, parameter]),
    ).toEqual([
      ['unknown-parameter.filter', 400, 'filter[*]'],
      ['unknown-parameter.page', 400, 'page[*]'],
      ['repeated-parameter.country', 400, 'filter[country]'],
      ['repeated-parameter.city', 400, 'filter[city]'],
      ['repeated-parameter.number', 400, 'page[number]'],
      ['repeated-parameter.size', 400, 'page[size]'],
      ['malformed-encoding.country', 400, 'filter[country]'],
      ['malformed-encoding.city', 400, 'filter[city]'],
      ['malformed-encoding.number', 400, 'page[number]'],
      ['malformed-encoding.size', 400, 'page[size]'],
      ['invalid-country', 400, 'filter[country]'],
      ['invalid-page-number', 400, 'page[number]'],
      ['invalid-page-size', 400, 'page[size]'],
      ['property-not-found', 404, undefined],
      ['not-found', 404, undefined],
      ['method-not-allowed', 405, undefined],
      ['invalid-api-key', 401, undefined],
      ['list-unavailable', 502, undefined],
      ['release-gone', 410, undefined],
    ]);
    const pages = problemDocuments({ base: '/stays', sizes: 'all' });
    expect([...pages.keys()]).toEqual([...documents.keys()].slice(0, -1));
  });

  it('cover every code', () => {
    const used = new Set([...documents.keys()].map((name) => name.split('.')[0]));
    expect([...used].sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  it.each([...documents])('%s has the members of RFC 9457 in order', (name, problem) => {
    const members = ['type', 'title', 'status', 'detail'];
    expect(Object.keys(problem)).toEqual(problem.status === 400 ? [...members, 'parameter'] : members);
    const code = name.split('.')[0] as keyof typeof PROBLEMS;
    expect(problem).toMatchObject({
      type: `/stays/${PROBLEMS_PAGE}#${code}`,
      title: PROBLEMS[code].title,
      status: PROBLEMS[code].status,
    });
    expect(problem.detail).toMatch(/\.$/);
    expect(PROBLEMS[code].explanation).toMatch(/\.$/);
  });

  it('name the available sizes', () => {
    const detail = (sizes: 'all' | number[]) =>
      (problemDocuments({ base: '', sizes }).get('invalid-page-size') as Problem).detail;
    expect(detail('all')).toBe('page[size] must be an integer from 1 to 100, in plain decimal digits.');
    expect(detail([10, 25])).toBe('page[size] must be one of 10, 25, in plain decimal digits.');
  });

  it('tell what to send instead', () => {
    const details = [...problemDocuments(SETTINGS)].map(([name, { detail }]) => [name, detail]);
    expect(Object.fromEntries(details)).toMatchObject({
      'unknown-parameter.filter':
        'The list knows filter[country] and filter[city], and no other filter[...] parameter. Correct the name, or leave it out.',
      'unknown-parameter.page':
        'The list knows page[number] and page[size], and no other page[...] parameter. Correct the name, or leave it out.',
      'repeated-parameter.city': 'filter[city] has more than one value. Send it once.',
      'malformed-encoding.city': expect.stringContaining('filter[city] is not percent-encoded UTF-8'),
      'invalid-country': expect.stringContaining('two upper-case letters, an ISO 3166-1 alpha-2 code'),
      'invalid-page-number': 'page[number] must be an integer from 1 to 999999999, in plain decimal digits.',
      'method-not-allowed': expect.stringContaining('GET, HEAD or OPTIONS'),
      'not-found': expect.stringContaining('/api/v1/public/properties'),
    });
    expect(new Set(details.map(([, detail]) => detail)).size).toBe(documents.size);
  });
});
