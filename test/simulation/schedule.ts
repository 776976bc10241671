/** One schedule: operations of a few processes on one bucket, all chosen by a seed. */

import { NDJSON_KEY } from '../../src/contract/document-keys.ts';
import { CURRENT_KEY } from '../../src/contract/object-keys.ts';
import { EnvironmentError, UsageError } from '../../src/errors/errors.ts';
import { endPreview, publishPreview } from '../../src/publish/preview.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { sharedKeys } from '../../src/release/release.ts';
import { serializeCurrent } from '../../src/release/root-contents.ts';
import { type Bucket, etagOf } from '../../src/storage/bucket.ts';
import { DEAD_AFTER, isLogKey } from '../../src/storage/lock-log.ts';
import { type RetryOptions, withRetry } from '../../src/storage/retrying-bucket.ts';
import { idOf, idsOfMade } from '../publish/made.ts';
import { type EdgePublisher, edgeOf } from './edge.ts';
import { lastEntry } from './holders.ts';
import { createWatch, type Task, type Watch } from './invariants.ts';
import { SIGNING } from './numbers.ts';
import { withLargeDocuments } from './parts.ts';
import type { PreviewTask } from './previews.ts';
import { createRandom, type Random } from './random.ts';
import { once } from './reading.ts';
import { createReleases, type Layout, type SimulatedSource } from './releases.ts';
import { FOREIGN, ROOT } from './rest.ts';
import { createStore, type Effect, type Faults, NO_FAULTS, type Store, type Stored } from './store.ts';
import { createWorld, type Pause, type Process, START, type World } from './world.ts';

export type Counts = {
  /** Effective operations. All invariants were checked after each. */
  readonly effects: number;
  /** Locks that were taken from a holder. */
  readonly takeovers: number;
  /** How often a holder waited for requests of an earlier one. */
  readonly waits: number;
};

