/** Photos that are not what they seem are named and not copied. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ImportOptions, importProperties } from '../../../src/import/files/import.ts';
import { downloadPhoto } from '../../../src/import/files/photos.ts';
import { createGuardedFetch } from '../../../src/import/guarded-fetch.ts';
import { importSource } from '../../../src/import/import-source.ts';
import { createWorkspace, sound } from '../../compile/workspace.ts';
import { detailed } from '../../media/picture.ts';
import { serveLoopback } from '../../support/loopback.ts';

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

describe('links of photos', () => {
  const photoRules = { allowHttp: true, allowPrivate: ['127.0.0.1'] };
  const importing = (content: string, photo: readonly object[], options: Partial<ImportOptions>) => {
    async function* candidates() {
      yield { at: 'line 2', raw: { ...sound(1), photo }, findings: [] };
    }
    return importProperties(candidates(), { content, force: false, photos: true, photoRules, ...options });
  };

  it('of a host that never answers are not asked for each time', async () => {
    const { content } = createWorkspace();
    let asked = 0;
    const origin = await serveLoopback((request) => {
      asked++;
      request.socket.destroy();
    });
    const photo = Array.from({ length: 9 }, (_, n) => ({ url: `${origin}/${n}.jpg` }));
    const { causes } = await importing(content, photo, {});
    expect(asked).toBe(5);
    expect(causes).toMatchObject([{ code: 'photo-not-received', count: 1, values: 9 }]);
  });

  it('that an earlier import downloaded stay photos', async () => {
    const { content } = createWorkspace();
    const origin = await serveLoopback((_request, response) => response.end(whole));
    const photo = [{ url: `${origin}/a.jpg` }];
    expect(await importing(content, photo, {})).toMatchObject({ written: 1, causes: [] });
    const later = await importing(content, photo, { photos: false });
    expect(later).toMatchObject({ present: 1, links: 0, causes: [] });
  });

  it('over http, downloaded for one property alone, is no link of another', async () => {
    const { content } = createWorkspace();
    const origin = await serveLoopback((_request, response) => response.end(whole));
    const photo = [{ url: `${origin}/a.jpg` }];
    await importing(content, photo, {});
    async function* second() {
      yield { at: 'line 3', raw: { ...sound(2), photo }, findings: [] };
    }
    const { written, links, causes } = await importProperties(second(), {
      content,
      force: false,
      photos: false,
    });
    expect([written, links, causes.map(({ code }) => code)]).toEqual([1, 0, ['photo-not-received']]);
  });

  it('are those of their photos, when a link before them is left out', async () => {
    const { content } = createWorkspace();
    const origin = await serveLoopback((_request, response) => response.end(whole));
    const photo = [{ url: 'ftp://127.0.0.1/a.jpg' }, { url: `${origin}/b.jpg` }];
    const { written, causes } = await importing(content, photo, {});
    expect(written).toBe(1);
    expect(causes.map(({ code }) => code)).toEqual(['invalid-url']);
  });

  it.each([
    [true, { written: 1, links: 0 }, ['photo-not-received']],
    [false, { written: 1, links: 1 }, []],
    [undefined, undefined, []],
  ])('are downloaded if the owner wants so in a terminal: %s', async (answer, counts, codes) => {
    const { content, root } = createWorkspace();
    const path = join(root, 'houses.csv');
    const row = 'h-1,Rose,Cork,Ireland,51.9,-8.4,a@b.example,+353 1 605 7700,https://127.0.0.1/1.jpg';
    writeFileSync(path, `ref,name,city,country,lat,lon,email,phone,Photos\n${row}\n`);
    const confirm = (question: string) => Promise.resolve(/photos/i.test(question) ? answer : false);
    const given = { content, force: false, photos: false, confirm };
    const { result } = await importSource(path, { ...given, ask: (proposal) => Promise.resolve(proposal) });
    if (answer)
      expect(result?.causes[0]?.examples[0]?.message).toContain(
        '--allow-private-photos 127.0.0.1 permits it',
      );
    if (counts) expect(result).toMatchObject(counts);
    else expect(result).toBeUndefined();
    expect((result?.causes ?? []).map(({ code }) => code)).toEqual(codes);
  });
});
