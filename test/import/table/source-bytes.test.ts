import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createStoredList, isTableUrl } from '../../../src/import/table/source-bytes.ts';
import { afterwards, temporaryFolder } from '../../support/temporary.ts';
import { zipArchive } from '../zip-archive.ts';
import { readAt, readSource, refusal } from './read-rows.ts';

const TABLE = 'ref,name\n1,Rose\n2,Elm\n';
const ROWS = [
  { ref: '1', name: 'Rose' },
  { ref: '2', name: 'Elm' },
];

it('a stored list gives its values again, however long they are, as often as it is read', () => {
  const values = Array.from({ length: 40 }, (_, n) => ({ n, text: 'Größe 旺角 🏠\n'.repeat(n * n) }));
  const list = createStoredList<(typeof values)[number]>();
  expect([...list]).toEqual([]);
  for (const value of values) list.add(value);
  for (let times = 0; times < 2; times++) expect([...list]).toEqual(values);
});

describe('a packed table', () => {
  it.each([
    ['t.csv.gz', gzipSync(TABLE)],
    ['t.csv', gzipSync(TABLE)],
    [
      't.zip',
      zipArchive([
        ['folder/', ''],
        ['folder/t.csv', TABLE],
        ['__MACOSX/._t.csv', 'x'],
        ['.DS_Store', 'x'],
      ]),
    ],
    ['t.ndjson.gz', gzipSync(ROWS.map((row) => JSON.stringify(row)).join('\n'))],
  ])('is unpacked: %s', async (name, content) => {
    expect((await readSource(name, content)).values).toEqual(ROWS);
  });

  it.each([
    [
      'two tables',
      zipArchive([
        ['a.csv', TABLE],
        ['b.csv', TABLE],
      ]),
      /^many-files: .*"a.csv", "b.csv"/,
    ],
    ['nothing', zipArchive([]), /^many-files/],
    ['a password', zipArchive([['a.csv', TABLE]], { flags: 1 }), /^damaged-file: .*password/],
    ['another method', zipArchive([['a.csv', TABLE]], { method: 12 }), /^damaged-file: .*method/],
    [
      'two of one name',
      zipArchive([
        ['a.csv', TABLE],
        ['a.csv', TABLE],
      ]),
      /^damaged-file: .*one name/,
    ],
    ['half of it', zipArchive([['a.csv', TABLE]]).subarray(0, 60), /^damaged-file: .*cut short/],
    ['half of gzip', gzipSync(TABLE.repeat(9_000)).subarray(0, 90), /^damaged-file/],
    ['a packed archive', gzipSync(zipArchive([['a.csv', TABLE]])), /^invalid-source/],
  ])('is refused: %s', async (_, content, message) => {
    expect(await refusal(readSource('t.zip', content))).toMatch(message);
  });
});

it.each([
  ['xls', 'd0cf11e0a1b11ae1'],
  ['packed in another way', Buffer.from('BZh91AY&SY').toString('hex')],
  ['packed in another way', 'fd377a585a00'],
  ['packed in another way', '28b52ffd'],
  ['packed in another way', '377abcaf271c'],
  ['PDF', Buffer.from('%PDF-1.7').toString('hex')],
  ['web page', Buffer.from('\n<!DOCTYPE html><html>').toString('hex')],
  ['XML', Buffer.from('<?xml version="1.0"?><a/>').toString('hex')],
  ['git lfs pull', Buffer.from('version https://git-lfs.github.com/spec/v1\noid').toString('hex')],
  ['Numbers', zipArchive([['Index/Document.iwa', 'x']]).toString('hex')],
  [
    'document',
    zipArchive([
      ['[Content_Types].xml', 'x'],
      ['word/document.xml', 'x'],
    ]).toString('hex'),
  ],
  ['not a text', '61000162000363'],
])('what is not a table is named: %s', async (word, hex) => {
  const refused = await refusal(readSource('t.csv', Buffer.from(hex, 'hex')));
  expect(refused).toMatch(/^invalid-source: /);
  expect(refused).toContain(word);
});

it('a folder is none, and nothing is nothing', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sub'));
  expect(await refusal(readAt(join(folder, 'sub')))).toMatch(/^invalid-source: .* is a folder/);
  expect(await refusal(readAt(join(folder, 'missing.csv')))).toMatch(/^invalid-source: .*does not exist/);
});

describe('an address', () => {
  it.each([
    ['https://a.example/t.csv', true],
    ['https://a.example/t.CSV.gz?x=1', true],
    ['https://a.example/sheets/d/x/export?format=csv&gid=0', true],
    ['https://a.example/pub?gid=0&output=xlsx', true],
    ['https://a.example', false],
    ['https://a.example/api/properties?filter[country]=GR', false],
  ])('%s of a table: %s', (address, isTable) => {
    expect(isTableUrl(address)).toBe(isTable);
  });

  it('is read once, to a file that is gone', async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      requests++;
      response.statusCode = request.url === '/t.csv' ? 200 : 404;
      response.end(TABLE);
    }).listen(0, '127.0.0.1');
    afterwards(async () => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const mine = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`catalogue-import-${process.pid}-`));
    expect((await readAt(`${origin}/t.csv`)).values).toEqual(ROWS);
    expect(requests).toBe(1);
    expect(mine()).toEqual([]);
    expect(await refusal(readAt(`${origin}/other.csv`))).toMatch(/^source-not-received: .*404/);
    server.closeAllConnections();
  });
});
