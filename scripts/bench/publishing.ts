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

export function publishCommand(bench: Pick<Bench, 'folder' | 'cli'>, { endpoint }: StoreServer): Command {
  const args = ['publish', 's3://stays/ours', '--endpoint', endpoint, '--out', 'out', '--format', 'json'];
  return { ...catalogue(bench, ...args), env: STORE_ENVIRONMENT };
}

async function rowsOf(bench: Bench, server: StoreServer, one: Case): Promise<Row[]> {
  const { before } = bench;
  const { properties, sizes, limit } = one;
  makeContent(bench.folder, properties, sizes);
  const build = catalogue(bench, 'build', '--content', 'content', '--out', 'out');
  await run(build);
  const toEmpty = (command: Command) => async (): Promise<Taken> => {
    await server.clear();
    return run(command);
  };
  const others = [
    ...(before === undefined
      ? []
      : [{ name: 'before', command: publishCommand({ ...bench, cli: before }, server) }]),
    ...(hasRclone
      ? [{ name: 'rclone copy --transfers 32', command: rcloneCommand(server, 'out/public', bench.folder) }]
      : []),
  ];
  const commands = [publishCommand(bench, server), ...others.map(({ command }) => command)];
  const [ours = [], ...theirs] = await inTurn(bench.rounds, commands.map(toEmpty));

  await server.clear();
  const publish = async () => {
    const { requests } = await server.traffic();
    const { stdout, ...taken } = await run(publishCommand(bench, server));
    const { written } = JSON.parse(stdout) as { written: Record<string, number> };
    const objects = Object.values(written).reduce((sum, some) => sum + some, 0);
    // Minus the request for the traffic itself.
    return { taken, objects, requests: (await server.traffic()).requests - requests - 1 };
  };
  const first = await publish();
  const again = await publish();
  await sleep(60);
  editableContent(join(bench.folder, 'content')).retitle(1 / properties);
  await run(build);
  const changed = await publish();
  await clear(bench, 'content', 'out');

  const name = `Publish ${count(first.objects)} objects`;
  const told = ({ objects, requests }: typeof first) => `${requests} requests, ${objects} objects written`;
  const rows = theirs.map((taken, place): Row => {
    const peer = others[place]!.name;
    return { name, ours, peer: { name: peer, taken }, ...(peer !== 'before' && { limit }) };
  });
  return [
    ...(rows.length > 0 ? rows : [{ name, ours }]),
    { name: `${name}: nothing changed`, ours: [again.taken], outcome: told(again) },
    { name: `${name}: one title`, ours: [changed.taken], outcome: told(changed) },
  ];
}
