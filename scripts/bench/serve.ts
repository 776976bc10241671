/** Measures what the rewrite of each target costs, and writes the table of docs/targets.md. See `USAGE`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN, withServer } from '../../test/conformance/conformance.ts';
import { type Fixture, makeFixture } from '../../test/conformance/fixture.ts';
import type { RunningServer, ServerInput, ServerKind } from '../../test/conformance/server.ts';
import { SERVERS } from '../../test/conformance/servers.ts';
import { missingPrograms } from '../../test/programs.ts';
import { bundleEdge } from '../bundle-edge.ts';
import { inTurn, LIST, measure, type Run, ratioOf, runLoad, type Series } from './load.ts';
import { median } from './statistics.ts';
import { times } from './table.ts';

const USAGE = `Usage: npm run bench:serve -- [--pairs <number>] [--seconds <number>] [--target <name>] [--write]

Asks each target for a page that exists, in turn with the same server handing out the same file with no rewrite, and
prints the ratios of requests a second. Needs wrk and the servers; takes about ten minutes.

  --pairs <number>    pairs for each kind of request; 5 otherwise
  --seconds <number>  seconds of each run; 2 otherwise
  --target <name>     only this target
  --write             puts the table into docs/targets.md`;

type Shape = { name: string; target: string; file: string };

/** The requests, each with the file that answers it. */
function shapesOf({ summaries }: Fixture): Shape[] {
  const { id } = summaries[3]!;
  const paris = Buffer.from('Paris').toString('hex');
  return [
    {
      name: 'List page',
      target: `${LIST}?filter%5Bcountry%5D=FR&filter%5Bcity%5D=Paris&page%5Bnumber%5D=2&page%5Bsize%5D=25`,
      file: `/_catalogue/pages/FR/${paris}/25-2.json`,
    },
    { name: 'One filter', target: `${LIST}?filter[country]=FR`, file: '/_catalogue/pages/FR/-/25-1.json' },
    {
      name: 'Unusual spelling',
      target: `${LIST}?utm_source=x&page[size]=25&%66ilter[country]=FR`,
      file: '/_catalogue/pages/FR/-/25-1.json',
    },
    { name: 'Detail', target: `${LIST}/${id}`, file: `/_catalogue/properties/${id}.json` },
  ];
}

async function compare(
  kind: ServerKind,
  fixture: Fixture,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<Map<string, Series>> {
  const results = new Map<string, Series>();
  const { benchmark } = kind;
  let plain: RunningServer | undefined;
  const both: ServerKind = {
    ...kind,
    start: async (input: ServerInput) => {
      const server = await kind.start(input);
      const work = join(input.work, 'plain');
      mkdirSync(work);
      plain = typeof benchmark === 'function' ? await benchmark({ ...input, work }) : undefined;
      return server;
    },
  };
  await withServer(both, fixture, async (server) => {
    try {
      for (const { name, target, file } of shapesOf(fixture)) {
        const series: Series = { ours: [], theirs: [] };
        const ours = async () => series.ours.push(await measure(server.port, target, seconds));
        const theirs = async () => series.theirs.push(await measure((plain ?? server).port, file, seconds));
        await measure(server.port, target, 1);
        await measure((plain ?? server).port, file, 1);
        await inTurn(pairs, ours, theirs);
        results.set(name, series);
      }
    } finally {
      await plain?.stop();
    }
  });
  return results;
}

function row(kind: ServerKind, results: Map<string, Series>): string[] {
  const ratios = [...results.values()].map((series) => ratioOf(series, ({ rate }) => rate));
  const [{ ours, theirs } = { ours: [], theirs: [] }] = results.values();
  const p99 = (runs: Run[]) => median(runs.map((run) => run.p99));
  const name = kind.benchmark === 'own paths' ? `\`${kind.target}\` (1)` : `\`${kind.target}\``;
  return [name, ...ratios, times(p99(ours) / p99(theirs))];
}

runLoad(
  import.meta.url,
  { usage: USAGE, section: 'bench-serve', pairs: 5 },
  async ({ pairs, seconds, target }) => {
    await bundleEdge();
    const fixture = makeFixture(PLAIN);
    const rows: string[][] = [];
    for (const kind of SERVERS) {
      if (target !== undefined && target !== kind.target) continue;
      if (kind.benchmark === 'imitation' || (await missingPrograms(kind.needs)).length > 0) continue;
      rows.push(row(kind, await compare(kind, fixture, { pairs, seconds })));
      console.error(rows.at(-1)!.join('  '));
    }
    const head = ['Target', ...shapesOf(fixture).map(({ name }) => name), 'p99, list page'];
    return { head, rows };
  },
);
