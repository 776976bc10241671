/**
 * Checks the invariants (`docs/reliability.md`) after every effective operation, by rules independent of the sources.
 */
import { CURRENT_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { isLogKey } from '../../src/storage/lock-log.ts';
import { createHolders, type LockState } from './holders.ts';
import { checkReaders, createLists } from './lists.ts';
import { createNumbers, STATEMENTS } from './numbers.ts';
import { createPreviews, type PreviewTask } from './previews.ts';
import { createPromises } from './promises.ts';
import { currentOf, json } from './reading.ts';
import type { Layout, SimulatedSource } from './releases.ts';
import {
  checkRest,
  checkRestorable,
  checkTimeline,
  FOREIGN,
  type Life,
  ROOT,
  restorableNames,
} from './rest.ts';
import type { Effect, Store, Stored } from './store.ts';
import { type Process, START, type World } from './world.ts';

export type Task = {
  readonly process: Process;
  readonly kind: 'publish' | 'rollback' | 'prune' | 'preview';
  readonly preview?: PreviewTask;
  readonly release: string | undefined;
  readonly force: boolean;
  readonly allowOlder: boolean;
  /** Milliseconds for which a prune keeps replaced releases. */
  readonly grace: number;
  readonly started: number;
};

export type Watch = {
  readonly observe: (effect: Effect) => void;
  /** Reads a bucket that already has objects. */
  readonly resume: () => void;
  /** Call for each request. */
  readonly asked: (process: Process, key: string) => void;
  readonly begin: (task: Task) => void;
  /** A process reported that the release is published. */
  readonly succeeded: (task: Task, release: string) => void;
  /** Checks the bucket after all its operations have ended. */
  readonly atRest: (release: string) => void;
  /** Releases that a rollback may restore while nothing else runs; undefined if that is unknown. */
  readonly earlier: () => readonly string[] | undefined;
  /** Release that `current.json` names. */
  readonly live: () => string | undefined;
  /** The lock was given back and nothing is unfinished. */
  readonly isAtRest: () => boolean;
  /** Something other than a publisher changes an object. */
  readonly tampered: (key: string, change: () => void) => void;
  /** Checks, after a prune, that each preview has one release. */
  readonly previewsAtRest: () => void;
  /** Previews that have objects. */
  readonly previews: () => readonly string[];
  /** Number of locks that were taken from a holder. */
  readonly takeovers: () => number;
  readonly violations: string[];
};

const PROPERTIES = '_catalogue/properties/';
/** Milliseconds by which a store may round two times down. */
const CUT = 2000;

type Scene = {
  readonly world: World;
  readonly store: () => Store;
  readonly sources: readonly SimulatedSource[];
  readonly layout: Layout;
  readonly isSigned: boolean;
  readonly isFenced: boolean;
};

export function createWatch({ world, store, sources, layout, isSigned, isFenced }: Scene): Watch {
  const violations: string[] = [];
  const complain = (text: string) => void violations.push(`${(world.now() - START) / 1000} s: ${text}`);
  const tasks = new Map<Process, Task>();
  /** Rollbacks that have recorded their target. */
  const rollbacks = new Set<Process>();
  const byName = new Map(sources.map((source) => [source.release.name, source]));
  const objects = () => store().objects;
  const holders = createHolders(complain, world.now, isFenced);
  const lists = createLists(objects, layout, (release) => byName.get(release)?.life ?? 0);
  const lives = createSpans(world);
  const rests = createSpans(world);
  const removals = createRemovals(world, complain);
  const numbers = createNumbers(complain);
  const promises = createPromises(store, complain);
  const previews = createPreviews(store, byName, complain);
  let state: LockState = 'at rest';
  /** State when the lock was taken. */
  let wasAtRest = true;
  /** An object was removed or replaced that the records of live releases depend on. */
  let isTampered = false;
  /** Nothing tells which releases are partially in the bucket. */
  let isLogLost = false;
  /** `current.json`, if tampering replaced it by another one. */
  let replaced: Stored | undefined;

  /** Promise 1. Returns the release in the bucket. */
  const rest = (expected?: string) => {
    const release = checkRest(objects(), byName, complain, expected);
    if (!lists.isRight()) complain('the simulation lost count of its lists');
    const root = release && objects().get(rootKey(release));
    if (root) numbers.rest(root);
    return release;
  };
  /** How the bucket differs from that release. Details are kept for caches until the next publish, if the log was lost. */
  const differencesFrom = (release: string): string[] => {
    const found: string[] = [];
    checkRest(objects(), byName, (text) => void found.push(text), release);
    return found.filter((text) => !text.includes(PROPERTIES) || !text.endsWith('left of another release'));
  };
  const logChanged = (effect: Effect) => {
    const taken = holders.takeovers();
    const next = holders.logChanged(effect, tasks.get(effect.process)?.force ?? false);
    if (!next) return;
    if (state !== 'held') wasAtRest = state === 'at rest';
    state = next;
    if (holders.takeovers() > taken) wasAtRest = false;
    if (state === 'held') {
      rests.end();
      rollbackBegins(effect);
    }
    if (state !== 'at rest') return;
    // Tampering may have put the very object in place that was to be published.
    const { current } = json<{ current: string | null }>(effect.after!);
    const present = objects().get(CURRENT_KEY);
    if (replaced && current === digestOf(present!.body)) {
      replaced = undefined;
      lives.begin(currentOf(present)!.release);
    }
    if (replaced) return;
    const release = rest();
    // Around a step of the store's clock, its times are not comparable.
    if (!isTampered && store().behind() === 0) checkTimeline(objects(), lives.all, store().skew, complain);
    if (release !== undefined) rests.begin(release);
  };
  const currentChanged = ({ process, before, after }: Effect) => {
    const [was, is] = [currentOf(replaced ?? before), currentOf(after)];
    replaced = undefined;
    if (!is) return complain('current.json was removed or damaged');
    const root = objects().get(rootKey(is.release));
    // A prune may write it again, with other releases besides the live one.
    if (isSigned && root && (was?.release !== is.release || tasks.get(process)?.kind !== 'prune'))
      numbers.live(root);
    const [from, to] = [was?.build.time, is.build.time];
    if (from && to && to < from && !isLogLost && !tasks.get(process)?.allowOlder)
      complain('an older commit replaced a newer one');
    lives.begin(is.release);
  };
  /** A rollback records its target when it begins. */
  const rollbackBegins = ({ process, after }: Effect) => {
    const { goal } = json<{ goal: string | null }>(after!);
    if (goal === null || tasks.get(process)?.kind !== 'rollback' || rollbacks.has(process)) return;
    rollbacks.add(process);
    const earlier = lastLive(lives.all, restorableNames(objects()));
    if (wasAtRest && !isTampered && !earlier.includes(goal))
      complain(`${process.name} goes back to ${goal}, and not to ${earlier.join(' or ')}`);
  };
  const rootRemoved = ({ process }: Effect, name: string) => {
    const task = tasks.get(process);
    lives.prune(name);
    if (task?.kind !== 'prune') return;
    const life = lives.all.findLast(({ release }) => release === name);
    if (life && world.now() - life.to < task.grace - CUT)
      complain(`release ${name} was pruned within its grace`);
  };
  /** Returns whether objects that readers can reach may have changed. */
  const isRead = (effect: Effect): boolean => {
    const { key, after } = effect;
    removals.wereNamed(lists.replaced(effect));
    if (lists.observe(effect)) return true;
    return !after || key === CURRENT_KEY || key.startsWith(PROPERTIES);
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
      if (previews.observe(effect, tasks.get(process)?.kind === 'preview')) return;
      holders.checkEffect(effect);
      if (isLogKey(key)) return logChanged(effect);
      const { kind, grace } = tasks.get(process) ?? {};
      if (promises.observe(effect, kind === 'prune' && grace === 0)) return;
      if (key.startsWith(STATEMENTS)) return numbers.signed(effect);
      const [, root] = ROOT.exec(key) ?? [];
      if (root !== undefined && !after) rootRemoved(effect, root);
      if (key === CURRENT_KEY) currentChanged(effect);
      // It removes the details of properties that are gone, whoever still has a list that names them.
      if (key === CURRENT_KEY && kind === 'prune' && grace === 0) removals.forget();
      if (!after) removals.check(effect, tasks.get(process), lists.has, layout);
      if (!isRead(effect)) return;
      const cached = layout === 'packed' ? removals.cached() : [];
      checkReaders(objects(), new Set([...lists.named(), ...cached]), replaced !== undefined, (text) =>
        complain(`${text} (${process.name} ${after ? 'wrote' : 'removed'} ${key})`),
      );
      if (!after) checkRestorable(objects(), complain);
    },
    succeeded({ process, kind, started }, release) {
      const fits = rests.all.some((span) => span.release === release && span.to >= started);
      const [difference] = fits ? [] : isLogLost ? differencesFrom(release) : ['it never was at rest'];
      if (difference) complain(`${process.name} said that ${release} is published: ${difference}`);
      if (kind === 'rollback' && !isTampered && !lives.all.some((life) => life.release === release))
        complain(`${process.name} went back to ${release}, which never was live`);
    },
    atRest(release) {
      rest(release);
      checkRestorable(objects(), complain);
    },
    isAtRest: () => state === 'at rest',
    tampered(key, change) {
      isTampered = true;
      isLogLost ||= isLogKey(key);
      if (isLogKey(key)) holders.tampered();
      if (key === CURRENT_KEY) replaced ??= objects().get(key);
      change();
      if (key !== CURRENT_KEY || layout === 'pages') return;
      // Readers get another release at once, and nobody could keep the details of the one before.
      lists.recount();
      removals.forget();
    },
    takeovers: holders.takeovers,
    previewsAtRest: previews.atRest,
    previews: previews.names,
    live: () => currentOf(objects().get(CURRENT_KEY))?.release,
    earlier: () => (isTampered ? undefined : lastLive(lives.all, restorableNames(objects()))),
  };
}

