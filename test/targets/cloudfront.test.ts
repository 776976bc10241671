/** The targets of AWS, run in Node.js with imitations of their environment. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TargetName } from '../../src/contract/target-names.ts';
import { TARGETS } from '../../src/targets/index.ts';
import { PLAIN, targetInput } from '../conformance/conformance.ts';
import { makeFixture } from '../conformance/fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIST = '/api/v1/public/properties';
const fixture = makeFixture({ ...PLAIN, sizes: [25] });

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.spyOn(console, 'log').mockImplementation(() => {});
});

afterEach(() => {
  vi.restoreAllMocks();
});

function fileOf(target: TargetName, name: string): string {
  const file = TARGETS[target].generate(targetInput(fixture)).files!.find(({ path }) => path === name)!;
  return 'content' in file ? file.content : '';
}

/** Writes a module that the code imports by its name. */
function provide(name: string, code: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(join(place, 'index.js'), code);
}

async function load<Module>(code: string): Promise<Module> {
  const path = join(folder, 'code.mjs');
  writeFileSync(path, code);
  return (await import(pathToFileURL(path).href)) as Module;
}

type Answer = { status: string; headers: Record<string, { value: string }[]> } | { uri: string };

/** The result of the Lambda@Edge function for a request of the list, with a bucket of this origin. */
async function askLambda(domainName: string, region: string): Promise<Answer> {
  provide(
    '@aws-sdk/client-s3',
    `export class GetObjectCommand { constructor(place) { Object.assign(this, place); } }
export class HeadObjectCommand extends GetObjectCommand {}
export class S3Client {
  constructor({ region }) { this.region = region; }
  async send({ Bucket }) {
    if (this.region !== 'eu-west-1' || Bucket !== 'my.bucket') throw new Error('wrong: ' + this.region + ' ' + Bucket);
    return {};
  }
}`,
  );
  const { handler } = await load<{ handler: (event: object) => Promise<Answer> }>(
    fileOf('lambda-edge', 'index.mjs'),
  );
  const request = {
    method: 'GET',
    uri: LIST,
    querystring: '',
    headers: {},
    origin: { s3: { domainName, region } },
  };
  return handler({ Records: [{ cf: { request } }] });
}

it.each([
  ['my.bucket.s3.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['my.bucket.s3.eu-west-1.amazonaws.com', ''],
  ['my.bucket.s3-eu-west-1.amazonaws.com', ''],
  ['my.bucket.s3.dualstack.eu-west-1.amazonaws.com', ''],
  ['my.bucket.s3.amazonaws.com', 'eu-west-1'],
])('finds the bucket %s in region "%s" (B14)', async (domainName, region) => {
  expect(await askLambda(domainName, region)).toMatchObject({ uri: '/_catalogue/pages/-/-/25-1.json' });
});

it('answers that the list is unavailable when its origin is no bucket (B14)', async () => {
  expect(await askLambda('files.example', '')).toMatchObject({
    status: '502',
    headers: { 'cache-control': [{ value: 'no-store' }] },
  });
});

type FunctionAnswer = { statusCode: number; headers: Record<string, { value: string }>; body?: string };

/** The result of the CloudFront Function for a request, with a store of these values, or with one that fails. */
async function askFunction(
  query: string,
  values: Record<string, string> | undefined,
): Promise<FunctionAnswer> {
  provide(
    'cloudfront',
    values
      ? `const values = ${JSON.stringify(values)};
export default { kvs: () => ({ exists: async (key) => key in values, get: async (key) => values[key] ?? Promise.reject(new Error('KeyNotFound')) }) };`
      : `const fail = async () => { throw new Error('unavailable'); };
export default { kvs: () => ({ exists: fail, get: fail }) };`,
  );
  const { handler } = await load<{ handler: (event: object) => Promise<FunctionAnswer> }>(
    `${fileOf('cloudfront-function', 'function.js')}\nexport { handler };`,
  );
  const request = { method: 'GET', uri: LIST, querystring: {}, headers: {}, rawQueryString: () => query };
  return handler({ request });
}

it.each([
  ['fails', undefined],
  ['is empty', {}],
])('answers that the list is unavailable when the key value store %s (B10)', async (_, values) => {
  for (const query of ['', 'filter[city]=Nowhere', 'page[number]=99']) {
    const answer = await askFunction(query, values);
    expect([answer.statusCode, answer.headers['cache-control']?.value]).toEqual([502, 'no-store']);
    expect(answer.headers['access-control-allow-origin']?.value).toBe('*');
    expect(JSON.parse(answer.body!)).toMatchObject({ type: '/problems.html#list-unavailable' });
  }
});

it('serves an empty list when the store has the total of everything (B10)', async () => {
  const answer = await askFunction('filter[city]=Nowhere', { '-/-': '3' });
  expect([answer.statusCode, JSON.parse(answer.body!).data]).toEqual([200, []]);
});
