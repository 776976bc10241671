/** What has to hold after every effective operation (`docs/reliability.md`). Judged from outside, by rules of its own. */
import { CURRENT_KEY, MANIFEST_KEY } from '../../src/contract/keys.ts';
import { keptKeys, objectsOf, parseRelease, type Release } from '../../src/release/release.ts';
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { type Layout, LIST_LIFE, ROOT_LIFE, type SimulatedSource } from './releases.ts';
import type { Effect, Store, Stored } from './store.ts';
import type { Process, World } from './world.ts';

/** What a process was asked to do. */
export type Task = {
  readonly process: Process;
  readonly kind: 'publish' | 'rollback' | 'prune';
  readonly release: string | undefined;
  readonly force: boolean;
  readonly allowOlder: boolean;
  /** Milliseconds of a prune. */
  readonly grace: number;
  readonly started: number;
};

/** A bucket that is watched. */
export type Watch = {
  readonly observe: (effect: Effect) => void;
  /** Looks at a bucket that was filled before. */
  readonly resume: () => void;
  /** A holder of the lease asks the store for anything. */
  readonly asked: (holder: string) => void;
  readonly begin: (task: Task) => void;
  /** A process said that a release is published, or was. */
  readonly succeeded: (task: Task, release: string) => void;
  /** Checks a bucket in which nothing happens any more. */
  readonly atRest: (release: string) => void;
  readonly violations: string[];
};

/** Keys of objects that are none of ours. */
export const FOREIGN = ['robots.txt', 'media/foreign.jpg', '_catalogue/properties/foreign.txt'];

const RELEASES = '_catalogue/releases/';
const PIECES = '_catalogue/releases/pieces/';
const PROPERTIES = '_catalogue/properties/';
const DURATION = 60_000;

type Lease = { held: boolean; token: string; epoch: number; suspect: boolean; releases: string[] };

