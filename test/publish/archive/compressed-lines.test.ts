/** Lines of JSON are read back as they were written, in any number. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { gunzipLines, gzipLines } from '../../../src/publish/archive/compressed-lines.ts';

async function read(bytes: Buffer): Promise<string[][]> {
  const lines: string[][] = [];
  for await (const line of gunzipLines(bytes)) lines.push(line);
  return lines;
}

/** The starts of the members of a file (RFC 1952, 2.3.1). */
const members = (bytes: Buffer) => bytes.toString('latin1').split('\x1f\x8b\x08\x00').length - 1;

it('reads one line for each item, in order', async () => {
  const bytes = await gzipLines(['a', 'é\n', ''].map((item) => ['line', item]));
  expect(gunzipSync(bytes).toString()).toBe('["line","a"]\n["line","é\\n"]\n["line",""]\n');
  expect(await read(bytes)).toEqual([
    ['line', 'a'],
    ['line', 'é\n'],
    ['line', ''],
  ]);
  expect(members(bytes)).toBe(1);
  expect(await read(await gzipLines([]))).toEqual([]);
});

it('reads many lines from several members, and lines that cross the pieces of a stream', async () => {
  const texts = Array.from({ length: 900 }, (_, index) => String(index).repeat(400));
  const bytes = await gzipLines(texts.map((text) => [text]));
  expect(await read(bytes)).toEqual(texts.map((text) => [text]));
  // A megabyte, of which each holds less than 262,144 bytes.
  expect(members(bytes)).toBe(5);
  // A line that ends where a piece of 16 KiB does.
  const pair = [['x'.repeat(16_384 - 4)], ['second']];
  expect(await read(await gzipLines(pair))).toEqual(pair);
  // A line that is longer than a member makes room for others beside it.
  const long = ['a', 'é'.repeat(300_000), 'b', 'x'.repeat(262_144), 'c'];
  const ofLong = await gzipLines(long.map((text) => [text]));
  expect(await read(ofLong)).toEqual(long.map((text) => [text]));
  expect(members(ofLong)).toBe(3);
});

it('throws for damaged data', async () => {
  const bytes = await gzipLines([['a'.repeat(1000)]]);
  await expect(read(bytes.subarray(0, -9))).rejects.toThrow('unexpected end of file');
  await expect(read(Buffer.from('nonsense'))).rejects.toThrow('incorrect header check');
  await expect(read(gzipSync('no JSON\n'))).rejects.toThrow(SyntaxError);
});

it('throws for lines without an end, before they fill the memory (B1)', async () => {
  const member = gzipSync(`${JSON.stringify(['x'.repeat(2 ** 23)])}\n`);
  const bytes = Buffer.concat(Array.from({ length: 40 }, () => member));
  let count = 0;
  const readAll = async () => {
    for await (const _line of gunzipLines(bytes)) count++;
  };
  await expect(readAll()).rejects.toThrow('the lines are too long');
  expect(count).toBeLessThan(33);
});
