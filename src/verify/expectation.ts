/** What a live catalogue should answer, by its manifest. */

import { accessOf } from '../contract/access.ts';
import {
  guardedCaching,
  type Header,
  isAsset,
  JSON_TYPE,
  mediaType,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemCaching,
  problemHeaders,
} from '../contract/headers.ts';
import { LIST_PATH, MANIFEST_KEY, problemKey } from '../contract/keys.ts';
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import { PROBLEM_CODES, type ProblemCode } from '../contract/problem.ts';
import type { Answer } from '../contract/route.ts';
import { digestOf } from '../release/digest.ts';
import { documentDigest } from '../release/manifest.ts';
import type { Release } from '../release/release.ts';

/** What an answer should be. */
export type Wanted = {
  status: number;
  headers: Header[];
  tagged: boolean;
  /** What a body should have been, when it is something else. */
  fault: (body: Buffer) => string | undefined;
};

/**
 * The answer that a request should get.
 *
 * @param path path of the request below the base URL.
 */
export function expectationOf(release: Release, meant: Answer, path: string): Wanted {
  const wanted = openExpectation(release, meant, path.slice(1));
  if (release.manifest.api.api_keys && (path === LIST_PATH || accessOf(path) === 'guarded')) {
    wanted.headers = wanted.headers.map(([name, value]) => [
      name,
      name === 'Cache-Control' ? guardedCaching(value) : value,
    ]);
  }
  return wanted;
}

/** The same, for a catalogue without keys. */
function openExpectation(release: Release, meant: Answer, key: string): Wanted {
  const { cache_control: cache } = release.manifest.api;
  const ok = (type: string, tagged: boolean, fault: Wanted['fault']): Wanted => ({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Cache-Control', cache.api],
    ],
    tagged,
    fault,
  });
  const { manifest } = release;
  const digested =
    (name: string, digest = manifest.documents[name]) =>
    (body: Buffer) =>
      documentDigest(manifest, name, body) === digest ? undefined : `the bytes of the digest ${digest}`;
  const problem = (name: string): Wanted => {
    const { status } = PROBLEM_CODES[name.replace(/\..*/, '') as ProblemCode];
    return {
      status,
      headers: [
        ['Content-Type', PROBLEM_TYPE],
        ['Cache-Control', problemCaching(status, cache.problem)],
        ...problemHeaders(status),
      ],
      tagged: false,
      fault: digested(problemKey(name)),
    };
  };
  switch (meant.kind) {
    case 'preflight':
      return {
        status: 204,
        headers: [...PREFLIGHT_HEADERS],
        tagged: false,
        fault: (body) => (body.length > 0 ? 'no body' : undefined),
      };
    case 'problem':
      return problem(meant.name);
    case 'property': {
      const id = meant.key.slice(meant.key.lastIndexOf('/') + 1, -'.json'.length);
      const entry = release.sequence[release.places.get(id) ?? -1];
      return entry
        ? ok(JSON_TYPE, true, digested(meant.key, entry.detailDigest))
        : problem('property-not-found');
    }
    case 'page': {
      const total = release.scopes.get(meant.folder)?.total ?? 0;
      return ok(JSON_TYPE, (meant.number - 1) * meant.size < total, pageFault(release, meant));
    }
    case 'file': {
      if (key === MANIFEST_KEY)
        return ok(JSON_TYPE, true, (body) => (body.equals(release.bytes) ? undefined : 'the manifest'));
      const wanted = ok(mediaType(key), true, digested(key));
      if (isAsset(key)) wanted.headers[1] = ['Cache-Control', cache.media];
      // Asked for by its own path, a problem is a file like any other, which a server may call JSON.
      if (wanted.headers[0]![1] === PROBLEM_TYPE) wanted.headers.length = 0;
      return wanted;
    }
  }
}

/** Compares a page with the digests of its entries, and its bytes with their only spelling. */
function pageFault(release: Release, meant: Answer & { kind: 'page' }): Wanted['fault'] {
  const { folder, number, size } = meant;
  const scope = release.scopes.get(folder);
  const places: number[] = [];
  let place = 0;
  for (const { start, end } of scope?.runs ?? []) {
    const from = Math.max(0, (number - 1) * size - place);
    const to = Math.min(end - start, number * size - place);
    for (let index = start + from; index < start + to; index++) places.push(index);
    place += end - start;
  }
  return (body) => {
    const text = body.toString('utf8');
    const what = `page ${number} of ${size} with ${places.length} entries`;
    let entries: string[];
    try {
      entries = (JSON.parse(text) as { data: unknown[] }).data.map((entry) => JSON.stringify(entry));
    } catch {
      return what;
    }
    if (entries.length !== places.length) return what;
    const wrong = entries.findIndex(
      (entry, index) => digestOf(entry) !== release.sequence[places[index]!]!.summaryDigest,
    );
    if (wrong >= 0) return `${what}, entry ${wrong + 1} that of ${release.sequence[places[wrong]!]!.id}`;
    const whole = PAGE_HEAD + entries.join(',') + pageTail(number, size, scope?.total ?? 0);
    return text === whole ? undefined : whole.slice(-120);
  };
}
