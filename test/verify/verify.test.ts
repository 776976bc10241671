/** A live catalogue is checked from outside: the real server, unchanged and with every kind of fault. */
import { createHash } from 'node:crypto';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { partKey } from '../../src/contract/document-keys.ts';
import { chunkKey, propertyKey } from '../../src/contract/object-keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { startServer } from '../../src/serve/server.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { type Catalogue, createCatalogue, photo } from '../publish/catalogue.ts';
import { shown, tamper } from '../publish/tampering.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Builds for the URL at which it is then served. */
async function serve(
  configuration = '',
  path = '',
  apiKeys: string[] = [],
): Promise<{ catalogue: Catalogue; url: string }> {
  const port = await freePort();
  const catalogue = createCatalogue(
    30,
    `page_sizes: [2, 25]\nbase_url: http://127.0.0.1:${port}${path}\n${configuration}`,
  );
  catalogue.write('a.jpg', await photo(10));
  catalogue.add(1, { city: "L'Aquila & Ö", photo: [{ file: 'a.jpg' }] });
  catalogue.add(2, { city: 'Rock City', country: 'FR' });
  await catalogue.build();
  const server = await startServer({ root: catalogue.public, port, apiKeys });
  onTestFinished(server.close);
  return { catalogue, url: server.url + path };
}

it('all damaged leaves are named, and the rest is checked', async () => {
  const { catalogue, url } = await serve();
  for (let n = 1; n <= 30; n++) catalogue.add(n, { title: `House ${n} ${'x'.repeat(1000)}` });
  await catalogue.build();
  const { root } = (await openDist(catalogue.out)).release;
  const keys = [chunkKey(root.chunks[0]!.digest), partKey(root.details[0]!.digest)];
  for (const key of keys) writeFileSync(join(catalogue.public, key), 'other');
  rmSync(join(catalogue.public, '_catalogue/problems/not-found.json'));
  const { differences } = await verifyDeployment(url, { all: true });
  const requests = differences.map(({ request }) => request);
  for (const key of [...keys, '_catalogue/problems/not-found.json'])
    expect(requests).toContain(`GET ${url}/${key}`);
  expect(requests.filter((request) => request === `GET ${url}/${keys[0]}`)).toHaveLength(1);
});

describe('a sound catalogue', () => {
  it('has no differences, in a sample or in full', async () => {
    const { catalogue, url } = await serve();
    const { release } = await openDist(catalogue.out);
    const sample = await verifyDeployment(url, { sample: 3, expected: release });
    expect(sample.differences).toEqual([]);
    expect(sample.release).toBe(release.name);
    const all = await verifyDeployment(`${url}/`, { all: true });
    expect(all.differences).toEqual([]);
    expect(all.requests).toBeGreaterThan(sample.requests + 100);
    expect(sample.looked?.properties).toEqual({ at: 3, of: 30 });
    expect(sample.looked?.pages.at).toBeLessThan(sample.looked!.pages.of);
    for (const { at, of } of Object.values(all.looked!)) expect(at).toBe(of);
  });

  it('has photos and thumbnails looked at, wherever they are (A16)', async () => {
    const { catalogue, url } = await serve();
    catalogue.add(1, {});
    catalogue.add(15, { photo: [{ file: 'a.jpg' }] });
    await catalogue.build();
    for (const sample of [1, 3, 20]) {
      const { looked, differences } = await verifyDeployment(url, { sample });
      expect([looked?.images, differences]).toEqual([{ at: 2, of: 2 }, []]);
    }
  });

  it('is compared again where another release goes live meanwhile', async () => {
    const { catalogue, url } = await serve();
    const before = temporaryFolder();
    cpSync(catalogue.public, before, { recursive: true });
    catalogue.add(1, { city: 'Cork' });
    await catalogue.build();
    const after = temporaryFolder();
    cpSync(catalogue.public, after, { recursive: true });
    cpSync(before, catalogue.public, { recursive: true, force: true });
    let isLive = false;
    const front = await tamper(url, (path) => {
      if (isLive || !path.startsWith('/api/')) return;
      isLive = true;
      cpSync(after, catalogue.public, { recursive: true, force: true });
    });
    const { release, differences } = await verifyDeployment(front, { sample: 3 });
    const { name } = (await openRelease(after))!.release;
    expect([isLive, release, differences]).toEqual([true, name, []]);
  });

  it('as a local server sends the packed layout', async () => {
    const { url } = await serve('layout: packed\nbulk: true\n');
    expect((await verifyDeployment(url, { all: true })).differences).toEqual([]);
  });

  it('has none below a path, and with a key', async () => {
    const digest = createHash('sha256').update('k3y').digest('hex');
    const { url } = await serve(`api_keys: [${digest}]\n`, '/stays', [digest]);
    expect((await verifyDeployment(url, { sample: 2, apiKey: 'k3y' })).differences).toEqual([]);
    const wrong = await verifyDeployment(url, { sample: 2, apiKey: 'other' });
    expect(shown(wrong)).toEqual([`GET ${url}/_catalogue/current.json: status`]);
  });

  it('without a key reports that no list was checked, and checks the rest (B12)', async () => {
    const digest = createHash('sha256').update('k3y').digest('hex');
    const { catalogue, url } = await serve(`api_keys: [${digest}]\n`, '', [digest]);
    await expect(verifyDeployment(url)).rejects.toMatchObject({ code: 'api-key-needed' });
    const { release } = await openDist(catalogue.out);
    const open = await verifyDeployment(url, { sample: 2, expected: release });
    expect(open).toMatchObject({ differences: [], hasSeenLists: false, looked: { pages: { at: 0 } } });
    expect(open.looked?.properties).toEqual({ at: 2, of: 30 });
    const front = await tamper(url, (path, reply) => {
      if (path === '/media/%2e%2e/_catalogue/current.json') reply.status = 200;
      if (path === '/properties.ndjson') reply.status = 404;
    });
    const leaking = await verifyDeployment(front, { sample: 2, expected: release });
    expect(shown(leaking)).toEqual([
      `GET ${front}/media/%2e%2e/_catalogue/current.json: status`,
      `GET ${front}/properties.ndjson: status`,
    ]);
  });
});

