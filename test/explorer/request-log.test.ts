import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestLog, curlLine } from '../../src/explorer/request-log.ts';

/** The arguments that a shell passes to a program for this line. */
function shellArguments(line: string): string[] {
  const script = `curl() { for argument in "$@"; do printf '%s\\0' "$argument"; done; }\n${line}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { API_KEY: 'k $(e)y' } })
    .split('\0')
    .slice(0, -1);
}

describe('a curl line', () => {
  it('passes the URL and the headers to curl unchanged, whatever they hold', () => {
    const text = fc.string({ unit: 'grapheme-ascii', minLength: 1 });
    fc.assert(
      fc.property(text, text, (path, value) => {
        const url = `https://stays.example/${path}`;
        expect(shellArguments(curlLine({ url, headers: { accept: value } }))).toEqual([
          '--globoff',
          '-H',
          `Accept: ${value}`,
          url,
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('contains no key, and reads it from the environment', () => {
    const line = curlLine({ url: 'https://stays.example/', headers: { 'x-api-key': 'secret' } });
    expect(line).not.toContain('secret');
    expect(shellArguments(line)).toContain('X-API-KEY: k $(e)y');
  });
});

describe('the log', () => {
  it('lists every request with its result, in order', async () => {
    const answers = [new Response('', { status: 200 }), new Response('', { status: 404 })];
    const log = createRequestLog(async () => {
      const answer = answers.shift();
      if (!answer) throw new TypeError('no network');
      return answer;
    });
    const send = log.recorder('list');
    await send('https://stays.example/a', { headers: { Accept: 'x' } });
    await send('https://stays.example/b');
    await expect(send('https://stays.example/c')).rejects.toThrow('no network');
    expect(log.get().map(({ url, status, purpose }) => [url, status, purpose])).toEqual([
      ['https://stays.example/a', 200, 'list'],
      ['https://stays.example/b', 404, 'list'],
      ['https://stays.example/c', 0, 'list'],
    ]);
    expect(log.get()[0]?.headers).toEqual({ accept: 'x' });
    expect(log.get()[0]?.milliseconds).toBeGreaterThanOrEqual(0);
  });

  it('drops requests whose answers are no longer wanted', async () => {
    const leaving = new AbortController();
    const log = createRequestLog(
      (_input, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    );
    const asked = log.recorder('search')('https://stays.example/', { signal: leaving.signal });
    expect(log.get()).toHaveLength(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    expect(log.get()).toEqual([]);
  });
});
