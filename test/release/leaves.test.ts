/** A leaf of a bucket is input of a stranger: an id in it becomes part of a key. */
import { describe, expect, it } from 'vitest';
import { chunkKey } from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { openLeaves } from '../../src/release/leaves.ts';
import { encodeChunk } from '../../src/tree/format/chunk.ts';

const SOUND = '00000000-0000-4000-8000-00000000000a';
const WRONG = [
  '../../../robots.txt/../../../../xxxx',
  '00000000-0000-4000-8000-00000000000A',
  '00000000-0000-4000-8000-00000000000',
  '00000000-0000-4000-8000-00000000000aa',
  '_________catalogue/../../index.html_',
];

async function read(kind: 'chunk' | 'part', id: string) {
  const text = `{"id":"${id}","title":"A house"}`;
  const bytes =
    kind === 'part'
      ? Buffer.from(`${text}\n`)
      : Buffer.from(encodeChunk([text], [{ country: 'IE', city: 'Cork', count: 1 }]));
  return openLeaves({ read: async () => bytes })[kind](digestOf(bytes));
}

describe.each(['chunk', 'part'] as const)('a %s', (kind) => {
  it('has ids of properties', async () => {
    expect(await read(kind, SOUND)).toBeDefined();
  });

  it.each(WRONG)('is damaged with the id %s', async (id) => {
    await expect(read(kind, id)).rejects.toThrow('is missing or damaged');
  });
});

it('are taken from another release by their key, since a stranger may name the bytes of a chunk as a part (B1)', async () => {
  const bytes = Buffer.from('no leaf');
  const digest = digestOf(bytes);
  const other = openLeaves({ read: async () => undefined });
  const leaves = openLeaves(
    { read: async () => bytes, leafError: () => new Error('of the bucket') },
    new Map([[chunkKey(digest), other]]),
  );
  await expect(leaves.part(digest)).rejects.toThrow('of the bucket');
});
