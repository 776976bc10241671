/** The OpenAPI document, checked by independent linters and validators and against real answers of the catalogue. */
import { createHash } from 'node:crypto';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openApiDocument } from '../../../src/contract/openapi/document.ts';
import type { OpenApiInput } from '../../../src/contract/openapi/input.ts';
import { problemDocuments } from '../../../src/contract/problem.ts';
import { serveCatalogue } from '../../support/served-catalogue.ts';

const LIST = '/api/v1/public/properties';
const KEY = 'a key of a consumer';
const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
// Published as CommonJS, with the function under `default`.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

type Operation = {
  operationId: string;
  parameters?: { $ref: string }[];
  responses: Record<string, Response_ | { $ref: string }>;
};
type Response_ = {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
};
type Document = {
  servers: { url: string }[];
  paths: Record<string, { get: Operation }>;
  components: {
    responses: Record<string, Response_>;
    parameters: Record<string, { name: string; schema: { type: string }; example: unknown }>;
  };
};

const digest = createHash('sha256').update(KEY).digest('hex');
const open = await serveCatalogue();
const keyed = await serveCatalogue(`docs: false\napi_keys: ["${digest}"]\n`, [digest]);
const document = (await (await fetch(`${open.url}/openapi.json`)).json()) as Document;
const keyedDocument = (await (await fetch(`${keyed.url}/openapi.json`)).json()) as Document;

const input: OpenApiInput = {
  about: { title: 'Property catalogue' },
  baseUrl: 'http://localhost:8080',
  settings: { base: '', sizes: 'all' },
  apiKeys: false,
  bulk: true,
  cacheControl: 'max-age=60',
  license: undefined,
  example: undefined,
};

/** The findings of the recommended rules of both linters. */
async function lint(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const redocly = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] });
  const found = await spectral.run(JSON.parse(text));
  return [
    ...redocly.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`),
    ...found.map(({ code, message, path }) => `${code} ${message} ${path.join('/')}`),
  ];
}

describe('a linter', () => {
  it('finds no problem in the document of the real catalogue', async () => {
    expect(await lint(JSON.stringify(document))).toEqual([]);
    expect(await lint(JSON.stringify(keyedDocument))).toEqual([]);
  });

  it.each<[string, Partial<OpenApiInput>]>([
    ['an empty catalogue', {}],
    ['a base path', { baseUrl: 'https://stays.org/a/b', settings: { base: '/a/b', sizes: 'all' } }],
    ['the packed layout', { settings: { base: '', sizes: 'all', layout: 'packed' } }],
    ['few sizes, keys, no downloads', { settings: { base: '', sizes: [25] }, apiKeys: true, bulk: false }],
    [
      'a licence',
      { license: { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' } },
    ],
  ])('finds no problem with %s', async (_name, changed) => {
    expect(await lint(JSON.stringify(openApiDocument({ ...input, ...changed })))).toEqual([]);
  });

  it('finds a planted problem', async () => {
    const { paths: _paths, ...broken } = openApiDocument(input);
    expect(await lint(JSON.stringify({ ...broken, paths: { '/x/': { get: {} } } }))).not.toEqual([]);
  });
});

describe('servers', () => {
  const serverOf = (changed: Partial<OpenApiInput>) =>
    (openApiDocument({ ...input, ...changed }) as unknown as Document).servers[0]?.url;

  it('are the base URL', () => {
    expect(serverOf({ baseUrl: 'https://stays.org/a', settings: { base: '/a', sizes: 'all' } })).toBe(
      'https://stays.org/a',
    );
  });

  it('are relative to the document while the base URL is the machine of its author', () => {
    expect(serverOf({})).toBe('/');
    expect(serverOf({ baseUrl: 'http://127.0.0.1:1/a', settings: { base: '/a', sizes: 'all' } })).toBe('/a');
  });
});

it('explains how to page through one release when lists name their release', () => {
  const of = (layout: 'pages' | 'packed') => {
    const { paths } = openApiDocument({ ...input, settings: { base: '', sizes: 'all', layout } });
    const { get } = (paths as Record<string, { get: Record<string, unknown> }>)['/api/v1/public/properties']!;
    return JSON.stringify(get);
  };
  expect(of('packed')).toContain('"410":{"$ref":"#/components/responses/ReleaseGone"}');
  expect(of('packed')).toContain('{"$ref":"#/components/parameters/CatalogueRelease"}');
  expect(of('packed')).toContain('"Catalogue-Release":{"$ref":"#/components/headers/CatalogueRelease"}');
  expect(of('pages')).not.toMatch(/Release|410/);
});

it('has the same content as YAML', async () => {
  const text = await (await fetch(`${open.url}/openapi.yaml`)).text();
  expect(parse(text)).toEqual(document);
});

/** Validates against the schema at a pointer of the document, and allows only documented properties. */
function validator(of: Document, pointer: string[]): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(closed(of) as object, 'openapi.json');
  const path = pointer.map((part) => encodeURIComponent(part.replace(/~/g, '~0').replace(/\//g, '~1')));
  return ajv.compile({ $ref: `openapi.json#/${path.join('/')}` });
}

