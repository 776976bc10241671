/** Keys outside of releases. */
import { expect, it } from 'vitest';
import {
  archivedDocumentKey,
  isControlKey,
  isHistoryKey,
  LOCK_KEY,
  PIECES_FOLDER,
  pieceKey,
  RELEASES_FOLDER,
  releaseManifestKey,
  releaseObjectsKey,
  TIMELINE_KEY,
} from '../../src/storage/reserved-keys.ts';

it('all keys of a kept release are keys of publishing itself', () => {
  const keys = [releaseManifestKey('r1'), releaseObjectsKey('r1'), pieceKey('d1'), archivedDocumentKey('d2')];
  expect(keys).toEqual([
    ...[`${RELEASES_FOLDER}/r1/manifest.json`, `${RELEASES_FOLDER}/r1/objects.ndjson.gz`],
    ...[`${PIECES_FOLDER}/d1.ndjson.gz`, `${PIECES_FOLDER}/d2`],
  ]);
  for (const key of [...keys, LOCK_KEY, TIMELINE_KEY]) expect(isControlKey(key)).toBe(true);
  for (const key of [RELEASES_FOLDER, `${RELEASES_FOLDER}s/a`, `a/${RELEASES_FOLDER}/b`, `${LOCK_KEY}x`])
    expect(isControlKey(key)).toBe(false);
});

it('the keys of the history are an index, a feed, and files of months', () => {
  const months = ['2026-01', '0000-99'].map((month) => `changes/${month}.ndjson`);
  for (const key of ['changes/index.json', 'changes/feed.xml', ...months])
    expect(isHistoryKey(key), key).toBe(true);
  const others = ['2026-1.ndjson', '2026-011.ndjson', '2026-01.ndjsonx', '2026-01', 'x2026-01.ndjson'];
  for (const key of [...others.map((name) => `changes/${name}`), `x${months[0]}`, LOCK_KEY])
    expect(isHistoryKey(key), key).toBe(false);
});