export type Outcome = Counts & {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Task and result of each process. */
  readonly story: readonly string[];
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Virtual milliseconds after which a schedule counts as hanging. */
const LIMIT = 6 * HOUR;

const pools = new Map<string, SimulatedSource[]>();
/** Schedules of the same kind share their releases. */
function releasesOf(layout: Layout, hasHistory: boolean, inChunks: boolean): SimulatedSource[] {
  const name = `${layout} ${hasHistory} ${inChunks}`;
  const made = pools.get(name) ?? createReleases(layout, hasHistory, inChunks);
  pools.set(name, made);
  return made;
}

/** Relative speeds of clocks: the extremes that publishing assumes. */
const RATES = [0.9, 1, 1.1];

/** Endings of keys: dying at these leaves the most to repair. */
const FATAL = [
  '.beat',
  '/00000003.json',
  '/00000004.json',
  '/00000005.json',
  'current.json',
  'current.json',
  'releases.json',
  'openapi.json',
];

/** `isHandover`: many late requests, and outages. */
function faultsOf(random: Random, started: number, isHandover: boolean): Faults {
  const some = (most: number) => (random.chance(0.4) ? 0 : random.next() * most);
  const from = started + random.below(isHandover ? 300 : 60_000);
  const to = from + random.pick([1500, 2500, 4000, 15_000, 45_000]);
  return {
    ...NO_FAULTS,
    lost: some(0.08),
    unanswered: some(0.08),
    late: some(isHandover ? 0.2 : 0.08),
    doubled: some(0.08),
    repeated: 0,
    refused: some(0.08),
    paused: some(0.06),
    killed: random.chance(0.4) ? random.next() * 0.03 : 0,
    killedAt: random.chance(0.07) ? random.pick(FATAL) : undefined,
    lateAt: random.chance(0.1) ? random.pick(FATAL) : undefined,
    outage: random.chance(isHandover ? 0.5 : 0.06) ? { from, to } : undefined,
    cut: isHandover && random.chance(0.5) ? random.pick([1000, 1400, 1800]) : undefined,
  };
}

/** Share of requests that a proxy repeats, if there is one. */
const REPEATED = 0.2;

/** Start times of processes in milliseconds. */
const DELAYS = [0, 20, 400, 3000, 40_000, 65_000, 100_000, 125_000];
/** Start times at which each process finds the previous lock held or just returned. */
const HANDOVER_DELAYS = [0, 1500, 4000, 7000, 10_000, 14_000, 18_000, 24_000];

type Setting = {
  /** A proxy repeats requests. */
  readonly isHarsher: boolean;
  /** Documents are uploaded in parts. */
  readonly hasParts: boolean;
  readonly isSigned: boolean;
  /** Days that the next publisher promises; undefined for no promise. */
  keptDays: () => number | undefined;
  /** Relative speed of the next process's clocks. */
  rates: () => number;
  readonly world: World;
  readonly store: Store;
  readonly watch: Watch;
  readonly sources: readonly SimulatedSource[];
  readonly story: string[];
  readonly counts: { effects: number; waits: number; isHealing: boolean };
};

type Kind = 'expiring' | 'fenced';

type Scene = {
  readonly layout: Layout;
  readonly kind: Kind;
  readonly isHarsher: boolean;
  readonly hasParts: boolean;
  readonly isSigned: boolean;
};

function settingOf(
  world: World,
  { layout, kind, isHarsher, hasParts, isSigned }: Scene,
  skew: number,
  sources: readonly SimulatedSource[],
  onEffect: (effect: Effect) => void,
): Setting {
  const isFenced = kind === 'fenced';
  const watch = createWatch({ world, store: () => store, sources, layout, isSigned, isFenced });
  const observe = (effect: Effect) => {
    onEffect(effect);
    watch.observe(effect);
  };
  const store = createStore(world, kind, skew, observe, watch.asked);
  for (const key of FOREIGN) store.objects.set(key, { body: Buffer.from('x'), tag: '"x"', modified: 0 });
  const counts = { effects: 0, waits: 0, isHealing: false };
  const story = [layout, kind];
  const choices = { keptDays: () => undefined, rates: () => 1 };
  return { isHarsher, hasParts, isSigned, ...choices, world, store, watch, sources, story, counts };
}

/** @param isDetailed logs every effective operation */
export async function runSchedule(seed: number, isDetailed = false): Promise<Outcome> {
  const random = createRandom(seed ^ 0x5bd1e995);
  const world = createWorld(seed);
  const layout: Layout = random.chance(0.35) ? 'packed' : 'pages';
  const hasHistory = random.chance(0.3);
  const kind: Kind = random.chance(0.25) ? 'fenced' : 'expiring';
  // From separate generators, so that other seeds keep their meaning.
  const isHarsher = createRandom(seed ^ 0x3c6ef372).chance(0.125);
  const edge = kind === 'expiring' ? edgeOf(createRandom(seed ^ 0x165667b1)) : undefined;
  const inChunks =
    layout === 'packed'
      ? createRandom(seed ^ 0x1b873593).chance(0.5)
      : createRandom(seed ^ 0x04c2ac31).chance(0.3);
  const releases = releasesOf(layout, hasHistory, inChunks);
  const hasParts = isHarsher || edge?.hasParts === true;
  const sources = hasParts ? releases.map(withLargeDocuments) : releases;
  const isSigned = createRandom(seed ^ 0x7feb352d).chance(0.25);
  const scene: Scene = { layout, kind, isHarsher, hasParts, isSigned };
  const clocks = [0, 0, 120_000, -120_000, HOUR, -HOUR];
  const setting = settingOf(world, scene, random.pick(clocks), sources, ({ process, key, after }) => {
    counts.effects++;
    if (!isDetailed) return;
    const what = isLogKey(key) && after ? `${key} ${after.body.toString('utf8').trim()}` : key;
    log(world, `${process.name} ${after ? 'writes' : 'removes'} ${what}`);
  });
  const log = ({ now }: World, text: string) =>
    void story.push(`${((now() - START) / 1000).toFixed(3)} s: ${text}`);
  const { watch, store, story, counts } = setting;
  const harm = createRandom(seed ^ 0x2545f491);
  const isEmpty = harm.chance(0.04);
  const filled = isEmpty ? [] : await prepare(layout, kind, store.skew - HOUR, releases);
  for (const [key, object] of filled) store.objects.set(key, object);
  const stepRandom = createRandom(seed ^ 0x27d4eb2f);
  if (stepRandom.chance(0.5)) setting.rates = () => stepRandom.pick(RATES);
  if (stepRandom.chance(0.2))
    store.setBackAt(START + stepRandom.below(150_000), () => 20_000 + stepRandom.below(25_000));
  if (edge?.step) store.setBackAt(START + edge.step.after, () => edge.step!.by);
  const promising = createRandom(seed ^ 0x51ed270b);
  if (promising.chance(0.2)) setting.keptDays = () => promising.pick([0, 20_000, 60_000, 300_000]) / DAY;
  watch.resume();
  const isHarmed = isEmpty || harm.chance(0.15);
  if (isHarmed) tamper(setting, harm, isEmpty);
  const previewing = createRandom(seed ^ 0x68e31da4);
  // A folder has separate fences for previews.
  const hasPreviews = layout === 'packed' && kind === 'expiring' && !edge && !isHarmed;
  const previews = hasPreviews && previewing.chance(0.5) ? 1 + previewing.below(3) : 0;

  let isDone = false;
  const whole = async () => {
    const isHandover = random.chance(0.25);
    const tasks =
      edge?.publishers.map((one, index) => edgeTask(setting, random, index, random.pick(clocks), one)) ??
      Array.from({ length: 2 + random.below(2) + Number(isHandover) }, (_, index) =>
        chooseTask(setting, random, index, random.pick(clocks), isHandover),
      );
    const shown = Array.from({ length: previews }, (_, index) => {
      const { task, faults, release } = previewTask(setting, previewing, index);
      return Promise.race([perform(setting, task, faults, release), death(world, task.process)]);
    });
    await Promise.all([
      ...shown,
      ...tasks.map(async ({ task, faults, release }) => {
        const isEnded = perform(setting, task, faults, release);
        const isDone = await Promise.race([isEnded, death(world, task.process)]);
        if (isHandover && !isDone && !task.process.isDead)
          await perform(setting, again(setting, random, task), NO_FAULTS, release);
      }),
    ]);
    await heal(setting, random);
    if (previews > 0) await showLast(setting, previewing);
    isDone = true;
  };
  const running = whole().catch((error: unknown) => {
    watch.violations.push(`the simulation failed: ${error instanceof Error ? error.stack : String(error)}`);
  });
  const end = world.now() + LIMIT;
  await world.run(() => isDone || watch.violations.length > 0 || world.now() > end);
  if (!isDone && watch.violations.length === 0) watch.violations.push('the schedule hangs');
  if (isDone) await running;
  return { seed, violations: watch.violations, story, ...counts, takeovers: watch.takeovers() };
}

/** Removes an object that publishing relies on, or makes `current.json` name another release that is there. */
function tamper(
  { world, store, watch, sources, story, counts }: Setting,
  random: Random,
  isEmpty: boolean,
): void {
  const { objects } = store;
  const what = isEmpty ? 'log' : random.pick([CURRENT_KEY, 'log']);
  const isQuiet = () => {
    const entry = lastEntry(objects);
    const { quiet = null } = entry ? (JSON.parse(entry.body.toString()) as { quiet?: string | null }) : {};
    return quiet === null || Date.parse(quiet) <= store.time();
  };
  const harm = () => {
    if (counts.isHealing) return false;
    // The last entry, or the last beat.
    const logged = [...objects.keys()].filter((one) => isLogKey(one)).sort();
    const key = what === 'log' ? (random.pick(logged.slice(-2)) ?? '') : what;
    const kept = new Set([...objects.keys()].map((one) => ROOT.exec(one)?.[1]));
    const others = sources
      .filter(({ release }) => kept.has(release.name) && sharedKeys(release).every((one) => objects.has(one)))
      .map(({ release: { name, build } }) => serializeCurrent({ release: name, build }))
      .filter((body) => !body.equals(objects.get(CURRENT_KEY)?.body ?? Buffer.of()));
    // During a publish, an old one could also have been left by that publish. A late write of it would undo this.
    const isReady =
      key === CURRENT_KEY ? watch.isAtRest() && isQuiet() && others.length > 0 : objects.has(key);
    if (!isReady) return void world.at(world.now() + 1000 + random.below(5000), harm);
    story.push(`${(world.now() - START) / 1000} s: ${key} is tampered with`);
    watch.tampered(key, () => {
      if (key !== CURRENT_KEY) return void objects.delete(key);
      const body = random.pick(others);
      objects.set(key, { ...objects.get(key), body, tag: etagOf(body), modified: store.time() });
    });
    return false;
  };
  world.at(START + random.below(isEmpty ? 3000 : 90_000), harm);
}

function taskOf(
  { world }: Setting,
  name: string,
  kind: Task['kind'],
  skew: number,
  delay: number,
  more: Partial<Task> = {},
  rate = 1,
): Task {
  const started = world.now() + delay;
  const process = world.spawn(name, skew, rate);
  return { process, kind, release: undefined, force: false, allowOlder: false, grace: 0, started, ...more };
}

/** After a failure, people or a workflow run the same command again at once. */
function again(setting: Setting, random: Random, { process, kind, allowOlder, grace }: Task): Task {
  return taskOf(setting, `${process.name}-again`, kind, 0, random.below(2000), { allowOlder, grace });
}

const prepared = new Map<string, ReadonlyMap<string, Stored>>();

/**
 * A bucket with the first release. Made once, in its own world, for all schedules of a kind.
 * @param skew milliseconds by which the store's clock is ahead
 */
async function prepare(layout: Layout, kind: Kind, skew: number, sources: readonly SimulatedSource[]) {
  const { documents, root } = sources[0]!.release;
  const name = `${layout} ${kind} ${skew} ${root.chunks.length} ${documents[NDJSON_KEY]}`;
  const left = prepared.get(name);
  if (left) return left;
  const world = createWorld(0);
  const scene: Scene = { layout, kind, isHarsher: false, hasParts: false, isSigned: false };
  const setting = settingOf(world, scene, skew, sources, () => {});
  let isDone = false;
  const task = taskOf(setting, 'setup', 'publish', 0, 0);
  void perform(setting, task, NO_FAULTS, 0).finally(() => {
    isDone = true;
  });
  await world.run(() => isDone);
  if (setting.watch.violations.length > 0) throw new Error(setting.watch.violations.join('\n'));
  prepared.set(name, setting.store.objects);
  return setting.store.objects;
}

/** Chooses a task and when it starts. */
function chooseTask(setting: Setting, random: Random, index: number, skew: number, isHandover: boolean) {
  const kind = random.pick(['publish', 'publish', 'publish', 'rollback', 'prune'] as const);
  const delay = random.pick(isHandover ? HANDOVER_DELAYS : DELAYS);
  const more = {
    force: random.chance(isHandover ? 0.4 : 0.25),
    allowOlder: kind === 'rollback' || random.chance(0.3),
    grace: random.pick([0, 30_000, 300_000]),
  };
  const task = taskOf(setting, `${kind}-${index}`, kind, skew, delay, more, setting.rates());
  const faults = faultsOf(random, task.started, isHandover);
  return { task, faults, release: 1 + random.below(setting.sources.length - 1) };
}

const PREVIEW_NAMES = ['pr-1', 'pr-1', 'pr-2'];

/** Publishes or ends a preview while other processes run. */
function previewTask(setting: Setting, random: Random, index: number) {
  const days = random.pick([0, 20_000, 120_000, 14 * DAY]) / DAY;
  const preview: PreviewTask = { name: random.pick(PREVIEW_NAMES), days };
  const delay = random.pick([...DELAYS, ...HANDOVER_DELAYS]);
  const more = { preview, force: random.chance(0.2) };
  const task = taskOf(setting, `preview-${index}`, 'preview', 0, delay, more, setting.rates());
  const release = random.below(setting.sources.length);
  return { task, faults: faultsOf(random, task.started, random.chance(0.3)), release };
}

/**
 * At the end, publishes a preview during a prune, or after a prune that would remove the last preview. The prune may be
 * suspended until the preview counts it as dead.
 */
async function showLast(setting: Setting, random: Random): Promise<void> {
  const release = random.below(setting.sources.length);
  const more = { preview: { name: 'pr-1', days: 14 }, force: true };
  const delay = random.below(2000);
  const show = (name: string, delay: number) =>
    perform(setting, taskOf(setting, name, 'preview', 0, delay, more), NO_FAULTS, release);
  const pruner = taskOf(setting, 'cleaner', 'prune', 0, random.below(2000), { grace: DAY });
  const pause = pruner.started + random.below(1500);
  const kind = random.pick<Pause>(['stopped', 'suspended', 'frozen']);
  if (random.chance(0.4)) setting.world.at(pause, () => pruner.process.pause(200_000, kind));
  const faults = { ...NO_FAULTS, paused: random.pick([0, 0.1]) };
  const [isShown] = await Promise.all([show('shower', delay), perform(setting, pruner, faults, 0)]);
  if (!isShown && !(await show('shower-again', 0)))
    setting.watch.violations.push('a preview cannot be published');
  await untilDead(setting);
  const keeper = taskOf(setting, 'keeper', 'prune', 0, 0, { grace: DAY });
  if (await perform(setting, keeper, NO_FAULTS, 0)) setting.watch.previewsAtRest();
}

/** As `chooseTask`, for schedules of `edge.ts`. */
function edgeTask(
  setting: Setting,
  random: Random,
  index: number,
  skew: number,
  { delay, rate, force, faults }: EdgePublisher,
) {
  const more = { force, allowOlder: true };
  const task = taskOf(setting, `publish-${index}`, 'publish', skew, delay, more, rate);
  return { task, faults, release: 1 + random.below(setting.sources.length - 1) };
}

/** Resolves when the process is dead: a dead process waits forever. */
async function death(world: World, process: Process): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (process.isDead) return resolve();
      world.at(world.now() + 5000, look);
      return false;
    };
    look();
  });
}

