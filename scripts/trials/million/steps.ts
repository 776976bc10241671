/** The steps of the trial: each is the command line in a process of its own, or a reader of the API, and a row. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../src/client/index.ts';
import type { PublishResult } from '../../../src/publish/publish.ts';
import { type Command, run } from '../../bench/child.ts';
import { STORE_ENVIRONMENT, type StoreServer } from '../../bench/store-server.ts';
import { count } from '../../bench/table.ts';
import { cellsOf, type Row } from './table.ts';

const CLI = new URL('../../../lib/cli.js', import.meta.url).pathname;

/** Steps, and what they took so far. */
export type Steps = {
  readonly rows: readonly Row[];
  /** Runs a command, beside a store. Returns what it printed. */
  readonly command: (
    step: string,
    command: Command,
    at: StoreServer,
    outcome?: (stdout: string) => string,
  ) => Promise<string>;
  /** Runs the command line. Returns what it printed as JSON. */
  readonly cli: <Result>(
    step: string,
    args: readonly string[],
    outcome: (result: Result) => string,
  ) => Promise<Result>;
  /** Times anything. */
  readonly timed: (step: string, work: () => Promise<string>) => Promise<void>;
};

/** Makes what runs steps in a folder. */
export function createSteps(folder: string, store: StoreServer): Steps {
  const rows: Row[] = [];
  const add = (row: Row) => {
    rows.push(row);
    console.error(cellsOf(row).join(' | '));
  };
  const command: Steps['command'] = async (step, command, at, outcome = () => '') => {
    const before = await at.traffic();
    const taken = await run(command, { peak: true });
    const after = await at.traffic();
    // The one that asks.
    const requests = after.requests - before.requests - 1;
    const [writes, sent] = [after.writes - before.writes, after.bytes - before.bytes];
    const traffic = requests > 0 ? { requests, writes, sent } : {};
    add({ step, ...taken, ...traffic, outcome: outcome(taken.stdout) });
    return taken.stdout;
  };
  return {
    rows,
    command,
    async cli<Result>(step: string, args: readonly string[], outcome: (result: Result) => string) {
      const file = process.execPath;
      const node = { file, args: [CLI, ...args, '--format', 'json'], cwd: folder, env: STORE_ENVIRONMENT };
      const parse = (stdout: string) => JSON.parse(stdout) as Result;
      return parse(await command(step, node, store, (stdout) => outcome(parse(stdout))));
    },
    async timed(step, work) {
      const before = await store.traffic();
      const start = performance.now();
      const outcome = await work();
      const requests = (await store.traffic()).requests - before.requests - 1;
      add({ step, seconds: (performance.now() - start) / 1000, requests, outcome });
    },
  };
}

/** Reads properties to the end. Returns how many there were. @throws Error when one is missing or comes twice. */
export async function readAll(
  entries: AsyncIterable<{ readonly id: string }>,
  properties: number,
): Promise<string> {
  const ids = new Set<string>();
  let read = 0;
  for await (const { id } of entries) {
    ids.add(id);
    read++;
  }
  if (read === properties && ids.size === properties) return `${count(properties)} properties, each once`;
  throw new Error(`${read} properties, ${ids.size} of them distinct, instead of ${properties}`);
}

/** Publishes a change while the whole list is read again and again, and each time has every property once. */
export async function publishWhilePaging(
  steps: Steps,
  client: Client,
  properties: number,
  publish: () => Promise<PublishResult>,
): Promise<PublishResult> {
  let isOver = false;
  let passes = 0;
  const reading = (async () => {
    do {
      await readAll(client.iterateProperties({ size: 100 }), properties);
      passes++;
    } while (!isOver);
  })();
  // A pass begins in one release, and ends in the other.
  await sleep(200);
  const result = await publish().finally(() => {
    isOver = true;
  });
  await steps.timed('Page through all, until the end', async () => {
    await reading;
    return `${passes} times ${count(properties)} properties, each once`;
  });
  return result;
}

/** Waits until the Worker serves a release: it looks again when what it has is a second old. */
export async function expectLive(steps: Steps, client: Client, release: string): Promise<void> {
  await steps.timed('Until the release is served again', async () => {
    for (let second = 0; second < 180; second++) {
      const index = await client.getIndex();
      if (index.release === release) return release.slice(0, 6);
      await sleep(1000);
    }
    throw new Error(`${release} is not served three minutes after the rollback`);
  });
}
