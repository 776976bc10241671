import type { LookupAddress } from 'node:dns';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { downloadPhoto } from '../../src/import/files/photos.ts';
import {
  createGuardedFetch,
  type FetchBounds,
  FetchRefusal,
  publicLookup,
} from '../../src/import/guarded-fetch.ts';
import { freePort } from '../conformance/server.ts';
import { createCertificate } from '../media/certificate.ts';
import { detailed } from '../media/picture.ts';
import { serveLoopback } from '../support/loopback.ts';

const certificate = createCertificate(['localhost', 'other.localhost']);

const server = createServer(certificate, (request, response) => {
  hits.push(request.url ?? '');
  answers[request.url ?? '']?.(response, request);
});
const base = (await serveLoopback(server)).replace('http://127.0.0.1', 'https://localhost');
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
});
beforeEach(() => {
  hits = [];
});

const PUBLIC: FetchBounds = { hosts: 'public', maxBytes: 25_000_000, timeoutMs: 20_000 };
const TRUSTED: FetchBounds = { ...PUBLIC, ca: certificate.cert, allowPrivate: ['localhost'] };

const download = (url: string, bounds = TRUSTED) => downloadPhoto(url, createGuardedFetch(bounds));

/** The reason why a link cannot be fetched. */
const reason = (url: string, bounds = TRUSTED): Promise<string> =>
  download(url, bounds).then(
    () => 'fetched',
    (error: unknown) => {
      if (!(error instanceof FetchRefusal)) throw error;
      return error.message;
    },
  );

describe('downloadPhoto', () => {
  it.each(['/photo.jpg', '/streamed.jpg', '/hop1'])('downloads %s', async (path) => {
    expect((await download(base + path)).equals(photo)).toBe(true);
  });
});

describe('downloadPhoto of a link that cannot be fetched', () => {
  it.each([
    ['/missing.jpg', 'the server answered 404'],
    ['/failing.jpg', 'the server answered 503'],
    ['/empty.jpg', 'the server sent nothing'],
    ['/compressed.jpg', 'the connection failed (Z_DATA_ERROR)'],
    ['/broken.jpg', 'the connection broke off'],
    ['/round', 'it redirects more than 3 times'],
    ['/hop0', 'it redirects more than 3 times'],
    ['/to-http', 'it redirects, and then it is not an https URL'],
    ['/to-address', 'it redirects, and then its host has a private address (127.0.0.1)'],
    ['/to-password', 'it redirects, and then it holds a user name or a password'],
  ])('%s is refused: %s', async (path, expected) => {
    expect(await reason(base + path)).toBe(expected);
  });

  it('is refused when it redirects to a name with a private address', async () => {
    expect(await reason(`${base}/to-name`)).toMatch(
      /^(its host has a private address|the connection failed \(E)/,
    );
    expect(hits).toEqual(['/to-name']);
  });

  it('is refused when it is too large, with a declared length and without', async () => {
    const maxBytes = 20_000;
    expect(await reason(`${base}/announced.jpg`, { ...TRUSTED, maxBytes })).toBe(
      'it is larger than 20000 bytes',
    );
    expect(await reason(`${base}/endless.jpg`, { ...TRUSTED, maxBytes })).toBe(
      'it is larger than 20000 bytes',
    );
  });

  it('is refused when it takes too long, with an answer and without', async () => {
    const timeoutMs = 300;
    expect(await reason(`${base}/silent.jpg`, { ...TRUSTED, timeoutMs })).toBe(
      'it took longer than 0.3 seconds',
    );
    expect(await reason(`${base}/slow.jpg`, { ...TRUSTED, timeoutMs })).toBe(
      'it took longer than 0.3 seconds',
    );
  });

  it('is refused when the certificate is not trusted', async () => {
    expect(await reason(`${base}/photo.jpg`, { ...PUBLIC, allowPrivate: ['localhost'] })).toBe(
      'the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    );
    expect(hits).toEqual([]);
  });

  it('may have a private address of IPv6 that is allowed, in brackets or without', async () => {
    for (const host of ['[::1]', '::1'])
      expect(await reason('https://[::1]:4/1.jpg', { ...PUBLIC, allowPrivate: [host] })).toBe(
        'the connection failed (ECONNREFUSED)',
      );
    expect(await reason('https://[::1]:4/1.jpg', PUBLIC)).toContain('a private address');
  });

  it('is refused when no server listens, or the server does not use https', async () => {
    expect(await reason('https://localhost:1/photo.jpg')).toBe('bad port');
    const plain = await serveLoopback((_, response) => response.end('plain'));
    const { port } = new URL(plain);
    expect(await reason(`https://localhost:${port}/photo.jpg`)).toMatch(/^the connection failed \(E/);
    expect(await reason(`https://localhost:${await freePort()}/photo.jpg`)).toBe(
      'the connection failed (ECONNREFUSED)',
    );
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
  ])('%s is refused: %s', async (url, expected) => {
    expect(await reason(url)).toBe(expected);
  });

  it('is refused when its name has a private address', async () => {
    const result = await reason(`${base}/photo.jpg`, { ...PUBLIC, ca: certificate.cert });
    expect(result).toMatch(/^its host has a private address \((127\.0\.0\.1|::1)\)$/);
    expect(hits).toEqual([]);
  });
});

// Addresses as names are looked up without a network.
function lookUp(name: string, options: object) {
  return new Promise<[string | LookupAddress[], number | undefined]>((resolve, reject) => {
    publicLookup()(name, options, (error, address, family) =>
      error ? reject(error) : resolve([address, family]),
    );
  });
}

describe('publicLookup', () => {
  it('answers like the lookup of a connection, for one address or for all', async () => {
    expect(await lookUp('1.1.1.1', {})).toEqual(['1.1.1.1', 4]);
    expect(await lookUp('1.1.1.1', { all: true })).toEqual([[{ address: '1.1.1.1', family: 4 }], undefined]);
    expect(await lookUp('2606:4700::1', { all: false })).toEqual(['2606:4700::1', 6]);
  });

  it('refuses private addresses', async () => {
    for (const options of [{}, { all: true }]) {
      await expect(lookUp('10.0.0.1', options)).rejects.toThrow('its host has a private address (10.0.0.1)');
      await expect(lookUp('localhost', options)).rejects.toBeInstanceOf(FetchRefusal);
    }
  });

  it('passes errors on', async () => {
    await expect(lookUp('no such name', {})).rejects.toMatchObject({ syscall: 'getaddrinfo' });
  });
});
