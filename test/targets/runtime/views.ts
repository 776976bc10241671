/** What a target that runs the router answers for the views of the explorer. */
import { expect } from 'vitest';
import { configurationSchema } from '../../../src/contract/configuration.ts';
import { explorerPage } from '../../../src/documents/explorer-page.ts';
import { PLAIN, withServer } from '../../conformance/conformance.ts';
import { type FixtureOptions, makeFixture } from '../../conformance/fixture.ts';
import type { ServerKind } from '../../conformance/server.ts';

export const LAYOUTS = [undefined, 'packed'] as const;
const KEY = 'first-key-0123456789';

/** Asks the server of a target for views, and compares the answers. */
export async function tryViews(kind: ServerKind, options: Partial<FixtureOptions> = {}): Promise<void> {
  const fixture = makeFixture({ ...PLAIN, base: '/stays', ...options });
  const isGuarded = fixture.keys.length > 0;
  const configuration = configurationSchema.parse({
    title: 'Stays',
    base_url: `http://localhost:8080${fixture.base}`,
    api_keys: isGuarded ? ['0'.repeat(64)] : [],
  });
  const page = explorerPage(configuration, ['explorer/app-1.js', 'explorer/app-2.css']);
  fixture.files.set('index.html', Buffer.from(page));
  await withServer(kind, fixture, async ({ port }) => {
    const ask = (query: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${fixture.base}/${query}`, { redirect: 'manual', ...init });
    const { id, title } = fixture.summaries.find(({ title }) => title.includes('&'))!;
    const property = await ask(`?country=XK&property=${id.toUpperCase()}&utm_source=x`);
    const text = await property.text();
    const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(property.status).toBe(200);
    expect(property.headers.get('Cache-Control')).toBe('no-cache');
    expect(property.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`<title>${escaped} · Stays</title>`);
    expect(text).toContain(`<link rel="canonical" href="./?property=${id}">`);
    expect(text).toContain(`<h1 lang="en">${escaped}</h1>`);
    expect(text).toContain('data-settings=');
    expect(await (await ask(`?property=${id}`, { method: 'HEAD' })).text()).toBe('');

    const count = fixture.summaries.filter(({ country }) => country === 'FR').length;
    const keyed: RequestInit = isGuarded ? { headers: { 'X-API-KEY': KEY } } : {};
    const list = await (await ask('?country=FR&page=2&size=50', keyed)).text();
    expect(list).toContain(`<h1>${count} properties in France</h1>`);
    expect(list.match(/<li class="card/g)).toHaveLength(50);
    expect(list).toContain('href="./?country=FR&amp;page=3&amp;size=50">Next page');
    expect(list).toContain('href="./?country=FR&amp;page=1&amp;size=50">Previous page');

    // What is not found, not understood or not allowed is the page as it is.
    const others = ['', '?x=1', '?property=x', `?property=${'0'.repeat(8)}-0000-4000-8000-000000000000`];
    const empty = [
      '?country=france',
      '?country=ZZ',
      '?page=9999',
      '?name=house&page=1',
      '?page=%zz',
      '?country=IE&facilities=wifi',
      '?country=IE&filter.bedrooms=2..',
    ];
    for (const query of [...others, ...empty, ...(isGuarded ? ['?country=FR'] : [])])
      expect(await (await ask(query, query === '?country=FR' ? {} : keyed)).text(), query).toBe(page);
  });
}
