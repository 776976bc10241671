import { bytes, type Case, overEncoded, page, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';

const row = rowOf('spellings');

/** Orders, brackets, over-encoded names and values, empty values, and foreign parameters. */
export function spellingCases({ base }: Fixture): Case[] {
  const list = `${base}/api/v1/public/properties`;
  const parts = ['filter[country]=FR', 'filter[city]=Paris', 'page[number]=2', 'page[size]=10'];
  const second = page({ country: 'FR', city: 'Paris', number: 2, size: 10 });
  const cases = permutations(parts).map((order, index) =>
    row(`order ${index + 1}`, `${list}?${order.join('&')}`, second),
  );
  for (const open of ['[', '%5B', '%5b']) {
    for (const close of [']', '%5D', '%5d']) {
      const query = parts.join('&').replaceAll('[', open).replaceAll(']', close);
      cases.push(row(`brackets ${open} ${close}`, `${list}?${query}`, second));
    }
  }
  const france = page({ country: 'FR' });
  const others: [string, string, Case['expect']][] = [
    ['nothing', '', page()],
    ['a lone question mark', '?', page()],
    ['mixed brackets', '?filter[country%5D=FR&filter%5bcity]=Paris', page({ country: 'FR', city: 'Paris' })],
    ['over-encoded name', `?${overEncoded('filter[country]')}=FR`, france],
    [
      'over-encoded name, lower-case hexadecimal',
      `?${overEncoded('filter[country]').toLowerCase()}=FR`,
      france,
    ],
    ['over-encoded value', `?filter[country]=${overEncoded('FR')}`, france],
    ['half over-encoded value', '?filter[country]=F%52', france],
    ['over-encoded size', '?page[size]=%31%30', page({ size: 10 })],
    ['over-encoded number', '?page[number]=%32', page({ number: 2 })],
    [
      'over-encoded all',
      `?${overEncoded('page[size]')}=%31%30&${overEncoded('page[number]')}=%33`,
      page({ size: 10, number: 3 }),
    ],
    ['empty country', '?filter[country]=', page()],
    ['empty city', '?filter[city]=', page()],
    ['empty size', '?page[size]=', page()],
    ['empty number', '?page[number]=', page()],
    ['all empty', '?filter[country]=&filter[city]=&page[number]=&page[size]=', page()],
    ['country without =', '?filter[country]', page()],
    ['all without =', '?filter[country]&filter[city]&page[number]&page[size]', page()],
    ['empty before the value', '?filter[country]=&filter[country]=FR', france],
    ['empty after the value', '?filter[country]=FR&filter[country]=', france],
    ['no = after the value', '?filter[country]=FR&filter[country]', france],
    ['empty twice', '?page[size]=&page[size]=', page()],
    ['empty around the value', '?page[size]=&page[size]=10&page[size]', page({ size: 10 })],
    ['utm_source', '?utm_source=x&filter[country]=FR', france],
    ['cache buster', '?filter[country]=FR&_=1700000000', france],
    ['a name without brackets', '?country=FR', page()],
    ['filter without brackets', '?filter=FR', page()],
    ['page without brackets', '?page=2', page()],
    ['another family', '?sort[country]=FR', page()],
    ['upper-case family', '?FILTER[country]=FR', page()],
    ['a prefixed name', '?xfilter[country]=FR', page()],
    ['a name within a value', '?x=filter[country]=FR', page()],
    ['a name after ?', '??filter[country]=FR', page()],
    ['a space before the name', '?+filter[country]=FR', page()],
    ['an encoded & within a value', '?x=1%26filter[country]=FR', page()],
    [
      'an encoded = within a name',
      '?filter[country]%3DFR',
      { kind: 'problem', name: 'unknown-parameter.filter' },
    ],
    ['empty pairs', '?&&filter[country]=FR&&', france],
    ['a lone =', '?=&filter[country]=FR', france],
    ['a lone value', '?=FR&filter[country]=FR', france],
    ['malformed % in another value', '?x=%zz&filter[country]=FR', france],
    ['malformed % in another name', '?%=1&%z=1&filter[country]=FR', france],
    ['no UTF-8 in another value', '?x=%FF%FE&filter[country]=FR', france],
    ['another parameter twice', '?x=1&x=2&filter[country]=FR', france],
    ['semicolon in another value', '?x=1;y=2&filter[country]=FR', france],
    ['encoded names of others', '?%66oo=1&filter[country]=FR', france],
  ];
  for (const [name, query, expect] of others) cases.push(row(name, list + query, expect));
  cases.push(
    row('raw bytes in another value', `${list}?x=${bytes('é')}&filter[country]=FR`, france, {
      or: [{ kind: 'refused' }],
    }),
    row('absolute form', `http://localhost${list}?filter[country]=FR`, france, { or: [{ kind: 'refused' }] }),
  );
  return cases;
}

function permutations(parts: string[]): string[][] {
  if (parts.length < 2) return [parts];
  return parts.flatMap((part, index) =>
    permutations(parts.toSpliced(index, 1)).map((rest) => [part, ...rest]),
  );
}
