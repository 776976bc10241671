/** Attacks: pages of other sites, rebound names, guessed tokens, endless bodies, paths and links that lead outside. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedRequest } from '../../../src/dev/api/refused-request.ts';
import { readRequestBody } from '../../../src/dev/api/request-body.ts';
import { createToken, matchesToken, tokenCookie } from '../../../src/dev/api/session-token.ts';
import {
  createContentFile,
  readContentFile,
  removeContentFile,
  replaceContentFile,
} from '../../../src/dev/content/content-files.ts';
import { EDIT_API_PATH, PAGE_PATH, TOKEN_HEADER } from '../../../src/editor/api.ts';
import { REQUEST_BODY_SCHEMAS } from '../../../src/editor/request-schemas.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Editing, ROSE, startEditing } from '../editing.ts';

/** Sends exactly these headers, which `fetch` would not. */
function raw(url: string, method: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const request = httpRequest(url, { method, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      });
      request.on('error', reject);
      request.end(body);
    },
  );
}

const json = { 'Content-Type': 'application/json' };

async function saving({ cookie, property }: Editing) {
  const { version } = await property();
  const body = JSON.stringify({ path: 'rose.yaml', version, fields: { title: 'Owned' } });
  return { body, headers: { ...json, Cookie: cookie } };
}

