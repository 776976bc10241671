/** What a live catalogue should answer, by its manifest. */

import { accessOf } from '../contract/access.ts';
import {
  guardedCaching,
  type Header,
  isAsset,
  JSON_TYPE,
  mediaType,
  PROBLEM_TYPE,
  preflightHeaders,
  problemCaching,
  problemHeaders,
} from '../contract/headers.ts';
import { LIST_PATH, MANIFEST_KEY, problemKey } from '../contract/keys.ts';
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import { PROBLEM_CODES, type ProblemCode } from '../contract/problem.ts';
import type { Answer } from '../contract/route.ts';
import { digestOf } from '../release/digest.ts';
import { entryOf, type Release } from '../release/release.ts';

/** What an answer should be. */
export type Wanted = {
  readonly status: number;
  readonly headers: readonly Header[];
  /** Whether it has an entity tag. */
  readonly tagged: boolean;
  /** Describes the body that was expected, when the given one is another. */
  readonly fault: (body: Buffer) => string | undefined;
};

/**
 * The answer that a request should get.
 *
 * @param path path of the request below the base URL.
 */
export function expectationOf(release: Release, meant: Answer, path: string): Wanted {
  const wanted = openExpectation(release, meant, path.slice(1));
  const isGuarded = path === LIST_PATH || accessOf(path) === 'guarded';
  if (!release.manifest.api.api_keys || !isGuarded) return wanted;
  const headers = wanted.headers.map(
    ([name, value]): Header => [name, name === 'Cache-Control' ? guardedCaching(value) : value],
  );
  return { ...wanted, headers };
}

/** The same, for a catalogue without keys. */
function openExpectation(release: Release, meant: Answer, key: string): Wanted {
  const { cache_control: cache } = release.manifest.api;
  const ok = (type: string, tagged: boolean, fault: Wanted['fault'], caching = cache.api): Wanted => ({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Cache-Control', caching],
    ],
    tagged,
    fault,
  });
  switch (meant.kind) {
    case 'preflight': {
      const fault = (body: Buffer) => (body.length > 0 ? 'no body' : undefined);
      return { status: 204, headers: preflightHeaders(release.manifest.api.edge), tagged: false, fault };
    }
    case 'problem':
      return problemExpectation(release, meant.name);
    case 'property': {
      const id = meant.key.slice(meant.key.lastIndexOf('/') + 1, -'.json'.length);
      const entry = entryOf(release, id);
      if (!entry) return problemExpectation(release, 'property-not-found');
      return ok(JSON_TYPE, true, digestFault(release, meant.key, entry.detailDigest));
    }
    case 'page': {
      const total = release.scopes.get(meant.folder)?.total ?? 0;
      return ok(JSON_TYPE, (meant.number - 1) * meant.size < total, pageFault(release, meant));
    }
    case 'file': {
      if (key === MANIFEST_KEY)
        return ok(JSON_TYPE, true, (body) => (body.equals(release.bytes) ? undefined : 'the manifest'));
      const caching = isAsset(key) ? cache.media : cache.api;
      const wanted = ok(mediaType(key), true, digestFault(release, key), caching);
      // Asked for by its own path, a problem is a file like any other, which a server may call JSON.
      return mediaType(key) === PROBLEM_TYPE ? { ...wanted, headers: [] } : wanted;
    }
  }
}

function problemExpectation(release: Release, name: string): Wanted {
  const { status } = PROBLEM_CODES[name.replace(/\..*/, '') as ProblemCode];
  return {
    status,
    headers: [
      ['Content-Type', PROBLEM_TYPE],
      ['Cache-Control', problemCaching(status, release.manifest.api.cache_control.problem)],
      ...problemHeaders(status),
    ],
    tagged: false,
    fault: digestFault(release, problemKey(name)),
  };
}

function digestFault({ manifest }: Release, key: string, digest = manifest.documents[key]): Wanted['fault'] {
  return (body) => (digestOf(body) === digest ? undefined : `the bytes of the digest ${digest}`);
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
      (entry, index) => digestOf(entry) !== release.sequence.at(places[index]!)!.summaryDigest,
    );
    if (wrong >= 0) return `${what}, entry ${wrong + 1} that of ${release.sequence.at(places[wrong]!)!.id}`;
    const whole = PAGE_HEAD + entries.join(',') + pageTail(number, size, scope?.total ?? 0);
    return text === whole ? undefined : whole.slice(-120);
  };
}
