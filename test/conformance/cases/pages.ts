import { type Case, page, problem, rowOf } from '../case.ts';
import { type Fixture, LONGEST_CITY } from '../fixture.ts';

/** Sizes, numbers, the last page and the first past it. */
export function pageCases({ base }: Fixture): Case[] {
  const row = rowOf('pages');
  const list = `${base}/api/v1/public/properties`;
  const cases: Case[] = [];
  for (const size of [1, 2, 9, 10, 11, 24, 25, 26, 50, 99, 100]) {
    cases.push(row(`size ${size}`, `${list}?page[size]=${size}`, page({ size })));
    cases.push(
      row(
        `size ${size} of a country`,
        `${list}?filter[country]=FR&page[size]=${size}&page[number]=2`,
        page({ country: 'FR', size, number: 2 }),
      ),
    );
  }
  for (const number of [
    ...[1, 2, 5, 6, 7, 8, 9, 10, 99, 100, 1000, 65536],
    2147483648 % 1e9,
    99999999,
    999999999,
  ]) {
    cases.push(row(`number ${number}`, `${list}?page[number]=${number}`, page({ number })));
    cases.push(
      row(
        `number ${number} of a city`,
        `${list}?filter[city]=Paris&page[size]=100&page[number]=${number}`,
        page({ city: 'Paris', size: 100, number }),
      ),
    );
    cases.push(
      row(
        `number ${number} of nothing`,
        `${list}?filter[city]=Nowhere&page[size]=10&page[number]=${number}`,
        page({ city: 'Nowhere', size: 10, number }),
      ),
    );
  }
  return cases;
}

/** Values of the greatest accepted length, longer ones, and queries of seven kilobytes. */
export function limitCases({ base }: Fixture): Case[] {
  const row = rowOf('limits');
  const list = `${base}/api/v1/public/properties`;
  const at = (name: string, query: string, expect: Case['expect']) => row(name, `${list}?${query}`, expect);
  const longest = encodeURIComponent(LONGEST_CITY);
  const kilobytes = 7000;
  return [
    at(
      '120 bytes',
      `filter[city]=${longest}&filter[country]=XK`,
      page({ city: LONGEST_CITY, country: 'XK' }),
    ),
    at('121 bytes', `filter[city]=${longest}a`, page({ city: `${LONGEST_CITY}a` })),
    at(
      '121 bytes in a country',
      `filter[country]=FR&filter[city]=${'a'.repeat(121)}`,
      page({ city: 'a'.repeat(121) }),
    ),
    at('121 spaces', `filter[city]=${'+'.repeat(121)}`, page({ city: '_long' })),
    at('120 units, then malformed', `filter[city]=${'a'.repeat(120)}%zz`, problem('malformed-encoding.city')),
    at('119 units, then malformed', `filter[city]=${'%41'.repeat(119)}%`, problem('malformed-encoding.city')),
    at('121 units, then malformed', `filter[city]=${'a'.repeat(121)}%zz`, page({ city: '_long' })),
    at('121 encoded units, then no UTF-8', `filter[city]=${'%41'.repeat(121)}%FF`, page({ city: '_long' })),
    at('malformed, then 121 units', `filter[city]=%zz${'a'.repeat(121)}`, problem('malformed-encoding.city')),
    at(
      '120 units that are no UTF-8',
      `filter[city]=${'%80'.repeat(120)}`,
      problem('malformed-encoding.city'),
    ),
    at('121 units that are no UTF-8', `filter[city]=${'%80'.repeat(121)}`, page({ city: '_long' })),
    at('a character cut at 121', `filter[city]=${'a'.repeat(119)}%C3%A9`, page({ city: '_long' })),
    at('long country', `filter[country]=${'F'.repeat(121)}`, problem('invalid-country')),
    at('long country, then malformed', `filter[country]=${'F'.repeat(121)}%`, problem('invalid-country')),
    at('long number', `page[number]=1${'0'.repeat(121)}`, problem('invalid-page-number')),
    at('long number, then malformed', `page[number]=1${'0'.repeat(121)}%zz`, problem('invalid-page-number')),
    at('long size', `page[size]=1${'0'.repeat(130)}`, problem('invalid-page-size')),
    at('zeros and a one', `page[size]=${'0'.repeat(200)}1`, problem('invalid-page-size')),
    at('long city and a fault', `filter[city]=${'a'.repeat(200)}&page[size]=0`, problem('invalid-page-size')),
    at(
      'long city and a page',
      `filter[city]=${'a'.repeat(200)}&page[size]=10&page[number]=3`,
      page({ city: '_long', size: 10, number: 3 }),
    ),
    at('7 KB: one city', `filter[city]=${'a'.repeat(kilobytes)}`, page({ city: '_long' })),
    at('7 KB: one encoded city', `filter[city]=${'%C3%A9'.repeat(kilobytes / 6)}`, page({ city: '_long' })),
    at('7 KB: ampersands', '&'.repeat(kilobytes), page()),
    at('7 KB: names without value', 'page[size]&'.repeat(kilobytes / 11), page()),
    at(
      '7 KB: almost our name',
      'filter%5Bcountr&'.repeat(kilobytes / 16),
      problem('unknown-parameter.filter'),
    ),
    at(
      '7 KB: empty values, then one',
      `${'filter[city]=&'.repeat(450)}filter[city]=Paris`,
      page({ city: 'Paris' }),
    ),
    at(
      '7 KB: one value, then empty ones',
      `filter[city]=Paris${'&filter[city]='.repeat(450)}`,
      page({ city: 'Paris' }),
    ),
    at(
      '7 KB: repetition at the end',
      `page[size]=10&${'x=1&'.repeat(1700)}page[size]=10`,
      problem('repeated-parameter.size'),
    ),
    at('7 KB: percent signs', `filter[city]=${'%'.repeat(kilobytes)}`, problem('malformed-encoding.city')),
    at('7 KB: brackets', '[%5B'.repeat(kilobytes / 4), page()),
    at('7 KB: equals signs', `filter[city]=${'='.repeat(kilobytes)}`, page({ city: '_long' })),
    at('7 KB: other parameters', 'x=%zz&'.repeat(1150), page()),
    at(
      '7 KB: encoded almost names',
      '%66%69%6C%74%65%72%5B&'.repeat(318),
      problem('unknown-parameter.filter'),
    ),
    ...runCases(kilobytes).map(([name, query, expect]) => at(`7 KB: ${name}`, query, expect)),
  ];
}

