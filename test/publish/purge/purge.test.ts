import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cacheTag } from '../../../src/contract/cache-tags.ts';
import { pageKey, scopeFolder } from '../../../src/contract/keys.ts';
import { openDist } from '../../../src/publish/dist-source.ts';
import { publishRelease } from '../../../src/publish/publish.ts';
import { cloudflarePurge, createCloudflare } from '../../../src/publish/purge/cloudflare.ts';
import { cloudFrontPaths, createCloudFront } from '../../../src/publish/purge/cloudfront.ts';
import { changedTags, coverPaths } from '../../../src/publish/purge/purge.ts';
import type { Release } from '../../../src/release/release.ts';
import { openFolder } from '../../../src/storage/folder/bucket.ts';
import { idOf } from '../../build/workspace.ts';
import { serveLoopback } from '../../loopback.ts';
import { type Catalogue, createCatalogue } from '../catalogue.ts';

const LIST = '/api/v1/public/properties';

async function release(catalogue: Catalogue): Promise<Release> {
  await catalogue.build();
  return (await openDist(catalogue.out)).release;
}

type Call = { method: string; path: string; authorization: string; body: string };

/** A server that answers as the test says, and remembers what it was asked. */
async function startFake(answer: (call: Call, number: number) => { status: number; body: string }) {
  const calls: Call[] = [];
  const endpoint = await serveLoopback(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { method = '', url = '', headers } = incoming;
    const call = { method, path: url, authorization: headers.authorization ?? '', body };
    calls.push(call);
    const reply = answer(call, calls.length);
    outgoing.writeHead(reply.status).end(reply.body);
  });
  return { calls, endpoint };
}

