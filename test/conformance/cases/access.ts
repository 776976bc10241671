import { CURRENT_KEY } from '../../../src/contract/object-keys.ts';
import { bytes, type Case, type Expectation, overEncoded, problem, rowOf } from '../case.ts';
import { type Fixture, GUARDED_KEY, INTERNAL_KEYS, PART_KEY } from '../fixture.ts';

const NOT_FOUND = problem('not-found');
const DENIED = problem('invalid-api-key');
const REFUSED: Expectation = { kind: 'refused' };

/** All known ways to name a path so that a server reads it and a guard does not. */
function spellings(key: string): string[] {
  const [folder = '', ...rest] = key.split('/');
  const below = rest.length > 0 ? `/${rest.join('/')}` : '';
  return [
    `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`,
    `%${key.charCodeAt(0).toString(16).toUpperCase()}${key.slice(1)}`,
    `%25${key.charCodeAt(0).toString(16)}${key.slice(1)}`,
    overEncoded(key),
    key.split('/').map(overEncoded).join('/'),
    key.replaceAll('/', '%2F'),
    key.replaceAll('/', '%2f'),
    key.replaceAll('/', '%252f'),
    key.replaceAll('/', '//'),
    key.replaceAll('/', '\\'),
    key.replaceAll('/', '%5c'),
    key.replaceAll('/', '/./'),
    key.replaceAll('/', '/%2e/'),
    key.replace('.', '%2e'),
    key.replace('.', '%2E'),
    key.toUpperCase(),
    `${folder.toUpperCase()}${below}`,
    `/${key}`,
    `//${key}`,
    `./${key}`,
    `%2e/${key}`,
    `media/../${key}`,
    `media/%2e%2e/${key}`,
    `media/%2E%2e/${key}`,
    `media/.%2e/${key}`,
    `media/..%2f${key}`,
    `media/..%5c${key}`,
    `media/%252e%252e/${key}`,
    `_catalogue/properties/../../${key}`,
    `_catalogue/problems/%2e%2e/%2e%2e/${key}`,
    `api/v1/public/../../../${key}`,
    `explorer/x/../../${key}`,
    `${folder};x=1${below}`,
    `${key}/`,
    `${key}/.`,
    `${key}/x`,
    `${key}%00`,
    `${key}%20`,
    `${key}.`,
    `${key}%23x`,
    `${key}%3Fx`,
    `${key};x`,
    bytes(key.replace('c', 'ｃ')),
  ];
}

/** Requests that need a key in a protected catalogue: everything that shows the list; and requests that need none. */
export function guardedCases({ base, files, keys, layout, summaries }: Fixture): Case[] {
  const row = rowOf('guarded');
  const [key = ''] = keys;
  const cases: Case[] = [];
  // Beside pages, a server's configuration has no caching of its own for what names the live release.
  const guarded = [...files.keys()].filter(
    (name) => GUARDED_KEY.test(name) && (layout === 'packed' || name !== CURRENT_KEY),
  );
  const kinds = new Map(guarded.map((name) => [name.replace(/[0-9a-f]{2,}|[A-Z]{2}|\d+/g, ''), name]));
  for (const name of kinds.values()) {
    const path = `${base}/${name}`;
    const file: Expectation = { kind: 'file', key: name };
    cases.push(
      row(`no key: ${name}`, path, DENIED, { key: null }),
      row(`no key, HEAD: ${name}`, path, DENIED, { key: null, method: 'HEAD' }),
      row(`a wrong key: ${name}`, path, DENIED, { key: `${key}x` }),
      row(`the key: ${name}`, path, file, { key }),
      row(`the key, HEAD: ${name}`, path, file, { key, method: 'HEAD' }),
      row(`no key, a query: ${name}`, `${path}?${key}`, DENIED, { key: null }),
      row(`no key, any tag: ${name}`, path, DENIED, { key: null, headers: [['If-None-Match', '*']] }),
      row(`no key, a part: ${name}`, path, DENIED, { key: null, headers: [['Range', 'bytes=0-9']] }),
    );
  }
  for (const name of [
    '_catalogue/none.json',
    '_catalogue/facets/ZZ.json',
    'changes/1999-01.ndjson',
    'properties.xlsx',
    PART_KEY.replace('.ndjson', '.json'),
  ])
    cases.push(
      row(`no key, no file: ${name}`, `${base}/${name}`, DENIED, { key: null }),
      row(`the key, no file: ${name}`, `${base}/${name}`, NOT_FOUND, { key }),
    );
  for (const name of ['_catalogue', '_catalogue/', '_catalogue/pages/', 'changes', 'changes/'])
    cases.push(row(`no key, a folder: ${name}`, `${base}/${name}`, DENIED, { key: null, or: [NOT_FOUND] }));
  for (const name of [CURRENT_KEY, 'properties.ndjson', PART_KEY, 'changes/feed.xml'])
    for (const path of spellings(name))
      cases.push(row(`no key: ${path}`, `${base}/${path}`, DENIED, { key: null, or: [NOT_FOUND, REFUSED] }));
  const open = [
    ...['openapi.json', 'problems.html', 'index.html', 'explorer/app-AbCd_-12.js'],
    'media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg',
    `_catalogue/properties/${summaries.at(-1)!.id}.json`,
    '_catalogue/problems/not-found.json',
  ];
  // All details of a preview are in parts.
  for (const name of open.filter((name) => files.has(name)))
    cases.push(row(`open: ${name}`, `${base}/${name}`, { kind: 'file', key: name }, { key: null }));
  const preflight: Expectation = { kind: 'preflight' };
  const current = `${base}/${CURRENT_KEY}`;
  cases.push(
    row('a preflight of a guarded file', current, preflight, { key: null, method: 'OPTIONS' }),
    row('another method', current, problem('method-not-allowed'), {
      key: null,
      method: 'POST',
      headers: [['Content-Length', '0']],
    }),
  );
  return cases;
}

/** Files that are never served, with or without a key. */
export function internalCases({ base, keys }: Fixture): Case[] {
  const row = rowOf('internal');
  const cases: Case[] = [];
  for (const name of [...INTERNAL_KEYS, '_catalogue/log/none.json']) {
    const path = `${base}/${name}`;
    cases.push(
      row(name, path, NOT_FOUND),
      row(`HEAD: ${name}`, path, NOT_FOUND, { method: 'HEAD' }),
      row(`a query: ${name}`, `${path}?x`, NOT_FOUND),
      row(`any tag: ${name}`, path, NOT_FOUND, { headers: [['If-None-Match', '*']] }),
      row(`a part: ${name}`, path, NOT_FOUND, { headers: [['Range', 'bytes=0-9']] }),
    );
    if (keys.length > 0) cases.push(row(`no key: ${name}`, path, NOT_FOUND, { key: null }));
  }
  for (const name of INTERNAL_KEYS)
    for (const path of spellings(name))
      cases.push(row(path, `${base}/${path}`, NOT_FOUND, { or: [REFUSED] }));
  for (const name of ['_catalogue/log', '_catalogue/log/'])
    cases.push(row(name, `${base}/${name}`, NOT_FOUND, { or: [REFUSED] }));
  return cases;
}