/** Runs the task and reports the result. Returns whether it succeeded. */
async function perform(
  { isHarsher, hasParts, isSigned, keptDays, world, store, watch, sources, story, counts }: Setting,
  task: Task,
  given: Faults,
  index: number,
): Promise<boolean> {
  const { process, kind, force, allowOlder, grace } = task;
  const { host } = process;
  await new Promise<void>((resolve) => world.at(task.started, resolve));
  watch.begin(task);
  const retry: RetryOptions = {
    attempts: 4,
    delay: 300,
    longest: 4000,
    sleep: host.sleep,
    random: world.random.next,
  };
  const faults = isHarsher ? { ...given, repeated: REPEATED } : given;
  const bucket: Bucket = withRetry(store.open(process, faults, hasParts ? retry : undefined), retry);
  const note = (text: string) => {
    if (text.includes('waiting')) counts.waits++;
  };
  const lock = { host, force, note };
  const source = sources[index]!;
  const log = (text: string) => void story.push(`${process.name}${force ? ' (force)' : ''}: ${text}`);
  log(`begins${kind === 'publish' || kind === 'preview' ? ` ${source.release.name.slice(0, 4)}` : ''}`);
  try {
    if (kind === 'prune') {
      const force = grace === 0;
      const options = { lock, grace: grace / DAY, keep: force ? 0 : 1, force };
      const { busy } = await pruneReleases(bucket, options);
      log(['pruned, but', ...busy].join(' ').replace(/, but$/, ''));
      return busy.length === 0;
    }
    if (task.preview) {
      const { name, days } = task.preview;
      if (days === 0) await endPreview(bucket, name, { lock });
      else await publishPreview(bucket, name, source, { lock, days, concurrency: 3 });
      log(days === 0 ? `ended ${name}` : `shows ${source.release.name.slice(0, 4)} at ${name}`);
      return true;
    }
    const signing = isSigned ? SIGNING : undefined;
    const options = { lock, concurrency: 3, allowOlder, allowShrink: true, signing, keptDays: keptDays() };
    const result =
      kind === 'publish'
        ? await publishRelease(bucket, source, options)
        : await rollBack(bucket, undefined, options);
    log(`${result.outcome} ${result.release.slice(0, 4)}`);
    watch.succeeded(task, result.release);
    return true;
  } catch (error) {
    const isNamed = error instanceof EnvironmentError || error instanceof UsageError;
    log(isNamed ? error.code : String(error));
    if (!isNamed)
      watch.violations.push(`${process.name} crashed: ${error instanceof Error ? error.stack : error}`);
    return false;
  }
}