/** The document with closed objects, so that undocumented properties are found; a root has others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isOpen = JSON.stringify(members.additionalProperties) === '{}';
  const isSchema = members.type === 'object' && typeof members.properties === 'object' && !isOpen;
  return isSchema ? { ...members, additionalProperties: false } : members;
}

/** The response of a status, inline or among the components. */
function responsePointer(of: Document, path: string, status: number): string[] {
  const response = of.paths[path]?.get.responses[status];
  if (!response) throw new Error(`${path} has no response ${status}`);
  return '$ref' in response
    ? response.$ref.slice(2).split('/')
    : ['paths', path, 'get', 'responses', String(status)];
}

function at(of: Document, pointer: string[]): Response_ {
  return pointer.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], of) as Response_;
}

/** Checks an answer against the document: media type, headers, body. Returns the body. */
async function expectDocumented(of: Document, pointer: string[], answer: Response): Promise<unknown> {
  const documented = at(of, pointer);
  for (const name of Object.keys(documented.headers ?? {})) {
    expect(answer.headers.get(name), `header ${name} of ${answer.url}`).not.toBeNull();
  }
  const text = await answer.text();
  if (!documented.content) {
    expect(text).toBe('');
    return undefined;
  }
  const [type] = Object.keys(documented.content) as [string];
  // `serve` names the charset of files beside the API too (docs/targets.md).
  expect(answer.headers.get('Content-Type')?.replace('; charset=utf-8', '')).toBe(type);
  if (!type.includes('json')) return text;
  const isLines = type.endsWith('ndjson');
  const schema = [...pointer, 'content', type, 'schema'];
  if (isLines) expect(validator(of, schema)(text)).toBe(true);
  const validate = validator(of, isLines ? [...schema, 'contentSchema'] : schema);
  const bodies = isLines ? text.trimEnd().split('\n') : [text];
  for (const body of bodies) {
    const value = JSON.parse(body);
    if (!validate(value)) expect.fail(`${answer.url}: ${JSON.stringify(validate.errors?.slice(0, 3))}`);
  }
  return JSON.parse(bodies[0]!);
}

/** Files that the catalogue lacks: its history. */
const LATER = /^\/(?:changes\/|_catalogue\/releases\.json)/;

type Names = { readonly release: string; readonly part: string };

/** The release of the catalogue, and its first part. */
async function namesOf(url: string): Promise<Names> {
  const { release } = (await (await fetch(`${url}/index.json`)).json()) as { release: string };
  const root = await (await fetch(`${url}/_catalogue/roots/${release}.json`)).json();
  return { release, part: (root as { details: [string, string][] }).details[0]![0] };
}

function filled(path: string, { release, part }: Names): string {
  return path
    .replace('{country}', 'IE')
    .replace('{month}', '2026-11')
    .replace('{release}', release)
    .replace('{part}', `${part}.ndjson`);
}

