/** Lines of JSON are read back as they were written, in any number. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressed, linesOf } from '../../../src/publish/archive/compressed-lines.ts';

async function read(bytes: Buffer): Promise<string[][]> {
  const lines: string[][] = [];
  for await (const line of linesOf(bytes)) lines.push(line);
  return lines;
}

/** The starts of the members of a file (RFC 1952, 2.3.1). */
const members = (bytes: Buffer) => bytes.toString('latin1').split('\x1f\x8b\x08\x00').length - 1;

it('reads one line for each item, in order', async () => {
  const bytes = await compressed(['a', 'é\n', ''], async (item) => ['line', item]);
  expect(gunzipSync(bytes).toString()).toBe('["line","a"]\n["line","é\\n"]\n["line",""]\n');
  expect(await read(bytes)).toEqual([
    ['line', 'a'],
    ['line', 'é\n'],
    ['line', ''],
  ]);
  expect(members(bytes)).toBe(1);
  expect(await read(await compressed([], async () => []))).toEqual([]);
});

it('reads many lines from several members, and lines that cross the pieces of a stream', async () => {
  const texts = Array.from({ length: 9 }, (_, index) => String(index).repeat(100_000));
  const bytes = await compressed(texts, async (text) => [text]);
  expect(await read(bytes)).toEqual(texts.map((text) => [text]));
  // Three of the lines are more than a quarter of a megabyte.
  expect(members(bytes)).toBe(4);
  // A line that ends where a piece of 16 KiB does.
  const pair = [['x'.repeat(16_384 - 4)], ['second']];
  expect(await read(await compressed(pair, async (line) => line))).toEqual(pair);
  // Exactly as many characters as a member has.
  const exact = await compressed(['x'.repeat(262_144 - 5)], async (text) => [text]);
  expect(members(exact)).toBe(2);
  expect(members(await compressed(['x'.repeat(262_144 - 6)], async (text) => [text]))).toBe(1);
});

it('throws for damaged data', async () => {
  const bytes = await compressed(['a'.repeat(1000)], async (text) => [text]);
  await expect(read(bytes.subarray(0, -9))).rejects.toThrow('unexpected end of file');
  await expect(read(Buffer.from('nonsense'))).rejects.toThrow('incorrect header check');
  await expect(read(gzipSync('no JSON\n'))).rejects.toThrow(SyntaxError);
});