describe('differences', () => {
  const LIST = '/api/v1/public/properties';

  it.each<[string, string, Parameters<typeof tamper>[1]]>([
    [
      'a detail',
      `${LIST}/${idOf(30)}: body`,
      (path, reply) => {
        if (path === `${LIST}/${idOf(30)}`) reply.body = Buffer.from(`${reply.body.toString()} `);
      },
    ],
    [
      'a property that is missing',
      `${LIST}/${idOf(30)}: status`,
      (path, reply) => {
        if (path === `${LIST}/${idOf(30)}`) reply.status = 404;
      },
    ],
    [
      'an entry of a list',
      `${LIST}: body`,
      (path, reply) => {
        if (path === LIST) reply.body = Buffer.from(reply.body.toString().replace('House 3', 'House 33'));
      },
    ],
    [
      'the total of a list',
      `${LIST}: body`,
      (path, reply) => {
        if (path === LIST)
          reply.body = Buffer.from(reply.body.toString().replace('"total_entries":30', '"total_entries":31'));
      },
    ],
    [
      'CORS',
      `${LIST}: Access-Control-Allow-Origin`,
      (path, reply) => {
        if (path === LIST) delete reply.headers['access-control-allow-origin'];
      },
    ],
    [
      'caching',
      `${LIST}: Cache-Control`,
      (path, reply) => {
        if (path === LIST) reply.headers['cache-control'] = 'no-store';
      },
    ],
    [
      'a weak entity tag',
      `${LIST}: ETag`,
      (path, reply) => {
        if (path === LIST) reply.headers.etag = 'W/"1"';
      },
    ],
    [
      'a redirect',
      `${LIST}/: status`,
      (path, reply) => {
        if (path === `${LIST}/`) reply.status = 301;
      },
    ],
    [
      'an error',
      `${LIST}?filter[country]=ie: body`,
      (path, reply) => {
        if (path.endsWith('=ie')) reply.body = Buffer.from('{}');
      },
    ],
    [
      'a document',
      '/problems.html: body',
      (path, reply) => {
        if (path === '/problems.html') reply.body = Buffer.from('');
      },
    ],
    [
      'a file that is served as coded, which would be decoded on its way',
      '/properties.csv: Content-Encoding',
      (path, reply) => {
        if (path === '/properties.csv') reply.headers['content-encoding'] = 'gzip';
      },
    ],
  ])('%s', async (_name, expected, change) => {
    const { url } = await serve();
    const front = await tamper(url, change);
    const result = await verifyDeployment(front, { sample: 40 });
    expect(shown(result)).toContain(`GET ${front}${expected}`);
    expect(result.differences.length).toBeLessThan(5);
  });

  it('include private objects of publishing that are served (A4, B12)', async () => {
    const { url } = await serve();
    const front = await tamper(url, (path, reply) => {
      if (/log\/|incoming/i.test(path)) Object.assign(reply, { status: 200, body: Buffer.from('{}') });
    });
    const result = await verifyDeployment(front, { sample: 1 });
    expect(shown(result)).toContain(`GET ${front}/_catalogue/log/00000001.json: status`);
    expect(shown(result)).toContain(`GET ${front}/_catalogue//log/00000001.json: status`);
    expect(result.differences).toHaveLength(20);
  });

  it('do not include another spelling of an equivalent header (B12)', async () => {
    const { url } = await serve();
    const types: Record<string, string> = {
      'application/json': 'Application/JSON;charset=UTF-8',
      'application/problem+json': 'application/problem+json; charset="utf-8"',
      'text/javascript': 'application/javascript',
      'text/html; charset=utf-8': 'text/html',
      'application/yaml': 'text/yaml',
    };
    const front = await tamper(url, (_path, { headers }) => {
      const type = String(headers['content-type']);
      headers['content-type'] = types[type] ?? type;
      const caching = String(headers['cache-control']);
      headers['cache-control'] = caching.split(', ').reverse().join(',').toUpperCase();
    });
    expect((await verifyDeployment(front)).differences).toEqual([]);
    const wrong = await tamper(url, (path, { headers }) => {
      if (path === '/index.html') headers['content-type'] = 'text/html; charset=iso-8859-1';
      if (path === '/openapi.json') headers['content-type'] = 'text/plain';
    });
    expect(shown(await verifyDeployment(wrong))).toEqual([
      `GET ${wrong}/index.html: Content-Type`,
      `GET ${wrong}/openapi.json: Content-Type`,
    ]);
  });

  it('include a missing image', async () => {
    const { catalogue, url } = await serve();
    rmSync(join(catalogue.public, 'media'), { recursive: true });
    const result = await verifyDeployment(url, { sample: 40 });
    expect(shown(result)).toHaveLength(2);
    expect(shown(result).every((text) => /^GET .*\/media\/[0-9a-f]+\.(?:jpg|webp): status$/.test(text))).toBe(
      true,
    );
  });

  it('include another release than the expected one', async () => {
    const { catalogue, url } = await serve();
    const out = await catalogue.buildTo('next');
    catalogue.add(3, { title: 'Another name' });
    const next = await catalogue.buildTo('next');
    expect(out).toBe(next);
    const { release } = await openDist(next);
    const result = await verifyDeployment(url, { sample: 1, expected: release });
    expect(result.differences).toEqual([
      {
        request: `GET ${url}/_catalogue/current.json`,
        what: 'release',
        expected: release.name,
        actual: result.release,
      },
    ]);
  });

  it('include a broken release and a missing server; an invalid URL is an error', async () => {
    const { url } = await serve();
    const nothing = await verifyDeployment(`${url}/elsewhere`);
    expect(nothing).toMatchObject({
      release: null,
      requests: 1,
      differences: [{ what: 'status', actual: '404' }],
    });
    const port = await freePort();
    await expect(verifyDeployment(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'unreachable' });
    for (const text of ['stays.example', 'ftp://stays.example', 'https://stays.example/?x']) {
      await expect(verifyDeployment(text)).rejects.toMatchObject({ code: 'invalid-base-url' });
    }
  });
});

