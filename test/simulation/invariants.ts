/** The invariants after every effective operation (`docs/reliability.md`), checked by independent rules. */
import { CURRENT_KEY, MANIFEST_KEY } from '../../src/contract/keys.ts';
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { createHolders } from './holders.ts';
import { checkReaders, createLists } from './lists.ts';
import { json, manifestOf } from './reading.ts';
import { type Layout, LIST_LIFE, ROOT_LIFE, type SimulatedSource } from './releases.ts';
import {
  checkRest,
  checkRestorable,
  checkTimeline,
  FOREIGN,
  type Life,
  RELEASES,
  restorableNames,
} from './rest.ts';
import type { Effect, Store } from './store.ts';
import { type Process, START, type World } from './world.ts';

/** The task of a process. */
export type Task = {
  readonly process: Process;
  readonly kind: 'publish' | 'rollback' | 'prune';
  readonly release: string | undefined;
  readonly force: boolean;
  readonly allowOlder: boolean;
  /** Milliseconds of grace of a prune. */
  readonly grace: number;
  readonly started: number;
};

/** A watched bucket. */
export type Watch = {
  readonly observe: (effect: Effect) => void;
  /** Reads a bucket that was filled before. */
  readonly resume: () => void;
  /** A holder of the lease sends any request to the store. */
  readonly asked: (holder: string) => void;
  readonly begin: (task: Task) => void;
  /** A process reported that a release is or was published. */
  readonly succeeded: (task: Task, release: string) => void;
  /** Checks a bucket whose operations have ended. */
  readonly atRest: (release: string) => void;
  /** Names of the releases to which a rollback may go while no other operation runs. */
  readonly earlier: () => readonly string[];
  /** Name of the release whose manifest is there. */
  readonly live: () => string | undefined;
  /** Number of leases that were taken while they were held. */
  readonly takeovers: () => number;
  readonly violations: string[];
};

const PIECES = `${RELEASES}pieces/`;
const PROPERTIES = '_catalogue/properties/';
/** Milliseconds by which a store may round two times down. */
const CUT = 2000;

type Scene = {
  readonly world: World;
  readonly store: () => Store;
  readonly sources: readonly SimulatedSource[];
  readonly layout: Layout;
};

