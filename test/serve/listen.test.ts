/** The error for an unavailable port or address contains advice (E13). */
import { createServer } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EnvironmentError } from '../../src/errors/errors.ts';
import { listen } from '../../src/serve/listen.ts';

function aServer() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

describe('listening (E13)', () => {
  beforeEach(() => vi.stubEnv('npm_lifecycle_event', undefined));

  it('prints the URL, with a free port for port 0', async () => {
    expect(await listen(aServer(), 0, '127.0.0.1')).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  it('on a port in use names that port, and a free one', async () => {
    const port = Number(new URL(await listen(aServer(), 0, '127.0.0.1')).port);
    const failure = await listen(aServer(), port, '127.0.0.1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EnvironmentError);
    const { code, message } = failure as EnvironmentError;
    expect(code).toBe('EADDRINUSE');
    expect(message).toContain(`port ${port} of 127.0.0.1`);
    expect(message).toContain('"--port 0"');
    const [, free] = /"--port (\d+)", which is free/.exec(message)!;
    expect(await listen(aServer(), Number(free), '127.0.0.1')).toBe(`http://127.0.0.1:${free}`);
  });

  it('on a port in use by a script of npm proposes what npm passes on', async () => {
    const port = Number(new URL(await listen(aServer(), 0, '127.0.0.1')).port);
    vi.stubEnv('npm_lifecycle_event', 'edit');
    await expect(listen(aServer(), port, '127.0.0.1')).rejects.toThrow(
      /Run "npm run edit -- --port \d+", which is free, or with "--port 0"/,
    );
  });

  it('on an address of another machine reports that', async () => {
    // No machine has an address of TEST-NET-1 (RFC 5737).
    await expect(listen(aServer(), 0, '192.0.2.1')).rejects.toThrow(
      '192.0.2.1 is not an address of this machine',
    );
  });
});
