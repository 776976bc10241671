/** The list of all properties: whole once, and then its changes. */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { EDIT_API_PATH, type PropertiesResponse } from '../../../src/editor/api.ts';
import { type Editing, ROSE, startEditing } from '../editing.ts';

async function list({ ask }: Editing, since?: string): Promise<PropertiesResponse> {
  return (await ask(`properties${since === undefined ? '' : `?since=${since}`}`)).json;
}
const paths = ({ rows }: PropertiesResponse) => rows.map(({ path }) => path);

it('holds what changed since an answer, and nothing else', async () => {
  const editing = await startEditing((workspace) => {
    for (const n of [2, 3, 4]) workspace.add(n);
  });
  const { ask, workspace, property, events, next } = editing;
  const first = await list(editing);
  expect([first.isWhole, paths(first)]).toEqual([
    true,
    ['house-2.yaml', 'house-3.yaml', 'house-4.yaml', 'rose.yaml'],
  ]);
  expect(await list(editing, first.mark)).toMatchObject({
    mark: first.mark,
    isWhole: false,
    rows: [],
    gone: [],
  });

  let from = events.length;
  const { version } = await property();
  await ask('save', { path: 'rose.yaml', version, fields: { title: 'Rose House', country: 'Ireland' } });
  await next('built', from);
  const second = await list(editing, first.mark);
  expect(second).toMatchObject({
    isWhole: false,
    rows: [{ path: 'rose.yaml', title: 'Rose House', errors: 1 }],
    gone: [],
  });

  from = events.length;
  workspace.remove('house-3.yaml');
  workspace.add(5);
  await next('settled', from);
  const third = await list(editing, second.mark);
  expect([paths(third), third.gone]).toEqual([['house-5.yaml'], ['house-3.yaml']]);
  // A page that missed an answer gets both changes; a file that came back is not gone.
  from = events.length;
  workspace.add(3);
  await next('settled', from);
  const late = await list(editing, first.mark);
  expect([paths(late), late.gone]).toEqual([['house-3.yaml', 'house-5.yaml', 'rose.yaml'], []]);
  // The mark of an earlier run, and marks that no response had.
  const [id, number] = late.mark.split('.');
  for (const mark of [
    `00000000-0000-4000-8000-000000000000.${number}`,
    id,
    `${id}.x`,
    `${id}.99`,
    `${id}.-1`,
  ]) {
    const unknown = await list(editing, mark);
    expect([unknown.isWhole, unknown.rows.length]).toEqual([true, 5]);
  }
});

it('is compressed, and an answer that is at hand is not sent again', async () => {
  const { server, cookie, ask } = await startEditing((workspace) => {
    for (let n = 2; n < 60; n++) workspace.add(n);
  });
  const get = (name: string, headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
      (resolve, reject) => {
        const options = { headers: { Cookie: cookie, ...headers } };
        request(server.url + EDIT_API_PATH + name, options, async (response) => {
          const chunks = await response.toArray();
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) });
        })
          .on('error', reject)
          .end();
      },
    );
  const plain = await get('properties', {});
  const packed = await get('properties', { 'Accept-Encoding': 'gzip, br' });
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    'gzip',
  ]);
  expect(gunzipSync(packed.body)).toEqual(plain.body);
  expect(packed.body.length * 5).toBeLessThan(plain.body.length);

  const { headers } = await ask('catalogue');
  const tag = headers.get('etag')!;
  const again = await get('catalogue', { 'If-None-Match': tag, 'Accept-Encoding': 'gzip' });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect((await get('catalogue', { 'If-None-Match': '"other"' })).status).toBe(200);
});

it('leads to thumbnails, and to nothing else', async () => {
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const editing = await startEditing((workspace) => {
    workspace.write('red.jpg', photo);
    workspace.write('rose.yaml', `${ROSE}photo:\n  - file: red.jpg\n`);
    workspace.add(2);
  });
  const { server, cookie } = editing;
  const thumbnail = (path: string) =>
    fetch(`${server.url}${EDIT_API_PATH}thumbnail?path=${path}`, { headers: { Cookie: cookie } });
  expect((await list(editing)).rows.map(({ thumbnailVersion }) => thumbnailVersion > 0)).toEqual([
    false,
    true,
  ]);
  const shown = await thumbnail('rose.yaml');
  expect([shown.redirected, shown.status, shown.headers.get('content-type')]).toEqual([
    true,
    200,
    'image/webp',
  ]);
  for (const path of ['house-2.yaml', 'red.jpg', '../rose.yaml', ''])
    expect((await thumbnail(path)).status).toBeGreaterThanOrEqual(400);
});

it('finds a property by its id, for links of the catalogue', async () => {
  const { ask } = await startEditing();
  const { json } = await ask('property?id=00000000-0000-4000-8000-000000000001');
  expect(json).toMatchObject({ path: 'rose.yaml', values: { title: 'Rose Cottage' } });
  expect((await ask('property?id=x')).status).toBe(404);
  expect((await ask('property')).status).toBe(400);
});
