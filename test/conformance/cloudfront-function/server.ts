/**
 * The CloudFront Function, in the njs program. Every event is given to it twice, with `rawQueryString()` and without,
 * and both results must be equal.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FEWER_SIZES, type ServerKind } from '../server.ts';
import { type Decision, startCloudfront, type Viewed } from '../servers/cloudfront-front.ts';

type Value = { value: string; multiValue?: { value: string }[] };
type FunctionRequest = {
  method: string;
  uri: string;
  raw: string;
  querystring: Record<string, Value>;
  headers: Record<string, Value>;
};
type FunctionResult = { uri: string } | { statusCode: number; headers: Record<string, Value>; body?: string };

/** The function in njs, in an imitation of the rest of CloudFront. */
export const cloudfrontServer: ServerKind<'cloudfront-function'> = {
  target: 'cloudfront-function',
  benchmark: 'imitation',
  servesRangesItself: true,
  needs: [{ program: '/usr/bin/njs', package: 'njs' }],
  absentFile: 'property-not-found',
  connections: 200,
  sizes: FEWER_SIZES,
  start: ({ edge, work, fixture }) => {
    const run = startFunction(edge, work);
    return startCloudfront(fixture, async (request) => decision(await run(eventRequest(request))));
  },
};

function eventRequest({ method, uri, query, headers }: Viewed): FunctionRequest {
  const values = Object.entries(headers).map(([name, all]) => {
    const multiValue = all.map((value) => ({ value }));
    return [name, all.length > 1 ? { ...multiValue[0]!, multiValue } : multiValue[0]!];
  });
  return { method, uri, raw: query, querystring: takenApart(query), headers: Object.fromEntries(values) };
}

function decision(result: FunctionResult): Decision {
  if ('uri' in result) return { uri: result.uri };
  const headers = Object.entries(result.headers).map(([name, { value }]): [string, string] => [name, value]);
  return { status: result.statusCode, headers, body: result.body };
}

/** The query as it stands in an event: by name, names and values not decoded. */
function takenApart(raw: string): Record<string, Value> {
  const values: Record<string, Value> = Object.create(null);
  for (const pair of raw.split('&').filter((pair) => pair !== '')) {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    const known = values[name];
    if (known) known.multiValue = [...(known.multiValue ?? [{ value: known.value }]), { value }];
    else values[name] = { value };
  }
  return values;
}

/**
 * Milliseconds of one run of the function: a path of 2,000 characters takes 20 to 60 in njs, and a pattern that tries every way
 * to match takes seconds.
 */
const MOST = 500;

const DRIVER = `
import fs from 'fs';
const MOST = ${MOST};
function once(event, isRaw, attempt) {
  const request = JSON.parse(JSON.stringify(event));
  const raw = request.raw;
  delete request.raw;
  if (isRaw) request.rawQueryString = function () { return raw; };
  const started = Date.now();
  return handler({ version: '1.0', request: request }).then(function (result) {
    delete result.rawQueryString;
    if (Date.now() - started <= MOST) return JSON.stringify(result);
    return attempt < 30 ? once(event, isRaw, attempt + 1) : 'slow';
  });
}
const results = [];
let chain = Promise.resolve();
JSON.parse(fs.readFileSync(EVENTS, 'utf8')).forEach(function (event) {
  chain = chain.then(function () { return once(event, true, 0); }).then(function (first) {
    return once(event, false, 0).then(function (second) {
      let fault = '';
      if (first === 'slow' || second === 'slow') fault = 'slow';
      else if (first !== second) fault = 'rawQueryString makes a difference';
      results.push(fault ? JSON.stringify({ statusCode: 500, headers: {}, body: fault }) : first);
    });
  });
});
chain.then(function () { fs.writeFileSync(RESULTS, '[' + results.join(',') + ']'); });
`;

/** Runs the function in njs; simultaneous events share one run of the program. */
function startFunction(edge: string, work: string) {
  const store = JSON.parse(readFileSync(join(edge, 'key-value-store.json'), 'utf8')) as {
    data: { key: string; value: string }[];
  };
  const values = Object.fromEntries(store.data.map(({ key, value }) => [key, value]));
  writeFileSync(
    join(work, 'cloudfront'),
    `const values = ${JSON.stringify(values)};
function kvs() {
  return {
    exists: function (key) { return Promise.resolve(key in values); },
    get: function (key) { return key in values ? Promise.resolve(values[key]) : Promise.reject(new Error('KeyNotFound')); },
  };
}
export default { kvs: kvs };`,
  );
  const [events, outcome] = [join(work, 'events.json'), join(work, 'results.json')];
  const code = readFileSync(join(edge, 'function.js'), 'utf8');
  writeFileSync(
    join(work, 'driver.js'),
    `${code}\nconst EVENTS = ${JSON.stringify(events)}; const RESULTS = ${JSON.stringify(outcome)};${DRIVER}`,
  );
  let waiting: Waiting[] = [];
  let isBusy = false;
  const flush = async () => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    const batch = waiting;
    waiting = [];
    try {
      writeFileSync(events, JSON.stringify(batch.map(({ event }) => event)));
      await execute('/usr/bin/njs', ['-p', work, join(work, 'driver.js')]);
      const results = JSON.parse(readFileSync(outcome, 'utf8')) as FunctionResult[];
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    }
    isBusy = false;
    void flush();
  };
  return (event: FunctionRequest) =>
    new Promise<FunctionResult>((resolve, reject) => {
      waiting.push({ event, resolve, reject });
      setTimeout(flush, 2);
    });
}

type Waiting = {
  event: FunctionRequest;
  resolve: (result: FunctionResult) => void;
  reject: (error: Error) => void;
};

const execute = promisify(execFile);
