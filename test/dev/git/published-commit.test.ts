/** Whether the published catalogue has the last record, by answers of a server. */
import { expect, it } from 'vitest';
import {
  createPublishedCommitLookup,
  isLastCommitPublished,
  publishedCommit,
} from '../../../src/dev/git/published-commit.ts';
import { serveLoopback } from '../../support/loopback.ts';

const COMMIT = 'c'.repeat(40);
const [A, B] = ['a'.repeat(32), 'b'.repeat(32)];
const TIME = '2027-01-02T03:04:05Z';
const CHANGES = {
  'changes/index.json': JSON.stringify({
    id: 'urn:uuid:00000000-0000-4000-8000-000000000001',
    release: A,
    updated: TIME,
    months: [{ month: '2027-01', href: '2027-01.ndjson' }],
  }),
};
const NOTHING = { previous: null, updated: TIME, time: TIME, added: [], removed: [], changed: [] };
const record = (release: string) =>
  [
    { ...NOTHING, release: 'c'.repeat(32), commit: null },
    { ...NOTHING, release, commit: COMMIT },
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');

const serve = (files: Readonly<Record<string, string>>) =>
  serveLoopback((request, response) => {
    const text = files[request.url!.slice('/stays/'.length)];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  }).then((url) => `${url}/stays`);

it.each<readonly [string, Readonly<Record<string, string>>, string | undefined]>([
  [
    'the record of the live release names it',
    { ...CHANGES, 'index.json': `{"release":"${A}"}`, 'changes/2027-01.ndjson': record(A!) },
    COMMIT,
  ],
  [
    'the record is of another release',
    { ...CHANGES, 'index.json': `{"release":"${A}"}`, 'changes/2027-01.ndjson': record(B!) },
    undefined,
  ],
  [
    'there is no record',
    { 'index.json': '{"release":"a"}', 'changes/index.json': '{"months":[]}' },
    undefined,
  ],
])('finds the commit: %s', async (_case, files, commit) => {
  expect(await publishedCommit(await serve(files))).toBe(commit);
});

it('knows nothing of an address of this computer, or of one that does not answer', async () => {
  const lookup = createPublishedCommitLookup();
  expect(await isLastCommitPublished('.', 'http://localhost:8080', lookup)).toBe(null);
  expect(await isLastCommitPublished('.', 'http://catalogue.invalid', lookup)).toBe(null);
});

it('asks the site once for many requests of the page, and again at another address', async () => {
  let asked = 0;
  const url = await serveLoopback((_request, response) => {
    asked++;
    response.writeHead(404).end();
  });
  const lookup = createPublishedCommitLookup();
  expect(await Promise.all([lookup(url), lookup(url)])).toEqual([undefined, undefined]);
  await lookup(url);
  expect(asked).toBe(1);
  await lookup(`${url}/stays`);
  expect(asked).toBe(2);
});