/** Whatever happened, the next publish must bring the bucket to rest; then each command must work as documented. */
async function heal(setting: Setting, random: Random): Promise<void> {
  const { watch, sources, counts } = setting;
  counts.isHealing = true;
  const live = sources.findIndex(({ release }) => release.name === watch.live());
  const last = live >= 0 && random.chance(0.25) ? live : 1 + random.below(sources.length - 1);
  for (let time = 0; ; time++) {
    const task = taskOf(setting, `healer-${time}`, 'publish', 0, 25_000, { allowOlder: true });
    if (await perform(setting, task, NO_FAULTS, last)) break;
    if (time === 10) watch.violations.push('the bucket cannot be published to');
    if (time === 10) return;
  }
  watch.atRest(sources[last]!.release.name);
  if (random.chance(0.4)) await goBack(setting, random);
  if (random.chance(0.3)) await forget(setting, random);
  if (setting.isSigned && random.chance(0.3)) await sweep(setting);
}

/** Runs a command that may die at any request, again and again until it ends. Returns whether it succeeded. */
async function insist(setting: Setting, random: Random, name: string, kind: Task['kind']): Promise<boolean> {
  const { world, watch } = setting;
  const before = watch.live();
  for (let time = 0; ; time++) {
    const killedAfter = time === 0 && random.chance(0.5) ? 1 + random.below(70) : undefined;
    const task = taskOf(setting, `${name}-${time}`, kind, 0, 1000, { allowOlder: true, force: time > 0 });
    const isEnded = perform(setting, task, { ...NO_FAULTS, killedAfter }, 0);
    const isDone = await Promise.race([isEnded, death(world, task.process)]);
    if (!task.process.isDead) return Boolean(isDone);
    // Its last request may still take effect within seconds.
    await new Promise<void>((resolve) => world.at(world.now() + 5000, resolve));
    if (kind === 'rollback' && watch.isAtRest() && watch.live() !== before) return true;
  }
}