/** Queries of one repeated text, with which an expression that tries every split would be slow. */
function runCases(length: number): [name: string, query: string, expect: Case['expect']][] {
  const run = (text: string) => text.repeat(length / text.length);
  const malformed = problem('malformed-encoding.city');
  return [
    ...['a', '=', '%', '%5B', '+', '~', 'f', 'p', '%66', '%zz', ';', '[', ']%5D'].map(
      (text): [string, string, Case['expect']] => [`a run of ${text}`, run(text), page()],
    ),
    ['a run of filter[', run('filter['), problem('unknown-parameter.filter')],
    ['a run of page%5B', run('page%5B'), problem('unknown-parameter.page')],
    ['digits of a number', `page[number]=1${run('0')}`, problem('invalid-page-number')],
    ['encoded digits of a number', `page[number]=1${run('%30')}`, problem('invalid-page-number')],
    ['digits of a size', `page[size]=1${run('0')}`, problem('invalid-page-size')],
    ['letters of a country', `filter[country]=${run('F')}`, problem('invalid-country')],
    ['encoded letters of a country', `filter[country]=${run('%46')}`, problem('invalid-country')],
    ['bytes that are no UTF-8', `filter[city]=${run('%C3')}`, page({ city: '_long' })],
    ['a fault after 100 bytes', `filter[city]=${'%C3%A9'.repeat(50)}%C3&${run('a')}`, malformed],
    ['a city at the end', `${run('a=b&')}filter[city]=Paris`, page({ city: 'Paris' })],
    ['a fault at the end', `${run('a=b&')}page[number]=x`, problem('invalid-page-number')],
  ];
}