describe('every operation', () => {
  it('answers as documented', async () => {
    const { data } = (await (await fetch(open.url + LIST)).json()) as { data: { id: string }[] };
    const ids = [0, 7, 24].map((index) => data[index]?.id);
    const requests: [path: string, url: string][] = [
      ...['', '?filter[country]=IE', '?page[size]=100', '?page[size]=1', '?filter[country]=ZZ'].map(
        (query): [string, string] => [LIST, LIST + query],
      ),
      ...ids.map((id): [string, string] => [`${LIST}/{property_id}`, `${LIST}/${id}`]),
    ];
    const names = await namesOf(open.url);
    for (const path of Object.keys(document.paths)) {
      if (!path.startsWith(LIST) && !LATER.test(path)) requests.push([path, filled(path, names)]);
    }
    for (const [path, url] of requests) {
      const answer = await fetch(open.url + url);
      expect(answer.status, url).toBe(200);
      const pointer = responsePointer(document, path, 200);
      if (url.includes('=ZZ')) {
        // The one answer that comes from no file has no entity tag.
        const validate = validator(document, [...pointer, 'content', JSON_TYPE, 'schema']);
        expect(validate(await answer.json())).toBe(true);
      } else await expectDocumented(document, pointer, answer);
    }
    const covered = new Set(requests.map(([path]) => path));
    for (const path of Object.keys(document.paths)) expect(covered.has(path) || LATER.test(path)).toBe(true);
  });

  it('answers 304 as documented (B5)', async () => {
    const names = await namesOf(open.url);
    for (const path of Object.keys(document.paths)) {
      if (LATER.test(path)) continue;
      const example = document.components.parameters.PropertyId?.example as string;
      const url = open.url + filled(path, names).replace('{property_id}', example);
      const etag = (await fetch(url)).headers.get('ETag') ?? '';
      const answer = await fetch(url, { headers: { 'If-None-Match': etag } });
      expect(answer.status).toBe(304);
      await expectDocumented(document, responsePointer(document, path, 304), answer);
    }
  });

  it('answers 404, 405, 206 and 416 as documented (B5)', async () => {
    const names = await namesOf(open.url);
    const none = { release: '0'.repeat(32), part: '0'.repeat(32) };
    for (const path of Object.keys(document.paths)) {
      if (path.startsWith(LIST)) continue;
      const url = open.url + filled(path, names);
      const refused = await fetch(url, { method: 'DELETE' });
      expect(refused.status).toBe(405);
      await expectDocumented(document, responsePointer(document, path, 405), refused);
      if (LATER.test(path) || /\{(?:release|part)\}/.test(path)) {
        const missing = await fetch(open.url + filled(path, none));
        expect(missing.status).toBe(404);
        await expectDocumented(document, responsePointer(document, path, 404), missing);
      }
      if (LATER.test(path)) continue;
      const part = await fetch(url, { headers: { Range: 'bytes=1-4' } });
      const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect([part.status, part.headers.get('Content-Range')]).toEqual([206, `bytes 1-4/${whole.length}`]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(1, 5));
      expect(document.paths[path]!.get.responses[206]).toBeDefined();
      const beyond = await fetch(url, { headers: { Range: `bytes=${whole.length}-` } });
      expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${whole.length}`]);
      expect(document.paths[path]!.get.responses[416]).toBeDefined();
    }
  });

  it('requires the key where the catalogue guards it, and nowhere else (B5)', () => {
    const made = openApiDocument({ ...input, apiKeys: true });
    const { paths } = made as unknown as {
      paths: Record<string, { get: { security: object[]; responses: object } }>;
    };
    const guarded = Object.entries(paths).filter(([, { get }]) => '401' in get.responses);
    expect(guarded.map(([path]) => path)).toEqual([
      LIST,
      '/_catalogue/countries.json',
      '/_catalogue/countries/{country}.json',
      '/_catalogue/releases.json',
      '/properties.ndjson',
      '/properties.geojson',
      '/properties.csv',
      '/_catalogue/roots/{release}.json',
      '/_catalogue/parts/{part}',
      '/changes/index.json',
      '/changes/{month}.ndjson',
      '/changes/feed.xml',
    ]);
    for (const [path, { get }] of Object.entries(paths)) {
      expect(get.security, path).toEqual('401' in get.responses ? [{ ApiKey: [] }] : []);
    }
  });

  it('shows real examples', async () => {
    const { Country, City, PropertyId } = document.components.parameters;
    const query = new URLSearchParams([
      ['filter[country]', String(Country?.example)],
      ['filter[city]', String(City?.example)],
    ]);
    const exampleOf = (path: string) => {
      const { examples } = at(document, responsePointer(document, path, 200)).content?.[JSON_TYPE] ?? {};
      return Object.values(examples ?? {})[0]?.value;
    };
    expect(exampleOf(LIST)).toEqual(await (await fetch(`${open.url}${LIST}?${query}`)).json());
    expect(exampleOf(`${LIST}/{property_id}`)).toEqual(
      await (await fetch(`${open.url}${LIST}/${PropertyId?.example}`)).json(),
    );
  });
});

describe('every parameter', () => {
  const VALUES = [
    '0',
    '1',
    '2',
    '25',
    '100',
    '101',
    '1000000000',
    '999999999',
    '-1',
    'x',
    'IE',
    'ie',
    'IRL',
    '1.5',
  ];

  it('has the limits that the catalogue enforces', async () => {
    for (const { name, schema } of Object.values(document.components.parameters)) {
      if (!name.includes('[')) continue;
      const key = Object.entries(document.components.parameters).find(
        ([, { name: its }]) => its === name,
      )?.[0];
      const validate = validator(document, ['components', 'parameters', key!, 'schema']);
      for (const value of VALUES) {
        const typed = schema.type === 'integer' && Number.isFinite(Number(value)) ? Number(value) : value;
        const { status } = await fetch(`${open.url}${LIST}?${encodeURIComponent(name)}=${value}`);
        expect(`${name}=${value} ${status}`).toBe(`${name}=${value} ${validate(typed) ? 200 : 400}`);
      }
    }
  });
});

/** A request for each problem: path of the operation, or undefined for none; path and query; method. */
const FAULTS: Record<string, [path: string | undefined, url: string, method?: string]> = {
  'unknown-parameter.filter': [LIST, `${LIST}?filter[contry]=IE`],
  'unknown-parameter.page': [LIST, `${LIST}?page[limit]=5`],
  'repeated-parameter.country': [LIST, `${LIST}?filter[country]=IE&filter[country]=FR`],
  'repeated-parameter.city': [LIST, `${LIST}?filter[city]=Cork&filter[city]=Paris`],
  'repeated-parameter.number': [LIST, `${LIST}?page[number]=1&page[number]=2`],
  'repeated-parameter.size': [LIST, `${LIST}?page[size]=1&page[size]=2`],
  'malformed-encoding.country': [LIST, `${LIST}?filter[country]=%E9`],
  'malformed-encoding.city': [LIST, `${LIST}?filter[city]=%E9`],
  'malformed-encoding.number': [LIST, `${LIST}?page[number]=%E9`],
  'malformed-encoding.size': [LIST, `${LIST}?page[size]=%E9`],
  'invalid-country': [LIST, `${LIST}?filter[country]=Ireland`],
  'invalid-page-number': [LIST, `${LIST}?page[number]=0`],
  'invalid-page-size': [LIST, `${LIST}?page[size]=101`],
  'property-not-found': [`${LIST}/{property_id}`, `${LIST}/00000000-0000-4000-8000-000000000000`],
  'not-found': [undefined, '/api/v1/public/nothing'],
  'method-not-allowed': [LIST, LIST, 'DELETE'],
  'invalid-api-key': [LIST, LIST],
};

describe('every problem', () => {
  const settings = { base: '', sizes: [1, 25, 100] };

  it('has a request in this test', () => {
    // This problem requires a damaged catalogue: test/conformance.
    const names = [...problemDocuments(settings).keys()].filter((name) => name !== 'list-unavailable');
    expect(Object.keys(FAULTS).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(FAULTS))('%s is answered as documented', async (name, [path, url, method]) => {
    const isKey = name === 'invalid-api-key';
    const [catalogue, of] = isKey ? [keyed, keyedDocument] : [open, document];
    const headers: Record<string, string> = isKey ? { 'X-API-KEY': 'wrong' } : {};
    const answer = await fetch(catalogue.url + url, { method: method ?? 'GET', headers });
    const { status } = answer;
    const pointer = path ? responsePointer(of, path, status) : ['components', 'responses', 'NotFound'];
    const body = (await expectDocumented(of, pointer, answer)) as { type: string; status: number };
    expect(body.status).toBe(status);
    expect(at(of, pointer).content?.[PROBLEM_TYPE]?.examples?.[name]?.value).toEqual(body);
    // The type leads to the section of a page that explains the code.
    const page = await fetch(new URL(body.type, catalogue.url));
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`<section id="${new URL(body.type, catalogue.url).hash.slice(1)}">`);
  });

  it('a known key opens the list', async () => {
    const answer = await fetch(keyed.url + LIST, { headers: { 'X-API-KEY': KEY } });
    expect(answer.status).toBe(200);
    await expectDocumented(keyedDocument, responsePointer(keyedDocument, LIST, 200), answer);
  });
});

it('documents no downloads when the list needs a key', async () => {
  expect(Object.keys(keyedDocument.paths).filter((path) => path.includes('properties.'))).toEqual([]);
  for (const path of ['/properties.ndjson', '/properties.csv', '/properties.geojson', '/docs/']) {
    const answer = await fetch(keyed.url + path, { headers: { 'X-API-KEY': KEY } });
    expect(answer.status, path).toBe(404);
  }
});
