/** Measures thumbnails beside a loop around sharp and `vipsthumbnail`, for a table of docs/performance.md. See `USAGE`. */
import { join } from 'node:path';
import { isMain, readOptions, wholeNumber } from '../command-line.ts';
import { runBenchmark } from './benchmark.ts';
import { type Goal, goalTable } from './goals.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median, medianRatio, pairsOf } from './statistics.ts';
import { markdownTable, times } from './table.ts';
import { makePictures, measureThumbnails, type ThumbnailTimes } from './thumbnails.ts';

const USAGE = `Usage: npm run bench:photos -- [--images <number>] [--rounds <number>] [--write]

Makes thumbnails of photos of 12 megapixels, in turn with a bare loop around sharp, and with vipsthumbnail where that is
installed (apt-get install libvips-tools), and prints a table.

  --images <number>  photos of a round; 40 otherwise
  --rounds <number>  how often they take turns; 15 otherwise
  --write            puts the table into docs/performance.md`;

type Options = { readonly images: number; readonly rounds: number; readonly write: boolean };

function readArguments(args: string[]): Options {
  const { images, rounds, write } = readOptions(args, {
    images: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '15' },
    write: { type: 'boolean' },
  });
  return {
    images: wholeNumber('images', String(images), 1),
    rounds: wholeNumber('rounds', String(rounds), 1),
    write: write === true,
  };
}

const decibels = (value: number): string => `${value.toFixed(2)} dB`;

/** What each goal asks for and what was measured. */
function judge({ ours, bare, vips, quality }: ThumbnailTimes) {
  const rows: readonly (readonly [
    text: string,
    limit: Goal['limit'],
    format: Goal['format'],
    value: number | undefined,
  ])[] = [
    [
      'Thumbnails a second, by those of a loop around sharp',
      { least: 0.95 },
      times,
      medianRatio(pairsOf(bare, ours)),
    ],
    [
      'Thumbnails a second, by those of `vipsthumbnail` on all cores',
      { least: 1 },
      times,
      quality && medianRatio(pairsOf(vips, ours)),
    ],
    [
      'By how much they are less true to their photos than its',
      { most: 0.2 },
      decibels,
      quality && quality.vips - quality.ours,
    ],
  ];
  return rows.map(([text, limit, format, value]) => ({
    goal: { number: 6 as const, text, limit, format },
    value,
  }));
}

async function main({ images, rounds }: Options): Promise<string> {
  const place = makePlace(1e9);
  removeAtExit(place);
  const machine = describeMachine(place.folder, ['sharp']);
  if (place.warning) machine.push(`- ${place.warning}`);
  const pictures = join(place.folder, 'pictures');
  console.error(`${images} photos, ${rounds} rounds`);
  await makePictures(pictures, images);
  const measured = await measureThumbnails(pictures, rounds);
  const { ours, bare, vips, quality } = measured;
  const rate = (seconds: readonly number[]) => (images / median(seconds)).toFixed(1);
  const rows = [
    ['Ours', rate(ours), quality ? decibels(quality.ours) : '-'],
    ['A loop around sharp', rate(bare), '-'],
    ...(quality ? [['`vipsthumbnail`, a process a core', rate(vips), decibels(quality.vips)]] : []),
  ];
  const head = [`${images} photos`, 'Thumbnails a second', 'Signal to noise'];
  return [
    machine.join('\n'),
    markdownTable(goalTable(judge(measured)), { numbers: false }),
    markdownTable({ head, rows }),
  ].join('\n\n');
}

if (isMain(import.meta.url)) {
  await runBenchmark({ usage: USAGE, section: 'bench:photos', readArguments, measure: main });
}
