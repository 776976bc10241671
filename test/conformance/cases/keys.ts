import { type Case, page, problem, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';

const row = rowOf('keys');

/** A catalogue that asks for a key. */
export function keyCases({ base, keys, summaries }: Fixture): Case[] {
  const list = `${base}/api/v1/public/properties`;
  const denied = problem('invalid-api-key');
  const [first = '', second = ''] = keys;
  const cases = [
    row('the first key', list, page(), { key: first }),
    row('the second key', `${list}?filter[country]=FR`, page({ country: 'FR' }), { key: second }),
    row('lower-case header name', list, page(), { key: null, headers: [['x-api-key', first]] }),
    row('an empty page', `${list}?page[number]=99`, page({ number: 99 }), { key: first }),
    row('a fault with a key', `${list}?page[size]=0`, problem('invalid-page-size'), { key: first }),
    row('no key', list, denied, { key: null }),
    row('no key, filtered', `${list}?filter[country]=FR`, denied, { key: null }),
    row('no key and a fault', `${list}?filter[contry]=FR`, denied, { key: null }),
    row('no key, HEAD', list, denied, { key: null, method: 'HEAD' }),
    row('no key, POST', list, problem('method-not-allowed'), {
      key: null,
      method: 'POST',
      headers: [['Content-Length', '0']],
    }),
    row('no key, preflight', list, { kind: 'preflight' }, { key: null, method: 'OPTIONS' }),
    row('no key, revalidation', list, denied, { key: null, headers: [['If-None-Match', '*']] }),
    row(
      'no key, a detail',
      `${list}/${summaries[0]!.id}`,
      { kind: 'property', id: summaries[0]!.id },
      { key: null },
    ),
    row('no key, no property', `${list}/x`, problem('property-not-found'), { key: null }),
    row('no key, trailing slash', `${list}/`, problem('not-found'), { key: null }),
    row('no key, a file', `${base}/openapi.json`, { kind: 'file', key: 'openapi.json' }, { key: null }),
    row('the key as a parameter', `${list}?X-API-KEY=${first}`, denied, { key: null }),
    row('the key as a bearer', list, denied, { key: null, headers: [['Authorization', `Bearer ${first}`]] }),
  ];
  for (const wrong of [
    '',
    'x',
    first.slice(0, -1),
    `${first}x`,
    first.toUpperCase(),
    `${first},${second}`,
    `"${first}"`,
    '*',
    '0'.repeat(64),
    'a'.repeat(4000),
    '\xff\xfe',
    '%00',
    first.split('').reverse().join(''),
  ]) {
    cases.push(row(`wrong key ${wrong.slice(0, 20)}`, list, denied, { key: wrong }));
  }
  // Two headers are a wrong key, whatever they say.
  for (const pair of [
    [first, first],
    [first, second],
    [first, 'x'],
    ['x', first],
    ['', first],
  ]) {
    const headers = pair.map((value): [string, string] => ['X-API-KEY', value]);
    cases.push(row(`two keys: ${pair}`, list, denied, { key: null, headers }));
  }
  return cases;
}
