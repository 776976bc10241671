/** What happens to publishers. Each scenario is played at many places, by a seed. */
import { integerBetween, pick } from '../../random.ts';
import type { Client } from './client.ts';
import type { Scenario, Stage, Work } from './stage.ts';
import type { Arrival, Fault } from './store.ts';

const LOCK = '_catalogue/lock.json';

const OLDER: Work = { kind: 'publish', release: 2 };
const NEWER: Work = { kind: 'publish', release: 3 };

/** Does something once, when a process sends its request of this number. */
function once(
  stage: Stage,
  client: () => Client,
  work: (arrival: Arrival) => Fault | undefined,
  place = stage.place,
) {
  let isDone = false;
  return (arrival: Arrival): Fault | undefined => {
    if (isDone || arrival.sender !== client().name || arrival.number < place) return undefined;
    isDone = true;
    return work(arrival);
  };
}

/** Starts the one who suffers, and does something to it at the place of the run. Returns when that has happened. */
async function struck(
  stage: Stage,
  work: Work,
  signal: 'SIGSTOP' | 'SIGKILL',
): Promise<{ victim: Client; isStruck: boolean }> {
  let isStruck = false;
  // A request in the middle of a connection that dies may have arrived or not.
  const cut = signal === 'SIGKILL' && stage.random() < 0.5 ? ({ cut: 'request' } as const) : undefined;
  let victim: Client | undefined;
  stage.onArrival(
    once(
      stage,
      () => victim!,
      () => {
        isStruck = true;
        victim!.signal(signal);
        return cut;
      },
    ),
  );
  victim = stage.start(work);
  await stage.until(() => isStruck || victim.hasEnded());
  return { victim, isStruck };
}

/** Lets a stopped process go on, in the middle of what another one does or after it. */
async function wakeDuring(stage: Stage, victim: Client, other: Work): Promise<void> {
  let isReached = false;
  const at = integerBetween(stage.random, 1, 80);
  let second: Client | undefined;
  stage.onArrival(
    once(
      stage,
      () => second!,
      () => {
        isReached = true;
        return undefined;
      },
      at,
    ),
  );
  second = stage.start(other);
  await stage.until(() => isReached || second.hasEnded());
  victim.signal('SIGCONT');
  await Promise.all([victim.ended, second.ended]);
}

/** A publisher is stopped for longer than its lease, another one takes over, and the first goes on. */
const stopped: Scenario = async (stage) => {
  const { victim, isStruck } = await struck(stage, OLDER, 'SIGSTOP');
  if (isStruck && stage.random() < 0.5) {
    // Too early: a stopped process may still go on.
    await stage.pause(integerBetween(stage.random, 0, 40_000));
    await stage.run(NEWER);
  }
  if (isStruck) await stage.leaseOver();
  await wakeDuring(stage, victim, NEWER);
};

/** A publisher is killed at a request; others publish at once, by force, or when the lease is over. */
const killed: Scenario = async (stage) => {
  await struck(stage, OLDER, 'SIGKILL');
  const release = pick(stage.random, [2, 3]);
  const isForced = stage.random() < 0.5;
  if (isForced) return stage.run({ kind: 'publish', release, force: true });
  await stage.run({ kind: 'publish', release });
  await stage.leaseOver();
  await stage.run({ kind: 'publish', release });
};

/** Requests of the lease take effect, and their answers are lost; so are a few others. */
const unanswered: Scenario = async (stage) => {
  const { random } = stage;
  const share = pick(random, [0.2, 0.5, 0.8]);
  stage.onArrival(({ key, changes }) => {
    const isLease = key === LOCK && changes;
    const slow = stage.pause(integerBetween(random, 0, 1500));
    return random() < (isLease ? share : 0.03) ? { slow, cut: 'answer' } : { slow };
  });
  await stage.run(OLDER);
  await stage.leaseOver();
  await stage.run(NEWER);
};