describe('a page of another site', () => {
  it.each<readonly [string, Record<string, string>, number]>([
    ['by its origin', { Origin: 'https://evil.example' }, 403],
    ['from a frame or a file', { Origin: 'null' }, 403],
    [
      'from another port of this machine',
      { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:3000' },
      403,
    ],
    ['without an origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['from the address bar', { 'Sec-Fetch-Site': 'none' }, 403],
    ['with a rebound name', { Host: 'evil.example' }, 421],
    ['without the cookie', { Cookie: '' }, 401],
    ['with a guessed token', { Cookie: tokenCookie('127.0.0.1:1', 'a'.repeat(32)) }, 401],
    ['with a header in place of the cookie', { Cookie: '', [TOKEN_HEADER]: 'a' }, 401],
    ['as a plain form', { 'Content-Type': 'text/plain' }, 415],
    ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
  ])('cannot save %s, even if it knows everything else', async (_how, foreign, status) => {
    const editing = await startEditing();
    const { headers, body } = await saving(editing);
    const url = `${editing.server.url}${EDIT_API_PATH}save`;
    const answer = await raw(url, 'POST', { ...headers, ...foreign }, body);
    expect(answer.status).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(editing.workspace.file('rose.yaml')).toBe(ROSE);
    // The request itself is valid.
    expect((await raw(url, 'POST', headers, body)).status).toBe(200);
  });

  it('gets no byte of a path, whatever it is, without the cookie or from another place', async () => {
    const { server, cookie } = await startEditing();
    const lib = readdirSync(fileURLToPath(new URL('../../../lib/editor/', import.meta.url)));
    const files = lib.filter((name) => !/^towns-(?!IE)/.test(name)).map((name) => name.replace(/\.gz$/, ''));
    const requests = [
      ...Object.keys(REQUEST_BODY_SCHEMAS),
      'catalogue',
      'properties',
      'property?path=rose.yaml',
      'changes',
    ];
    const reads = ['remote', 'photo?path=a.jpg', 'thumbnail?path=rose.yaml', 'enter', 'nothing', ''];
    const paths = ['', 'world.json', 'nothing', '%', '../_edit/app.js', '?view=new', ...files].concat(
      [...requests, ...reads].map((name) => `api/${name}`),
    );
    expect(files).toContain('app.js');
    const { port } = new URL(server.url);
    const wrong = tokenCookie(`127.0.0.1:${port}`, 'a'.repeat(32));
    const elsewhere = cookie.replace(port, '1');
    const site = (name: string, dest: string) => ({
      Cookie: cookie,
      'Sec-Fetch-Site': name,
      'Sec-Fetch-Dest': dest,
    });
    const attempts: readonly [Record<string, string>, number][] = [
      [{}, 401],
      [{ Cookie: wrong }, 401],
      [{ Cookie: elsewhere }, 401],
      [{ Cookie: `${cookie}x` }, 401],
      [{ [TOKEN_HEADER]: 'a'.repeat(32) }, 401],
      [site('same-site', 'script'), 403],
      [site('same-site', 'image'), 403],
      [site('same-site', 'iframe'), 403],
      [site('cross-site', 'empty'), 403],
      [{ Cookie: cookie, Origin: 'https://evil.example' }, 403],
      [{ Cookie: cookie, Host: 'evil.example' }, 421],
      [{ Cookie: cookie, Host: `evil.example:${port}` }, 421],
    ];
    for (const path of paths) {
      for (const [headers, status] of attempts) {
        for (const method of path.startsWith('api/') ? ['GET', 'POST'] : ['GET']) {
          const answer = await raw(server.url + PAGE_PATH + path, method, headers);
          expect([path, headers, answer.status]).toEqual([path, headers, status]);
          expect(answer.text.length).toBeLessThan(2000);
          expect(Object.keys(answer.headers).join()).not.toMatch(/access-control|set-cookie/);
        }
      }
    }
    const app = await raw(`${server.url}${PAGE_PATH}app.js`, 'GET', {
      Cookie: `other=1; ${wrong}; ${cookie}`,
    });
    expect([app.status, app.text.length > 2000]).toEqual([200, true]);
  });

  it('learns nothing from a preflight request', async () => {
    const { server } = await startEditing();
    const preflight = await raw(`${server.url}${EDIT_API_PATH}save`, 'OPTIONS', {
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': TOKEN_HEADER,
    });
    expect(preflight.status).toBe(401);
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('gets no cookie, even with the token; the page itself gets one that scripts cannot read', async () => {
    const { server, token, cookie } = await startEditing();
    const enter = (headers: Record<string, string>) =>
      raw(`${server.url}${EDIT_API_PATH}enter`, 'POST', { [TOKEN_HEADER]: token, ...headers });
    for (const site of ['same-site', 'cross-site', 'none'])
      expect((await enter({ 'Sec-Fetch-Site': site })).headers['set-cookie']).toBeUndefined();
    expect((await enter({ [TOKEN_HEADER]: 'a'.repeat(32) })).headers['set-cookie']).toBeUndefined();
    const { status, headers } = await enter({ 'Sec-Fetch-Site': 'same-origin' });
    expect([status, headers['set-cookie']]).toEqual([
      200,
      [`${cookie}; Path=/_edit/; HttpOnly; SameSite=Strict`],
    ]);
  });

  it('can neither frame the page nor load its answers', async () => {
    const { server, ask, cookie } = await startEditing();
    const page = await raw(server.url + PAGE_PATH, 'GET', { Cookie: cookie });
    const entrance = await raw(server.url + PAGE_PATH, 'GET', {});
    for (const { headers } of [
      page,
      entrance,
      { headers: Object.fromEntries((await ask('catalogue')).headers) },
    ]) {
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(page.text).toContain('app.js');
  });
});

it('a token has 192 bits, and is compared whole', () => {
  const token = createToken();
  expect(Buffer.from(token, 'base64url')).toHaveLength(24);
  expect(new Set(Array.from({ length: 1000 }, createToken)).size).toBe(1000);
  expect(matchesToken(token, token)).toBe(true);
  for (const given of [undefined, '', token.slice(1), `${token} `, token.toUpperCase(), [token]]) {
    expect(matchesToken(token, given)).toBe(false);
  }
});

describe('a body', () => {
  it('is limited, whatever length it claims', async () => {
    const { server, cookie } = await startEditing();
    const headers = { ...json, Cookie: cookie };
    const url = `${server.url}${EDIT_API_PATH}save`;
    const claimed = await raw(url, 'POST', { ...headers, 'Content-Length': String(1 << 30) }).catch(
      () => null,
    );
    expect(claimed?.status ?? 413).toBe(413);
    const { status, sent } = await endless(server.url, cookie);
    // A connection that is cut may lose the answer.
    expect(status === '' || status.startsWith('HTTP/1.1 413')).toBe(true);
    expect(sent).toBeLessThan(16 << 20);
  });

  it('has a time limit', async () => {
    const slow = await serveLoopback((request, response) => {
      readRequestBody(request, { bytes: 100, time: 50 }).catch((error: RefusedRequest) =>
        response.end(error.code),
      );
    });
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(slow).port), '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\na');
      socket.once('data', (chunk) => {
        resolve(String(chunk));
        socket.destroy();
      });
    });
    expect(answer).toContain('too-slow');
  });

  it.each(['', '{', '[]', '{"path":"rose.yaml"}', '{"path":1,"version":"","fields":[]}', '\u0000', '"x"'])(
    'of %j is refused in plain words',
    async (body) => {
      const { server, cookie } = await startEditing();
      const headers = { ...json, Cookie: cookie };
      const answer = await raw(`${server.url}${EDIT_API_PATH}save`, 'POST', headers, body);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'bad-request' });
      expect(answer.text).not.toContain('at ');
    },
  );
});

