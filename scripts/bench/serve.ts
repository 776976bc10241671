/** Throughput of each target on its real server, alternating with the same server and files without rewrites. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PLAIN, withServer } from '../../test/conformance/conformance.ts';
import { type Fixture, makeFixture } from '../../test/conformance/fixture.ts';
import type { RunningServer, ServerInput, ServerKind } from '../../test/conformance/server.ts';
import { SERVERS } from '../../test/conformance/servers.ts';
import { missingPrograms } from '../../test/support/programs.ts';
import type { Bench } from './place.ts';
import type { Taken } from './process.ts';
import { inTurn, type Row } from './row.ts';

const LIST = '/api/v1/public/properties';
const SECONDS = 2;
const execute = promisify(execFile);

/** Seconds per thousand requests. */
export async function serve({ rounds, isQuick }: Bench): Promise<Row[]> {
  if (!existsSync('/usr/bin/wrk')) {
    console.error('wrk is not there (apt-get install wrk): servers are left out');
    return [];
  }
  const fixture = makeFixture(PLAIN);
  const rows: Row[] = [];
  for (const kind of SERVERS) {
    if (kind.benchmark === 'imitation' || (await missingPrograms(kind.needs)).length > 0) continue;
    if (isQuick && kind.target !== 'nginx') continue;
    rows.push(...(await rowsOf(kind, fixture, rounds)));
  }
  return rows;
}

async function rowsOf(kind: ServerKind, fixture: Fixture, rounds: number): Promise<Row[]> {
  const { benchmark } = kind;
  const rows: Row[] = [];
  let plain: RunningServer | undefined;
  const both: ServerKind = {
    ...kind,
    async start(input: ServerInput) {
      const work = join(input.work, 'plain');
      mkdirSync(work);
      if (typeof benchmark === 'function') plain = await benchmark({ ...input, work });
      return kind.start(input);
    },
  };
  await withServer(both, fixture, async ({ port }) => {
    try {
      for (const { name, target, file } of requestsOf(fixture)) {
        const works = [() => thousand(port, target), () => thousand(plain?.port ?? port, file)];
        for (const warmUp of works) await warmUp();
        const [ours = [], taken = []] = await inTurn(rounds, works);
        const peer = { name: plain ? 'no rewrite' : 'its own files', taken };
        rows.push({ name: `${kind.target}: ${name}`, ours, peer });
      }
    } finally {
      await plain?.stop();
    }
  });
  return rows;
}

function requestsOf({ summaries }: Fixture) {
  const { id } = summaries[3]!;
  const paris = Buffer.from('Paris').toString('hex');
  return [
    {
      name: 'list page',
      target: `${LIST}?filter%5Bcountry%5D=FR&filter%5Bcity%5D=Paris&page%5Bnumber%5D=2&page%5Bsize%5D=25`,
      file: `/_catalogue/pages/FR/${paris}/25-2.json`,
    },
    {
      name: 'unusual spelling',
      target: `${LIST}?utm_source=x&page[size]=25&%66ilter[country]=FR`,
      file: '/_catalogue/pages/FR/-/25-1.json',
    },
    { name: 'detail', target: `${LIST}/${id}`, file: `/_catalogue/properties/${id}.json` },
  ];
}

/** Runs wrk. @throws Error when the server responds wrongly */
async function thousand(port: number, target: string, attempts = 2): Promise<Taken> {
  const args = ['-t1', '-c16', `-d${SECONDS}s`, `http://127.0.0.1:${port}${target}`];
  const { stdout } = await execute('wrk', args);
  if (!/Non-2xx|Socket errors/.test(stdout))
    return { seconds: 1000 / Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]) };
  // A busy machine may drop a connection; a broken server fails every time.
  if (attempts === 0) throw new Error(`${target}: ${stdout}`);
  return thousand(port, target, attempts - 1);
}
