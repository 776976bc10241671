import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openMediaCache } from '../../src/media/cache.ts';
import { findPhotoProblems } from '../../src/media/find-photo-problems.ts';
import { photoName, thumbnailName } from '../../src/media/image-name.ts';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaOptions, MediaRequest } from '../../src/media/media-request.ts';
import { isPhotoError } from '../../src/media/photo-problem.ts';
import {
  animated,
  bomb,
  detailed,
  digestOf,
  fileType,
  optionsIn,
  plain,
  request,
  useFolder,
} from './picture.ts';

const folder = useFolder();
const fresh = (name: string): MediaOptions => optionsIn(join(folder(), name));

const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));

/** A portrait, whose thumbnail shows neither its top nor its bottom. */
const portrait = () => detailed(600, 900);

function zeroed(bytes: Buffer, from: number, to: number): Buffer {
  const damaged = Buffer.from(bytes);
  return damaged.fill(0, Math.floor(bytes.length * from), Math.floor(bytes.length * to));
}

const corrupt = (reason: string) => ({ code: 'photo-corrupt', args: { reason } });
const early = corrupt('it ends too early');
const undecodable = corrupt('it cannot be decoded');
const unsupported = (format: string) => ({ code: 'photo-unsupported', args: { format } });
const tooLarge = (width: number, height: number) => ({
  code: 'photo-too-large',
  args: { width, height, pixels: width * height, limit: 120_000_000 },
});

const BAD: [string, () => Buffer | Promise<Buffer>, object][] = [
  ['an empty file', () => Buffer.alloc(0), corrupt('it is empty')],
  ['a text named .jpg', () => Buffer.from('Dear editor'), unsupported('text')],
  [
    'a drawing',
    () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    unsupported('SVG'),
  ],
  ['a HEIC', () => Buffer.concat([fileType('heic', 'mif1', 'heic'), Buffer.alloc(500)]), unsupported('HEIC')],
  ['a PDF', () => Buffer.from('%PDF-1.7\n'), unsupported('PDF')],
  ['a web page', () => Buffer.from('<!doctype html><title>Gone</title>'), unsupported('HTML')],
  ['a JPEG cut in half', async () => cut(await portrait().jpeg().toBuffer(), 0.5), early],
  ['a JPEG cut near its end', async () => cut(await portrait().jpeg().toBuffer(), 0.98), early],
  [
    'a progressive JPEG cut',
    async () => cut(await portrait().jpeg({ progressive: true }).toBuffer(), 0.9),
    early,
  ],
  ['a JPEG with a hole', async () => zeroed(await portrait().jpeg().toBuffer(), 0.6, 0.7), undecodable],
  ['a JPEG of a header', async () => (await portrait().jpeg().toBuffer()).subarray(0, 200), early],
  ['a PNG cut', async () => cut(await portrait().png().toBuffer(), 0.98), undecodable],
  ['a PNG with a hole', async () => zeroed(await portrait().png().toBuffer(), 0.6, 0.7), undecodable],
  ['a WebP cut', async () => cut(await portrait().webp().toBuffer(), 0.98), early],
  ['a WebP cut in half', async () => cut(await portrait().webp().toBuffer(), 0.5), early],
  ['an AVIF cut', async () => cut(await portrait().avif({ effort: 0 }).toBuffer(), 0.9), early],
  ['an AVIF of a header', () => fileType('avif', 'mif1'), undecodable],
  ['a GIF cut', async () => cut(await detailed(60, 90).gif().toBuffer(), 0.9), early],
  ['a TIFF cut', async () => cut(await portrait().tiff().toBuffer(), 0.9), undecodable],
  ['a bomb', () => bomb(50_000, 50_000), tooLarge(50_000, 50_000)],
  ['a long bomb', () => bomb(70_000, 10), tooLarge(70_000, 10)],
  ['a lying PNG', () => bomb(2000, 2000), undecodable],
];

