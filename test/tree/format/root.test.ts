import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/release/digest.ts';
import {
  currentJsonText,
  facetDigests,
  MAX_REPLACED_RELEASES,
  parseCurrentJson,
  parseRoot,
  rootText,
} from '../../../src/tree/format/root.ts';

const [CHUNK, FACETS] = [digestOf('chunk'), digestOf('facets')];
const joined = Buffer.from(FACETS, 'hex').toString('base64');

function root(facets: string, count = 3) {
  const fields = {
    contents: {},
    countries: [{ country: 'IE', count }],
    chunks: [{ digest: CHUNK, count, folded: 'cork', city: 'Cork' }],
    cityShards: [],
    details: [],
    facets,
  };
  return parseRoot(Buffer.from(rootText(fields)), digestOf(rootText(fields)));
}

describe('a root', () => {
  it('names the facets of each chunk', () => {
    expect(facetDigests(root(joined)!)).toEqual([FACETS]);
  });

  it.each(['', '!'.repeat(24), joined.slice(0, -4), joined + joined, `${joined.slice(0, -1)}é`])(
    'is not read with facets %j, which others wrote',
    (facets) => expect(root(facets)).toBeUndefined(),
  );

  it('is not read with a chunk of more properties than any has', () => {
    expect(root(joined, 1280)).toBeDefined();
    expect(root(joined, 1281)).toBeUndefined();
    expect(root(joined, Number.MAX_SAFE_INTEGER)).toBeUndefined();
  });
});

it('current.json leads to a bounded number of replaced releases', () => {
  const names = Array.from({ length: 1000 }, (_, n) => digestOf(String(n)));
  const live = parseCurrentJson(Buffer.from(currentJsonText(CHUNK, { before: names })));
  expect(live).toEqual({ release: CHUNK, before: names.slice(0, MAX_REPLACED_RELEASES) });
  expect(parseCurrentJson(Buffer.from(currentJsonText(CHUNK, { before: ['../x'] })))).toBeUndefined();
});
