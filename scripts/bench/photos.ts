/** Builds with photos, and a loop around sharp that makes the same images. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { isMain } from '../command-line.ts';
import { makeCatalogue } from '../make-catalogue.ts';
import { createRandom } from '../sample-data/random.ts';
import { propertyFiles } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { type Command, run } from './process.ts';
import { inTurn, type Row } from './row.ts';

const WIDTH = 4000;
const HEIGHT = 3000;
const PHOTOS = 40;

export async function photos(bench: Bench): Promise<Row[]> {
  const { folder, rounds, isQuick } = bench;
  const count = isQuick ? PHOTOS / 4 : PHOTOS;
  makeCatalogue({ folder: join(folder, 'content'), count });
  const files = await makePhotos(join(folder, 'content'), count);
  const loop = [fileURLToPath(import.meta.url), 'made', ...files];
  const made = (command: Command) => async () => {
    await clear(bench, 'out', 'made');
    mkdirSync(join(folder, 'made'));
    return run({ ...command, cwd: folder });
  };
  const works = [
    made(catalogue(bench, 'build', '--content', 'content', '--out', 'out')),
    made({ file: process.execPath, args: ['--import', import.meta.resolve('tsx'), ...loop] }),
  ];
  const [ours = [], taken = []] = await inTurn(rounds, works);
  await clear(bench, 'content', 'out', 'made');
  const name = `Build with ${count} photos of 12 megapixels`;
  return [{ name, ours, peer: { name: 'loop around sharp', taken }, limit: { ratio: 1.2 } }];
}

/** One JPEG per property, with large shapes and some grain, as from a camera. */
async function makePhotos(content: string, count: number): Promise<string[]> {
  mkdirSync(join(content, 'photos'));
  const random = createRandom(1);
  const small = { width: 40, height: 30, channels: 3 } as const;
  const grain = Buffer.from(Array.from({ length: 256 * 256 }, () => 120 + Math.floor(random() * 16)));
  const paths: string[] = [];
  for (const [place, file] of propertyFiles(content).entries()) {
    const shapes = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => 16 + Math.floor(random() * 224)));
    const path = join(content, 'photos', `${place}.jpg`);
    await sharp(shapes, { raw: small })
      .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
      .composite([
        { input: grain, raw: { width: 256, height: 256, channels: 1 }, tile: true, blend: 'overlay' },
      ])
      .jpeg({ quality: 88 })
      .toFile(path);
    const yaml = readFileSync(file, 'utf8').replace(/- url: .*/, `- file: ../../photos/${place}.jpg`);
    writeFileSync(file, yaml);
    paths.push(path);
  }
  return paths.slice(0, count);
}

/** The fastest way: one thread per image, twice as many images at once as cores. */
async function loopAroundSharp(out: string, files: readonly string[]): Promise<void> {
  const { photo, thumbnail } = configurationSchema.parse({});
  sharp.concurrency(1);
  sharp.cache(false);
  await pLimit(2 * availableParallelism()).map(files, async (file, index) => {
    const to = (extension: string) => join(out, `${index}.${extension}`);
    const { width, height, fit, quality } = thumbnail;
    await sharp(file).autoOrient().resize(photo.max_width).jpeg({ quality: photo.quality }).toFile(to('jpg'));
    await sharp(file).autoOrient().resize(width, height, { fit }).webp({ quality }).toFile(to('webp'));
  });
}

if (isMain(import.meta.url)) {
  const [out = '', ...files] = process.argv.slice(2);
  await loopAroundSharp(out, files);
}
