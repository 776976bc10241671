/** Publishes to stores with latency or a request limit. */
import { count } from '../table.ts';
import { makeContent } from './content.ts';
import type { StoreSettings } from './object-store.ts';
import { type Bench, clear } from './place.ts';
import { run, type Taken } from './process.ts';
import { buildOutputs, outputs, publishCommand } from './publishing.ts';
import { inTurn, type Limit, type Row } from './row.ts';
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
  const { folder, properties = PROPERTIES, rounds } = bench;
  const versions = outputs(bench);
  makeContent(folder, properties, [25, 100]);
  await buildOutputs(bench);
  const rows: Row[] = [];
  for (const { name, settings, limit } of STORES) {
    const server = await startStore(settings);
    const publish = async ({
      cli,
      out,
    }: (typeof versions)[number]): Promise<Taken & { writes: number; asked: number }> => {
      await server.clear();
      const from = await server.traffic();
      const taken = await run(publishCommand({ folder, cli }, server, out));
      const to = await server.traffic();
      const [requests, refused] = [to.requests - from.requests - 1, to.refused - from.refused];
      return { ...taken, writes: to.writes - from.writes, asked: requests / (requests - refused) };
    };
    try {
      const [ours = [], before] = await inTurn(
        rounds,
        versions.map((version) => () => publish(version)),
      );
      const asked = Math.max(...ours.map((one) => one.asked));
      rows.push({
        name: `Publish ${count(ours[0]!.writes)} objects: ${name}`,
        ours,
        ...(before && { peer: { name: 'before', taken: before } }),
        ...(limit && { limit }),
        ...(settings.slowDown && { outcome: `asked ${asked.toFixed(2)} times what it took` }),
      });
    } finally {
      await server.stop();
    }
  }
  await clear(bench, 'content', ...versions.map(({ out }) => out));
  return rows;
}
