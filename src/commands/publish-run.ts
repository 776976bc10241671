import type { PublishListener } from '../publish/progress.ts';
import type { PublishResult } from '../publish/publish.ts';
import type { Purger } from '../publish/purge/purge-caches.ts';
import type { PublishReportOptions } from '../report/publish.ts';
import type { LockOptions } from '../storage/lock.ts';
import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import type { LiveReleaseOptions, WriteOptions } from './bucket-options.ts';
import { runWithStopSignals } from './stop-signals.ts';
import { terminal } from './terminal.ts';

/**
 * A stop signal aborts `run` through its `machine`, so that the command still releases the lock.
 * @param describeState says how a stopped command left the bucket
 */
export function runWithStoppableMachine(
  run: (machine: Machine) => Promise<void>,
  describeState: () => string,
): Promise<number> {
  const work = async (signal: AbortSignal) => {
    const { thisMachine } = await import('../storage/machine.ts');
    await run(thisMachine(process.env, signal));
    return 0;
  };
  return runWithStopSignals(work, describeState);
}

/** What readers of a bucket get after a publish was stopped. The key is the last of these stages that had begun. */
const STATES: Readonly<Record<'compare' | 'write' | 'remove', (name: string) => string>> = {
  compare: (name) => `Nothing that readers see was changed in ${name}.`,
  write: (name) => `Readers of ${name} get the release from before; some lists and files may be new already.`,
  remove: (name) =>
    `Readers of ${name} get the new release; old objects are left to remove, and caches to purge.`,
};

/** For commands that make another release live: handles signals, and reports events and result. */
export function runPublish(
  address: string,
  options: PublishReportOptions,
  run: (machine: Machine, listener: PublishListener) => Promise<PublishResult>,
): Promise<number> {
  let stage: keyof typeof STATES = 'compare';
  const publish = async (machine: Machine) => {
    const { withPublishReport } = await import('../report/publish.ts');
    await withPublishReport(options, terminal(), (report) =>
      run(machine, (event) => {
        if (event.kind === 'stage' && (event.stage === 'write' || event.stage === 'remove'))
          stage = event.stage;
        report(event);
      }),
    );
  };
  return runWithStoppableMachine(publish, () => STATES[stage](printable(address)));
}

export function lockOptions(
  { lock, forceUnlock }: Pick<WriteOptions, 'lock' | 'forceUnlock'>,
  machine: Machine,
): LockOptions {
  return { force: forceUnlock, isExclusive: lock, host: machine };
}

/** @param baseUrl the default of `--base-url` */
export async function openCachePurgers(
  { invalidationLimit: limit, dryRun, ...options }: WriteOptions & Pick<LiveReleaseOptions, 'keyValueStore'>,
  { stopped }: Machine,
  baseUrl: string | undefined,
): Promise<readonly Purger[]> {
  if (dryRun) return [];
  const { openPurgers } = await import('../publish/purge/open.ts');
  return openPurgers({ ...options, limit, stopped, baseUrl: options.baseUrl ?? baseUrl });
}

export async function publishOptions(options: LiveReleaseOptions, machine: Machine, baseUrl?: string) {
  const { resolveSigningOptions } = await import('../publish/signing-key-file.ts');
  const { allowShrink, maxShrink, concurrency, keptDays } = options;
  return {
    allowShrink,
    maxShrink,
    concurrency,
    purgers: await openCachePurgers(options, machine, baseUrl),
    keptDays,
    signing: resolveSigningOptions(options.signingKey, options.signatureDays),
    lock: lockOptions(options, machine),
  };
}
