/** Runs the whole comparison of one target on its real server. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { problemDocuments } from '../../src/contract/problem.ts';
import { TARGETS } from '../../src/targets/index.ts';
import type { Target, TargetInput } from '../../src/targets/target.ts';
import { type Case, type Expectation, type Group, problem, resolve } from './case.ts';
import { allCases } from './cases/index.ts';
import { missingCases } from './cases/ranges.ts';
import { type Connection, headerOf, openConnection, type Response } from './client.ts';
import { curlLine, type ShownRequest } from './curl-line.ts';
import {
  CACHE_CONTROL,
  type Fixture,
  type FixtureOptions,
  makeFixture,
  pageText,
  scopesOf,
  scopeTotals,
  select,
  writeFixture,
} from './fixture.ts';
import { randomQuery, randomSource } from './fuzz.ts';
import { judge, judgeAlways, judgeAnswer, judgeBody, judgeNotModified, SLOW } from './judge.ts';
import { listExpectation } from './oracle.ts';
import { makePreview } from './preview.ts';
import { processorTime, tellsProcessorTime } from './processor-time.ts';
import { nameOf, type RunningServer, type ServerKind } from './server.ts';

/** The folder of fixtures: thousands of small files, which are slow to write on a disk. */
const TEMPORARY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** One failed comparison; `request` is a curl line. */
export type Failure = { group: string; name: string; request: string; fault: string };

/** The result of one target: by group, the passed and all cases; and the failures. */
export type Outcome = {
  target: string;
  groups: Map<Group, { passed: number; total: number }>;
  failures: Failure[];
  slowest: number;
};

/** The usual catalogue: all sizes, no base, open. */
export const PLAIN: FixtureOptions = { base: '', sizes: 'all', keys: [] };
/** A protected catalogue below a path, with few sizes. */
const GUARDED: FixtureOptions = {
  base: '/stays/v2',
  sizes: [1, 10, 25, 100],
  keys: ['first-key-0123456789', 'Second key, of “other” bytes'.replace(/[^ -~]/g, '.')],
  hasMissingPages: true,
};

/** What a comparison does. */
export type ConformanceOptions = {
  seed: number;
  /** Number of random queries. */
  fuzz: number;
  /** Whether a protected catalogue below a path is tried after the usual one. */
  guarded: boolean;
};

type Served = RunningServer & { kind: ServerKind; slow: Timed[] };

/** Starts the server with each catalogue, and tries the table, random queries, and every page. */
export async function runConformance(kind: ServerKind, options: ConformanceOptions): Promise<Outcome> {
  const outcome: Outcome = { target: nameOf(kind), groups: new Map(), failures: [], slowest: 0 };
  const guarded = checksKeys(kind) ? GUARDED : { ...GUARDED, keys: [] };
  for (const fixtureOptions of options.guarded ? [PLAIN, guarded] : [PLAIN]) {
    const hasPublicLists = kind.lacks?.includes('guarded');
    const given = { ...fixtureOptions, layout: kind.layout, hasPublicLists };
    const { seen: fixture, stored } = kind.isPreview ? makePreview(given) : inPlace(makeFixture(given));
    await withServer(kind, stored, async ({ port, stop }) => {
      const server: Served = { port, stop, kind, slow: [] };
      await runCases(server, fixture, outcome);
      await runFuzz(
        server,
        fixture,
        outcome,
        options.seed,
        fixtureOptions === PLAIN ? options.fuzz : options.fuzz / 4,
      );
      await runAllPages(server, fixture, outcome);
      await runMissing(server, fixture, outcome);
    });
  }
  return outcome;
}

function inPlace(fixture: Fixture) {
  return { seen: fixture, stored: fixture };
}

/** The target of a server; undefined for Node, which needs no configuration. */
function targetOf({ target }: ServerKind): Target | undefined {
  return target === 'node' ? undefined : TARGETS[target];
}

