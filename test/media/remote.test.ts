import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaProblem } from '../../src/media/problem.ts';
import {
  fetchRemotePhoto,
  pruneRemotePhotos,
  type RemoteOptions,
  type RemotePhoto,
} from '../../src/media/remote.ts';
import { createCertificate } from './certificate.ts';
import { detailed, digestOf, optionsIn, useFolder } from './picture.ts';

const folder = useFolder();
const certificate = createCertificate(['localhost', 'other.localhost']);

let server: Server;
let base: string;
let photo: Buffer;
let hits: string[] = [];

/** The answers of the server, by path. */
const answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/photo.jpg': (response) => response.end(photo),
  '/streamed.jpg': (response) => {
    response.write(photo.subarray(0, 1000));
    response.end(photo.subarray(1000));
  },
  '/missing.jpg': (response) => response.writeHead(404).end('Not found'),
  '/failing.jpg': (response) => response.writeHead(503).end(),
  '/empty.jpg': (response) => response.end(),
  '/compressed.jpg': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(photo),
  '/announced.jpg': (response) => response.writeHead(200, { 'content-length': 50_000 }).write('x'),
  '/endless.jpg': (response) => {
    const pour = () => {
      while (response.write(Buffer.alloc(4096))) if (response.destroyed) return;
      response.once('drain', pour);
    };
    pour();
  },
  '/broken.jpg': (response) => {
    response.writeHead(200, { 'content-length': photo.length }).write(photo.subarray(0, 1000));
    setTimeout(() => response.destroy(), 20);
  },
  '/silent.jpg': () => {},
  '/slow.jpg': (response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/hop1': (response) => response.writeHead(301, { location: '/hop2' }).end(),
  '/hop2': (response) => response.writeHead(302, { location: `${base}/hop3` }).end(),
  '/hop3': (response) => response.writeHead(308, { location: 'photo.jpg' }).end('moved'),
  '/hop0': (response) => response.writeHead(307, { location: '/hop1' }).end(),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/to-http': (response) => response.writeHead(302, { location: base.replace('https', 'http') }).end(),
  '/to-address': (response) =>
    response.writeHead(302, { location: `${base.replace('localhost', '127.0.0.1')}/photo.jpg` }).end(),
  '/to-name': (response) =>
    response.writeHead(302, { location: `${base.replace('localhost', 'other.localhost')}/photo.jpg` }).end(),
  '/to-password': (response) =>
    response.writeHead(302, { location: `${base.replace('//', '//user:secret@')}/photo.jpg` }).end(),
  '/to-nowhere': (response) => response.writeHead(302).end(),
};

