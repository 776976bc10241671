/** Publishes to a local S3 server, alternating with rclone copying the same files. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../table.ts';
import { editableContent, makeContent, type Sizes } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { type Command, run, type Taken } from './process.ts';
import { inTurn, type Limit, type Row } from './row.ts';
import { hasRclone, rcloneCommand, STORE_ENVIRONMENT, type StoreServer, startStore } from './store-server.ts';

type Case = { readonly properties: number; readonly sizes: Sizes; readonly limit: Limit };

const CASES: readonly Case[] = [
  { properties: 9000, sizes: [25, 100], limit: { ratio: 1 / 1.3, cpuRatio: 0.5 } },
  { properties: 860, sizes: 'all', limit: { ratio: 0.5, cpuRatio: 0.5 } },
];

export async function publishing(bench: Bench): Promise<Row[]> {
  const server = await startStore();
  try {
    const cases = bench.isQuick || bench.properties ? CASES.slice(1) : CASES;
    const rows: Row[] = [];
    for (const one of cases)
      rows.push(...(await rowsOf(bench, server, { ...one, properties: bench.properties ?? one.properties })));
    return rows;
  } finally {
    await server.stop();
  }
}

/** Publishes the output in a folder to a prefix of the same name. */
export function publishCommand(
  bench: Pick<Bench, 'folder' | 'cli'>,
  { endpoint }: StoreServer,
  out: string,
): Command {
  const args = ['publish', `s3://stays/${out}`, '--endpoint', endpoint, '--out', out, '--format', 'json'];
  return { ...catalogue(bench, ...args), env: STORE_ENVIRONMENT };
}

/** Each version publishes its own output, since another version may not read it. */
export function outputs({ cli, before }: Pick<Bench, 'cli' | 'before'>): { cli: string; out: string }[] {
  return [{ cli, out: 'out' }, ...(before === undefined ? [] : [{ cli: before, out: 'before' }])];
}

export async function buildOutputs(bench: Bench): Promise<void> {
  for (const { cli, out } of outputs(bench))
    await run(catalogue({ ...bench, cli }, 'build', '--content', 'content', '--out', out));
}

async function rowsOf(bench: Bench, server: StoreServer, one: Case): Promise<Row[]> {
  const { folder } = bench;
  const { properties, sizes, limit } = one;
  makeContent(folder, properties, sizes);
  await buildOutputs(bench);
  const toEmpty = (command: Command) => async (): Promise<Taken> => {
    await server.clear();
    return run(command);
  };
  const publishes = outputs(bench).map(({ cli, out }) => ({
    name: out,
    command: publishCommand({ folder, cli }, server, out),
  }));
  const others = [
    ...publishes.slice(1),
    ...(hasRclone
      ? [{ name: 'rclone copy --transfers 32', command: rcloneCommand(server, 'out/public', folder) }]
      : []),
  ];
  const commands = [publishes[0]!, ...others].map(({ command }) => command);
  const [ours = [], ...theirs] = await inTurn(bench.rounds, commands.map(toEmpty));

  await server.clear();
  const publish = async (command: Command) => {
    const { requests } = await server.traffic();
    const { stdout, ...taken } = await run(command);
    const { written } = JSON.parse(stdout) as { written: Record<string, number> };
    const objects = Object.values(written).reduce((sum, some) => sum + some, 0);
    // Minus the request for the traffic itself.
    return { taken, objects, requests: (await server.traffic()).requests - requests - 1 };
  };
  const all = async () => {
    const done: Awaited<ReturnType<typeof publish>>[] = [];
    for (const { command } of publishes) done.push(await publish(command));
    return done;
  };
  const [first] = await all();
  const again = await all();
  await sleep(60);
  editableContent(join(folder, 'content')).retitle(1 / properties);
  await buildOutputs(bench);
  const changed = await all();
  await clear(bench, 'content', ...publishes.map(({ name }) => name));

  const name = `Publish ${count(first!.objects)} objects`;
  const once = (work: string, [done, before]: typeof again): Row => ({
    name: `${name}: ${work}`,
    ours: [done!.taken],
    ...(before && { peer: { name: 'before', taken: [before.taken] } }),
    outcome: `${done!.requests} requests, ${done!.objects} objects written`,
  });
  const rows = theirs.map((taken, place): Row => {
    const peer = others[place]!.name;
    return { name, ours, peer: { name: peer, taken }, ...(peer !== 'before' && { limit }) };
  });
  return [
    ...(rows.length > 0 ? rows : [{ name, ours }]),
    once('nothing changed', again),
    once('one title', changed),
  ];
}