describe('what is named', () => {
  it('exact paths, under the name that was asked for and the one that is stored', async () => {
    const catalogue = createCatalogue(3);
    const before = await release(catalogue);
    expect(cloudFrontPaths([before], before, 100)).toEqual([]);
    catalogue.add(2, { email: 'new@house.example' });
    const after = await release(catalogue);
    const paths = cloudFrontPaths([before], after, 100);
    expect(paths).toContain(`${LIST}/${idOf(2)}`);
    expect(paths).toContain(`/_catalogue/properties/${idOf(2)}.json`);
    expect(paths).toContain('/_catalogue/manifest.json');
    expect(
      paths.filter((path) => path.includes('*') || path.includes('/pages/') || path.includes(idOf(1))),
    ).toEqual([]);
    const purge = cloudflarePurge([before], after, { baseUrl: 'https://stays.example', limit: 100 });
    expect(purge.prefixes).toEqual([]);
    expect(purge.files).toContain(`https://stays.example${LIST}/${idOf(2)}`);
  });

  it('lists with every query, when a list changed', async () => {
    const catalogue = createCatalogue(3, 'page_sizes: [25]\nbase_url: https://stays.example/at\n');
    const before = await release(catalogue);
    catalogue.add(2, { title: 'Another name' });
    const after = await release(catalogue);
    const paths = cloudFrontPaths([before], after, 100);
    expect(paths).toContain(`/at${LIST}`);
    expect(paths).toContain(`/at${LIST}?*`);
    expect(paths).toContain('/_catalogue/pages/IE/-/25-1.json');
    expect(paths).not.toContain('/_catalogue/pages/IE/-/total');
    const purge = cloudflarePurge([before], after, { baseUrl: 'https://stays.example/at', limit: 100 });
    expect(purge.prefixes).toEqual([`stays.example/at${LIST}`]);
    expect(purge.files).toContain('https://stays.example/_catalogue/pages/IE/-/25-1.json');
    expect(purge.files).toContain('https://stays.example/at/properties.ndjson');
    // The prefix covers every detail.
    expect(purge.files.filter((url) => url.includes(LIST))).toEqual([]);
  });

  it('folders, when there are too many', async () => {
    const catalogue = createCatalogue(30);
    for (let n = 1; n <= 30; n++) catalogue.add(n, { city: `City ${n}`, country: n % 2 ? 'IE' : 'FR' });
    const before = await release(catalogue);
    for (let n = 1; n <= 30; n++)
      catalogue.add(n, { title: 'Same', city: `City ${n}`, country: n % 2 ? 'IE' : 'FR' });
    const after = await release(catalogue);
    const paths = cloudFrontPaths([before], after, 50);
    const wildcards = paths.filter((path) => path.endsWith('*'));
    expect(wildcards.length).toBeLessThanOrEqual(15);
    expect(paths).toContain(`${LIST}*`);
    expect(paths).toContain('/_catalogue/properties/*');
    const covers = (key: string) =>
      paths.some((path) =>
        path.endsWith('*') ? `/${key}`.startsWith(path.slice(0, -1)) : `/${key}` === path,
      );
    for (const key of catalogue.tree().keys()) {
      if (/\/pages\/.*json|\/properties\//.test(key)) expect(covers(key), key).toBe(true);
    }
    expect(covers('_catalogue/problems/not-found.json')).toBe(false);
    expect(cloudFrontPaths([], after, 50)).toEqual(['/*']);
    const purge = cloudflarePurge([before], after, { baseUrl: 'https://stays.example', limit: 50 });
    expect(purge.prefixes.length).toBeLessThanOrEqual(30);
    expect(purge.prefixes).toContain(`stays.example${LIST}`);
    expect(purge.prefixes).toContain('stays.example/_catalogue/properties/');
    const isPurged = (key: string) =>
      purge.files.includes(`https://stays.example/${key}`) ||
      purge.prefixes.some((prefix) => `stays.example/${key}`.startsWith(prefix));
    for (const key of catalogue.tree().keys()) {
      if (/\/pages\/.*json|\/properties\//.test(key)) expect(isPurged(key), key).toBe(true);
    }
    expect(isPurged('_catalogue/problems/not-found.json')).toBe(false);
    expect(cloudflarePurge([], after, { baseUrl: 'https://stays.example', limit: 9 }).prefixes).toEqual([
      'stays.example/',
    ]);
  });

  it('the tags of what changed, and of nothing else', async () => {
    const catalogue = createCatalogue(60, 'page_sizes: [1, 25]\n');
    const place = (n: number) => ({ city: `City ${n % 12}`, country: n % 2 ? 'IE' : 'FR' });
    for (let n = 1; n <= 60; n++) catalogue.add(n, place(n));
    let before = await release(catalogue);
    let old = catalogue.tree();
    const changes: (() => void)[] = [
      () => catalogue.add(7, { ...place(7), title: 'Another title' }),
      () => catalogue.add(8, { ...place(8), email: 'new@house.example' }),
      () => catalogue.add(9, { city: 'Új város', country: 'HU', currency: 'HUF' }),
      () => catalogue.remove('house-10.yaml'),
    ];
    for (const change of changes) {
      change();
      const after = await release(catalogue);
      const now = catalogue.tree();
      const differing = [...new Set([...old.keys(), ...now.keys()])].filter(
        (key) => old.get(key) !== now.get(key),
      );
      const tags = changedTags([before], after, { limit: 100 });
      expect(tags).toEqual([...new Set(differing.map(cacheTag))].sort());
      expect(tags!.every((tag) => /^[!-+\--~]{1,256}$/.test(tag))).toBe(true);
      [before, old] = [after, now];
    }
    expect(changedTags([before], before, { limit: 0 })).toEqual([]);
    // Nothing is known of what caches hold, or too much changed.
    expect(changedTags([], before, { limit: 100 })).toBeUndefined();
    catalogue.add(7, { ...place(7), title: 'A third title' });
    expect(changedTags([before], await release(catalogue), { limit: 3 })).toBeUndefined();
    expect(cacheTag(pageKey(scopeFolder('HU', 'ű'.repeat(60)), 100, 1)).length).toBe(249);
  });

  it('a cover covers all, has no more than the limit, and leaves few paths as they are', () => {
    const segment = fc.constantFrom('a', 'b', 'c', 'd');
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}.json`);
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (paths, limit) => {
          const cover = coverPaths(paths, limit);
          expect(cover.length).toBeLessThanOrEqual(limit);
          for (const one of paths) {
            const by = cover.filter((other) =>
              other.endsWith('/*') ? one.startsWith(other.slice(0, -1)) : one === other,
            );
            expect(by).toHaveLength(1);
          }
          if (paths.length <= limit) expect(cover).toEqual([...paths].sort());
        },
      ),
    );
    expect(coverPaths(['/p/FR/1', '/p/FR/2', '/p/FR/3', '/p/IE/1', '/x'], 3)).toEqual([
      '/p/FR/*',
      '/p/IE/1',
      '/x',
    ]);
  });
});

describe('CloudFront', () => {
  const answer = (status: string) =>
    `<?xml version="1.0"?><Invalidation xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Id>I1</Id><Status>${status}</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime><InvalidationBatch><Paths><Quantity>0</Quantity></Paths><CallerReference>x</CallerReference></InvalidationBatch></Invalidation>`;

  it('is asked once, after the release is live, and waited for', async () => {
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: 'test-key',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
    });
    const catalogue = createCatalogue(2);
    const root = mkdtempSync(join(tmpdir(), 'catalogue-cache-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const bucket = openFolder(root);
    const { calls, endpoint } = await startFake((_call, number) => {
      if (number === 1) return { status: 503, body: '<Error><Code>ServiceUnavailable</Code></Error>' };
      return { status: number === 2 ? 201 : 200, body: answer(number < 4 ? 'InProgress' : 'Completed') };
    });
    const cloudFront = createCloudFront({ distribution: 'E123', endpoint, wait: true, interval: 5 });
    await catalogue.publish(bucket);
    catalogue.add(1, { email: 'new@house.example' });
    const { invalidated } = await catalogue.publish(bucket, { invalidators: [cloudFront] });
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /2020-05-31/distribution/E123/invalidation',
      'POST /2020-05-31/distribution/E123/invalidation',
      'GET /2020-05-31/distribution/E123/invalidation/I1',
      'GET /2020-05-31/distribution/E123/invalidation/I1',
    ]);
    expect(invalidated.CloudFront).toContain(`${LIST}/${idOf(1)}`);
    for (const path of invalidated.CloudFront!) expect(calls[1]!.body).toContain(`<Path>${path}</Path>`);
    expect(calls[1]!.body).toContain(`<Quantity>${invalidated.CloudFront!.length}</Quantity>`);
    expect((await catalogue.publish(bucket, { invalidators: [cloudFront] })).outcome).toBe('unchanged');
    expect(calls).toHaveLength(4);
    catalogue.add(1, { email: 'newer@house.example' });
    const byTag = createCloudFront({ distribution: 'E123', endpoint, byTag: true });
    const { CloudFront: tags } = (await catalogue.publish(bucket, { invalidators: [byTag] })).invalidated;
    expect(tags).toContain(`#_catalogue/properties/${idOf(1)}.json`);
    for (const tag of tags!) expect(calls[4]!.body).toContain(`<Path>${tag}</Path>`);
    expect(calls).toHaveLength(5);
  });
});

describe('Cloudflare', () => {
  it('is asked by URL and prefix, again when it is busy, and again by the next publish when it failed', async () => {
    const catalogue = createCatalogue(2);
    const root = mkdtempSync(join(tmpdir(), 'catalogue-cache-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const bucket = openFolder(root);
    let isBroken = true;
    const { calls, endpoint } = await startFake((_call, number) => {
      if (isBroken) return { status: 403, body: '{"success":false,"errors":[{"message":"no"}]}' };
      return number % 2 === 0 ? { status: 429, body: '' } : { status: 200, body: '{"success":true}' };
    });
    const baseUrl = 'https://stays.example';
    const cloudflare = createCloudflare({ zone: 'z1', token: 't0ken', baseUrl, endpoint, delay: 1 });
    await catalogue.publish(bucket);
    catalogue.add(1, { title: 'Another name' });
    await expect(catalogue.publish(bucket, { invalidators: [cloudflare] })).rejects.toMatchObject({
      code: 'invalidation-failed',
      message: expect.stringContaining('The release is live, but Cloudflare zone z1 has not forgotten'),
    });
    expect(calls).toHaveLength(1);
    isBroken = false;
    const { written, invalidated } = await publishRelease(bucket, await openDist(catalogue.out), {
      invalidators: [cloudflare],
    });
    expect(Object.values(written).every((count) => count === 0)).toBe(true);
    expect(invalidated.Cloudflare).toContain(`stays.example${LIST}`);
    for (const { method, path, authorization } of calls) {
      expect([method, path, authorization]).toEqual(['POST', '/zones/z1/purge_cache', 'Bearer t0ken']);
    }
    const purged = calls
      .slice(1)
      .map(({ body }) => JSON.parse(body) as { files?: string[]; prefixes?: string[] });
    for (const { files = [], prefixes = [] } of purged)
      expect(files.length + prefixes.length).toBeLessThanOrEqual(30);
    const all = new Set(purged.flatMap(({ files = [], prefixes = [] }) => [...prefixes, ...files]));
    expect(all).toEqual(new Set(invalidated.Cloudflare));
    const byTag = createCloudflare({ zone: 'z1', token: 't0ken', baseUrl, endpoint, delay: 1, byTag: true });
    catalogue.add(1, { title: 'A third name' });
    const from = calls.length;
    const { Cloudflare: tags } = (await catalogue.publish(bucket, { invalidators: [byTag] })).invalidated;
    expect(tags).toContain('pages/IE/-');
    const bodies = new Set(calls.slice(from).map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body))).toEqual([{ tags }]);
    expect((await catalogue.publish(bucket, { invalidators: [cloudflare] })).outcome).toBe('unchanged');
  });
});
