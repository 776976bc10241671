/**
 * Builds and checks, compared with programs that write the same files, other tools, and another version of this one.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { count } from '../table.ts';
import { digestOf, editableContent, makeContent, type Sizes } from './content.ts';
import { hugo, type Peer, velite } from './peers.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { run, type Taken } from './process.ts';
import { inTurn, type Limit, type Row } from './row.ts';

type Case = { readonly properties: number; readonly sizes: Sizes; readonly limits?: Limits };
/** By row name; for a ratio, by the names of row and peer. */
type Limits = Readonly<Record<string, Limit>>;

const TWO_SIZES = [25, 100];
const TEN_THOUSAND: Case = {
  properties: 10_000,
  sizes: 'all',
  limits: {
    'from nothing, cp -a': { ratio: 0.6, megabytes: 300 },
    'from nothing, minimal writer': { ratio: 1.3 },
    'from nothing, Hugo': { ratio: 1 / 8 },
    'check, Velite': { ratio: 1 / 5 },
    check: { seconds: 1 },
    'nothing changed': { seconds: 0.3 },
    'one title': { seconds: 0.4 },
  },
};
const QUICK: readonly Case[] = [{ properties: 1000, sizes: 'all' }, TEN_THOUSAND];
const FULL: readonly Case[] = [
  TEN_THOUSAND,
  { properties: 10_000, sizes: TWO_SIZES },
  {
    properties: 100_000,
    sizes: TWO_SIZES,
    limits: { 'from nothing, cp -a': { megabytes: 1000 }, 'nothing changed': { seconds: 1.2 } },
  },
];

const CHANGES = ['nothing changed', 'one title', 'one added', 'one removed', '1 % of titles'] as const;

/** @throws Error when an incremental build differs from a build from nothing */
export async function builds(bench: Bench): Promise<Row[]> {
  const { properties, isQuick } = bench;
  const one: Case[] = properties === undefined ? [] : [{ properties, sizes: 'all' }];
  const cases = one.length > 0 ? one : isQuick ? QUICK : FULL;
  const rows: Row[] = [await help(bench)];
  for (const each of cases) rows.push(...(await rowsOf(bench, each)));
  rows.push(...(await declaredFields(bench, properties ?? (isQuick ? 1000 : 10_000))));
  return rows;
}

/** Alternates two contents: one has eight declared fields, a two-line description and a translation. */
async function declaredFields(bench: Bench, properties: number): Promise<Row[]> {
  const contents = ['declared', 'content'] as const;
  for (const name of contents) makeContent(bench.folder, properties, TWO_SIZES, name);
  const clean = async (name: string) => {
    await clear(bench, 'out');
    return run(catalogue(bench, 'build', '--content', name, '--out', 'out'));
  };
  const check = (name: string) => run(catalogue(bench, 'check', '--content', name));
  const rows: Row[] = [];
  for (const [name, work] of Object.entries({ 'from nothing': clean, check })) {
    const [ours = [], taken = []] = await inTurn(
      bench.rounds,
      contents.map((content) => () => work(content)),
    );
    const title = `${count(properties)}, eight declared fields: ${name}`;
    rows.push({ name: title, ours, peer: { name: 'without fields', taken }, limit: { cpuRatio: 1.15 } });
  }
  await clear(bench, ...contents, 'out');
  return rows;
}

async function help(bench: Bench): Promise<Row> {
  const works = versions(bench).map((cli) => () => run(catalogue({ ...bench, cli }, '--help')));
  const [ours = [], before] = await inTurn(5 * bench.rounds, works);
  return { name: '`--help`', ours, peer: before && { name: 'before', taken: before } };
}

function versions({ cli, before }: Bench): string[] {
  return before === undefined ? [cli] : [cli, before];
}

async function rowsOf(bench: Bench, one: Case): Promise<Row[]> {
  const { properties, sizes, limits = {} } = one;
  const of = `${count(properties)}, ${sizes === 'all' ? 100 : sizes.length} page sizes`;
  console.error(of);
  makeContent(bench.folder, properties, sizes);
  const cold = await fromNothing(bench, one);
  const rows = [...cold, ...(await afterChanges(bench, properties)), ...(await checks(bench, properties))];
  await clear(bench, 'content', 'out', 'before');
  return rows.map((row) => {
    const limit = limits[row.peer ? `${row.name}, ${row.peer.name}` : row.name];
    return { ...row, limit, name: `${of}: ${row.name}` };
  });
}

type Built = Taken & { readonly stdout: string };

function build(bench: Bench, cli: string, out: string): Promise<Built> {
  return run(catalogue({ ...bench, cli }, 'build', '--content', 'content', '--out', out, '--format', 'json'));
}

const FOLDERS = ['out', 'before'];

