/** Takes a large catalogue through the command line, from YAML files to a Worker and back. See `USAGE`. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../src/client/index.ts';
import type { PublishResult } from '../../src/publish/publish.ts';
import { runBenchmark } from '../bench/benchmark.ts';
import { withTitleSuffix } from '../bench/edits.ts';
import { describeMachine } from '../bench/machine.ts';
import { makePlace, type Place, removeAtExit } from '../bench/place.ts';
import { RCLONE, rcloneCommand, type StoreServer, startStore } from '../bench/store-server.ts';
import { count, markdownTable, seconds } from '../bench/table.ts';
import { readOptions, wholeNumber } from '../command-line.ts';
import { makeCatalogue } from '../make-catalogue.ts';
import { createSteps, expectLive, publishWhilePaging, readAll, type Steps } from './million/steps.ts';
import { cellsOf, judged } from './million/table.ts';
import { startWorker } from './million/worker.ts';

const USAGE = `Usage: npm run trial:million -- [--properties <number>] [--content <folder>] [--out <folder>] [--write]

Makes a catalogue of YAML files, builds it in the packed layout, publishes it to a local S3 server, and serves it from the
Worker. Pages through it while a release with one changed title goes live, rolls back, and prunes. Every command is the
command line, in a process of its own. Fails when an answer is not what it should be.

  --properties <number>  1,000,000 otherwise, which need 6 GB in memory for the content, and 24 GB of disk
  --content <folder>     content that scripts/make-catalogue.ts made, of as many properties; it is left there with another title
  --out <folder>         where the output goes; the folder for temporary files otherwise
  --write                puts the table into docs/performance.md`;

const MILLION = 1_000_000;
/** The local Worker's cache counts `stale-if-error` as an age for which an answer is fresh. Cloudflare's does not. */
const SETTINGS = `
layout: packed
targets: [cloudflare-worker]
cache_control:
  api: public, max-age=1
`;
/** Bytes that a YAML file takes in memory, with its entry in a folder. */
const CONTENT_BYTES = 6000;

type Options = {
  readonly properties: number;
  readonly content: string | undefined;
  readonly out: string;
  readonly write: boolean;
};

function readArguments(args: string[]): Options {
  const given = readOptions(args, {
    properties: { type: 'string', default: String(MILLION) },
    content: { type: 'string' },
    out: { type: 'string', default: tmpdir() },
    write: { type: 'boolean' },
  });
  return {
    properties: wholeNumber('properties', String(given.properties), 200),
    content: given.content === undefined ? undefined : String(given.content),
    out: String(given.out),
    write: given.write === true,
  };
}

async function measure({ properties, content, out }: Options): Promise<string> {
  delete process.env.AWS_CA_BUNDLE;
  const place = content === undefined ? makeContent(properties) : { folder: content, warning: undefined };
  const scratch = { folder: mkdtempSync(join(out, 'catalogue-trial-')), warning: undefined };
  removeAtExit(scratch);
  const machine = [...describeMachine(place.folder, []), `- Output in: ${scratch.folder}`];
  const store = await startStore(join(scratch.folder, 'store'));
  const steps = createSteps(scratch.folder, store);
  try {
    await go({ properties, content: place.folder, scratch: scratch.folder, store, steps });
  } finally {
    await store.stop();
  }
  const limits = markdownTable({ head: ['Of a million', 'Limit', 'Measured', ''], rows: judged(steps.rows) });
  const head = ['Step', 'Seconds', 'CPU time', 'Peak memory', 'Requests', 'Writes', 'Sent', 'Outcome'];
  return [
    ...(place.warning ? [place.warning, ''] : []),
    ...machine,
    '',
    ...(properties === MILLION ? [limits, ''] : []),
    markdownTable({ head, rows: steps.rows.map(cellsOf) }),
  ].join('\n');
}

/** Makes the content, for this run alone. */
function makeContent(properties: number): Place {
  const place = makePlace(CONTENT_BYTES * properties);
  removeAtExit(place);
  const start = performance.now();
  makeCatalogue({ folder: place.folder, count: properties });
  console.error(`made in ${seconds((performance.now() - start) / 1000)}`);
  return place;
}

type Trial = {
  readonly properties: number;
  /** The folder of the content. */
  readonly content: string;
  /** A folder for everything else. */
  readonly scratch: string;
  readonly store: StoreServer;
  readonly steps: Steps;
};

/** All steps, in their order. */
async function go(trial: Trial): Promise<void> {
  const { properties, content, scratch, store, steps } = trial;
  const dist = join(scratch, 'dist');
  const bucket = ['s3://stays', '--endpoint', store.endpoint];
  const build = (step: string) =>
    steps.cli(
      step,
      ['build', '--content', content, '--out', dist],
      ({ work }: { work: { written: number } }) => `${count(work.written)} files written`,
    );
  const publish = (step: string, args: readonly string[] = ['publish', ...bucket, '--out', dist]) =>
    steps.cli(step, args, ({ outcome, release }: PublishResult) => `${outcome} ${release.slice(0, 6)}`);

  const configuration = join(content, 'catalogue.yaml');
  if (!readFileSync(configuration, 'utf8').endsWith(SETTINGS)) appendFileSync(configuration, SETTINGS);
  await build('Build from nothing');
  await build('Build, nothing changed');
  const first = await publish('Publish all');
  await copyWithRclone(trial, join(dist, 'public'));
  await publish('Publish, nothing changed');
  const worker = startWorker(join(dist, 'edge/cloudflare-worker'), store);
  try {
    const client = createClient({ baseUrl: (await worker.ready).origin });
    await changeTitle(content);
    await build('Build, one title');
    const second = await publishWhilePaging(steps, client, properties, () => publish('Publish one title'));
    if (second.release === first.release) throw new Error('the change made no other release');
    await steps.timed('Download all', () => readAll(client.downloadProperties(), properties));
    await publish('Roll back', ['rollback', ...bucket, first.release]);
    await expectLive(steps, client, first.release);
    await steps.cli(
      'Prune',
      ['prune', ...bucket, '--grace', '0', '--keep', '0'],
      ({ pruned }: { pruned: readonly string[] }) =>
        `pruned ${pruned.map((name) => name.slice(0, 6)).join(', ')}`,
    );
    await steps.timed('Page through all, after the prune', () =>
      readAll(client.iterateProperties({ size: 100 }), properties),
    );
  } finally {
    await worker.dispose();
  }
}

/** Copies the same files to a store of its own with rclone, if it is there. */
async function copyWithRclone({ scratch, steps }: Trial, folder: string): Promise<void> {
  if (!existsSync(RCLONE)) return;
  const file = join(scratch, 'copied');
  const store = await startStore(file);
  try {
    await steps.command('rclone copy --transfers 32', rcloneCommand(store, folder, scratch), store);
  } finally {
    await store.stop();
    rmSync(file);
  }
}

/** Changes the title of one property in the middle. */
async function changeTitle(content: string): Promise<void> {
  const middle = (folder: string) => {
    const names = readdirSync(folder).sort();
    return join(folder, names[names.length >> 1]!);
  };
  const path = middle(middle(join(content, 'properties')));
  writeFileSync(path, withTitleSuffix(readFileSync(path, 'utf8'), ' Again'));
  // A file that changed within one tick of the clock before a build is read again by the next one.
  await sleep(60);
}

await runBenchmark({ usage: USAGE, section: 'trial:million', readArguments, measure });
