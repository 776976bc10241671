/** Photos that are not what they seem are named and not copied. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGuardedFetch } from '../../src/import/guarded-fetch.ts';
import { importProperties } from '../../src/import/import.ts';
import { downloadPhoto } from '../../src/import/photos.ts';
import { createWorkspace, sound } from '../compile/workspace.ts';
import { detailed } from '../media/picture.ts';
import { serveLoopback } from '../support/loopback.ts';

const whole = await detailed(64, 48).jpeg().toBuffer();

it.each([
  ['a truncated JPEG', whole.subarray(0, whole.length >> 1), 'damaged'],
  [
    'the pointer of Git LFS',
    Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
    'git lfs pull',
  ],
  ['a page that asks to log in', Buffer.from('<!DOCTYPE html><title>Log in</title>'), 'web page'],
  ['a PDF file', Buffer.from('%PDF-1.7\n'), 'PDF'],
])('%s is reported, and the property imported without it', async (_what, bytes, reason) => {
  const { content, root } = createWorkspace();
  mkdirSync(join(root, 'source'));
  writeFileSync(join(root, 'source', 'a.jpg'), bytes);
  async function* candidates() {
    yield { at: 'line 2', raw: { ...sound(1), photo: [{ file: 'a.jpg' }] }, findings: [] };
  }
  const options = { content, force: false, photos: false, from: join(root, 'source') };
  const { written, causes } = await importProperties(candidates(), options);
  expect(written).toBe(1);
  expect(causes).toMatchObject([{ code: 'photo-not-received', count: 1 }]);
  expect(causes[0]!.examples[0]!.message).toContain(reason);
  expect(existsSync(join(content, 'properties/ie/photos'))).toBe(false);
});

it('of an http link is fetched only where that is permitted, and from a private host only where that is named', async () => {
  const url = `${await serveLoopback((_request, response) => response.end(whole))}/a.jpg`;
  const bounds = { hosts: 'public', maxBytes: 1e6, timeoutMs: 5000 } as const;
  const get = (rules: object) => downloadPhoto(url, createGuardedFetch({ ...bounds, ...rules }));
  await expect(get({})).rejects.toThrow('not an https URL');
  await expect(get({ allowHttp: true })).rejects.toThrow('private address');
  expect(await get({ allowHttp: true, allowPrivate: ['127.0.0.1'] })).toEqual(whole);
});