/** Consecutive releases, each with its time. */
function createSpans(world: World) {
  const all: Life[] = [];
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
      const now = world.now();
      if (last?.release === release && last.to === Number.POSITIVE_INFINITY) last.again = now;
      else {
        end();
        all.push({ release, from: now, again: now, to: Number.POSITIVE_INFINITY });
      }
    },
    prune(name: string) {
      for (const life of all) if (life.release === name) life.isPruned = life.to !== Number.POSITIVE_INFINITY;
    },
  };
}

/** Which objects may be removed, and when. */
function createRemovals(world: World, complain: (text: string) => void) {
  /** By id: until when caches may serve a list that names it. */
  const cached = new Map<string, number>();
  return {
    forget: () => cached.clear(),
    wereNamed({ ids, life }: { ids: readonly { id: string }[]; life: number }) {
      for (const { id } of ids) cached.set(id, Math.max(cached.get(id) ?? 0, world.now() + life));
    },
    /** Ids that caches may serve. */
    cached: () => [...cached].flatMap(([id, until]) => (world.now() < until ? [id] : [])),
    check({ key }: Effect, task: Task | undefined, isListed: (id: string) => boolean, layout: Layout) {
      if (FOREIGN.includes(key)) complain(`${key} was removed, which is not ours`);
      if (!key.startsWith(PROPERTIES)) return;
      const id = key.slice(PROPERTIES.length, -'.json'.length);
      if (task?.kind === 'prune' && task.grace === 0) {
        cached.delete(id);
        return;
      }
      // In the packed layout, a part may have the detail.
      if (layout === 'packed') return;
      if (isListed(id) || world.now() < (cached.get(id) ?? 0))
        complain(`${key} was removed while caches may name it`);
    },
  };
}

/** The previous live release. Several if whole seconds leave the order open. */
function lastLive(lives: readonly Life[], restorable: readonly string[]): string[] {
  const live = lives.at(-1)?.release;
  const ends = new Map<string, number>();
  for (const { release, to } of lives) if (release !== live) ends.set(release, to);
  const found = [...ends].filter(([release]) => restorable.includes(release));
  const latest = Math.max(...found.map(([, to]) => to));
  return found.filter(([, to]) => latest - to < CUT).map(([release]) => release);
}