export function createWatch(
  world: World,
  store: () => Store,
  sources: readonly SimulatedSource[],
  layout: Layout,
): Watch {
  const violations: string[] = [];
  const tasks = new Map<Process, Task>();
  const complain = (text: string) =>
    void violations.push(`${(world.now() - 1_768_867_200_000) / 1000} s: ${text}`);
  const byName = new Map(sources.map((source) => [source.release.name, source]));
  const cache = new WeakMap<Buffer, unknown>();
  const parsed = <T>(body: Buffer, parse: (body: Buffer) => T): T => {
    if (!cache.has(body)) cache.set(body, parse(body));
    return cache.get(body) as T;
  };
  const json = <T>(object: Stored): T =>
    parsed(object.body, (body) => JSON.parse(body.toString('utf8')) as T);
  const releaseOf = (object: Stored | undefined): Release | undefined =>
    object && parsed(object.body, parseRelease);
  const get = (key: string) => store().objects.get(key);

  // What readers may hold: when a list last named a property.
  const named = new Map<string, number>();
  const rests: { release: string; from: number; to: number }[] = [];
  const lives: { release: string; from: number; to: number }[] = [];
  const lastLife = layout === 'packed' ? LIST_LIFE + ROOT_LIFE : LIST_LIFE;

  /** Whether what lists name can change with this key. */
  const isList = (key: string) =>
    layout === 'packed' ? key === CURRENT_KEY : key.startsWith('_catalogue/pages/');
  let listed = new Set<string>();
  /** Ids that the lists in the bucket name now. */
  const idsInLists = (): Set<string> => {
    const ids = new Set<string>();
    const addAll = (text: { id: string }[]) => {
      for (const { id } of text) ids.add(id);
    };
    if (layout === 'packed') {
      const current = get(CURRENT_KEY);
      const root = current && get(json<{ root: string }>(current).root);
      for (const key of root ? json<{ chunks: string[] }>(root).chunks : []) {
        const chunk = get(key);
        if (chunk) addAll(json<{ id: string }[]>(chunk));
      }
      return ids;
    }
    for (const [key, object] of store().objects) {
      if (key.startsWith('_catalogue/pages/') && key.endsWith('.json'))
        addAll(json<{ data: { id: string }[] }>(object).data);
    }
    return ids;
  };

  const keys = new WeakMap<Release, readonly string[]>();
  const keysNamed = (release: Release): readonly string[] => {
    const made =
      keys.get(release) ?? NAMED.flatMap((kind) => [...objectsOf(release, kind)].map(({ key }) => key));
    keys.set(release, made);
    return made;
  };

  /** Promise 2: nothing that a reader can come across is missing. */
  const complete = (why: string) => {
    const present = store().objects;
    const need = (key: string, by: string) => {
      if (!present.has(key)) complain(`${by} leads to ${key}, which is missing (${why})`);
    };
    for (const id of listed) {
      const key = `${PROPERTIES}${id}.json`;
      need(key, 'a list');
      const detail = present.get(key);
      for (const { url } of detail ? json<{ photo: { url: string }[] }>(detail).photo : [])
        need(url.slice(1), key);
    }
    const current = present.get(CURRENT_KEY);
    if (current) {
      const { root } = json<{ root: string }>(current);
      need(root, 'current.json');
      const found = present.get(root);
      for (const chunk of found ? json<{ chunks: string[] }>(found).chunks : []) need(chunk, 'the root');
    }
    const live = releaseOf(present.get(MANIFEST_KEY));
    if (live) {
      // What names the root is written last: until then nothing packed is live.
      for (const key of keysNamed(live)) need(key, 'the manifest');
    }
  };

  /** What may be restored has what it needs. */
  const restorable = () => {
    const pruned = get(`${RELEASES}timeline.json`);
    const done = pruned ? json<{ pruned: string[] }>(pruned).pruned : [];
    for (const [key] of store().objects) {
      if (!key.startsWith(RELEASES) || !key.endsWith('/objects.ndjson.gz')) continue;
      const name = key.slice(RELEASES.length).split('/')[0]!;
      const release = releaseOf(get(`${RELEASES}${name}/manifest.json`));
      if (!release || done.includes(name)) continue;
      for (const kept of keptKeys(release))
        if (!get(kept)) complain(`release ${name} looks restorable, and ${kept} is gone`);
    }
  };

  /** Promise 1: a bucket at rest is exactly one release. */
  const exact = (expected?: string) => {
    const { objects } = store();
    const live = releaseOf(objects.get(MANIFEST_KEY));
    if (!live) {
      if (expected !== undefined) complain('at rest, there is no manifest');
      return undefined;
    }
    const source = byName.get(live.name);
    if (!source) {
      complain(`at rest, an unknown release ${live.name}`);
      return undefined;
    }
    if (expected !== undefined && live.name !== expected)
      complain(`at rest, the release is ${live.name}, not ${expected}`);
    const timeline = objects.get(`${RELEASES}timeline.json`);
    const { retired = [] } = timeline ? json<{ retired: { ids: string[] }[] }>(timeline) : {};
    const allowed = new Set(retired.flatMap(({ ids }) => ids.map((id) => `${PROPERTIES}${id}.json`)));
    for (const key of FOREIGN) allowed.add(key);
    const kept = new Set<string>();
    for (const [key, object] of objects) {
      if (!key.startsWith(RELEASES) || !key.endsWith('/manifest.json')) continue;
      const release = releaseOf(object);
      for (const one of release ? keptKeys(release) : []) kept.add(one);
    }
    let count = 0;
    for (const [key, object] of objects) {
      if (key === MANIFEST_KEY || key === LOCK_KEY || key.startsWith(RELEASES) || key.startsWith('changes/'))
        continue;
      const body = bodyOf(source, key);
      if (body) {
        count++;
        if (!body.equals(object.body)) complain(`at rest, ${key} is not that of release ${live.name}`);
      } else if (!allowed.has(key) && !kept.has(key)) complain(`at rest, ${key} is left of another release`);
    }
    if (count !== countOf(source)) complain(`at rest, objects of release ${live.name} are missing`);
    history(live.name);
    return live.name;
  };
  const tables = new WeakMap<SimulatedSource, Map<string, Buffer>>();
  const tableOf = (source: SimulatedSource): Map<string, Buffer> => {
    const made = tables.get(source) ?? allBodies(source);
    tables.set(source, made);
    return made;
  };
  const bodyOf = (source: SimulatedSource, key: string) => tableOf(source).get(key);
  const countOf = (source: SimulatedSource) => tableOf(source).size;

  /** Promise 5: the history is a chain that ends with the live release. */
  const history = (live: string) => {
    const index = get('changes/index.json');
    if (!index) return;
    const { months, release } = json<{ months: { month: string }[]; release: string }>(index);
    if (release !== live) complain(`at rest, the history ends with ${release}, not with ${live}`);
    let last: string | undefined;
    for (const { month } of months) {
      const file = get(`changes/${month}.ndjson`);
      if (!file) {
        complain(`the history names ${month}, which is missing`);
        continue;
      }
      for (const line of file.body.toString('utf8').trimEnd().split('\n')) {
        const record = JSON.parse(line) as { release: string; previous: string | null };
        if (last !== undefined && record.previous !== null && record.previous !== last)
          complain(`the history goes from ${last} to ${record.release}, which follows ${record.previous}`);
        last = record.release;
      }
    }
    if (last !== undefined && last !== live)
      complain(`the last record of the history is of ${last}, not of ${live}`);
  };

  // Epochs of those who had the lease, and of the last who looked at the bucket under it.
  const epochs = new Map<string, number>();
  let begun = 0;

  /** Promise 3: who lost the lease has no effect from when the next holder looks at the bucket. */
  const fenced = ({ process, key, limit, isConditional }: Effect) => {
    if (key === LOCK_KEY) {
      if (!isConditional) complain(`${process.name} changed the lease without a condition`);
      return;
    }
    if (!limit) {
      complain(`${process.name} changed ${key} without a limit`);
      return;
    }
    const epoch = epochs.get(tokenOf(limit.holder));
    if (epoch === undefined) complain(`${process.name} changed ${key} and never had the lease`);
    else if (epoch < begun) complain(`${process.name} changed ${key} after another had begun`);
  };

  const leaseChanged = ({ process, before, after }: Effect) => {
    if (!after) {
      complain('the lease was removed');
      return;
    }
    const was = before && json<Lease>(before);
    const is = json<Lease>(after);
    const isTaken = was?.token !== is.token;
    epochs.set(is.token, is.epoch);
    if (was && isTaken && is.epoch !== was.epoch + 1)
      complain('the epoch of a taken lease did not grow by one');
    if (
      before &&
      was?.held &&
      isTaken &&
      !tasks.get(process)?.force &&
      after.modified - before.modified < DURATION - 1000
    )
      complain(`${process.name} took a lease that lived`);
    const open = rests.at(-1);
    if (is.held) {
      if (open && open.to === Number.POSITIVE_INFINITY) open.to = world.now();
      return;
    }
    if (is.suspect || is.releases.length > 0) return;
    const release = exact();
    if (release !== undefined) rests.push({ release, from: world.now(), to: Number.POSITIVE_INFINITY });
  };

  const wentLive = (release: string) => {
    const last = lives.at(-1);
    if (last?.release === release) return;
    if (last) last.to = world.now();
    lives.push({ release, from: world.now(), to: Number.POSITIVE_INFINITY });
  };

  const manifestChanged = ({ process, before, after }: Effect) => {
    const [was, is] = [releaseOf(before), releaseOf(after)];
    if (!is) return complain('the manifest was removed or damaged');
    const task = tasks.get(process);
    const [from, to] = [was?.manifest.build.time, is.manifest.build.time];
    if (from && to && to < from && !task?.allowOlder) complain('an older commit replaced a newer one');
    if (layout === 'pages') wentLive(is.name);
    return undefined;
  };

  const removed = ({ process, key }: Effect) => {
    if (FOREIGN.includes(key)) complain(`${key} was removed, which is not ours`);
    const task = tasks.get(process);
    const now = world.now();
    if (key.startsWith(PROPERTIES) && !(task?.kind === 'prune' && task.grace === 0)) {
      const id = key.slice(PROPERTIES.length, -'.json'.length);
      const last = listed.has(id) ? now : named.get(id);
      if (last !== undefined && now - last < lastLife * 1000)
        complain(`${key} was removed while caches may name it`);
    }
    if (task?.kind === 'prune' && key.endsWith('/objects.ndjson.gz')) {
      const name = key.slice(RELEASES.length).split('/')[0]!;
      const life = lives.findLast(({ release }) => release === name);
      if (life && now - life.to < task.grace - 2000) complain(`release ${name} was pruned within its grace`);
    }
  };

  return {
    violations,
    resume() {
      listed = idsInLists();
      const release = exact();
      if (release === undefined) return;
      rests.push({ release, from: world.now(), to: Number.POSITIVE_INFINITY });
      wentLive(release);
    },
    asked(holder) {
      const epoch = epochs.get(tokenOf(holder));
      if (epoch !== undefined) begun = Math.max(begun, epoch);
    },
    begin: (task) => void tasks.set(task.process, task),
    observe(effect) {
      const { key, after } = effect;
      if (key.startsWith(PIECES)) return void fenced(effect);
      fenced(effect);
      if (key === LOCK_KEY) return leaseChanged(effect);
      if (key === MANIFEST_KEY) manifestChanged(effect);
      if (key === CURRENT_KEY && after)
        wentLive(json<{ root: string }>(after).root.slice('_catalogue/roots/'.length, -5));
      if (key.startsWith(RELEASES)) return after ? undefined : removed(effect);
      if (!after) removed(effect);
      if (isList(key)) {
        const now = world.now();
        for (const id of listed) named.set(id, now);
        listed = idsInLists();
      } else if (after && key !== MANIFEST_KEY && !key.startsWith(PROPERTIES)) return undefined;
      complete(`${effect.process.name} ${after ? 'wrote' : 'removed'} ${key}`);
      if (!after) restorable();
      return undefined;
    },
    succeeded({ process, kind, started }, release) {
      const fits = rests.some((rest) => rest.release === release && rest.to >= started);
      if (!fits) complain(`${process.name} said that ${release} is published, and it never was at rest`);
      if (kind === 'rollback' && !lives.some((life) => life.release === release))
        complain(`${process.name} went back to ${release}, which never was live`);
    },
    atRest(release) {
      exact(release);
      restorable();
    },
  };
}

const NAMED = ['media', 'detail', 'page', 'total', 'document', 'packed', 'root'] as const;

/** The token of a holder; its fences have numbers. */
function tokenOf(holder: string): string {
  return holder.split('~')[0]!;
}

/** Every object of a release. */
function allBodies(source: SimulatedSource): Map<string, Buffer> {
  const bodies = new Map<string, Buffer>();
  for (const kind of ['media', 'detail', 'page', 'total', 'document', 'packed', 'root', 'current'] as const) {
    for (const object of objectsOf(source.release, kind)) {
      const body = source.lists(object) ?? source.bodies.get(object.key)!;
      bodies.set(object.key, body);
    }
  }
  return bodies;
}