/** Writes are held on the way, and arrive while or after another publisher is at work. */
const late: Scenario = async (stage) => {
  const { random } = stage;
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    release = resolve;
  });
  let victim: Client | undefined;
  let held = 0;
  stage.onArrival(({ sender, number, key, changes }) => {
    const isHeld = sender === victim!.name && number >= stage.place && changes && key !== LOCK && held < 5;
    if (!isHeld) return undefined;
    held++;
    if (held === 1 && random() < 0.7) victim!.signal(pick(random, ['SIGSTOP', 'SIGKILL']));
    return { late: arrived };
  });
  victim = stage.start(OLDER);
  await stage.until(() => held > 0 || victim.hasEnded());
  await stage.leaseOver();
  const other = stage.start(NEWER);
  let isReached = false;
  const reached = once(
    stage,
    () => other,
    () => {
      isReached = true;
      return undefined;
    },
    integerBetween(random, 1, 120),
  );
  stage.onArrival((arrival) => reached(arrival));
  await stage.until(() => isReached || other.hasEnded());
  release();
  if (random() < 0.5) victim.signal('SIGCONT');
  await other.ended;
  victim.signal('SIGCONT');
  await victim.ended;
};

/** Two of different kinds at once; one of them is stopped past its lease, or killed, or neither. */
function beside(kind: 'prune' | 'rollback'): Scenario {
  return async (stage) => {
    const { random } = stage;
    const works: Work[] = random() < 0.5 ? [OLDER, { kind }] : [{ kind }, OLDER];
    const what = pick(random, ['SIGSTOP', 'SIGKILL', 'nothing'] as const);
    if (what === 'nothing') {
      const first = stage.start(works[0]!);
      await stage.pause(integerBetween(random, 0, 8000));
      await Promise.all([first.ended, stage.run(works[1]!)]);
    } else {
      const { victim, isStruck } = await struck(stage, works[0]!, what);
      if (isStruck) await stage.leaseOver();
      await wakeDuring(stage, victim, works[1]!);
    }
    await stage.run({ kind });
  };
}

/** Publishers start at the same time. */
const together: Scenario = async (stage) => {
  const works = pick(stage.random, [
    [OLDER, NEWER],
    [NEWER, OLDER],
    [OLDER, OLDER, NEWER],
  ]);
  const clients: Client[] = [];
  for (const work of works) {
    clients.push(stage.start(work));
    await stage.pause(integerBetween(stage.random, 0, 4000));
  }
  await Promise.all(clients.map(({ ended }) => ended));
};

/** A slow publisher with a wrong clock, which is set meanwhile; others with other clocks must not take its lease. */
const clocks: Scenario = async (stage) => {
  const { random } = stage;
  const shift = pick(random, [120_000, -120_000, 3_600_000, -3_600_000]);
  const by = pick(random, [0, 120_000, -120_000, 3_600_000, -3_600_000]);
  const jump = { after: integerBetween(random, 10_000, 60_000), by };
  // About eighty seconds in all: longer than a lease.
  let slowness = 0;
  let victim: Client | undefined;
  stage.onArrival(({ sender, key }) => {
    if (sender !== victim!.name || key === LOCK || slowness > 80_000) return undefined;
    const slow = integerBetween(random, 2000, 6000);
    slowness += slow / 4;
    return { slow: stage.pause(slow) };
  });
  victim = stage.start(OLDER, { shift, jump });
  while (!victim.hasEnded()) {
    await stage.pause(integerBetween(random, 5000, 20_000));
    if (!victim.hasEnded()) await stage.start(NEWER, { shift: -shift }).ended;
  }
  stage.onArrival(() => undefined);
};

/** The scenarios by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  stopped,
  killed,
  unanswered,
  late,
  prune: beside('prune'),
  rollback: beside('rollback'),
  together,
  clocks,
};

/** What each is, for the table. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  stopped: 'a publisher is stopped (SIGSTOP) past its lease, another takes over, the first goes on',
  killed:
    'a publisher is killed (SIGKILL) at a request; others publish at once, by force, and after the lease',
  unanswered: "requests of the lease's own and others take effect, and their answers are lost",
  late: 'writes are held on the way, and arrive while another publishes, or later',
  prune: 'prune and a publish at once, one of them stopped or killed',
  rollback: 'rollback and a publish at once, one of them stopped or killed',
  together: 'two or three publishers start at the same time',
  clocks: 'a slow publisher whose clock is wrong and is set meanwhile, and others beside it',
};