beforeAll(async () => {
  photo = await detailed(640, 480).jpeg().toBuffer();
  server = createServer(certificate, (request, response) => {
    hits.push(request.url ?? '');
    answers[request.url ?? '']?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  hits = [];
});

const optionsOf = (name: string): RemoteOptions => ({
  cacheFolder: join(folder(), name, 'cache'),
  ca: certificate.cert,
  allowPrivate: ['localhost'],
});

const fetched = (result: RemotePhoto | MediaProblem): RemotePhoto => {
  if ('code' in result) throw new Error(JSON.stringify(result));
  return result;
};

/** Fetches a photo that cannot be fetched, returns the reason, and checks that no file is left behind. */
async function reason(url: string, changes: Partial<RemoteOptions> = {}): Promise<string> {
  const options = { ...optionsOf('failing'), ...changes };
  const result = await fetchRemotePhoto(url, options);
  if (!('code' in result)) throw new Error('it was fetched');
  expect(result.code).toBe('remote-photo-failed');
  expect(readdirSync(join(options.cacheFolder, 'temporary'))).toEqual([]);
  expect(readdirSync(join(options.cacheFolder, 'remote'))).toEqual([]);
  return String(result.args.reason);
}

describe('fetchRemotePhoto', () => {
  it.each(['/photo.jpg', '/streamed.jpg', '/hop1'])('downloads %s once', async (path) => {
    const options = optionsOf(`once${path}`);
    const first = fetched(await fetchRemotePhoto(base + path, options));
    expect(first.digest).toBe(digestOf(photo));
    expect(readFileSync(first.file).equals(photo)).toBe(true);
    const before = hits.length;
    expect(await fetchRemotePhoto(base + path, options)).toEqual(first);
    expect(hits.length).toBe(before);
    expect(readdirSync(join(options.cacheFolder, 'temporary'))).toEqual([]);
  });

  it('returns the source of the thumbnails', async () => {
    const options = optionsOf('thumbnail');
    const source = fetched(await fetchRemotePhoto(`${base}/photo.jpg`, options));
    const media = { ...optionsIn(''), cacheFolder: options.cacheFolder };
    const { made, outcomes } = await makeMedia([{ ...source, photo: false, thumbnail: true }], media);
    expect([made, outcomes.get(source.digest)?.problems]).toEqual([1, []]);
  });

  it('downloads a damaged or lost photo again', async () => {
    const options = optionsOf('damaged');
    const url = `${base}/photo.jpg`;
    const { file } = fetched(await fetchRemotePhoto(url, options));
    writeFileSync(file, photo.subarray(0, 100));
    expect(readFileSync(fetched(await fetchRemotePhoto(url, options)).file).equals(photo)).toBe(true);
    const index = readdirSync(join(options.cacheFolder, 'remote')).find((name) => name.endsWith('.json'))!;
    for (const content of ['', 'null', '{"digest":"../../etc/passwd"}', '[1']) {
      writeFileSync(join(options.cacheFolder, 'remote', index), content);
      expect(fetched(await fetchRemotePhoto(url, options)).file).toBe(file);
    }
    expect(hits.length).toBe(6);
  });

  it('keeps links with the same bytes apart, and stores the bytes once', async () => {
    const options = optionsOf('same');
    const one = fetched(await fetchRemotePhoto(`${base}/photo.jpg`, options));
    expect(await fetchRemotePhoto(`${base}/streamed.jpg`, options)).toEqual(one);
    expect(readdirSync(join(options.cacheFolder, 'remote'))).toHaveLength(3);
  });

  it('throws when the cache fails', async () => {
    writeFileSync(join(folder(), 'a file'), '');
    const options = { ...optionsOf(''), cacheFolder: join(folder(), 'a file') };
    await expect(fetchRemotePhoto(`${base}/photo.jpg`, options)).rejects.toThrow('ENOTDIR');
  });
});

describe('a link that cannot be fetched', () => {
  it.each([
    ['/missing.jpg', 'the server answered 404'],
    ['/failing.jpg', 'the server answered 503'],
    ['/empty.jpg', 'the server sent nothing'],
    ['/compressed.jpg', 'the server compressed it'],
    ['/broken.jpg', 'the connection broke off'],
    ['/round', 'it redirects more than 3 times'],
    ['/hop0', 'it redirects more than 3 times'],
    ['/to-http', 'it redirects, and then it is not an https URL'],
    ['/to-address', 'it redirects, and then its host has a private address (127.0.0.1)'],
    ['/to-password', 'it redirects, and then it holds a user name or a password'],
  ])('%s is a problem: %s', async (path, expected) => {
    expect(await reason(base + path)).toBe(expected);
  });

  it('is a problem when it redirects to a name with a private address', async () => {
    expect(await reason(`${base}/to-name`)).toMatch(
      /^(its host has a private address|the connection failed \(E)/,
    );
    expect(hits).toEqual(['/to-name']);
  });

  it('is a problem when it is too large, with a declared length and without', async () => {
    const maxBytes = 20_000;
    expect(await reason(`${base}/announced.jpg`, { maxBytes })).toBe('it is larger than 20000 bytes');
    expect(await reason(`${base}/endless.jpg`, { maxBytes })).toBe('it is larger than 20000 bytes');
  });

  it('is a problem when it takes too long, with an answer and without', async () => {
    const timeoutMs = 300;
    const started = performance.now();
    expect(await reason(`${base}/silent.jpg`, { timeoutMs })).toBe('it took longer than 0.3 seconds');
    expect(await reason(`${base}/slow.jpg`, { timeoutMs })).toBe('it took longer than 0.3 seconds');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('is a problem when the certificate is not trusted', async () => {
    const { ca, ...usual } = optionsOf('failing');
    expect(ca).toBeDefined();
    const result = await fetchRemotePhoto(`${base}/photo.jpg`, usual);
    expect(result).toMatchObject({ args: { reason: 'the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)' } });
    expect(hits).toEqual([]);
  });

  it('is a problem when no server listens, or the server does not use https', async () => {
    expect(await reason('https://localhost:1/photo.jpg')).toBe('the connection failed (ECONNREFUSED)');
    const plain = createPlainServer((_, response) => response.end('plain'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    expect(await reason(`https://localhost:${port}/photo.jpg`)).toMatch(/^the connection failed \(E/);
    plain.close();
  });

  it.each([
    ['http://localhost/photo.jpg', 'it is not an https URL'],
    ['file:///etc/passwd', 'it is not an https URL'],
    ['photo.jpg', 'it is not a valid URL'],
    ['https://', 'it is not a valid URL'],
    ['https://user@localhost/photo.jpg', 'it holds a user name or a password'],
    ['https://127.0.0.1/photo.jpg', 'its host has a private address (127.0.0.1)'],
    ['https://2130706433/photo.jpg', 'its host has a private address (127.0.0.1)'],
    ['https://0x7f.1/photo.jpg', 'its host has a private address (127.0.0.1)'],
    ['https://[::1]/photo.jpg', 'its host has a private address (::1)'],
    ['https://[::ffff:127.0.0.1]/photo.jpg', 'its host has a private address (::ffff:7f00:1)'],
    ['https://169.254.169.254/latest/meta-data', 'its host has a private address (169.254.169.254)'],
  ])('%s is a problem: %s', async (url, expected) => {
    expect(await reason(url)).toBe(expected);
  });

  it('is a problem when its name has a private address', async () => {
    const result = await reason(`${base}/photo.jpg`, { allowPrivate: [] });
    expect(result).toMatch(/^its host has a private address \((127\.0\.0\.1|::1)\)$/);
    expect(hits).toEqual([]);
  });

  it('is shown without its password', async () => {
    const result = await fetchRemotePhoto(
      'https://user:secret@photos.example/front.jpg',
      optionsOf('failing'),
    );
    expect(result).toMatchObject({ args: { url: 'https://photos.example/front.jpg' } });
  });
});

describe('pruneRemotePhotos', () => {
  it('removes unused links, and bytes that no link needs', async () => {
    const options = optionsOf('prune');
    const [one, two] = [`${base}/photo.jpg`, `${base}/streamed.jpg`];
    const { file } = fetched(await fetchRemotePhoto(one, options));
    await fetchRemotePhoto(two, options);
    expect(pruneRemotePhotos(options.cacheFolder, [one])).toBe(1);
    expect(existsSync(file)).toBe(true);
    expect(pruneRemotePhotos(options.cacheFolder, [])).toBe(1);
    expect(readdirSync(join(options.cacheFolder, 'remote'))).toEqual([]);
    expect(pruneRemotePhotos(join(folder(), 'none'), [])).toBe(0);
  });
});
