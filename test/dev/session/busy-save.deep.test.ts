/** A save is written and answered at once while a build makes the images of 40 new photos. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { tokenCookie } from '../../../src/dev/api/session-token.ts';
import { EDIT_API_PATH, type PropertyResponse } from '../../../src/editor/api.ts';
import { createWorkspace, sound, yaml } from '../../compile/workspace.ts';
import { startDev } from '../dev-process.ts';

const PHOTOS = 40;
const LIST = '/api/v1/public/properties';

it('is not held up by images', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\n');
  workspace.add(1);
  const { url, token } = await startDev(workspace.root);
  const headers = { Cookie: tokenCookie(new URL(url).host, token), 'Content-Type': 'application/json' };
  const ask = async (name: string, init: RequestInit = {}) =>
    (await (await fetch(url + EDIT_API_PATH + name, { ...init, headers })).json()) as PropertyResponse;
  const titles = async () => (await fetch(url + LIST)).text();
  await expect.poll(titles).toContain('House 1');

  const pixels = Uint8Array.from({ length: 3 * 1600 * 1200 }, (_, n) => (n * 2654435761) >>> 24);
  const noise = await sharp(pixels, { raw: { width: 1600, height: 1200, channels: 3 } })
    .jpeg()
    .toBuffer();
  const photo = Array.from({ length: PHOTOS }, (_, n) => {
    // Bytes behind a photo's end make another photo of it.
    writeFileSync(join(workspace.content, `${n}.jpg`), Buffer.concat([noise, Buffer.from(String(n))]));
    return { file: `${n}.jpg` };
  });
  writeFileSync(join(workspace.content, 'house-2.yaml'), yaml(sound(2, { photo })));
  let { version } = await ask('property?path=house-1.yaml');
  let saves = 0;
  let isShown = false;
  const shown = expect.poll(titles).toContain('House 2');
  void shown.then(() => {
    isShown = true;
  });
  while (!isShown) {
    const title = `House 1, ${++saves}`;
    const body = JSON.stringify({ path: 'house-1.yaml', version, fields: { title } });
    const saved = await ask('save', { method: 'POST', body });
    expect([saved.values?.title, workspace.file('house-1.yaml').includes(title)]).toEqual([title, true]);
    version = saved.version;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await shown;
  // A save that waited for the build would be one of two.
  expect(saves).toBeGreaterThan(5);
  await expect.poll(titles).toContain(`House 1, ${saves}`);
});
