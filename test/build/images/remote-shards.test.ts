/** Photos that are links: several shares make their thumbnails in a shared cache, each link is fetched once. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { makeImages } from '../../../src/build/images/make-images.ts';
import type { NamedShard } from '../../../src/media/shard.ts';
import { createCertificate } from '../../media/certificate.ts';
import { detailed } from '../../media/picture.ts';
import { type S3Server, startS3 } from '../../publish/s3-server.ts';
import { createWorkspace, readTree, type Workspace } from '../workspace.ts';

const { trusted } = vi.hoisted(() => ({ trusted: { ca: '' } }));
// The limits of downloads stay as they are, except for this host.
vi.mock('../../../src/media/download.ts', async (original) => {
  const module = await original<typeof import('../../../src/media/download.ts')>();
  const downloadFile: typeof module.downloadFile = (url, options, receive) =>
    module.downloadFile(url, { ...options, ca: trusted.ca, allowPrivate: ['localhost'] }, receive);
  return { ...module, downloadFile };
});

const SHARDS = 4;
const LINKS = 24;
const shard = (index: number): NamedShard => ({ index, count: SHARDS, source: 'test' });

let photos: Server;
let base: string;
let hits: string[] = [];
let store: S3Server;
beforeAll(async () => {
  const certificate = createCertificate(['localhost']);
  trusted.ca = certificate.cert;
  const bytes = new Map<string, Buffer>();
  // Every sixth photo has the bytes of the one before.
  for (let n = 1; n <= LINKS; n++)
    bytes.set(
      `/${n}.jpg`,
      await detailed(240, 180, n % 6 === 0 ? n - 1 : n)
        .jpeg()
        .toBuffer(),
    );
  photos = createServer(certificate, ({ url = '' }, response) => {
    hits.push(url);
    const photo = bytes.get(url);
    if (photo) response.end(photo);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => photos.listen(0, '127.0.0.1', resolve));
  base = `https://localhost:${(photos.address() as AddressInfo).port}`;
  store = await startS3();
});
afterAll(async () => {
  photos.closeAllConnections();
  photos.close();
  await store.stop();
});

/** A property for each link, and one more for each third. */
function fill(workspace: Workspace): void {
  workspace.configure('page_sizes: [25]\nremote_photos: fetch\n');
  for (let n = 1; n <= LINKS; n++) {
    workspace.add(n, { photo: [{ url: `${base}/${n}.jpg` }] });
    if (n % 3 === 0) workspace.add(100 + n, { photo: [{ url: `${base}/${n}.jpg` }] });
  }
}

it.each(['dir', 's3'])('in a cache of the kind %s:', { timeout: 120_000 }, async (kind) => {
  hits = [];
  const workspace = createWorkspace();
  fill(workspace);
  const { content } = workspace;
  const out = (name: string) => join(workspace.root, name);
  const alone = await workspace.build({ out: out('alone') });
  expect(alone.diagnostics).toEqual([]);
  const expected = readTree(join(out('alone'), 'public'));
  const thumbnails = [...expected.keys()].filter((path) => path.startsWith('media/')).length;
  expect(thumbnails).toBe(LINKS - LINKS / 6);
  const links = Array.from({ length: LINKS }, (_, index) => `/${index + 1}.jpg`).sort();
  expect(hits.sort()).toEqual(links);

  const place =
    kind === 'dir'
      ? { cache: `dir:${join(workspace.root, 'cache')}` }
      : { cache: 's3://stays/remote', endpoint: store.endpoint };
  const make = (index: number) =>
    makeImages({ content, out: out(`shard-${index}`), jobs: 1, ...place, shard: shard(index) });
  hits = [];
  const results = await Promise.all(Array.from({ length: SHARDS }, (_, index) => make(index)));
  expect(results.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  const sum = (key: 'photos' | 'made' | 'present') =>
    results.reduce((total, { counts }) => total + counts[key], 0);
  expect(hits.sort()).toEqual(links);
  // The second share with a photo under two links may find its thumbnail, or make it at the same time.
  expect(sum('made') + sum('present')).toBeGreaterThanOrEqual(thumbnails);
  expect(sum('made')).toBeGreaterThanOrEqual(thumbnails);

  // The same shares once more, on other machines: nothing is fetched or made.
  hits = [];
  for (let index = 0; index < SHARDS; index++) {
    const { counts } = await makeImages({
      content,
      out: out(`other-${index}`),
      jobs: 1,
      ...place,
      shard: shard(index),
    });
    expect(counts).toMatchObject({ made: 0, copied: 0, mended: 0 });
  }
  const built = await workspace.build({ ...place, out: out('dist') });
  expect(built.work).toMatchObject({ made: 0, reused: thumbnails });
  expect(hits).toEqual([]);
  expect(readTree(join(out('dist'), 'public'))).toEqual(expected);
});

it('the share that owns a dead link reports it, and no other share does', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\nremote_photos: fetch\n');
  workspace.add(1, { photo: [{ url: `${base}/1.jpg` }] });
  workspace.add(2, { photo: [{ url: `${base}/missing.jpg` }] });
  const { content } = workspace;
  const cache = join(workspace.root, 'cache');
  const results = [];
  for (let index = 0; index < SHARDS; index++)
    results.push(
      await makeImages({
        content,
        out: join(workspace.root, `${index}`),
        jobs: 1,
        cache,
        shard: shard(index),
      }),
    );
  expect(results.flatMap(({ diagnostics }) => diagnostics)).toMatchObject([
    { code: 'remote-photo-failed', file: 'house-2.yaml' },
  ]);
  expect(results.reduce((total, { counts }) => total + counts.made, 0)).toBe(1);
});