/** A rollback without a name must restore the previous live release, even if it is killed and run again. */
async function goBack(setting: Setting, random: Random): Promise<void> {
  const { watch } = setting;
  const earlier = watch.earlier();
  if (!earlier) return;
  const isDone = await insist(setting, random, 'returner', 'rollback');
  const names = earlier.map((name) => name.slice(0, 4)).join(' or ');
  if (isDone !== earlier.length > 0) watch.violations.push(`a rollback to ${names || 'nothing'} went wrong`);
  if (isDone && !earlier.includes(watch.live() ?? ''))
    watch.violations.push(`a rollback went to ${watch.live()}, not to ${names}`);
}

/** Waits until those who were killed while they published to a preview count as dead. */
async function untilDead({ world }: Setting): Promise<void> {
  await new Promise<void>((resolve) => world.at(world.now() + DEAD_AFTER + 10_000, resolve));
}

/** Once no cache has an older release, a prune removes statements, but not that of the live release. */
async function sweep(setting: Setting): Promise<void> {
  const { watch } = setting;
  const task = taskOf(setting, 'sweeper', 'prune', 0, HOUR, { grace: DAY });
  if (await perform(setting, task, NO_FAULTS, 0)) watch.atRest(watch.live()!);
}

/** After a prune without grace, no object may contain a property that is not live. */
async function forget(setting: Setting, random: Random): Promise<void> {
  const { watch, sources, store } = setting;
  const index = sources.findIndex(({ release }) => release.name === watch.live());
  const { release } = sources[index]!;
  if (watch.previews().length > 0) await untilDead(setting);
  if (!(await insist(setting, random, 'forgetter', 'prune'))) {
    await untilDead(setting);
    await perform(
      setting,
      taskOf(setting, 'mender', 'publish', 0, 0, { allowOlder: true }),
      NO_FAULTS,
      index,
    );
    await perform(setting, taskOf(setting, 'forgetter-last', 'prune', 0, 1000), NO_FAULTS, 0);
  }
  watch.atRest(release.name);
  for (const name of watch.previews()) watch.violations.push(`the preview ${name} is left`);
  for (const [key, { body }] of store.objects) {
    if (isLogKey(key) || key.startsWith('changes/')) continue;
    for (const id of idsIn(body))
      if (!idsOfMade(release).includes(id)) watch.violations.push(`${key} still holds ${id}`);
  }
}

const idsIn = once((body: Buffer) => [1, 2, 3, 4, 5].map(idOf).filter((id) => body.includes(id)));