it('finds a file that differs from the release in a full check', async () => {
  const { catalogue, url } = await serve();
  writeFileSync(join(catalogue.public, propertyKey(idOf(17))), '{}');
  writeFileSync(join(catalogue.public, '_catalogue/pages/IE/-/2-9.json'), '{"data":[]}');
  const { differences } = await verifyDeployment(url, { all: true });
  expect(differences.map(({ request: what, what: part }) => [what, part])).toEqual([
    [`GET ${url}/api/v1/public/properties/${idOf(17)}`, 'body'],
    [`GET ${url}/api/v1/public/properties?filter[country]=IE&page[number]=9&page[size]=2`, 'body'],
  ]);
});

it('names an edge configuration, and totals at the edge, that are out of date (A1)', async () => {
  const { url } = await serve();
  const old = '0'.repeat(32);
  const change: Parameters<typeof tamper>[1] = (path, { status, headers }) => {
    if (status === 204) headers['catalogue-edge'] = '0.1.0-00000000';
    if (path.includes('nowhere')) headers['catalogue-release'] = old;
  };
  const front = await tamper(url, change, ['GET', 'OPTIONS']);
  const { differences } = await verifyDeployment(front, { sample: 1 });
  const found = differences.map(({ what, actual }) => `${what}: ${actual}`);
  expect(new Set(found)).toEqual(
    new Set([
      'Catalogue-Edge: 0.1.0-00000000',
      `totals at the edge (publish with --purge and --key-value-store): ${old}`,
    ]),
  );
});
