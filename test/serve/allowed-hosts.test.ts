/** A server on this machine answers only for its own hosts (D2). */
import { type IncomingMessage, request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { EVENTS_PATH, OVERLAY_PATH } from '../../src/dev/preview/overlay-script.ts';
import { type ServedSession, startDevServer } from '../../src/dev/preview/server.ts';
import { createHostGuard, createOriginGuard, type HostRules } from '../../src/serve/allowed-hosts.ts';
import { startServer } from '../../src/serve/server.ts';
import { createWorkspace } from '../compile/workspace.ts';

const asked = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;
const statusFor = (rules: HostRules, host: string) => createHostGuard(rules)(asked({ host }))?.status;

const LOOPBACK = ['127.0.0.1', '127.0.0.1:8080', '127.1.2.3', 'localhost', 'LocalHost:1', '[::1]:8080'];
const LOCAL_NAMES = ['app.localhost', 'a.b.localhost.:80', 'localhost.'];
const FOREIGN = [
  ...['evil.example', 'localhost.evil.example', 'evillocalhost', '127.0.0.1.evil.example'],
  ...['127.evil.example', '[::2]', '[::1].evil.example', 'evil.example:8080', '127.0.0.1@evil.example'],
  ...['127.0.0.1/evil.example', '', ' ', 'localhost:80:80'],
];

describe('the host of a request (D2)', () => {
  it.each([...LOOPBACK, ...LOCAL_NAMES])('is allowed on a loopback address: %s', (host) => {
    for (const own of ['127.0.0.1', 'localhost', '::1', '127.3.0.1']) {
      expect(statusFor({ host: own }, host)).toBeUndefined();
    }
  });

  it.each([...FOREIGN, '192.168.1.5', '0.0.0.0'])('is refused on a loopback address: %j', (host) => {
    expect(statusFor({ host: '127.0.0.1' }, host)).toBe(421);
  });

  it.each(FOREIGN.filter((name) => name !== '[::2]'))('is refused on every address: %j', (host) => {
    for (const own of ['0.0.0.0', '::', '192.168.1.5']) expect(statusFor({ host: own }, host)).toBe(421);
  });

  it('is allowed when it is an address, if the server listens on a network address', () => {
    for (const own of ['0.0.0.0', '::', 'studio.example']) {
      for (const host of [...LOOPBACK, '192.168.1.5:8080', '[fe80::1]:80']) {
        expect(statusFor({ host: own }, host)).toBeUndefined();
      }
    }
  });

  it('is allowed when it was named', () => {
    expect(statusFor({ host: 'Studio.example' }, 'studio.example:8080')).toBeUndefined();
    const rules = { host: '127.0.0.1', allowedHosts: ['preview.example', '.team.example'] };
    for (const host of ['preview.example:80', 'PREVIEW.example.', 'team.example', 'a.b.team.example']) {
      expect(statusFor(rules, host)).toBeUndefined();
    }
    for (const host of ['a.preview.example', 'evilteam.example', 'example']) {
      expect(statusFor(rules, host)).toBe(421);
    }
  });

  it('is refused when it only contains an allowed one', () => {
    const part = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
    fc.assert(
      fc.property(part, fc.constantFrom(...LOOPBACK, ...LOCAL_NAMES), (name, allowed) => {
        const bare = allowed.replace(/\.?(?::\d+)?$/, '');
        expect(statusFor({ host: '127.0.0.1' }, `${bare}.${name}`)).toBe(
          name === 'localhost' ? undefined : 421,
        );
      }),
    );
  });

  it('is accepted when it is missing, which no browser does', () => {
    expect(createHostGuard({ host: '127.0.0.1' })(asked({}))).toBeUndefined();
  });

  it('is refused with advice, and never printed unescaped', () => {
    const judge = createHostGuard({ host: '127.0.0.1' });
    expect(judge(asked({ host: 'evil.example:80' }))?.text).toContain('--allowed-host evil.example\n');
    expect(judge(asked({ host: '$(rm -rf ~)' }))?.text).toContain('--allowed-host <name>\n');
  });
});

describe('the origin of a request (D2)', () => {
  const statusOf = (origin: string) =>
    createOriginGuard({ host: '127.0.0.1', allowedHosts: ['team.example'] })(asked({ origin }))?.status;

  it.each(['http://localhost:3000', 'https://team.example', 'http://[::1]:5173', 'http://127.0.0.1:8080'])(
    'is allowed: %s',
    (origin) => expect(statusOf(origin)).toBeUndefined(),
  );

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'https://a.team.example', 'x'])(
    'is refused: %s',
    (origin) => expect(statusOf(origin)).toBe(403),
  );
});

/** Sends a request like the browser of a page of another site that was given the address of this server. */
function ask(url: string, path: string, headers: Record<string, string>) {
  const { port, hostname } = new URL(url);
  return new Promise<{ status: number | undefined; text: string; cors: unknown }>((resolve, reject) => {
    const sent = request({ port, hostname, path, headers, agent: false }, (response) => {
      const { statusCode: status } = response;
      const cors = response.headers['access-control-allow-origin'];
      // A stream of events does not end.
      if (status === 200) {
        response.destroy();
        resolve({ status, text: '', cors });
        return;
      }
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status, text, cors }));
    });
    sent.once('error', reject);
    sent.end();
  });
}

describe('the host check of a server (D2)', () => {
  const LIST = '/api/v1/public/properties';

  it('answers a rebound name with 421 on every path of a build', async () => {
    const workspace = createWorkspace();
    workspace.configure('page_sizes: [25]\ntargets: []\n');
    workspace.add(1);
    await workspace.build();
    const server = await startServer({ root: workspace.public, port: 0, allowedHosts: ['ok.example'] });
    onTestFinished(() => server.close());
    for (const path of ['/', LIST, '/_catalogue/current.json', '/nothing']) {
      const refused = await ask(server.url, path, { Host: 'evil.example' });
      expect(refused).toMatchObject({ status: 421, cors: undefined });
      expect(refused.text).toContain('"evil.example"');
    }
    for (const Host of ['localhost', 'ok.example', '[::1]:1']) {
      expect((await ask(server.url, LIST, { Host })).status).toBe(200);
    }
    // What it shows is the public API: pages of every site may ask.
    expect((await ask(server.url, LIST, { Origin: 'https://app.example' })).status).toBe(200);
  });

  it('answers neither a rebound name nor a page of another site in an editing session', async () => {
    const session: ServedSession = {
      root: '.',
      shown: () => undefined,
      configuration: () => configurationSchema.parse({}),
      drafts: () => [],
      readConsistently: (act) => act(),
      diagnostics: () => [],
      failure: () => undefined,
    };
    const server = await startDevServer({ session, content: '.', port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    for (const path of [EVENTS_PATH, OVERLAY_PATH, '/', LIST]) {
      expect((await ask(server.url, path, { Host: 'evil.example' })).status).toBe(421);
      const foreign = await ask(server.url, path, { Origin: 'https://evil.example' });
      expect(foreign).toMatchObject({ status: 403, cors: undefined });
    }
    const early = await fetch(server.url + LIST);
    expect([early.status, early.headers.get('Retry-After')]).toEqual([503, '1']);
    expect(early.headers.get('Content-Type')).toMatch('text/plain');
    for (const path of [EVENTS_PATH, OVERLAY_PATH]) {
      expect((await ask(server.url, path, { Origin: 'http://localhost:3000' })).status).toBe(200);
    }
  });
});
