/** One run of a scenario: a bucket of its own, the processes that work on it, and what goes wrong. */
import { setTimeout as sleep } from 'node:timers/promises';
import { pick, type Random } from '../../random.ts';
import { type Client, type Pace, startClient, type WrongClock } from './client.ts';
import type { Arrival, Fault, StoreBucket, Stored, StoreServer } from './store.ts';
import { type Findings, leaseOf, type Reference, type Watch, watch } from './watch.ts';

/** What every run uses. */
export type Trial = Pace & {
  readonly server: StoreServer;
  /** Output folders of builds, from the oldest commit to the newest. */
  readonly outs: readonly string[];
  /** What clean publishes of them leave. */
  readonly references: readonly Reference[];
  /** A bucket in which the second release is live, and the first was. */
  readonly snapshot: ReadonlyMap<string, Stored>;
  /** Requests of a clean publish of the third release to it. */
  readonly requests: number;
};

/** A publish of the release of this index, or something else. */
export type Work =
  | { readonly kind: 'publish'; readonly release: number; readonly force?: boolean }
  | { readonly kind: 'prune' | 'rollback' };

/** What a scenario has to do with. */
export type Stage = {
  readonly random: Random;
  readonly watch: Watch;
  /** The request of the one who is to suffer at which this run has its fault, from 1. */
  readonly place: number;
  readonly start: (work: Work, clock?: WrongClock) => Client;
  /** Starts it and waits for its end. */
  readonly run: (work: Work) => Promise<void>;
  /** Decides on what goes wrong with each request. */
  readonly onArrival: (decide: (arrival: Arrival) => Fault | undefined) => void;
  /** Waits until something holds, or for so long by the clock of the trial. */
  readonly until: (isTrue: () => boolean, milliseconds?: number) => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Waits until the lease may be taken. */
  readonly leaseOver: () => Promise<void>;
};

/** A scenario. The bucket is settled and judged afterwards. */
export type Scenario = (stage: Stage) => Promise<void>;

/** What came of one run. */
export type Outcome = Findings & {
  readonly seed: number;
  /** Requests that the store refused because they came too late. */
  readonly expired: number;
  readonly story: readonly string[];
};

/** Milliseconds by which clocks are wrong. */
const SHIFTS = [0, 120_000, -120_000, 3_600_000, -3_600_000];
/** Milliseconds without a new record after which a lease may be taken; stores cut two times off to whole seconds. */
const LEASE = 60_000 + 2000;

/** Breaks the lock of another publisher. */
const FORCE = '--force-unlock';

function optionsOf(work: Work, outs: readonly string[], random: Random): string[] {
  if (work.kind === 'prune') return ['--grace', '0'];
  const options = ['--allow-shrink', '--concurrency', String(pick(random, [1, 4, 32]))];
  if (work.kind !== 'publish') return options;
  return [...options, '--out', outs[work.release]!, ...(work.force ? [FORCE] : [])];
}

/** Which run: the bucket's name, what its luck depends on, and where among the requests of a publish its fault lies, from 0 to 1. */
type Run = {
  readonly name: string;
  readonly seed: number;
  readonly random: Random;
  readonly place: number;
};

/** Plays a scenario once. */
export async function play(trial: Trial, scenario: Scenario, run: Run): Promise<Outcome> {
  const { server, outs, references } = trial;
  const bucket = server.open(run.name, pick(run.random, SHIFTS), trial.snapshot);
  const story: string[] = [];
  const clients: Client[] = [];
  const from = bucket.now();
  const log = (text: string) => void story.push(`${((bucket.now() - from) / 1000).toFixed(1)} s: ${text}`);
  const stage = createStage(trial, run, bucket, clients, log);
  const { watch: judge } = stage;
  try {
    await scenario(stage);
    stage.onArrival(() => undefined);
    await Promise.all(clients.map(({ ended }) => ended));
    judge.atRest();
    await stage.leaseOver();
    await stage.run({ kind: 'publish', release: outs.length - 1 });
    judge.atRest(references.at(-1)!.name);
  } catch (error) {
    judge.findings.damage.push(`the trial itself failed: ${(error as Error).stack}`);
  } finally {
    for (const client of clients) client.signal('SIGKILL');
    server.drop(bucket);
  }
  log(`the lease: ${JSON.stringify(leaseOf(bucket))}`);
  return { ...judge.findings, seed: run.seed, expired: bucket.expired, story };
}

/** @param clients where those that are started are put. */
function createStage(
  trial: Trial,
  { name, random, place }: Run,
  bucket: StoreBucket,
  clients: Client[],
  log: (text: string) => void,
): Stage {
  const { server, pace, outs, references } = trial;
  const forced = new Set<string>();
  const judge = watch(bucket, references, (sender) => forced.has(sender));
  bucket.onEffect = (effect) => {
    if (effect.key === '_catalogue/lock.json' || effect.key === '_catalogue/manifest.json')
      log(`${effect.sender} changed ${effect.key}`);
    judge.observe(effect);
  };
  let decide: (arrival: Arrival) => Fault | undefined = () => undefined;
  bucket.onArrival = (arrival) => {
    judge.asked(arrival.sender, arrival.key);
    const fault = decide(arrival);
    if (fault)
      log(`${arrival.sender}, request ${arrival.number}: ${arrival.method} ${arrival.key} has a fault`);
    return fault;
  };

  const start = (work: Work, clock: WrongClock = { shift: pick(random, SHIFTS) }): Client => {
    const account = `${name}-${clients.length + 1}`;
    const args = [work.kind, `s3://${name}`, '--endpoint', server.endpoint, ...optionsOf(work, outs, random)];
    if (args.includes(FORCE)) forced.add(account);
    const started = bucket.now();
    const client = startClient(account, args, trial, clock);
    log(`${account}: ${args.slice(0, 1).concat(args.slice(4)).join(' ')}, clock ${clock.shift / 1000} s`);
    clients.push(client);
    client.ended.then((ending) => {
      log(`${account} ended: ${ending.signal ?? ending.code} ${ending.stderr.split(':')[0]}`);
      judge.ended(account, work.kind, ending, started);
    });
    return client;
  };
  const pause = (milliseconds: number) => sleep(milliseconds / pace);
  const until = async (isTrue: () => boolean, milliseconds = 300_000) => {
    const end = bucket.now() + milliseconds;
    while (!isTrue() && bucket.now() < end) await pause(200);
  };
  return {
    random,
    watch: judge,
    place: 1 + Math.floor(place * trial.requests),
    start,
    run: async (work) => void (await start(work).ended),
    onArrival(next) {
      decide = next;
    },
    until,
    pause,
    leaseOver: () => until(() => (judge.leaseAge() ?? LEASE) >= LEASE),
  };
}
