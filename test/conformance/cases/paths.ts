import { CURRENT_KEY } from '../../../src/contract/object-keys.ts';
import { type Case, type Expectation, page, problem, rowOf } from '../case.ts';
import { type Fixture, PART_KEY } from '../fixture.ts';

const NOT_FOUND = problem('not-found');
const NO_PROPERTY = problem('property-not-found');
const REFUSED: Expectation = { kind: 'refused' };

/** Details, by good and bad ids. */
export function detailCases({ base, summaries }: Fixture): Case[] {
  const row = rowOf('details');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries[3]!;
  const last = summaries.at(-1)!.id;
  const property: Expectation = { kind: 'property', id };
  const cases = [
    row('an id', `${list}/${id}`, property),
    row('the last id', `${list}/${last}`, { kind: 'property', id: last }),
    row('upper case', `${list}/${id.toUpperCase()}`, property),
    row('mixed case', `${list}/${id.slice(0, 10).toUpperCase()}${id.slice(10)}`, property),
    row('a query is ignored', `${list}/${id}?filter[contry]=x&page[size]=0&%zz`, property),
    row('a lone question mark', `${list}/${id}?`, property),
    row('trailing slash', `${list}/${id}/`, NOT_FOUND),
    row('below an id', `${list}/${id}/photo`, NOT_FOUND),
    row('unknown id', `${list}/00000000-0000-4000-8000-000000000000`, NO_PROPERTY),
    row('unknown id, upper case', `${list}/AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA`, NO_PROPERTY),
    row('traversal in a segment', `${list}/..%2f..%2f..%2f..%2fcanary`, NO_PROPERTY, {
      or: [REFUSED, NOT_FOUND],
    }),
    row('a byte 0', `${list}/%00`, NO_PROPERTY, { or: [REFUSED, NOT_FOUND] }),
    row('an id and a byte 0', `${list}/${id}%00`, NO_PROPERTY, { or: [REFUSED, NOT_FOUND] }),
    row('malformed %', `${list}/%zz`, NO_PROPERTY, { or: [REFUSED, NOT_FOUND] }),
    row('an encoded slash', `${list}/${id}%2F`, NO_PROPERTY, { or: [REFUSED, NOT_FOUND] }),
  ];
  const malformed = [
    'x',
    '1',
    id.slice(1),
    `${id}0`,
    `0${id}`,
    id.replaceAll('-', ''),
    `{${id}}`,
    `${id}.json`,
    `${id}%20`,
    `%20${id}`,
    `${id}%0A`,
    `%0A${id}`,
    `${id};x=1`,
    `g${id.slice(1)}`,
    `%3${id}`.replace('%3', '%33'),
    `urn:uuid:${id}`,
    '-',
    '~',
    '%C3%A9',
    'a'.repeat(2000),
    'total',
    '25-1.json',
  ];
  for (const segment of malformed)
    cases.push(
      row(
        `no id: ${segment.slice(0, 60)}`,
        `${list}/${segment}`,
        NO_PROPERTY,
        /%|\{/.test(segment) ? { or: [REFUSED] } : {},
      ),
    );
  return cases;
}

/** Other paths below the API, and those that only look like it. */
export function pathCases({ base }: Fixture): Case[] {
  const row = rowOf('paths');
  const api = `${base}/api/v1/public`;
  const cases: Case[] = [];
  for (const path of [
    ...['', '/', '/property', '/Properties', '/PROPERTIES', '/properties/'],
    ...['/properties/?filter[country]=FR', '/propertiesx', '/properties.json', '/properties;x=1'],
    ...['/properties,', '/x', '/x/y/z', '/propertie', '/properties:', '/openapi.json'],
    '/_catalogue/pages/-/-/25-1.json',
  ]) {
    cases.push(row(path || 'the API itself', api + path, NOT_FOUND));
  }
  for (const path of [
    ...['//properties', '/properties//', '/%70roperties', '/properties%2F', '/properties%20'],
    ...['/properties%0A', '/properties%00', '/properties%3Ffilter[country]=FR', '/%zz', '/properties%2Fx'],
  ]) {
    cases.push(row(path, api + path, NOT_FOUND, { or: [REFUSED] }));
  }
  for (const path of [
    ...['/api', '/api/', '/api/v1', '/api/v1/', '/api/v1/publicx', '/api/v1/Public/properties'],
    ...['/API/v1/public/properties', '/api/v2/public/properties', '/properties', '/api/v1/public.json'],
    '/xapi/v1/public/properties',
  ]) {
    cases.push(row(`outside: ${path}`, base + path, NOT_FOUND));
  }
  for (const path of [
    '/%61pi/v1/public/properties',
    '/api%2Fv1/public/properties',
    '//api/v1/public/properties',
    '/api//v1/public/properties',
  ]) {
    cases.push(row(`outside: ${path}`, base + path, NOT_FOUND, { or: [REFUSED] }));
  }
  const normalised: [string, string, Expectation][] = [
    ['/./properties', 'a dot', page()],
    ['/x/../properties', 'two dots', page()],
    ['/../public/properties?page[size]=10', 'two dots and a query', page({ size: 10 })],
    ['/properties/.', 'a last dot', NOT_FOUND],
    ['/properties/..', 'two last dots', NOT_FOUND],
    ['/%2e/properties', 'an encoded dot', page()],
    ['/x/%2e%2E/properties', 'two encoded dots', page()],
    ['/../../../../../../canary', 'above the root', NOT_FOUND],
    ['/%2e%2e/%2e%2e/%2e%2e/%2e%2e/canary', 'above the root, encoded', NOT_FOUND],
  ];
  for (const [path, name, expect] of normalised) {
    cases.push(row(`dot segments: ${name}`, api + path, NOT_FOUND, { or: [expect, NO_PROPERTY, REFUSED] }));
  }
  if (base) cases.push(row('the API without its base', '/api/v1/public/properties', NOT_FOUND));
  return cases;
}

/** Files beside the API, those that do not exist, and those outside the root. */
export function fileCases({ base, files, layout }: Fixture): Case[] {
  const row = rowOf('files');
  const media = [...files.keys()].find((key) => key.startsWith('media/'))!;
  const stored = [
    ...[...files.keys()].filter((key) => /_catalogue\/(?:chunks|cities|documents|images|roots)/.test(key)),
    ...(layout === 'packed'
      ? [CURRENT_KEY]
      : ['_catalogue/pages/FR/-/25-1.json', '_catalogue/pages/FR/-/total']),
  ];
  const file = (key: string): Expectation => ({ kind: 'file', key });
  const cases = [
    row('a photo', `${base}/${media}`, file(media)),
    row('a photo with a query', `${base}/${media}?x=%zz`, file(media)),
    row('the explorer', `${base}/`, file('index.html')),
    row('the explorer, with what it shows', `${base}/?country=GB&property=x`, file('index.html')),
    row('the explorer by its name', `${base}/index.html`, file('index.html')),
    row('what the explorer loads', `${base}/explorer/app-AbCd_-12.js`, file('explorer/app-AbCd_-12.js')),
    row('a part of the details', `${base}/${PART_KEY}`, file(PART_KEY)),
    row('the OpenAPI document', `${base}/openapi.json`, file('openapi.json')),
    row(
      'a problem by its key',
      `${base}/_catalogue/problems/not-found.json`,
      file('_catalogue/problems/not-found.json'),
    ),
    ...stored.map((key) => row('a part of the list by its key', `${base}/${key}`, file(key))),
    row('an absent photo', `${base}/media/absent.jpg`, NOT_FOUND),
    row('an absent page', `${base}/_catalogue/pages/ZZ/-/25-1.json`, NOT_FOUND),
    row('an absent file', `${base}/favicon.ico`, NOT_FOUND),
    row('a folder without its slash', `${base}/media`, NOT_FOUND),
    row('a folder without an index', `${base}/media/`, NOT_FOUND),
    row('a file as a folder', `${base}/openapi.json/x`, NOT_FOUND),
    row('a hidden file', `${base}/.htaccess`, NOT_FOUND, { or: [REFUSED] }),
    ...['media/..', 'explorer/..', 'media/%2e%2e', 'explorer/x/../..'].map((folder) =>
      row(`no asset, by way of ${folder} (B16)`, `${base}/${folder}/openapi.json`, NOT_FOUND, {
        or: [file('openapi.json'), REFUSED],
      }),
    ),
    ...['list', 'routed', 'refused', 'empty-page', 'total/-/-', 'out-of-range', 'unconditional'].map((name) =>
      row(`a location of the server's own: ${name} (B16)`, `/-catalogue/${name}`, NOT_FOUND),
    ),
  ];
  for (const path of ['/absent%2fpath', '/absent%2Fpath%2F', '/media%2fabsent.jpg', '/media/absent%2f.jpg'])
    cases.push(row(`an encoded slash: ${path}`, base + path, NOT_FOUND));
  for (const path of [
    ...['/../canary', '/../../canary', '/..%2fcanary', '/%2e%2e/canary', '/%2e%2e%2fcanary'],
    ...['/media/../../canary', '/media/..%2f..%2fcanary', '/media/%2e%2e/%2e%2e/canary', '/..%5ccanary'],
    ...['/media/..;/..;/canary', '/%c0%ae%c0%ae/canary', '/%252e%252e/canary', '/....//canary'],
    ...['/..%00/canary', '/%00', '/%0a', '/%zz', '/%', '/%ff', '/media/%0d%0aX-Injected:1', '/~', '/*'],
    ...['/%2e', '/media/%2f%2f'],
  ]) {
    cases.push(row(`outside: ${path}`, base + path, NOT_FOUND, { or: [REFUSED, file('index.html')] }));
  }
  return cases;
}
