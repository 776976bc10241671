/**
 * The lock of a bucket: one publisher at a time. It is an object that is made only where there is none
 * (`If-None-Match: *`), replaced only while it is still one's own (`If-Match`), renewed while work goes on, and taken
 * over when it has expired. It also tells which releases the bucket may hold parts of, so that whoever comes after an
 * interrupted publish knows what to look for.
 */
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { RELEASE_NAME } from '../emit/release-name.ts';
import { EnvironmentError } from '../report/failure.ts';
import { type Bucket, ConditionFailed } from './bucket.ts';
import { assertRefusals, noConditionalWrites, writeIf } from './conditions.ts';
import { CONTROL_HEADERS, LOCK_KEY } from './control.ts';

/** What the lock object holds. */
export type LockRecord = {
  /** Who holds it, for people. */
  readonly owner: string;
  /** Unlike that of any other holder. */
  readonly token: string;
  /** RFC 3339. */
  readonly started: string;
  /** RFC 3339; in the past when the holder gave up. */
  readonly expires: string;
  /** Names of the releases of which the bucket may hold parts. */
  readonly releases: readonly string[];
};

/** A lock object as it was found. */
export type FoundLock = { readonly record: LockRecord; readonly tag: string };

/** How to take a lock. */
export type LockOptions = {
  /** Who takes it. @default see {@link describeOwner} */
  readonly owner?: string | undefined;
  /** Milliseconds that it is held without being renewed. @default 60000 */
  readonly duration?: number | undefined;
  /** Breaks a lock that has not expired. @default false */
  readonly force?: boolean | undefined;
  /** False for a store without conditional writes: the object is written, but keeps nobody out. @default true */
  readonly isExclusive?: boolean | undefined;
};

/** A lock that is held. */
export type Lock = {
  /** What was found in its place: left by an interrupted publish, or broken. */
  readonly found: FoundLock | undefined;
  /** Whether it keeps others out. */
  readonly isExclusive: boolean;
  /** Names other releases; they are in the bucket when this returns. */
  readonly update: (releases: readonly string[]) => Promise<void>;
  /** @throws EnvironmentError `lock-lost` when it has expired or somebody else has it. */
  readonly assertHeld: () => void;
  /** Gives it back: nothing unfinished is left. */
  readonly release: () => Promise<void>;
  /** Gives it back, and leaves a record of what is unfinished. Never throws: it would expire anyway. */
  readonly abandon: () => Promise<void>;
};

/** Attempts to take a lock that is renewed, or given back, in between. */
const ATTEMPTS = 20;

/** The lock object; a damaged one counts as one that expired long ago. */
export async function readLock(bucket: Bucket): Promise<FoundLock | undefined> {
  const object = await bucket.read(LOCK_KEY);
  if (!object) return undefined;
  const none = { owner: 'unknown', token: '', started: '', expires: new Date(0).toISOString(), releases: [] };
  try {
    const { owner, token, started, expires, releases } = JSON.parse(
      object.body.toString('utf8'),
    ) as LockRecord;
    const isSound =
      [owner, token, started, expires].every((text) => typeof text === 'string') &&
      !Number.isNaN(Date.parse(expires)) &&
      Array.isArray(releases) &&
      releases.every((name) => RELEASE_NAME.test(name));
    return { record: isSound ? { owner, token, started, expires, releases } : none, tag: object.tag };
  } catch {
    return { record: none, tag: object.tag };
  }
}

/** Whether somebody holds a lock now. */
export function isHeld({ record }: FoundLock): boolean {
  return Date.parse(record.expires) > Date.now();
}

/** The error that tells who holds the lock. */
export function lockedError(bucket: Bucket, found: FoundLock | undefined): EnvironmentError {
  const { owner = 'somebody', started, expires } = found?.record ?? {};
  const times = started ? ` since ${started}; the lock expires at ${expires} unless it is renewed` : '';
  return new EnvironmentError(
    'bucket-locked',
    `${owner} is publishing to ${bucket.name}${times}. Wait for it to end. If it has ended, wait for that time, or break the lock with --force-unlock.`,
  );
}

/**
 * Takes the lock, and finds out with it whether the store honours conditional writes: what must be refused is tried on
 * the lock itself, before anything else is written.
 *
 * @throws EnvironmentError `bucket-locked` when somebody else holds it; UsageError `no-conditional-writes` when the
 * store cannot keep two publishers apart.
 */
