/** The history of a live catalogue is checked from outside, like its documents. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { startServer } from '../../src/serve/server.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { type Catalogue, createCatalogue } from '../publish/catalogue.ts';
import { dated } from '../publish/made.ts';
import { type Reply, shown, tamper } from '../publish/tampering.ts';

type Live = {
  url: string;
  /** The served folder. */
  root: string;
  catalogue: Catalogue;
  /** Publishes the workspace, as of a commit of this time; null for none. */
  publish: (time: string | null) => Promise<void>;
};

/** Three releases in two months, published to a folder that is served. */
async function serve(configuration = ''): Promise<Live> {
  const port = await freePort();
  const catalogue = createCatalogue(
    6,
    `page_sizes: [25]\ndocs: false\nexplorer: {enabled: false}\nbase_url: http://127.0.0.1:${port}\n${configuration}`,
  );
  const root = join(catalogue.root, 'bucket');
  const publish = async (time: string | null) => {
    await catalogue.build();
    await publishRelease(openFolderBucket(root), dated(await openDist(catalogue.out), time), { keptDays: 7 });
  };
  await publish('2026-09-30T10:00:00Z');
  catalogue.add(1, { title: 'Rose Cottage' });
  await publish('2026-10-01T10:00:00Z');
  catalogue.remove('house-6.yaml');
  await publish('2026-10-02T10:00:00Z');
  const server = await startServer({ root, port });
  onTestFinished(server.close);
  return { url: server.url, root, catalogue, publish };
}

it('has no differences after a publish', async () => {
  const { url, publish, catalogue } = await serve();
  const front: string[] = [];
  const watched = await tamper(url, (path) => void (path.startsWith('/changes/') && front.push(path)));
  expect((await verifyDeployment(watched, { sample: 1 })).differences).toEqual([]);
  // Reads each file twice: the second time to revalidate it.
  const files = ['2026-09.ndjson', '2026-10.ndjson', 'feed.xml', 'index.json'];
  expect(front.sort()).toEqual(files.flatMap((file) => [`/changes/${file}`, `/changes/${file}`]));
  // A release without a time is not recorded: the history stays at the one before.
  catalogue.add(2, { title: 'Tulip Cottage' });
  await publish(null);
  expect((await verifyDeployment(url, { sample: 1 })).differences).toEqual([]);
});

it('is absent in a catalogue without one, or without downloads', async () => {
  const { url, root } = await serve();
  rmSync(join(root, 'changes'), { recursive: true });
  expect((await verifyDeployment(url, { sample: 1 })).differences).toEqual([]);
  const { url: other } = await serve('bulk: false\n');
  expect((await verifyDeployment(other, { sample: 1 })).differences).toEqual([]);
  const leaking = await tamper(other, (path, reply) => {
    if (path === '/changes/index.json') Object.assign(reply, { status: 200, body: Buffer.from('{}') });
  });
  expect(shown(await verifyDeployment(leaking, { sample: 1 }))).toEqual([
    `GET ${leaking}/changes/index.json: status`,
  ]);
});

it('the list of kept releases begins with the live one, where it is there', async () => {
  const { url, root } = await serve();
  const file = join(root, '_catalogue/releases.json');
  const list = JSON.parse(readFileSync(file, 'utf8'));
  expect(list.releases.map(({ keptUntil }: { keptUntil: string | null }) => typeof keptUntil)).toEqual([
    'object',
    'string',
    'string',
  ]);
  const differences = async (text: string) => {
    writeFileSync(file, text);
    return shown(await verifyDeployment(url, { sample: 1 })).map((line) => line.replace(url, ''));
  };
  expect(await differences(JSON.stringify({ ...list, releases: list.releases.slice(1) }))).toEqual([
    'GET /_catalogue/releases.json: first release',
  ]);
  expect(await differences('{}')).toEqual(['GET /_catalogue/releases.json: body']);
  rmSync(file);
  expect((await verifyDeployment(url, { sample: 1 })).differences).toEqual([]);
});

describe('differences', () => {
  const text = (change: (before: string) => string) => (reply: Reply) => {
    const before = reply.body.toString();
    const after = change(before);
    expect(after).not.toBe(before);
    reply.body = Buffer.from(after);
  };
  const missing = (reply: Reply) => {
    reply.status = 404;
  };

  it.each<[name: string, file: string, change: (reply: Reply) => void, expected: string[]]>([
    ['a broken index', 'index.json', text((body) => body.slice(1)), ['index.json: body']],
    [
      'an index whose months are not in order',
      'index.json',
      text((body) => body.replace(/2026-10/g, '2026-08')),
      ['index.json: body'],
    ],
    [
      'an index of another release',
      'index.json',
      text((body) => body.replace(/"release": "../, '"release": "00')),
      ['index.json: release', 'index.json: release'],
    ],
    ['a month that is missing', '2026-09.ndjson', missing, ['2026-09.ndjson: status']],
    [
      'a month of another type',
      '2026-09.ndjson',
      headers('content-type', 'text/plain'),
      ['2026-09.ndjson: Content-Type'],
    ],
    [
      'a month that is kept for ever',
      '2026-09.ndjson',
      headers('cache-control', 'immutable'),
      ['2026-09.ndjson: Cache-Control'],
    ],
    ['a month that is empty', '2026-10.ndjson', text(() => ''), ['2026-10.ndjson: body']],
    [
      'a line that is cut off',
      '2026-10.ndjson',
      text((body) => `${body.slice(0, -20)}\n`),
      ['2026-10.ndjson: body'],
    ],
    [
      'a record spelt otherwise',
      '2026-10.ndjson',
      text((body) => body.replace('"previous":', '"previous": ')),
      ['2026-10.ndjson: body'],
    ],
    [
      'a record that does not follow the one before',
      '2026-10.ndjson',
      text((body) => body.replace(/^.*\n/, '')),
      ['2026-10.ndjson: body'],
    ],
    [
      'a record of a later month',
      '2026-09.ndjson',
      text((body) => body.replace('"time":"2026-09', '"time":"2026-11')),
      ['2026-09.ndjson: body'],
    ],
    [
      'a last record that is missing',
      '2026-10.ndjson',
      text((body) => body.replace(/[^\n]*\n$/, '')),
      ['feed.xml: body', 'index.json: release'],
    ],
    [
      'a record that adds what is not there',
      '2026-10.ndjson',
      text((body) => body.replace(/"added":\[\](?=[^\n]*\n$)/, `"added":["${idOf(99)}"]`)),
      ['feed.xml: body', 'index.json: last record'],
    ],
    [
      'a record that removes what is there',
      '2026-10.ndjson',
      text((body) => body.replace(/"removed":\[[^\]]*\](?=[^\n]*\n$)/, `"removed":["${idOf(2)}"]`)),
      ['feed.xml: body', 'index.json: last record'],
    ],
    ['a feed that is missing', 'feed.xml', missing, ['feed.xml: status']],
    [
      'a feed without the latest release',
      'feed.xml',
      text((body) => body.replace(/<entry>[\s\S]*?<\/entry>\n/, '')),
      ['feed.xml: body'],
    ],
  ])('%s', async (_name, file, change, expected) => {
    const { url } = await serve();
    const front = await tamper(url, (path, reply) => {
      if (path === `/changes/${file}` && reply.status === 200) change(reply);
    });
    const result = await verifyDeployment(front, { sample: 1 });
    expect(shown(result)).toEqual(expected.map((what) => `GET ${front}/changes/${what}`));
  });

  function headers(name: string, value: string) {
    return (reply: Reply) => {
      reply.headers[name] = value;
    };
  }
});