describe('a photo that cannot be published', () => {
  it.each(BAD)('is a problem: %s', async (name, make, problem) => {
    const wanted = request(folder(), 'bad', await make());
    const options = fresh(`bad ${name}`);
    for (const part of [{}, { photo: false }, { thumbnail: false }]) {
      const { outcomes, made } = await makeMedia([{ ...wanted, ...part }], options);
      expect(outcomes.get(wanted.digest)).toEqual({ digest: wanted.digest, problems: [problem], files: [] });
      expect(made).toBe(0);
    }
    const inspected = await findPhotoProblems([wanted], options);
    expect(inspected.outcomes.get(wanted.digest)?.problems).toEqual([problem]);
    expect(existsSync(openMediaCache(options.cacheFolder).images)).toBe(false);
  });

  it('is a problem when it is missing, or a folder', async () => {
    mkdirSync(join(folder(), 'folder.jpg'));
    const wanted = (name: string, digest: string): MediaRequest => ({
      file: join(folder(), name),
      digest: digest.repeat(64),
      photo: true,
      thumbnail: true,
    });
    const { outcomes } = await makeMedia(
      [wanted('gone.jpg', 'a'), wanted('folder.jpg', 'b')],
      fresh('unreadable'),
    );
    const problems = [...outcomes.values()].flatMap((outcome) => outcome.problems);
    expect(problems).toEqual([
      { code: 'photo-unreadable', args: { reason: 'it does not exist' } },
      { code: 'photo-unreadable', args: { reason: 'it is a folder' } },
    ]);
  });

  it('is a problem when it changed after its digest was taken, and nothing is stored under the wrong name', async () => {
    const wanted = request(folder(), 'changed.jpg', await plain(80, 60, '#336699').jpeg().toBuffer());
    writeFileSync(wanted.file, await plain(80, 60, '#996633').jpeg().toBuffer());
    const options = fresh('changed');
    const { outcomes } = await makeMedia([wanted], options);
    const reason = 'it changed while it was read';
    expect(outcomes.get(wanted.digest)?.problems).toEqual([{ code: 'photo-unreadable', args: { reason } }]);
    expect(existsSync(openMediaCache(options.cacheFolder).images)).toBe(false);
  });

  it('does not keep others from being published', async () => {
    const good = request(folder(), 'good.jpg', await plain(80, 60, '#336699').jpeg().toBuffer());
    const bad = request(folder(), 'bad.jpg', Buffer.from('no photo'));
    const { outcomes, made } = await makeMedia([bad, good], fresh('mixed'));
    expect([...outcomes.values()].map(({ problems }) => problems.some(isPhotoError))).toEqual([true, false]);
    expect(made).toBe(2);
  });
});

describe('a camera fault that leaves the pixels complete', () => {
  it('is no problem', async () => {
    const bytes = await portrait().jpeg().toBuffer();
    // The last spectral coefficient of the scan, as Samsung's encoder writes it.
    const scan = bytes.indexOf(Buffer.from('ffda', 'hex'));
    bytes[scan + 6 + 2 * bytes[scan + 4]!] = 0;
    await expect(sharp(bytes).raw().toBuffer()).rejects.toThrow('Invalid SOS parameters');
    const wanted = request(folder(), 'samsung.jpg', bytes);
    const { outcomes } = await makeMedia([wanted], fresh('samsung'));
    expect(outcomes.get(wanted.digest)).toMatchObject({ problems: [], files: [{}, {}] });
    const inspected = await findPhotoProblems([wanted], fresh('samsung inspected'));
    expect(inspected.outcomes.get(wanted.digest)?.problems).toEqual([]);

    const damaged = request(folder(), 'damaged.jpg', cut(bytes, 0.9));
    const { outcomes: outcome } = await makeMedia([damaged], fresh('samsung'));
    expect(outcome.get(damaged.digest)?.problems).toEqual([early]);
  });
});

describe('the cache', () => {
  const names = (wanted: MediaRequest, { photo, thumbnail }: MediaOptions) => [
    photoName(wanted.digest, photo),
    thumbnailName(wanted.digest, thumbnail),
  ];

  it('makes each image once', async () => {
    const options = fresh('once');
    const wanted = request(folder(), 'once.jpg', await detailed(800, 600).jpeg().toBuffer());
    const first = await makeMedia([wanted], options);
    expect([first.made, first.reused]).toEqual([2, 0]);
    expect(first.outcomes.get(wanted.digest)?.files).toEqual(names(wanted, options));
    const second = await makeMedia([wanted], options);
    expect([second.made, second.reused]).toEqual([0, 2]);
    expect(second.outcomes).toEqual(first.outcomes);
  });

  it('makes only the missing images', async () => {
    const options = fresh('missing');
    const wanted = request(folder(), 'missing.jpg', await detailed(800, 600).jpeg().toBuffer());
    await makeMedia([{ ...wanted, thumbnail: false }], options);
    const result = await makeMedia([wanted], options);
    expect([result.made, result.reused]).toEqual([1, 1]);
    expect(result.outcomes.get(wanted.digest)?.files).toEqual(names(wanted, options));
  });

  it('merges requests of the same bytes', async () => {
    const options = fresh('merged');
    const bytes = await detailed(800, 600, 3).jpeg().toBuffer();
    const one = { ...request(folder(), 'one.jpg', bytes), thumbnail: false };
    const two = { ...request(folder(), 'two.jpg', bytes), photo: false };
    const result = await makeMedia([one, two, one], options);
    expect([result.made, result.outcomes.size]).toEqual([2, 1]);
    expect(result.outcomes.get(one.digest)?.files).toEqual(names(one, options));
  });

  it.each([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100)],
    ['overwritten', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])('replaces an image that is %s', async (name, damage) => {
    const options = fresh(`damaged ${name}`);
    const wanted = request(folder(), 'again.jpg', await detailed(800, 600).jpeg().toBuffer());
    await makeMedia([wanted], options);
    const files = names(wanted, options).map((file) =>
      join(openMediaCache(options.cacheFolder).images, file),
    );
    const whole = files.map((file) => readFileSync(file));
    for (const [at, file] of files.entries()) writeFileSync(file, damage(whole[at]!));
    const result = await makeMedia([wanted], options);
    expect([result.made, result.reused]).toEqual([2, 0]);
    expect(files.every((file, at) => readFileSync(file).equals(whole[at]!))).toBe(true);
  });

  it('remembers the warning', async () => {
    const options = fresh('warning');
    const wanted = request(folder(), 'warning.gif', await animated('gif'));
    const first = await makeMedia([wanted], options);
    const second = await makeMedia([wanted], options);
    expect(second.reused).toBe(2);
    expect(second.outcomes).toEqual(first.outcomes);
    const inspected = await findPhotoProblems([wanted], options);
    expect(inspected.outcomes.get(wanted.digest)?.problems).toEqual([{ code: 'photo-animated', args: {} }]);
  });

  it('proves to the inspection that a source is complete', async () => {
    const options = fresh('proof');
    const wanted = request(folder(), 'proof.jpg', await detailed(800, 600).jpeg().toBuffer());
    await makeMedia([{ ...wanted, photo: false }], options);
    // With the source gone, only the cache has it.
    const result = await findPhotoProblems([{ ...wanted, file: join(folder(), 'gone.jpg') }], options);
    expect(result.outcomes.get(wanted.digest)).toMatchObject({
      problems: [],
      files: [names(wanted, options)[1]],
    });
  });

  it('is not touched by the inspection', async () => {
    const options = fresh('untouched');
    const wanted = request(folder(), 'untouched.jpg', await detailed(800, 600).jpeg().toBuffer());
    const result = await findPhotoProblems([wanted], options);
    expect(result.outcomes.get(wanted.digest)).toEqual({ digest: wanted.digest, problems: [], files: [] });
    expect(existsSync(options.cacheFolder)).toBe(false);
  });
});