/** Sends a body without an end until the server answers. */
function endless(url: string, cookie: string): Promise<{ status: string; sent: number }> {
  const { port, host } = new URL(url);
  const chunk = Buffer.alloc(1 << 16, 'a');
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    let sent = 0;
    const head = [`POST ${EDIT_API_PATH}save HTTP/1.1`, `Host: ${host}`, `Cookie: ${cookie}`];
    socket.write(
      `${head.join('\r\n')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const send = () => {
      if (socket.destroyed) return;
      sent += chunk.length;
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n', () => setImmediate(send));
    };
    let status = '';
    socket.on('error', () => {});
    socket.on('data', (answer) => {
      status += answer;
      socket.destroy();
    });
    socket.on('close', () => resolve({ status, sent }));
    send();
  });
}

/** A content folder, and a folder beside it that must stay untouched. */
function twoFolders() {
  const place = temporaryFolder();
  const [content, other] = [join(place, 'content'), join(place, 'other')];
  for (const folder of [content, other]) {
    mkdirSync(join(folder, 'ie'), { recursive: true });
    writeFileSync(join(folder, 'ie/a.yaml'), folder);
  }
  return { place, content, other, isTouched: () => readFileSync(join(other, 'ie/a.yaml'), 'utf8') !== other };
}

const code = (act: () => unknown): string => {
  try {
    act();
    return 'done';
  } catch (error) {
    if (error instanceof RefusedRequest) return error.code;
    throw error;
  }
};

const part = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    'ie',
    'a.yaml',
    'other',
    '~',
    'C:',
    'nul',
    'a.yaml:x',
    'a.yaml.',
    'a\\..\\b',
  ),
  fc.constantFrom('\u2025', '\uff0e\uff0e', '%2e%2e', '\u0000', '.git', '\u202e', 'con.yaml', '...', ' '),
  fc.string({ maxLength: 5, unit: 'binary' }),
);
const path = fc
  .tuple(fc.constantFrom('', '/', '//', '\\\\', '../', 'ie/../../'), fc.array(part, { maxLength: 6 }))
  .map(([start, parts]) => start + parts.join('/'));

describe('a path', () => {
  it('never leads outside the content folder, whatever it is', () => {
    const { place, content, other, isTouched } = twoFolders();
    symlinkSync(other, join(content, 'link'));
    fc.assert(
      fc.property(path, (one) => {
        for (const found of [one, `link/${one}`, `link/ie/a.yaml`]) {
          code(() => createContentFile(content, found, 'x'));
          code(() => replaceContentFile(content, found, '', 'x'));
          code(() => removeContentFile(content, found, ''));
        }
        expect(readdirSync(place).sort()).toEqual(['content', 'other']);
        expect(readdirSync(other, { recursive: true }).sort()).toEqual(['ie', 'ie/a.yaml']);
        expect(isTouched()).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('names a property of the catalogue in the API, or nothing', async () => {
    const { ask, workspace, property } = await startEditing((workspace) => {
      writeFileSync(join(workspace.root, 'secret.yaml'), ROSE);
      symlinkSync(join(workspace.root), join(workspace.content, 'up'));
      symlinkSync(join(workspace.root, 'secret.yaml'), join(workspace.content, 'photo.jpg'));
    });
    const { version } = await property();
    for (const one of [
      '../secret.yaml',
      'up/secret.yaml',
      '/etc/passwd',
      'rose.yaml/../../secret.yaml',
      '..\\secret.yaml',
      '%2e%2e/secret.yaml',
      'rose.yaml\u0000',
      'catalogue.yaml',
      'photo.jpg',
      '.git/config',
    ]) {
      expect((await ask(`property?path=${encodeURIComponent(one)}`)).status).toBe(404);
      expect((await ask(`photo?path=${encodeURIComponent(one)}`)).status).not.toBe(200);
      for (const name of ['save', 'restore', 'remove', 'rename']) {
        const body = {
          path: one,
          ...(name !== 'restore' && { version }),
          ...(name === 'save' && { fields: { title: 'x' } }),
        };
        expect([404, 409]).toContain((await ask(name, body)).status);
      }
    }
    expect(readFileSync(join(workspace.root, 'secret.yaml'), 'utf8')).toBe(ROSE);
  });
});

it.runIf(process.platform === 'linux')(
  'a folder that is constantly swapped for a link leads no write outside',
  async () => {
    const { place, content, other, isTouched } = twoFolders();
    const swapping = `
      const { renameSync, symlinkSync, rmSync } = require('node:fs');
      const { workerData, parentPort } = require('node:worker_threads');
      const [dir, aside, target] = workerData;
      let on = true;
      parentPort.on('message', () => { on = false; });
      const step = () => {
        for (let n = 0; n < 50; n++) {
          renameSync(dir, aside);
          // The other thread may have made the folder in the meantime.
          try { symlinkSync(target, dir); } catch {}
          for (;;) {
            try { rmSync(dir, { recursive: true, force: true }); renameSync(aside, dir); break; } catch {}
          }
        }
        if (on) setImmediate(step); else parentPort.close();
      };
      step();`;
    const worker = new Worker(swapping, {
      eval: true,
      workerData: [join(content, 'ie'), join(place, 'aside'), join(other, 'ie')],
    });
    const outcomes = new Set<string>();
    for (let n = 0; n < 1500; n++) {
      const act = () => {
        const { version } = readContentFile(content, 'ie/a.yaml');
        replaceContentFile(content, 'ie/a.yaml', version, `round ${n}`);
      };
      outcomes.add(code(act));
      outcomes.add(code(() => createContentFile(content, `ie/new-${n % 7}.yaml`, 'x')));
      if (n % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    worker.postMessage('end');
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(outcomes).toContain('done');
    expect(isTouched()).toBe(false);
    expect(readdirSync(join(other, 'ie'))).toEqual(['a.yaml']);
  },
);