/** Returns whether a target can check keys, that is, whether it is generated for a protected catalogue. */
export function checksKeys(kind: ServerKind): boolean {
  const empty = {
    ...GUARDED,
    layout: kind.layout,
    summaries: [],
    files: new Map(),
    details: new Map(),
    cities: [],
    missing: [],
  };
  const result = targetOf(kind)?.generate(targetInput(empty));
  if (result?.refusal && result.refusal.code !== 'target-api-keys') throw new Error(result.refusal.message);
  return !result?.refusal;
}

/**
 * Writes the fixture and the target's files, starts the server, and stops it afterwards.
 *
 * @param origin port of the stand-in for the origin.
 */
export async function withServer(
  kind: ServerKind,
  fixture: Fixture,
  use: (server: RunningServer) => Promise<void>,
  origin?: number,
): Promise<void> {
  const folder = mkdtempSync(join(TEMPORARY, `catalogue-${kind.target}-`));
  try {
    const root = writeFixture(fixture, folder);
    const edge = join(folder, 'edge');
    const work = join(folder, 'work');
    mkdirSync(work);
    const { files, refusal } = targetOf(kind)?.generate(targetInput(fixture)) ?? { files: [] };
    if (refusal) throw new Error(refusal.message);
    for (const file of files) {
      const path = join(edge, file.path);
      mkdirSync(dirname(path), { recursive: true });
      if ('link' in file) symlinkSync(file.link, path);
      else writeFileSync(path, file.content);
    }
    const server = await kind.start({ root, edge, work, fixture, origin });
    try {
      await use(server);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The input of the target generators for a fixture. */
export function targetInput(fixture: Fixture): TargetInput {
  const configuration = configurationSchema.parse({
    base_url: `http://localhost:8080${fixture.base}`,
    page_sizes: fixture.sizes === 'all' ? 'all' : fixture.sizes.map(String),
    api_keys: fixture.keys.map((key) => createHash('sha256').update(key).digest('hex')),
    cache_control: CACHE_CONTROL,
    layout: fixture.layout,
    origin: fixture.origin,
  });
  const settings = { base: fixture.base, sizes: fixture.sizes, layout: configuration.layout };
  return { configuration, settings, problems: problemDocuments(settings), scopes: scopeTotals(fixture) };
}

async function runCases(server: Served, fixture: Fixture, outcome: Outcome): Promise<void> {
  const { absentFile, behindProxy, servesRangesItself, isPreview, lacks = [] } = server.kind;
  const cases = allCases(fixture).filter(
    ({ group, expect, target }) =>
      !lacks.includes(group) &&
      // What is outside a preview is the live release's.
      !(isPreview && !target.startsWith(`${fixture.base}/`)) &&
      !(servesRangesItself && group === 'ranges' && isPlatforms(expect, target)),
  );
  await inParallel(server, cases, async (row, connection) => {
    const isOther = absentFile !== undefined && isAbsentFile(row, fixture);
    // The runtime gives the code a URL in which U+FFFD stands for invalid UTF-8, so it can be no city.
    const isReplaced = behindProxy && row.target.includes('%EF%BF%BD');
    const malformed = problem('malformed-encoding.city');
    const or = [...(isOther ? [problem(absentFile)] : []), ...(isReplaced ? [malformed] : [])];
    const test = or.length > 0 ? { ...row, or: [...row.or, ...or] } : row;
    const [found, response] = await tryCase(test, connection, fixture);
    const isListed = isPreview && isWithin(test) && isFound(response) && !isNoIndex(response);
    const fault = found ?? (isListed ? 'X-Robots-Tag is not noindex' : undefined);
    const isExcused = behindProxy && response.status >= 500 && isIllegal(test);
    const again = (connection: Connection) =>
      tryCase(test, connection, fixture).then(([, response]) => response);
    const headers = headersOf(test, fixture);
    const timed: Timed = { group: test.group, test: { ...test, headers }, again };
    recordTimed(server, outcome, timed, response, isExcused ? undefined : fault);
  });
  await runSlow(server, outcome);
}

/** Returns whether the answer to a range is the platform's own: behind the end of a file, and of a list. */
function isPlatforms({ kind }: Expectation, target: string): boolean {
  return kind === 'out of range' || target.includes('/api/v1/public/');
}

/** Whether no dot segment leads out of the preview. */
function isWithin({ target }: Case): boolean {
  return !/\/(?:\.|%2e)/i.test(target);
}

function isFound({ status }: Response): boolean {
  return status === 200 || status === 404;
}

function isNoIndex(response: Response): boolean {
  return headerOf(response, 'X-Robots-Tag') === 'noindex';
}

function isIllegal({ expect, or }: Case): boolean {
  return [expect, ...or].some(({ kind }) => kind === 'refused');
}

function isAbsentFile({ target, expect }: Case, { base }: Fixture): boolean {
  const api = `${base}/api/v1/public`;
  return (
    expect.kind === 'problem' &&
    expect.name === 'not-found' &&
    target.split('?')[0] !== api &&
    !target.startsWith(`${api}/`)
  );
}

/** Headers of a case; a protected catalogue gets a key. */
function headersOf({ key, headers }: Case, { keys }: Fixture): Case['headers'] {
  const sent = key === undefined ? keys[0] : key;
  return sent === undefined || sent === null ? headers : [...headers, ['X-API-KEY', sent]];
}

async function tryCase(
  test: Case,
  connection: Connection,
  fixture: Fixture,
): Promise<[string | undefined, Response]> {
  const headers = headersOf(test, fixture);
  if (!test.revalidate) {
    const response = await connection.send(test.method, test.target, headers);
    return [judge(test, response, fixture), response];
  }
  const first = await connection.send('GET', test.target, headers);
  const fault = judge({ ...test, method: 'GET' }, first, fixture);
  if (fault) return [fault, first];
  const condition: [string, string] = ['If-None-Match', test.revalidate(headerOf(first, 'ETag')!)];
  const second = await connection.send(test.method, test.target, [...headers, condition]);
  return [judgeNotModified(first, second), second];
}

async function runFuzz(
  server: Served,
  fixture: Fixture,
  outcome: Outcome,
  seed: number,
  count: number,
): Promise<void> {
  const random = randomSource(seed);
  const queries = Array.from({ length: count }, () => randomQuery(random, fixture));
  await inParallel(server, queries, async (query, connection) => {
    const target = `${fixture.base}/api/v1/public/properties?${query}`;
    const again = (connection: Connection) => connection.send('GET', target, keyHeader(fixture));
    const response = await again(connection);
    const wanted = resolve(listExpectation(query, fixture), fixture)!;
    const fault = judgeAlways(response) ?? judgeBody('GET', wanted, response);
    const test = { name: `seed ${seed}`, method: 'GET', target, headers: keyHeader(fixture) };
    recordTimed(server, outcome, { group: 'fuzz', test, again }, response, fault);
  });
  await runSlow(server, outcome);
}

/** Every page of every scope and size, and the first past each end. */
async function runAllPages(server: Served, fixture: Fixture, outcome: Outcome): Promise<void> {
  const requests: { target: string; body: string }[] = [];
  const every = Array.from({ length: 100 }, (_, index) => index + 1);
  const sizes = fixture.sizes === 'all' ? (server.kind.sizes ?? every) : fixture.sizes;
  for (const { country, city } of scopesOf(fixture.summaries)) {
    const entries = select(fixture.summaries, country, city);
    const filter = `${country ? `filter[country]=${country}&` : ''}${city ? `filter[city]=${encodeURIComponent(city)}&` : ''}`;
    for (const size of sizes) {
      for (let number = 1; number <= Math.ceil(entries.length / size) + 1; number++) {
        if (!city && isMissing({ country, size, number }, fixture)) continue;
        const target = `${fixture.base}/api/v1/public/properties?${filter}page[size]=${size}&page[number]=${number}`;
        requests.push({ target, body: pageText(entries, size, number) });
      }
    }
  }
  await inParallel(server, requests, async ({ target, body }, connection) => {
    const response = await connection.send('GET', target, keyHeader(fixture));
    const isRight = response.status === 200 && response.body.equals(Buffer.from(body));
    const fault = isRight ? undefined : `status ${response.status}, body ${response.body.subarray(0, 160)}`;
    const test = { name: target, method: 'GET', target, headers: keyHeader(fixture) };
    record(outcome, 'all pages', test, fault);
  });
}

function isMissing(
  { country, size, number }: { country: string | undefined; size: number; number: number },
  { missing }: Fixture,
): boolean {
  return missing.some((page) => page.country === country && page.size === size && page.number === number);
}

/** Pages without a file: nothing else than a failure is right, and nothing may keep it. */
async function runMissing(server: Served, fixture: Fixture, outcome: Outcome): Promise<void> {
  const { absentFile, computesNoPages } = server.kind;
  const cases = missingCases(fixture).slice(0, computesNoPages ? 1 : undefined);
  await inParallel(server, cases, async (row, connection) => {
    const test: Case = absentFile ? { ...row, or: [{ kind: 'refused' }] } : row;
    const response = await connection.send('GET', test.target, keyHeader(fixture));
    record(outcome, 'missing', test, judgeAnswer(test, response, fixture));
  });
}

function keyHeader({ keys }: Fixture): [string, string][] {
  return keys[0] === undefined ? [] : [['X-API-KEY', keys[0]]];
}

/** A request whose time is judged, and how to send it again. */
type Timed = {
  group: Group;
  test: ShownRequest & { name: string };
  again: (connection: Connection) => Promise<Response>;
};

/**
 * Judges the duration of a correct answer. A slow one is requested again without other load,
 * since a busy machine may be slow once.
 */
function recordTimed(
  { kind, slow }: Served,
  outcome: Outcome,
  { group, test, again }: Timed,
  { milliseconds }: Response,
  fault: string | undefined,
): void {
  if (fault === undefined && milliseconds > SLOW && kind.connections === undefined) {
    slow.push({ group, test, again });
    return;
  }
  // An imitation that works off many requests at once judges the time itself.
  if (kind.connections === undefined) outcome.slowest = Math.max(outcome.slowest, milliseconds);
  record(outcome, group, test, fault);
}

async function runSlow({ port, slow }: Served, outcome: Outcome): Promise<void> {
  const connection = openConnection(port);
  for (const { group, test, again } of slow.splice(0)) {
    const milliseconds = await shortest(() => again(connection));
    outcome.slowest = Math.max(outcome.slowest, milliseconds);
    const fault = milliseconds > SLOW ? `${milliseconds.toFixed(1)} ms, expected at most ${SLOW}` : undefined;
    record(outcome, group, test, fault);
  }
  connection.close();
}

/** The least time of a request, in milliseconds: by the clock, or in processor time of the server and this process. */
async function shortest(again: () => Promise<Response>): Promise<number> {
  const before = processorTime(process.pid);
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= 20; attempt++) {
    milliseconds = Math.min(milliseconds, (await again()).milliseconds);
    if (milliseconds <= SLOW) return milliseconds;
  }
  return tellsProcessorTime() ? (1000 * (processorTime(process.pid) - before)) / 20 : milliseconds;
}

function record(
  outcome: Outcome,
  group: Group,
  { name, ...request }: ShownRequest & { name: string },
  fault: string | undefined,
): void {
  const count = outcome.groups.get(group) ?? { passed: 0, total: 0 };
  outcome.groups.set(group, count);
  count.total++;
  if (fault === undefined) count.passed++;
  else outcome.failures.push({ group, name, request: curlLine(request), fault });
}

/** Processes a list over several connections. */
async function inParallel<T>(
  { port, kind: { connections = 4 } }: Served,
  items: readonly T[],
  work: (item: T, connection: Connection) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    const connection = openConnection(port);
    try {
      while (next < items.length) await work(items[next++]!, connection);
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** The first failures, for people; empty when there are none. */
export function failureText({ failures }: Pick<Outcome, 'failures'>): string {
  const shown = failures
    .slice(0, 20)
    .map(({ group, name, request, fault }) => `${group}: ${name}\n  ${request}\n  ${fault}`);
  return failures.length === 0 ? '' : `${failures.length} failures\n${shown.join('\n')}`;
}
