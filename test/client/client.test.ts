/** The client, against the served catalogue and against servers that fail. */
import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type CachedResponse,
  createClient,
  type Page,
  type ProblemCode,
  ProblemError,
  type Property,
  type PropertyRecord,
  type Summary,
} from '../../src/client/index.ts';
import type { DetailValues } from '../../src/contract/detail-values.ts';
import {
  cityListSchema,
  countriesSchema,
  featureCollectionSchema,
  indexSchema,
} from '../../src/contract/document-schemas.ts';
import { publishedPropertySchema } from '../../src/contract/property.ts';
import { serveLoopback } from '../support/loopback.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';

const catalogue = await serveCatalogue();
const client = createClient({ baseUrl: `${catalogue.url}/` });

/** A server with the given answers, and the requests that it received. */
async function server(answer: RequestListener): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const url = await serveLoopback((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  return { url, requests };
}

const PAGE: Page = { data: [], meta: { pagination: { current_page: 1, per_page: 25, total_entries: 0 } } };

async function problemOf(promise: Promise<unknown>): Promise<ProblemError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProblemError);
  return error as ProblemError;
}

describe('listProperties', () => {
  it('returns the page that was asked for', async () => {
    const page = await client.listProperties({ country: 'IE', page: 2, size: 100 });
    expect(page.meta.pagination).toMatchObject({ current_page: 2, per_page: 100 });
    expect(page.data.every(({ country }) => country === 'IE')).toBe(true);
    expect((await client.listProperties()).data).toHaveLength(25);
  });

  it('sends any name of a city', async () => {
    const { url, requests } = await server((_request, response) => response.end(JSON.stringify(PAGE)));
    await createClient({ baseUrl: url }).listProperties({ city: "L'Aquila & São/東京 100%+" });
    expect(new URLSearchParams(requests[0]?.split('?')[1]).get('filter[city]')).toBe(
      "L'Aquila & São/東京 100%+",
    );
    await createClient({ baseUrl: url }).listProperties({ country: undefined });
    expect(requests[1]).toBe('/api/v1/public/properties');
  });

  it('sends the key with every request but those for a property', async () => {
    const keys: unknown[] = [];
    const { url } = await server((request, response) => {
      keys.push([request.url, request.headers['x-api-key']]);
      const found = {
        ...PAGE,
        title: '',
        release: '',
        links: [],
        countries: [],
        cities: [],
        features: [],
        months: [],
      };
      response.end(request.url?.includes('ndjson') ? '' : JSON.stringify(found));
    });
    const keyed = createClient({ baseUrl: url, apiKey: 'k' });
    await keyed.listProperties();
    await keyed.getIndex();
    await keyed.getCountries();
    await keyed.getCities('IE');
    await keyed.getGeoJson();
    await keyed.download('properties.csv');
    await keyed.getChangesIndex();
    await keyed.getChanges('2026-11');
    for await (const _ of keyed.downloadProperties()) expect.unreachable();
    await keyed.getProperty('x');
    expect(keys).toEqual([
      ['/api/v1/public/properties', 'k'],
      ['/index.json', 'k'],
      ['/_catalogue/countries.json', 'k'],
      ['/_catalogue/countries/IE.json', 'k'],
      ['/properties.geojson', 'k'],
      ['/properties.csv', 'k'],
      ['/changes/index.json', 'k'],
      ['/changes/2026-11.ndjson', 'k'],
      ['/index.json', 'k'],
      ['/properties.ndjson', 'k'],
      ['/api/v1/public/properties/x', undefined],
    ]);
  });
});

describe('getProperty', () => {
  it('returns the property', async () => {
    const { data } = await client.listProperties({ size: 1 });
    const property = await client.getProperty(data[0]!.id.toUpperCase());
    const { attributes, translations, ...fields } = property as Property & DetailValues;
    expect(publishedPropertySchema.parse(fields)).toEqual(fields);
    expect([typeof attributes, translations]).toEqual(['object', expect.anything()]);
    expect(property.title).toBe(data[0]!.title);
  });

  it('throws the problem when the property does not exist', async () => {
    const error = await problemOf(client.getProperty('00000000-0000-4000-8000-000000000000'));
    expect([error.name, error.status, error.code]).toEqual(['ProblemError', 404, 'property-not-found']);
    expect(error.message).toBe('The catalogue has no property with this id.');
    expect((await problemOf(client.getProperty('../x'))).status).toBe(404);
  });
});

