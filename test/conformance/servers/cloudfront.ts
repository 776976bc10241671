/**
 * CloudFront as its documentation describes it, around the generated function, which runs in the njs program: the
 * function's event, the key value store, a bucket, the response headers policy and the custom error response. Every
 * event is given to the function twice, with `rawQueryString()` and without, and both must come out the same.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_CONTROL, type Fixture } from '../fixture.ts';
import { listening, type ServerKind } from '../server.ts';

type Value = { value: string; multiValue?: { value: string }[] };
type FunctionRequest = {
  method: string;
  uri: string;
  querystring: Record<string, Value>;
  headers: Record<string, Value>;
};
type FunctionResult = FunctionRequest | { statusCode: number; headers: Record<string, Value>; body?: string };

/** The function in njs, in an imitation of the rest of CloudFront. */
export const cloudfrontServer: ServerKind = {
  target: 'cloudfront-function',
  needs: [{ program: '/usr/bin/njs', package: 'njs' }],
  absentFile: 'property-not-found',
  connections: 200,
  start: async ({ edge, work, fixture }) => {
    const run = startFunction(edge, work);
    const server = createServer((request, response) => {
      answer(request, response, run, fixture).catch((error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      });
    });
    return listening(server);
  },
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  run: (request: FunctionRequest & { raw: string }) => Promise<FunctionResult>,
  fixture: Fixture,
): Promise<void> {
  const target = (request.url ?? '').replace(/^https?:\/\/[^/]*/, '');
  const method = request.method ?? '';
  const [uri, raw] = target.includes('?')
    ? [target.slice(0, target.indexOf('?')), target.slice(target.indexOf('?') + 1)]
    : [target, ''];
  if (/[^!-~]/.test(target) || !uri.startsWith('/')) {
    response.writeHead(400);
    response.end();
    return;
  }
  const headers: Record<string, Value> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = { value: String(value) };
  const result = await run({ method, uri, raw, querystring: takenApart(raw), headers });
  // The response headers policies: for everything, and for the list of a catalogue that asks for keys.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (fixture.keys.length > 0 && uri === `${fixture.base}/api/v1/public/properties`)
    response.setHeader('Vary', 'X-API-KEY');
  if ('statusCode' in result) {
    for (const [name, { value }] of Object.entries(result.headers)) response.setHeader(name, value);
    response.writeHead(result.statusCode);
    response.end(result.body);
    return;
  }
  sendObject(result, request.headers['if-none-match'], response, fixture);
}

/** What the bucket has, revalidation as CloudFront does it, and the custom error response. */
function sendObject(
  { uri, method }: FunctionRequest,
  ifNoneMatch: string | undefined,
  response: ServerResponse,
  { files }: Fixture,
): void {
  let key = '';
  try {
    key = decodeURIComponent(uri.slice(1));
  } catch {}
  const body = files.get(key);
  if (!body) {
    response.writeHead(404, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': CACHE_CONTROL.problem,
    });
    response.end(method === 'HEAD' ? undefined : files.get('_catalogue/problems/property-not-found.json'));
    return;
  }
  const tag = `"${createHash('md5').update(body).digest('hex')}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', key.startsWith('media/') ? CACHE_CONTROL.media : CACHE_CONTROL.api);
  const tags = ifNoneMatch?.split(',').map((value) => value.trim().replace('W/', ''));
  if (tags?.includes(tag) || tags?.includes('*')) {
    response.writeHead(304);
    response.end();
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
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

const DRIVER = `
import fs from 'fs';
function once(event, isRaw, attempt) {
  const request = JSON.parse(JSON.stringify(event));
  const raw = request.raw;
  delete request.raw;
  if (isRaw) request.rawQueryString = function () { return raw; };
  const started = Date.now();
  return handler({ version: '1.0', request: request }).then(function (result) {
    delete result.rawQueryString;
    if (Date.now() - started <= 50) return JSON.stringify(result);
    return attempt < 5 ? once(event, isRaw, attempt + 1) : 'slow';
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

/** Runs the function in njs; events that come together go to one run of the program. */
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
  return (event: FunctionRequest & { raw: string }) =>
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
