/** Publishes to stores with latency or a request limit. */
import { count } from '../table.ts';
import { makeContent } from './content.ts';
import type { StoreSettings } from './object-store.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { run, type Taken } from './process.ts';
import { publishCommand } from './publishing.ts';
import type { Limit, Row } from './row.ts';
import { startStore } from './store-server.ts';

/** They make 22,000 objects. */
const PROPERTIES = 9_300;

const STORES: readonly { name: string; settings: StoreSettings; limit?: Limit }[] = [
  { name: 'an answer in 30 ms', settings: { latency: 30 }, limit: { seconds: 8 } },
  { name: 'an answer in 100 ms', settings: { latency: 100 }, limit: { seconds: 16 } },
  {
    name: 'SlowDown to all above 500 a second',
    settings: { latency: 30, slowDown: { rate: 500, share: 1 } },
  },
  {
    name: 'SlowDown to a fifth above 500 a second, no latency',
    settings: { slowDown: { rate: 500, share: 0.2 } },
  },
];

export async function line(bench: Bench): Promise<Row[]> {
  const { folder, properties = PROPERTIES, rounds, before } = bench;
  makeContent(folder, properties, [25, 100]);
  await run(catalogue(bench, 'build', '--content', 'content', '--out', 'out'));
  const rows: Row[] = [];
  for (const { name, settings, limit } of STORES) {
    const server = await startStore(settings);
    const publish = async (cli: string): Promise<Taken & { writes: number; asked: number }> => {
      await server.clear();
      const from = await server.traffic();
      const taken = await run(publishCommand({ folder, cli }, server));
      const to = await server.traffic();
      const [requests, refused] = [to.requests - from.requests - 1, to.refused - from.refused];
      return { ...taken, writes: to.writes - from.writes, asked: requests / (requests - refused) };
    };
    try {
      const ours: Awaited<ReturnType<typeof publish>>[] = [];
      const peer: Taken[] = [];
      for (let round = 0; round < rounds; round++) {
        ours.push(await publish(bench.cli));
        if (before !== undefined) peer.push(await publish(before));
      }
      const asked = Math.max(...ours.map((one) => one.asked));
      rows.push({
        name: `Publish ${count(ours[0]!.writes)} objects: ${name}`,
        ours,
        ...(before !== undefined && { peer: { name: 'before', taken: peer } }),
        ...(limit && { limit }),
        ...(settings.slowDown && { outcome: `asked ${asked.toFixed(2)} times what it took` }),
      });
    } finally {
      await server.stop();
    }
  }
  await clear(bench, 'content', 'out');
  return rows;
}
