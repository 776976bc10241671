/** A manifest from a bucket is data of others: one that is wrong is no release, and names nothing that a publisher may touch. */

import { expect, it } from 'vitest';
import { sequenceKey } from '../../src/contract/object-keys.ts';
import { columnsOf } from '../../src/release/columns.ts';
import { digestOf } from '../../src/release/digest.ts';
import type { Manifest } from '../../src/release/manifest.ts';
import { encodePiece } from '../../src/release/pieces.ts';
import { parseRelease, readRelease } from '../../src/release/read.ts';
import { idOf, makeSource } from '../publish/made.ts';

const PROPERTIES = [1, 2, 3, 4].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' }));
const INLINE = makeSource({ documents: { 'openapi.json': 'o' }, properties: PROPERTIES }).release;
const PIECES = makeSource({ properties: PROPERTIES, ends: [2, 4] });
const DIGEST = digestOf('o');

/** The manifest with another value at a path. */
function edited(path: string, value: unknown, { manifest }: { manifest: Manifest } = INLINE): Buffer {
  const copy = JSON.parse(JSON.stringify(manifest)) as Record<string, unknown>;
  if ('pieces' in manifest.sequence)
    copy.names = {
      [sequenceKey('*')]: Buffer.from(manifest.sequence.pieces.join(''), 'hex').toString('base64url'),
    };
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as typeof copy, copy);
  parent[last] = value;
  return Buffer.from(JSON.stringify(copy));
}

const ENTRY = [idOf(1), 'IE', 'Cork', DIGEST, DIGEST];

it.each<[string, unknown]>([
  ['api.page_sizes', 'all'],
  ['api.page_sizes', [1, 100]],
  ['api.layout', 'packed'],
  ['headers', undefined],
  ['documents', { 'docs/swagger-ui.js.LICENSE.txt': DIGEST, '404.html': DIGEST }],
  ['media', [`${DIGEST}.avif`]],
  ['sequence', []],
  ['sequence', [ENTRY]],
])('a manifest may have the %s %j', (path, value) => {
  expect(parseRelease(edited(path, value))).toBeDefined();
});

it.each<[string, unknown]>([
  ['version', 2],
  ['version', 3],
  ['release', `${DIGEST}0`],
  ['build', 'none'],
  ['api.base', undefined],
  ['api.cache_control', { media: 'no-cache' }],
  ['api.page_sizes', 'some'],
  ['api.page_sizes', [0]],
  ['api.page_sizes', [1.5]],
  ['api.page_sizes', [25, -1]],
  ['api.layout', 'other'],
  ['headers', 'none'],
  ['documents', { 'openapi.json': 'o' }],
  ['documents', { '../openapi.json': DIGEST }],
  ['documents', { '/openapi.json': DIGEST }],
  ['documents', { 'a b': DIGEST }],
  ['documents', { 'robots.txt': DIGEST }],
  ['documents', { 'explorer/mine.js': DIGEST }],
  ['documents', { 'docs/guide.html': DIGEST }],
  ['media', ['hero.jpg']],
  ['documents', { 'a/': DIGEST }],
  ['documents', { '_catalogue/manifest.json': DIGEST }],
  ['documents', { '_catalogue/lock.json': DIGEST }],
  ['documents', { '_catalogue/releases/1': DIGEST }],
  ['documents', { 'changes/index.json': DIGEST }],
  ['documents', { 'openapi.json': DIGEST, '_catalogue/properties/1.json': DIGEST }],
  ['documents', { '_catalogue/pages/-/-/total': DIGEST }],
  ['documents', { 'media/a.jpg': DIGEST }],
  ['media', ['a.jpg', '../a.jpg']],
  ['media', ['a.jpg/b']],
  ['sequence', [[1, ...ENTRY.slice(1)]]],
  ['sequence', [ENTRY, [idOf(2), 'xIE', ...ENTRY.slice(2)]]],
  ['sequence', [[idOf(1), 'IEx', ...ENTRY.slice(2)]]],
  ['sequence', [[idOf(1), 'IE', '', DIGEST, DIGEST]]],
  ['sequence', [[idOf(1), 'IE', 'Cork', 'o', DIGEST]]],
  ['sequence', [[idOf(1), 'IE', 'Cork', DIGEST, 'o']]],
])('a manifest with the %s %j is refused', (path, value) => {
  expect(parseRelease(edited(path, value))).toBeUndefined();
});

it('a manifest may offer all sizes, and no pages', () => {
  const { sizes } = parseRelease(edited('api.page_sizes', 'all'))!;
  expect([sizes.length, sizes[0], sizes.at(-1)]).toEqual([100, 1, 100]);
  expect(parseRelease(edited('api.page_sizes', [25]))!.sizes).toEqual([25]);
  expect(parseRelease(edited('api.layout', 'packed'))!.hasPages).not.toBe(true);
});

it.each(['', '{', 'null', '[]'])('%j is no manifest', (text) => {
  expect(parseRelease(Buffer.from(text))).toBeUndefined();
});

it('a release in pieces needs each of them, as the manifest names it', async () => {
  const { bytes, pieces } = PIECES.release;
  const keys = pieces!.map(({ digest }) => sequenceKey(digest));
  const read = async (key: string) => PIECES.bodies.get(key);
  const broken = async (key: string) => (key === keys[1] ? PIECES.bodies.get(keys[0]!) : read(key));
  const known = await readRelease(bytes, { read });
  expect([...known!.sequence]).toEqual([...PIECES.release.sequence]);
  // A manifest without its pieces is none whose sequence is inline.
  expect(parseRelease(bytes)).toBeUndefined();
  for (const other of [async () => undefined, broken]) {
    expect(await readRelease(bytes, { read: other })).toBeUndefined();
    expect((await readRelease(bytes, { read: other, isPartial: true }))!.name).toBe(known!.name);
    const again = await readRelease(bytes, { read: other, known: [undefined, INLINE, known] });
    expect([...again!.sequence]).toEqual([...known!.sequence]);
  }
});

it('a manifest says how many properties its pieces have', async () => {
  const { sequence, documents } = PIECES.release.manifest as Manifest & { sequence: { total: number } };
  const read = async (key: string) => PIECES.bodies.get(key);
  const open = (path: string, value: unknown) => readRelease(edited(path, value, PIECES.release), { read });
  expect(await open('documents', documents)).toBeDefined();
  for (const version of [1, 4, 6]) expect(await open('version', version)).toBeUndefined();
  expect(await open('sequence', { ...sequence, total: '4' })).toBeUndefined();
  expect(await open('sequence', { ...sequence, total: 5 })).toBeUndefined();
  for (const counts of [[4], [2, 1, 1], [1, 2], [0, 4], [-1, 5], ['2', 2], undefined])
    expect(await open('sequence', { ...sequence, counts })).toBeUndefined();
  // An object that has the digest, but is no piece.
  const piece = encodePiece([], columnsOf([]), 0, 0);
  const odd = { [sequenceKey(digestOf(piece))]: digestOf(piece) };
  const { manifest } = PIECES.release;
  const named = { ...manifest, sequence: { total: 1, pieces: [digestOf(piece)], counts: [1] } };
  const bytes = edited('documents', odd, { manifest: named });
  expect(await readRelease(bytes, { read: async () => piece })).toBeUndefined();
});
