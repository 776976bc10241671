/** Measures what it costs to cut pages out of the packed layout, beside the pages layout. See `USAGE`. */
import { openConnection } from '../../test/conformance/client.ts';
import { workerServer } from '../../test/conformance/cloudflare-worker/server.ts';
import { PLAIN, withServer } from '../../test/conformance/conformance.ts';
import { makeFixture } from '../../test/conformance/fixture.ts';
import { nodeServer } from '../../test/conformance/node/server.ts';
import { packed, type ServerKind } from '../../test/conformance/server.ts';
import { createBucket, listOver } from '../../test/packed/serve/bucket.ts';
import { bundleEdge } from '../bundle-edge.ts';
import { inTurn, LIST, type LoadOptions, measure, ratioOf, runLoad, type Series } from './load.ts';
import type { Table } from './table.ts';

const USAGE = `Usage: npx tsx scripts/bench/serve-packed.ts [--pairs <number>] [--seconds <number>] [--target <name>] [--write]

Asks a server of the packed layout and one of the pages layout for the same pages, in turn, each started again for each
pair, and prints the ratios: of the time of the first request, and of requests a second afterwards; and how many objects
the packed layout reads for a first request. Needs wrk; takes about four minutes, longer on a busy machine.

  --pairs <number>    pairs; 3 otherwise
  --seconds <number>  seconds of each run; 2 otherwise
  --target <name>     only this target: cloudflare-worker or node
  --write             puts the table into docs/targets.md`;

const QUERIES = [
  ['First page', ''],
  ['City in a country', 'filter%5Bcountry%5D=FR&filter%5Bcity%5D=Paris&page%5Bnumber%5D=2'],
  ['City alone', 'filter%5Bcity%5D=Paris&page%5Bsize%5D=100&page%5Bnumber%5D=2'],
  ['Empty page', 'page%5Bnumber%5D=999'],
] as const;

/** Milliseconds of the first request to a server, and requests a second afterwards. */
type Measured = { cold: number; warm: number };

async function measured(kind: ServerKind, target: string, seconds: number): Promise<Measured> {
  const result = { cold: 0, warm: 0 };
  const fixture = makeFixture({ ...PLAIN, sizes: [25, 100], layout: kind.layout });
  await withServer(kind, fixture, async ({ port }) => {
    const connection = openConnection(port);
    // What the runtime needs to start is no matter of the layout.
    await connection.send('GET', '/absent');
    result.cold = (await connection.send('GET', target)).milliseconds;
    connection.close();
    await measure(port, target, 1);
    result.warm = (await measure(port, target, seconds)).rate;
  });
  return result;
}

/** Objects that are read for a first request: a read of a platform's store each. */
async function readsOf(query: string): Promise<number> {
  const bucket = createBucket();
  bucket.release(makeFixture({ ...PLAIN, sizes: [25, 100] }).summaries);
  const { ask } = listOver(bucket);
  await ask(query);
  return bucket.reads.length;
}

runLoad(
  import.meta.url,
  { usage: USAGE, section: 'bench-packed', pairs: 3 },
  async ({ pairs, seconds, target }: LoadOptions): Promise<Table> => {
    await bundleEdge();
    const rows: string[][] = [];
    for (const kind of [workerServer, nodeServer]) {
      if (target !== undefined && target !== kind.target) continue;
      for (const [name, query] of QUERIES) {
        const url = query === '' ? LIST : `${LIST}?${query}`;
        const series: Series<Measured> = { ours: [], theirs: [] };
        await inTurn(
          pairs,
          async () => series.ours.push(await measured(packed(kind), url, seconds)),
          async () => series.theirs.push(await measured(kind, url, seconds)),
        );
        rows.push([
          `\`${kind.target}\`: ${name}`,
          ratioOf(series, ({ cold }) => cold),
          ratioOf(series, ({ warm }) => warm),
          String(await readsOf(query)),
        ]);
        console.error(rows.at(-1)!.join('  '));
      }
    }
    return {
      head: ['Page', 'First request, time', 'Afterwards, requests a second', 'Objects read at first'],
      rows,
    };
  },
);