async function fromNothing(bench: Bench, { properties, sizes }: Case): Promise<Row[]> {
  const { folder, rounds } = bench;
  const outputs = versions(bench).map((cli, place) => ({ cli, out: FOLDERS[place]! }));
  // The peers copy this output.
  const { stdout } = await build(bench, bench.cli, 'out');
  await run({ file: 'tar', args: ['cf', 'out.tar', 'out'], cwd: folder });
  await run({ file: 'cp', args: ['-a', 'out', 'model'], cwd: folder });
  const copied = async (command: { file: string; args: string[] }): Promise<Taken> => {
    await run({ file: 'mkdir', args: ['copy'], cwd: folder });
    const taken = await run({ ...command, cwd: folder });
    await clear(bench, 'copy');
    return taken;
  };
  const writer = fileURLToPath(new URL('minimal-writer.ts', import.meta.url));
  const peers = await available(bench, [hugo], sizes === 'all' && properties <= 10_000);
  const works = [
    ...outputs.map(({ cli, out }) => async () => {
      await clear(bench, out);
      return build(bench, cli, out);
    }),
    () => copied({ file: 'cp', args: ['-a', 'model', 'copy/out'] }),
    () => copied({ file: 'tar', args: ['xf', 'out.tar', '-C', 'copy'] }),
    async () => {
      const args = ['--import', import.meta.resolve('tsx'), writer, 'model', 'copy'];
      const { stdout: seconds } = await run({ file: process.execPath, args, cwd: folder });
      await clear(bench, 'copy');
      return { seconds: Number(seconds) };
    },
    ...peers.map((peer) => () => runPeer(bench, peer)),
  ];
  const series = await inTurn(rounds, works);
  await clear(bench, 'model', 'out.tar', ...peers.map(({ name }) => name));
  const { counts } = JSON.parse(stdout) as { counts: { files: number } };
  const digests = outputs.map(({ out }) => digestOf(join(folder, out), ['public']));
  const outcome = `${count(counts.files)} files; digest ${[...new Set(digests)].join(', before ')}`;
  const names = [...outputs.slice(1).map(({ out }) => out), 'cp -a', 'tar x', 'minimal writer'];
  return pairsOf('from nothing', series, [...names, ...peers.map(({ name }) => name)], outcome);
}

function pairsOf(
  name: string,
  [ours = [], ...others]: readonly Taken[][],
  peers: readonly string[],
  outcome: string,
) {
  const rows = others.map(
    (taken, place): Row => ({
      name,
      ours,
      peer: { name: peers[place]!, taken },
      outcome: place === 0 ? outcome : '',
    }),
  );
  return rows.length > 0 ? rows : [{ name, ours, outcome }];
}

async function afterChanges(bench: Bench, properties: number): Promise<Row[]> {
  const clis = versions(bench);
  const content = editableContent(join(bench.folder, 'content'));
  const taken = CHANGES.map(() => clis.map((): Taken[] => []));
  const written = CHANGES.map(() => 0);
  for (let round = 0; round < bench.rounds; round++) {
    for (const [place, change] of CHANGES.entries()) {
      if (change === 'one title') content.retitle(1 / properties);
      else if (change === 'one added') content.add();
      else if (change === 'one removed') content.remove();
      else if (change === '1 % of titles') content.retitle(0.01);
      // A file that changes within the clock's resolution before a build is read again by the next build.
      await sleep(60);
      for (const version of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const cli = clis[version];
        if (cli === undefined) continue;
        const built = await build(bench, cli, FOLDERS[version]!);
        taken[place]![version]!.push(built);
        if (version === 0) written[place] = (JSON.parse(built.stdout) as Report).work.written;
      }
    }
    // Files of this round must not count as just changed in the next.
    await sleep(60);
    for (const [version, cli] of clis.entries()) await build(bench, cli, FOLDERS[version]!);
  }
  const incremental = digestOf(join(bench.folder, 'out'));
  await clear(bench, 'out');
  await build(bench, bench.cli, 'out');
  if (digestOf(join(bench.folder, 'out')) !== incremental)
    throw new Error('the output after changes differs from that of a build from nothing');
  return CHANGES.flatMap((change, place) =>
    pairsOf(change, taken[place]!, ['before'], `${count(written[place]!)} files written`),
  );
}

type Report = { readonly work: { readonly written: number } };

async function checks(bench: Bench, properties: number): Promise<Row[]> {
  const peers = await available(bench, [velite], properties <= 10_000);
  const works = [
    ...versions(bench).map((cli) => () => run(catalogue({ ...bench, cli }, 'check', '--content', 'content'))),
    ...peers.map((peer) => () => runPeer(bench, peer)),
  ];
  const series = await inTurn(bench.rounds, works);
  await clear(bench, ...peers.map(({ name }) => name));
  const names = [...versions(bench).slice(1), ...peers.map(({ name }) => name)];
  return pairsOf(
    'check',
    series,
    names.map((name) => (name === bench.before ? 'before' : name)),
    '',
  );
}

async function available(
  { folder, isQuick }: Bench,
  peers: readonly Peer[],
  isWanted: boolean,
): Promise<Peer[]> {
  const found: Peer[] = [];
  for (const peer of isQuick || !isWanted ? [] : peers)
    if (await peer.prepare(join(folder, peer.name), join(folder, 'content'))) found.push(peer);
    else console.error(`${peer.name} is not there, and is left out`);
  return found;
}

async function runPeer({ folder }: Bench, peer: Peer): Promise<Taken> {
  const own = join(folder, peer.name);
  await clear({ folder: own }, ...peer.makes);
  return run(peer.command(own));
}