export async function takeLock(
  bucket: Bucket,
  releases: readonly string[],
  options: LockOptions = {},
): Promise<Lock> {
  const { owner = describeOwner(), duration = 60_000, force = false, isExclusive = true } = options;
  const token = randomUUID();
  const started = new Date().toISOString();
  let named = releases;
  let until = 0;
  let tag: string | undefined;
  let lost: unknown;

  const bodyOf = (expires: number) => {
    const record: LockRecord = {
      owner,
      token,
      started,
      expires: new Date(expires).toISOString(),
      releases: named,
    };
    return Buffer.from(`${JSON.stringify(record)}\n`);
  };
  const put = async (expires: number, condition: { absent: true } | { tag: string }) => {
    const body = bodyOf(expires);
    ({ tag } = isExclusive
      ? await writeIf(bucket, LOCK_KEY, body, condition)
      : await bucket.write(LOCK_KEY, body, CONTROL_HEADERS));
    until = expires;
  };

  let found = await readLock(bucket);
  if (found && isHeld(found) && !force && isExclusive) throw lockedError(bucket, found);
  for (let attempt = 1; ; attempt++) {
    named = [...new Set([...releases, ...(found?.record.releases ?? [])])];
    try {
      await put(Date.now() + duration, found ? { tag: found.tag } : { absent: true });
      break;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const present = await readLock(bucket);
      const isSame = present?.tag === found?.tag;
      if (isSame && attempt === ATTEMPTS) {
        const what = found
          ? 'a write with If-Match of the tag'
          : 'a write of a new object with If-None-Match: *';
        throw noConditionalWrites(bucket, `${what} was refused`);
      }
      // Renewed just now, it is still the lock that is to be broken; another one is not.
      const mayBreak = force && present?.record.token === found?.record.token;
      const isFree = present === undefined || !isHeld(present) || mayBreak;
      if (!isFree || attempt === ATTEMPTS) throw lockedError(bucket, present);
      found = present;
    }
  }

  // Writes of the lock go one after the other: each one's condition is the result of the one before.
  let queue: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };
  const renew = () =>
    next(async () => {
      try {
        await put(Date.now() + duration, { tag: tag! });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // An earlier renewal may have arrived without its answer coming back.
        const present = await readLock(bucket);
        if (present?.record.token !== token) throw error;
        await put(Date.now() + duration, { tag: present.tag });
      }
    });
  const assertHeld = () => {
    if (!isExclusive || (lost === undefined && Date.now() < until)) return;
    throw new EnvironmentError(
      'lock-lost',
      `The lock of ${bucket.name} was lost while publishing: it expired, or somebody broke it. Nothing more was written. Run the command again: it goes on from what arrived.`,
    );
  };
  const renewed = async () => {
    try {
      await renew();
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      lost = error;
      assertHeld();
    }
  };

  /** Somebody may have broken it. */
  const assertOwn = () =>
    next(async () => {
      const present = await readLock(bucket);
      if (present?.record.token !== token) lost = new ConditionFailed(LOCK_KEY);
      assertHeld();
    });

  const abandon = () => next(() => put(Date.now() - 1, { tag: tag! })).catch(() => {});

  /** The write that took the lock was the first one that the store had to do; these it has to refuse and to do. */
  const prove = async () => {
    await assertRefusals(bucket, LOCK_KEY, bodyOf(until - 1));
    try {
      await renew();
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const present = await readLock(bucket);
      if (present?.record.token !== token) throw lockedError(bucket, present);
      throw noConditionalWrites(bucket, 'a write with If-Match of the tag was refused');
    }
  };
  const giveBack = async () => {
    const present = await readLock(bucket);
    if (present?.record.token !== token) return;
    tag = present.tag;
    if (found) await abandon();
    else await bucket.remove([LOCK_KEY]);
  };
  if (isExclusive) {
    await prove().catch(async (error: unknown) => {
      // What cannot be given back expires.
      await giveBack().catch(() => {});
      throw error;
    });
  }
  const stopRenewing = repeatedly(duration / 3, () =>
    renew().catch((error: unknown) => {
      // Another kind of failure may pass before the lock expires.
      if (error instanceof ConditionFailed) lost = error;
    }),
  );

  return {
    found,
    isExclusive,
    assertHeld,
    async update(others) {
      named = [...new Set([...others, ...(found?.record.releases ?? [])])];
      await renewed();
    },
    async release() {
      stopRenewing();
      // Renewed not long before, nobody can take it over between the look at it and its removal.
      if (isExclusive && until - Date.now() < duration / 2) await renewed();
      else if (isExclusive) await assertOwn();
      // Behind a renewal that is on its way, which would put it there again.
      await next(() => bucket.remove([LOCK_KEY]));
    },
    async abandon() {
      stopRenewing();
      await abandon();
    },
  };
}

/**
 * Does something again and again, each time a pause after the time before has ended: renewals that follow each other
 * at once would let nobody break a lock. Returns what ends it; a process need not wait for that.
 */
function repeatedly(pause: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const wait = () => {
    if (isOver) return;
    timer = setTimeout(() => void work().finally(wait), pause);
    timer.unref();
  };
  wait();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Who runs this process: the run of a workflow, or the user, machine and process. */
export function describeOwner(env: NodeJS.ProcessEnv = process.env): string {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = env;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_RUN_ID) {
    return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  }
  return `${userName()}@${hostname()} (process ${process.pid})`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return 'user';
  }
}
