/** The number of HTTP requests of a publish. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CLI } from '../support/run-cli.ts';
import { useS3 } from '../support/s3.ts';
import { createCatalogue } from './catalogue.ts';

const run = promisify(execFile);

const s3 = useS3();

/** Nothing to do, or locked? */
const LOOK = ['GET ?list', 'GET _catalogue/log/NUMBER.json', 'GET _catalogue/current.json'];

/** What a small change takes besides one request for each object of the release. */
const AROUND = [
  ...LOOK,
  // Takes the lock, and tests whether the store honours conditions: a beat, then the look for another publisher.
  ...['PUT _catalogue/log/NUMBER.json', 'PUT _catalogue/log/NUMBER.beat', 'PUT _catalogue/log/NUMBER.json'],
  'GET ?list',
  // Compares the leaves in which it differs.
  ...['GET _catalogue/roots/NAME.json', 'GET _catalogue/parts/NAME.ndjson'],
  // Promises how long what it replaced is kept, and gives the lock back.
  ...['GET _catalogue/releases.json', 'HEAD _catalogue/roots/NAME.json', 'PUT _catalogue/releases.json'],
  ...['GET ?list', 'PUT _catalogue/log/NUMBER.json'],
];

it('a publish without changes takes three requests, and a small change fourteen besides its objects', async () => {
  const proxy = await s3.openProxy();
  const catalogue = createCatalogue(6);
  const publish = async () => {
    const { outcome } = await catalogue.build();
    expect(outcome).not.toBe('refused');
    const from = proxy.exchanges.length;
    const args = ['publish', 's3://stays/requests', '--endpoint', proxy.endpoint, '--format', 'json'];
    const { stdout } = await run(process.execPath, [CLI, ...args], { cwd: catalogue.root });
    const { written } = JSON.parse(stdout) as { written: Record<string, number> };
    const requests = proxy.exchanges
      .slice(from)
      .map(
        ({ method, path }) =>
          `${method} ${path.includes('list-type') ? '?list' : path.replace(/^.*\/requests\/|\?.*/g, '')}`,
      )
      .map((request) => request.replace(/\b[0-9a-f]{32}\b/, 'NAME').replace(/\d{8}\./, 'NUMBER.'));
    return { requests, objects: Object.values(written).reduce((sum, count) => sum + count, 0) };
  };
  await publish();
  expect((await publish()).requests).toEqual(LOOK);

  catalogue.add(3, { email: 'new@house.example' });
  const { requests, objects } = await publish();
  expect(requests.filter((request) => request.includes('_catalogue/properties/'))).toHaveLength(1);
  expect(requests).toHaveLength(AROUND.length + objects);
  // The test of the store and the first beat are sent together.
  const around = requests.filter((request) => AROUND.includes(request));
  expect(around.sort()).toEqual([...AROUND].sort());
});
