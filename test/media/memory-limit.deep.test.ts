/** The images in progress are limited by memory, for any number of photos, threads and cores. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createMemoryLimiter, MEMORY_LIMIT } from '../../src/media/memory-limit.ts';
import { type PhotoHeader, readHeader } from '../../src/media/photo-header.ts';
import { interlaced, optionsIn, plain, request, useFolder } from './picture.ts';

const folder = useFolder();

describe('the memory limit', () => {
  it('is exceeded only by a piece that runs alone, and pieces start in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ size: fc.nat(15), turns: fc.nat(4), fails: fc.boolean() })),
        async (pieces) => {
          const room = createMemoryLimiter(10);
          const running: number[] = [];
          const started: number[] = [];
          const work = (index: number) => async () => {
            const { size, turns, fails } = pieces[index]!;
            started.push(index);
            running.push(size);
            const taken = running.reduce((sum, one) => sum + one, 0);
            expect(taken <= 10 || taken === size).toBe(true);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            running.splice(running.indexOf(size), 1);
            if (fails) throw new Error('failed');
            return index;
          };
          const results = await Promise.allSettled(pieces.map(({ size }, index) => room(size, work(index))));
          expect(started).toEqual(pieces.map((_, index) => index));
          results.forEach((result, index) => {
            expect(result.status).toBe(pieces[index]!.fails ? 'rejected' : 'fulfilled');
          });
        },
      ),
    );
  });
});

describe('the memory that a photo takes', () => {
  const headerOf = async (name: string, bytes: Buffer) =>
    (await readHeader(sharp, request(folder(), name, bytes).file)) as PhotoHeader;

  it('is that of its pixels when all of them must be held, and small otherwise', async () => {
    const picture = plain(1000, 500, '#456789');
    const pixels = 500_000;
    const row = (await headerOf('rows.jpg', await picture.jpeg().toBuffer())).memory;
    const held = async (name: string, bytes: Buffer) => ((await headerOf(name, bytes)).memory - row) / pixels;
    expect(await held('rows.png', await picture.png().toBuffer())).toBe(0);
    expect(await held('interlaced.png', await picture.png({ progressive: true }).toBuffer())).toBe(3);
    expect(await held('deep.png', interlaced(1000, 500, 4, ''))).toBe(8);
    expect(await held('progressive.jpg', await picture.jpeg({ progressive: true }).toBuffer())).toBe(3);
    const full = picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
    expect(await held('full.jpg', await full.toBuffer())).toBe(6);
    expect(await held('a.avif', await picture.avif({ effort: 0 }).toBuffer())).toBe(20);
    // Photos from cameras wait for each other on no machine.
    expect(MEMORY_LIMIT / row).toBeGreaterThan(12);
  });

  it('limits the pixels of formats that need much memory for each (C3)', async () => {
    const problem = await readHeader(
      sharp,
      request(folder(), 'a.png', interlaced(10_000, 6_751, 4, '')).file,
    );
    expect(problem).toEqual({
      code: 'photo-too-large',
      args: { width: 10_000, height: 6_751, pixels: 67_510_000, limit: 67_500_000 },
    });
    expect(await headerOf('b.png', interlaced(10_000, 6_750, 4, ''))).toMatchObject({ width: 10_000 });
    expect(await headerOf('c.png', interlaced(9_000, 10_000, 3, ''))).toMatchObject({ width: 9_000 });
  });
});

const SCRIPT = join(import.meta.dirname, 'make-process.ts');

/** Makes thumbnails in a process of its own, with the threads of a machine with so many cores. */
function makeOn(cores: number, name: string, pictures: Buffer[]): { codes: string[]; memory: number } {
  const requests = pictures.map((bytes, n) => ({
    ...request(folder(), `${name}-${n}.png`, bytes),
    photo: false,
  }));
  const options = { ...optionsIn(join(folder(), name)), concurrency: 2 * cores };
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', SCRIPT], {
    input: JSON.stringify({ requests, options }),
    env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(4, cores)) },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

describe('photos that are large in memory and small on the disk', () => {
  it.each([2, 16])('take less than 1 GB together on %i cores (C3)', (cores) => {
    const pictures = ['1', '2', '3', '4'].map((text) => interlaced(10_909, 10_909, 4, text));
    expect(pictures[0]!.length).toBeLessThan(1_000_000);
    // Two that are just small enough to be processed.
    const fitting = cores === 2 ? [] : ['5', '6'].map((text) => interlaced(9_000, 10_000, 3, text));
    const { codes, memory } = makeOn(cores, `on-${cores}`, [...pictures, ...fitting]);
    expect(codes).toEqual(Array(4).fill('photo-too-large'));
    expect(memory).toBeLessThan(1e9);
    // The two were decoded one after another.
    if (fitting.length > 0) expect(memory).toBeGreaterThan(540_000_000);
  });
});