describe('problems', () => {
  it('name the parameter', async () => {
    const error = await problemOf(client.listProperties({ size: 101 }));
    expect([error.status, error.code, error.problem?.parameter]).toEqual([
      400,
      'invalid-page-size',
      'page[size]',
    ]);
  });

  it('have no code when an intermediary answered', async () => {
    const { url, requests } = await server((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Forbidden</h1>');
    });
    const error = await problemOf(createClient({ baseUrl: url }).listProperties());
    expect([error.status, error.code, error.problem]).toEqual([403, undefined, undefined]);
    expect(error.message).toBe(`${url}/api/v1/public/properties answered 403.`);
    expect(requests).toHaveLength(1);
  });
});

describe('iterateProperties', () => {
  it('yields every property of the filter, in order', async () => {
    const expected: string[] = [];
    for (let page = 1; page <= 11; page++) {
      expected.push(...(await client.listProperties({ country: 'IE', page })).data.map(({ id }) => id));
    }
    for (const options of [{}, { prefetch: 1 }, { prefetch: 9 }]) {
      const ids: string[] = [];
      for await (const { id } of client.iterateProperties({ country: 'IE' }, options)) ids.push(id);
      expect(ids).toEqual(expected);
    }
    expect(expected.length).toBeGreaterThan(250);
    const all: Summary[] = [];
    for await (const summary of client.iterateProperties({ country: 'ZZ' })) all.push(summary);
    expect(all).toEqual([]);
  });

  it('requests a few pages ahead, never more', async () => {
    let open = 0;
    let most = 0;
    const { url } = await server((request, response) => {
      most = Math.max(most, ++open);
      const number = Number(new URL(request.url!, 'http://x').searchParams.get('page[number]'));
      const data = [{ id: String(number), title: '', city: '', country: '', thumbnail: null }];
      setTimeout(() => {
        open--;
        const meta = { pagination: { current_page: number, per_page: 1, total_entries: 20 } };
        response.end(JSON.stringify({ data, meta }));
      }, 5);
    });
    const ids: string[] = [];
    const slow = createClient({ baseUrl: url }).iterateProperties({}, { prefetch: 3 });
    for await (const { id } of slow) ids.push(id);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
    expect(most).toBe(3);
  });

  it('cancels its requests when the loop ends early', async () => {
    let aborted = 0;
    const { url, requests } = await server((request, response) => {
      if (request.url?.includes('%5D=1')) {
        const data = [{ id: '1', title: '', city: '', country: '', thumbnail: null }];
        const meta = { pagination: { current_page: 1, per_page: 1, total_entries: 9 } };
        response.end(JSON.stringify({ data, meta }));
      } else response.on('close', () => aborted++);
    });
    for await (const _ of createClient({ baseUrl: url }).iterateProperties()) {
      while (requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      break;
    }
    while (aborted < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(requests).toHaveLength(3);
  });

  it('throws the error of a page', async () => {
    const all = async () => {
      for await (const _ of client.iterateProperties({ size: 7 })) expect.unreachable();
    };
    expect((await problemOf(all())).code).toBe('invalid-page-size');
  });
});

describe('repetition', () => {
  it('repeats after 5xx, 429 and a broken connection, and then returns the answer', async () => {
    let turn = 0;
    const { url, requests } = await server((_request, response) => {
      turn++;
      if (turn === 1) response.writeHead(503).end();
      else if (turn === 2) response.destroy();
      else if (turn === 3) response.writeHead(429, { 'Retry-After': '0' }).end();
      else if (turn === 4) {
        // The body breaks off.
        response.writeHead(200, { 'Content-Length': '99' }).write('{');
        setTimeout(() => response.destroy(), 10);
      } else response.end(JSON.stringify(PAGE));
    });
    expect(await createClient({ baseUrl: url, retries: 4 }).listProperties()).toEqual(PAGE);
    expect(requests).toHaveLength(5);
  });
});

describe('signals', () => {
  it('cancels a request', async () => {
    const { url } = await server(() => {});
    const signal = AbortSignal.timeout(30);
    await expect(createClient({ baseUrl: url }).listProperties({}, { signal })).rejects.toThrow(
      /timeout|aborted/,
    );
  });

  it('cancels the wait before a repetition', async () => {
    const { url, requests } = await server((_request, response) =>
      response.writeHead(503, { 'Retry-After': '9' }).end(),
    );
    const controller = new AbortController();
    const promise = createClient({ baseUrl: url }).getProperty('x', { signal: controller.signal });
    const rejected = expect(promise).rejects.toThrow('enough');
    await expect.poll(() => requests).toHaveLength(1);
    setTimeout(() => controller.abort(new Error('enough')), 40);
    await rejected;
    expect(requests).toHaveLength(1);
    await expect(client.listProperties({}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  it('a signal serves any number of requests, and ends a body that is on its way', async () => {
    const { url } = await server((_request, response) => void response.write('the first half'));
    const controller = new AbortController();
    const { signal } = controller;
    for (let time = 0; time < 20; time++) await client.getIndex({ signal });
    const response = await createClient({ baseUrl: url }).download('properties.csv', { signal });
    // Node warns of 1,500, whatever limit the signal has.
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const text = response.text();
    controller.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
  });
});

describe('revalidation', () => {
  it('keeps an answer, and asks whether it is still current', async () => {
    const cache = new Map<string, CachedResponse>();
    const statuses: number[] = [];
    const counted: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      statuses.push(response.status);
      return response;
    };
    const caching = createClient({ baseUrl: catalogue.url, cache, fetch: counted });
    const first = await caching.listProperties({ country: 'IE' });
    const second = await caching.listProperties({ country: 'IE' });
    expect(statuses).toEqual([200, 304]);
    expect(second).toEqual(first);
    // Each caller has an object of its own.
    expect(second).not.toBe(first);
    const [[url, entry]] = [...cache] as [[string, CachedResponse]];
    cache.set(url, { ...entry, etag: '"old"' });
    await caching.listProperties({ country: 'IE' });
    expect(statuses).toEqual([200, 304, 200]);
  });

  it('accepts a cache that answers later', async () => {
    const map = new Map<string, CachedResponse>();
    const cache = {
      get: async (url: string) => map.get(url),
      set: async (url: string, response: CachedResponse) => void map.set(url, response),
    };
    const caching = createClient({ baseUrl: catalogue.url, cache });
    expect(await caching.listProperties()).toEqual(await caching.listProperties());
    expect(map.size).toBe(1);
  });
});

describe('the files beside the list', () => {
  it('have the form of their schemas', async () => {
    const index = await client.getIndex();
    expect(indexSchema.parse(index)).toEqual(index);
    const countries = await client.getCountries();
    expect(countriesSchema.parse(countries)).toEqual(countries);
    const cities = await client.getCities('IE');
    expect(cityListSchema.parse(cities)).toEqual(cities);
    expect(cities.cities.length).toBe(countries.countries.find(({ code }) => code === 'IE')?.cities);
    expect((await problemOf(client.getCities('../x'))).status).toBe(404);
    const points = await client.getGeoJson();
    expect(featureCollectionSchema.parse(points)).toEqual(points);
    expect([index.properties, countries.properties]).toEqual([
      points.features.length,
      points.features.length,
    ]);
    const text = await (await client.download('properties.ndjson')).text();
    const records: PropertyRecord[] = [];
    for await (const record of client.downloadProperties()) records.push(record);
    expect(records.map((record) => `${JSON.stringify(record)}\n`).join('')).toBe(text);
    // A build alone records no changes.
    expect((await problemOf(client.getChangesIndex())).status).toBe(404);
    expect((await problemOf(client.getChanges('2026-11'))).status).toBe(404);
  });
});

it('have types from the schemas', () => {
  expectTypeOf(client.listProperties).returns.resolves.toEqualTypeOf<Page>();
  expectTypeOf(client.getProperty).returns.resolves.toEqualTypeOf<Property>();
  expectTypeOf<Property['payment_method'][number]['method_type']>().toEqualTypeOf<'direct' | 'property'>();
  expectTypeOf<Summary['thumbnail']>().toEqualTypeOf<string | null>();
  expectTypeOf<ProblemError['code']>().toEqualTypeOf<ProblemCode | undefined>();
  expectTypeOf(client.iterateProperties()).toEqualTypeOf<AsyncGenerator<Summary, void, undefined>>();
  // @ts-expect-error A page is a number.
  expectTypeOf(client.listProperties).toBeCallableWith({ page: '2' });
  // @ts-expect-error There is no such filter.
  expectTypeOf(client.listProperties).toBeCallableWith({ contry: 'IE' });
  // @ts-expect-error The iteration covers all pages.
  expectTypeOf(client.iterateProperties).toBeCallableWith({ page: 2 });
});
