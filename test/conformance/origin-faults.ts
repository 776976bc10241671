/** Runs the cases of a target with a failing origin: broken data is never shown as empty, and never cached. */
import { type Case, problem } from './case.ts';
import {
  bucketCases,
  FAULTS,
  faultCases,
  foreignHeaderCases,
  healedCases,
  isAbsence,
} from './cases/origin.ts';
import { openConnection, type Response } from './client.ts';
import { type Failure, PLAIN, withServer } from './conformance.ts';
import { curlLine } from './curl-line.ts';
import { type Fixture, makeFixture } from './fixture.ts';
import { judgeAnswer } from './judge.ts';
import type { ServerKind } from './server.ts';
import {
  type Fault,
  type FaultyOrigin,
  type FaultyOriginOptions,
  startFaultyOrigin,
} from './servers/faulty-origin.ts';

/** The outcome of the cases of a target. */
type OriginOutcome = { total: number; failures: Failure[] };

type Ask = (test: Case & { host?: string }) => Promise<void>;

type Fail = FaultyOrigin['fail'];

/** The number of cases, and those with a wrong answer. */
export async function runOriginFaults(kind: ServerKind): Promise<OriginOutcome> {
  const outcome: OriginOutcome = { total: 0, failures: [] };
  const fixture = makeFixture({ ...PLAIN, sizes: [1, 2, 25], layout: kind.layout });
  const { isBucket, isBucketBySetting } = kind.origin ?? {};
  const turns = FAULTS.map((fault, turn) => ({ turn, fault, isAbsent: isAbsence(fault, isBucket) }));
  // A total in any cache proves that a catalogue exists: each missing file is requested from a target without cache.
  for (const { turn, fault } of turns.filter(({ isAbsent }) => isAbsent)) {
    await withOrigin(kind, fixture, {}, outcome, async (ask, fail) => {
      const cases = faultCases(fixture, fault, turn, isBucket).map(({ test, usual, isUsualWithTotals }) =>
        isUsualWithTotals && kind.origin?.knowsTotals ? { ...test, expect: usual } : test,
      );
      await breakAndHeal({ fault, cases, healed: healedCases(fixture, turn) }, ask, fail);
    });
  }
  await withOrigin(kind, fixture, {}, outcome, async (ask, fail) => {
    for (const [index, { turn, fault }] of turns.filter(({ isAbsent }) => !isAbsent).entries()) {
      // Targets that cut pages out of chunks have read some of them before, as well as parts of details, and continue with those.
      const remembers = kind.layout === 'packed' && index > 0;
      const isHeld = (name: string) => remembers && 'connection' in fault && name.endsWith('past the end');
      const cases = faultCases(fixture, fault, turn, isBucket).map(({ test, usual }): Case => {
        if (isHeld(test.name) || (fault.keys && kind.origin?.knowsTotals)) return { ...test, expect: usual };
        const id = test.name.endsWith('a property')
          ? test.target.slice(test.target.lastIndexOf('/') + 1)
          : '';
        if (remembers && id) return { ...test, or: [{ kind: 'property', id }] };
        return remembers && usual.kind === 'page' ? { ...test, or: [usual] } : test;
      });
      await breakAndHeal({ fault, cases, healed: healedCases(fixture, turn) }, ask, fail);
    }
    for (const test of foreignHeaderCases(fixture)) {
      const isPassedOn = kind.origin?.passesUnknownHeaders && test.headers[0]?.[0].match(/^X-(?:Large|Many)/);
      await ask(isPassedOn ? { ...test, or: [problem('list-unavailable')] } : test);
    }
  });
  if (isBucketBySetting) {
    const bucket = { ...fixture, origin: 'bucket' as const };
    await withOrigin(kind, bucket, { absent: 403 }, outcome, async (ask) => {
      for (const test of bucketCases(bucket)) await ask(test);
    });
  }
  return outcome;
}

async function breakAndHeal(
  { fault, cases, healed }: { fault: Fault; cases: readonly Case[]; healed: readonly Case[] },
  ask: Ask,
  fail: Fail,
): Promise<void> {
  fail(fault);
  await Promise.all(cases.map(ask));
  fail(undefined);
  for (const test of healed) await ask(test);
}

async function withOrigin(
  kind: ServerKind,
  fixture: Fixture,
  options: FaultyOriginOptions,
  outcome: OriginOutcome,
  use: (ask: Ask, fail: Fail) => Promise<void>,
): Promise<void> {
  const origin = await startFaultyOrigin(fixture, options);
  try {
    await withServer(
      kind,
      fixture,
      async ({ port }) => {
        const ask: Ask = async (test) => {
          outcome.total++;
          const response = await answerOf(port, test);
          // An invalid host does not pass the proxy of the platform.
          if (kind.behindProxy && test.host && typeof response !== 'string' && response.status >= 500) return;
          const fault = typeof response === 'string' ? response : judgeAnswer(test, response, fixture);
          const request = curlLine(test);
          if (fault !== undefined)
            outcome.failures.push({ group: 'origin', name: test.name, request, fault });
        };
        await use(ask, origin.fail);
      },
      origin.port,
    );
  } finally {
    await origin.stop();
  }
}

async function answerOf(
  port: number,
  { method, target, headers, host }: Case & { host?: string },
): Promise<Response | string> {
  const connection = openConnection(port, host);
  try {
    return await connection.send(method, target, headers);
  } catch (error) {
    return String(error);
  } finally {
    connection.close();
  }
}
