/** A HEIC photo is decoded in a thread of the compiled program, which goes on answering. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tokenCookie } from '../../../src/dev/api/session-token.ts';
import { EDIT_API_PATH, type PhotoResponse } from '../../../src/editor/api.ts';
import { createWorkspace } from '../../compile/workspace.ts';
import { startDev } from '../dev-process.ts';

const TELEPHONE = readFileSync(new URL('../../media/telephone.heic', import.meta.url));

it('becomes a JPEG, and a damaged one a problem', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\n');
  workspace.add(1);
  const { url, token } = await startDev(workspace.root);
  const upload = async (bytes: Buffer) => {
    const answer = await fetch(`${url}${EDIT_API_PATH}add-photo?path=house-1.yaml&name=IMG_1.HEIC`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { Cookie: tokenCookie(new URL(url).host, token), 'Content-Type': 'image/heic' },
    });
    return { status: answer.status, json: (await answer.json()) as PhotoResponse };
  };
  const { status, json } = await upload(TELEPHONE);
  expect([status, json.path, json.width, json.height]).toEqual([200, 'photos/house-1/img-1.jpg', 240, 320]);
  expect(readFileSync(join(workspace.content, json.path)).subarray(0, 2).toString('hex')).toBe('ffd8');
  expect(await upload(TELEPHONE.subarray(0, -100))).toMatchObject({
    status: 422,
    json: { code: 'bad-photo' },
  });
});
