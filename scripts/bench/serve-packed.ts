/** Measures what it costs to cut pages out of the packed layout, beside the pages layout. See `USAGE`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openConnection } from '../../test/conformance/client.ts';
import { PLAIN, withServer } from '../../test/conformance/conformance.ts';
import { makeFixture } from '../../test/conformance/fixture.ts';
import { packed } from '../../test/conformance/packed.ts';
import type { ServerKind } from '../../test/conformance/server.ts';
import { nodeServer } from '../../test/conformance/servers/node.ts';
import { workerServer } from '../../test/conformance/servers/workerd.ts';
import { bundleEdge } from '../bundle-edge.ts';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { describeMachine } from './machine.ts';
import { replaceSection } from './marked-section.ts';
import { measure } from './serve.ts';
import { medianRatio, pairsOf } from './statistics.ts';
import { markdownTable, times } from './table.ts';

const USAGE = `Usage: npx tsx scripts/bench/serve-packed.ts [--pairs <number>] [--seconds <number>] [--write]

Asks a server of the packed layout and one of the pages layout for the same pages, in turn, each started anew for each
pair, and prints the ratios: of the time of the first request, and of requests a second afterwards. Needs wrk.

  --pairs <number>    pairs; 5 otherwise
  --seconds <number>  seconds of each run; 2 otherwise
  --write             puts the table into docs/targets.md`;

const DOCUMENT = new URL('../../docs/targets.md', import.meta.url);
const LIST = '/api/v1/public/properties';
const SHAPES = [
  ['First page', LIST],
  ['City in a country', `${LIST}?filter%5Bcountry%5D=FR&filter%5Bcity%5D=Paris&page%5Bnumber%5D=2`],
  ['City alone', `${LIST}?filter%5Bcity%5D=Paris&page%5Bsize%5D=100&page%5Bnumber%5D=2`],
  ['Empty page', `${LIST}?page%5Bnumber%5D=999`],
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

async function row(
  kind: ServerKind,
  name: string,
  target: string,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<string[]> {
  const [ours, theirs]: [Measured[], Measured[]] = [[], []];
  for (let pair = 0; pair < pairs; pair++) {
    const runs = [
      async () => ours.push(await measured(packed(kind), target, seconds)),
      async () => theirs.push(await measured(kind, target, seconds)),
    ];
    for (const run of pair % 2 === 0 ? runs : runs.reverse()) await run();
  }
  const ratio = (of: 'cold' | 'warm') =>
    times(
      medianRatio(
        pairsOf(
          ours.map((each) => each[of]),
          theirs.map((each) => each[of]),
        ),
      ),
    );
  return [`${kind.target}: ${name}`, ratio('cold'), ratio('warm')];
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), {
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (options.help) return console.log(USAGE);
  if (!existsSync('/usr/bin/wrk')) throw new UsageError('wrk is not there: apt-get install wrk');
  const pairs = wholeNumber('pairs', String(options.pairs), 1);
  const seconds = wholeNumber('seconds', String(options.seconds), 1);
  await bundleEdge();
  const rows: string[][] = [];
  for (const kind of [workerServer, nodeServer]) {
    for (const [name, target] of SHAPES) {
      rows.push(await row(kind, name, target, { pairs, seconds }));
      console.error(rows.at(-1)!.join('  '));
    }
  }
  const head = ['Page', 'First request, time', 'Afterwards, requests a second'];
  const section = `${describeMachine('/dev/shm', []).join('\n')}\n\n${markdownTable({ head, rows })}`;
  console.log(section);
  if (options.write) {
    writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'bench-packed', section));
  }
}

if (isMain(import.meta.url)) {
  main().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  });
}
