/** The time that the client waits before a repetition (B6; RFC 9110, 10.2.3). */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient, ProblemError } from '../../src/client/index.ts';
import { retryAfterOf } from '../../src/client/retry.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const headers = (after: string, date?: string) =>
  new Headers({ 'Retry-After': after, ...(date ? { Date: date } : {}) });
const httpDate = (milliseconds: number) => new Date(milliseconds).toUTCString();

it.each<[string, Headers, number | undefined]>([
  ['seconds', headers('120'), 120_000],
  ['none', new Headers(), undefined],
  ['0', headers('0'), 0],
  ['a date', headers(httpDate(NOW + 7000)), 7000],
  ['a date that has passed', headers(httpDate(NOW - 7000)), 0],
  [
    'a date by the clock of the server, which is an hour ahead',
    headers(httpDate(NOW + 3_607_000), httpDate(NOW + 3_600_000)),
    7000,
  ],
  ['a date of RFC 850', headers('Sunday, 22-Nov-26 12:00:07 GMT'), 7000],
  ['a fraction', headers('1.5'), undefined],
  ['a negative number', headers('-3'), undefined],
  ['a word', headers('soon'), undefined],
  ['too many digits', headers('99999999999'), undefined],
])('reads %s (B6)', (_what, given, expected) => {
  expect(retryAfterOf(given)).toBe(expected);
});

/** A client of a server that answers 503 with these headers, then the index; and the length of its waits. */
async function waitFor(retryAfter: string, maxRetryDelay?: number): Promise<number | ProblemError> {
  let turn = 0;
  const client = createClient({
    baseUrl: 'https://stays.example',
    ...(maxRetryDelay === undefined ? {} : { maxRetryDelay }),
    fetch: async () =>
      turn++ === 0
        ? new Response('', { status: 503, headers: headers(retryAfter) })
        : Response.json({ release: '', links: [] }),
  });
  const started = Date.now();
  const asked = client.getIndex().then(
    () => Date.now() - started,
    (error: unknown) => error as ProblemError,
  );
  await vi.runAllTimersAsync();
  return asked;
}

it('waits as long as the server asks for, in seconds or until a date (B6)', async () => {
  expect(await waitFor('20')).toBe(20_000);
  expect(await waitFor(httpDate(Date.now() + 20_000))).toBe(20_000);
});

it('does not repeat sooner than the server allows: when that wait is too long, the answer is returned (B6)', async () => {
  const error = (await waitFor('3600')) as ProblemError;
  expect(error).toBeInstanceOf(ProblemError);
  expect([error.status, error.retryAfter]).toEqual([503, 3_600_000]);
  expect(await waitFor('3600', 3_600_000)).toBe(3_600_000);
});

it('waits a growing time by itself, never longer than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 5000 }),
      async (retries, most) => {
        const times: number[] = [];
        const client = createClient({
          baseUrl: 'https://stays.example',
          retries,
          maxRetryDelay: most,
          fetch: async () => {
            times.push(Date.now());
            return new Response('', { status: 502 });
          },
        });
        const failed = client.getIndex().catch((error: unknown) => error);
        await vi.runAllTimersAsync();
        expect(await failed).toBeInstanceOf(ProblemError);
        expect(times).toHaveLength(retries + 1);
        for (let turn = 1; turn < times.length; turn++) {
          const wait = times[turn]! - times[turn - 1]!;
          expect(wait).toBeGreaterThanOrEqual(Math.min(most, 100 * 2 ** (turn - 1)) - 1);
          expect(wait).toBeLessThanOrEqual(Math.min(most, 300 * 2 ** (turn - 1)) + 1);
        }
      },
    ),
    { numRuns: 30 },
  );
});

it.each([400, 401, 404, 410, 416, 501, 505])('does not repeat after %i', async (status) => {
  let count = 0;
  const fetch = async () => {
    count++;
    return new Response('', { status });
  };
  await expect(createClient({ baseUrl: 'https://stays.example', fetch }).getIndex()).rejects.toMatchObject({
    status,
  });
  expect(count).toBe(1);
});