describe('many sources', () => {
  const several = async (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, seed) =>
        request(
          folder(),
          `${seed}.jpg`,
          await detailed(900, 600, seed + 1)
            .jpeg()
            .toBuffer(),
        ),
      ),
    );

  it('are processed only so many at a time', async () => {
    const requests = await several(12);
    let most = 0;
    let running = true;
    const watch = () => {
      most = Math.max(most, sharp.counters().process);
      if (running) setImmediate(watch);
    };
    watch();
    const { made } = await makeMedia(requests, { ...fresh('flight'), concurrency: 3 });
    running = false;
    expect(made).toBe(24);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('are counted as they finish, and are returned in the order of the requests', async () => {
    const requests = await several(4);
    const options = fresh('progress');
    await makeMedia(requests.slice(0, 1), options);
    const steps: [number, number][] = [];
    const { outcomes } = await makeMedia(requests, { ...options, onProgress: (...step) => steps.push(step) });
    expect(steps).toEqual([2, 4, 6, 8].map((done) => [done, 8]));
    expect([...outcomes.keys()]).toEqual(requests.map(({ digest }) => digest));
  });

  it('give the same bytes in any order', async () => {
    const requests = await several(4);
    const bytesOf = async (name: string, order: MediaRequest[], concurrency: number) => {
      const options = { ...fresh(name), concurrency };
      await makeMedia(order, options);
      const { images } = openMediaCache(options.cacheFolder);
      return readdirSync(images)
        .sort()
        .map((file) => [file, digestOf(readFileSync(join(images, file)))]);
    };
    const forwards = await bytesOf('forwards', requests, 1);
    expect(await bytesOf('backwards', [...requests].reverse(), 4)).toEqual(forwards);
  });

  it('may be zero', async () => {
    const result = await makeMedia([], fresh('none'));
    expect(result).toEqual({ outcomes: new Map(), made: 0, reused: 0, fetched: 0, repaired: 0 });
  });
});

describe('an environment that fails', () => {
  it('throws when the cache cannot be read', async () => {
    writeFileSync(join(folder(), 'file'), '');
    const wanted = request(folder(), 'fine.jpg', await detailed(90, 60).jpeg().toBuffer());
    await expect(makeMedia([wanted], { ...fresh(''), cacheFolder: join(folder(), 'file') })).rejects.toThrow(
      'ENOTDIR',
    );
  });

  it('throws when the cache cannot be written, and no work continues', async () => {
    const options = fresh('unwritable');
    mkdirSync(options.cacheFolder, { recursive: true });
    symlinkSync(join(folder(), 'nowhere', 'at all'), openMediaCache(options.cacheFolder).images);
    const requests = await Promise.all(
      [1, 2, 3, 4].map(async (seed) =>
        request(folder(), `${seed}.jpg`, await detailed(90, 60, seed).jpeg().toBuffer()),
      ),
    );
    await expect(makeMedia(requests, options)).rejects.toThrow(/^E[A-Z]+: /);
    expect(sharp.counters()).toEqual({ queue: 0, process: 0 });
  });
});
