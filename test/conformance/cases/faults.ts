import { type Case, page, problem, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';

const row = rowOf('faults');

const MALFORMED = [
  ...['%', '%4', '%zz', 'a%', 'a%2', '%2G', '%-1', '%%41', '%C3', '%C3%28', '%C3(', '%A9', '%FF', '%C0%80'],
  ...['%C1%BF', '%E0%80%80', '%E2%82', '%ED%A0%80', '%ED%BF%BF', '%F0%80%80%80', '%F4%90%80%80'],
  ...['%F5%80%80%80', '%F8%88%80%80%80', '%E2%82%AC%E2%82', '%u0041'],
];

const NO_INTEGER = [
  ...['0', '00', '-1', '+1', '%2B1', '01', '007', '1.0', '1,0', '1e1', '0x1', '1_0', '1+', '+1+', '1%00'],
  ...['%001', '1%0A', '%0A1', '1%0D', '1%20', '%201', 'abc', '1a', 'NaN', 'null', 'true', '[1]', '1;2'],
  ...['1/1', '%D9%A1', '%EF%BC%91', '%E2%82%81', '%00', '+', '~', '-', '=1', '1=', '1?'],
];

/** Every cause of a 400, and the one that is reported when two apply. */
export function faultCases({ base }: Fixture): Case[] {
  const list = `${base}/api/v1/public/properties`;
  const cases: Case[] = [];
  const add = (query: string, name: string) => cases.push(row(query, `${list}?${query}`, problem(name)));
  for (const value of NO_INTEGER) {
    add(`page[size]=${value}`, 'invalid-page-size');
    add(`page[number]=${value}`, 'invalid-page-number');
  }
  for (const value of [
    ...['101', '110', '199', '999', '1000', '10000000000', '99999999999999999999', '100%30', '100.'],
  ])
    add(`page[size]=${value}`, 'invalid-page-size');
  for (const value of ['1000000000', '9999999999', '18446744073709551617', '1%30%30%30%30%30%30%30%30%30'])
    add(`page[number]=${value}`, 'invalid-page-number');
  for (const value of [
    ...['fr', 'Fr', 'fR', 'F', 'FRA', 'F1', '11', 'FR+', '+FR', '%20FR', 'F', 'FR%00', '%00FR', 'FR%0A'],
    ...['%0AFR', 'FR%0D%0AX:1', '-', '--', '..', '.', 'FR/..', 'FR%2F..', '%C3%89%C3%89'],
    ...['%EF%BC%A6%EF%BC%B2', '%C3%A9', 'FR;GB', 'FR,GB', '*', '%46', '%66%72', '=FR', 'FR=', 'FR?x', '%00'],
    ...['~', '[A', '@@', '``'],
  ]) {
    add(`filter[country]=${value}`, 'invalid-country');
  }
  for (const [key, name] of [
    ['country', 'filter[country]'],
    ['city', 'filter[city]'],
    ['number', 'page[number]'],
    ['size', 'page[size]'],
  ] as const) {
    for (const value of MALFORMED) add(`${name}=${value}`, `malformed-encoding.${key}`);
    const repeated = `repeated-parameter.${key}`;
    add(`${name}=1&${name}=1`, repeated);
    add(`${name}=10&x=1&${name}=25`, repeated);
    add(`${name}=FR&${name.replace('[', '%5B').replace(']', '%5d')}=FR`, repeated);
    add(`${name}=FR&${name.replace('i', '%69').replace('a', '%61')}=FR`, repeated);
    add(`${name}=&${name}=1&${name}=1`, repeated);
    add(`${name}=1&${name}=&${name}=1`, repeated);
    add(`${name}=1&${name}&&&${name}=1&`, repeated);
    add(`${name}=1&${name}=1&${name}=1`, repeated);
    add(`${name}=%zz&${name}=%zz`, repeated);
    add(`${name}=+&${name}=%20`, repeated);
  }
  for (const name of [
    ...['contry', 'Country', 'COUNTRY', 'country+', '+country', 'state', 'id', '', 'size', 'number'],
    ...['countrycity', 'country%00', 'city%5B', 'c%69t', 'country%zz', '%zz', '%', '*'],
  ]) {
    add(`filter[${name}]=FR`, 'unknown-parameter.filter');
    add(`filter[${name}]`, 'unknown-parameter.filter');
  }
  for (const name of ['siez', 'Size', 'page', 'limit', 'offset', '', 'country', 'number%20', 'size+', '%']) {
    add(`page[${name}]=1`, 'unknown-parameter.page');
    add(`x=1&page%5B${name}%5D=&y`, 'unknown-parameter.page');
  }
  for (const query of [
    ...['filter[', 'filter[=', 'filter%5B', 'filter[country', 'filter[country=FR', 'filter[country]x=FR'],
    ...['filter[country][]=FR', 'filter[country]%5B%5D=FR', 'filter[country]+=FR', 'filter[country]%20=FR'],
    ...['filter[country]%00=FR', 'filter[city][0]=Paris', 'filter[[country]]=FR', 'filter[country]%3D=FR'],
    ...['filter[country%5D%5D', '%66%69lter[x]', 'filter[country]]=FR', 'filter[country%=FR'],
  ]) {
    add(query, 'unknown-parameter.filter');
  }
  for (const query of [
    ...['page[', 'page[=2', 'page[size', 'page[size]]=1', 'page[size][]=1', 'page[number]x=1', '%70age[x]=1'],
    'page%5b',
  ])
    add(query, 'unknown-parameter.page');
  const orders: [string, string][] = [
    ['page[x]=1&filter[x]=1', 'unknown-parameter.filter'],
    ['page[size]=1&page[size]=1&page[x]', 'unknown-parameter.page'],
    ['page[size]=1&page[size]=1&filter[country]=FR&filter[country]=FR', 'repeated-parameter.country'],
    ['page[number]=1&page[number]=1&filter[city]=a&filter[city]=a', 'repeated-parameter.city'],
    ['page[size]=1&page[size]=1&page[number]=1&page[number]=1', 'repeated-parameter.number'],
    ['filter[country]=%zz&page[size]=1&page[size]=1', 'repeated-parameter.size'],
    ['page[size]=%zz&filter[country]=fr', 'malformed-encoding.size'],
    ['page[size]=%&page[number]=%&filter[city]=%&filter[country]=%', 'malformed-encoding.country'],
    ['page[size]=%&page[number]=%&filter[city]=%', 'malformed-encoding.city'],
    ['page[size]=%&page[number]=%', 'malformed-encoding.number'],
    ['page[size]=0&page[number]=0&filter[country]=0', 'invalid-country'],
    ['page[size]=0&page[number]=0&filter[city]=Nowhere', 'invalid-page-number'],
    ['filter[city]=Nowhere&page[size]=0', 'invalid-page-size'],
    ['filter[country]=ZZ&page[number]=0', 'invalid-page-number'],
    ['filter[country]=&page[size]=&page[number]=0', 'invalid-page-number'],
    ['page[size]=%zz&page[size]=&filter[x', 'unknown-parameter.filter'],
  ];
  for (const [query, name] of orders) add(query, name);
  cases.push(
    row('unknown country', `${list}?filter[country]=ZZ`, page({ country: 'ZZ' })),
    row(
      'unknown country, a page',
      `${list}?filter[country]=ZZ&page[number]=7&page[size]=10`,
      page({ country: 'ZZ', number: 7, size: 10 }),
    ),
    row('unknown city', `${list}?filter[city]=Nowhere`, page({ city: 'Nowhere' })),
    row(
      'city of another country',
      `${list}?filter[city]=Paris&filter[country]=JP`,
      page({ city: 'Paris', country: 'JP' }),
    ),
  );
  return cases;
}