export function createWatch({ world, store, sources, layout }: Scene): Watch {
  const violations: string[] = [];
  const complain = (text: string) => void violations.push(`${(world.now() - START) / 1000} s: ${text}`);
  const tasks = new Map<Process, Task>();
  const byName = new Map(sources.map((source) => [source.release.name, source]));
  const objects = () => store().objects;
  const holders = createHolders(complain);
  const lists = createLists(objects, layout);
  const lives = createSpans(world);
  const rests = createSpans(world);
  const removals = createRemovals(world, layout, complain);

  /** Promise 1. Returns the release. */
  const rest = (expected?: string) => {
    const release = checkRest(objects(), byName, complain, expected);
    if (!lists.isRight()) complain('the simulation lost count of its lists');
    return release;
  };
  const leaseChanged = (effect: Effect) => {
    const state = holders.leaseChanged(effect, tasks.get(effect.process)?.force ?? false);
    if (state === 'held') rests.end();
    if (state !== 'at rest') return;
    const release = rest();
    checkTimeline(objects(), lives.all, store().skew, complain);
    if (release !== undefined) rests.begin(release);
  };
  const manifestChanged = ({ process, before, after }: Effect) => {
    const [was, is] = [manifestOf(before), manifestOf(after)];
    if (!is) return complain('the manifest was removed or damaged');
    const [from, to] = [was?.build.time, is.build.time];
    if (from && to && to < from && !tasks.get(process)?.allowOlder)
      complain('an older commit replaced a newer one');
    if (layout === 'pages') lives.begin(is.release);
  };
  /** Its kind, in the folder of releases. */
  const releaseRemoved = ({ process, key }: Effect) => {
    const [name = '', file] = key.slice(RELEASES.length).split('/');
    if (file === 'manifest.json') lives.forget(name);
    const task = tasks.get(process);
    if (task?.kind !== 'prune' || file !== 'objects.ndjson.gz') return;
    const life = lives.all.findLast(({ release }) => release === name);
    if (life && world.now() - life.to < task.grace - CUT)
      complain(`release ${name} was pruned within its grace`);
  };
  /** Returns whether the objects that readers can reach may have changed. */
  const isRead = (effect: Effect): boolean => {
    const { key, after } = effect;
    const named = [...lists.named()];
    if (lists.observe(effect)) {
      removals.wereNamed(named);
      return true;
    }
    return !after || key === MANIFEST_KEY || key.startsWith(PROPERTIES);
  };

  return {
    violations,
    resume() {
      lists.recount();
      const release = rest();
      if (release === undefined) return;
      rests.begin(release);
      lives.begin(release);
    },
    asked: holders.asked,
    begin: (task) => void tasks.set(task.process, task),
    observe(effect) {
      const { process, key, after } = effect;
      holders.checkEffect(effect);
      if (key === LOCK_KEY) return leaseChanged(effect);
      if (key.startsWith(PIECES)) return;
      if (key.startsWith(RELEASES)) {
        if (!after) releaseRemoved(effect);
        return;
      }
      if (key === MANIFEST_KEY) manifestChanged(effect);
      if (key === CURRENT_KEY && after)
        lives.begin(json<{ root: string }>(after).root.slice('_catalogue/roots/'.length, -5));
      if (!after) removals.check(effect, tasks.get(process), lists.has);
      if (!isRead(effect)) return;
      checkReaders(objects(), lists.named(), (text) =>
        complain(`${text} (${process.name} ${after ? 'wrote' : 'removed'} ${key})`),
      );
      if (!after) checkRestorable(objects(), complain);
    },
    succeeded({ process, kind, started }, release) {
      const fits = rests.all.some((span) => span.release === release && span.to >= started);
      if (!fits) complain(`${process.name} said that ${release} is published, and it never was at rest`);
      if (kind === 'rollback' && !lives.all.some((life) => life.release === release))
        complain(`${process.name} went back to ${release}, which never was live`);
    },
    atRest(release) {
      rest(release);
      checkRestorable(objects(), complain);
    },
    takeovers: holders.takeovers,
    live: () => manifestOf(objects().get(MANIFEST_KEY))?.release,
    earlier: () => lastLive(lives.all, restorableNames(objects())),
  };
}

/** Successive releases, and the time of each. */
function createSpans(world: World) {
  let all: Life[] = [];
  const end = () => {
    const last = all.at(-1);
    if (last?.to === Number.POSITIVE_INFINITY) last.to = world.now();
  };
  return {
    get all(): readonly Life[] {
      return all;
    },
    end,
    begin(release: string) {
      const last = all.at(-1);
      if (last?.release === release && last.to === Number.POSITIVE_INFINITY) return;
      end();
      all.push({ release, from: world.now(), to: Number.POSITIVE_INFINITY });
    },
    forget(name: string) {
      all = all.filter(({ release, to }) => release !== name || to === Number.POSITIVE_INFINITY);
    },
  };
}

/** The objects that may be removed, and when. */
function createRemovals(world: World, layout: Layout, complain: (text: string) => void) {
  /** The last time at which a list named a property. */
  const named = new Map<string, number>();
  const life = 1000 * (layout === 'packed' ? LIST_LIFE + ROOT_LIFE : LIST_LIFE);
  return {
    wereNamed(ids: readonly string[]) {
      for (const id of ids) named.set(id, world.now());
    },
    check({ key }: Effect, task: Task | undefined, isListed: (id: string) => boolean) {
      if (FOREIGN.includes(key)) complain(`${key} was removed, which is not ours`);
      if (!key.startsWith(PROPERTIES) || (task?.kind === 'prune' && task.grace === 0)) return;
      const id = key.slice(PROPERTIES.length, -'.json'.length);
      const last = isListed(id) ? world.now() : named.get(id);
      if (last !== undefined && world.now() - last < life)
        complain(`${key} was removed while caches may name it`);
    },
  };
}

/** The previous live releases; several when whole seconds leave the order open. */
function lastLive(lives: readonly Life[], restorable: readonly string[]): string[] {
  const live = lives.at(-1)?.release;
  const ends = new Map<string, number>();
  for (const { release, to } of lives) if (release !== live) ends.set(release, to);
  const found = [...ends].filter(([release]) => restorable.includes(release));
  const latest = Math.max(...found.map(([, to]) => to));
  return found.filter(([, to]) => latest - to < CUT).map(([release]) => release);
}
