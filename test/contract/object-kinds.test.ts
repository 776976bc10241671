/** The table of keys. */
import { describe, expect, it } from 'vitest';
import { LOG_FOLDER } from '../../src/contract/object-keys.ts';
import {
  isDerivedKey,
  isHistoryKey,
  isSharedKey,
  isSharedObject,
  objectKindOf,
  UPLOAD_PHASES,
} from '../../src/contract/object-kinds.ts';
import { logKey } from '../../src/storage/lock-log.ts';

const [ID, DIGEST] = ['0f3c8a52-6d1e-4b7a-9c40-5e2f71d3a8b6', '1'.repeat(32)];

it.each([
  ['media/x.jpg', 'media'],
  ['media', 'document'],
  ['media.json', 'document'],
  [`_catalogue/parts/${DIGEST}.ndjson`, 'part'],
  ['_catalogue/pages/-/-/total', 'total'],
  ['_catalogue/pages/-/-/25-1.json', 'page'],
  ['_catalogue/countries/IE.json', 'country'],
  ['_catalogue/countries.json', 'document'],
  ['index.json', 'index'],
  ['explorer/index.json', 'asset'],
  [`_catalogue/images/${DIGEST}.json`, 'images'],
  [`_catalogue/documents/${DIGEST}`, 'copy'],
])('%s is of the kind %s', (key, kind) => {
  expect(objectKindOf(key)).toBe(kind);
});

it('only objects named by their content stay until a prune, and all of them come before what names them', () => {
  const kept = UPLOAD_PHASES.flat().filter((kind) => isSharedObject({ kind }));
  expect(kept).toEqual(UPLOAD_PHASES.slice(0, 3).flat());
});

describe('keys that have the form of a kind', () => {
  it.each([
    [`_catalogue/properties/${ID}.json`, true],
    ['_catalogue/pages/-/-/total', true],
    ['_catalogue/pages/IE/436f726b/25-1.json', true],
    ['_catalogue/countries/IE.json', true],
    ['_catalogue/properties/1.json', false],
    ['_catalogue/pages/IE/436/total', false],
    ['_catalogue/countries.json', false],
    ['x/_catalogue/countries/IE.json', false],
    ['_catalogue/countries/IE.json.gz', false],
    ['_catalogue/countries/IEXjson', false],
  ])('only a release has %s: %s', (key, expected) => {
    expect(isDerivedKey(key)).toBe(expected);
  });

  it('releases share objects whose names are digests', () => {
    for (const key of [
      `media/${DIGEST}.webp`,
      `_catalogue/chunks/${DIGEST}.json`,
      `_catalogue/documents/${DIGEST}`,
    ])
      expect([isSharedKey(key), isSharedKey(`${key}x`)]).toEqual([true, false]);
  });

  it('the history has an index, a feed, and files of months', () => {
    const months = ['2026-01', '0000-99'].map((month) => `changes/${month}.ndjson`);
    for (const key of ['changes/index.json', 'changes/feed.xml', ...months])
      expect(isHistoryKey(key), key).toBe(true);
    const others = ['2026-1.ndjson', '2026-011.ndjson', '2026-01.ndjsonx', '2026-01', 'x2026-01.ndjson'];
    for (const key of [...others.map((name) => `changes/${name}`), `x${months[0]}`, logKey(1)])
      expect(isHistoryKey(key), key).toBe(false);
  });
});

it('the log is of publishing itself', () => {
  for (const key of [logKey(1)]) expect(objectKindOf(key)).toBe('control');
  for (const key of [LOG_FOLDER, `${LOG_FOLDER}s/a`, `a/${LOG_FOLDER}/b`])
    expect(objectKindOf(key)).toBe('document');
});
