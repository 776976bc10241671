import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMediaCache, readImage } from '../../src/media/cache.ts';
import { makeMedia } from '../../src/media/make.ts';
import { listFolder } from '../../src/media/temporary.ts';
import { detailed, digestOf, optionsIn, request, useFolder } from './picture.ts';

const folder = useFolder();
const script = join(import.meta.dirname, 'make-process.ts');

/** Starts making images, and kills the process so many milliseconds after it reported so many images. */
async function killed(task: object, images: number, delay: number): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  child.stdin.end(JSON.stringify(task));
  let output = '';
  for await (const piece of child.stdout) {
    output += piece;
    if (output.split('\n').some((line) => line.includes('done') && JSON.parse(line).done >= images)) break;
  }
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.kill('SIGKILL');
  const [, signal] = await ended;
  expect(signal, 'it had ended before it was killed').toBe('SIGKILL');
}

/** Names and digests of the files in a folder, which need not exist. */
const digests = (path: string) =>
  new Map(listFolder(path).map((name) => [name, digestOf(readFileSync(join(path, name)))] as const));

describe('a killed process', () => {
  it('leaves only complete images, and the next process makes the others', async () => {
    const requests = await Promise.all(
      Array.from({ length: 24 }, async (_, seed) =>
        request(
          folder(),
          `${seed}.jpg`,
          await detailed(1000, 750, seed + 1)
            .jpeg({ quality: 85 })
            .toBuffer(),
        ),
      ),
    );
    const clean = optionsIn(join(folder(), 'clean'));
    const { made } = await makeMedia(requests, clean);
    const { images } = openMediaCache(clean.cacheFolder);
    const expected = digests(images);
    expect([made, expected.size]).toEqual([48, 48]);

    const options = optionsIn(join(folder(), 'killed'));
    const cache = openMediaCache(options.cacheFolder);
    for (const [after, delay] of [
      [0, 20],
      [8, 0],
      [16, 7],
    ] as const) {
      await killed({ requests, options }, after, delay);
      const left = listFolder(cache.images);
      expect(left.length).toBeLessThan(48);
      for (const name of left) {
        expect(readImage(cache, name)).toBeDefined();
      }
      expect([...expected]).toEqual(expect.arrayContaining([...digests(cache.images)]));
    }

    const before = readdirSync(cache.images).length;
    const result = await makeMedia(requests, options);
    expect([result.made, result.reused]).toEqual([48 - before, before]);
    expect(digests(cache.images)).toEqual(expected);
    expect(readdirSync(cache.temporary)).toEqual([]);
  });
});
