/** The downloads, the countries and the index of the real catalogue equal what the API gives. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COUNTRIES } from '../../../src/contract/country-and-currency-tables.ts';
import type {
  CatalogueIndex,
  CityList,
  Countries,
  PropertyRecord,
} from '../../../src/contract/document-schemas.ts';
import type { Page, Property, Summary } from '../../../src/contract/property.ts';
import { serveCatalogue } from '../../support/served-catalogue.ts';

const catalogue = await serveCatalogue();
const summaries = await allPages('/api/v1/public/properties?page[size]=100');

async function json<Body>(url: string | URL): Promise<Body> {
  const answer = await fetch(url);
  expect(answer.status, String(url)).toBe(200);
  return answer.json() as Promise<Body>;
}

/** Every entry of a list, page by page. */
async function allPages(list: string | URL): Promise<Summary[]> {
  const entries: Summary[] = [];
  for (let number = 1; ; number++) {
    const url = new URL(list, catalogue.url);
    url.searchParams.set('page[number]', String(number));
    const { data, meta } = await json<Page>(url);
    entries.push(...data);
    if (entries.length >= meta.pagination.total_entries) return entries;
  }
}

describe('the downloads', () => {
  it('write every property to properties.ndjson, in the order of the list', async () => {
    const text = await (await fetch(`${catalogue.url}/properties.ndjson`)).text();
    expect(text.endsWith('}\n')).toBe(true);
    const records = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as PropertyRecord);
    expect(records.map(({ id }) => id)).toEqual(summaries.map(({ id }) => id));
    expect(summaries.length).toBeGreaterThan(300);
    for (const { id, ...property } of records) {
      expect(property).toEqual(await json<Property>(`${catalogue.url}/api/v1/public/properties/${id}`));
    }
  });
});

describe('countries.json and the city lists', () => {
  it('have every country and city, with numbers and lists that work', async () => {
    const url = new URL('_catalogue/countries.json', `${catalogue.url}/`);
    const document = await json<Countries>(url);
    expect(document.properties).toBe(summaries.length);
    expect(document.countries.map(({ code }) => code)).toEqual([...new Set(summaries.map((s) => s.country))]);
    for (const { code, name, properties, cities: count, href } of document.countries) {
      expect(name).toBe(COUNTRIES[code]);
      const here = summaries.filter(({ country }) => country === code);
      expect(properties).toBe(here.length);
      expect(await allPages(new URL(href, url))).toEqual(here);
      const listUrl = new URL(`_catalogue/countries/${code}.json`, `${catalogue.url}/`);
      const { country, href: template, cities } = await json<CityList>(listUrl);
      expect([country, cities.length]).toEqual([code, count]);
      expect(cities.map((city) => city.name)).toEqual([...new Set(here.map(({ city }) => city))]);
      for (const city of cities.slice(0, 5)) {
        const entries = here.filter((summary) => summary.city === city.name);
        expect(city.properties).toBe(entries.length);
        const list = template.replace('{city}', encodeURIComponent(city.name));
        expect(await allPages(new URL(list, listUrl))).toEqual(entries);
      }
    }
  });
});

describe('index.json', () => {
  it('links everything that the catalogue offers, and every link works', async () => {
    const url = new URL('index.json', `${catalogue.url}/`);
    const index = await json<CatalogueIndex>(url);
    expect([index.properties, index.countries]).toEqual([summaries.length, 12]);
    for (const { rel, href, type, templated } of index.links) {
      // The changes are added by the first publish.
      if (rel === 'changes') continue;
      expect(href).not.toMatch(/^(?:https?:|\/)/);
      const [first] = summaries;
      const values: Record<string, string> = { property_id: first?.id ?? '', country: first?.country ?? '' };
      const target = templated ? href.replace(/\{(\w+)\}/, (_, name: string) => values[name] ?? '') : href;
      const answer = await fetch(new URL(target, url));
      expect(`${rel} ${answer.status}`).toBe(`${rel} 200`);
      const expected = type.startsWith('application/vnd.oai.openapi')
        ? /json|yaml/
        : new RegExp(`^${escaped(type)}`);
      expect(answer.headers.get('Content-Type')).toMatch(expected);
    }
  });

  it('names files that exist, and contains no detail of one machine', async () => {
    const text = readFileSync(`${catalogue.root}/index.json`, 'utf8');
    expect(text).not.toMatch(/localhost|127\.0|\d{4}-\d\d-\d\d/);
    for (const key of ['openapi.json', 'openapi.yaml', 'docs/index.html']) {
      expect(existsSync(`${catalogue.root}/${key}`)).toBe(true);
    }
  });
});

function escaped(text: string): string {
  return text.replace(/[.+*?^$()[\]{}|\\/]/g, '\\$&');
}
