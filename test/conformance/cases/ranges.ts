import { type Case, type Expectation, page, problem, rowOf } from '../case.ts';
import type { Fixture } from '../fixture.ts';

/** Parts of files: one range is answered with 206, anything else with the whole file. */
export function rangeCases({ base, files, summaries }: Fixture): Case[] {
  const row = rowOf('ranges');
  const list = `${base}/api/v1/public/properties`;
  const { id } = summaries[0]!;
  const cases: Case[] = [];
  for (const key of ['media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg', 'openapi.json']) {
    const { length } = files.get(key)!;
    const at = (range: string, expect: Expectation, or: Expectation[] = [], method = 'GET') => {
      const headers: [string, string][] = [['Range', range]];
      cases.push(row(`${method} ${key}: ${range}`, `${base}/${key}`, expect, { method, or, headers }));
    };
    const part = (start: number, end: number): Expectation => ({ kind: 'part', key, start, end });
    const whole: Expectation = { kind: 'file', key };
    at('bytes=0-9', part(0, 10));
    at('bytes=3-3', part(3, 4));
    at('bytes=4-', part(4, length));
    at('bytes=-5', part(length - 5, length));
    at(`bytes=10-${length + 9}`, part(10, length));
    const behind: Expectation = { kind: 'out of range', length };
    for (const range of [
      ...['bytes=0-1,3-4', 'bytes=0-1, 3-4', 'bytes=0-0,-1', 'bytes=0-,0-', 'items=0-5', '0-5'],
    ])
      at(range, whole);
    // One part of these is there.
    at('bytes=0-1,90000-', whole, [part(0, 2)]);
    for (const range of ['bytes', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=5-2']) at(range, whole, [behind]);
    at('bytes=0-9', whole, [part(0, 10)], 'HEAD');
    at('bytes=90000-', behind);
  }
  for (const range of ['bytes=0-9', 'bytes=0-1,3-4', 'bytes=-5', 'items=0-5']) {
    const headers: [string, string][] = [['Range', range]];
    cases.push(
      row(`a list: ${range}`, `${list}?filter[country]=FR`, page({ country: 'FR' }), { headers }),
      row(`a detail: ${range}`, `${list}/${id}`, { kind: 'property', id }, { headers }),
      row(`an empty page: ${range}`, `${list}?page[number]=99`, page({ number: 99 }), { headers }),
    );
  }
  return cases;
}

/** Folders are no files: without a slash at their end there is nothing, as behind one without an index. */
export function folderCases({ base }: Fixture): Case[] {
  const row = rowOf('folders');
  const absent = problem('not-found');
  const paths = ['docs', 'explorer', 'media', '_catalogue', '_catalogue/properties', 'explorer/', 'media/'];
  return [
    ...paths.map((path) => row(path, `${base}/${path}`, absent)),
    row('an index', `${base}/docs/`, { kind: 'file', key: 'docs/index.html' }),
    ...['//openapi.json', '/docs//index.html', '//docs/'].map((path) =>
      row(path, base + path, absent, { or: [{ kind: 'refused' }] }),
    ),
  ];
}

/** Pages whose total says that they exist, and whose files are missing: no empty page stands in for them. */
export function missingCases({ base, missing }: Fixture): Case[] {
  const row = rowOf('missing');
  return missing.map(({ country, size, number }) => {
    const query = `filter[country]=${country}&page[size]=${size}&page[number]=${number}`;
    return row(query, `${base}/api/v1/public/properties?${query}`, problem('list-unavailable'));
  });
}
